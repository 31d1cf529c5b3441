import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { interleaved, many, median, round } from "../../measure.ts";

const CALLS = many(4_000, 64);
const AT_ONCE = 32;
const ROUNDS = many(7);
const KINDS = {
  signalmesh: "Signalmesh over Redis, CBOR",
  nest: "NestJS over Redis",
  plain: "ioredis alone, request and reply",
  grpc: "gRPC (grpc-js)",
} as const;
type Kind = keyof typeof KINDS;

/** A process of the bench, asked and answering one message at a time. */
class End {
  readonly child: ChildProcess;
  constructor(kind: Kind, role: "server" | "client", redis: string, grpc = "") {
    this.child = fork(join(import.meta.dirname, "../../contenders/remote.ts"), [kind, role, redis, grpc], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  }

  hear<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`a contender ended with ${code}`));
      this.child.once("exit", ended);
      this.child.once("message", (said) => {
        this.child.off("exit", ended);
        resolve(said as T);
      });
    });
  }

  ask<T>(said: object | string): Promise<T> {
    const heard = this.hear<T>();
    this.child.send(said);
    return heard;
  }

  async cpu(): Promise<number> {
    const {
      cpu: { user, system },
    } = await this.ask<{ cpu: NodeJS.CpuUsage }>("cpu");
    return user + system;
  }
}

interface Pair {
  kind: Kind;
  server: End;
  client: End;
}

async function pairOf(kind: Kind, redis: string): Promise<Pair> {
  const server = new End(kind, "server", redis);
  const { bound } = await server.hear<{ bound?: number }>();
  const client = new End(kind, "client", redis, bound ? String(bound) : "");
  await client.hear();
  return { kind, server, client };
}

async function redisServer(): Promise<{ url: string; end(): void }> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const child = spawn(
    "redis-server",
    ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes("Ready to accept connections")) break;
  return { url: `redis://127.0.0.1:${port}`, end: () => void child.kill("SIGTERM") };
}

/** CPU of both ends of a call of an action on another node, beside NestJS, ioredis alone and gRPC, in turns. */
export async function remote(): Promise<string> {
  const redis = await redisServer();
  const pairs: Pair[] = [];
  try {
    for (const kind of Object.keys(KINDS) as Kind[]) pairs.push(await pairOf(kind, redis.url));
    const run = (pair: Pair, calls: number, atOnce: number) => pair.client.ask<{ took: number[] }>({ calls, atOnce });
    for (const pair of pairs) await run(pair, CALLS, AT_ONCE);
    const cpu = await interleaved(pairs, ROUNDS, async (pair) => {
      const before = (await pair.server.cpu()) + (await pair.client.cpu());
      await run(pair, CALLS, AT_ONCE);
      return ((await pair.server.cpu()) + (await pair.client.cpu()) - before) / CALLS;
    });
    const alone = await interleaved(pairs, 3, async (pair) => median((await run(pair, 500, 1)).took));
    const nest = cpu.get(pairs.find(({ kind }) => kind === "nest")!)!;
    // The ratio of each round to its neighbour in the same round: what the machine does besides meets both.
    const rows = pairs.map(
      (pair) =>
        `| ${KINDS[pair.kind]} | ${round(median(cpu.get(pair)!))} | ${round(median(cpu.get(pair)!.map((figure, at) => figure / nest[at]!)), 2)} | ${round(median(alone.get(pair)!), 0)} |`,
    );
    return [
      "## Action call between two nodes",
      "",
      `CPU microseconds a call, both ends together without Redis itself, median of ${ROUNDS} interleaved rounds of ${CALLS.toLocaleString("en")} calls, ${AT_ONCE} under way; ratios are medians of each round's own. Alone: one call after the other, median.`,
      "",
      "| | CPU µs | x NestJS | alone, µs |",
      "|---|---|---|---|",
      ...rows,
      "",
      "The aim is 0.85 of NestJS.",
      "",
    ].join("\n");
  } finally {
    for (const { server, client } of pairs) for (const { child } of [server, client]) child.kill("SIGTERM");
    redis.end();
  }
}

if (import.meta.main) {
  console.log(await remote());
  process.exit(0);
}
