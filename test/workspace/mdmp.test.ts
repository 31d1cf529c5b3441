import fc from "fast-check";
import { setPermitsOf, type SetRole } from "../../config/set-roles.ts";
import type { Actor } from "../../core/access/access.ts";
import { ACTIVITIES } from "../../services/workspace/mdmp/process/activities.ts";
import { durations, isForward, PHASES, reachable, STAGES } from "../../services/workspace/mdmp/process/phases.ts";
import { ACTION_CLASSES, AUTHORITIES, AUTONOMY, decide } from "../../config/safety.ts";
import { actor, world, type TestWorld } from "../mesh.ts";
import { as, openCompartment, openStaffedSet, persons, type Person } from "./people.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const member = (userId: string, role: SetRole, compartments: string[] = []): Actor =>
  actor("reader", {
    userId,
    provedAt: Date.now(),
    memberships: { alpha: { role, permits: setPermitsOf(role), compartments } },
  });
const ann = member("ann", "commander"),
  ben = member("ben", "planner"),
  cleo = member("cleo", "deputy"),
  olga = member("olga", "observer");
const eve = actor("reader", {
  userId: "eve",
  memberships: { beta: { role: "commander", permits: ["*"], compartments: [] } },
});

const mission = async (fields: object = {}, who = ann): Promise<string> =>
  (await at.call("missions.create", { problemSetId: "alpha", name: "Open the route", ...fields }, who)).id;
const started = async (): Promise<string> => {
  const missionId = await mission();
  await at.call("mdmp.workflows.start", { missionId }, ben);
  return missionId;
};

describe("workflows", () => {
  it("are listed with their phases, for whoever sees their missions", async () => {
    const missionId = await mission();
    await at.call("mdmp.workflows.start", { missionId }, ben);
    await at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, cleo);
    const listed = (who: Actor) =>
      at.call("mdmp.workflows.list", { problemSetId: "alpha", phase: "mission-analysis" }, who);
    expect(await listed(olga)).toMatchObject({ data: [{ id: missionId, phase: "mission-analysis" }] });
    expect(await at.call("mdmp.workflows.list", {}, eve)).toMatchObject({ data: [] });
    // As one asks beside a page of missions.
    const those = (...missionIds: string[]) => at.call("mdmp.workflows.list", { missionIds }, ben);
    expect((await those(missionId, "no-such-mission")).data).toMatchObject([{ id: missionId }]);
    expect((await those("no-such-mission")).data).toEqual([]);
  });
});

describe("missions", () => {
  it("go from draft to the archive along their course, and end after they begin", async () => {
    const id = await mission({ startsAt: "2026-12-01T08:00:00+02:00" });
    expect(await at.call("missions.get", { id }, olga)).toMatchObject({
      status: "draft",
      startsAt: "2026-12-01T06:00:00.000Z",
    });
    await expect(at.call("missions.update", { id, endsAt: "2026-11-30T00:00:00Z" }, ben)).rejects.toMatchObject({
      code: 400,
      data: { details: [{ path: "endsAt" }] },
    });
    await expect(at.call("missions.complete", { id }, ben)).rejects.toMatchObject({
      code: 409,
      type: "INVALID_TRANSITION",
    });
    await expect(at.call("missions.activate", { id }, olga)).rejects.toMatchObject({ code: 403 });
    await at.call("missions.activate", { id }, ben);
    expect(await at.call("missions.complete", { id, outcome: "The route is open." }, ben)).toMatchObject({
      status: "completed",
      outcome: "The route is open.",
    });
    await at.call("missions.archive", { id }, ben);
    await expect(at.call("missions.update", { id, name: "Late" }, ben)).rejects.toMatchObject({ code: 409 });
  });

  it("come back: completed too early into force, and out of the archive as drafts", async () => {
    const id = await mission();
    await at.call("missions.activate", { id }, ben);
    await expect(at.call("missions.reopen", { id }, ben)).rejects.toMatchObject({ type: "INVALID_TRANSITION" });
    await at.call("missions.complete", { id, outcome: "All are out." }, ben);
    await expect(at.call("missions.reopen", { id }, olga)).rejects.toMatchObject({ code: 403 });
    const reopened = await at.call("missions.reopen", { id, reason: "Two are missing." }, ben);
    expect([reopened.status, reopened.outcome, reopened.reason]).toEqual(["active", undefined, "Two are missing."]);
    const again = await at.call("missions.complete", { id, outcome: "Now all are out." }, ben);
    expect([again.outcome, again.reason]).toEqual(["Now all are out.", undefined]);
    await at.call("missions.archive", { id }, ben);
    expect(await at.call("missions.restore", { id }, ben)).toMatchObject({ status: "draft" });
    expect(await at.call("missions.update", { id, name: "Late" }, ben)).toMatchObject({ name: "Late" });
  });

  it("do not exist for strangers, nor for members outside their compartments", async () => {
    const red = member("red", "planner", ["red"]);
    const id = await mission({ compartments: ["red"] }, red);
    for (const who of [eve, ann])
      for (const action of ["get", "participants.list", "activate", "invites.list", "place"])
        await expect(
          at.call(`missions.${action}`, action === "place" ? { missionId: id } : { id }, who),
        ).rejects.toMatchObject({ code: 404 });
    expect(
      (await at.call("missions.list", { problemSetId: "alpha" }, ann)).data.map((one: { id: string }) => one.id),
    ).not.toContain(id);
    await expect(at.call("missions.list", { problemSetId: "alpha" }, eve)).rejects.toMatchObject({ code: 404 });
    await expect(at.call("mdmp.workflows.start", { missionId: id }, ann)).rejects.toMatchObject({ code: 404 });
  });

  it("are joined by code, once for each person and as often as the invite says", async () => {
    const id = await mission();
    const { code, id: inviteId } = await at.call("missions.invites.create", { id, part: "planner", mostUses: 2 }, ben);
    expect(JSON.stringify(await at.call("missions.invites.list", { id }, ben))).not.toContain(code);
    const joined = await Promise.all([1, 2, 3].map(() => at.call("missions.invites.accept", { code }, cleo)));
    expect(new Set(joined.map((one) => one.id)).size).toBe(1);
    expect(joined[0]).toMatchObject({ userId: "cleo", part: "planner", did: expect.stringMatching(/^did:/) });
    await expect(at.call("missions.invites.accept", { code }, eve)).rejects.toMatchObject({ code: 404 });
    await at.call("missions.invites.revoke", { id, inviteId }, ben);
    await expect(at.call("missions.invites.accept", { code }, olga)).rejects.toMatchObject({
      code: 409,
      message: "This invite was withdrawn.",
    });
    await expect(at.call("missions.invites.accept", {}, olga)).rejects.toMatchObject({ code: 400 });
    const { data } = await at.call("missions.participants.list", { id }, olga);
    expect(data.map((one: { userId: string; part: string }) => `${one.userId} ${one.part}`).sort()).toEqual([
      "ann lead",
      "cleo planner",
    ]);
    await expect(
      at.call("missions.participants.dismiss", { id, participantId: joined[0].id }, olga),
    ).rejects.toMatchObject({ code: 403 });
    await at.call("missions.participants.dismiss", { id, participantId: joined[0].id }, cleo);
  });

  it("do not take back by the same invite whoever was taken out, nor anybody into an archived set", async () => {
    const id = await mission();
    const { code, id: inviteId } = await at.call("missions.invites.create", { id, mostUses: 5 }, ben);
    const joined = await at.call("missions.invites.accept", { code }, cleo);
    await at.call("missions.participants.dismiss", { id, participantId: joined.id }, ann);
    await expect(at.call("missions.invites.accept", { code }, cleo)).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining("new invite"),
    });
    await at.call("missions.invites.revoke", { id, inviteId }, ben);
    await expect(at.call("missions.invites.accept", { code }, cleo)).rejects.toMatchObject({ code: 409 });
    const { code: other } = await at.call("missions.invites.create", { id }, ben);
    const shelved = { ...olga, memberships: { alpha: { ...olga.memberships!["alpha"]!, archived: true as const } } };
    await expect(at.call("missions.invites.accept", { code: other }, shelved)).rejects.toMatchObject({
      code: 409,
      type: "ARCHIVED",
    });
    expect(await at.call("missions.invites.accept", { code: other }, cleo)).toMatchObject({ userId: "cleo" });
  });

  it("lose what is cleared, and plan no more once they are over", async () => {
    const id = await mission({ endsAt: "2027-01-01T00:00:00Z", objective: "Hold" });
    const cleared = await at.call("missions.update", { id, endsAt: null, objective: null }, ben);
    expect([cleared.endsAt, cleared.objective]).toEqual([undefined, undefined]);
    const [superior, subordinate] = await Promise.all(
      ["A", "B"].map((name) =>
        at.call("command.units.create", { problemSetId: "alpha", name, designation: name, strength: 3 }, ben),
      ),
    );
    expect(
      (await at.call("command.units.update", { id: superior.id, designation: null, strength: null }, ben)).strength,
    ).toBeUndefined();
    const link = await at.call(
      "command.relationships.create",
      {
        problemSetId: "alpha",
        superiorId: superior.id,
        subordinateId: subordinate.id,
        kind: "opcon",
        missionId: id,
        until: "2027-01-01T00:00:00Z",
      },
      ben,
    );
    const named = { superiorName: "A", subordinateName: "B" };
    expect(link).toMatchObject(named);
    const { data: links } = await at.call("command.relationships.list", { problemSetId: "alpha" }, olga);
    expect(links).toEqual([expect.objectContaining({ id: link.id, ...named })]);
    const standing = await at.call("command.relationships.update", { id: link.id, missionId: null, until: null }, ben);
    expect([standing.missionId, standing.until]).toEqual([undefined, undefined]);
    await at.call("missions.archive", { id }, ben);
    await expect(at.call("mdmp.workflows.start", { missionId: id }, ben)).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining("archived"),
    });
  });

  it("show the invites that name them to those who do not invite, and no others", async () => {
    const [pat, ola, lea, eva] = await persons(at, "pat", "ola", "lea", "eva");
    const problemSetId = await openStaffedSet(at, pat, { observer: ola, liaison: lea });
    const opened = async (compartments: string[]) =>
      (await as(at, pat)("POST", "/api/missions", { problemSetId, name: "Open the route", compartments })).body.data.id;
    const invites = `/api/missions/${await opened([])}/invites`;
    const { id: inviteId } = (await as(at, pat)("POST", invites, { did: ola.did, part: "observer" })).body.data;
    await as(at, pat)("POST", invites, {});
    const seen = async (who: Person): Promise<string[]> =>
      (await as(at, who)("GET", invites)).body.data.map((one: { id: string }) => one.id);
    expect(await seen(pat)).toHaveLength(2);
    expect(await seen(ola)).toEqual([inviteId]);
    expect(await seen(lea)).toEqual([]);
    expect((await as(at, eva)("GET", invites)).status).toBe(404);
    expect((await as(at, ola)("POST", "/api/missions/accept-invite", { inviteId })).body.data.part).toBe("observer");
  });

  it("are offered to nobody who could not see them", async () => {
    const [pat, dan, lea, eva] = await persons(at, "pat", "dan", "lea", "eva");
    const problemSetId = await openStaffedSet(at, pat, { deputy: dan, liaison: lea });
    const dam = await openCompartment(at, problemSetId, pat, "Dam", dan);
    const opened = async (compartments: string[]) =>
      (await as(at, dan)("POST", "/api/missions", { problemSetId, name: "Hold the dam", compartments })).body.data.id;
    const [inside, outside] = [await opened([dam]), await opened([])];
    const invited = (id: string, did: string) => as(at, dan)("POST", `/api/missions/${id}/invites`, { did });
    for (const [id, did] of [
      [inside, lea.did],
      [inside, eva.did],
      [outside, eva.did],
      [outside, "did:key:zNobody"],
    ] as const)
      expect((await invited(id, did)).body.error).toMatchObject({
        code: "INVITEE_CANNOT_SEE",
        details: [{ path: "did" }],
      });
    expect((await as(at, dan)("GET", `/api/missions/${inside}/invites`)).body.data).toEqual([]);
    expect((await invited(outside, lea.did)).status).toBe(201);
    await as(at, pat)("POST", `/api/problem-sets/${problemSetId}/compartments/${dam}/members`, { did: lea.did });
    expect((await invited(inside, lea.did)).status).toBe(201);
  });

  it("are in the export of whoever opened them, with their invites, gates and requests", async () => {
    const [pat, dan] = await persons(at, "pat", "dan");
    const parentId = await openStaffedSet(at, pat, {}, { name: "Region" });
    const problemSetId = await openStaffedSet(at, pat, { deputy: dan }, { name: "District", parentId });
    const done = async (who: Person, path: string, body: object) => (await as(at, who)("POST", path, body)).body.data;
    const { id } = await done(pat, "/api/missions", { problemSetId, name: "Hold the dam" });
    await done(pat, `/api/missions/${id}/invites`, {});
    const gate = await done(pat, "/api/gates", { problemSetId, tab: "plan", name: "Go" });
    await done(pat, `/api/gates/${gate.id}/submit`, {});
    await done(dan, `/api/gates/${gate.id}/approve`, {});
    await done(pat, `/api/inheritance/${problemSetId}/rfis`, { title: "Boats", question: "How many?" });
    await done(pat, "/api/mdmp/workflows", { missionId: id });
    const assumptions = `/api/mdmp/workflows/${id}/assumptions`;
    const assumed = await done(pat, assumptions, { statement: "The ferry runs." });
    await done(dan, `${assumptions}/${assumed.id}/withdraw`, { reason: "It was sold." });
    await done(pat, `/api/missions/${id}/activate`, {});
    await done(dan, `/api/missions/${id}/complete`, { outcome: "The dam holds." });
    const held = async (who: Person) => (await as(at, who)("GET", "/api/user-profile/export")).body.data.holdings;
    expect(await held(pat)).toMatchObject({
      missions: { "Missions that you opened": [{ id }], "Invites to missions that you made": [{ missionId: id }] },
      gates: {
        "Decision gates that you opened": [{ id: gate.id }],
        "Decision gates that you submitted": [{ id: gate.id }],
      },
      inheritance: { "Requests for information that you made": [{ title: "Boats" }] },
    });
    expect(await held(dan)).toMatchObject({
      gates: { "Decision gates that you decided": [{ id: gate.id }] },
      mdmp: { "Planning assumptions that you withdrew": [{ id: assumed.id, reason: "It was sold." }] },
      missions: { "Missions that you completed": [{ id, outcome: "The dam holds." }] },
    });
    // Who takes it back has not completed it.
    await done(pat, `/api/missions/${id}/reopen`, {});
    expect((await held(dan)).missions).toBeUndefined();
  });

  it("say which unit another mission puts under somebody else at the same time, until that is over", async () => {
    const unit = async (name: string): Promise<string> =>
      (await at.call("command.units.create", { problemSetId: "alpha", name }, ben)).id;
    const [first, second, divers] = await Promise.all(["First Group", "Second Group", "Divers"].map(unit));
    const under = (superiorId: string, missionId: string) =>
      at.call(
        "command.relationships.create",
        { problemSetId: "alpha", superiorId, subordinateId: divers, kind: "opcon", missionId },
        ben,
      );
    const winter = await mission({ name: "Winter", endsAt: "2027-03-01T00:00:00Z" });
    const thaw = await mission({ name: "Thaw", startsAt: "2027-02-01T00:00:00Z" });
    await under(first!, winter);
    await under(second!, thaw);
    const told = async (missionId: string, who = olga): Promise<string[]> =>
      (await at.call("command.validateHierarchy", { missionId }, who)).findings
        .filter(({ code }: { code: string }) => code === "TWO_SUPERIORS")
        .map(({ message }: { message: string }) => message);
    expect(await told(winter)).toEqual([
      'Divers is under the operational control of First Group (opcon, in the mission "Winter") and of Second Group ' +
        '(opcon, in the mission "Thaw") at one time, from 2027-02-01T00:00:00.000Z.',
    ]);
    expect(await told(thaw)).toHaveLength(1);
    await at.call("missions.update", { id: winter, endsAt: "2027-02-01T00:00:00Z" }, ben);
    expect(await told(winter)).toEqual([]);
    await at.call("missions.update", { id: winter, endsAt: null }, ben);
    expect(await told(winter)).toHaveLength(1);
    await at.call("missions.archive", { id: thaw }, ben);
    expect(await told(winter)).toEqual([]);
  });

  it("say when an invite has expired", async () => {
    const id = await mission();
    const { code } = await at.call("missions.invites.create", { id }, ben);
    at.clock.advance(8 * 86_400_000);
    await expect(at.call("missions.invites.accept", { code }, olga)).rejects.toMatchObject({
      code: 409,
      message: "This invite has expired.",
    });
  });
});

describe("the decision process", () => {
  it("goes on only when the gates of its phase are satisfied and blocking assumptions accepted, and says what is missing", async () => {
    const missionId = await started();
    const [gate] = await at.call(
      "mdmp.gates.register",
      {
        missionId,
        gates: [
          { phase: "receipt-of-mission", name: "Staff alerted" },
          { phase: "receipt-of-mission", name: "Coffee", required: false },
        ],
      },
      ben,
    );
    const assumption = await at.call(
      "mdmp.assumptions.create",
      { missionId, statement: "The bridge holds.", blocking: true },
      ben,
    );
    await at.call("mdmp.assumptions.create", { missionId, statement: "It rains." }, ben);
    await expect(
      at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, ben),
    ).rejects.toMatchObject({ code: 403 });
    await expect(
      at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, cleo),
    ).rejects.toMatchObject({
      code: 409,
      type: "BLOCKED",
      message:
        'The gate "Staff alerted" of Receipt of mission is not satisfied. The blocking assumption "The bridge holds." is not accepted.',
      data: {
        details: [
          { kind: "phase-gate", id: gate.id },
          { kind: "assumption", id: assumption.id },
        ],
      },
    });
    await at.call("mdmp.gates.satisfy", { missionId, gateId: gate.id, evidence: "Roll call" }, cleo);
    await at.call("mdmp.assumptions.accept", { missionId, id: assumption.id }, ann);
    expect(await at.call("mdmp.assumptions.accept", { missionId, id: assumption.id }, cleo)).toMatchObject({
      acceptedBy: "ann",
    });
    await at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis", note: "On time" }, cleo);
    expect(await at.call("mdmp.workflows.get", { missionId }, olga)).toMatchObject({
      phase: "mission-analysis",
      title: "Mission analysis",
      blockers: [],
      history: [
        { phase: "receipt-of-mission", until: expect.any(String) },
        { phase: "mission-analysis", note: "On time" },
      ],
    });
    await expect(
      at.call("mdmp.workflows.transition", { missionId, to: "orders-production" }, cleo),
    ).rejects.toMatchObject({
      code: 409,
      type: "INVALID_TRANSITION",
      data: { details: { allowed: ["receipt-of-mission", "coa-development"] } },
    });
    expect(await at.call("mdmp.workflows.transition", { missionId, to: "receipt-of-mission" }, cleo)).toMatchObject({
      phase: "receipt-of-mission",
    });
  });

  it("is stopped again by an assumption whose acceptance is taken back, and goes on without one that is withdrawn", async () => {
    const missionId = await started();
    const { id } = await at.call(
      "mdmp.assumptions.create",
      { missionId, statement: "The bridge carries buses.", blocking: true },
      ben,
    );
    const accept = (params: object, who = cleo) =>
      at.call("mdmp.assumptions.accept", { missionId, id, ...params }, who);
    const withdraw = (who: Actor) => at.call("mdmp.assumptions.withdraw", { missionId, id, reason: "It fell." }, who);
    const next = () => at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, cleo);
    await accept({});
    await expect(accept({ accepted: false }, ben)).rejects.toMatchObject({ code: 403 });
    const open = await accept({ accepted: false, reason: "A pier moved." });
    expect(open).toMatchObject({ status: "open", reason: "A pier moved." });
    expect(open).not.toHaveProperty("acceptedBy");
    await expect(next()).rejects.toMatchObject({
      type: "BLOCKED",
      message: 'The blocking assumption "The bridge carries buses." is not accepted.',
    });
    expect(await accept({ accepted: false })).toEqual(open);

    await expect(withdraw(ben)).rejects.toMatchObject({ code: 403 });
    expect(await withdraw(cleo)).toMatchObject({ status: "withdrawn", withdrawnBy: "cleo", reason: "It fell." });
    await expect(withdraw(cleo)).rejects.toMatchObject({ code: 409, type: "INVALID_TRANSITION" });
    await expect(accept({})).rejects.toMatchObject({ code: 409, type: "INVALID_TRANSITION" });
    expect(await accept({ accepted: false })).toMatchObject({ status: "open" });
    await withdraw(cleo);
    expect(await next()).toMatchObject({ phase: "mission-analysis" });
  });

  it("shows the gates of all its phases, in their order, those laid for later and those that were left", async () => {
    const missionId = await started();
    const gates = [
      { phase: "coa-approval", name: "Commander's decision" },
      { phase: "receipt-of-mission", name: "Staff alerted" },
      { phase: "mission-analysis", name: "Mission statement approved" },
    ];
    await at.call("mdmp.gates.register", { missionId, gates }, ben);
    const shown = async () =>
      (await at.call("mdmp.workflows.get", { missionId }, olga)).gates.map(
        ({ name, satisfied }: { name: string; satisfied: boolean }) => [name, satisfied],
      );
    expect(await shown()).toEqual([
      ["Staff alerted", false],
      ["Mission statement approved", false],
      ["Commander's decision", false],
    ]);
    const [{ id: gateId }, { id: later }] = (await at.call("mdmp.workflows.get", { missionId }, olga)).gates;
    await at.call("mdmp.gates.satisfy", { missionId, gateId }, cleo);
    await at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, cleo);
    expect(await shown()).toEqual([
      ["Staff alerted", true],
      ["Mission statement approved", false],
      ["Commander's decision", false],
    ]);
    const { blockers } = await at.call("mdmp.workflows.get", { missionId }, olga);
    expect(blockers).toEqual([expect.objectContaining({ kind: "phase-gate", id: later })]);
  });

  it("keeps who satisfied a gate, when and by what, however often that is repeated; other evidence satisfies it anew", async () => {
    const missionId = await started();
    const gates = [{ phase: "receipt-of-mission", name: "Staff alerted" }];
    const [{ id: gateId }] = await at.call("mdmp.gates.register", { missionId, gates }, ben);
    const satisfy = (who: Actor, evidence?: string) =>
      at.call("mdmp.gates.satisfy", { missionId, gateId, ...(evidence && { evidence }) }, who);
    const first = await satisfy(cleo, "Roll call");
    at.clock.advance(60_000);
    expect(await satisfy(ann)).toEqual(first);
    expect(await satisfy(ann, "Roll call")).toEqual(first);
    expect(await satisfy(ann, "Second roll call")).toMatchObject({
      satisfiedBy: "ann",
      evidence: "Second roll call",
      rev: first.rev + 1,
    });
  });

  it("is really stopped by a hard decision gate that guards the transition, until it is approved", async () => {
    const missionId = await started();
    const gate = await at.call(
      "gates.create",
      {
        problemSetId: "alpha",
        tab: "mdmp",
        name: "Release",
        guards: { kind: "mdmp-transition", subject: missionId, step: "receipt-of-mission" },
      },
      ben,
    );
    const warning = await at.call(
      "gates.create",
      {
        problemSetId: "alpha",
        tab: "mdmp",
        name: "Warning",
        enforcement: "soft",
        guards: { kind: "mdmp-transition", subject: missionId },
      },
      ben,
    );
    await expect(
      at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, cleo),
    ).rejects.toMatchObject({ code: 409, type: "BLOCKED", message: 'The decision gate "Release" is open.' });
    await at.call("gates.submit", { gateId: gate.id }, ben);
    await at.call("gates.approve", { gateId: gate.id }, cleo);
    expect(await at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, cleo)).toMatchObject({
      phase: "mission-analysis",
    });
    expect(await at.call("mdmp.workflows.get", { missionId }, olga)).toMatchObject({ blockers: [] });
    expect(warning.status).toBe("open");
  });

  it("is guarded by no gate at a step that it does not have: it would stop nobody", async () => {
    const missionId = await started();
    const gate = { problemSetId: "alpha", tab: "mdmp", name: "Release" };
    for (const guards of [
      { kind: "mdmp-transition", subject: missionId, step: "mission_analysis" },
      { kind: "mdmp-transition", subject: missionId, step: "complete" },
      { kind: "design-handoff", subject: "alpha", step: "mission-analysis" },
    ])
      await expect(at.call("gates.create", { ...gate, guards }, ben)).rejects.toMatchObject({
        code: 400,
        data: { details: [{ path: "guards.step" }] },
      });
  });

  it("stays as it was once its mission is over", async () => {
    const missionId = await started();
    const [gate] = await at.call(
      "mdmp.gates.register",
      { missionId, gates: [{ phase: "coa-approval", name: "Decision" }] },
      ben,
    );
    const assumption = await at.call("mdmp.assumptions.create", { missionId, statement: "The bridge holds." }, ben);
    await at.call("missions.activate", { id: missionId }, ben);
    await at.call("missions.complete", { id: missionId, outcome: "Done" }, ben);
    for (const [action, params, who] of [
      ["workflows.transition", { to: "mission-analysis" }, cleo],
      ["activities.mark", { activityId: "alert-the-staff" }, ben],
      ["assumptions.create", { statement: "It snows." }, ben],
      ["assumptions.accept", { id: assumption.id }, cleo],
      ["gates.register", { gates: [{ phase: "coa-approval", name: "Late" }] }, ben],
      ["gates.satisfy", { gateId: gate.id }, cleo],
    ] as const)
      await expect(at.call(`mdmp.${action}`, { missionId, ...params }, who)).rejects.toMatchObject({
        code: 409,
        message: "The mission is completed: nothing is planned for it any more.",
      });
    expect(await at.call("mdmp.workflows.get", { missionId }, olga)).toMatchObject({ phase: "receipt-of-mission" });
  });

  it("lies where its mission lies, once", async () => {
    const missionId = await started();
    await expect(at.call("mdmp.workflows.start", { missionId }, ben)).rejects.toMatchObject({ code: 409 });
    for (const action of ["workflows.get", "assumptions.list"])
      await expect(at.call(`mdmp.${action}`, { missionId }, eve)).rejects.toMatchObject({ code: 404 });
    const other = await started();
    const [gate] = await at.call(
      "mdmp.gates.register",
      { missionId: other, gates: [{ phase: "coa-approval", name: "Decision" }] },
      ben,
    );
    await expect(at.call("mdmp.gates.satisfy", { missionId, gateId: gate.id }, cleo)).rejects.toMatchObject({
      code: 404,
    });
  });

  it("counts durations and what was done by phase", async () => {
    const missionId = await started();
    const { data } = await at.call("mdmp.activities.list", { phase: "receipt-of-mission" }, olga);
    await at.call("mdmp.activities.mark", { missionId, activityId: data[0].id }, ben);
    await expect(at.call("mdmp.activities.mark", { missionId, activityId: "nonsense" }, ben)).rejects.toMatchObject({
      code: 404,
    });
    const before = await at.call("mdmp.phases.getStatistics", { phase: "receipt-of-mission" }, olga);
    at.clock.advance(3_600_000);
    await at.call("mdmp.workflows.transition", { missionId, to: "mission-analysis" }, cleo);
    const after = await at.call("mdmp.phases.getStatistics", { phase: "receipt-of-mission" }, olga);
    expect(after).toMatchObject({
      workflows: before.workflows,
      present: before.present - 1,
      stays: { count: before.stays.count + 1 },
    });
    expect(after.stays.longestMs).toBeGreaterThanOrEqual(3_600_000);
    expect(after.activities.done).toBeGreaterThanOrEqual(1);
    expect(await at.call("mdmp.phases.getStatistics", { phase: "receipt-of-mission" }, eve)).toMatchObject({
      workflows: 0,
      stays: { count: 0, medianMs: null },
    });
    await expect(
      at.call("mdmp.phases.getStatistics", { phase: "receipt-of-mission", problemSetId: "alpha" }, eve),
    ).rejects.toMatchObject({ code: 404 });
  });

  it("has seven phases whose activities all say what they take and what they give", async () => {
    expect(PHASES).toHaveLength(7);
    for (const phase of PHASES)
      expect(ACTIVITIES.filter((one) => one.phase === phase).length).toBeGreaterThanOrEqual(3);
    expect(new Set(ACTIVITIES.map(({ id }) => id)).size).toBe(ACTIVITIES.length);
    expect(
      ACTIVITIES.filter(({ inputs, steps, outputs }) => !inputs.length || !steps.length || !outputs.length),
    ).toEqual([]);
    const { data, meta } = await at.call("mdmp.activities.list", { category: "risk" }, olga);
    expect(data.every((one: { category: string }) => one.category === "risk")).toBe(true);
    expect(meta.total).toBe(data.length);
    expect(await at.call("mdmp.activities.get", { id: data[0].id }, olga)).toEqual(data[0]);
  });

  it("moves one phase on or back to any, and its middle duration is the middle", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STAGES), (from) => {
        const next = reachable(from);
        expect(next.filter((to) => isForward(from, to)).length).toBe(from === "complete" ? 0 : 1);
        expect(next).not.toContain(from);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 1 }), (list) => {
        const { medianMs, shortestMs, longestMs, meanMs } = durations(list);
        expect(list.filter((one) => one < medianMs!).length * 2).toBeLessThanOrEqual(list.length);
        expect(list.filter((one) => one > medianMs!).length * 2).toBeLessThanOrEqual(list.length);
        expect(shortestMs! <= meanMs! + 1e-6 && meanMs! <= longestMs! + 1e-6).toBe(true);
      }),
    );
  });
});

describe("the safety matrix", () => {
  it("never allows more for less authority or more autonomy", () => {
    const strict = { allow: 0, approve: 1, forbid: 2 };
    for (const action of ACTION_CLASSES)
      for (const [n, authority] of AUTHORITIES.entries())
        for (const autonomy of AUTONOMY) {
          const here = strict[decide(action, authority, autonomy).verdict];
          if (n) expect(strict[decide(action, AUTHORITIES[n - 1]!, autonomy).verdict]).toBeGreaterThanOrEqual(here);
          if (autonomy)
            expect(strict[decide(action, authority, (autonomy - 1) as 0).verdict]).toBeLessThanOrEqual(here);
        }
  });

  it("forbids a machine alone whatever cannot be undone, and says who approves", async () => {
    expect(decide("irreversible", "commander", 1)).toMatchObject({ verdict: "forbid" });
    expect(
      await at.call("mdmp.validateSafety", { action: "task-units", authority: "planner", autonomy: 2 }, olga),
    ).toMatchObject({
      verdict: "approve",
      approver: "commander",
      why: "Give units tasks: at autonomy 2, a commander or above approves first.",
    });
    expect(await at.call("mdmp.validateSafety", { action: "spend", authority: "analyst" }, olga)).toMatchObject({
      verdict: "forbid",
      why: "Pay, or promise to: needs at least the authority of a deputy; this is an analyst.",
    });
    const full = await at.call("mdmp.getSafetyMatrix", {}, olga);
    expect(
      full.actions.flatMap((row: { verdicts: { byAutonomy: string[] }[] }) =>
        row.verdicts.flatMap(({ byAutonomy }) => byAutonomy),
      ),
    ).toHaveLength(ACTION_CLASSES.length * AUTHORITIES.length * AUTONOMY.length);
  });
});
