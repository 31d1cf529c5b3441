import { systemActor } from "../../core/access/access.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { Member } from "../../services/workspace/problem-sets/members/members.ts";
import { MembershipsByPerson } from "../../services/workspace/problem-sets/members/memberships.ts";
import type { SetsHost } from "../../services/workspace/problem-sets/sets/sets.actions.ts";
import { eventually, itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, person, persons, signIn, type Person } from "./people.ts";

let at: TestWorld;
let ann: Person, bob: Person, eve: Person;
beforeAll(async () => {
  at = await world();
  [ann, bob, eve] = await persons(at, "ann", "bob", "eve");
});
afterAll(() => at.stop());

const mesh = (action: string, params: object) => at.call(`problem-sets.${action}`, params, systemActor("test"));

/** How many members each look-up found. */
function membersRead(): { read: number[]; end(): void } {
  const members = (at.service("problem-sets") as Host).store(Member).collection;
  const read: number[] = [];
  const find = members.find.bind(members);
  members.find = async (params?: object) => {
    const found = await find(params);
    read.push(found.length);
    return found;
  };
  return { read, end: () => void (members.find = find) };
}

it("opens with its creator as commander, and is nothing to a stranger", async () => {
  const id = await openSet(at, ann, { description: "Upper river" });
  expect((await as(at, ann)("GET", `/api/problem-sets/${id}`)).body.data).toMatchObject({
    name: "Flood",
    description: "Upper river",
    status: "active",
    training: false,
  });
  expect((await as(at, ann)("GET", `/api/problem-sets/${id}/members`)).body).toMatchObject({
    data: [{ did: ann.did, role: "commander", status: "active" }],
    meta: { total: 1 },
  });
  for (const path of ["", "/members", "/hierarchy", "/compartments"])
    expect((await as(at, eve)("GET", `/api/problem-sets/${id}${path}`)).status).toBe(404);
  expect((await as(at, eve)("PATCH", `/api/problem-sets/${id}`, { name: "Mine" })).status).toBe(404);
  // Nor to an administrator of the platform.
  expect((await at.http("GET", `/api/problem-sets/${id}`)).status).toBe(404);
  expect((await as(at, eve)("GET", "/api/problem-sets/me")).body.meta.total).toBe(0);
});

it("is read alone where something changed in it, however many others its member is in", async () => {
  const cyd = await person(at, "cyd");
  const ids = await Promise.all(Array.from({ length: 12 }, () => openSet(at, cyd)));
  const memberships = () => mesh("membershipsOf", { userId: cyd.userId, training: false });
  const before = await memberships();
  expect(Object.keys(before).sort()).toEqual([...ids].sort());
  const { read, end } = membersRead();
  try {
    const last = await openSet(at, cyd);
    expect((await as(at, cyd)("GET", `/api/problem-sets/${last}`)).status).toBe(200);
    expect(Object.keys(await memberships())).toHaveLength(13);
    expect((await as(at, cyd)("DELETE", `/api/problem-sets/${ids[0]}`)).status).toBe(200);
    expect((await memberships())[ids[0]!]).toMatchObject({ role: "commander", archived: true });
    // What was answered before stays what it was.
    expect(before[ids[0]!]).not.toHaveProperty("archived");
    expect(Math.max(...read)).toBeLessThan(3);
    await at.mesh.broker.broadcast("identity.access.changed", { userId: cyd.userId });
    await memberships();
    expect(Math.max(...read)).toBe(13);
  } finally {
    end();
  }
});

itInside("is known to each node of a mesh by what is counted in the store, whatever that node heard", async () => {
  const service = at.service("problem-sets") as SetsHost;
  const alone = service.memberships;
  const other = new MembershipsByPerson(service, service.counted);
  service.memberships = new MembershipsByPerson(service, service.counted);
  const { read, end } = membersRead();
  try {
    const fay = await person(at, "fay");
    const ids = await Promise.all(Array.from({ length: 12 }, () => openSet(at, fay)));
    const known = () => other.of(fay.userId, false);
    const before = await known();
    expect(Object.keys(before).sort()).toEqual([...ids].sort());
    await service.memberships.of(fay.userId, false);
    read.length = 0;
    const last = await openSet(at, fay);
    expect(Object.keys(await known())).toHaveLength(13);
    await admit(at, last, eve, "planner");
    expect((await as(at, fay)("DELETE", `/api/problem-sets/${ids[0]}`)).status).toBe(200);
    const after = await known();
    expect(after[ids[0]!]).toMatchObject({ role: "commander", archived: true });
    expect(after[ids[1]!]).toBe(before[ids[1]!]);
    expect(Math.max(...read)).toBeLessThan(3);
    // More than are told one by one.
    for (let n = 0; n < 70; n++) await service.counted.note(fay.userId, last);
    await known();
    expect(Math.max(...read)).toBe(13);
    await Promise.all(Array.from({ length: 20 }, () => service.counted.note(fay.userId, last)));
    expect(await service.counted.of(fay.userId)).toMatchObject({ n: 13 + 1 + 70 + 20 });
  } finally {
    end();
    service.memberships = alone;
  }
});

it("lists one's own sets with role and primary", async () => {
  const { meta: before } = (await as(at, bob)("GET", "/api/problem-sets/me")).body;
  const [first, second] = [await openSet(at, bob, { name: "First" }), await openSet(at, ann, { name: "Second" })];
  await admit(at, second, bob, "planner");
  expect((await as(at, bob)("PUT", "/api/problem-sets/me/primary", { problemSetId: second })).status).toBe(200);
  const { data, meta } = (await as(at, bob)("GET", "/api/problem-sets/me?sort=name")).body;
  expect(meta.total).toBe(before.total + 2);
  expect(data.find((set: any) => set.id === first)).toMatchObject({ role: "commander", primary: false });
  expect(data.find((set: any) => set.id === second)).toMatchObject({ role: "planner", primary: true });
  expect((await as(at, bob)("GET", `/api/problem-sets/${second}`)).body.data).toMatchObject({
    role: "planner",
    primary: true,
  });
  expect((await as(at, eve)("PUT", "/api/problem-sets/me/primary", { problemSetId: second })).status).toBe(404);
  expect((await as(at, bob)("PUT", "/api/problem-sets/me/primary", { problemSetId: null })).body.data).toEqual({
    problemSetId: null,
  });
  expect((await as(at, bob)("GET", "/api/problem-sets/me")).body.data.some((set: any) => set.primary)).toBe(false);
});

it("is archived by its commander alone, then read and not written, and restored by an administrator who sees nothing of it", async () => {
  const id = await openSet(at, ann);
  await admit(at, id, bob, "deputy");
  expect((await as(at, bob)("DELETE", `/api/problem-sets/${id}`)).status).toBe(403);
  expect((await as(at, ann)("DELETE", `/api/problem-sets/${id}`)).body.data.status).toBe("archived");
  expect((await as(at, bob)("GET", `/api/problem-sets/${id}`)).body.data.status).toBe("archived");
  expect(await as(at, bob)("PATCH", `/api/problem-sets/${id}`, { name: "New" })).toMatchObject({
    status: 409,
    body: { error: { code: "ARCHIVED" } },
  });
  expect(await as(at, ann)("POST", `/api/problem-sets/${id}/members/${bob.did}/suspend`, {})).toMatchObject({
    status: 409,
    body: { error: { code: "ARCHIVED" } },
  });
  expect((await as(at, ann)("POST", `/api/problem-sets/${id}/restore`)).status).toBe(403);
  expect((await at.http("POST", `/api/problem-sets/${id}/restore`, { as: "admin" })).body.data).toEqual({
    id,
    status: "active",
  });
  expect(await at.http("POST", `/api/problem-sets/${id}/restore`, { as: "admin" })).toMatchObject({
    status: 409,
    body: { error: { code: "INVALID_TRANSITION" } },
  });
  expect((await as(at, bob)("PATCH", `/api/problem-sets/${id}`, { name: "New" })).body.data.name).toBe("New");
});

it("gives no role above one's own, and touches nobody above", async () => {
  const id = await openSet(at, ann);
  await admit(at, id, bob, "deputy");
  await admit(at, id, eve, "observer");
  const path = (who: Person, verb: string) => `/api/problem-sets/${id}/members/${who.did}/${verb}`;
  expect((await as(at, eve)("POST", path(eve, "role"), { role: "planner" })).status).toBe(403);
  expect((await as(at, bob)("POST", path(eve, "role"), { role: "commander" })).status).toBe(403);
  expect((await as(at, bob)("POST", path(bob, "role"), { role: "commander" })).status).toBe(403);
  for (const verb of ["suspend", "unsuspend"])
    expect((await as(at, bob)("POST", path(ann, verb), verb === "suspend" ? {} : undefined)).status).toBe(403);
  expect((await as(at, bob)("DELETE", `/api/problem-sets/${id}/members/${ann.did}`)).status).toBe(403);
  expect((await as(at, bob)("POST", path(eve, "role"), { role: "deputy" })).body.data.role).toBe("deputy");
  expect(await as(at, ann)("POST", path(eve, "role"), { role: "general" })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: "role" }] } },
  });
  expect(
    await as(at, ann)("POST", `/api/problem-sets/${id}/members/did:example:nobody/role`, { role: "observer" }),
  ).toMatchObject({ status: 404 });
});

it("closes to a suspended member with their next request, and opens again as it was", async () => {
  const id = await openSet(at, ann);
  await admit(at, id, bob, "planner");
  expect((await as(at, bob)("GET", `/api/problem-sets/${id}`)).status).toBe(200);
  const suspend = () =>
    as(at, ann)("POST", `/api/problem-sets/${id}/members/${bob.did}/suspend`, { reason: "Lost a device" });
  expect((await suspend()).body.data.status).toBe("suspended");
  expect((await as(at, bob)("GET", `/api/problem-sets/${id}`)).status).toBe(404);
  expect((await suspend()).status).toBe(200);
  expect(await mesh("membersOf", { problemSetId: id })).toMatchObject([{ userId: ann.userId }]);
  expect((await as(at, ann)("POST", `/api/problem-sets/${id}/members/${bob.did}/unsuspend`)).body.data).toMatchObject({
    status: "active",
    role: "planner",
  });
  expect((await as(at, bob)("GET", `/api/problem-sets/${id}`)).status).toBe(200);
});

it("keeps its last commander, whoever asks", async () => {
  const id = await openSet(at, ann);
  await admit(at, id, bob, "deputy");
  const path = `/api/problem-sets/${id}/members/${ann.did}`;
  for (const reply of [
    await as(at, ann)("POST", `${path}/role`, { role: "planner" }),
    await as(at, ann)("POST", `${path}/suspend`, {}),
    await as(at, ann)("DELETE", path),
  ]) {
    expect(reply).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", details: { reason: "LAST_COMMANDER" } } },
    });
  }
  await expect(mesh("grant", { problemSetId: id, did: ann.did, role: "observer" })).rejects.toMatchObject({
    code: 409,
  });
  await as(at, ann)("POST", `/api/problem-sets/${id}/members/${bob.did}/role`, { role: "commander" });
  expect((await as(at, ann)("DELETE", path)).status).toBe(204);
  expect((await as(at, ann)("GET", `/api/problem-sets/${id}`)).status).toBe(404);
  expect((await as(at, bob)("GET", `/api/problem-sets/${id}/members`)).body.data).toMatchObject([
    { did: bob.did, role: "commander" },
  ]);
});

it("lets a member leave, and tells of every change", async () => {
  const id = await openSet(at, ann);
  await admit(at, id, eve, "observer");
  expect((await as(at, eve)("DELETE", `/api/problem-sets/${id}/members/${ann.did}`)).status).toBe(403);
  expect((await as(at, eve)("DELETE", `/api/problem-sets/${id}/members/${eve.did}`)).status).toBe(204);
  expect((await as(at, eve)("GET", `/api/problem-sets/${id}`)).status).toBe(404);
  expect(await mesh("membershipsOf", { userId: eve.userId, training: false })).not.toHaveProperty(id);
});

it("keeps training sets and operational ones apart by their creator's mode", async () => {
  const tom = await person(at, "tom");
  const real = await openSet(at, tom, { name: "Real" });
  await as(at, tom)("PUT", "/api/user-mode", { mode: "training" });
  const drill = await openSet(at, tom, { name: "Drill" });
  expect((await as(at, tom)("GET", `/api/problem-sets/${drill}`)).body.data.training).toBe(true);
  expect((await as(at, tom)("GET", `/api/problem-sets/${real}`)).status).toBe(404);
  expect((await as(at, tom)("POST", "/api/problem-sets", { name: "Below", parentId: real })).status).toBe(404);
  expect((await as(at, tom)("GET", "/api/problem-sets/me")).body.data.map((set: any) => set.name)).toEqual(["Drill"]);
  expect((await as(at, tom)("PATCH", `/api/problem-sets/${drill}`, { training: false })).status).toBe(400);
  await as(at, tom)("PUT", "/api/user-mode", { mode: "operational" });
  expect((await as(at, tom)("GET", `/api/problem-sets/${drill}`)).status).toBe(404);
});

it("is not written by a key that may only read", async () => {
  const key = async (scopes: string[]) =>
    (await at.http("POST", "/api/keys", { as: ann.token, body: { name: "k", scopes } })).body.data.key;
  const ask = (secret: string, method: string, body?: unknown) =>
    at.http(method, `/api/problem-sets${method === "GET" ? "/me" : ""}`, {
      as: null,
      body,
      headers: { "x-api-key": secret },
    });
  const [reading, elsewhere, writing] = [
    await key(["read"]),
    await key(["write", "articles"]),
    await key(["write", "problem-sets"]),
  ];
  expect((await ask(reading, "GET")).status).toBe(200);
  expect((await ask(reading, "POST", { name: "By key" })).status).toBe(403);
  expect((await ask(elsewhere, "GET")).status).toBe(403);
  expect((await ask(writing, "POST", { name: "By key" })).status).toBe(201);
});

describe("the hierarchy", () => {
  it("says that the set above refuses, where somebody may not put another below it", async () => {
    const top = await openSet(at, ann, { name: "Region" });
    const [lia] = await persons(at, "lia");
    await admit(at, top, lia!, "liaison");
    const below = await as(at, lia!)("POST", "/api/problem-sets", { name: "District", parentId: top });
    expect(below.body.error).toMatchObject({
      code: "FORBIDDEN",
      message:
        "Your role in the set that it would stand below (`parentId`), liaison, does not allow set:edit. These roles have it: commander, deputy.",
    });
  });

  it("says whose roles are meant where some of accounts are called alike", async () => {
    const email = "reader-of-the-set@example.org";
    await at.http("POST", "/api/auth/users", { body: { email, role: "reader", password: PASSWORD } });
    const token = await signIn(at, email);
    const reply = await at.http("POST", "/api/edge-sync/nodes", {
      as: token,
      body: { name: "Tablet", did: "did:key:z" },
    });
    expect(reply.body.error.message).toBe(
      "This needs the permit edge-sync:carry. Accounts of these roles have it: analyst, admin, system_admin.",
    );
  });

  it("shows what one is a member of, as far as it hangs together, and nothing of the rest", async () => {
    const top = await openSet(at, ann, { name: "Top" });
    const middle = await openSet(at, ann, { name: "Middle", parentId: top });
    const low = await openSet(at, ann, { name: "Low", parentId: middle });
    await openSet(at, ann, { name: "Other", parentId: middle });
    await admit(at, top, bob, "observer");
    await admit(at, low, bob, "observer");
    const names = (sets: any[]) => sets.map(({ name }) => name);
    const whole = (await as(at, ann)("GET", `/api/problem-sets/${middle}/hierarchy`)).body.data;
    expect([names(whole.above), names(whole.below)]).toEqual([["Top"], ["Low", "Other"]]);
    expect((await as(at, bob)("GET", `/api/problem-sets/${low}/hierarchy`)).body.data).toEqual({
      above: [],
      below: [],
    });
    expect((await as(at, bob)("GET", `/api/problem-sets/${top}/hierarchy`)).body.data).toEqual({
      above: [],
      below: [],
    });
    const seen = (await as(at, bob)("GET", `/api/problem-sets/${low}`)).text;
    expect(seen).not.toContain(middle);
    expect((await as(at, bob)("GET", "/api/problem-sets/me")).text).not.toContain(middle);
    expect(await mesh("lineage", { problemSetId: low })).toEqual({
      parentId: middle,
      archived: false,
      parentArchived: false,
      ancestors: [middle, top],
      children: [],
    });
  });

  it("refuses cycles, and a parent that one may not edit", async () => {
    const top = await openSet(at, ann, { name: "Top" });
    const low = await openSet(at, ann, { name: "Low", parentId: top });
    const put = (id: string, parentId: string | null) => as(at, ann)("PATCH", `/api/problem-sets/${id}`, { parentId });
    for (const parent of [low, top])
      expect(await put(top, parent)).toMatchObject({ status: 422, body: { error: { code: "HIERARCHY_CYCLE" } } });
    const bobs = await openSet(at, bob);
    expect((await put(top, bobs)).status).toBe(404);
    await admit(at, bobs, ann, "observer");
    expect((await put(top, bobs)).status).toBe(403);
    expect((await put(low, null)).body.data).not.toHaveProperty("parentId");
    expect((await put(top, low)).body.data.parentId).toBe(low);
  });
});

describe("compartments", () => {
  it("show to those who manage them and to those in them, and of others nothing; nobody reads themself in", async () => {
    const id = await openSet(at, ann);
    await admit(at, id, bob, "deputy");
    await admit(at, id, eve, "planner");
    const path = `/api/problem-sets/${id}/compartments`;
    expect((await as(at, eve)("POST", path, { name: "Mine" })).status).toBe(403);
    const { id: cid } = (await as(at, ann)("POST", path, { name: "Sources", description: "human" })).body.data;
    expect((await as(at, ann)("POST", `${path}/${cid}/members`, { did: ann.did })).status).toBe(403);
    expect((await as(at, eve)("GET", path)).body).toEqual({ data: [], meta: expect.objectContaining({ total: 0 }) });
    const members = async () => (await as(at, eve)("GET", `/api/problem-sets/${id}/members`)).text;
    const before = await members();
    expect((await as(at, ann)("POST", `${path}/${cid}/members`, { did: bob.did })).body.data.memberDids).toEqual([
      bob.did,
    ]);
    expect(await members()).toBe(before);
    expect((await as(at, ann)("GET", path)).body.data).toMatchObject([{ name: "Sources", memberDids: [bob.did] }]);
    const of = async (reader: Person, whom: Person) =>
      (await as(at, reader)("GET", `/api/problem-sets/${id}/members/${whom.did}/compartments`)).body.data.map(
        (one: any) => one.name,
      );
    expect([await of(ann, bob), await of(bob, bob), await of(eve, bob), await of(eve, eve)]).toEqual([
      ["Sources"],
      ["Sources"],
      [],
      [],
    ]);
    expect(await mesh("membershipsOf", { userId: bob.userId, training: false })).toMatchObject({
      [id]: { role: "deputy", compartments: [cid] },
    });
    for (const once of [bob.did, bob.did])
      expect((await as(at, ann)("DELETE", `${path}/${cid}/members/${once}`)).body.data.memberDids).toEqual([]);
    expect((await mesh("membershipsOf", { userId: bob.userId, training: false }))[id].compartments).toEqual([]);
  });

  it("are dissolved by two who manage them where neither is read in, told nothing of what lies there", async () => {
    const id = await openSet(at, ann);
    await admit(at, id, bob, "deputy");
    await admit(at, id, eve, "planner");
    const path = `/api/problem-sets/${id}/compartments`;
    const cid = await openCompartment(at, id, ann, "Short-lived", eve);
    const gate = { problemSetId: id, tab: "release", name: "Seen by eve", compartments: [cid] };
    expect((await as(at, eve)("POST", "/api/gates", gate)).status).toBe(201);
    const other = await openSet(at, ann);
    expect((await as(at, ann)("DELETE", `/api/problem-sets/${other}/compartments/${cid}`)).status).toBe(404);
    expect((await as(at, eve)("DELETE", `${path}/${cid}`)).status).toBe(403);
    // Once, and once more: one person stays one.
    for (const _ of [1, 2])
      expect(await as(at, ann)("DELETE", `${path}/${cid}`)).toMatchObject({
        status: 202,
        body: { data: { status: "active", closing: { by: ann.userId }, records: null } },
      });
    expect((await as(at, eve)("GET", `/api/gates/${id}`)).body.meta.total).toBe(1);
    const told = await eventually(
      async () => (await as(at, eve)("GET", `/api/problem-sets/${id}/activity?kind=compartment.closing`)).body.data,
      (items: any[]) => items.length > 0,
    );
    expect(told).toMatchObject([{ by: ann.userId, compartments: [cid] }]);
    expect((await as(at, ann)("GET", `${path}/${cid}/contents`)).status).toBe(403);
    expect((await as(at, eve)("GET", `${path}/${cid}/contents`)).body.data).toContainEqual({ kind: "gate", count: 1 });
    expect(await as(at, bob)("DELETE", `${path}/${cid}?records=move&to=${cid}`)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: "to" }] } },
    });
    expect(await as(at, bob)("DELETE", `${path}/${cid}`)).toMatchObject({
      status: 200,
      body: { data: { status: "dissolved", records: null } },
    });
    expect((await as(at, eve)("GET", `/api/gates/${id}`)).body.meta.total).toBe(0);
    expect((await mesh("membersOf", { problemSetId: id })).flatMap((one: any) => one.compartments)).toEqual([]);
    expect(await mesh("readersOf", { problemSetId: id, compartments: [cid] })).toEqual([]);
    expect((await as(at, ann)("POST", `${path}/${cid}/members`, { did: bob.did })).status).toBe(409);
    expect((await as(at, eve)("GET", `${path}/${cid}/contents`)).status).toBe(404);
  });

  it("are not dissolved by two of whom the first may not any longer", async () => {
    const id = await openSet(at, ann);
    await admit(at, id, bob, "deputy");
    const cid = await openCompartment(at, id, ann, "Kept");
    const path = `/api/problem-sets/${id}/compartments/${cid}`;
    expect((await as(at, bob)("DELETE", path)).status).toBe(202);
    await as(at, ann)("POST", `/api/problem-sets/${id}/members/${bob.did}/role`, { role: "observer" });
    expect(await as(at, ann)("DELETE", path)).toMatchObject({
      status: 202,
      body: { data: { closing: { by: ann.userId } } },
    });
    expect((await as(at, ann)("POST", `${path}/restore`)).body.data).not.toHaveProperty("closing");
  });

  it("are dissolved by one who is read in, told what it concerns, and restored as they were within thirty days", async () => {
    const id = await openSet(at, ann);
    await admit(at, id, bob, "deputy");
    await admit(at, id, eve, "planner");
    const cid = await openCompartment(at, id, ann, "Short-lived", bob, eve);
    const path = `/api/problem-sets/${id}/compartments/${cid}`;
    for (const name of ["One", "Two"])
      await as(at, eve)("POST", "/api/gates", { problemSetId: id, tab: "release", name, compartments: [cid] });
    const { status, body } = await as(at, bob)("DELETE", path);
    expect([status, body.data.status]).toEqual([200, "dissolved"]);
    expect(body.data.records).toContainEqual({ kind: "gate", count: 2 });
    expect(Date.parse(body.data.restorableUntil) - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    const gates = async (who: Person) => (await as(at, who)("GET", `/api/gates/${id}`)).body.meta.total;
    expect([await gates(bob), await gates(eve)]).toEqual([0, 0]);
    // Who is taken out meanwhile stays out.
    await as(at, ann)("DELETE", `${path}/members/${eve.did}`);
    expect((await as(at, ann)("POST", `${path}/restore`)).body.data).toMatchObject({ status: "active" });
    expect([await gates(ann), await gates(bob), await gates(eve)]).toEqual([0, 2, 0]);
    await as(at, bob)("DELETE", path);
    const compartments = await at.mesh.world.documents.collection("compartments");
    await compartments.updateMany({ _id: cid }, { $set: { restorableUntil: "2026-01-01T00:00:00.000Z" } });
    expect((await as(at, ann)("POST", `${path}/restore`)).status).toBe(409);
  });

  it("are moved by one who is read into both: those of the other see what lies there, until it is restored", async () => {
    const id = await openSet(at, ann);
    await admit(at, id, bob, "deputy");
    await admit(at, id, eve, "planner");
    const [from, to, last] = [
      await openCompartment(at, id, ann, "From", bob),
      await openCompartment(at, id, ann, "To", bob, eve),
      await openCompartment(at, id, bob, "Last", ann),
    ];
    const path = `/api/problem-sets/${id}/compartments`;
    await as(at, bob)("POST", "/api/gates", {
      problemSetId: id,
      tab: "release",
      name: "In both",
      compartments: [from],
    });
    const gates = async (who: Person) => (await as(at, who)("GET", `/api/gates/${id}`)).body.meta.total;
    expect(await gates(eve)).toBe(0);
    for (const [who, target] of [
      [ann, to],
      [bob, last],
    ] as const)
      expect((await as(at, who)("DELETE", `${path}/${from}?records=move&to=${target}`)).status).toBe(403);
    expect(await as(at, bob)("DELETE", `${path}/${from}?records=move&to=${to}`)).toMatchObject({
      status: 200,
      body: {
        data: { status: "dissolved", movedTo: to, records: expect.arrayContaining([{ kind: "gate", count: 1 }]) },
      },
    });
    expect([await gates(bob), await gates(eve), await gates(ann)]).toEqual([1, 1, 0]);
    const readers = await mesh("readersOf", { problemSetId: id, compartments: [from] });
    expect(readers.map((one: any) => one.userId).sort()).toEqual([bob.userId, eve.userId].sort());
    // And on, where that one is moved.
    await as(at, ann)("POST", `${path}/${last}/members`, { did: bob.did });
    await as(at, bob)("DELETE", `${path}/${to}?records=move&to=${last}`);
    expect([await gates(bob), await gates(eve), await gates(ann)]).toEqual([1, 0, 1]);
    expect((await as(at, bob)("POST", `${path}/${from}/restore`)).status).toBe(200);
    expect([await gates(bob), await gates(eve), await gates(ann)]).toEqual([1, 0, 0]);
  });

  it("speak of the compartment given where somebody writes into one that they are not in", async () => {
    const id = await openSet(at, ann);
    const cid = await openCompartment(at, id, ann, "Closed");
    const gate = { problemSetId: id, tab: "release", name: "Nowhere", compartments: [cid] };
    expect(await as(at, ann)("POST", "/api/gates", gate)).toMatchObject({
      status: 404,
      body: { error: { message: `No compartment ${cid}.` } },
    });
  });

  it("leave a trace in the audit log when somebody is read in or out", async () => {
    const id = await openSet(at, ann);
    await admit(at, id, bob, "planner");
    const { id: cid } = (await as(at, ann)("POST", `/api/problem-sets/${id}/compartments`, { name: "Watched" })).body
      .data;
    await as(at, ann)("POST", `/api/problem-sets/${id}/compartments/${cid}/members`, { did: bob.did });
    await as(at, ann)("DELETE", `/api/problem-sets/${id}/compartments/${cid}/members/${bob.did}`);
    const audit = await at.mesh.world.documents.collection("audit");
    const entries = await eventually(
      () => audit.find({ query: { actor: ann.userId, "object.id": cid } }),
      (found) => found.length >= 3,
    );
    expect(entries.map(({ action }) => action).sort()).toEqual([
      "problem-sets.compartments.create",
      "problem-sets.compartments.readIn",
      "problem-sets.compartments.readOut",
    ]);
  });
});
