import { createRequire } from "node:module";
import { type Contender, interleaved, many, median, round, start } from "../../measure.ts";

const { WebSocket } = createRequire(import.meta.url)("ws");
const SOCKETS = many(200, 20);
const ROUNDS = many(9);
const MESSAGES = many(100, 5);

interface Audience {
  contender: Contender;
  heard: number;
  wanted: number;
  done: () => void;
}

/** Opens the sockets of one contender by bare WebSockets, speaking just enough of socket.io where it is one. */
async function gather(contender: Contender, plain: boolean): Promise<Audience> {
  const audience: Audience = { contender, heard: 0, wanted: Infinity, done: () => {} };
  const address = contender.url.replace("http", "ws") + (plain ? "/live" : "/socket.io/?EIO=4&transport=websocket");
  await Promise.all(
    Array.from(
      { length: SOCKETS },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = new WebSocket(address);
          socket.on("error", reject);
          if (plain) socket.on("open", resolve);
          socket.on("message", (data: Buffer) => {
            if (data.includes('"bench.item"')) {
              if (++audience.heard === audience.wanted) audience.done();
              return;
            }
            const packet = data.toString();
            if (packet === "2") socket.send("3");
            else if (packet.startsWith("0{")) socket.send("40/live,");
            else if (packet.startsWith("40/live,")) {
              if (contender.name === "socket.io, stock") resolve();
              else socket.send('42/live,0["subscribe",{"problemSetId":"s1"}]');
            } else if (packet.startsWith("43/live,0")) resolve();
          });
        }),
    ),
  );
  return audience;
}

async function cpuPerDelivery(audience: Audience): Promise<number> {
  const { contender } = audience;
  const before = await contender.cpu();
  audience.heard = 0;
  audience.wanted = SOCKETS * MESSAGES;
  const done = new Promise<void>((resolve) => {
    audience.done = resolve;
  });
  contender.tell({ send: MESSAGES });
  await done;
  const after = await contender.cpu();
  return (after.micros - before.micros) / (SOCKETS * MESSAGES);
}

/** CPU a delivery of one message to 200 sockets. */
export async function liveEvents(): Promise<string> {
  const contenders = await Promise.all([
    start("ws", "live.ts", ["ws"]),
    start("socket.io, stock", "live.ts", ["socket.io"]),
    start("Signalmesh", "live.ts", ["signalmesh"]),
  ]);
  try {
    const audiences = await Promise.all(contenders.map((contender) => gather(contender, contender.name === "ws")));
    for (const audience of audiences) await cpuPerDelivery(audience);
    const figures = await interleaved(audiences, ROUNDS, cpuPerDelivery);
    const ws = figures.get(audiences[0]!)!;
    const rows = audiences.map((audience) => {
      const own = figures.get(audience)!;
      return `| ${audience.contender.name} | ${round(median(own), 2)} | ${round(median(own.map((figure, n) => figure / ws[n]!)), 2)} |`;
    });
    return [
      "## Live events: one message to 200 sockets",
      "",
      "CPU microseconds a delivery of the server process, median of 9 interleaved rounds of 100 messages; Signalmesh from the service over the broker, judged for two rooms of different compartments.",
      "",
      "| Server | µs | x ws |",
      "|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  } finally {
    for (const contender of contenders) contender.end();
  }
}

if (import.meta.main) {
  console.log(await liveEvents());
  process.exit(0);
}
