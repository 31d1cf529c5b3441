import { get, type IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Pressure } from "../../core/load/pressure.ts";
import { codingFor, strictTransport } from "../../services/gateway/http/content.ts";
import { itInside, world, type TestWorld } from "../mesh.ts";

// What the gateway serves besides endpoints: made once, sent small or not at all, and limited as everything else.

let at: TestWorld;
beforeAll(async () => {
  at = await world({
    RATE_LIMIT_TIER: "production",
    TRUSTED_PROXIES: "127.0.0.0/8",
    PUBLIC_URL: "https://mesh.example.org",
  });
});
afterAll(() => at.stop());

let clients = 0;
const newClient = (): Record<string, string> => ({ "x-forwarded-for": `198.51.100.${++clients}` });

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  bytes: Buffer;
}
/** As it comes over the wire: fetch would decode it. */
const ask = (path: string, headers: Record<string, string>, method = "GET"): Promise<Answer> =>
  new Promise((resolve, reject) => {
    get(`${at.url}${path}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
    }).on("error", reject);
  });

const KEPT = [
  "/api/openapi.json",
  "/api/asyncapi.json",
  "/api/docs",
  "/api/docs/start.js",
  "/api/docs/swagger-ui.css",
  "/api/docs/swagger-ui-bundle.js",
  "/",
  "/news/articles/14",
  "/link",
  "/link.js",
  "/oidc",
  "/oidc.js",
  "/setup",
  "/setup.js",
];
const PAGES = [
  ...KEPT,
  "/home",
  "/api",
  "/docs",
  "/.well-known/did.json",
  "/identities/nobody/did.json",
  "/api/docs/none",
  "/console/none.js",
];

it.each(KEPT)("%s is sent compressed as its reader takes it, and not at all to whoever has it", async (path) => {
  const client = newClient();
  const [plain, zipped, small] = [
    await ask(path, client),
    await ask(path, { ...client, "accept-encoding": "gzip" }),
    await ask(path, { ...client, "accept-encoding": "gzip, deflate, br" }),
  ];
  const isLong = plain.bytes.length >= 1_200;
  expect(
    [plain, zipped, small].map(({ status, headers }) => [status, headers["content-encoding"], headers.vary]),
  ).toEqual([
    [200, undefined, "Accept-Encoding"],
    [200, isLong ? "gzip" : undefined, "Accept-Encoding"],
    [200, isLong ? "br" : undefined, "Accept-Encoding"],
  ]);
  if (isLong)
    expect([
      gunzipSync(zipped.bytes).equals(plain.bytes),
      brotliDecompressSync(small.bytes).equals(plain.bytes),
      small.bytes.length < plain.bytes.length / 1.5,
    ]).toEqual([true, true, true]);
  // A strong ETag is of bytes: each coding has its own.
  const etags = [plain, zipped, small].map(({ headers }) => headers.etag!);
  for (const etag of etags) expect(etag).toMatch(/^"[\w-]{20,}"$/);
  expect(new Set(etags).size).toBe(isLong ? 3 : 1);
  const again = await ask(path, { ...client, "accept-encoding": "br", "if-none-match": `"other", W/${etags[2]}` });
  expect([again.status, again.bytes.length, again.headers.etag, again.headers.vary]).toEqual([
    304,
    0,
    etags[2],
    "Accept-Encoding",
  ]);
  const head = await ask(path, { ...client, "accept-encoding": "br" }, "HEAD");
  expect([head.status, head.bytes.length, head.headers["content-length"]]).toEqual([
    200,
    0,
    String(small.bytes.length),
  ]);
});

it("a DID document is not sent to whoever has it", async () => {
  const client = newClient();
  const { headers } = await ask("/.well-known/did.json", client);
  expect(headers.etag).toMatch(/^"[\w-]+"$/);
  expect((await ask("/.well-known/did.json", { ...client, "if-none-match": headers.etag! })).status).toBe(304);
});

it.each(PAGES)("%s counts against the limit of whom it is asked by, with their other requests", async (path) => {
  const client = newClient();
  const left = async (what: string): Promise<number> =>
    Number((await ask(what, client)).headers["x-ratelimit-remaining"]);
  const first = await left("/api/articles/stats");
  expect([first, await left(path), await left("/api/articles/stats")]).toEqual([59, 58, 57]);
});

it("who asks for pages too often is told when to come back; whether the node lives is told to everybody", async () => {
  const client = newClient();
  for (let n = 0; n < 60; n++) await ask("/api/docs", client);
  const refused = await ask("/api/openapi.json", client);
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect([(await ask("/health/live", client)).status, (await ask("/health/ready", client)).status]).toEqual([200, 200]);
});

itInside("pages wait for their turn in a process that is strained, health does not", async () => {
  const strained = jest.spyOn(Pressure.prototype, "strained", "get").mockReturnValue(true);
  const full = jest.spyOn(Pressure.prototype, "enter").mockReturnValue(false);
  try {
    for (const path of PAGES) expect([path, (await ask(path, newClient())).status]).toEqual([path, 503]);
    expect([(await ask("/health/live", {})).status, (await ask("/health/ready", {})).status]).toEqual([200, 200]);
  } finally {
    strained.mockRestore();
    full.mockRestore();
  }
});

it.each([
  [undefined, "identity"],
  ["", "identity"],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
  ["*", "br"],
  ["*, br;q=0", "gzip"],
  ["br;q=0, gzip;q=0", "identity"],
  ["identity;q=0", "identity"],
  ["deflate", "identity"],
  ["GZIP ; Q=0.3", "gzip"],
  ["identity, gzip;q=0.5", "identity"],
  ["br;q=none", "identity"],
])("of Accept-Encoding %j it sends %s", (accepts, coding) => expect(codingFor(accepts)).toBe(coding));

it("pages are framed and held by no other site, and after one over https browsers keep to https", async () => {
  for (const path of ["/", "/news/articles", "/link", "/api/docs"]) {
    const { headers } = await at.http("GET", path, { as: null });
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy": expect.stringMatching(
        /^default-src 'self'; script-src 'self';.* frame-ancestors 'none'/,
      ),
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
    });
  }
  // It is said of a host with all its ports: of one at an unusual port it is not.
  for (const origin of ["http://localhost:3000", "https://mesh.example.org:8443"])
    expect(strictTransport(origin)).toEqual({});
});

it("what a browser shows as a page of its own is not kept for its Back button", async () => {
  const shown = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  const policy = async (headers: Record<string, string>) =>
    (await at.http("GET", "/api/auth/me", { headers })).headers.get("cache-control");
  expect(await policy(shown)).toBe("no-store");
  expect(await policy({ "sec-fetch-mode": "cors" })).toBe("private, no-cache");
});

it("the console's files have names of their contents, and are kept for ever", async () => {
  const { bytes } = await ask("/", newClient());
  const named = [...bytes.toString().matchAll(/"(\/console\/[^"]+)"/g)].map(([, path]) => path!);
  expect(named.map((path) => path.replace(/-\w+\./, "."))).toEqual(["/console/main.css", "/console/main.js"]);
  for (const path of named) {
    const { status, headers } = await ask(path, newClient());
    expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
  }
});
