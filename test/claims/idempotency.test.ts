import { permitsOf } from "../../config/roles.ts";
import type { PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { routes } from "../routes.ts";
import { PASSWORD, world, type Asked, type Reply, type TestWorld } from "../mesh.ts";
import { NOT_REPEATED, requests } from "../requests.ts";
import { tries } from "../tries.ts";

// Claim 7: the same key twenty times at once takes effect once, and all answers are equal; another body under it is
// 409. A run whose node died before it answered is run again, and makes nothing twice.

let at: TestWorld;
let published: Map<string, PublishedEndpoint>;
beforeAll(async () => {
  at = await world();
  published = new Map((await routes()).map((route) => [`${route.method} ${route.path}`, route]));
});
afterAll(() => at.stop());

/** Something else of the same kind. */
function another(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value];
  return typeof value === "number" ? value + 1 : `x${String(value)}`;
}

/**
 * What a repetition may be told where the first run took effect and its answer was lost: that it is done, or that what
 * proved it is spent.
 */
const DONE = [
  "INVALID_TRANSITION",
  "CONFLICT",
  "INVALID_PASSKEY",
  "INVALID_LINK",
  "CHALLENGE_INVALID",
  "UNAUTHENTICATED",
];
/**
 * Of these the first run leaves nothing that a repetition could find: a letter that was delivered again is dead no
 * more.
 */
const GONE = ["POST /api/messages/dead-letters/:id/redeliver"];
/** Nothing lasting comes into being: each expires within minutes, unasked. */
const PASSING = ["POST /api/identity/challenges"];

const runsOf = async (route: string): Promise<number> =>
  (await at.mesh.world.documents.collection("audit")).count({ query: { action: published.get(route)!.action } });

/** As if the node had died after the effect and before the answer was kept. */
async function loseAnswer(): Promise<void> {
  const records = await at.mesh.world.documents.collection("idempotency");
  const [record] = await records.find({ query: { state: "done" }, sort: ["-expiresAt", "-_id"], limit: 1 });
  await records.updateById(record!._id, {
    $set: { state: "running", until: new Date(0).toISOString() },
    $unset: { answer: 1 },
  });
}

/** What the first run of a request answered, and what its repetition is told when that answer was lost. */
async function twice({
  path,
  body,
  as,
}: { path: string } & Pick<Asked, "body" | "as">): Promise<[lost: any, told: any]> {
  await (await at.mesh.world.documents.collection("idempotency")).clear();
  const asked = { as, body, headers: { "idempotency-key": "answer-lost" } };
  const lost = (await at.http("POST", path, asked)).body.data;
  await loseAnswer();
  return [lost, (await at.http("POST", path, asked)).body.data];
}

it("every POST has a request that succeeds, or a reason", async () => {
  const posts = (await routes()).filter(({ method }) => method === "POST").map(({ path }) => `POST ${path}`);
  expect(posts.filter((route) => !(route in requests) && !(route in NOT_REPEATED))).toEqual([]);
  expect([...Object.keys(requests), ...Object.keys(NOT_REPEATED)].filter((route) => !posts.includes(route))).toEqual(
    [],
  );
});

/** What people are called is shown as it is now, and left out while those who know are busy. */
const unnamed = (text: string): string => text.replaceAll(/,"\w+Name":"[^"]*"/g, "");

/** How many of one request there are at once: twenty of every eighth, and of all in CI; a few of the others. */
const atOnce = (nth: number): number => (nth % 8 === 0 || tries(1) > 1 ? 20 : 5);

it.each(Object.keys(requests).entries().toArray())("%i %s: many at once under one key are one", async (nth, route) => {
  const { path, body, raw, type, as, effect } = await requests[route]!(at);
  await at.tokenOf("system_admin");
  const headers = { "idempotency-key": `key-${route.replace(/\W+/g, "-")}` };
  const [before, ran] = [await effect?.(at), await runsOf(route)];
  const replies = await Promise.all(
    Array.from({ length: atOnce(nth) }, () => at.http("POST", path, { as, body, raw, type, headers })),
  );
  const [first] = replies;
  expect(first!.status).toBeLessThan(300);
  // What it brought into being, however many: once. A second request under another key tells how many that is.
  const after = await effect?.(at);
  for (const { status, text } of replies)
    expect({ status, text: unnamed(text) }).toEqual({ status: first!.status, text: unnamed(first!.text) });
  if (published.get(route)!.contract.audit !== false && !published.get(route)!.contract.reads)
    expect((await runsOf(route)) - ran).toBe(1);
  if (after !== undefined) {
    const again = await requests[route]!(at);
    await at.http("POST", again.path, { as, body: again.body, raw: again.raw, type: again.type });
    expect(after - before!).toBe((await effect!(at)) - after);
  }
  if (body && Object.keys(body).length) {
    const [[field, value]] = Object.entries(body) as [[string, unknown]];
    const other = await at.http("POST", path, { as, headers, body: { ...body, [field]: another(value) } });
    expect([400, 409]).toContain(other.status);
  }
});

it("runs again for another caller or another key, and not for a key of nonsense", async () => {
  const body = { name: "Twice", sourceIds: [] };
  const made = await Promise.all(
    ["a", "b"].map((key) =>
      at.http("POST", "/api/sources/lists", {
        body: { ...body, name: `Twice ${key}` },
        headers: { "idempotency-key": key },
      }),
    ),
  );
  expect(new Set(made.map((reply) => reply.body.data.id)).size).toBe(2);
  const other = await at.http("POST", "/api/sources/lists", {
    as: "analyst",
    body: { ...body, name: "Twice c" },
    headers: { "idempotency-key": "a" },
  });
  expect(other.status).toBe(201);
  expect(
    (await at.http("POST", "/api/sources/lists", { body, headers: { "idempotency-key": "x".repeat(300) } })).status,
  ).toBe(400);
});

/** What a `Location` leads to, for whoever was told it: the very record that was made. */
async function readAt(made: Reply, as: string | null | undefined): Promise<unknown> {
  const place = made.headers.get("location");
  if (place === null) return [200, made.body?.data?.id];
  const read = await at.http("GET", place, { as });
  return [read.status, read.body.data.id];
}

it.each(Object.keys(requests))("%s: a run whose node died is run again, and makes nothing twice", async (route) => {
  const { path, body, raw, type, as, effect } = await requests[route]!(at);
  await (await at.mesh.world.documents.collection("idempotency")).clear();
  const asked = { as, body, raw, type, headers: { "idempotency-key": "died-inside" } };
  const first = await at.http("POST", path, asked);
  expect(first.status).toBeLessThan(300);
  expect(await readAt(first, as)).toEqual([200, first.body?.data?.id]);
  const once = await effect?.(at);
  await loseAnswer();
  const again = await at.http("POST", path, asked);
  if (again.status >= 300) expect(GONE.includes(route) ? ["NOT_FOUND"] : DONE).toContain(again.body.error.code);
  else expect(again.body?.data?.id).toEqual(first.body?.data?.id);
  if (!PASSING.includes(route)) expect(await effect?.(at)).toBe(once);
});

describe("a secret that the second run tells is the one that works:", () => {
  const works = async (key: string): Promise<boolean> =>
    (await at.http("GET", "/api/auth/me", { as: null, headers: { "x-api-key": key } })).status === 200;

  it("a new API key's", async () => {
    const [lost, told] = await twice({ path: "/api/keys", body: { name: "lost and told" } });
    expect(told).toMatchObject({ id: lost.id, keyPrefix: told.key.slice(0, 8) });
    expect([await works(told.key), await works(lost.key)]).toEqual([true, false]);
  });

  it("a re-rolled key's, and the old one works on", async () => {
    const { id, key } = (await at.http("POST", "/api/keys", { body: { name: "re-rolled" } })).body.data;
    const [, told] = await twice({ path: `/api/keys/${id}/reroll`, body: { graceMinutes: 60 } });
    expect([await works(told.key), await works(key)]).toEqual([true, true]);
    // A re-roll of its own is another.
    const next = (await at.http("POST", `/api/keys/${id}/reroll`, { body: { graceMinutes: 60 } })).body.data;
    expect([await works(next.key), await works(told.key), await works(key)]).toEqual([true, true, false]);
  });

  it("a mission's invite", async () => {
    const request = await requests["POST /api/missions/:id/invites"]!(at);
    const [lost, told] = await twice(request);
    const { as } = request;
    // Whoever invites is in the problem set too, and takes part by the code that they were told.
    expect((await at.http("POST", "/api/missions/accept-invite", { as, body: { code: lost.code } })).status).toBe(404);
    expect((await at.http("POST", "/api/missions/accept-invite", { as, body: { code: told.code } })).status).toBe(200);
  });
});

it("a key of encryption that was rotated by a run whose answer was lost is not rotated again by its repetition", async () => {
  const { path, body, as } = await requests["POST /api/encryption/keys/:id/rotate"]!(at);
  const [lost, told] = await twice({ path, body, as });
  expect(told).toEqual(lost);
  expect((await at.http("POST", path, { as, body })).body.data.version).toBe(lost.version + 1);
});

describe("a log-out, whose repetition comes when its credential is nobody's any more,", () => {
  const account = async (): Promise<string> => {
    const email = `leaver-${Math.random().toString(36).slice(2)}@example.org`;
    await at.http("POST", "/api/auth/users", { body: { email, password: PASSWORD } });
    return email;
  };
  const logIn = (email: string, more: object = {}): Promise<Reply> =>
    at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD, ...more } });
  const tokenOf = async (email: string): Promise<string> => (await logIn(email)).body.data.token;
  const logOut = (as: string, key: string): Promise<Reply> =>
    at.http("POST", "/api/auth/logout", { as, headers: { "idempotency-key": key } });
  const isIn = async (as: string): Promise<boolean> => (await at.http("GET", "/api/auth/me", { as })).status === 200;

  it("is answered as the first was", async () => {
    const token = await tokenOf(await account());
    expect((await logOut(token, "leave")).status).toBe(204);
    expect(await isIn(token)).toBe(false);
    const again = await logOut(token, "leave");
    expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([204, "", "true"]);
  });

  it("is answered so under a cookie too, which is taken away again", async () => {
    const cookie = (await logIn(await account(), { session: true })).headers.get("set-cookie")!.split(";")[0]!;
    const headers = { cookie, "sec-fetch-site": "same-origin", "idempotency-key": "leave" };
    const replies = [];
    for (const _time of [1, 2]) replies.push(await at.http("POST", "/api/auth/logout", { as: null, headers }));
    expect(replies.map(({ status, headers: told }) => [status, told.get("set-cookie")])).toEqual(
      ["first", "again"].map(() => [204, expect.stringMatching(/^sid=; .*Max-Age=0/)]),
    );
  });

  it("tells an ended token nothing else: neither another key, nor another act's answer", async () => {
    const token = await tokenOf(await account());
    const made = { as: token, body: { name: "mine" }, headers: { "idempotency-key": "leave" } };
    expect((await at.http("POST", "/api/keys", made)).status).toBe(201);
    await logOut(token, "leave");
    const told = [
      await logOut(token, "another"),
      await logOut(`${token}x`, "leave"),
      await at.http("POST", "/api/keys", made),
    ];
    expect(told.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect((await at.http("POST", "/api/auth/logout", { as: token })).status).toBe(401);
  });

  it("ends each of a person's tokens, where they name their log-outs alike", async () => {
    const email = await account();
    const tokens = [await tokenOf(email), await tokenOf(email)];
    for (const token of tokens) expect((await logOut(token, "leave")).status).toBe(204);
    for (const token of tokens) expect(await isIn(token)).toBe(false);
  });
});

it("an answer is not told again to a key of its owner's that could not have asked", async () => {
  const body = { name: "first", scopes: ["write"] };
  const made = await at.http("POST", "/api/keys", {
    as: "analyst",
    body,
    headers: { "idempotency-key": "make-a-key" },
  });
  const again = await at.http("POST", "/api/keys", {
    as: "analyst",
    body,
    headers: { "idempotency-key": "make-a-key" },
  });
  expect(again.body.data.key).toBe(made.body.data.key);
  const stolen = await at.http("POST", "/api/keys", {
    as: null,
    body,
    headers: { "idempotency-key": "make-a-key", "x-api-key": made.body.data.key },
  });
  expect(stolen.status).toBe(409);
  expect(stolen.text).not.toContain(made.body.data.key);
});

it("nor to somebody who was read out of a compartment, left the set, or went into training since", async () => {
  const member = (compartments: string[], traits: object = {}) => ({
    userId: "member",
    roles: ["reader"],
    via: "session",
    permits: permitsOf(["reader"]),
    memberships: { set: { role: "commander", permits: ["*"], compartments } },
    ...traits,
  });
  const ask = (actor: object): Promise<any> =>
    at.mesh.broker.call(
      "encryption.keys.create",
      { name: "kept", problemSetId: "set", compartments: ["red"] },
      { meta: { actor, idempotencyKey: "make-one" } },
    );
  const { id } = await ask(member(["red", "blue"]));
  expect((await ask(member(["blue", "red", "green"]))).id).toBe(id);
  for (const other of [member(["blue"]), member(["red", "blue"], { mode: "training" })])
    await expect(ask(other)).rejects.toMatchObject({ code: 409 });
  await expect(ask({ ...member([]), memberships: {} })).rejects.toMatchObject({ code: 404 });
});
