import { privateKeyToAccount } from "viem/accounts";
import { eventually, world, type TestWorld } from "../../mesh.ts";
import { as, openSet, openStaffedSet, persons, type Person } from "../people.ts";

// A problem set decides by vote: told through the gateway, on real stores.

let at: TestWorld;
let ann: Person, ben: Person, cat: Person, dan: Person, eve: Person, set: string;
const HOUR = 3_600_000;

beforeAll(async () => {
  at = await world();
  [ann, ben, cat, dan, eve] = await persons(at, "ann", "ben", "cat", "dan", "eve");
  set = await openStaffedSet(at, ann, { deputy: ben, analyst: cat, observer: dan });
});
afterAll(() => at.stop());

const found = async (config: object = {}, fields: object = {}, by = ann): Promise<string> => {
  const reply = await as(at, by)("POST", "/api/dao", {
    problemSetId: set,
    name: "Council",
    config: { periodSeconds: 3_600, ...config },
    ...fields,
  });
  expect(reply.status).toBe(201);
  return reply.body.data.id;
};
const propose = async (dao: string, fields: object = {}, by = ann): Promise<any> => {
  const reply = await as(at, by)("POST", `/api/dao/${dao}/proposals`, { title: "Raise the dike", ...fields });
  expect(reply.text && reply.status).toBe(201);
  return reply.body.data;
};
const vote = (who: Person, dao: string, id: string, choice: unknown, more: object = {}) =>
  as(at, who)("POST", `/api/dao/${dao}/proposals/${id}/vote`, { choice, ...more });
const act = (who: Person, dao: string, id: string, what: string, body: object = {}) =>
  as(at, who)("POST", `/api/dao/${dao}/proposals/${id}/${what}`, body);
const read = async (dao: string, id: string, who = ann): Promise<any> =>
  (await as(at, who)("GET", `/api/dao/${dao}/proposals/${id}`)).body.data;
const count = async (dao: string, id: string): Promise<any> =>
  (await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}/tally`)).body.data;
const ended = async (dao: string, id: string): Promise<any> => {
  at.clock.advance(HOUR);
  return (await act(ann, dao, id, "finalize")).body.data;
};

describe("founding and configuring", () => {
  it("is for those whose role in the set allows it, and to strangers the DAO is not there", async () => {
    const dao = await found();
    expect((await as(at, cat)("POST", "/api/dao", { problemSetId: set, name: "Mine" })).status).toBe(403);
    expect((await as(at, eve)("POST", "/api/dao", { problemSetId: set, name: "Mine" })).status).toBe(404);
    for (const path of ["", "/proposals", "/roles", "/delegations", "/members", `/members/${ann.did}/roles`]) {
      expect((await as(at, eve)("GET", `/api/dao/${dao}${path}`)).status).toBe(404);
      expect((await as(at, dan)("GET", `/api/dao/${dao}${path}`)).status).toBe(200);
    }
    for (const filter of ["problemSetId", "workspaceId"]) {
      const elsewhere = await openSet(at, ann);
      expect((await as(at, eve)("GET", `/api/dao?${filter}=${set}`)).status).toBe(404);
      expect((await as(at, ann)("GET", `/api/dao?${filter}=${elsewhere}`)).body.data).toEqual([]);
      expect((await as(at, ann)("GET", `/api/dao?${filter}=${set}`)).body.data.map((one: any) => one.id)).toContain(
        dao,
      );
    }
    expect((await as(at, eve)("GET", "/api/dao")).body.meta.total).toBe(0);
    expect((await as(at, dan)("GET", `/api/dao?problemSetId=${set}`)).body.data.map((one: any) => one.id)).toContain(
      dao,
    );
  });

  it("changes what is sent and leaves the rest, by the revision read", async () => {
    const dao = await found();
    const {
      body: { data: before },
      headers,
    } = await as(at, ben)("GET", `/api/dao/${dao}`);
    const changed = await as(at, ben)(
      "PUT",
      `/api/dao/${dao}/config`,
      { quorumBps: 4_000 },
      { "if-match": headers.get("etag")! },
    );
    expect(changed.body.data.config).toEqual({ ...before.config, quorumBps: 4_000 });
    expect(
      (await as(at, ben)("PUT", `/api/dao/${dao}/config`, { quorumBps: 1 }, { "if-match": headers.get("etag")! }))
        .status,
    ).toBe(412);
    expect((await as(at, ben)("PUT", `/api/dao/${dao}/config`, { quorumBps: 10_001 })).body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [expect.objectContaining({ path: "quorumBps" })],
    });
    expect((await as(at, cat)("PUT", `/api/dao/${dao}/config`, { quorumBps: 1 })).status).toBe(403);
  });

  it("lets a commander alone allow what reaches beyond the DAO, and nobody by hand what is amended by vote", async () => {
    const dao = await found();
    expect((await as(at, ben)("PUT", `/api/dao/${dao}/config`, { measures: ["grant-set-role"] })).status).toBe(403);
    expect(
      (await as(at, ann)("PUT", `/api/dao/${dao}/config`, { measures: ["grant-set-role", "change-config"] })).status,
    ).toBe(200);
    expect(
      (await as(at, ben)("POST", "/api/dao", { problemSetId: set, name: "Grab", config: { measures: ["pay-bounty"] } }))
        .status,
    ).toBe(403);
    expect(
      (
        await as(at, ann)("POST", `/api/dao/${dao}/proposals`, {
          title: "More power",
          measures: [{ do: "change-config", config: { measures: ["pay-bounty"] } }],
        })
      ).body.error.code,
    ).toBe("MEASURE_NOT_ALLOWED");
    await as(at, ann)("PUT", `/api/dao/${dao}/config`, { amendment: "vote" });
    for (const [method, path, body] of [
      ["PUT", "config", { amendment: "governors" }],
      ["POST", "roles", { name: "Crown" }],
      ["PUT", `members/${ann.userId}`, { tokens: "9" }],
    ] as const) {
      expect((await as(at, ann)(method, `/api/dao/${dao}/${path}`, body)).body.error.code).toBe(
        "AMENDMENT_BY_PROPOSAL_ONLY",
      );
    }
  });
});

describe("voting", () => {
  it("takes one vote a voter, changed until the close; finalising before it is refused, after it gives a tally that can be recounted", async () => {
    const dao = await found();
    const { id, status, totalPower } = await propose(dao);
    expect([status, totalPower]).toEqual(["active", "3"]);
    expect((await vote(ann, dao, id, "for")).body.data).toMatchObject({
      voter: ann.userId,
      choice: "for",
      power: "1",
      changes: 1,
    });
    await vote(ben, dao, id, "for");
    expect((await vote(ben, dao, id, "against", { reason: "Too dear." })).body.data).toMatchObject({
      choice: "against",
      changes: 2,
      history: [expect.objectContaining({ choice: "for" })],
    });
    await vote(cat, dao, id, "for");
    expect((await vote(dan, dao, id, "for")).status).toBe(403);
    expect((await vote(ann, dao, id, 0)).body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [expect.objectContaining({ path: "choice" })],
    });
    expect((await act(ann, dao, id, "finalize")).body.error).toMatchObject({ code: "VOTING_OPEN" });
    expect((await act(ann, dao, id, "execute")).body.error).toMatchObject({
      code: "INVALID_TRANSITION",
      details: { state: "active" },
    });
    expect(await count(dao, id)).toMatchObject({ stored: null, equal: null, recomputed: { scores: ["2", "1", "0"] } });

    const closed = await ended(dao, id);
    expect(closed).toMatchObject({
      status: "queued",
      tally: { outcome: "succeeded", scores: ["2", "1", "0"], voters: 3 },
    });
    expect((await act(cat, dao, id, "finalize")).body.data).toEqual(closed);
    expect((await vote(cat, dao, id, "against")).body.error.code).toBe("VOTING_CLOSED");
    const recount = await count(dao, id);
    expect(recount).toMatchObject({ equal: true, stored: closed.tally, recomputed: closed.tally });
    expect(recount.inputs.ballots).toHaveLength(3);
    const { body } = await as(at, dan)("GET", `/api/dao/${dao}/proposals/${id}/votes`);
    expect(body.meta.total).toBe(3);
    expect((await as(at, dan)("GET", `/api/dao/${dao}/proposals/${id}/votes?voter=${ben.userId}`)).body.data).toEqual([
      expect.objectContaining({ choice: "against" }),
    ]);
  });

  it("closes by itself when its time comes", async () => {
    const dao = await found();
    const { id } = await propose(dao, { kind: "ranked", options: ["North", "South", "Middle"] });
    await vote(ann, dao, id, [0]);
    await vote(ben, dao, id, [1, 2]);
    await vote(cat, dao, id, [2, 1]);
    at.clock.advance(HOUR);
    // North goes first: all three tie throughout, and Middle is listed last; its vote passes on to South.
    expect(
      await eventually(
        () => read(dao, id),
        ({ status }) => status === "queued",
      ),
    ).toMatchObject({
      tally: { winner: 1, rounds: [{ eliminated: 2 }, { eliminated: null }], reason: "“South” won with 2 of 3." },
    });
    const activity = async (): Promise<any[]> =>
      (await as(at, ann)("GET", `/api/problem-sets/${set}/activity?kind=proposal.closed`)).body.data;
    const [told] = await eventually(activity, (rows) => rows.some(({ subject }) => subject.id === id));
    expect(told.summary).toMatch(/^Voting ended \(succeeded\): .* – “South” won with 2 of 3\.$/);
  });

  it("does not let a vote change where the DAO says so", async () => {
    const dao = await found({ changeable: false });
    const { id } = await propose(dao, { kind: "single", options: ["Yes", "No"] });
    expect((await vote(cat, dao, id, 1)).status).toBe(200);
    expect((await vote(cat, dao, id, 0)).body.error.code).toBe("ALREADY_VOTED");
  });

  it("waits for the delay, and takes power and trust as they are when it opens, not as they become", async () => {
    const dao = await found({ delaySeconds: 600, basis: "token", electorate: "listed", quorumBps: 0 });
    const tokens = (who: Person, amount: string) =>
      as(at, ann)("PUT", `/api/dao/${dao}/members/${encodeURIComponent(who.did)}`, { tokens: amount });
    expect((await tokens(ann, "100000000000000000000")).body.data).toMatchObject({ tokens: "100000000000000000000" });
    await tokens(cat, "7");
    expect((await tokens(eve, "7")).status).toBe(404);
    const { id, status } = await propose(dao);
    expect(status).toBe("pending");
    expect((await vote(ann, dao, id, "for")).body.error).toMatchObject({
      code: "INVALID_TRANSITION",
      details: { state: "pending" },
    });
    await tokens(cat, "8");
    at.clock.advance(600_000);
    // Whoever changes power afterwards opens the vote first.
    await tokens(cat, "9");
    await as(at, cat)("POST", `/api/dao/${dao}/delegate`, { to: ann.did });
    expect(await read(dao, id)).toMatchObject({ status: "active", totalPower: "100000000000000000008" });
    expect((await vote(ben, dao, id, "for")).status).toBe(403);
    await vote(cat, dao, id, "for");
    expect(await count(dao, id)).toMatchObject({
      recomputed: { scores: ["8", "0", "0"] },
      inputs: { delegations: [] },
    });
  });

  it("carries delegated power to the first on the way who votes; who votes takes theirs back", async () => {
    const dao = await found();
    const delegate = (from: Person, to: string, more: object = {}) =>
      as(at, from)("POST", `/api/dao/${dao}/delegate`, { to, ...more });
    expect((await delegate(cat, ben.did)).status).toBe(201);
    expect((await delegate(ben, ann.userId)).status).toBe(201);
    expect((await delegate(ann, cat.did)).body.error.code).toBe("DELEGATION_CYCLE");
    expect((await delegate(ann, ann.did)).body.error.code).toBe("SELF_DELEGATION");
    expect((await delegate(ann, dan.did)).body.error).toMatchObject({
      code: "NOT_FOUND",
      message: `Nobody who could vote in this DAO has the account ${dan.did}.`,
    });
    expect((await delegate(ann, ben.did, { expiresAt: "2020-01-01T00:00:00Z" })).body.error.details[0].path).toBe(
      "expiresAt",
    );
    expect((await as(at, dan)("GET", `/api/dao/${dao}/delegations`)).body).toMatchObject({
      meta: { total: 2 },
      data: expect.arrayContaining([expect.objectContaining({ from: cat.userId, to: ben.userId })]),
    });
    const { id } = await propose(dao);
    await vote(ann, dao, id, "for");
    expect(await count(dao, id)).toMatchObject({ recomputed: { scores: ["3", "0", "0"], represented: 3, voters: 1 } });
    await vote(cat, dao, id, "against");
    expect(await count(dao, id)).toMatchObject({ recomputed: { scores: ["2", "1", "0"] } });
    expect((await as(at, cat)("DELETE", `/api/dao/${dao}/delegate`)).status).toBe(204);
    expect((await as(at, dan)("GET", `/api/dao/${dao}/delegations?from=${cat.userId}`)).body.meta.total).toBe(0);
  });

  it("refuses circles under a race: of three who close one at once, at least one is turned down", async () => {
    const dao = await found();
    const pairs = [
      [ann, ben],
      [ben, cat],
      [cat, ann],
    ] as const;
    const replies = await Promise.all(
      pairs.map(([from, to]) => as(at, from)("POST", `/api/dao/${dao}/delegate`, { to: to.did })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422]);
  });

  it("weighs by roles, and a role lets propose below the threshold or withdraw what is another's", async () => {
    const dao = await found({ basis: "role", proposalThreshold: "5" });
    const role = async (fields: object): Promise<string> =>
      (await as(at, ben)("POST", `/api/dao/${dao}/roles`, fields)).body.data.id;
    const [elder, guardian] = [
      await role({ name: "Elder", weight: "4" }),
      await role({ name: "Guardian", weight: "0", allows: ["propose", "cancel"] }),
    ];
    expect((await as(at, cat)("POST", `/api/dao/${dao}/proposals`, { title: "Mine" })).status).toBe(403);
    const grant = (who: Person, roleId: string) =>
      as(at, ben)("POST", `/api/dao/${dao}/members/${who.userId}/roles`, { roleId });
    expect((await grant(cat, guardian)).body.data).toMatchObject({ userId: cat.userId, roles: [guardian] });
    await grant(cat, elder);
    expect((await grant(eve, elder)).status).toBe(404);
    expect(
      (await as(at, dan)("GET", `/api/dao/${dao}/members/${encodeURIComponent(cat.did)}/roles`)).body.data
        .map(({ name }: any) => name)
        .sort(),
    ).toEqual(["Elder", "Guardian"]);
    const { id } = await propose(dao, {}, cat);
    await vote(cat, dao, id, "for");
    expect(await count(dao, id)).toMatchObject({ recomputed: { scores: ["4", "0", "0"], power: { total: "4" } } });
    expect((await act(ann, dao, id, "cancel")).status).toBe(403);
    expect((await act(cat, dao, id, "cancel", { reason: "Later." })).body.data).toMatchObject({
      status: "cancelled",
      cancelled: { by: cat.userId, reason: "Later." },
    });
    expect((await vote(cat, dao, id, "for")).status).toBe(409);
    expect((await as(at, ben)("DELETE", `/api/dao/${dao}/members/${cat.userId}/roles/${elder}`)).status).toBe(204);
    expect(
      (await as(at, dan)("GET", `/api/dao/${dao}/members/${cat.userId}/roles`)).body.data.map(
        ({ id: roleId }: any) => roleId,
      ),
    ).toEqual([guardian]);
  });

  it("gives time when the quorum is reached late, once", async () => {
    const dao = await found({ lateQuorumSeconds: 1_800, quorumBps: 5_000 });
    const { id, deadline } = await propose(dao);
    await vote(ann, dao, id, "for");
    at.clock.advance(50 * 60_000);
    await vote(ben, dao, id, "for");
    const moved = await read(dao, id);
    expect(moved.extendedFrom).toBe(deadline);
    expect(Date.parse(moved.deadline) - Date.parse(moved.quorumReachedAt)).toBe(1_800_000);
    at.clock.advance(15 * 60_000);
    expect((await vote(cat, dao, id, "against")).status).toBe(200);
    expect((await act(ann, dao, id, "finalize")).body.error.code).toBe("VOTING_OPEN");
    at.clock.advance(16 * 60_000);
    expect((await act(ann, dao, id, "finalize")).body.data).toMatchObject({
      status: "queued",
      tally: { scores: ["2", "1", "0"] },
    });
  });

  it("takes classes of proposals with rules of their own, and says what does not fit", async () => {
    const dao = await found({ classes: [{ name: "charter", rules: { majorityBps: 7_500, periodSeconds: 7_200 } }] });
    const made = await propose(dao, { class: "charter" });
    expect(made.rules).toMatchObject({ majorityBps: 7_500 });
    expect(Date.parse(made.deadline) - Date.parse(made.startsAt)).toBe(2 * HOUR);
    const refused = async (fields: object): Promise<string> =>
      (await as(at, ann)("POST", `/api/dao/${dao}/proposals`, { title: "x", ...fields })).body.error.code;
    expect(await refused({ class: "none" })).toBe("UNKNOWN_CLASS");
    expect(await refused({ kind: "single" })).toBe("OPTIONS");
    expect(await refused({ kind: "single", options: ["a", "a"] })).toBe("OPTIONS");
    expect(await refused({ measures: [{ do: "grant-set-role", account: cat.did, role: "planner" }] })).toBe(
      "MEASURE_NOT_ALLOWED",
    );
    expect(await refused({ measures: [{ do: "grant-set-role", account: cat.did, role: "commander" }] })).toBe(
      "VALIDATION_ERROR",
    );
    expect(await refused({ measures: [{ do: "change-config", config: {}, option: 1 }] })).toBe("UNKNOWN_OPTION");
  });

  it("keeps a DAO in compartments, and all of it, from members not read into them; they have no vote", async () => {
    const { id: red } = (await as(at, ann)("POST", `/api/problem-sets/${set}/compartments`, { name: "Red" })).body.data;
    for (const [who, by] of [
      [ann, ben],
      [cat, ann],
    ] as const)
      await as(at, by)("POST", `/api/problem-sets/${set}/compartments/${red}/members`, { did: who.did });
    const dao = await found({}, { compartments: [red] });
    const { id, totalPower } = await propose(dao);
    expect(totalPower).toBe("2");
    expect((await vote(cat, dao, id, "for")).status).toBe(200);
    for (const path of [
      "",
      "/proposals",
      `/proposals/${id}`,
      `/proposals/${id}/votes`,
      `/proposals/${id}/tally`,
      "/delegations",
    ])
      expect((await as(at, ben)("GET", `/api/dao/${dao}${path}`)).status).toBe(404);
    expect((await vote(ben, dao, id, "for")).status).toBe(404);
    expect(
      (await as(at, ben)("GET", `/api/dao?problemSetId=${set}&limit=100`)).body.data.map((one: any) => one.id),
    ).not.toContain(dao);
  });
});

describe("signed votes", () => {
  const wallet = privateKeyToAccount(`0x${"11".repeat(32)}`);
  const other = privateKeyToAccount(`0x${"22".repeat(32)}`);
  const signWith = (account: typeof wallet, data: any) => account.signTypedData({ ...data, message: data.message });

  it("come from the voter's proved address, over this choice and this nonce, and from nowhere else", async () => {
    const dao = await found({ signatures: "required" });
    const { id } = await propose(dao);
    expect((await vote(cat, dao, id, "for")).body.error.code).toBe("SIGNATURE_REQUIRED");
    const form = async (choice: unknown) =>
      (await as(at, cat)("POST", `/api/dao/${dao}/proposals/${id}/vote/typed-data`, { choice })).body.data;
    const first = await form("for");
    expect(first).toMatchObject({
      primaryType: "Vote",
      message: { proposal: id, voter: cat.userId, choice: '"for"', nonce: 0 },
    });
    const signature = await signWith(wallet, first);
    expect((await vote(cat, dao, id, "for", { signature })).body.error.code).toBe("NO_VOTING_ADDRESS");

    const claim = (await as(at, cat)("GET", `/api/dao/${dao}/voting-address?address=${wallet.address}`)).body.data;
    const register = (who: Person, by: typeof wallet) =>
      signWith(by, claim).then((proof) =>
        as(at, who)("PUT", `/api/dao/${dao}/voting-address`, { address: wallet.address, signature: proof }),
      );
    expect((await register(cat, other)).body.error.code).toBe("SIGNATURE_INVALID");
    expect((await register(ben, wallet)).body.error.code).toBe("SIGNATURE_INVALID");
    expect((await register(cat, wallet)).body.data).toMatchObject({ address: wallet.address.toLowerCase() });

    const again = (await as(at, ben)("GET", `/api/dao/${dao}/voting-address?address=${wallet.address}`)).body.data;
    expect(
      (
        await as(at, ben)("PUT", `/api/dao/${dao}/voting-address`, {
          address: wallet.address,
          signature: await signWith(wallet, again),
        })
      ).status,
    ).toBe(409);

    expect((await vote(cat, dao, id, "against", { signature })).body.error.code).toBe("SIGNATURE_INVALID");
    expect((await vote(cat, dao, id, "for", { signature: await signWith(other, first) })).body.error.code).toBe(
      "SIGNATURE_INVALID",
    );
    expect((await vote(cat, dao, id, "for", { signature })).body.data).toMatchObject({
      choice: "for",
      signed: { signer: wallet.address.toLowerCase(), signature },
    });
    const second = await form("against");
    expect(second.message.nonce).toBe(1);
    expect((await vote(cat, dao, id, "against", { signature: await signWith(wallet, second) })).status).toBe(200);
    // The first signature does not bring the first choice back.
    expect((await vote(cat, dao, id, "for", { signature })).body.error.code).toBe("SIGNATURE_INVALID");
  });

  it("come as well from the blockchain account that is bound to the voter", async () => {
    expect((await as(at, ben)("POST", "/api/accounts/create", {})).status).toBe(201);
    // The platform holds that account's key and signs no transactions with it: the account of a wallet takes its place.
    await (
      await at.mesh.world.documents.collection("accounts")
    ).updateMany({ identityUserId: ben.userId }, { $set: { address: other.address } });
    const dao = await found();
    const { id } = await propose(dao);
    const form = (await as(at, ben)("POST", `/api/dao/${dao}/proposals/${id}/vote/typed-data`, { choice: "abstain" }))
      .body.data;
    expect((await vote(ben, dao, id, "abstain", { signature: await signWith(wallet, form) })).body.error.code).toBe(
      "SIGNATURE_INVALID",
    );
    expect((await vote(ben, dao, id, "abstain", { signature: await signWith(other, form) })).body.data).toMatchObject({
      signed: { signer: other.address.toLowerCase() },
    });
  });
});
