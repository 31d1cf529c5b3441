import type { Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Connections, httpServer } from "../../services/gateway/http/connections.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";

// Claim 15: who is slow, or silent, is cut off in the end, keeps nobody else from being served, and cannot fill the
// house.

const MOST = 60;
let at: TestWorld;
const sockets: Socket[] = [];
beforeAll(async () => {
  at = await world({ MAX_CONNECTIONS: String(MOST) });
  await at.tokenOf("system_admin");
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await at.stop();
});

const server = (): Server => (at.service("gateway") as unknown as { server: Server }).server;
const connections = (): Promise<number> =>
  new Promise((resolve, reject) => server().getConnections((error, count) => (error ? reject(error) : resolve(count))));

interface Slow {
  socket: Socket;
  text(): string;
  closed(): boolean;
}
async function open(bytes = "", port = Number(new URL(at.url).port)): Promise<Slow> {
  let text = "",
    closed = false;
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  socket.on("error", () => {
    closed = true;
  });
  socket.on("close", () => {
    closed = true;
  });
  await new Promise((resolve) => {
    socket.once("connect", resolve);
    socket.once("close", resolve);
  });
  if (bytes) socket.write(bytes);
  return { socket, text: () => text, closed: () => closed };
}

/** A client that sends a byte at a time, for as long as it may. */
function dripping(slow: Slow, bytes: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (slow.closed() || slow.socket.destroyed) return clearInterval(timer);
    slow.socket.write(bytes[sent++ % bytes.length]!);
  }, 20);
}

describe("with times of less than a second", () => {
  beforeAll(() => {
    server().headersTimeout = 400;
    server().requestTimeout = 800;
  });
  afterAll(() => {
    server().headersTimeout = 15_000;
    server().requestTimeout = 60_000;
  });

  it("a head that drips in is cut off, others are served meanwhile", async () => {
    const slow = await Promise.all(
      Array.from({ length: 20 }, () => open("GET /api/sources HTTP/1.1\r\nHost: h\r\nX: ")),
    );
    for (const one of slow) dripping(one, "a");
    expect((await at.http("GET", "/api/sources")).status).toBe(200);
    await eventually(() => slow.every((one) => one.closed()), Boolean);
    for (const one of slow) expect(one.text()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("a body that drips in is cut off, whether its length was said or not, and does nothing", async () => {
    const login = (framing: string) =>
      `POST /api/auth/login HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
    const said = await open(login("Content-Length: 100000"));
    const unsaid = await open(`${login("Transfer-Encoding: chunked")}fffff\r\n`);
    for (const one of [said, unsaid]) dripping(one, " ");
    expect((await at.http("GET", "/api/sources")).status).toBe(200);
    await eventually(() => [said, unsaid].every((one) => one.closed()), Boolean);
    for (const one of [said, unsaid]) expect(one.text()).not.toMatch(/^HTTP\/1\.1 2/);
  });

  it("a connection that says nothing is closed", async () => {
    const silent = await open();
    await eventually(() => silent.closed(), Boolean);
  });
});

it("a flood of silent connections displaces itself, and who asks at once is served", async () => {
  const flood = await Promise.all(Array.from({ length: MOST * 3 }, () => open()));
  await eventually(
    () => flood.filter((one) => !one.closed()).length,
    (left) => left <= MOST,
  );
  expect(await connections()).toBeLessThanOrEqual(MOST);
  for (let n = 0; n < 5; n++)
    expect((await at.http("GET", "/api/sources", { headers: { connection: "close" } })).status).toBe(200);
  for (const { socket } of flood) socket.destroy();
});

it("a flood of connections that asked once and stay is bounded too; a request under way keeps its place", async () => {
  const busy = await open(
    "POST /api/auth/login HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 62\r\n\r\n",
  );
  const flood = await Promise.all(
    Array.from({ length: MOST * 2 }, () => open("GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n")),
  );
  await eventually(
    () => flood.filter((one) => !one.closed()).length,
    (left) => left < MOST,
  );
  expect(busy.closed()).toBe(false);
  busy.socket.write(JSON.stringify({ email: "nobody@example.org", password: "wrong horse" }).padEnd(62));
  await eventually(
    () => busy.text(),
    (text) => text.startsWith("HTTP/1.1 401 "),
  );
});

it("a connection that was upgraded is at work and keeps its place", async () => {
  const own = httpServer((_req, res) => void res.end());
  const bounded = new Connections(own, 10);
  own.on("request", ({ socket }) => bounded.works(socket));
  own.on("upgrade", (_req, socket) => {
    socket.on("end", () => socket.end()).resume();
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: test\r\nConnection: Upgrade\r\n\r\n");
  });
  await new Promise<void>((resolve) => {
    own.listen(0, "127.0.0.1", resolve);
  });
  const { port } = own.address() as AddressInfo;
  const upgraded = await open("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n", port);
  await eventually(
    () => upgraded.text(),
    (text) => text.startsWith("HTTP/1.1 101 "),
  );
  const flood = await Promise.all(Array.from({ length: 30 }, () => open("", port)));
  await eventually(
    () => flood.filter((one) => !one.closed()).length,
    (left) => left <= 9,
  );
  expect(upgraded.closed()).toBe(false);
  for (const { socket } of [upgraded, ...flood]) socket.destroy();
  await new Promise((resolve) => {
    own.close(resolve);
  });
});
