import { systemActor } from "../../../core/access/access.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { Dao } from "../../../services/workspace/dao/daos.ts";
import { MESH } from "../../../services/workspace/dao/context.ts";
import { Proposal } from "../../../services/workspace/dao/proposals/proposals.ts";
import { Vote } from "../../../services/workspace/dao/votes/ballots.ts";
import { ProposalExecuted } from "../../../services/workspace/dao/events.ts";
import { on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { isApart } from "../../apart.ts";
import { eventually, itInside, world, type TestWorld } from "../../mesh.ts";
import { admit, as, openSet, person, type Person, persons } from "../people.ts";

// What a vote decided really happens: once, after its timelock, in its own problem set.

let at: TestWorld;
let ann: Person, ben: Person, cat: Person, set: string;
const told: string[] = [];
const ear = {
  name: "ear",
  settings: { rest: "/ear" },
  mixins: [
    domain({
      hears: [
        on(ProposalExecuted, ({ proposalId }) => {
          told.push(proposalId);
        }),
      ],
    }),
  ],
};
const HOUR = 3_600_000;
const ALL = ["change-config", "grant-dao-role", "revoke-dao-role", "grant-set-role", "open-gate", "pay-bounty"];

beforeAll(async () => {
  at = await world({}, { extra: isApart ? [] : [ear] });
  [ann, ben, cat] = await persons(at, "ann", "ben", "cat");
  set = await openSet(at, ann);
  await admit(at, set, ben, "deputy");
  await admit(at, set, cat, "analyst");
});
afterAll(() => at.stop());

const store = <E extends typeof Dao | typeof Proposal | typeof Vote>(entity: E) =>
  (at.service("dao") as unknown as Host).store(entity);
const found = async (config: object = {}, who = ann, problemSetId = set): Promise<string> =>
  (
    await as(at, who)("POST", "/api/dao", {
      problemSetId,
      name: "Council",
      config: { periodSeconds: 3_600, measures: ALL, ...config },
    })
  ).body.data.id;
const post = (dao: string, path: string, body: object = {}, who = ann) =>
  as(at, who)("POST", `/api/dao/${dao}/proposals${path}`, body);
/** Proposed, voted for, and its close come. */
const passed = async (dao: string, measures: object[], who = ann): Promise<string> => {
  const made = await post(dao, "", { title: "Decide", measures }, who);
  expect([made.status, made.text]).toEqual([201, made.text]);
  await post(dao, `/${made.body.data.id}/vote`, { choice: "for" }, who);
  at.clock.advance(HOUR);
  return made.body.data.id;
};
const execute = async (dao: string, id: string, who = ann): Promise<any> =>
  (await post(dao, `/${id}/execute`, {}, who)).body;
const configOf = async (dao: string): Promise<any> => (await as(at, ann)("GET", `/api/dao/${dao}`)).body.data.config;

it("changes the DAO's configuration, after the timelock and not before", async () => {
  const dao = await found({ timelockSeconds: 600, amendment: "vote" });
  const id = await passed(dao, [{ do: "change-config", config: { quorumBps: 4_321, amendment: "governors" } }]);
  expect((await execute(dao, id)).error).toMatchObject({ code: "TIMELOCKED", details: { eta: expect.any(String) } });
  expect((await configOf(dao)).quorumBps).toBe(2_000);
  at.clock.advance(600_000);
  expect((await execute(dao, id)).data).toMatchObject({
    status: "executed",
    executedBy: ann.userId,
    steps: [{ do: "change-config", status: "done", result: { fields: ["quorumBps", "amendment"] } }],
  });
  expect(await configOf(dao)).toMatchObject({ quorumBps: 4_321, amendment: "governors" });
  await as(at, ann)("PUT", `/api/dao/${dao}/config`, { quorumBps: 1 });
  expect((await execute(dao, id)).error).toMatchObject({ code: "INVALID_TRANSITION", details: { state: "executed" } });
  expect((await configOf(dao)).quorumBps).toBe(1);
});

itInside("says once that it was executed", async () => {
  const dao = await found();
  const id = await passed(dao, []);
  expect((await execute(dao, id)).data.status).toBe("executed");
  await eventually(
    () => told,
    (all) => all.includes(id),
  );
  expect(told.filter((one) => one === id)).toHaveLength(1);
});

it("is done once by twenty who ask at the same moment", async () => {
  const dao = await found();
  const { id: roleId } = (await as(at, ann)("POST", `/api/dao/${dao}/roles`, { name: "Steward" })).body.data;
  const id = await passed(dao, [{ do: "grant-dao-role", account: cat.did, roleId }]);
  const replies = await Promise.all(Array.from({ length: 20 }, () => post(dao, `/${id}/execute`)));
  expect(replies.filter(({ status }) => status === 200 || status === 202)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
  const proposal = await eventually(
    async () => (await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}`)).body.data,
    ({ status }) => status === "executed",
  );
  expect(proposal.steps).toHaveLength(1);
  expect(
    (await as(at, cat)("GET", `/api/dao/${dao}/members/${cat.userId}/roles`)).body.data.map(({ name }: any) => name),
  ).toEqual(["Steward"]);
});

itInside("repeated, as after a kill, gives nothing back that was taken away since", async () => {
  const dao = await found();
  const { id: roleId } = (await as(at, ann)("POST", `/api/dao/${dao}/roles`, { name: "Steward" })).body.data;
  const id = await passed(dao, [{ do: "grant-dao-role", account: cat.did, roleId }]);
  expect((await execute(dao, id)).data.status).toBe("executed");
  await as(at, ann)("DELETE", `/api/dao/${dao}/members/${cat.userId}/roles/${roleId}`);
  const again = await store(Proposal).get(MESH, id);
  await store(Proposal).revise(MESH, again as never, {
    status: "queued",
    running: true,
    steps: [{ do: "grant-dao-role", status: "pending" }],
  });
  await (at.service("dao") as unknown as Host).jobs.add("dao.execute", { proposalId: id }, { by: "test", key: id });
  await eventually(
    async () => ((await store(Proposal).get(MESH, id)) as Proposal).status,
    (status) => status === "executed",
  );
  expect((await as(at, cat)("GET", `/api/dao/${dao}/members/${cat.userId}/roles`)).body.data).toEqual([]);
});

it("gives a role in the problem set, and does only what the option that won calls for", async () => {
  const dao = await found();
  const made = await post(dao, "", {
    title: "Who leads?",
    kind: "single",
    options: ["Cat plans", "Nobody"],
    measures: [
      { do: "grant-set-role", account: cat.did, role: "planner", option: 0 },
      { do: "change-config", config: { quorumBps: 9 }, option: 1 },
    ],
  });
  const { id } = made.body.data;
  await post(dao, `/${id}/vote`, { choice: 0 });
  at.clock.advance(HOUR);
  expect((await execute(dao, id)).data).toMatchObject({
    status: "executed",
    steps: [{ do: "grant-set-role", status: "done", result: { userId: cat.userId, role: "planner" } }],
  });
  const members = await at.call("problem-sets.membersOf", { problemSetId: set }, systemActor("test"));
  expect(members.find((one: any) => one.userId === cat.userId).role).toBe("planner");
  expect((await configOf(dao)).quorumBps).toBe(2_000);
});

it("brings nobody back who has left meanwhile, says so, and gives the role once they are in again", async () => {
  const dao = await found();
  const eve = await person(at, "eve");
  await admit(at, set, eve, "analyst");
  const id = await passed(dao, [{ do: "grant-set-role", account: eve.did, role: "planner" }]);
  expect((await as(at, eve)("DELETE", `/api/problem-sets/${set}/members/${encodeURIComponent(eve.did)}`)).status).toBe(
    204,
  );
  expect((await execute(dao, id)).data).toMatchObject({
    status: "queued",
    steps: [
      {
        do: "grant-set-role",
        status: "waiting",
        reason: "They are no member of the problem set, and become one only by an invitation that they accept.",
      },
    ],
  });
  expect((await as(at, eve)("GET", `/api/problem-sets/${set}`)).status).toBe(404);
  await admit(at, set, eve, "observer");
  expect((await execute(dao, id)).data).toMatchObject({ status: "executed", steps: [{ status: "done" }] });
});

it("opens a gate of its own problem set, and finds none of another", async () => {
  const gateIn = async (problemSetId: string): Promise<string> => {
    const made = await as(at, ann)("POST", "/api/gates", {
      problemSetId,
      name: "Go",
      tab: "planning",
      enforcement: "hard",
    });
    expect([made.status, made.text]).toEqual([201, made.text]);
    return made.body.data.id;
  };
  const [own, foreign] = [await gateIn(set), await gateIn(await openSet(at, ann, { name: "Elsewhere" }))];
  const dao = await found();
  expect((await execute(dao, await passed(dao, [{ do: "open-gate", gateId: own }]))).data).toMatchObject({
    status: "executed",
  });
  const gates = await (
    await at.mesh.world.documents.collection("gates")
  ).find({ query: { _id: { $in: [own, foreign] } } });
  expect(gates.find(({ _id }) => _id === own)!["status"]).toBe("approved");
  // Nor is there a vote on it: what the DAO does not see is as what is not there.
  for (const gateId of [foreign, own.replace(/.{4}$/, "ffff")])
    expect(
      (await post(dao, "", { title: "Open it", measures: [{ do: "open-gate", gateId }] })).body.error,
    ).toMatchObject({ code: "TARGET_NOT_FOUND", message: `measures.0: No gate ${gateId}.` });
  expect((await (await at.mesh.world.documents.collection("gates")).findById(foreign))!["status"]).toBe("open");
});

it("stays queued with the reason where the installation lacks what it takes, does nothing twice, and expires", async () => {
  const dao = await found({ graceSeconds: 3_600 });
  const id = await passed(dao, [
    { do: "change-config", config: { quorumBps: 77 } },
    { do: "pay-bounty", bountyId: "none" },
  ]);
  const first = (await execute(dao, id)).data;
  // The escrow is there, but has neither wallet nor that bounty: the first measure was done, the second waits.
  expect(first).toMatchObject({
    status: "queued",
    waitingFor: expect.any(String),
    steps: [{ status: "done" }, { status: "waiting", code: "NOT_FOUND" }],
  });
  expect((await post(dao, `/${id}/cancel`)).body.error.code).toBe("EXECUTING");
  expect((await execute(dao, id)).data).toMatchObject({
    status: "queued",
    steps: [{ status: "done", at: first.steps[0].at }, { status: "waiting" }],
  });
  at.clock.advance(HOUR);
  expect((await execute(dao, id)).error).toMatchObject({ code: "INVALID_TRANSITION", details: { state: "expired" } });
});

it("says NOT_CONFIGURED for a bounty without a wallet, and simulates it in training", async () => {
  const bounties = await at.mesh.world.documents.collection("escrow_bounties");
  const now = new Date(at.clock.now()).toISOString();
  const bounty = (id: string, createdBy: string) =>
    bounties.insert({
      _id: id,
      rev: 1,
      createdAt: now,
      updatedAt: now,
      createdBy,
      title: "Who?",
      description: "",
      amount: "1",
      refundAddress: "zs1",
      status: "submitted",
      stage: "funded",
      round: 0,
    });
  await Promise.all([bounty("b-own", ben.userId), bounty("b-foreign", "stranger")]);
  const dao = await found();
  const own = await passed(dao, [{ do: "pay-bounty", bountyId: "b-own" }]);
  expect((await execute(dao, own)).data).toMatchObject({
    status: "queued",
    steps: [{ status: "waiting", code: "NOT_CONFIGURED" }],
    waitingFor: expect.stringContaining("wallet"),
  });
  expect((await execute(dao, await passed(dao, [{ do: "pay-bounty", bountyId: "b-foreign" }]))).data).toMatchObject({
    steps: [{ status: "waiting", code: "FORBIDDEN" }],
  });
  expect((await post(dao, `/${own}/cancel`)).body.data.status).toBe("cancelled");

  await as(at, cat)("PUT", "/api/user-mode", { mode: "training" });
  const drill = await openSet(at, cat);
  const practice = await found({}, cat, drill);
  const id = await passed(practice, [{ do: "pay-bounty", bountyId: "b-own" }], cat);
  expect((await execute(practice, id, cat)).data).toMatchObject({
    status: "executed",
    steps: [{ status: "done", simulated: true }],
  });
  await as(at, cat)("PUT", "/api/user-mode", { mode: "operational" });
  expect((await as(at, cat)("GET", `/api/dao/${practice}`)).status).toBe(404);
});

it("executes by itself where the DAO says so, and expires what nobody executed", async () => {
  const dao = await found({ autoExecute: true, timelockSeconds: 60 });
  const id = await passed(dao, [{ do: "change-config", config: { quorumBps: 1_234 } }]);
  await eventually(
    async () => (await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}`)).body.data.status,
    (status) => status === "queued",
  );
  expect((await configOf(dao)).quorumBps).toBe(2_000);
  at.clock.advance(60_000);
  await eventually(
    async () => (await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}`)).body.data.status,
    (status) => status === "executed",
  );
  expect((await configOf(dao)).quorumBps).toBe(1_234);

  const slow = await found({ graceSeconds: 60 });
  const left = await passed(slow, [{ do: "change-config", config: { quorumBps: 1_234 } }]);
  const resolution = await passed(slow, []);
  for (const one of [left, resolution]) await post(slow, `/${one}/finalize`);
  at.clock.advance(60_000);
  await eventually(
    async () => (await as(at, ann)("GET", `/api/dao/${slow}/proposals/${left}`)).body.data.status,
    (status) => status === "expired",
  );
  // A resolution has nothing to be executed in time: it stands, and is taken back by no one person.
  const stands = (await as(at, ann)("GET", `/api/dao/${slow}/proposals/${resolution}`)).body.data;
  expect([stands.status, stands.expiresAt]).toEqual(["queued", undefined]);
  expect((await post(slow, `/${resolution}/cancel`)).body.error.code).toBe("ADOPTED");
  expect((await execute(slow, resolution)).data).toMatchObject({ status: "executed", executedBy: ann.userId });
});

it("lets a resolution stand that was queued when such still expired", async () => {
  const dao = await found({ graceSeconds: 60 });
  const id = await passed(dao, []);
  await post(dao, `/${id}/finalize`);
  const proposals = await at.mesh.world.documents.collection("dao_proposals");
  const soon = new Date(at.clock.now() + 30_000).toISOString();
  await proposals.updateById(id, { $set: { expiresAt: soon, dueAt: soon } });
  at.clock.advance(60_000);
  await eventually(
    async () => (await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}`)).body.data,
    ({ status, expiresAt }) => status === "queued" && expiresAt === undefined,
  );
});

itInside(
  "goes on with an execution whose job was lost with its node, and finishes an opening that a kill cut short",
  async () => {
    const dao = await found();
    const id = await passed(dao, [{ do: "change-config", config: { quorumBps: 555 } }]);
    const { data: queued } = (await post(dao, `/${id}/finalize`)).body;
    expect(queued.status).toBe("queued");
    // As a node leaves it that dies between the mark and the job.
    await store(Proposal).revise(MESH, (await store(Proposal).get(MESH, id)) as never, {
      running: true,
      executedBy: ann.userId,
      dueAt: new Date(at.clock.now()).toISOString(),
    });
    await eventually(
      () => configOf(dao),
      ({ quorumBps }) => quorumBps === 555,
    );

    const { id: second } = (await post(dao, "", { title: "Half open" })).body.data;
    const votes = (await store(Vote).find(MESH, { proposalId: second })) as Vote[];
    await store(Vote).remove(MESH, votes[0]! as never);
    await store(Proposal).revise(MESH, (await store(Proposal).get(MESH, second)) as never, {
      status: "pending",
      dueAt: new Date(at.clock.now()).toISOString(),
    });
    await eventually(
      async () => ((await store(Proposal).get(MESH, second)) as Proposal).status,
      (status) => status === "active",
    );
    expect(await store(Vote).count(MESH, { proposalId: second })).toBe(votes.length);
  },
);

it("lets nothing in after the seal: votes cast while the voting ends are in the tally, or are turned down", async () => {
  const people = await Promise.all(Array.from({ length: 12 }, (_, n) => person(at, `voter${n}`)));
  const crowd = await openSet(at, ann);
  for (const one of people) await admit(at, crowd, one, "analyst");
  const dao = await found({}, ann, crowd);
  for (let round = 0; round < 3; round++) {
    const { id } = (await post(dao, "", { title: `Round ${round}` })).body.data;
    await post(dao, `/${id}/vote`, { choice: "for" });
    at.clock.advance(HOUR - 150);
    const [replies] = await Promise.all([
      Promise.all(
        people.map((who, n) =>
          new Promise((resolve) => setTimeout(resolve, n * 25)).then(() =>
            post(dao, `/${id}/vote`, { choice: n % 2 ? "for" : "against" }, who),
          ),
        ),
      ),
      eventually(
        () => post(dao, `/${id}/finalize`),
        ({ status }) => status === 200,
      ),
    ]);
    const counted = (await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}/tally`)).body.data;
    expect(counted.equal).toBe(true);
    expect(counted.stored.voters).toBe(1 + replies.filter(({ status }) => status === 200).length);
    expect(
      replies.filter(({ status }) => status !== 200).every(({ body }) => body.error.code === "VOTING_CLOSED"),
    ).toBe(true);
  }
});

it("begins nothing where a service that it takes is not there", async () => {
  const small = await world({ SERVICES: "gateway,identity,workspace,platform" });
  try {
    const one = await person(small, "one");
    const problemSetId = await openSet(small, one);
    const say = (method: string, path: string, body?: object) => as(small, one)(method, `/api/dao${path}`, body);
    const { id: dao } = (
      await say("POST", "", { problemSetId, name: "Council", config: { periodSeconds: 60, measures: ALL } })
    ).body.data;
    const { id } = (
      await say("POST", `/${dao}/proposals`, {
        title: "Pay",
        measures: [
          { do: "change-config", config: { quorumBps: 5 } },
          { do: "pay-bounty", bountyId: "b" },
        ],
      })
    ).body.data;
    await say("POST", `/${dao}/proposals/${id}/vote`, { choice: "for" });
    small.clock.advance(60_000);
    expect((await say("POST", `/${dao}/proposals/${id}/execute`)).body.data).toMatchObject({
      status: "queued",
      waitingFor: "This installation has no escrow.bounty.pay.",
      steps: [{ status: "waiting", code: "NOT_CONFIGURED" }, { status: "pending" }],
    });
    expect((await say("GET", `/${dao}`)).body.data.config.quorumBps).toBe(2_000);
    expect((await say("POST", `/${dao}/proposals/${id}/cancel`, {})).body.data.status).toBe("cancelled");
  } finally {
    await small.stop();
  }
});

it("carries out nothing in an archived set: the proposal waits until it is restored", async () => {
  const shelved = await openSet(at, ann);
  const dao = await found({ autoExecute: true, timelockSeconds: 60 }, ann, shelved);
  const id = await passed(dao, [{ do: "change-config", config: { quorumBps: 1_234 } }]);
  await as(at, ann)("DELETE", `/api/problem-sets/${shelved}`);
  at.clock.advance(120_000);
  await eventually(
    async () => (await as(at, ann)("GET", `/api/dao/${dao}/proposals/${id}`)).body.data,
    ({ waitingFor }) => waitingFor?.includes("archived"),
  );
  expect((await configOf(dao)).quorumBps).toBe(2_000);
  await at.http("POST", `/api/problem-sets/${shelved}/restore`, { as: "admin" });
  expect((await execute(dao, id)).data).toMatchObject({ status: "executed" });
  expect((await configOf(dao)).quorumBps).toBe(1_234);
});
