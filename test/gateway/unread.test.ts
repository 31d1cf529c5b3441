import type { IncomingMessage, Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Connections, httpServer } from "../../services/gateway/http/connections.ts";
import type { Reply } from "../../services/gateway/http/respond.ts";
import type { UnreadBounds } from "../../services/gateway/http/write-bounds.ts";
import { eventually, world } from "../mesh.ts";

// A client that asks and does not read: what waits for it is bounded, and so is the time that it is waited for.

const MB = 2 ** 20;
/** More than the kernel takes for a client that does not read. */
const LARGE = 16 * MB;
const HOUR = 3_600_000;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Client {
  socket: Socket;
  read: number;
  text: string;
  closed: boolean;
}
async function client(port: number, request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n", reads = false): Promise<Client> {
  const one: Client = { socket: connect(port, "127.0.0.1"), read: 0, text: "", closed: false };
  one.socket
    .on("error", () => {})
    .on("close", () => {
      one.closed = true;
    });
  one.socket.on("data", (chunk: Buffer) => {
    one.read += chunk.length;
    one.text = (one.text + chunk.toString("latin1")).slice(-20_000);
  });
  if (!reads) one.socket.pause();
  stops.push(() => void one.socket.destroy());
  await new Promise((resolve) => {
    one.socket.once("connect", resolve);
  });
  one.socket.write(request);
  return one;
}

/** A server whose answers are as the test wants them. */
async function serving(
  respond: (req: IncomingMessage, res: Reply) => void,
  bounds: Partial<UnreadBounds>,
): Promise<{ port: number; connections: Connections; server: Server }> {
  const server = httpServer((req, res) => respond(req, res as Reply));
  const connections = new Connections(server, 1_000, {}, { quietMs: HOUR, totalBytes: HOUR * MB, ...bounds });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, connections, server };
}

const whole = (_req: IncomingMessage, res: Reply): void =>
  void res.writeHead(200, { "Content-Length": LARGE }).end("x".repeat(LARGE), "latin1");

it("who takes nothing for too long is cut off", async () => {
  const { port, connections } = await serving(whole, { quietMs: 400 });
  await client(port);
  await eventually(
    () => connections.unread.total,
    (bytes) => bytes > 0,
  );
  await eventually(
    () => connections.unread.cut,
    (cut) => cut === 1,
  );
  expect(connections.unread.total).toBe(0);
});

it("who takes a little at a time is not, however long it takes", async () => {
  const { port, connections } = await serving(whole, { quietMs: 10_000 });
  const slow = await client(port);
  const sips = setInterval(() => {
    slow.socket.resume();
    setTimeout(() => slow.socket.pause(), 1);
  }, 25);
  stops.push(() => clearInterval(sips));
  await eventually(
    () => slow.read,
    (bytes) => bytes >= LARGE,
  );
  expect([connections.unread.cut, slow.closed]).toEqual([0, false]);
});

it("of all that wait those go that have taken nothing for longest; who reads gets all of it", async () => {
  const { port, connections } = await serving(whole, { totalBytes: 6 * LARGE });
  const silent: Client[] = [];
  for (let n = 0; n < 20; n++) {
    silent.push(await client(port));
    await eventually(
      () => connections.unread.total,
      (bytes) => bytes > 0,
    );
  }
  await eventually(
    () => connections.unread.cut,
    (cut) => cut >= 12,
  );
  expect(connections.unread.total).toBeLessThanOrEqual(6 * LARGE);
  const reader = await client(port, undefined, true);
  await eventually(
    () => reader.read,
    (bytes) => bytes >= LARGE,
  );
  // The last to come is still waited for.
  const last = silent.at(-1)!;
  last.socket.resume();
  await eventually(
    () => last.read,
    (bytes) => bytes >= LARGE,
  );
  silent[0]!.socket.resume();
  await eventually(() => silent[0]!.closed, Boolean);
  expect(silent[0]!.read).toBeLessThan(LARGE);
});

it("bytes that are kept once for everybody count for nobody", async () => {
  const kept = Buffer.alloc(LARGE);
  const { port, connections } = await serving(
    (_req, res) => {
      res.writeHead(200, { "Content-Length": LARGE });
      res.shared = LARGE;
      res.end(kept);
    },
    { totalBytes: MB },
  );
  const silent = await Promise.all(Array.from({ length: 10 }, () => client(port)));
  const reader = await client(port, undefined, true);
  await eventually(
    () => reader.read,
    (bytes) => bytes >= LARGE,
  );
  expect([connections.unread.cut, silent.filter(({ closed }) => closed).length]).toEqual([0, 0]);
});

it("a socket that is too far behind is cut off", async () => {
  const { port, connections, server } = await serving(whole, { eachBytes: MB });
  server.on("upgrade", (_req, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: test\r\nConnection: Upgrade\r\n\r\n");
    socket.write(Buffer.alloc(LARGE));
  });
  await client(port, "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n");
  await eventually(
    () => connections.unread.cut,
    (cut) => cut === 1,
  );
});

it("requests sent ahead are answered one after the other, and too many of them end the connection", async () => {
  const at = await world();
  try {
    const port = Number(new URL(at.url).port);
    const asked = "GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n";
    const patient = await client(port, asked.repeat(10), true);
    await eventually(
      () => patient.text.split("HTTP/1.1 200 ").length,
      (parts) => parts === 11,
    );
    const token = await at.tokenOf("system_admin");
    const lists = `GET /api/sources/lists HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const { requests } = at.service("gateway") as { requests: { underWay: number } };
    const hasty = await client(port, lists.repeat(40));
    expect(requests.underWay).toBeLessThanOrEqual(1);
    await eventually(() => {
      hasty.socket.resume();
      return hasty.closed;
    }, Boolean);
    // What was asked on other connections is answered.
    expect((await at.http("GET", "/api/sources/lists")).status).toBe(200);
  } finally {
    await at.stop();
  }
});
