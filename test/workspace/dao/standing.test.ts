import { world, type TestWorld } from "../../mesh.ts";
import { as, openCompartment, openSet, openStaffedSet, persons, type Person } from "../people.ts";

// What somebody may do in a DAO and what their vote counts, before they do it: told through the gateway.

let at: TestWorld;
let ann: Person, ben: Person, cat: Person, dan: Person, eve: Person, set: string, compartment: string;

beforeAll(async () => {
  at = await world();
  [ann, ben, cat, dan, eve] = await persons(at, "ann", "ben", "cat", "dan", "eve");
  set = await openStaffedSet(at, ann, { deputy: ben, analyst: cat, observer: dan });
  compartment = await openCompartment(at, set, ann, "Sources", ben);
});
afterAll(() => at.stop());

const found = async (config: object = {}, fields: object = {}): Promise<string> =>
  (
    await as(at, ann)("POST", "/api/dao", {
      problemSetId: set,
      name: "Council",
      config: { periodSeconds: 3_600, ...config },
      ...fields,
    })
  ).body.data.id;
const propose = async (dao: string, fields: object = {}, by = ann): Promise<string> =>
  (await as(at, by)("POST", `/api/dao/${dao}/proposals`, { title: "Raise the dike", ...fields })).body.data.id;
const standing = async (who: Person, dao: string, proposal?: string): Promise<any> =>
  (await as(at, who)("GET", `/api/dao/${dao}${proposal ? `/proposals/${proposal}` : ""}/me`)).body.data;
const vote = (who: Person, dao: string, id: string, choice: unknown) =>
  as(at, who)("POST", `/api/dao/${dao}/proposals/${id}/vote`, { choice });

it("shows whose power a vote carries, and who speaks for whoever has not voted", async () => {
  const dao = await found();
  await as(at, cat)("POST", `/api/dao/${dao}/delegate`, { to: ben.userId });
  expect(await standing(ben, dao)).toMatchObject({
    votes: true,
    power: "1",
    carried: "2",
    total: "3",
    represents: [cat.userId],
    delegators: [{ from: cat.userId, to: ben.userId }],
    acts: { propose: { allowed: true }, govern: { allowed: true }, vote: { allowed: true } },
  });
  expect(await standing(cat, dao)).toMatchObject({ carried: "1", delegation: { to: ben.userId }, delegators: [] });

  const id = await propose(dao);
  expect(await standing(ben, dao, id)).toMatchObject({ frozen: true, carried: "2", acts: { vote: { allowed: true } } });
  expect((await standing(cat, dao, id)).speaker).toBeUndefined();
  await vote(ben, dao, id, "for");
  expect(await standing(cat, dao, id)).toMatchObject({ speaker: ben.userId, carried: "1", represents: [] });
  const count = async () => (await as(at, dan)("GET", `/api/dao/${dao}/proposals/${id}/tally`)).body.data.carried;
  expect(await count()).toEqual([expect.objectContaining({ voter: ben.userId, power: "2" })]);
  // Whoever votes takes their power back.
  await vote(cat, dao, id, "against");
  expect(await standing(cat, dao, id)).toMatchObject({ vote: { choice: "against" } });
  expect((await standing(cat, dao, id)).speaker).toBeUndefined();
  expect(await standing(ben, dao, id)).toMatchObject({ carried: "1", vote: { choice: "for" }, represents: [] });
  expect((await count()).map(({ power }: { power: string }) => power)).toEqual(["1", "1"]);
});

it("says what may be done, and why not: by role, threshold, state, authorship and clock", async () => {
  const dao = await found({
    basis: "token",
    proposalThreshold: "5",
    amendment: "vote",
    changeable: false,
    quorumBps: 0,
    timelockSeconds: 600,
  });
  expect((await standing(ben, dao)).acts).toMatchObject({
    propose: { allowed: false, why: "Proposing needs a power of 5; yours is 0." },
    govern: { allowed: false, why: expect.stringContaining("by proposal alone") },
  });
  expect((await standing(dan, dao)).acts.vote).toMatchObject({
    allowed: false,
    why: expect.stringContaining("observer"),
  });
  expect(await standing(dan, dao)).toMatchObject({ votes: false, power: "0", carried: "0" });
  // A class may ask for less than the DAO does.
  const easier = await found({
    proposalThreshold: "5",
    classes: [{ name: "small", rules: { proposalThreshold: "1" } }],
  });
  expect((await standing(ben, easier)).acts.propose).toEqual({ allowed: true });

  const plain = await found({ changeable: false, quorumBps: 0, delaySeconds: 60, timelockSeconds: 600 });
  const id = await propose(plain);
  expect(await standing(ben, plain, id)).toMatchObject({
    frozen: false,
    power: "1",
    acts: { vote: { allowed: false }, cancel: { allowed: false, why: expect.stringContaining("proposer") } },
  });
  expect((await standing(ann, plain, id)).acts.cancel).toEqual({ allowed: true });
  at.clock.advance(61_000);
  expect((await vote(ben, plain, id, "for")).status).toBe(200);
  expect((await standing(ben, plain, id)).acts.vote).toMatchObject({
    allowed: false,
    why: expect.stringContaining("not changed"),
  });
  at.clock.advance(3_601_000);
  expect((await standing(cat, plain, id)).acts.vote).toMatchObject({ allowed: false });
  await as(at, ann)("POST", `/api/dao/${plain}/proposals/${id}/finalize`, {});
  expect((await standing(cat, plain, id)).acts.execute).toMatchObject({
    allowed: false,
    why: expect.stringContaining("timelock"),
  });
  at.clock.advance(601_000);
  expect((await standing(cat, plain, id)).acts.execute).toEqual({ allowed: true });
  expect((await standing(dan, plain, id)).acts.execute.allowed).toBe(false);
});

it("lists the proposals of all DAOs of one's sets, and none of what lies behind a barrier or in a stranger's set", async () => {
  const hidden = await as(at, ben)("POST", "/api/dao", {
    problemSetId: set,
    name: "Quince",
    compartments: [compartment],
    config: { periodSeconds: 3_600 },
  });
  const secret = await propose(hidden.body.data.id, { title: "Quince" }, ben);
  const open = await propose(await found());
  const listed = async (who: Person, query = ""): Promise<string[]> =>
    (await as(at, who)("GET", `/api/dao/proposals?limit=100${query}`)).body.data.map(({ id }: any) => id);
  expect(await listed(ben, "&status=active")).toEqual(expect.arrayContaining([secret, open]));
  expect(await listed(dan)).toContain(open);
  for (const who of [ann, cat, dan]) expect(await listed(who)).not.toContain(secret);
  expect(await listed(eve)).toEqual([]);
  expect((await as(at, eve)("GET", `/api/dao/proposals?problemSetId=${set}`)).status).toBe(404);
  expect(await listed(ann, `&problemSetId=${await openSet(at, ann)}`)).toEqual([]);
  const byId = (who: Person, id: string) => as(at, who)("GET", `/api/dao/proposals/${id}`);
  expect((await byId(dan, open)).body.data).toMatchObject({ id: open, title: "Raise the dike" });
  expect((await byId(ben, secret)).status).toBe(200);
  for (const who of [ann, cat, eve]) expect((await byId(who, secret)).status).toBe(404);
  for (const path of ["me", `proposals/${secret}/me`]) {
    expect((await as(at, ann)("GET", `/api/dao/${hidden.body.data.id}/${path}`)).status).toBe(404);
    expect((await as(at, eve)("GET", `/api/dao/${hidden.body.data.id}/${path}`)).status).toBe(404);
  }
});

it("has the governance analysis miss no quorum that is there", async () => {
  const dao = await found({ quorumBps: 5_000 });
  const [reached, short] = [await propose(dao), await propose(dao)];
  const missing = async (): Promise<string[]> =>
    (await as(at, ann)("GET", `/api/agents/governance-copilot/analyze?problemSetId=${set}`)).body.data.advice
      .filter(({ kind }: any) => kind === "quorum")
      .map(({ evidence }: any) => evidence[0].id);
  expect(await missing()).toEqual(expect.arrayContaining([reached, short]));
  await vote(ann, dao, reached, "for");
  await vote(ben, dao, reached, "against");
  await vote(ann, dao, short, "for");
  expect(await missing()).toContain(short);
  expect(await missing()).not.toContain(reached);
});

it("adds tokens up, however many digits that makes", async () => {
  const dao = await found({ basis: "token" });
  const tokens = "9".repeat(38);
  for (const { did } of [ann, ben]) await as(at, ann)("PUT", `/api/dao/${dao}/members/${did}`, { tokens });
  const total = String(2n * BigInt(tokens));
  expect(await standing(ann, dao)).toMatchObject({ power: tokens, carried: tokens, total });
  const id = await propose(dao);
  for (const who of [ann, ben]) expect((await vote(who, dao, id, "for")).status).toBe(200);
  expect(await standing(ben, dao, id)).toMatchObject({ frozen: true, total });
  const { body } = await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}/tally`);
  expect(body.data.recomputed).toMatchObject({ scores: [total, "0", "0"], power: { total, cast: total } });
});

it("what somebody takes along has the proposals, votes and delegations that are theirs, and those of nobody else", async () => {
  const dao = await found();
  await as(at, cat)("POST", `/api/dao/${dao}/delegate`, { to: ben.userId });
  const [own, other] = [
    await propose(dao, { title: "Share the boats" }, cat),
    await propose(dao, { title: "Sell the boats" }),
  ];
  await vote(cat, dao, other, "against");
  await vote(ben, dao, own, "for");
  const held = (await as(at, cat)("GET", "/api/user-profile/export")).body.data.holdings.dao;
  expect(held["Proposals that you put forward"].map(({ title }: any) => title)).toContain("Share the boats");
  expect(held["Proposals that you put forward"].map(({ title }: any) => title)).not.toContain("Sell the boats");
  expect(held["Votes that you cast"]).toContainEqual(
    expect.objectContaining({ proposalId: other, voter: cat.userId, choice: "against" }),
  );
  expect(held["Votes that you cast"].filter(({ voter }: any) => voter !== cat.userId)).toEqual([]);
  expect(held["Votes that you cast"].filter(({ proposalId }: any) => proposalId === own)).toEqual([]);
  expect(held["Voting power that you delegated, or that was delegated to you"]).toContainEqual(
    expect.objectContaining({ from: cat.userId, to: ben.userId }),
  );
});
