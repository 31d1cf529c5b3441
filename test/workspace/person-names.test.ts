import { systemActor } from "../../core/access/access.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, signIn, type Person } from "./people.ts";

// People have names: beside each id of a person stands what they are called, for those who may see them.

let at: TestWorld;
let ada: Person, ben: Person, cy: Person, eve: Person;
let set: string;
const call = (who: Person, name: string | null) => as(at, who)("POST", "/api/user-profile", { displayName: name });
const read = async (who: Person, path: string): Promise<any> => {
  const reply = await as(at, who)("GET", path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data;
};
const made = async (who: Person, path: string, body: object = {}): Promise<any> => {
  const reply = await as(at, who)("POST", path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data;
};

beforeAll(async () => {
  at = await world();
  [ada, ben, cy, eve] = await persons(at, "ada", "ben", "cy", "eve");
  for (const [who, name] of [
    [ada, "Ada Lovelace"],
    [ben, "Ben"],
    [eve, "Eve"],
  ] as const)
    await call(who, name);
  set = await openSet(at, ada);
  await admit(at, set, ben, "deputy");
  await admit(at, set, cy, "planner");
});
afterAll(() => at.stop());

it("what is told of a member in an activity says what they are called, to those who may know, and no DID", async () => {
  const did = (who: Person) => encodeURIComponent(who.did);
  await as(at, ada)("POST", `/api/problem-sets/${set}/members/${did(cy)}/role`, { role: "analyst" });
  await as(at, ada)("POST", `/api/problem-sets/${set}/members/${did(cy)}/role`, { role: "planner" });
  const told = await eventually(
    async () => (await read(ben, `/api/problem-sets/${set}/activity?kind=member.role-changed`)) as any[],
    (all) => all.length >= 2,
  );
  expect(told.map(({ summary }) => summary)).toContain("(no name), analyst until now, is planner.");
  expect(told.map(({ subject }) => subject.id)).toContain(cy.did);
  const [fay] = await persons(at, "fay");
  const other = await openSet(at, ada);
  const { code } = (await as(at, ada)("POST", `/api/problem-sets/${other}/invite`, { role: "observer" })).body.data;
  await as(at, fay!)("POST", "/api/problem-sets/invite/accept-by-code", { code });
  const [came] = await eventually(
    async () => (await read(ada, `/api/problem-sets/${other}/activity?kind=invitation.accepted`)) as any[],
    (all) => all.length > 0,
  );
  expect(came.summary).toBe("(no name) accepted an invitation.");
});

it("a credential of the problem set says whose it is, and who changed its status", async () => {
  const issued = (
    await as(at, ada)("POST", "/api/credentials/issue/role-assignment", {
      userId: ben.userId,
      role: "planner",
      problemSetId: set,
    })
  ).body.data;
  expect(issued).toMatchObject({ subject: ben.did, subjectName: "Ben" });
  await as(at, ada)("POST", `/api/credentials/${issued.id}/suspend`, { reason: "Lapsed" });
  expect((await as(at, ben)("GET", `/api/credentials/${issued.id}`)).body.data).toMatchObject({
    subjectName: "Ben",
    statusBy: ada.userId,
    statusByName: "Ada Lovelace",
  });
  await as(at, ada)("POST", `/api/credentials/${issued.id}/reinstate`, {});
});

it("members, gates, missions, votes, messages, staff and activity show what people are called", async () => {
  expect(await read(cy, `/api/problem-sets/${set}/members`)).toMatchObject([
    { userId: ada.userId, userName: "Ada Lovelace" },
    { userId: ben.userId, userName: "Ben" },
    { userId: cy.userId, userName: "(no name)" },
  ]);
  const gate = await made(ada, "/api/gates", { problemSetId: set, tab: "plan", name: "Evacuate" });
  expect(gate).toMatchObject({ createdBy: ada.userId, createdByName: "Ada Lovelace" });
  await made(ben, `/api/gates/${gate.id}/submit`);
  await made(ada, `/api/gates/${gate.id}/approve`, { note: "Go" });
  expect(await read(cy, `/api/gates/gate/${gate.id}`)).toMatchObject({
    submittedByName: "Ben",
    decidedByName: "Ada Lovelace",
    decisions: [{ byName: "Ben" }, { byName: "Ada Lovelace" }],
  });
  const mission = await made(ada, "/api/missions", { problemSetId: set, name: "Convoy" });
  expect(await read(ben, `/api/missions?problemSetId=${set}`)).toMatchObject([{ createdByName: "Ada Lovelace" }]);
  expect(await read(ben, `/api/missions/${mission.id}/participants`)).toMatchObject([{ userName: "Ada Lovelace" }]);
  const { id: dao } = await made(ada, "/api/dao", {
    problemSetId: set,
    name: "Council",
    config: { periodSeconds: 60 },
  });
  const { id: proposal } = await made(ada, `/api/dao/${dao}/proposals`, { title: "Move" });
  await made(ben, `/api/dao/${dao}/proposals/${proposal}/vote`, { choice: "for" });
  expect(await read(ada, `/api/dao/${dao}/proposals/${proposal}/votes`)).toMatchObject([{ voterName: "Ben" }]);
  await made(ben, "/api/messages", { problemSetId: set, channel: "convoys", type: "convoy.left", payload: {} });
  expect(await read(cy, `/api/messages?problemSetId=${set}`)).toMatchObject([{ createdByName: "Ben" }]);
  await made(ada, "/api/encryption/keys", { name: "orders", problemSetId: set });
  expect(await read(cy, `/api/encryption/keys?problemSetId=${set}`)).toMatchObject([{ createdByName: "Ada Lovelace" }]);
  await made(ada, `/api/problem-sets/${set}/positions`, { title: "Operations", holderDid: ben.did });
  expect(await read(cy, `/api/problem-sets/${set}/positions`)).toMatchObject([{ holderName: "Ben" }]);
  const activity = () => read(cy, `/api/problem-sets/${set}/activity?kind=gate.submitted`);
  const [joined] = await read(cy, `/api/problem-sets/${set}/activity?kind=member.joined&limit=1`);
  expect(joined.subject).toMatchObject({ type: "member", id: cy.did, name: "(no name)" });
  expect(await eventually(activity, ([first]) => first !== undefined)).toMatchObject([
    { by: ben.userId, byName: "Ben" },
  ]);
});

it("a stream of messages shows it too", async () => {
  const stream = await fetch(`${at.url}/api/messages/channels/convoys/stream?problemSetId=${set}`, {
    headers: { authorization: `Bearer ${cy.token}`, "last-event-id": "0" },
  });
  let text = "";
  for await (const chunk of stream.body!) {
    text += Buffer.from(chunk).toString();
    if (text.includes("message.published") && text.endsWith("\n\n")) break;
  }
  expect(text).toContain('"createdByName":"Ben"');
});

it("what people are called is described", async () => {
  const { paths, components } = (await at.http("GET", "/api/openapi.json")).body;
  expect(components.schemas.ProblemSetMember.properties.userName).toMatchObject({ type: "string" });
  expect(components.schemas.DaoVote.properties.voterName.description).toContain("(erased)");
  expect(paths["/api/accounts/people"].get.operationId).toBe("accounts.persons.list");
});

/** Domains whose records lie in no problem set, and words for a person that are none in the others. */
const BESIDE_SETS =
  /^(accounts|admin|articles|audit|auth|briefings|discovery|edge-sync|escrow|identity|jobs|keys|search|source[a-z-]*|user-[a-z]+|v1|verification|webhooks)\./;
const NO_PERSONS = new Set(["confirmBy", "neededBy", "supersededBy", "usedBy", "filter.by"]);

it("no answer about what lies in a problem set names a person by id alone", async () => {
  const { paths, components } = (await at.http("GET", "/api/openapi.json")).body;
  const nameless = new Set<string>();
  const walk = (schema: any, path: string, within: ReadonlySet<unknown>): void => {
    const $ref = schema?.$ref?.split("/").at(-1);
    const { properties = {}, items, additionalProperties, ...rest } = $ref ? components.schemas[$ref] : (schema ?? {});
    if (within.has($ref ?? schema) || schema === undefined) return;
    const inner = new Set([...within, $ref ?? schema]);
    for (const [field, value] of Object.entries<any>(properties)) {
      const isPerson = /^(by|[a-z]+By|voterId)$/.test(field) && value.type === "string";
      const known = [field, `${path.split(".").at(-1)}.${field}`].some((one) => NO_PERSONS.has(one));
      if (isPerson && !known && !(`${field.replace(/Id$/, "")}Name` in properties)) nameless.add(`${path}.${field}`);
      walk(value, `${path}.${field}`, inner);
    }
    for (const one of [
      items,
      additionalProperties,
      ...(rest.anyOf ?? []),
      ...(rest.oneOf ?? []),
      ...(rest.allOf ?? []),
    ])
      if (typeof one === "object") walk(one, path, inner);
  };
  for (const operation of Object.values<any>(paths).flatMap(Object.values) as any[])
    if (!BESIDE_SETS.test(operation.operationId ?? ""))
      for (const [code, { content }] of Object.entries<any>(operation.responses))
        if (code.startsWith("2") && content?.["application/json"])
          walk(content["application/json"].schema, operation.operationId, new Set());
  expect([...nameless]).toEqual([]);
});

it("a set's people can be picked from, by its members alone, a page at a time", async () => {
  const path = `/api/accounts/people?problemSetId=${set}`;
  expect((await as(at, eve)("GET", path)).status).toBe(404);
  expect((await as(at, eve)("GET", "/api/accounts/people")).status).toBe(400);
  const first = (await as(at, cy)("GET", `${path}&limit=2`)).body;
  const rest = (await as(at, cy)("GET", `${path}&limit=2&cursor=${first.meta.next}`)).body;
  expect(rest.meta.next).toBeNull();
  expect([...first.data, ...rest.data].map(({ userName, role }: any) => `${userName} ${role}`).sort()).toEqual([
    "(no name) planner",
    "Ada Lovelace commander",
    "Ben deputy",
  ]);
});

it("nobody outside is named, whatever record names their id", async () => {
  const asked = [eve.userId, eve.did, ben.userId].map((person) => ({ person, problemSetId: set }));
  expect(await at.call("accounts.persons.names", { asked }, systemActor("test"))).toEqual([null, null, "Ben"]);
  // A reader who is no member of the set that a record lies in is told no name, though the record came their way.
  const above = await openSet(at, eve);
  const below = await made(ada, "/api/problem-sets", { name: "Below" });
  expect(below.createdByName).toBe("Ada Lovelace");
  const mine = await read(eve, "/api/problem-sets/me");
  expect(mine.map(({ id, createdByName }: any) => [id, createdByName])).toEqual([[above, "Eve"]]);
});

it("an administrator reads whose a DID is too, in a set of theirs", async () => {
  const admin = { ...ada, token: await at.tokenOf("system_admin") };
  const own = await openSet(at, admin);
  await admit(at, own, ben, "deputy");
  const room = await openCompartment(at, own, admin, "Blue", ben);
  const rooms = await read(admin, `/api/problem-sets/${own}/compartments`);
  expect(rooms.find(({ id }: { id: string }) => id === room)).toMatchObject({ memberNames: ["Ben"] });
});

it("an administrator reads whose keys, jobs and acts there are", async () => {
  const admin = { ...ada, token: await at.tokenOf("system_admin") };
  await made(ada, "/api/keys", { name: "Nightly" });
  const keys = await read(admin, "/api/admin/api-keys");
  expect(keys.find(({ name }: any) => name === "Nightly")).toMatchObject({
    userId: ada.userId,
    userName: "Ada Lovelace",
  });
  expect(await read(admin, `/api/audit?actor=${ada.userId}&limit=1`)).toMatchObject([{ actorName: "Ada Lovelace" }]);
  const exported = await as(at, admin)("GET", "/api/audit/export");
  expect(exported.text).not.toContain("actorName");
  await made(ada, "/api/cop/agents/trigger", { problemSetId: set });
  const jobs = await read(admin, "/api/jobs?kind=cop.generate");
  expect(jobs).toMatchObject([{ by: ada.userId, byName: "Ada Lovelace" }]);
});

it("a compartment's records name people to those read in; its name-giving opens nothing", async () => {
  const room = await openCompartment(at, set, ada, "Red", ben);
  expect(await read(ada, `/api/problem-sets/${set}/compartments`)).toMatchObject([{ memberNames: ["Ben"] }]);
  const secret = await made(ben, "/api/gates", {
    problemSetId: set,
    compartments: [room],
    tab: "plan",
    name: "Secret",
  });
  expect((await as(at, cy)("GET", `/api/gates/gate/${secret.id}`)).status).toBe(404);
  expect(await read(ben, `/api/gates/gate/${secret.id}`)).toMatchObject({ createdByName: "Ben" });
});

it("who calls themself anew, leaves, or is erased, is shown so", async () => {
  const gates = async (): Promise<string[]> =>
    (await read(ada, `/api/gates/${set}?limit=100`)).map(({ submittedByName }: any) => submittedByName).filter(Boolean);
  const later = (expected: string) =>
    eventually(
      () => (at.clock.advance(2_000), gates()),
      (names) => names[0] === expected,
    );
  await call(ben, "Benedict");
  await later("Benedict");
  await as(at, ada)("DELETE", `/api/problem-sets/${set}/members/${ben.did}`);
  expect((await read(ada, `/api/problem-sets/${set}/members`)).map(({ userName }: any) => userName)).toEqual([
    "Ada Lovelace",
    "(no name)",
  ]);
  await later("Benedict");
  // Nobody passes for one who is gone.
  await call(ben, "(erased)");
  await later("(no name)");
  const token = await signIn(at, ben.email);
  const wish = await at.http("POST", "/api/user-profile/erasure", { as: token, body: { email: ben.email } });
  expect(wish.status).toBe(202);
  await later("(erased)");
});

it("activity names who waits to be let in, who has left, and who was erased since, and shows no DID", async () => {
  const [gil, hal] = (await persons(at, "gil", "hal")) as [Person, Person];
  await call(gil, "Gil");
  await call(hal, "Hal");
  const other = await openSet(at, ada);
  const { code } = await made(ada, `/api/problem-sets/${other}/invite`, { role: "observer", approval: true, uses: 2 });
  await made(gil, "/api/problem-sets/invite/accept-by-code", { code });
  await admit(at, other, hal, "analyst");
  await as(at, hal)("DELETE", `/api/problem-sets/${other}/members/${encodeURIComponent(hal.did)}`);
  const summaries = async (): Promise<string[]> =>
    (await read(ada, `/api/problem-sets/${other}/activity?limit=100`)).map(({ summary }: any) => summary);
  const told = (wanted: string) =>
    eventually(
      () => (at.clock.advance(2_000), summaries()),
      (all) => all.includes(wanted),
    );
  await told("Gil accepted an invitation and waits for approval.");
  await told("Hal is no longer a member.");
  const token = await signIn(at, hal.email);
  await at.http("POST", "/api/user-profile/erasure", { as: token, body: { email: hal.email } });
  await told("(erased) is no longer a member.");
  expect((await summaries()).filter((summary) => summary.includes("did:"))).toEqual([]);
});

it("whoever is erased is a member no longer: nobody counts on them, and no compartment keeps them", async () => {
  const [ida] = (await persons(at, "ida")) as [Person];
  await call(ida, "Ida");
  const other = await openSet(at, ada);
  await admit(at, other, ida, "deputy");
  const room = await openCompartment(at, other, ada, "Pay", ida);
  // Neither an archive nor a command of which they are the last stands in the way of their wish.
  const past = await openSet(at, ada);
  await admit(at, past, ida, "analyst");
  expect((await as(at, ada)("DELETE", `/api/problem-sets/${past}`)).status).toBeLessThan(300);
  await openSet(at, ida);
  const token = await signIn(at, ida.email);
  const wish = await at.http("POST", "/api/user-profile/erasure", { as: token, body: { email: ida.email } });
  expect(wish.status).toBe(202);
  await eventually(
    () => read(ada, `/api/problem-sets/${other}/members`),
    (members) => members.length === 1,
  );
  const [compartment] = await read(ada, `/api/problem-sets/${other}/compartments`);
  expect(compartment).toMatchObject({ id: room, memberDids: [] });
  await eventually(
    async () => (await at.http("GET", "/api/jobs?kind=user-profile.erase&limit=1")).body.data[0],
    (job) => job?.status === "completed",
  );
  expect(await read(ada, `/api/problem-sets/${past}/members`)).toHaveLength(1);
});
