import fc from "fast-check";
import { SET_ROLE_NAMES, setPermitsOf, type SetRole } from "../../config/set-roles.ts";
import { holds, type Actor } from "../../core/access/access.ts";
import { GATE_ACTS, decided, may, GATE_STATES, type GateAct, type Gate } from "../../services/workspace/gates/gates.ts";
import { actor, eventually, world, type TestWorld } from "../mesh.ts";
import { as, openStaffedSet, persons, type Person } from "./people.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const member = (userId: string, role: SetRole, sets: string[] = ["alpha"], compartments: string[] = []): Actor =>
  actor("reader", {
    userId,
    provedAt: at?.clock.now() ?? Date.now(),
    memberships: Object.fromEntries(sets.map((set) => [set, { role, permits: setPermitsOf(role), compartments }])),
  });
const ben = member("ben", "planner"),
  cleo = member("cleo", "deputy"),
  olga = member("olga", "observer"),
  ann = member("ann", "commander");
const make = (fields: object = {}, who = ben): Promise<Gate> =>
  at.call("gates.create", { problemSetId: "alpha", tab: "orders", name: "Release of the order", ...fields }, who);

describe("a gate", () => {
  it("is put up by one and let pass by another, with every decision kept", async () => {
    const { id: gateId } = await make();
    await expect(at.call("gates.approve", { gateId }, cleo)).rejects.toMatchObject({
      code: 409,
      type: "INVALID_TRANSITION",
    });
    await at.call("gates.submit", { gateId, note: "Ready" }, cleo);
    await expect(at.call("gates.approve", { gateId }, ben)).rejects.toMatchObject({ code: 403 });
    await expect(at.call("gates.approve", { gateId }, cleo)).rejects.toMatchObject({
      code: 403,
      message: "Whoever submitted the gate cannot let it pass themself.",
    });
    await expect(at.call("gates.reject", { gateId }, ann)).rejects.toMatchObject({
      code: 400,
      data: { details: [{ path: "reason" }] },
    });
    await at.call("gates.reject", { gateId, reason: "No risk assessment." }, ann);
    const again = await at.call("gates.submit", { gateId }, cleo);
    for (const field of ["decidedBy", "decidedAt", "reason"]) expect(again).not.toHaveProperty(field);
    const approved = await at.call("gates.approve", { gateId }, ann);
    expect(approved).not.toHaveProperty("reason");
    expect(approved).toMatchObject({
      status: "approved",
      decidedBy: "ann",
      decisions: [
        { act: "submit", note: "Ready" },
        { act: "reject", note: "No risk assessment." },
        { act: "submit" },
        { act: "approve", from: "submitted", to: "approved" },
      ],
    });
    await expect(at.call("gates.submit", { gateId }, ben)).rejects.toMatchObject({ code: 409 });
  });

  it("is taken back by whoever submitted it, and once decided by whoever decides; then it stops again", async () => {
    const mission = await at.call("missions.create", { problemSetId: "alpha", name: "Row" }, ben);
    await at.call("mdmp.workflows.start", { missionId: mission.id }, ben);
    const { id: gateId } = await make({ guards: { kind: "mdmp-transition", subject: mission.id } });
    const reopen = (who: Actor, reason = "The gauge rose.") => at.call("gates.reopen", { gateId, reason }, who);
    await expect(reopen(cleo)).rejects.toMatchObject({ code: 409, type: "INVALID_TRANSITION" });
    await at.call("gates.submit", { gateId }, ben);
    await expect(reopen(member("bob", "planner"))).rejects.toMatchObject({ code: 403 });
    expect(await reopen(ben, "Too early.")).toMatchObject({ status: "open" });
    await at.call("gates.submit", { gateId }, ben);
    await at.call("gates.approve", { gateId }, cleo);
    await expect(reopen(ben)).rejects.toMatchObject({
      code: 403,
      message: "Whoever submitted it takes a submission back; the rest, a role that decides.",
    });
    expect(await reopen(cleo)).toMatchObject({
      status: "open",
      reason: "The gauge rose.",
      decisions: [
        { act: "submit" },
        { act: "reopen", from: "submitted", by: "ben" },
        { act: "submit" },
        { act: "approve" },
        { act: "reopen", from: "approved", by: "cleo", note: "The gauge rose." },
      ],
    });
    await expect(
      at.call("mdmp.workflows.transition", { missionId: mission.id, to: "mission-analysis" }, cleo),
    ).rejects.toMatchObject({ type: "BLOCKED", message: 'The decision gate "Release of the order" is open.' });
  });

  it("tells each person what they may do at it, and why not", async () => {
    const { id: gateId } = await make();
    await at.call("gates.submit", { gateId }, cleo);
    const mine = (who: Actor) => at.call("gates.getPermissions", { gateId, userRole: "mine" }, who);
    expect(await mine(cleo)).toMatchObject({
      role: "deputy",
      acts: {
        approve: { allowed: false, why: "Whoever submitted the gate cannot let it pass themself." },
        reject: { allowed: true },
        reopen: { allowed: true },
      },
    });
    expect(await mine(ann)).toMatchObject({ role: "commander", acts: { approve: { allowed: true } } });
    expect(await mine(olga)).toMatchObject({ acts: { approve: { allowed: false }, submit: { allowed: false } } });
  });

  it("that only some decide is taken back by them alone", async () => {
    const { id: gateId } = await make({ approvers: ["commander"] });
    await at.call("gates.submit", { gateId }, ben);
    await at.call("gates.approve", { gateId }, ann);
    const reopen = (who: Actor) => at.call("gates.reopen", { gateId, reason: "It changed." }, who);
    await expect(reopen(cleo)).rejects.toMatchObject({ code: 403 });
    expect(await reopen(ann)).toMatchObject({ status: "open" });
  });

  it("that only warns is passed with a justification and a fresh proof of person; a hard one is not", async () => {
    const hard = await make(),
      soft = await make({ enforcement: "soft" });
    await expect(
      at.call(
        "gates.override",
        { gateId: hard.id, justification: "In a hurry" },
        { ...cleo, provedAt: at.clock.now() },
      ),
    ).rejects.toMatchObject({ code: 403, message: "A hard gate cannot be overridden; only a gate that warns can." });
    await expect(
      at.call(
        "gates.override",
        { gateId: soft.id, justification: "In a hurry" },
        { ...cleo, provedAt: at.clock.now() - 600_000 },
      ),
    ).rejects.toMatchObject({ type: "STEP_UP_REQUIRED" });
    await expect(
      at.call("gates.override", { gateId: soft.id }, { ...cleo, provedAt: at.clock.now() }),
    ).rejects.toMatchObject({ code: 400 });
    expect(
      await at.call(
        "gates.override",
        { gateId: soft.id, justification: "The window closes tonight." },
        { ...cleo, provedAt: at.clock.now() },
      ),
    ).toMatchObject({ status: "overridden", reason: "The window closes tonight." });
  });

  it("that was hard is not overridden by whoever made it soft", async () => {
    const { id: gateId } = await make();
    const fresh = (who: Actor): Actor => ({ ...who, provedAt: at.clock.now() });
    expect(await at.call("gates.configure", { gateId, enforcement: "soft" }, cleo)).toMatchObject({
      enforcement: "soft",
      softenedBy: "cleo",
    });
    await expect(at.call("gates.override", { gateId, justification: "In a hurry" }, fresh(cleo))).rejects.toMatchObject(
      { code: 403, message: "Whoever made a hard gate soft does not override it themself." },
    );
    expect(await at.call("gates.override", { gateId, justification: "Two of us agree." }, fresh(ann))).toMatchObject({
      status: "overridden",
    });
  });

  it("tells each role what it may do and why", async () => {
    const { id: gateId } = await make({ approvers: ["commander"] });
    await at.call("gates.submit", { gateId }, ben);
    const asked = async (userRole: string) => (await at.call("gates.getPermissions", { gateId, userRole }, olga)).acts;
    expect((await asked("observer")).approve).toEqual({
      allowed: false,
      why: "The role observer does not allow gates:decide.",
    });
    expect((await asked("deputy")).approve).toEqual({ allowed: false, why: "Only commander decide about this gate." });
    expect((await asked("commander")).approve).toMatchObject({ allowed: true });
    expect((await asked("commander")).override).toEqual({
      allowed: false,
      why: "A hard gate cannot be overridden; only a gate that warns can.",
    });
    await expect(at.call("gates.approve", { gateId }, cleo)).rejects.toMatchObject({ code: 403 });
    await expect(at.call("gates.getPermissions", { gateId, userRole: "emperor" }, olga)).rejects.toMatchObject({
      code: 400,
    });
  });

  it("stands on no tab whose address is that of something else", async () => {
    for (const tab of ["submit", "escalated"])
      await expect(make({ tab })).rejects.toMatchObject({ code: 400, data: { details: [{ path: "tab" }] } });
  });

  it("stands on its tab, behind its barrier", async () => {
    const red = member("red", "planner", ["alpha"], ["red"]);
    const { id } = await make({ tab: "secret-tab", compartments: ["red"] }, red);
    await make({ tab: "secret-tab" });
    expect((await at.call("gates.listByTab", { problemSetId: "alpha", tab: "secret-tab" }, red)).meta.total).toBe(2);
    expect((await at.call("gates.listByTab", { problemSetId: "alpha", tab: "secret-tab" }, ann)).meta.total).toBe(1);
    await expect(at.call("gates.get", { gateId: id }, ann)).rejects.toMatchObject({ code: 404 });
    await expect(at.call("gates.list", { problemSetId: "beta" }, ann)).rejects.toMatchObject({ code: 404 });
  });

  it("guards nothing that it would hide from", async () => {
    const red = member("red", "planner", ["alpha"], ["red"]);
    const mission = await at.call("missions.create", { problemSetId: "alpha", name: "Open" }, red);
    await expect(
      make({ compartments: ["red"], guards: { kind: "mdmp-transition", subject: mission.id } }, red),
    ).rejects.toMatchObject({ code: 409 });
    await expect(make({ guards: { kind: "mdmp-transition", subject: "nowhere" } })).rejects.toMatchObject({
      code: 404,
    });
  });

  it("expires by itself at its deadline, once", async () => {
    const soon = new Date(at.clock.now() + 60_000).toISOString();
    const { id: gateId } = await make({ deadline: soon });
    await expect(make({ deadline: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({
      code: 400,
      data: { details: [{ path: "deadline" }] },
    });
    at.clock.advance(61_000);
    const gate = await eventually(
      () => at.call("gates.get", { gateId }, olga),
      ({ status }) => status === "expired",
    );
    expect(gate.decisions).toEqual([expect.objectContaining({ act: "deadline", note: "The deadline passed." })]);
    await expect(at.call("gates.submit", { gateId }, ben)).rejects.toMatchObject({ code: 409 });
  });

  it("that expired opens again with a new deadline: nothing that a hard gate guards is stopped for good", async () => {
    const { id: gateId } = await make({ deadline: new Date(at.clock.now() + 60_000).toISOString() });
    at.clock.advance(61_000);
    await eventually(
      () => at.call("gates.get", { gateId }, olga),
      ({ status }) => status === "expired",
    );
    await expect(at.call("gates.configure", { gateId, name: "Anew" }, cleo)).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining("deadline"),
    });
    const anew = await at.call(
      "gates.configure",
      { gateId, deadline: new Date(at.clock.now() + 60_000).toISOString() },
      cleo,
    );
    expect(anew).toMatchObject({
      status: "open",
      decisions: [{ act: "deadline" }, { act: "reopen", from: "expired", to: "open", by: "cleo" }],
    });
    await at.call("gates.submit", { gateId }, ben);
    expect(await at.call("gates.approve", { gateId }, cleo)).toMatchObject({ status: "approved" });
  });

  it("is not put up for approval after its deadline, when it would expire at once", async () => {
    const { id: gateId } = await make({ deadline: new Date(at.clock.now() + 60_000).toISOString() });
    await at.call("gates.submit", { gateId }, ben);
    await at.call("gates.reject", { gateId, reason: "Not yet." }, cleo);
    at.clock.advance(61_000);
    await expect(at.call("gates.submit", { gateId }, ben)).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining("deadline"),
    });
    await at.call("gates.configure", { gateId, deadline: null }, cleo);
    expect(await at.call("gates.submit", { gateId }, ben)).toMatchObject({ status: "submitted" });
  });

  it("has approvers who may approve", async () => {
    await expect(make({ approvers: ["observer", "analyst"] })).rejects.toMatchObject({
      code: 400,
      data: { details: [{ path: "approvers" }] },
    });
    const { id: gateId } = await make();
    await expect(at.call("gates.configure", { gateId, approvers: ["liaison"] }, cleo)).rejects.toMatchObject({
      code: 400,
    });
  });

  it("lies where what it guards lies, so that it tells nobody of it", async () => {
    const red = member("red", "planner", ["alpha"], ["red"]);
    const mission = await at.call(
      "missions.create",
      { problemSetId: "alpha", name: "Closed", compartments: ["red"] },
      red,
    );
    const gate = await make({ tab: "guards-red", guards: { kind: "mdmp-transition", subject: mission.id } }, red);
    expect(gate.compartments).toEqual(["red"]);
    expect((await at.call("gates.listByTab", { problemSetId: "alpha", tab: "guards-red" }, ann)).meta.total).toBe(0);
  });

  it("is opened by a vote", async () => {
    const { id: gateId } = await make();
    await expect(at.call("gates.open", { gateId, reason: "Proposal 7 passed.", by: "dao" }, ann)).rejects.toMatchObject(
      { code: 403 },
    );
    expect(
      await at.mesh.broker.call(
        "gates.open",
        { gateId, reason: "Proposal 7 passed.", by: "dao" },
        {
          meta: { actor: { userId: "system:dao", roles: ["system"], via: "system", permits: ["*"], omniscient: true } },
        },
      ),
    ).toMatchObject({ status: "approved", reason: "Proposal 7 passed." });
  });
});

describe("a gate that was passed up", () => {
  let above: string, below: string;
  let ann: Person, bob: Person, cleo: Person;

  beforeAll(async () => {
    [ann, bob, cleo] = await persons(at, "ann-up", "bob-up", "cleo-up");
    above = await openStaffedSet(at, ann, {}, { name: "Corps" });
    below = await openStaffedSet(at, ann, { deputy: bob, planner: cleo }, { name: "Division", parentId: above });
  });

  const raised = async (acts: readonly string[] = ["submit"]): Promise<any> => {
    const fields = { problemSetId: below, tab: "orders", name: "Open the locks" };
    const { id } = (await as(at, cleo)("POST", "/api/gates", fields)).body.data;
    for (const act of acts) await as(at, cleo)("POST", `/api/gates/${id}/${act}`, {});
    return (await as(at, bob)("POST", `/api/gates/${id}/escalate`, { reason: "Not ours" })).body.data;
  };
  const back = (who: Person, id: string) => as(at, who)("POST", `/api/gates/${id}/reopen`, { reason: "We decide it" });
  const read = async (who: Person, id: string) => (await as(at, who)("GET", `/api/gates/gate/${id}`)).body.data;

  it("is taken back by whoever passed it up, is what it was before, and nobody above decides about it any longer", async () => {
    for (const [acts, status] of [
      [["submit"], "submitted"],
      [[], "open"],
    ] as const) {
      const gate = await raised(acts);
      expect((await back(cleo, gate.id)).body.error).toMatchObject({
        code: "FORBIDDEN",
        message: "Whoever passed it up takes it back, until it is decided above.",
      });
      const { body } = await back(bob, gate.id);
      expect(body.data).toMatchObject({
        status,
        decisions: expect.arrayContaining([
          expect.objectContaining({
            act: "withdraw",
            from: "escalated",
            to: status,
            by: bob.userId,
            note: "We decide it",
          }),
        ]),
      });
      expect(body.data.escalatedTo).toBeUndefined();
      const linked = gate.escalatedTo.gateId;
      expect(await read(ann, linked)).toMatchObject({ status: "expired", decisions: [{}, { act: "withdrawn-below" }] });
      for (const [act, fields] of [
        ["approve", {}],
        ["submit", {}],
        ["reopen", { reason: "Back again" }],
      ] as const)
        expect((await as(at, ann)("POST", `/api/gates/${linked}/${act}`, fields)).status).toBe(409);
      const later = new Date(at.clock.now() + 60_000).toISOString();
      expect((await as(at, ann)("PATCH", `/api/gates/${linked}/config`, { deadline: later })).status).toBe(403);
      expect((await back(bob, gate.id)).status).toBe(status === "open" ? 409 : 200);
    }
  });

  it("is decided above once: what was decided there is not taken back below", async () => {
    const gate = await raised();
    await as(at, ann)("POST", `/api/gates/${gate.escalatedTo.gateId}/approve`, {});
    await eventually(
      () => read(bob, gate.id),
      ({ status }) => status === "approved",
    );
    const raced = await raised();
    const linked = raced.escalatedTo.gateId;
    const [decision, withdrawal] = await Promise.all([
      as(at, ann)("POST", `/api/gates/${linked}/approve`, {}),
      back(bob, raced.id),
    ]);
    expect([decision.status, withdrawal.status].sort()).toEqual([200, 409]);
    const after = await eventually(
      () => read(bob, raced.id),
      ({ status }) => status !== "escalated",
    );
    expect(after.status).toBe(decision.status === 200 ? "approved" : "submitted");
  });

  it("goes up anew after it was taken back, and then another gate waits above", async () => {
    const gate = await raised();
    await back(bob, gate.id);
    const again = (await as(at, bob)("POST", `/api/gates/${gate.id}/escalate`, {})).body.data;
    expect(again.escalatedTo.gateId).not.toBe(gate.escalatedTo.gateId);
    await as(at, ann)("POST", `/api/gates/${again.escalatedTo.gateId}/approve`, {});
    await eventually(
      () => read(bob, gate.id),
      ({ status }) => status === "approved",
    );
  });
});

it("whatever is done in whatever order: nobody lets their own submission pass, no hard gate is overridden, and decided is decided until it is taken back", () => {
  const step = fc.record({
    act: fc.constantFrom(...(Object.keys(GATE_ACTS) as GateAct[])),
    who: fc.constantFrom("a", "b", "c"),
    role: fc.constantFrom(...SET_ROLE_NAMES),
  });
  const TO: Record<GateAct, (typeof GATE_STATES)[number] | null> = {
    submit: "submitted",
    approve: "approved",
    reject: "rejected",
    override: "overridden",
    escalate: "escalated",
    reopen: "open",
    configure: null,
  };
  fc.assert(
    fc.property(
      fc.constantFrom("hard" as const, "soft" as const),
      fc.array(step, { maxLength: 12 }),
      (enforcement, steps) => {
        let gate = { status: "open", enforcement, decisions: [], name: "g" } as unknown as Gate;
        for (const { act, who, role } of steps) {
          const { allowed } = may(act, gate, role, who);
          if (!allowed || TO[act] === null) continue;
          expect(holds(setPermitsOf(role), GATE_ACTS[act].may)).toBe(true);
          if (act !== "reopen") expect(["approved", "overridden", "escalated"]).not.toContain(gate.status);
          if (act === "reopen" && gate.status === "escalated") expect(gate.decisions.at(-1)!.by).toBe(who);
          if (act === "approve" || act === "override") expect(gate.submittedBy).not.toBe(who);
          if (act === "override") expect(enforcement).toBe("soft");
          gate = {
            ...gate,
            ...decided(gate, act, TO[act]!, { userId: who, role }, "2026-01-01T00:00:00.000Z"),
          } as Gate;
        }
        for (const { act } of gate.decisions.filter(({ from }) => from === "approved")) expect(act).toBe("reopen");
        for (const [n, { from }] of gate.decisions.entries()) expect(from).toBe(n ? gate.decisions[n - 1]!.to : "open");
      },
    ),
    { numRuns: 1_000 },
  );
});
