import { connect } from "node:net";
import { world, type TestWorld } from "../mesh.ts";
import { hiddenRequest, smuggled } from "../smuggled.ts";

// Claim 15: two readers of one connection can't be made to see different requests in it. What is ambiguous or malformed
// is refused and the connection closed; the request hidden behind or within it is never carried out.

let at: TestWorld;
let token: string;
beforeAll(async () => {
  at = await world();
  token = await at.tokenOf("system_admin");
});
afterAll(() => at.stop());

/**
 * Sends bytes as they are and gives back all that is answered until the server closes, or is done for half a second.
 */
function send(bytes: string): Promise<{ text: string; closed: boolean }> {
  return new Promise((resolve, reject) => {
    let text = "";
    let quiet: NodeJS.Timeout | undefined;
    const socket = connect(Number(new URL(at.url).port), "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")));
    const end = (closed: boolean) => {
      clearTimeout(quiet);
      socket.destroy();
      resolve({ text, closed });
    };
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(quiet);
      quiet = setTimeout(() => end(false), 500);
    });
    socket.on("close", () => end(true));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? end(true) : reject(error),
    );
  });
}

const post = (headers: string, rest: string, path = "/api/sources/lists"): string =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${rest}`;
const get = (line: string, headers = "Host: h", rest = ""): string => `${line}\r\n${headers}\r\n\r\n${rest}`;

const CORPUS: [string, (hide: string) => string][] = [
  [
    "CL.TE: both lengths, chunked ends first",
    (hide) => post(`Content-Length: ${5 + hide.length}\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${hide}`),
  ],
  [
    "TE.CL: both lengths, content length ends first",
    (hide) =>
      post("Transfer-Encoding: chunked\r\nContent-Length: 4", `${hide.length.toString(16)}\r\n${hide}\r\n0\r\n\r\n`),
  ],
  [
    "CL.0: a length of zero beside chunked",
    (hide) => post("Content-Length: 0\r\nTransfer-Encoding: chunked", `0\r\n\r\n${hide}`),
  ],
  [
    "TE.TE: chunked, then identity",
    (hide) => post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", `0\r\n\r\n${hide}`),
  ],
  [
    "TE.TE: identity, then chunked, with a length",
    (hide) =>
      post("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\nContent-Length: 3", `0\r\n\r\n${hide}`),
  ],
  ["TE.TE: chunked, identity in one line", (hide) => post("Transfer-Encoding: chunked, identity", `0\r\n\r\n${hide}`)],
  ["TE: xchunked", (hide) => post("Transfer-Encoding: xchunked", `0\r\n\r\n${hide}`)],
  ["TE: chunked in quotation marks", (hide) => post('Transfer-Encoding: "chunked"', `0\r\n\r\n${hide}`)],
  ["TE: chunked with a vertical tab before it", (hide) => post("Transfer-Encoding:\vchunked", `0\r\n\r\n${hide}`)],
  ["TE: chunked with a parameter", (hide) => post("Transfer-Encoding: chunked;a=b", `0\r\n\r\n${hide}`)],
  [
    "TE: blank before the colon",
    (hide) => post(`Transfer-Encoding : chunked\r\nContent-Length: ${5 + hide.length}`, `0\r\n\r\n${hide}`),
  ],
  [
    "TE: tab before the colon",
    (hide) => post(`Transfer-Encoding\t: chunked\r\nContent-Length: ${5 + hide.length}`, `0\r\n\r\n${hide}`),
  ],
  [
    "TE: blank before the name",
    (hide) => post(`X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: ${5 + hide.length}`, `0\r\n\r\n${hide}`),
  ],
  [
    "TE: folded over two lines",
    (hide) => post(`Transfer-Encoding:\r\n chunked\r\nContent-Length: ${5 + hide.length}`, `0\r\n\r\n${hide}`),
  ],
  ["CL: twice, different", (hide) => post(`Content-Length: 2\r\nContent-Length: ${2 + hide.length}`, `{}${hide}`)],
  ["CL: twice, alike", (hide) => post("Content-Length: 2\r\nContent-Length: 2", `{}${hide}`)],
  ["CL: a list in one line", (hide) => post(`Content-Length: 2, ${2 + hide.length}`, `{}${hide}`)],
  ["CL: with a sign", (hide) => post("Content-Length: +2", `{}${hide}`)],
  ["CL: below zero", (hide) => post("Content-Length: -2", `{}${hide}`)],
  ["CL: hexadecimal", (hide) => post("Content-Length: 0x2", `{}${hide}`)],
  ["CL: beyond 64 bits", (hide) => post("Content-Length: 18446744073709551618", `{}${hide}`)],
  ["CL: blank within the digits", (hide) => post("Content-Length: 2 0", `{}${hide}`)],
  ["CL: empty", (hide) => post("Content-Length:", `{}${hide}`)],
  ["CL: blank before the colon", (hide) => post("Content-Length : 2", `{}${hide}`)],
  ["chunk size: hexadecimal prefix", (hide) => post("Transfer-Encoding: chunked", `0x2\r\n{}\r\n0\r\n\r\n${hide}`)],
  ["chunk size: with a sign", (hide) => post("Transfer-Encoding: chunked", `+2\r\n{}\r\n0\r\n\r\n${hide}`)],
  [
    "chunk size: beyond 64 bits",
    (hide) => post("Transfer-Encoding: chunked", `10000000000000002\r\n{}\r\n0\r\n\r\n${hide}`),
  ],
  [
    "chunk size: blank before the line's end",
    (hide) => post("Transfer-Encoding: chunked", `2 \r\n{}\r\n0\r\n\r\n${hide}`),
  ],
  ["chunk size: empty", (hide) => post("Transfer-Encoding: chunked", `\r\n{}\r\n0\r\n\r\n${hide}`)],
  ["chunk size: no hexadecimal number", (hide) => post("Transfer-Encoding: chunked", `g\r\n{}\r\n0\r\n\r\n${hide}`)],
  ["chunk size: ended by LF alone", (hide) => post("Transfer-Encoding: chunked", `2\n{}\r\n0\r\n\r\n${hide}`)],
  ["chunk extension: ended by LF alone", (hide) => post("Transfer-Encoding: chunked", `2;a\n{}\r\n0\r\n\r\n${hide}`)],
  ["chunk data: longer than said", (hide) => post("Transfer-Encoding: chunked", `2\r\n{}}\r\n0\r\n\r\n${hide}`)],
  ["chunk data: ended by LF alone", (hide) => post("Transfer-Encoding: chunked", `2\r\n{}\n0\r\n\r\n${hide}`)],
  [
    "last chunk: trailer with a length",
    (hide) => post("Transfer-Encoding: chunked", `2\r\n{}\r\n0\r\nContent-Length : 5\r\n\r\n${hide}`),
  ],
  [
    "header lines ended by LF alone",
    (hide) => `POST /api/sources/lists HTTP/1.1\nHost: h\nContent-Length: 0\n\n${hide}`,
  ],
  ["one header line ended by LF alone", (hide) => post(`X: y\nContent-Length: 0`, hide)],
  ["a header line ended by CR alone", (hide) => post("X: y\rContent-Length: 0", hide)],
  ["head ended by LF alone", (hide) => `GET /api/sources HTTP/1.1\r\nHost: h\r\n\n${hide}`],
  ["NUL in a header's value", (hide) => post("X: a\0b\r\nContent-Length: 0", hide)],
  ["NUL in a header's name", (hide) => post("X\0Y: b\r\nContent-Length: 0", hide)],
  ["a control character in a header's value", (hide) => post("X: a\x01b\r\nContent-Length: 0", hide)],
  ["a header without a colon", (hide) => post("Nothing\r\nContent-Length: 0", hide)],
  ["a header without a name", (hide) => post(": value\r\nContent-Length: 0", hide)],
  ["folded header", (hide) => get("GET /api/sources HTTP/1.1", "Host: h\r\nX: a\r\n b", hide)],
  ["no Host", (hide) => get("GET /api/sources HTTP/1.1", "X: y", hide)],
  ["two Hosts", (hide) => get("GET /api/sources HTTP/1.1", "Host: h\r\nHost: other", hide)],
  ["absolute form, another host", (hide) => get("GET http://other.example/api/sources HTTP/1.1", "Host: h", hide)],
  ["absolute form, another scheme", (hide) => get("GET file:///etc/passwd HTTP/1.1", "Host: h", hide)],
  ["authority form", (hide) => get("CONNECT other.example:443 HTTP/1.1", "Host: other.example:443", hide)],
  ["a path without a slash", (hide) => get("GET api/sources HTTP/1.1", "Host: h", hide)],
  ["a blank within the path", (hide) => get("GET /api/sources HTTP/1.1 HTTP/1.1", "Host: h", hide)],
  ["a control character within the path", (hide) => get("GET /api/\x01sources HTTP/1.1", "Host: h", hide)],
  ["HTTP/0.9", (hide) => `GET /api/sources\r\n\r\n${hide}`],
  ["an unknown version", (hide) => get("GET /api/sources HTTP/3.1", "Host: h", hide)],
  ["an unknown method", (hide) => get("SMUGGLE /api/sources HTTP/1.1", "Host: h", hide)],
  ["a method in small letters", (hide) => get("get /api/sources HTTP/1.1", "Host: h", hide)],
  ["a method that begins like another", (hide) => get("GETX /api/sources HTTP/1.1", "Host: h", hide)],
  ["HTTP/2's preface", (hide) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hide}`],
  [
    "headers of more than 16 KiB",
    (hide) => get("GET /api/sources HTTP/1.1", `Host: h\r\nX: ${"a".repeat(20_000)}`, hide),
  ],
  ["bytes of another protocol", (hide) => `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${hide}`],
  [
    "chunked under HTTP/1.0",
    (hide) => `POST /api/sources/lists HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hide}`,
  ],
];

it.each(CORPUS)("%s is refused, and what hides behind it is not carried out", async (name, request) => {
  const { text, closed } = await send(request(hiddenRequest(name, token)));
  const answers = text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
  expect({
    answers: answers.filter((line) => !/ (?:400|405|431|501|505)$/.test(line)),
    number: answers.length <= 1,
    closed,
  }).toEqual({ answers: [], number: true, closed: true });
  expect(await smuggled(at)).toEqual([]);
});

it("a request inside of another's body is its body", async () => {
  const hide = hiddenRequest("in a body", token);
  const { text } = await send(post(`Content-Length: ${hide.length}`, hide));
  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 400"]);
  const { text: chunked } = await send(
    post("Transfer-Encoding: chunked", `${hide.length.toString(16)}\r\n${hide}\r\n0\r\n\r\n`),
  );
  expect(chunked.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 400"]);
  expect(await smuggled(at)).toEqual([]);
});

it("the same request is carried out where it stands by itself, also behind one that is whole", async () => {
  const { text } = await send(
    post("Transfer-Encoding: chunked", `2\r\n{}\r\n0\r\n\r\n${hiddenRequest("control", token)}`),
  );
  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 201"]);
  expect(await smuggled(at)).toEqual(["smuggled control"]);
});

it.each([
  [
    "a socket",
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "websocket",
    " 101",
  ],
  ["a polling session", "", "polling", " 200"],
])("%s is not opened behind a refusal, and is where it stands by itself", async (_what, headers, transport, opened) => {
  const hide = `GET /socket.io/?EIO=4&transport=${transport} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n`;
  for (const [name, request] of CORPUS) {
    const { text, closed } = await send(request(hide));
    expect({ name, opened: text.includes(`HTTP/1.1${opened}`), closed }).toEqual({ name, opened: false, closed: true });
  }
  expect((await send(hide)).text).toContain(`HTTP/1.1${opened}`);
});
