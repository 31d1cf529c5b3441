import { request } from "node:http";
import { BadSettings, readEnv } from "../../config/env.ts";
import { eventually, itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { filled, routes } from "../routes.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const list = async (name = "Gateway"): Promise<any> =>
  (await at.http("POST", "/api/sources/lists", { body: { name, sourceIds: [] } })).body.data;

it("keeps a well-formed request id, makes one otherwise, and names it in errors", async () => {
  const given = await at.http("GET", "/api/none", { headers: { "x-request-id": "trace-0123456789" } });
  expect(given.headers.get("x-request-id")).toBe("trace-0123456789");
  expect(given.body.error).toEqual({
    code: "ROUTE_NOT_FOUND",
    message: expect.any(String),
    requestId: "trace-0123456789",
  });
  const audited = await at.http("POST", "/api/keys", {
    as: "analyst",
    body: { name: "named" },
    headers: { "x-request-id": "named-by-its-client" },
  });
  expect(audited.status).toBe(201);
  expect((await at.http("GET", "/api/audit?limit=50")).body.data).toContainEqual(
    expect.objectContaining({ action: "keys.create", requestId: "named-by-its-client" }),
  );
  const made = await at.http("GET", "/api/none", { headers: { "x-request-id": "<script>" } });
  expect(made.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
});

it("tells the methods of an address that has others", async () => {
  const refused = await at.http("DELETE", "/api/auth/users");
  expect(refused).toMatchObject({ status: 405, body: { error: { code: "METHOD_NOT_ALLOWED" } } });
  expect(refused.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
  const options = await at.http("OPTIONS", "/api/auth/users");
  expect(options).toMatchObject({ status: 204, text: "" });
  expect(options.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
});

it("allows at each address what the description states there, and nothing of another that its words would fit", async () => {
  const stated = new Map<string, string[]>();
  for (const { method, path } of await routes())
    stated.set(path, [...(stated.get(path) ?? []), method, ...(method === "GET" ? ["HEAD"] : [])]);
  const wrong: string[] = [];
  for (const [path, methods] of stated) {
    const { headers } = await fetch(at.url + filled(path, "7"), { method: "OPTIONS" });
    if (headers.get("allow")?.split(", ").sort().join() !== [...methods, "OPTIONS"].sort().join())
      wrong.push(`${path}: ${headers.get("allow")}`);
  }
  expect(wrong).toEqual([]);
  const refused = await at.http("DELETE", "/api/articles/stats");
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

it("does nothing for whoever could not read the answer", async () => {
  const ask = (accept: string, method = "GET") =>
    at.http(method, "/api/sources/lists", {
      headers: { accept },
      ...(method === "POST" && { body: { name: "Unreadable", sourceIds: [] } }),
    });
  for (const accept of ["image/png", "text/html, application/xhtml+xml;q=0.9", "application/json;q=0", "text/*"])
    expect(await ask(accept)).toMatchObject({ status: 406, body: { error: { code: "NOT_ACCEPTABLE" } } });
  expect((await ask("text/csv", "POST")).status).toBe(406);
  expect((await at.http("GET", "/api/keys", { headers: { accept: "text/plain" } })).body).toMatchObject({
    success: false,
    code: "NOT_ACCEPTABLE",
  });
  const readable = [
    "*/*",
    "application/json",
    "text/html,application/*;q=0.5",
    "application/problem+json",
    "image/*, */*;q=0.1",
  ];
  for (const accept of readable) expect([accept, (await ask(accept)).status]).toEqual([accept, 200]);
  expect((await ask("application/json")).body.data.map(({ name }: any) => name)).not.toContain("Unreadable");
  // What is not answered in JSON is not asked for in it.
  expect((await at.http("GET", "/api/sources/opml", { headers: { accept: "text/x-opml" } })).status).toBe(200);
});

it("holds headers to the bounds that it states, naming the header", async () => {
  const { id } = await list("Headers");
  const long = (length: number): string => "x".repeat(length);
  for (const [name, most] of [
    ["If-Match", 255],
    ["Idempotency-Key", 255],
    ["X-DID", 2_048],
    ["Last-Event-ID", 200],
  ] as const) {
    const refused = await at.http("PUT", `/api/sources/lists/${id}`, {
      body: { name: "Headers" },
      headers: { [name]: long(most + 1) },
    });
    expect([name, refused.status, refused.body.error.details]).toEqual([
      name,
      400,
      [expect.objectContaining({ path: name })],
    ]);
  }
  expect(
    (
      await at.http("PUT", `/api/sources/lists/${id}`, {
        body: { name: "Headers" },
        headers: { "If-Match": `"${long(253)}"` },
      })
    ).status,
  ).toBe(412);
});

it("answers HEAD as GET without the body, and a trailing slash as none", async () => {
  const get = await at.http("GET", "/api/sources/lists/");
  const head = await at.http("HEAD", "/api/sources/lists");
  expect(head).toMatchObject({ status: 200, text: "" });
  expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
});

it("answers 304 to whoever has it, and 412 to whoever would overwrite what they have not seen", async () => {
  const { id } = await list("Etag");
  const path = `/api/sources/lists/${id}`;
  const first = await at.http("GET", path);
  const etag = first.headers.get("etag")!;
  expect((await at.http("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await at.http("PUT", path, { body: { name: "Changed" }, headers: { "if-match": etag } })).status).toBe(200);
  expect((await at.http("GET", path, { headers: { "if-none-match": etag } })).status).toBe(200);
  expect(await at.http("PUT", path, { body: { name: "Lost update" }, headers: { "if-match": etag } })).toMatchObject({
    status: 412,
    body: { error: { code: "STALE" } },
  });
  expect((await at.http("DELETE", path, { headers: { "if-match": '"r99-x"' } })).status).toBe(412);
  expect((await at.http("DELETE", path, { headers: { "if-match": "*" } })).status).toBe(204);
});

it("takes an ETag as proxies pass it on, and says so where one has lost its quotation marks", async () => {
  const { id } = await list("Weak");
  const path = `/api/sources/lists/${id}`;
  const etag = (await at.http("GET", path)).headers.get("etag")!;
  const put = (match: string) => at.http("PUT", path, { body: { name: "Weaker" }, headers: { "if-match": match } });
  for (const broken of [etag.replaceAll('"', ""), `"r99-x", ${etag.slice(1)}`]) {
    const { status, body } = await put(broken);
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: "If-Match", message: expect.stringContaining("quotation marks") }],
    ]);
  }
  expect((await put(`"r99-x", W/${etag}`)).status).toBe(200);
  expect((await put(`W/${etag}`)).status).toBe(412);
});

it("clamps a page, says so, and links to the next", async () => {
  for (let n = 0; n < 3; n++) await list(`Page ${n}`);
  const page = await at.http("GET", "/api/sources/lists?limit=2");
  expect(page.body.data).toHaveLength(2);
  expect(page.headers.get("link")).toBe('</api/sources/lists?limit=2&page=2>; rel="next"');
  expect((await at.http("GET", "/api/sources/lists?limit=5000")).body.meta.limit).toBe(100);
  for (const bad of ["limit=0", "page=0", "limit=x", "page=1.5", "sort=secret", "limit=1&limit=2"])
    expect((await at.http("GET", `/api/sources/lists?${bad}`)).body.error.details[0].path).toBe(bad.split("=")[0]);
});

it("refuses bodies that are too large, of another type, compressed, not UTF-8, or not JSON, each in its own words", async () => {
  const post = (raw: any, type?: string, headers?: Record<string, string>) =>
    at.http("POST", "/api/sources/lists", { raw, type, headers });
  expect(await post(JSON.stringify({ name: "x".repeat(1_100_000) }))).toMatchObject({
    status: 413,
    body: { error: { code: "TOO_LARGE" } },
  });
  expect(await post("<a/>", "text/xml")).toMatchObject({
    status: 415,
    body: { error: { code: "UNSUPPORTED_MEDIA_TYPE" } },
  });
  expect((await post("{}", "application/json", { "content-encoding": "gzip" })).status).toBe(415);
  expect(await post('{"name":')).toMatchObject({
    status: 400,
    body: { error: { code: "BAD_REQUEST", message: "The body is not valid JSON: it ends too early." } },
  });
  for (const [text, where] of [
    ['{"name": "Wire",}', ": look at line 1, column 17."],
    ['{\n  name: "Wire"\n}', ": look at line 2, column 3."],
    ["name=Wire", "."],
  ])
    expect((await post(text!)).body.error.message).toBe(`The body is not valid JSON${where}`);
  expect((await post(Buffer.from([0x7b, 0xff, 0x7d]))).body.error.message).toBe("The body is not valid UTF-8.");
  expect((await post("[]")).status).toBe(400);
  expect((await at.http("POST", "/api/sources/lists")).body.error.details.map((d: any) => d.path)).toContain("name");
});

it("lets everybody sign in whatever a stranger sends: text that is no Unicode is refused by name, and opens no circuit", async () => {
  const details = [{ path: "password", message: expect.any(String) }];
  const poisoned = (n: number) =>
    at.http("POST", "/api/auth/login", {
      as: null,
      raw: '{"email":"nobody@example.org","password":"\\ud800"}',
      headers: { "idempotency-key": `stranger-${n}` },
    });
  for (let n = 0; n < 60; n++)
    expect(await poisoned(n)).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR", details } } });
  for (let n = 0; n < 20; n++)
    expect(
      (await at.http("POST", "/api/auth/login", { as: null, body: { email: "admin@example.org", password: PASSWORD } }))
        .status,
    ).toBe(200);
});

itInside("serves everybody though a defect of ours answers 500 to what a stranger sends", async () => {
  const broken = "only what this stranger sends";
  at.mesh.broker.createService({
    name: "defective",
    actions: {
      act({ params }: any) {
        if (params.name === broken) throw new TypeError("no form for it");
        return { data: params.name };
      },
    },
  } as never);
  const gateway = at.service("gateway") as any;
  const { endpoint } = gateway.router.find("POST", "/api/sources/lists").value;
  const real = endpoint.action;
  endpoint.action = "defective.act";
  const headers = { "content-type": "application/json", authorization: `Bearer ${await at.tokenOf("system_admin")}` };
  const post = async (name: string): Promise<number> =>
    (await fetch(`${at.url}/api/sources/lists`, { method: "POST", headers, body: JSON.stringify({ name }) })).status;
  const statuses: number[] = [];
  for (const name of [...Array.from({ length: 60 }, () => broken), ...Array.from({ length: 20 }, () => "honest")])
    statuses.push(await post(name));
  endpoint.action = real;
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 500), ...Array.from({ length: 20 }, () => 200)]);
});

it("reads emoji that are written as escapes, refuses parameters and headers that are no text, and a body that is no UTF-8 by its field", async () => {
  expect(
    (await at.http("POST", "/api/sources/lists", { raw: '{"name":"\\ud83d\\ude00","sourceIds":[]}' })).body.data.name,
  ).toBe("😀");
  const named = async (path: string, method = "GET", asked = {}) =>
    (await at.http(method, path, asked)).body.error.details.map(({ path: field }: any) => field);
  expect(await named("/api/articles?limit=1&search=%ff")).toEqual(["search"]);
  expect((await at.http("GET", "/api/search?q=%ef%bf%bd")).status).toBe(200);
  expect(await named("/api/sources/%ff")).toEqual(["id"]);
  const { id } = await list("Header");
  const name = `/api/sources/lists/${id}`;
  expect(await named(name, "PUT", { body: { name: "x" }, headers: { "if-match": '"r1\xff"' } })).toEqual(["If-Match"]);
  expect(await named("/api/sources/lists", "POST", { body: {}, headers: { "idempotency-key": "\xff" } })).toEqual([
    "Idempotency-Key",
  ]);
  expect(
    await named("/api/sources/lists", "POST", {
      raw: Buffer.from('{"name":"ok","sourceIds":[{"x":"\xff"}]}', "latin1"),
    }),
  ).toEqual(["sourceIds.0.x"]);
});

it("names twenty mistakes at most, cuts names that nobody would write, and says how many more there were", async () => {
  const body = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`unknown${n}`, 0]));
  for (const [path, many] of [
    ["/api/sources/lists", body],
    ["/api/auth/login", body],
    ["/api/sources", body],
  ] as const) {
    const { status, body: answer, text } = await at.http("POST", path, { body: many });
    expect(status).toBe(400);
    expect(answer.error.details).toHaveLength(20);
    expect(answer.error.details[0]).toMatchObject({ path: expect.stringMatching(/\w/) });
    expect(answer.error.details.at(-1).message).toMatch(/^There are (\d{5}) more\.$/);
    expect(text.length).toBeLessThan(4_000);
  }
  const long = await at.http("POST", "/api/sources/lists", {
    body: { name: "A list", sourceIds: [], ["x".repeat(900_000)]: 0 },
  });
  expect(long.body.error.details).toEqual([
    {
      path: expect.stringMatching(/^x{50,200}…$/),
      message: expect.stringMatching(/^There is no such field; there are /),
    },
  ]);
  const query = Array.from({ length: 60 }, (_, n) => `q${n}=1`).join("&");
  expect((await at.http("GET", `/api/sources/lists?${query}`)).body.error.details).toHaveLength(20);
  expect((await at.http("GET", "/api/sources/lists?colour=red&taste=sour")).body.error.details).toEqual([
    { path: "colour", message: "There is no such query parameter; there are `sort`, `page`, `limit`." },
    { path: "taste", message: "There is no such query parameter." },
  ]);
});

it("names every fault of an address in one answer, whichever of the two would have been noticed first", async () => {
  const paths = async (path: string, body?: object) =>
    (await at.http(body ? "POST" : "GET", path, { body })).body.error.details.map((one: { path: string }) => one.path);
  expect(await paths("/api/sources/lists?limit=many&colour=red&sort=taste")).toEqual(["colour", "sort", "limit"]);
  expect(await paths("/api/sources/lists?colour=red", { sourceIds: "all", flavour: 1 })).toEqual([
    "colour",
    "name",
    "sourceIds",
    "flavour",
  ]);
});

it("lists as fields of a body none that stand in the address", async () => {
  const { id } = (await at.http("POST", "/api/sources/lists", { body: { name: "Fields", sourceIds: [] } })).body.data;
  const { details } = (await at.http("PUT", `/api/sources/lists/${id}`, { body: { flavour: 1 } })).body.error;
  expect(details[0]).toMatchObject({
    path: "flavour",
    message: expect.stringMatching(/^There is no such field; there are `name`/),
  });
  expect(details[0].message).not.toContain("`id`");
});

it("says of what was put into the wrong place where it belongs", async () => {
  const told = async (path: string, body: object) => (await at.http("POST", path, { body })).body;
  expect((await told("/api/verification/batch", { limit: 5 })).details).toEqual([
    { path: "limit", message: "Belongs in the address, as `?limit=…`." },
  ]);
  expect((await told("/api/sources/lists?name=Mine", { sourceIds: [] })).error.details).toContainEqual({
    path: "name",
    message: "Belongs in the body, as a field.",
  });
});

it("says what it is called and what may be done with it", async () => {
  expect((await at.http("GET", "/health/live", { as: null })).body).toEqual({ status: "live" });
  expect(
    await eventually(
      () => at.http("GET", "/health/ready", { as: null }),
      ({ status }) => status === 200,
    ),
  ).toMatchObject({ body: { status: "ready" } });
  const docs = await at.http("GET", "/api/docs", { as: null });
  expect(docs.text).toContain("/api/docs/swagger-ui-bundle.js");
  expect(docs.headers.get("content-security-policy")).toContain("default-src 'self'");
  for (const [, asset] of docs.text.matchAll(/(?:src|href)="(\/[^"]+)"/g))
    expect((await at.http("GET", asset!, { as: null })).status).toBe(200);
  expect((await at.http("GET", "/api/docs/..%2f..%2fpackage.json", { as: null })).status).toBe(404);
  for (const [path, where] of [
    ["/home", "/"],
    ["/api", "/api/docs"],
    ["/docs", "/api/docs"],
  ])
    expect((await at.http("GET", path!, { as: null })).headers.get("location")).toBe(where);
});

itInside("cancels the work of a client that hangs up", async () => {
  const abandoned: string[] = [],
    asked: string[] = [];
  const host = at.service("jobs") as any;
  at.mesh.broker.createService({
    name: "slow",
    actions: {
      wait: (ctx: any) =>
        new Promise((resolve) => {
          asked.push(ctx.requestID);
          host.signal(ctx).addEventListener("abort", () => {
            abandoned.push(ctx.requestID);
            resolve([]);
          });
        }),
    },
  } as never);
  const gateway = at.service("gateway") as any;
  const { endpoint } = gateway.router.find("GET", "/api/jobs").value;
  const real = endpoint.action;
  endpoint.action = "slow.wait";
  const token = await at.tokenOf("system_admin");
  await new Promise<void>((resolve) => {
    const req = request(`${at.url}/api/jobs`, {
      headers: { authorization: `Bearer ${token}`, "x-request-id": "hung-up-1" },
    });
    req.on("error", () => resolve());
    req.end();
    setTimeout(() => req.destroy(), 100);
  });
  endpoint.action = real;
  await eventually(
    () => abandoned,
    (all) => all.length === 1,
  );
  // Known inside by a name that no client chose, nor reads.
  expect(abandoned).toEqual(asked);
  expect(asked[0]).toMatch(/^[\w-]{22}$/);
});

it("with AUTH=off lets in no page of another site, by whatever name it comes", async () => {
  const open = await world({ AUTH: "off" });
  try {
    const { port } = new URL(open.url);
    const ask = (method: string, headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request({ host: "127.0.0.1", port, method, path: "/api/articles/stats", headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on("error", reject)
          .end();
      });
    expect(await ask("GET", { host: `localhost:${port}` })).toBe(200);
    expect(await ask("GET", { host: `localhost:${port}`, "sec-fetch-site": "same-origin" })).toBe(200);
    // A page that leads its own name to this machine is same-origin to the browser; only the Host tells.
    expect(await ask("GET", { host: `rebound.example:${port}`, "sec-fetch-site": "same-origin" })).toBe(403);
    expect(await ask("GET", { host: `localhost:${port}`, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await ask("GET", { host: `localhost:${port}`, origin: "https://other.example" })).toBe(403);
  } finally {
    await open.stop();
  }
});

it("answers 400 to JSON nested deeper than anything that walks through it can go", async () => {
  const deep = (levels: number): string =>
    `{"credential":{"@context":["x"],"type":["x"],"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;
  for (const levels of [300, 100_000])
    expect(await at.http("POST", "/api/credentials/hash", { raw: deep(levels) })).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST" } },
    });
  // Inside a JWT as well.
  const jwt = [JSON.stringify({ typ: "vc+jwt", kid: "#a" }), deep(100_000), "x"]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");
  expect((await at.http("POST", "/api/credentials/hash", { body: { credential: jwt } })).status).toBe(400);
  expect((await at.http("POST", "/api/credentials/hash", { raw: deep(100) })).status).toBe(200);
  expect(
    (
      await at.http("POST", "/api/credentials/hash", {
        body: { credential: { "@context": ["x"], type: ["x"], a: `${"[".repeat(500)}\\"` } },
      })
    ).status,
  ).toBe(200);
});

it("lets everybody in with AUTH=off, on loopback alone", async () => {
  const open = await world({ AUTH: "off" });
  try {
    expect(
      (await open.http("POST", "/api/sources/lists", { as: null, body: { name: "Open", sourceIds: [] } })).status,
    ).toBe(201);
  } finally {
    await open.stop();
  }
  expect(() => readEnv({ AUTH: "off", HOST: "0.0.0.0" })).toThrow(BadSettings);
  expect(() => readEnv({ PORT: "4000", METRICS_PORT: "4000" })).toThrow(/two ports/);
});

it("says of bad settings, all at once and in words, what is wrong with each", () => {
  const lines = (settings: Record<string, string>): readonly string[] => {
    try {
      readEnv(settings);
      return [];
    } catch (error) {
      return (error as BadSettings).lines;
    }
  };
  expect(
    lines({ PORT: "99999", RATE_LIMIT_TIER: "golden", SERVICES: "news,kitchen", SECRET: "short" }).toSorted(),
  ).toEqual([
    "PORT: must be at most 65535",
    'RATE_LIMIT_TIER: must be one of `default`, `production`, `development`, not "golden"',
    "SECRET: must be 64 hexadecimal characters (32 bytes)",
    'SERVICES: must be one of `gateway`, `news`, `identity`, `workspace`, `knowledge`, `staff`, `picture`, `platform`, not "kitchen"',
  ]);
  expect(
    lines({ PORT: "http", INGEST_CONCURRENCY: "1.5", PUBLIC_URL: "mesh", ADMIN_EMAIL: "anna", MONGO_URL: "x" }),
  ).toEqual([
    'PORT: must be a number, not "http"',
    "MONGO_URL: must begin with mongodb:// or mongodb+srv://",
    "ADMIN_EMAIL: must be an email address, as anna@example.org",
    "PUBLIC_URL: must be a URL, as https://example.org",
    'INGEST_CONCURRENCY: must be a whole number, not "1.5"',
  ]);
  expect(lines({ TRUSTED_PROXIES: "10.0.0.1,proxy" })).toEqual([
    "TRUSTED_PROXIES: must be addresses or networks such as 10.0.0.0/8",
  ]);
  // A free text may be a secret: it is not repeated.
  expect(lines({ ADMIN_PASSWORD: "hunter2" })).toEqual(["ADMIN_PASSWORD: must have at least 10 characters"]);
  expect(lines({ LLM_API_KEY: " ", SECRET: "hunter2", MONGO_URL: "http://anna:hunter2@db" }).join()).not.toContain(
    "hunter2",
  );
});
