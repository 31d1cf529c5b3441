import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { multibaseOf, readJwk } from "../../core/did/key-encodings.ts";
import { CREDENTIALS_V2 } from "../../services/identity/credentials/data-model.ts";
import { signingInput } from "../../services/identity/credentials/securing/jose.ts";
import { collectDue } from "../../services/platform/admin/osint/collecting.ts";
import { callHttp } from "../../services/staff/agents/tools/http.ts";
import { inFlight } from "../in-flight.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { articlesOf, item, source } from "../news/articles/articles-setup.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { admit, as, openSet, persons } from "../workspace/people.ts";

// Claim 14, from end to end: addresses inside the network, in every place that takes a URL, open no connection. The
// forms of addresses, redirects and rebinding have their own suite beside the adapter (outbound-ssrf); here is that
// nothing goes past it. What only an operator sets (the model's endpoint, the wallet, mail) may lie inside, and is not
// meant.

const victims: Server[] = [];
let reached: string[] = [];
let port: number;
let node: TestWorld;

async function victim(host: string, at: number): Promise<number> {
  const server = createServer((request, response) => response.end(`secret ${request.url}`)).on(
    "connection",
    (socket) => {
      reached.push(`${host} from ${socket.remotePort}`);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(at, host, resolve);
  });
  victims.push(server);
  return (server.address() as AddressInfo).port;
}

/** 120 and more ways to name the victim, all on its port. */
function payloads(): string[] {
  const inner = ["127.0.0.1", "127.0.0.2", "127.255.255.254", "0.0.0.0", "localhost", "LOCALHOST", "localhost."];
  const number = (address: string): number => address.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const forms = [
    "127.0.0.1",
    "127.0.0.2",
    "127.1.2.3",
    "127.255.255.254",
    "0.0.0.0",
    "10.0.0.1",
    "192.168.0.1",
    "172.16.0.1",
    "169.254.169.254",
    "100.64.0.1",
  ].flatMap((address) => {
    const [a, b, c, d] = address.split(".").map(Number) as [number, number, number, number];
    const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    return [
      address,
      `${address}.`,
      String(number(address)),
      `0x${number(address).toString(16)}`,
      `0${number(address).toString(8)}`,
      `${a}.${b * 65_536 + c * 256 + d}`,
      `${a}.${b}.${c * 256 + d}`,
      `[::ffff:${address}]`,
      `[::ffff:${groups}]`,
      `[64:ff9b::${address}]`,
      `[2002:${groups}::1]`,
      `[::${address}]`,
    ];
  });
  const hosts = [...new Set([...inner, ...forms, "[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[ff02::1]"])];
  return [
    ...hosts.map((host) => `http://${host}:${port}/feed`),
    `http://user:pass@127.0.0.1:${port}/feed`,
    `http://127.0.0.1:${port}/feed#@example.org`,
    `http://127.0.0.1:${port}/?@example.org/`,
    `http:\\\\127.0.0.1:${port}\\feed`,
    `https://127.0.0.1:${port}/feed`,
    "file:///etc/passwd",
    "ftp://127.0.0.1/",
    "gopher://127.0.0.1:6379/_INFO",
    "data:text/xml,<rss/>",
    "unix:/var/run/docker.sock",
  ];
}

beforeAll(async () => {
  port = await victim("127.0.0.1", 0);
  for (const host of ["127.0.0.2", "127.1.2.3", "127.255.255.254", "::1"]) await victim(host, port).catch(() => {});
  const inside = (path: string) => `http://127.0.0.1:${port}/${path}`;
  node = await world({
    ALLOW_PRIVATE_FEEDS: "off",
    WEBHOOK_URL: inside("webhook"),
    WEBHOOK_SECRET: "a secret of some length",
    SLACK_WEBHOOK_URL: inside("slack"),
    DELIVERY_WEBHOOKS: `one=${inside("one")},two=http://localhost:${port}/two`,
    TELEGRAM_BOT_TOKEN: "1:x",
    TELEGRAM_CHAT_ID: "1",
    TELEGRAM_BASE_URL: inside("telegram"),
  });
});
afterEach(() => {
  expect(reached).toEqual([]);
});
afterAll(async () => {
  await node.stop();
  for (const server of victims) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const refresh = async (ids: readonly number[]): Promise<void> => {
  for (const id of ids) {
    const { status } = await node.http("POST", `/api/sources/${id}/refresh`, { as: "analyst" });
    expect(status).toBeLessThan(500);
  }
};

it("the victim can be reached, by whoever does not go through us, and there are enough payloads", async () => {
  expect(await (await fetch(`http://127.0.0.1:${port}/seen`)).text()).toBe("secret /seen");
  expect(reached.length).toBeGreaterThan(0);
  reached = [];
  expect(new Set(payloads()).size).toBeGreaterThanOrEqual(120);
});

it("a source's address: created, changed, in bulk, from OPML", async () => {
  const ids = new Set<number>();
  const all = payloads();
  for (const url of all) {
    const { status, body } = await node.http("POST", "/api/sources", {
      as: "analyst",
      body: { name: "Inside", url, domain: "energy" },
    });
    expect([201, 400, 409, 422]).toContain(status);
    if (status === 201) ids.add(body.data.id);
  }
  const { id } = (
    await node.http("POST", "/api/sources", {
      as: "analyst",
      body: { name: "Moves in", url: "https://feeds.example/a.xml", domain: "energy" },
    })
  ).body.data;
  for (const url of all.slice(0, 30)) {
    const { status } = await node.http("PUT", `/api/sources/${id}`, { as: "analyst", body: { url } });
    expect([200, 400, 409, 422]).toContain(status);
    if (status === 200) await refresh([id]);
  }
  const bulk = await node.http("POST", "/api/sources/bulk", {
    as: "analyst",
    body: { sources: all.slice(0, 100).map((url) => ({ name: "Bulk", url: `${url}?bulk`, domain: "health" })) },
  });
  expect(bulk.status).toBeLessThan(500);
  const outlines = all
    .map(
      (url) =>
        `<outline type="rss" text="x" xmlUrl="${`${url}?opml`.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}"/>`,
    )
    .join("");
  expect(
    (
      await node.http("POST", "/api/sources/opml", {
        as: "analyst",
        type: "text/x-opml",
        raw: `<?xml version="1.0"?><opml version="2.0"><head/><body>${outlines}</body></opml>`,
      })
    ).status,
  ).toBeLessThan(500);
  for (let page = 1; ; page++) {
    const { data } = (await node.http("GET", `/api/sources?limit=100&page=${page}`)).body;
    for (const one of data) ids.add(one.id);
    if (data.length < 100) break;
  }
  await refresh([...ids]);
  // They were tried, each, and each failed.
  expect(ids.size).toBeGreaterThan(0);
  for (const one of ids) {
    const { body } = await eventually(
      () => node.http("GET", `/api/sources/${one}/fetches`),
      ({ body: { data } }) => data.length > 0,
    );
    expect(body.data[0]).toMatchObject({ error: expect.any(String) });
  }
}, 180_000);

it("the page of an article whose feed gives a summary only", async () => {
  const items = payloads()
    .slice(0, 120)
    .map((url, n) => item(n, { url, text: "Short.", html: "<p>Short.</p>" }));
  await articlesOf(node).store(source(77, { fullText: true }), items);
  await articlesOf(node).call("visitPages");
  await articlesOf(node).call("visitPages");
});

it("receivers of webhooks and channels", async () => {
  const { id } = (await node.http("POST", "/api/briefings/generate", { body: {} })).body.data;
  await eventually(
    () => node.http("GET", `/api/briefings/${id}`),
    ({ body }) => body.data.status === "completed",
  );
  const delivery = await eventually(
    () => node.http("GET", "/api/webhooks/deliveries", { as: "admin" }),
    ({ body }) => body.data[0]?.attempts > 0,
  );
  expect(delivery.body.data[0]).toMatchObject({
    status: expect.stringMatching(/pending|waiting|dead|failed/),
    lastError: expect.any(String),
  });
  const { body } = await node.http("POST", `/api/briefings/${id}/deliver`, {
    body: { channels: ["slack", "webhook:one", "webhook:two", "telegram"] },
  });
  expect(body.data.channels.map(({ success }: { success: boolean }) => success)).toEqual([false, false, false, false]);
});

/** Fields of bodies that take an address, each tried by a story here. A new one needs its own. */
const TRIED = [
  "POST /api/admin/osint-sources address",
  "POST /api/admin/tools http.url",
  "POST /api/admin/tools mcp.url",
  "POST /api/problem-sets/{id}/subscriptions url",
  "POST /api/sources url",
  "PUT /api/admin/config/llm value.baseUrl",
  "PUT /api/admin/osint-sources/{id} address",
  "PUT /api/admin/tools/{toolId} http.url",
  "PUT /api/admin/tools/{toolId} mcp.url",
  "PUT /api/sources/{id} url",
];

it("there is no other field that takes an address", async () => {
  const { paths, components } = (await node.http("GET", "/api/openapi.json")).body;
  const found = new Set<string>();
  const visit = (schema: any, path: readonly string[]): void => {
    if (schema.$ref) return visit(components.schemas[schema.$ref.split("/").at(-1)], path);
    if (schema.format === "uri" || /^(base)?url$/i.test(path.at(-1) ?? "")) found.add(path.join("."));
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) visit(one, path);
    if (schema.items) visit(schema.items, path);
    // A tree of its own kind is gone into once.
    for (const [name, one] of Object.entries(schema.properties ?? {})) if (path.length < 6) visit(one, [...path, name]);
  };
  const all: string[] = [];
  for (const [path, item] of Object.entries<Record<string, any>>(paths))
    for (const [method, { requestBody }] of Object.entries(item)) {
      found.clear();
      for (const { schema } of Object.values<any>(requestBody?.content ?? {})) if (schema) visit(schema, []);
      all.push(...[...found].map((field) => `${method.toUpperCase()} ${path} ${field}`));
    }
  expect(all.sort()).toEqual(TRIED);
});

/** What is not refused at once, which nothing but a name may be. */
async function taken(asked: readonly string[], ask: (url: string) => Promise<{ status: number; body: any }>) {
  const answers = await inFlight(asked, async (url) => ({ url, ...(await ask(url)) }));
  const made = answers.filter(({ status }) => ![400, 422].includes(status));
  expect(made.filter(({ url, status }) => status >= 300 || !/localhost/i.test(url))).toEqual([]);
  return made.map(({ body }) => body.data);
}

it("sources of an administrator, when they are made, changed and collected", async () => {
  const path = "/api/admin/osint-sources";
  const given = (address: string) => ({
    name: "Inside",
    kind: "page",
    address,
    schedule: { cron: "*/15 * * * *", timeZone: "UTC" },
  });
  const made = await taken(payloads(), (url) => node.http("POST", path, { as: "admin", body: given(url) }));
  expect(made.length).toBeGreaterThan(0);
  const [{ id }] = made;
  await taken(payloads(), (address) => node.http("PUT", `${path}/${id}`, { as: "admin", body: { address } }));
  const sources = await node.mesh.world.documents.collection("osint_sources");
  await sources.updateMany({}, { $set: { nextAt: "2026-01-01T00:00:00.000Z" } });
  await collectDue.call(node.service("admin"));
  for (const one of made)
    await eventually(
      () => node.http("GET", `${path}/${one.id}`, { as: "admin" }),
      ({ body }) => body.data.lastOutcome?.ok === false,
      20_000,
    );
});

it("whoever is to be told of a problem set's activity", async () => {
  const [ann, ben] = await persons(node, "ann", "ben");
  const problemSetId = await openSet(node, ann);
  await admit(node, problemSetId, ben, "planner");
  const made = await taken(payloads(), (url) =>
    as(node, ben)("POST", `/api/problem-sets/${problemSetId}/subscriptions`, { kinds: ["*"], channel: "webhook", url }),
  );
  expect(made.length).toBeGreaterThan(0);
  await as(node, ann)("POST", "/api/command/units", { problemSetId, name: "2nd Engineers" });
  const notifications = await node.mesh.world.documents.collection("problem_sets_notifications");
  await eventually(
    () => notifications.count({ query: { problemSetId, lastError: { $gt: "" } } }),
    (failed) => failed >= made.length,
    20_000,
  );
});

it("the model's endpoint, where an administrator sets it", async () => {
  const path = "/api/admin/config/llm?dryRun=true&force=true";
  const tried = await taken(payloads(), (baseUrl) =>
    node.http("PUT", path, { as: "system_admin", body: { value: { baseUrl } } }),
  );
  // Each was asked, as it would be from then on, and did not answer.
  expect(tried.length).toBeGreaterThan(0);
  for (const { warnings } of tried) expect(warnings).toMatchObject([{ code: "UNREACHABLE" }]);
});

it("tools of agents, by HTTP and by MCP", async () => {
  const tool = { kind: "http", summary: "Tell what lies inside", class: "observe", effect: "read" };
  const host = node.service("agents");
  const errand = { key: "key", signal: AbortSignal.timeout(60_000) };
  for (const method of ["GET", "POST"])
    for (const url of payloads().filter((one) => URL.canParse(one) && /^http/.test(one))) {
      const http = { method, url, hosts: [new URL(url).host] };
      const made = { ...tool, http, headers: [], timeoutMs: 2_000, resultBytes: 4_096 };
      await expect(callHttp(host, made as never, {}, errand)).rejects.toMatchObject({
        type: expect.stringMatching(/^HTTP_(BLOCKED|DNS)$|^ARGUMENTS$/),
      });
    }
  const add = (url: string) =>
    node.http("POST", "/api/admin/tools", {
      body: { ...tool, name: "inside", kind: "mcp", mcp: { url, tool: "look" } },
    });
  expect(await taken(payloads(), add)).toEqual([]);
});

it("identities on the web, and what credentials of strangers name", async () => {
  const places = payloads().flatMap((url) => (URL.canParse(url) ? [new URL(url).host] : []));
  const resolve = (host: string) =>
    node.http("POST", "/api/identity/did/resolve", { as: null, body: { did: `did:web:${encodeURIComponent(host)}` } });
  for (const { body } of await inFlight(places, resolve)) expect(body.data?.didDocument ?? null).toBeNull();

  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = multibaseOf(readJwk(publicKey.export({ format: "jwk" }) as Record<string, unknown>)!);
  const verify = async (url: string) => {
    const input = signingInput(
      {
        "@context": [CREDENTIALS_V2],
        type: ["VerifiableCredential"],
        issuer: `did:key:${key}`,
        validFrom: "2026-01-01T00:00:00Z",
        credentialSubject: { id: "did:example:somebody" },
        credentialSchema: { id: `${url}?schema`, type: "JsonSchema" },
        credentialStatus: {
          type: "BitstringStatusListEntry",
          statusPurpose: "revocation",
          statusListIndex: "7",
          statusListCredential: url,
        },
      },
      `did:key:${key}#${key}`,
    );
    const credential = `${input}.${sign(null, Buffer.from(input), privateKey).toString("base64url")}`;
    return (await node.http("POST", "/api/credentials/verify", { body: { credential } })).body.data;
  };
  const reports = await inFlight(payloads(), verify);
  const outcomes = (name: string) =>
    new Set(reports.map(({ checks }) => checks.find((one: { check: string }) => one.check === name)?.outcome));
  // The proof holds, so that what they name was looked for, and could not be found out.
  expect(reports.map(({ verified }) => verified)).not.toContain(true);
  expect([...outcomes("proof")]).toEqual(["passed"]);
  for (const name of ["schema", "status"]) {
    expect(outcomes(name)).toContain("unknown");
    expect(outcomes(name)).not.toContain("passed");
  }
});

it("a publisher inside, whether it redirects or not", async () => {
  const open = await FeedServer.start("127.0.0.9");
  const own = await world({ ALLOW_PRIVATE_FEEDS: "off" });
  try {
    open.on("/feed.xml", { status: 302, headers: { location: `http://127.0.0.1:${port}/feed` } });
    open.on("/items.xml", { body: rss(stories("inside", 3)) });
    for (const path of ["/feed.xml", "/items.xml"]) {
      const made = await own.http("POST", "/api/sources", {
        body: { name: "Public", url: open.url + path, domain: "energy" },
      });
      if (made.status === 201) await own.http("POST", `/api/sources/${made.body.data.id}/refresh`);
    }
    expect(open.asked).toEqual([]);
  } finally {
    await own.stop();
    await open.stop();
  }
});
