import { permitsOf } from "../../config/roles.ts";
import { routes } from "../routes.ts";
import { world, type TestWorld } from "../mesh.ts";
import { NOT_REPEATED, requests } from "../requests.ts";

// Claim 7: the same key twenty times at once takes effect once, and all answers are equal; another body under it is 409.

let at: TestWorld;
beforeAll(async () => { at = await world(); });
afterAll(() => at.stop());

/** Something else of the same kind. */
function another(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, ...value];
  return typeof value === "number" ? value + 1 : `x${String(value)}`;
}

it("every POST has a request that succeeds, or a reason", async () => {
  const posts = (await routes()).filter(({ method }) => method === "POST").map(({ path }) => `POST ${path}`);
  expect(posts.filter((route) => !(route in requests) && !(route in NOT_REPEATED))).toEqual([]);
  expect([...Object.keys(requests), ...Object.keys(NOT_REPEATED)].filter((route) => !posts.includes(route))).toEqual([]);
});

it.each(Object.keys(requests))("%s: twenty at once under one key are one", async (route) => {
  const { path, body, raw, type, as, effect } = await requests[route]!(at);
  await at.tokenOf("system_admin");
  const headers = { "idempotency-key": `key-${route.replace(/\W+/g, "-")}` };
  const before = await effect?.(at);
  const replies = await Promise.all(Array.from({ length: 20 }, () => at.http("POST", path, { as, body, raw, type, headers })));
  const [first] = replies;
  expect(first!.status).toBeLessThan(300);
  // What it brought into being, however many: once. A second request under another key tells how many that is.
  const after = await effect?.(at);
  for (const { status, text } of replies) expect({ status, text }).toEqual({ status: first!.status, text: first!.text });
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
}, 60_000);

it("runs again for another caller or another key, and not for a key of nonsense", async () => {
  const body = { name: "Twice", sourceIds: [] };
  const made = await Promise.all(["a", "b"].map((key) => at.http("POST", "/api/sources/lists", { body: { ...body, name: `Twice ${key}` }, headers: { "idempotency-key": key } })));
  expect(new Set(made.map((reply) => reply.body.data.id)).size).toBe(2);
  const other = await at.http("POST", "/api/sources/lists", { as: "analyst", body: { ...body, name: "Twice c" }, headers: { "idempotency-key": "a" } });
  expect(other.status).toBe(201);
  expect((await at.http("POST", "/api/sources/lists", { body, headers: { "idempotency-key": "x".repeat(300) } })).status).toBe(400);
});

it("a run whose node died is run again, and makes nothing twice", async () => {
  const records = await at.mesh.world.documents.collection("idempotency");
  const key = "died-inside";
  const first = await at.http("POST", "/api/sources/lists", { body: { name: "Survivor", sourceIds: [] }, headers: { "idempotency-key": key } });
  // As if the node had died after the effect and before the answer was kept.
  const [record] = await records.find({ query: { state: "done" }, sort: ["-expiresAt"], limit: 1 });
  await records.updateById(record!._id, { $set: { state: "running", until: new Date(0).toISOString() }, $unset: { answer: 1 } });
  const again = await at.http("POST", "/api/sources/lists", { body: { name: "Survivor", sourceIds: [] }, headers: { "idempotency-key": key } });
  expect(again.body).toEqual(first.body);
  expect((await at.http("GET", "/api/sources/lists?limit=100")).body.data.filter((list: any) => list.name === "Survivor")).toHaveLength(1);
});

it("an answer is not told again to a key of its owner's that could not have asked", async () => {
  const body = { name: "first", scopes: ["write"] };
  const made = await at.http("POST", "/api/keys", { as: "analyst", body, headers: { "idempotency-key": "make-a-key" } });
  const again = await at.http("POST", "/api/keys", { as: "analyst", body, headers: { "idempotency-key": "make-a-key" } });
  expect(again.body.data.key).toBe(made.body.data.key);
  const stolen = await at.http("POST", "/api/keys", { as: null, body, headers: { "idempotency-key": "make-a-key", "x-api-key": made.body.data.key } });
  expect(stolen.status).toBe(409);
  expect(stolen.text).not.toContain(made.body.data.key);
});

it("nor to somebody who was read out of a compartment, left the set, or went into training since", async () => {
  const member = (compartments: string[], traits: object = {}) => ({ userId: "member", roles: ["reader"], via: "session", permits: permitsOf(["reader"]), memberships: { set: { role: "commander", permits: ["*"], compartments } }, ...traits });
  const ask = (actor: object): Promise<any> => at.mesh.broker.call("encryption.keys.create", { name: "kept", problemSetId: "set", compartments: ["red"] }, { meta: { actor, idempotencyKey: "make-one" } });
  const { id } = await ask(member(["red", "blue"]));
  expect((await ask(member(["blue", "red", "green"]))).id).toBe(id);
  for (const other of [member(["blue"]), member(["red", "blue"], { mode: "training" })]) await expect(ask(other)).rejects.toMatchObject({ code: 409 });
  await expect(ask({ ...member([]), memberships: {} })).rejects.toMatchObject({ code: 404 });
});
