import { execFile } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { Pressure } from "../../core/load/pressure.ts";
import { Connections, httpServer } from "../../services/gateway/http/connections.ts";
import type { Bounds } from "../../services/gateway/http/lingering-close.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { hiddenRequest, smuggled } from "../smuggled.ts";

// RFC 9112, 9.6: a client whose request is refused while it still sends its body reads the refusal, and not a broken
// connection. What it still sends is thrown away within bounds, and is never another request.

const HOUR = 3_600_000;
const PIECE = Buffer.alloc(65_536, "x");
const sockets: Socket[] = [];

interface Sender {
  socket: Socket;
  text(): string;
  closed(): boolean;
  fault(): string | undefined;
  write(bytes: string | Buffer): Promise<void>;
}

/** A client that reads only once it is told to. */
async function sender(port: number, head: string): Promise<Sender> {
  let text = "",
    closed = false,
    fault: string | undefined;
  // It may go on sending after the server has said that it sends nothing more.
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  sockets.push(socket);
  socket.pause();
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    fault = error.code;
  });
  socket.on("close", () => {
    closed = true;
  });
  await new Promise((resolve) => {
    socket.once("connect", resolve);
  });
  const write = (bytes: string | Buffer): Promise<void> =>
    new Promise((resolve) => {
      socket.write(bytes, () => resolve());
    });
  await write(`${head}\r\n\r\n`);
  return { socket, text: () => text, closed: () => closed, fault: () => fault, write };
}

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
const statuses = ({ text }: Sender): string[] => text().match(/HTTP\/1\.1 \d{3}/g) ?? [];

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

describe("at a gateway", () => {
  let at: TestWorld;
  let port: number;
  let token: string, reader: string;
  beforeAll(async () => {
    at = await world();
    port = Number(new URL(at.url).port);
    [token, reader] = [await at.tokenOf("system_admin"), await at.tokenOf("reader")];
    // No bound of time ends what would otherwise stand still.
    Object.assign(lingering().bounds, { quietMs: HOUR, totalMs: HOUR });
  });
  afterAll(() => at.stop());

  const lingering = (where = at) => (where.service("gateway") as { connections: Connections }).connections.lingering;
  const request = (line: string, framing: string, bearer: string): string =>
    `${line} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\n${framing}`;
  const MUCH = 24 * 2 ** 20;
  const ANNOUNCED = `Content-Length: ${MUCH}`,
    CHUNKED = "Transfer-Encoding: chunked";

  /** Sends a body of 24 MiB, reads the answer after that, and is left with nothing broken. */
  async function isTold(where: TestWorld, head: string, status: number, words: string): Promise<void> {
    const one = await sender(Number(new URL(where.url).port), head);
    // Beyond ten megabytes the body is refused in any case; it goes on when the gateway has answered and closed its
    // half.
    for (let sent = 0; sent < MUCH; sent += PIECE.length) {
      if (sent === 12 * 2 ** 20)
        await eventually(
          () => lingering(where).size,
          (size) => size === 1,
        );
      await one.write(head.endsWith(CHUNKED) ? chunk(PIECE) : PIECE);
    }
    one.socket.resume();
    await eventually(
      () => one.text(),
      (text) => text.endsWith("}"),
    );
    expect([statuses(one), one.text().includes(words), /\r\nconnection: close\r\n/i.test(one.text())]).toEqual([
      [`HTTP/1.1 ${status}`],
      true,
      true,
    ]);
    one.socket.end();
    await eventually(
      () => [one.closed(), lingering(where).size],
      ([closed, left]) => closed === true && left === 0,
    );
    expect(one.fault()).toBeUndefined();
  }

  it.each([
    [413, "TOO_LARGE", "POST /api/sources/bulk", () => token],
    [401, "UNAUTHENTICATED", "POST /api/sources/bulk", () => "nobody's"],
    [403, "FORBIDDEN", "POST /api/sources/bulk", () => reader],
    [404, "ROUTE_NOT_FOUND", "POST /api/nowhere", () => token],
    [405, "METHOD_NOT_ALLOWED", "PUT /api/sources", () => token],
  ])("%i reaches a client that reads nothing before it has sent all", async (status, code, line, bearer) => {
    for (const framing of [ANNOUNCED, CHUNKED])
      await isTold(at, request(line, framing, bearer()), status, `"code":"${code}"`);
  });

  it("429 does, where somebody asks too often", async () => {
    const other = await world({ RATE_LIMIT_TIER: "production" });
    for (let allowed = true; allowed;) allowed = (await other.http("GET", "/api/sources", { as: null })).status !== 429;
    await isTold(other, request("POST /api/sources/bulk", CHUNKED, "nobody's"), 429, "Rate limit exceeded");
    await other.stop();
  });

  it("503 does, where more is asked than can be done in time", async () => {
    const strained = jest.spyOn(Pressure.prototype, "strained", "get").mockReturnValue(true);
    const full = jest.spyOn(Pressure.prototype, "enter").mockReturnValue(false);
    for (const framing of [ANNOUNCED, CHUNKED])
      await isTold(at, request("POST /api/sources/bulk", framing, token), 503, "OVERLOADED");
    strained.mockRestore();
    full.mockRestore();
  });

  it.each([
    ["12", "4"],
    ["40", "2"],
  ])("every refusal of %s megabytes reaches fetch in another process", async (megabytes, times) => {
    const told = async (method: string, path: string, bearer: string): Promise<string[]> => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(import.meta.dirname, "refused-bodies-client.ts"),
        `${at.url}${path}`,
        method,
        megabytes,
        times,
        bearer,
      ]);
      return [...new Set(JSON.parse(stdout) as string[])];
    };
    expect(await told("POST", "/api/sources/bulk", token)).toEqual(["413 TOO_LARGE"]);
    expect(await told("POST", "/api/sources/bulk", reader)).toEqual(["403 FORBIDDEN"]);
    expect(await told("POST", "/mcp", "nobody's")).toEqual(["401 UNAUTHENTICATED"]);
    expect(await told("PUT", "/api/sources", token)).toEqual(["405 METHOD_NOT_ALLOWED"]);
    await eventually(
      () => lingering().size,
      (size) => size === 0,
    );
  });

  const hidden = (name: string): string => hiddenRequest(name, token);

  it.each([
    ["in a body that is announced as too large", "POST /api/sources/bulk", ANNOUNCED, [hidden]],
    [
      "in a body that grows too large",
      "POST /api/sources/lists",
      CHUNKED,
      [() => chunk(Buffer.alloc(2 ** 21, "x")), hidden],
    ],
    [
      "behind a body that grew too large",
      "POST /api/sources/lists",
      CHUNKED,
      [() => `${chunk(Buffer.alloc(2 ** 21, "x")).toString()}0\r\n\r\n`, hidden],
    ],
    [
      "behind a body that nobody asked for",
      "POST /api/nowhere",
      "Content-Length: 4",
      [() => "12", (name: string) => `34${hidden(name)}`],
    ],
    [
      "in one piece with the body that nobody asked for",
      "POST /api/nowhere",
      "Content-Length: 4",
      [(name: string) => `1234${hidden(name)}`],
    ],
  ] as [string, string, string, ((name: string) => string | Buffer)[]][])(
    "a request %s is none",
    async (name, line, framing, pieces) => {
      const one = await sender(port, request(line, framing, token));
      one.socket.resume();
      for (const piece of pieces) {
        await one.write(piece(name));
        await eventually(() => statuses(one).length, Boolean);
      }
      // Its own half is closed last: by then the gateway has seen all of it.
      one.socket.end();
      await eventually(() => one.closed(), Boolean);
      expect(statuses(one)).toHaveLength(1);
      expect(await smuggled(at)).toEqual([]);
    },
  );

  it("a connection is kept whose refused request was read to its end", async () => {
    const one = await sender(port, request("POST /api/sources/lists", "Content-Length: 2", token));
    one.socket.resume();
    await one.write("{}");
    await eventually(
      () => statuses(one).length,
      (count) => count === 1,
    );
    await one.write(`${request("GET /api/sources", "X: y", token)}\r\n\r\n`);
    await eventually(
      () => statuses(one),
      (all) => all.join() === "HTTP/1.1 400,HTTP/1.1 200",
    );
  });

  it("a stop does not wait for who lingers", async () => {
    const other = await world();
    const own = lingering(other);
    Object.assign(own.bounds, { quietMs: HOUR, totalMs: HOUR });
    const one = await sender(Number(new URL(other.url).port), request("POST /api/nowhere", ANNOUNCED, "nobody's"));
    await eventually(
      () => own.size,
      (size) => size === 1,
    );
    await other.stop();
    await eventually(
      () => own.size,
      (size) => size === 0,
    );
    one.socket.resume();
    await eventually(
      () => statuses(one).join(),
      (all) => all === "HTTP/1.1 404",
    );
  });
});

describe("within bounds", () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  /** A server that refuses whatever comes, and the connections it has had. */
  async function refusing(bounds: Partial<Bounds>) {
    const seen: Socket[] = [];
    const server = httpServer((req: IncomingMessage, res: ServerResponse) => {
      seen.push(req.socket);
      connections.refuse(req);
      res.writeHead(413, { Connection: "close", "Content-Length": 2 }).end("no");
    });
    const connections = new Connections(server, 1_000, { quietMs: HOUR, totalMs: HOUR, ...bounds });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    stops.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const { lingering } = connections;
    return {
      seen,
      lingering,
      send: (framing = "Transfer-Encoding: chunked") =>
        sender((server.address() as AddressInfo).port, `POST / HTTP/1.1\r\nHost: h\r\n${framing}`),
    };
  }

  /** Writes for as long as the server takes it. */
  async function endlessly(one: Sender): Promise<void> {
    const closed = new Promise((resolve) => {
      one.socket.once("close", resolve);
    });
    while (!one.closed() && !one.fault()) await Promise.race([one.write(chunk(PIECE)), closed]);
  }

  it("who sends without end is cut off after so many bytes, whether the length was said or not", async () => {
    const most = 2 ** 21;
    const { seen, lingering, send } = await refusing({ bytes: most });
    for (const framing of ["Transfer-Encoding: chunked", `Content-Length: ${2 ** 40}`]) {
      const one = await send(framing);
      one.socket.resume();
      await endlessly(one);
      await eventually(
        () => lingering.size,
        (size) => size === 0,
      );
      const { bytesRead, destroyed } = seen.at(-1)!;
      // What Node had read before the answer was out, and the piece that was one too many.
      expect([destroyed, bytesRead > most, bytesRead < most + 2 ** 20]).toEqual([true, true, true]);
    }
  });

  it("who sends nothing more is cut off after a while, and has the answer", async () => {
    const { lingering, send } = await refusing({ quietMs: 200 });
    const one = await send();
    one.socket.resume();
    await eventually(
      () => one.text(),
      (text) => text.endsWith("no"),
    );
    await eventually(
      () => lingering.size,
      (size) => size === 0,
    );
    expect([statuses(one), one.fault()]).toEqual([["HTTP/1.1 413"], undefined]);
  });

  it("who sends drop by drop is cut off all the same", async () => {
    const { lingering, send } = await refusing({ totalMs: 500 });
    const one = await send("Content-Length: 100000");
    const drops = setInterval(() => one.socket.write("x"), 20);
    await eventually(
      () => lingering.size,
      (size) => size === 1,
    );
    await eventually(
      () => lingering.size,
      (size) => size === 0,
    );
    clearInterval(drops);
  });

  it("so many at once: one more costs the place of the one that has lingered longest", async () => {
    const { seen, lingering, send } = await refusing({ connections: 3 });
    for (let n = 1; n <= 8; n++) {
      await send();
      await eventually(
        () => seen.length,
        (count) => count === n,
      );
      await eventually(
        () => seen.filter(({ destroyed }) => !destroyed).length + lingering.size,
        (sum) => sum === 2 * Math.min(n, 3),
      );
    }
    expect(seen.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, true, false, false, false]);
  });

  it("who goes away is forgotten", async () => {
    const { lingering, send } = await refusing({});
    const one = await send();
    await eventually(
      () => lingering.size,
      (size) => size === 1,
    );
    one.socket.resetAndDestroy();
    await eventually(
      () => lingering.size,
      (size) => size === 0,
    );
  });
});
