import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { OutboundError } from "../../../adapters/outbound/errors.ts";
import { outbound, type Outbound, type OutboundSettings } from "../../../adapters/outbound/outbound.ts";
import { retryAfterMs } from "../../../adapters/outbound/retry-after.ts";

const text = "A feed, somewhat long. ".repeat(200);
let client: Outbound;
const closing: (() => Promise<unknown>)[] = [];

const make = (settings: Partial<OutboundSettings> = {}): Outbound => {
  const made = outbound({ allowPrivate: true, userAgent: "signalmesh-test/1", ...settings });
  closing.push(() => made.close());
  return made;
};
const listening = async (server: net.Server): Promise<string> => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return listening(server);
}
/** A server that writes bytes of its own making. */
async function serveRaw(answer: (socket: Socket, connection: number) => void): Promise<string> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    const connection = connections++;
    socket.on("error", () => undefined).once("data", () => answer(socket, connection));
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(resolve);
      }),
  );
  return listening(server);
}
const failure = async (promise: Promise<unknown>): Promise<OutboundError> => {
  const error = await promise.then(
    () => new Error("it was answered"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
};
const routes =
  (table: Record<string, (request: IncomingMessage, response: ServerResponse) => void>): RequestListener =>
  (request, response) =>
    (table[new URL(request.url!, "http://x").pathname] ?? ((_, missing) => missing.writeHead(404).end("none")))(
      request,
      response,
    );

beforeAll(() => {
  client = make();
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

describe("answers", () => {
  it("come with status, lower-case headers and the body, whatever the status", async () => {
    const url = await serve((_, response) =>
      response.writeHead(429, { "Retry-After": "120", ETag: '"a"', "Set-Cookie": ["a=1", "b=2"] }).end("slow down"),
    );
    const answer = await client.get(`${url}/feed`);
    expect(answer).toMatchObject({
      status: 429,
      url: `${url}/feed`,
      headers: { "retry-after": "120", etag: '"a"', "set-cookie": "a=1, b=2" },
    });
    expect(answer.body.toString()).toBe("slow down");
    expect(answer).not.toHaveProperty("permanentUrl");
  });

  it("are asked for with our name, the caller's headers and nothing that frames the message", async () => {
    let seen: IncomingMessage["headers"] = {};
    const url = await serve((request, response) => {
      seen = request.headers;
      response.end();
    });
    await client.get(url, {
      accept: "application/rss+xml",
      headers: { "If-None-Match": '"a"', Host: "other.example", "Content-Length": "99", "Accept-Encoding": "zstd" },
    });
    expect(seen).toMatchObject({
      "user-agent": "signalmesh-test/1",
      accept: "application/rss+xml",
      "if-none-match": '"a"',
      "accept-encoding": "gzip, deflate, br",
    });
    expect(seen.host).not.toBe("other.example");
    expect(seen).not.toHaveProperty("content-length");
  });

  it("have no body where HTTP has none", async () => {
    const url = await serve((_, response) => response.writeHead(304, { "Content-Encoding": "gzip" }).end());
    await expect(client.get(url)).resolves.toMatchObject({ status: 304, body: Buffer.alloc(0) });
  });

  it.each<[string, string, Buffer]>([
    ["gzip", "gzip", gzipSync(text)],
    ["x-gzip", "x-gzip", gzipSync(text)],
    ["deflate with its header", "deflate", deflateSync(text)],
    ["deflate without", "deflate", deflateRawSync(text)],
    ["brotli", "br", brotliCompressSync(text)],
    ["two codings", "gzip, br", brotliCompressSync(gzipSync(text))],
    ["plain text that claims to be gzip", "gzip", Buffer.from(text)],
    ["identity", "identity", Buffer.from(text)],
  ])("are decompressed: %s", async (_, coding, bytes) => {
    const url = await serve((_request, response) => response.writeHead(200, { "Content-Encoding": coding }).end(bytes));
    expect((await client.get(url)).body.toString()).toBe(text);
  });

  it.each<[string, string, Buffer]>([
    ["named like a property of objects", "constructor", Buffer.from("x")],
    ["cut off", "gzip", gzipSync(text).subarray(0, 40)],
    ["broken", "br", Buffer.from("no brotli at all")],
    ["unknown", "zstd", Buffer.from("x")],
  ])("are refused when the compression is %s", async (_, coding, bytes) => {
    const url = await serve((_request, response) => response.writeHead(200, { "Content-Encoding": coding }).end(bytes));
    expect((await failure(client.get(url))).kind).toBe("protocol");
  });
});

describe("redirects", () => {
  it("are followed, and reported as permanent only when all of them are", async () => {
    const to = (status: number, location: string) => (_: IncomingMessage, response: ServerResponse) =>
      response.writeHead(status, { location }).end("moved");
    const url = await serve(
      routes({
        "/a": to(301, "b?x=1"),
        "/b": to(308, "/end"),
        "/mixed": to(302, "/b"),
        "/end": (_, response) => response.end("here"),
      }),
    );
    await expect(client.get(`${url}/a`)).resolves.toMatchObject({
      status: 200,
      url: `${url}/end`,
      permanentUrl: `${url}/end`,
    });
    const mixed = await client.get(`${url}/mixed`);
    expect(mixed.url).toBe(`${url}/end`);
    expect(mixed).not.toHaveProperty("permanentUrl");
  });

  it("may hold bare UTF-8, as servers send it", async () => {
    const url = await serve(
      routes({
        "/old": (_, response) => response.writeHead(301, { location: Buffer.from("/größe").toString("latin1") }).end(),
        "/gr%C3%B6%C3%9Fe": (_, response) => response.end("ok"),
      }),
    );
    expect((await client.get(`${url}/old`)).body.toString()).toBe("ok");
  });

  it("end in a circle, after too many, or with another scheme", async () => {
    const url = await serve((request, response) => {
      const at = new URL(request.url!, "http://x");
      const n = Number(at.searchParams.get("n"));
      const location =
        at.pathname === "/circle"
          ? `/circle?n=${(n + 1) % 3}`
          : at.pathname === "/many"
            ? `/many?n=${n + 1}`
            : "ftp://files.example/";
      response.writeHead(302, { location }).end();
    });
    expect(await failure(client.get(`${url}/circle?n=0`))).toMatchObject({
      kind: "redirects",
      message: expect.stringContaining("circle"),
    });
    expect(await failure(client.get(`${url}/many?n=0`, { maxRedirects: 3 }))).toMatchObject({
      kind: "redirects",
      message: expect.stringContaining("3 times"),
    });
    expect(await failure(client.get(`${url}/other`))).toMatchObject({ kind: "blocked" });
  });

  it("keep credentials with their origin", async () => {
    const seen: (string | undefined)[] = [];
    const second = await serve((request, response) => {
      seen.push(request.headers.authorization, request.headers["if-none-match"] as string);
      response.end();
    });
    const first = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: second }).end();
    });
    await client.get(first, { headers: { Authorization: "Bearer secret", "If-None-Match": '"a"' } });
    expect(seen).toEqual(["Bearer secret", undefined, '"a"']);
  });

  it("are not followed for POST: the 3xx is the answer", async () => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(307, { location: "/elsewhere" }).end("moved");
    });
    const answer = await client.post(url, { body: "{}" });
    expect([answer.status, answer.body.toString()]).toEqual([307, "moved"]);
  });
});

describe("POST", () => {
  it("sends the body with its headers and is never sent twice", async () => {
    const bodies: string[] = [];
    const url = await serve((request, response) => {
      let body = "";
      request
        .setEncoding("utf8")
        .on("data", (chunk: string) => {
          body += chunk;
        })
        .on("end", () => {
          bodies.push(`${request.headers["content-type"]} ${body}`);
          if (bodies.length > 1) return request.socket.destroy();
          return response.end("ok");
        });
    });
    const options = { body: JSON.stringify({ a: "ä" }), headers: { "Content-Type": "application/json" } };
    expect((await client.post(url, options)).body.toString()).toBe("ok");
    expect((await failure(client.post(url, options))).kind).toBe("protocol");
    expect(bodies).toEqual(['application/json {"a":"ä"}', 'application/json {"a":"ä"}']);
  });
});

describe("hostile and broken servers are bounded", () => {
  it("headers that trickle in for ever", async () => {
    const url = await serveRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write(`X-${Math.random()}: 1\r\n`), 20);
      socket.on("close", () => clearInterval(timer));
    });
    expect((await failure(client.get(url, { timeoutMs: 300 }))).kind).toBe("timeout");
  });

  it("a body that trickles in for ever", async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect((await failure(client.get(url, { timeoutMs: 300 }))).kind).toBe("timeout");
  });

  it("silence", async () => {
    const url = await serveRaw(() => undefined);
    expect((await failure(client.get(url, { timeoutMs: 200 }))).kind).toBe("timeout");
  });

  it("a slow chain of redirects, under one time limit for all hops", async () => {
    let n = 0;
    const url = await serve((_, response) => {
      setTimeout(() => response.writeHead(302, { location: `/${n++}` }).end(), 150);
    });
    expect((await failure(client.get(url, { timeoutMs: 400, maxRedirects: 50 }))).kind).toBe("timeout");
    expect(n).toBeLessThan(5);
  });

  it("an endless body, announced or not", async () => {
    let sent = 0;
    const url = await serve(
      routes({
        "/endless": (_, response) => {
          const more = () => {
            while (response.write(Buffer.alloc(8192)) && !response.destroyed) sent += 8192;
          };
          response.on("drain", more);
          more();
        },
        "/announced": (_, response) => response.writeHead(200, { "Content-Length": "999999999" }).write("x"),
      }),
    );
    expect(await failure(client.get(`${url}/endless`, { maxBytes: 50_000 }))).toMatchObject({
      kind: "too-large",
      message: expect.stringContaining("48 KB"),
    });
    expect(sent).toBeLessThan(20_000_000);
    expect((await failure(client.get(`${url}/announced`, { maxBytes: 50_000 }))).kind).toBe("too-large");
  });

  it("a redirect with an endless body", async () => {
    const url = await serve(
      routes({
        "/": (_, response) => {
          response.writeHead(302, { location: "/end" });
          const timer = setInterval(() => response.write("x"), 10);
          response.on("close", () => clearInterval(timer));
        },
        "/end": (_, response) => response.end("here"),
      }),
    );
    expect((await client.get(url, { timeoutMs: 5_000 })).body.toString()).toBe("here");
  });

  it("a compression bomb, nested ones too", async () => {
    const bomb = gzipSync(Buffer.alloc(128 * 1024 * 1024));
    const url = await serve((request, response) => {
      const nested = request.url === "/nested";
      response
        .writeHead(200, { "Content-Encoding": nested ? "gzip, gzip" : "gzip" })
        .end(nested ? gzipSync(bomb) : bomb);
    });
    const before = process.memoryUsage.rss();
    for (const path of ["/", "/nested"])
      expect((await failure(client.get(url + path, { maxBytes: 100_000 }))).kind).toBe("too-large");
    expect(process.memoryUsage.rss() - before).toBeLessThan(90 * 1024 * 1024);
  });

  it.each([
    [
      "chunked body that breaks off",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf of it",
      "protocol",
    ],
    ["body shorter than announced", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "protocol"],
    ["no HTTP at all", "SSH-2.0-OpenSSH_9.2\r\n", "protocol"],
    [
      "both lengths (request smuggling)",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "protocol",
    ],
    ["headers beyond 16 KB", `HTTP/1.1 200 OK\r\nX-Big: ${"x".repeat(40_000)}\r\n\r\n`, "protocol"],
  ])("%s", async (_, bytes, kind) => {
    const url = await serveRaw((socket) => socket.end(bytes));
    const error = await failure(client.get(url, { timeoutMs: 3_000 }));
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(/^127\.0\.0\.1 .*\.$/);
  });
});

describe("errors in words", () => {
  it("a name without an address, a refused connection, plain HTTP where TLS is due", async () => {
    const nowhere = make({
      resolver: async () => {
        throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
      },
    });
    expect(await failure(nowhere.get("http://nowhere.example/"))).toMatchObject({
      kind: "dns",
      message: "There is no address for the name nowhere.example.",
    });
    const empty = make({ resolver: async () => [] });
    expect((await failure(empty.get("http://empty.example/"))).kind).toBe("dns");
    const url = await serve((_, response) => response.end());
    const unused = net.createServer();
    const free = await listening(unused);
    await new Promise((resolve) => unused.close(resolve));
    expect(await failure(client.get(free))).toMatchObject({
      kind: "connect",
      message: "127.0.0.1 refuses the connection.",
    });
    expect((await failure(client.get(url.replace("http:", "https:")))).kind).toBe("tls");
  });

  it("a resolver that never answers", async () => {
    const stuck = make({ resolver: () => new Promise(() => undefined), connectTimeoutMs: 60_000 });
    expect((await failure(stuck.get("http://stuck.example/", { timeoutMs: 200 }))).kind).toBe("timeout");
  });

  it("a caller who no longer wants it, before, during and while waiting for a slot", async () => {
    const url = await serve(() => undefined);
    const abort = new AbortController();
    const running = [1, 2, 3].map(() => failure(client.get(url, { signal: abort.signal })));
    setTimeout(() => abort.abort(), 50);
    expect((await Promise.all(running)).map((error) => error.kind)).toEqual(["aborted", "aborted", "aborted"]);
    expect((await failure(client.get(url, { signal: abort.signal }))).kind).toBe("aborted");
  });
});

describe("politeness", () => {
  it("runs two requests to a host at a time, others beside them; waiting does not use up the time limit", async () => {
    let now = 0;
    let most = 0;
    const url = await serve((_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now -= 1;
        response.end("ok");
      }, 300);
    });
    const named = make({ resolver: async () => [{ address: "127.0.0.1", family: 4 }] });
    const port = new URL(url).port;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => named.get(`http://one.example:${port}/`, { timeoutMs: 1_000 })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(most).toBe(2);
    most = 0;
    await Promise.all(
      ["one", "two", "three"].flatMap((name) => [1, 2, 3].map(() => named.get(`http://${name}.example:${port}/`))),
    );
    expect(most).toBe(6);
  });

  it("frees the slot of a request that failed", async () => {
    const url = await serveRaw((socket) => socket.destroy());
    for (let n = 0; n < 5; n += 1) expect((await failure(client.get(url, { timeoutMs: 2_000 }))).kind).toBe("protocol");
  });

  it("sends a GET once more when a kept-alive connection turns out to be closed", async () => {
    const url = await serveRaw((socket, connection) => {
      const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok";
      socket.write(answer);
      // The first connection looks alive and is reset by the next request on it.
      socket.on("data", () => (connection === 0 ? socket.resetAndDestroy() : socket.write(answer)));
    });
    for (let n = 0; n < 3; n += 1) expect((await client.get(url)).body.toString()).toBe("ok");
  });

  it("reads Retry-After in seconds and as a date", () => {
    const now = Date.parse("2026-05-04T10:00:00Z");
    expect(retryAfterMs("120", now)).toBe(120_000);
    expect(retryAfterMs(" 1.5 ", now)).toBe(1_500);
    expect(retryAfterMs("Mon, 04 May 2026 10:05:00 GMT", now)).toBe(300_000);
    expect(retryAfterMs("Mon, 04 May 2026 09:00:00 GMT", now)).toBe(0);
    for (const nothing of [undefined, "", "soon", "-5", "1e9", "99999999999999"])
      expect(retryAfterMs(nothing, now)).toBeUndefined();
  });
});
