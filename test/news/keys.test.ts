import { itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world({ RATE_LIMIT_TIER: "default" });
});
afterAll(() => at.stop());

const make = async (body: object = {}, as = "analyst") =>
  (await at.http("POST", "/api/keys", { as, body: { name: "export", ...body } })).body;
const withKey = (key: string, method = "GET", path = "/api/sources/lists", body?: unknown) =>
  at.http(method, path, { as: null, body, headers: { "x-api-key": key } });

it("shows a key once, in the document's form, and its prefix afterwards", async () => {
  const { success, data, message } = await make();
  expect(success).toBe(true);
  expect(message).toEqual(expect.any(String));
  expect(data.key).toMatch(/^sm_[0-9a-f]{32}$/);
  expect(data).toMatchObject({
    name: "export",
    keyPrefix: data.key.slice(0, 8),
    isActive: true,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const listed = await at.http("GET", "/api/keys", { as: "analyst" });
  expect(listed.body.data.find((key: any) => key.id === data.id)).toMatchObject({ keyPrefix: data.keyPrefix });
  expect(listed.text).not.toContain(data.key);
  const stored = JSON.stringify(await (await at.mesh.world.documents.collection("api_keys")).find({}));
  expect(stored).not.toContain(data.key);
  expect(stored).not.toContain(data.key.slice(3));
});

it("does what its scopes and its owner may do, and nothing else", async () => {
  const { key: reading } = (await make()).data;
  const { key: writing } = (await make({ scopes: ["write"] })).data;
  const { key: confined } = (await make({ scopes: ["read", "briefings"] })).data;
  const { key: readers } = (await make({ scopes: ["write"] }, "reader")).data;
  const list = { name: "By key", sourceIds: [] };
  expect((await withKey(reading)).status).toBe(200);
  expect(await withKey(reading, "POST", "/api/sources/lists", list)).toMatchObject({ status: 403 });
  expect((await withKey(writing, "POST", "/api/sources/lists", list)).status).toBe(201);
  expect((await withKey(confined)).status).toBe(403);
  expect((await withKey(confined, "GET", "/api/briefings")).status).toBe(200);
  expect((await withKey(readers, "POST", "/api/sources/lists", list)).status).toBe(403);
  // A program can ask what its key is narrowed to; nothing else is narrowed.
  expect((await withKey(reading, "GET", "/api/auth/me")).body.data).toMatchObject({ via: "key", limits: ["*:read"] });
  expect((await at.http("GET", "/api/auth/me", { as: "analyst" })).body.data).not.toHaveProperty("limits");
});

it("is confined to domains of the API alone: energy is one of the news", async () => {
  const { success, details } = await make({ scopes: ["read", "energy"] });
  expect({ success, details }).toEqual({
    success: false,
    details: [{ path: "scopes.1", message: expect.stringMatching(/`read`, `write`,.* `articles`,.* `briefings`/) }],
  });
});

it("makes and lists no keys itself: failures in the keys' own envelope", async () => {
  const { key } = (await make({ scopes: ["write"] })).data;
  expect(await withKey(key, "POST", "/api/keys", { name: "child" })).toMatchObject({
    status: 403,
    body: { success: false, error: expect.any(String), code: "FORBIDDEN" },
  });
  expect((await withKey(key, "GET", "/api/keys")).status).toBe(403);
  expect(
    await at.http("POST", "/api/keys", { body: { name: "late", expiresAt: "2001-01-01T00:00:00Z" } }),
  ).toMatchObject({
    status: 400,
    body: { success: false, code: "VALIDATION_ERROR", details: [{ path: "expiresAt" }] },
  });
});

it("stops at once when revoked by its owner, or switched off or deleted by an administrator, and starts again when switched on", async () => {
  const { data: own } = await make();
  expect((await withKey(own.key)).status).toBe(200);
  expect((await at.http("DELETE", `/api/keys/${own.id}`, { as: "reader" })).status).toBe(404);
  expect((await at.http("DELETE", `/api/keys/${own.id}`, { as: "analyst" })).body).toMatchObject({ success: true });
  expect((await withKey(own.key)).status).toBe(401);
  const { data: other } = await make();
  expect((await at.http("GET", "/api/admin/api-keys", { as: "analyst" })).status).toBe(403);
  expect((await at.http("GET", "/api/admin/api-keys", { as: "admin" })).body.data.map((key: any) => key.id)).toContain(
    other.id,
  );
  for (const isActive of [false, true]) {
    expect(
      (await at.http("PUT", `/api/admin/api-keys/${other.id}`, { as: "admin", body: { isActive } })).body.data.isActive,
    ).toBe(isActive);
    expect((await withKey(other.key)).status).toBe(isActive ? 200 : 401);
  }
  expect((await at.http("DELETE", `/api/admin/api-keys/${other.id}`, { as: "admin" })).status).toBe(200);
  expect((await withKey(other.key)).status).toBe(401);
});

itInside("gives a new secret with grace, expires, and tells when it was last used", async () => {
  const { data: first } = await make({ expiresAt: new Date(at.clock.now() + 3 * 3_600_000).toISOString() });
  const { data: second } = (
    await at.http("POST", `/api/keys/${first.id}/reroll`, { as: "analyst", body: { graceMinutes: 30 } })
  ).body;
  expect(second.key).not.toBe(first.key);
  const lastUsed = async () => {
    const keys = at.service("keys") as any;
    await keys.schema.mixins[0].domain.schedules["note-use"].run.call(keys);
    const { data } = (await at.http("GET", "/api/keys", { as: "analyst" })).body;
    return data.find(({ id }: { id: string }) => id === first.id).lastUsedAt;
  };
  expect(await lastUsed()).toBeUndefined();
  const before = new Date(at.clock.now()).toISOString();
  for (const { key } of [first, second]) expect((await withKey(key)).status).toBe(200);
  const used = await lastUsed();
  expect(used >= before && used <= new Date(at.clock.now()).toISOString()).toBe(true);
  at.clock.advance(31 * 60_000);
  await at.mesh.broker.broadcast("identity.access.changed", {});
  expect((await withKey(first.key)).status).toBe(401);
  expect((await withKey(second.key)).status).toBe(200);
  const again = await lastUsed();
  expect(Date.parse(again) - Date.parse(used)).toBeGreaterThanOrEqual(31 * 60_000);
  at.clock.advance(3 * 3_600_000);
  await at.mesh.broker.broadcast("identity.access.changed", {});
  expect((await withKey(second.key)).status).toBe(401);
  // Who was turned away has not used it.
  expect(await lastUsed()).toBe(again);
  const late = await at.http("POST", `/api/keys/${first.id}/reroll`, { as: "analyst", body: {} });
  expect([late.status, late.body.error]).toEqual([
    409,
    expect.stringMatching(/^This key expired on .* Make another key/),
  ]);
});

itInside("says until when the old secret works, of a key that ends before the grace", async () => {
  const expiresAt = new Date(at.clock.now() + 600_000).toISOString();
  const { data } = await make({ expiresAt });
  const { body } = await at.http("POST", `/api/keys/${data.id}/reroll`, { as: "analyst", body: {} });
  expect(body.message).toBe(`The old secret works until ${expiresAt}.`);
  await at.http("PUT", `/api/admin/api-keys/${data.id}`, { as: "admin", body: { isActive: false } });
  expect((await at.http("POST", `/api/keys/${data.id}/reroll`, { as: "analyst", body: {} })).status).toBe(409);
});

it("lets exactly a hundred requests a minute through, and says so on every answer", async () => {
  const { key } = (await make()).data;
  const replies = await Promise.all(Array.from({ length: 130 }, () => withKey(key, "GET", "/api/sources/lists")));
  const through = replies.filter(({ status }) => status === 200);
  expect(through).toHaveLength(100);
  expect(through.map(({ headers }) => Number(headers.get("x-ratelimit-remaining"))).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, n) => n),
  );
  const refused = replies.find(({ status }) => status === 429)!;
  expect(refused.body).toEqual({ success: false, error: "Rate limit exceeded", retryAfter: expect.any(Number) });
  expect(refused.headers.get("x-ratelimit-limit")).toBe("100");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("x-ratelimit-reset"))).toBeGreaterThan(at.clock.now() / 1_000 - 1);
  at.clock.advance(61_000);
  expect((await withKey(key, "GET", "/api/auth/me")).status).toBe(200);
  expect((await at.http("GET", "/api/auth/me", { as: "analyst" })).headers.get("x-ratelimit-limit")).toBeNull();
});

it("keeps a bounded number of keys for each person", async () => {
  const email = "hoarder@example.org";
  await at.http("POST", "/api/auth/users", { body: { email, password: "correct horse battery staple 42" } });
  const { token } = (
    await at.http("POST", "/api/auth/login", { as: null, body: { email, password: "correct horse battery staple 42" } })
  ).body.data;
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      at.http("POST", "/api/keys", {
        as: token,
        body: { name: `k${n}` },
        headers: { "idempotency-key": `hoarder-${n}` },
      }),
    ),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(20).fill(422)]);
  expect(await at.http("POST", "/api/keys", { as: token, body: { name: "one more" } })).toMatchObject({
    status: 422,
    body: { success: false, code: "TOO_MANY_KEYS" },
  });
  const [first] = (await at.http("GET", "/api/keys", { as: token })).body.data;
  expect((await at.http("DELETE", `/api/keys/${first.id}`, { as: token })).status).toBe(200);
  const again = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      at.http("POST", "/api/keys", { as: token, body: { name: `in its place ${n}` } }),
    ),
  );
  expect(again.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await at.http("GET", "/api/keys", { as: token })).body.data).toHaveLength(20);
});

it("in production, one person's tokens, sessions and keys share one budget", async () => {
  const other = await world({ RATE_LIMIT_TIER: "production" });
  try {
    const address = { email: "admin@example.org", password: PASSWORD };
    const login = async () =>
      (await other.http("POST", "/api/auth/login", { as: null, body: address })).body.data.token;
    const tokens = [await login(), await login(), await login()];
    const keys: string[] = [];
    for (const name of ["one", "two"])
      keys.push((await other.http("POST", "/api/keys", { as: tokens[0], body: { name } })).body.data.key);
    const credentials = [
      ...tokens.map((token) => ({ authorization: `Bearer ${token}` })),
      ...keys.map((key) => ({ "x-api-key": key })),
    ];
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, n) =>
        other.http("GET", "/api/auth/me", { as: null, headers: credentials[n % 5] as Record<string, string> }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(60 - keys.length);
    expect(replies.find(({ status }) => status === 429)!.headers.get("x-ratelimit-limit")).toBe("60");
  } finally {
    await other.stop();
  }
});

it("in production, a person in a browser can be given a limit of their own; tokens and keys keep theirs", async () => {
  const other = await world({ RATE_LIMIT_TIER: "production", RATE_LIMIT_BROWSER: "90" });
  try {
    const body = { email: "admin@example.org", password: PASSWORD };
    const { token } = (await other.http("POST", "/api/auth/login", { as: null, body })).body.data;
    const signedIn = await other.http("POST", "/api/auth/login", {
      as: null,
      body: { ...body, session: true },
      headers: { "sec-fetch-site": "same-origin" },
    });
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    const asked = async (headers: Record<string, string>, times: number) => {
      const replies = await Promise.all(
        Array.from({ length: times }, () => other.http("GET", "/api/auth/me", { as: null, headers })),
      );
      return replies.filter(({ status }) => status === 200).length;
    };
    expect(await asked({ cookie }, 100)).toBe(90);
    expect(await asked({ authorization: `Bearer ${token}` }, 70)).toBe(60);
  } finally {
    await other.stop();
  }
});
