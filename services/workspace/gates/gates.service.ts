import { z } from "zod";
import { SET_ROLE_NAMES, type SetRole } from "../../../config/set-roles.ts";
import { memberOf, systemActor } from "../../../core/access.ts";
import { bare, data, list } from "../../../core/answer.ts";
import { asSystem, type Ctx } from "../../../core/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/endpoint.ts";
import { TextId } from "../../../core/entity.ts";
import { on } from "../../../core/event.ts";
import { derivedId } from "../../../core/ids.ts";
import { conflict, forbidden, invalid, invalidTransition, unprocessable } from "../../../core/problem.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { ACTS, decided, Gate, GateConfigured, GateCreated, GateDecided, GateEscalated, GateSubmitted, Guarded, may, STATES, stops, type Act, type State } from "./gates.ts";

const set = "problemSetId";
const reading = { set, may: "gates:read" };
const inPath = { path: { problemSetId: TextId }, within: reading } as const;
const onGate = { on: Gate, by: "gateId" } as const;
const View = data(Gate.view);
const DEADLINES_EVERY_MS = 2_000;

const Reason = z.string().min(3).max(4_000);
const Guard = z.object({ id: z.string(), name: z.string(), status: z.string() });
const Permission = z.object({ allowed: z.boolean(), why: z.string() });

export default {
  name: "gates",
  settings: { rest: "/gates" },
  mixins: [domain({
    entities: [Gate],
    hears: [on(GateEscalated, takeUp), on(GateDecided, handDown)],
    schedules: { deadlines: { everyMs: DEADLINES_EVERY_MS, run: passDeadlines } },
  })],

  actions: {
    list: endpoint({
      rest: "GET /:problemSetId", summary: "List every gate of a problem set", permit: "signed-in", ...inPath, query: Gate.query, returns: list(Gate.view),
      handler(ctx) { return this.store(Gate).page(ctx, ctx.params, { problemSetId: ctx.params.problemSetId }); },
    }),

    tab: endpoint({
      rest: "GET /:problemSetId/:tab", summary: "List the gates on one tab of a problem set", permit: "signed-in", path: { problemSetId: TextId, tab: Gate.create.tab }, within: reading, query: Gate.query, returns: list(Gate.view),
      handler(ctx) { return this.store(Gate).page(ctx, ctx.params, { problemSetId: ctx.params.problemSetId, tab: ctx.params.tab }); },
    }),

    escalated: endpoint({
      rest: "GET /:problemSetId/escalated", summary: "List the gates that child problem sets passed upward", permit: "signed-in", ...inPath, query: Gate.query, returns: list(Gate.view),
      handler(ctx) { return this.store(Gate).page(ctx, ctx.params, { problemSetId: ctx.params.problemSetId, escalatedFrom: { $exists: true } }); },
    }),

    hierarchy: endpoint({
      rest: "GET /:problemSetId/hierarchy", summary: "List a problem set's gates together with those of its children", permit: "signed-in", ...inPath, query: Gate.query, returns: list(Gate.view),
      description: "Of the children, those that you are a member of.",
      async handler(ctx) {
        const { problemSetId } = ctx.params;
        const { children } = await lineage(this, problemSetId);
        return this.store(Gate).page(ctx, ctx.params, { problemSetId: { $in: [problemSetId, ...children] } });
      },
    }),

    get: endpoint({ rest: "GET /gate/:gateId", summary: "Read a gate", permit: "signed-in", beyond: true, ...onGate, within: reading, returns: View, handler: (_ctx, gate) => gate }),

    permissions: endpoint({
      rest: "GET /:gateId/permissions/:userRole", summary: "Tell what a role may do at a gate, and why", permit: "signed-in", ...onGate, within: reading, path: { userRole: z.enum(SET_ROLE_NAMES) },
      returns: data(z.object({ gateId: z.string(), role: z.enum(SET_ROLE_NAMES), status: Gate.view.shape.status, enforcement: Gate.view.shape.enforcement, acts: z.record(z.enum(Object.keys(ACTS) as [Act, ...Act[]]), Permission) })),
      handler(ctx, gate) {
        const role = ctx.params.userRole;
        const acts = Object.fromEntries((Object.keys(ACTS) as Act[]).map((act) => [act, may(act, gate, role)])) as Record<Act, { allowed: boolean; why: string }>;
        return { gateId: gate.id, role, status: gate.status, enforcement: gate.enforcement, acts };
      },
    }),

    create: endpoint({
      rest: "POST /", summary: "Add a gate", permit: "signed-in", within: { set, may: "gates:create" }, body: Gate.create, returns: View, status: 201,
      description: "A gate lies in no compartment that what it guards does not lie in: otherwise somebody would be stopped by a gate that they cannot see.",
      example: { problemSetId: "the problem set's id", tab: "mdmp", name: "Release of the order" },
      async handler(ctx) {
        const { deadline, guards } = ctx.params;
        if (deadline && deadline <= iso(this.world.clock.now())) throw invalid([{ path: "deadline", message: "A deadline lies in the future." }]);
        if (guards) await refuseUnseen(ctx, guards);
        return this.store(Gate).create(ctx, { ...ctx.params, status: "open", decisions: [] }, { facts: (made: Gate) => [GateCreated.fact(made.id, told(made, ctx.meta.actor!.userId))] });
      },
    }),

    submit: endpoint({
      rest: "POST /:gateId/submit", summary: "Put a gate up for approval", permit: "signed-in", ...onGate, within: { set, may: ACTS.submit.may }, body: { note: z.string().max(4_000).optional() }, returns: View,
      async handler(ctx, gate) {
        const { userId, role } = deciderOf(ctx, gate);
        refuse("submit", gate, role, userId);
        const change = decided(gate, "submit", "submitted", { userId, role }, iso(this.world.clock.now()), ctx.params.note);
        return this.store(Gate).revise(ctx, gate, change, { facts: [GateSubmitted.fact(gate.id, told(gate, userId))] });
      },
    }),

    approve: endpoint({
      rest: "POST /:gateId/approve", summary: "Approve a gate", permit: "signed-in", ...onGate, within: { set, may: ACTS.approve.may }, body: { note: z.string().max(4_000).optional() }, returns: View,
      errors: { 403: "Your role may not, or you submitted it yourself." },
      handler(ctx, gate) { return decide(this, ctx, gate, "approve", "approved", ctx.params.note); },
    }),

    reject: endpoint({
      rest: "POST /:gateId/reject", summary: "Turn a gate down, saying why", permit: "signed-in", ...onGate, within: { set, may: ACTS.reject.may }, body: { reason: Reason }, returns: View, example: { reason: "The risk of the second phase is not assessed." },
      handler(ctx, gate) { return decide(this, ctx, gate, "reject", "rejected", ctx.params.reason); },
    }),

    override: endpoint({
      rest: "POST /:gateId/override", summary: "Pass a gate that only warns, with a justification", permit: "signed-in", ...onGate, within: { set, may: ACTS.override.may }, stepUp: true, body: { justification: Reason }, returns: View,
      errors: { 403: "`STEP_UP_REQUIRED`: a fresh proof of who you are; or a hard gate, or your own submission." }, example: { justification: "The window closes tonight; the commander accepts the risk." },
      handler(ctx, gate) { return decide(this, ctx, gate, "override", "overridden", ctx.params.justification); },
    }),

    escalate: endpoint({
      rest: "POST /:gateId/escalate", summary: "Pass the decision up to the parent problem set", permit: "signed-in", ...onGate, within: { set, may: ACTS.escalate.may }, body: { reason: Reason.optional() }, returns: View,
      description: "Makes a linked gate in the parent, submitted for approval; what is decided there is decided here.",
      errors: { 422: "`NO_PARENT`: this problem set has none." },
      async handler(ctx, gate) {
        const { userId, role } = deciderOf(ctx, gate);
        refuse("escalate", gate, role, userId);
        const { parentId } = await lineage(this, gate.problemSetId);
        if (!parentId) throw unprocessable("NO_PARENT", "This problem set has no parent to escalate to.");
        return passUp(this, ctx, gate, parentId, { userId, role }, ctx.params.reason);
      },
    }),

    configure: endpoint({
      rest: "PATCH /:gateId/config", summary: "Change how a gate is set up: enforcement, deadline, approvers", permit: "signed-in", ...onGate, within: { set, may: ACTS.configure.may },
      body: { enforcement: Gate.update.enforcement, deadline: Gate.update.deadline.nullable(), onDeadline: Gate.update.onDeadline, approvers: Gate.update.approvers.nullable(), name: Gate.update.name, description: Gate.update.description }, returns: View,
      handler(ctx, gate) {
        const { userId, role } = deciderOf(ctx, gate);
        refuse("configure", gate, role, userId);
        if (ctx.params.deadline && ctx.params.deadline <= iso(this.world.clock.now())) throw invalid([{ path: "deadline", message: "A deadline lies in the future." }]);
        return this.store(Gate).revise(ctx, gate, ctx.params, { facts: [GateConfigured.fact(gate.id, told(gate, userId))] });
      },
    }),

    /** Hard gates that guard a step and are not approved: whoever does the step asks for them first. */
    guarding: endpoint({
      summary: "The hard gates that stop a step", permit: "internal", body: { problemSetId: TextId, ...Guarded.shape }, returns: data(z.array(Guard)),
      async handler(ctx) {
        const { problemSetId, kind, subject, step } = ctx.params;
        const gates = await this.store(Gate).find(ctx, { problemSetId, "guards.subject": subject, "guards.kind": kind });
        return gates.filter((gate) => stops(gate) && (!gate.guards!.step || !step || gate.guards!.step === step));
      },
    }),

    /** What children of a set see of its gates: all of them, or one. */
    offered: endpoint({
      summary: "The gates of a problem set, in the form that passes down to its children", permit: "internal", body: { problemSetId: TextId, gateId: TextId.optional() },
      returns: data(z.array(z.object({ kind: z.literal("gate"), sourceId: z.string(), compartments: z.array(z.string()), title: z.string(), text: z.string(), status: z.string() }))),
      async handler(ctx) {
        const { problemSetId, gateId } = ctx.params;
        const gates = await this.store(Gate).find(ctx, { problemSetId, ...(gateId && { _id: gateId }) });
        return gates.map(({ id, compartments, name, description = "", status }) => ({ kind: "gate" as const, sourceId: id, compartments, title: name, text: description, status }));
      },
    }),

    census: endpoint({
      summary: "How many gates there are, by state: all that an operator is told of them", permit: "internal",
      returns: bare(z.array(z.object({ status: z.enum(STATES), gates: z.int(), overdue: z.int() }))),
      async handler() {
        const { collection } = this.store(Gate);
        const late = { status: { $in: ["open", "submitted"] }, deadline: { $lte: iso(this.world.clock.now()) } };
        const [all, overdue] = await Promise.all([collection.groups({ by: "status" }), collection.groups({ by: "status", query: late })]);
        return all.map(({ key, count }) => ({ status: key as (typeof STATES)[number], gates: count, overdue: overdue.find((one) => one.key === key)?.count ?? 0 }));
      },
    }),

    /** A decision taken elsewhere, by vote for example, opens a gate. */
    open: endpoint({
      summary: "Approve a gate by a decision taken elsewhere", permit: "internal", body: { gateId: TextId, reason: Reason, by: z.string() }, returns: View,
      async handler(ctx) {
        const { gateId, reason, by } = ctx.params;
        const gate = await this.store(Gate).get(ctx, gateId);
        if (gate.status === "approved") return gate;
        if (!["open", "submitted", "rejected", "escalated"].includes(gate.status)) throw invalidTransition("open", gate.status, ["open", "submitted", "rejected", "escalated"]);
        return settle(this, ctx, gate, "vote", "approved", { userId: by }, reason);
      },
    }),
  },
} satisfies MeshService;

type Decider = { userId: string; role?: string | undefined };

const told = (gate: Gate, by: string) => ({ id: gate.id, problemSetId: gate.problemSetId, compartments: gate.compartments, name: gate.name, by });

function deciderOf(ctx: Ctx<unknown>, gate: Gate): { userId: string; role: SetRole } {
  const actor = ctx.meta.actor!;
  return { userId: actor.userId, role: (actor.memberships?.[gate.problemSetId]?.role ?? "commander") as SetRole };
}

/** Throws 409 where the state does not allow it, 403 with the reason otherwise. */
function refuse(act: Act, gate: Gate, role: SetRole, userId: string): void {
  const { from } = ACTS[act];
  if (!(from as readonly State[]).includes(gate.status)) throw invalidTransition(act, gate.status, from);
  const { allowed, why } = may(act, gate, role, userId);
  if (!allowed) throw forbidden(why);
}

function decide(host: Host, ctx: Ctx<unknown>, gate: Gate, act: Act, to: State, note: string | undefined): Promise<Gate> {
  const { userId, role } = deciderOf(ctx, gate);
  refuse(act, gate, role, userId);
  return settle(host, ctx, gate, act, to, { userId, role }, note);
}

const settle = (host: Host, caller: Ctx<unknown> | ReturnType<typeof asSystem>, gate: Gate, act: string, to: State, by: Decider, note?: string): Promise<Gate> =>
  host.store(Gate).revise(caller, gate, decided(gate, act, to, by, iso(host.world.clock.now()), note), { facts: [GateDecided.fact(gate.id, { ...told(gate, by.userId), status: to, ...(note && { reason: note }) })] });

interface Lineage { parentId: string | null; children: string[] }
const lineage = (host: Host, problemSetId: string): Promise<Lineage> => host.broker.call("problem-sets.lineage", { problemSetId }, { meta: { actor: systemActor("gates") } });

/** The linked gate's id follows from the gate and how often it was escalated, so that a repetition makes no second one. */
const linkedId = (gate: Gate): string => derivedId(`gate ${gate.id}, escalation ${gate.decisions.filter(({ act }) => act === "escalate").length}`);

async function passUp(host: Host, caller: Ctx<unknown> | ReturnType<typeof asSystem>, gate: Gate, parentId: string, by: Decider, reason?: string): Promise<Gate> {
  const to = { problemSetId: parentId, gateId: linkedId(gate) };
  const change = { ...decided(gate, "escalate", "escalated", by, iso(host.world.clock.now()), reason), escalatedTo: to };
  const fact = GateEscalated.fact(gate.id, { ...told(gate, by.userId), to, ...(reason && { reason }) });
  const escalated = await host.store(Gate).revise(caller, gate, change, { facts: [fact] });
  // The fact brings the linked gate about whatever happens; this brings it about before the answer.
  await takeUp.call(host, fact.data as never);
  return escalated;
}

/** Makes the linked gate in the parent. It lies in the compartments of the gate it comes from: escalation shows nothing to anybody new. */
async function takeUp(this: Host, { id, to, by, reason }: { id: string; to: { problemSetId: string; gateId: string }; by: string; reason?: string | undefined }): Promise<void> {
  const mesh = asSystem("gates");
  const gate = await this.store(Gate).one(mesh, { _id: id });
  if (!gate || await this.store(Gate).one(mesh, { _id: to.gateId })) return;
  const at = iso(this.world.clock.now());
  const { name, description, tab, compartments, enforcement, approvers } = gate;
  const record = {
    id: to.gateId, problemSetId: to.problemSetId, name, tab, compartments, enforcement, ...(description && { description }), ...(approvers && { approvers }),
    status: "submitted", submittedBy: gate.submittedBy ?? by, submittedAt: at, escalatedFrom: { problemSetId: gate.problemSetId, gateId: id },
    decisions: [{ act: "escalate", at, by, ...(reason && { note: reason }), from: "open", to: "submitted" }],
  };
  await this.store(Gate).create(mesh, record, { facts: (made: Gate) => [GateCreated.fact(made.id, told(made, by))] }).catch((error: { code?: number }) => { if (error.code !== 409) throw error; });
}

/** What was decided about a linked gate in the parent is decided about the gate it came from. */
async function handDown(this: Host, { id, status, by, reason }: { id: string; status: State; by: string; reason?: string | undefined }): Promise<void> {
  const mesh = asSystem("gates");
  const linked = await this.store(Gate).one(mesh, { _id: id });
  if (!linked?.escalatedFrom) return;
  await this.store(Gate).amend(mesh, linked.escalatedFrom.gateId, (gate) =>
    (gate.status === "escalated" && gate.escalatedTo?.gateId === id ? decided(gate, "parent-decision", status, { userId: by }, iso(this.world.clock.now()), reason) : null),
  // Told on, because a gate may have come up through several sets.
  { facts: (gate: Gate) => [GateDecided.fact(gate.id, { ...told(gate, by), status, ...(reason && { reason }) })] });
}

/** Gates past their deadline expire or go up by themselves; another node's turn finds them decided. */
async function passDeadlines(this: Host): Promise<void> {
  const mesh = asSystem("gates");
  const due = await this.store(Gate).find(mesh, { status: { $in: ["open", "submitted"] }, deadline: { $lte: iso(this.world.clock.now()) } }, { sort: ["deadline"], limit: 500 });
  for (const gate of due) {
    const { parentId } = gate.onDeadline === "escalate" ? await lineage(this, gate.problemSetId) : { parentId: null };
    const by = { userId: mesh.meta.actor!.userId };
    const passing = parentId ? passUp(this, mesh, gate, parentId, by, "The deadline passed.") : settle(this, mesh, gate, "deadline", "expired", by, "The deadline passed.");
    await passing.catch((error: { code?: number }) => { if (error.code !== 409) throw error; });
  }
}

/** Whoever meets the gate must be able to see it, and whoever sets it up to see what it guards. */
async function refuseUnseen(ctx: Ctx<{ problemSetId: string; compartments: string[] }>, guards: z.output<typeof Guarded>): Promise<void> {
  if (guards.kind !== "mdmp-transition") return;
  const place = await ctx.call<{ problemSetId: string; compartments: string[] }, object>("missions.place", { missionId: guards.subject });
  memberOf(ctx.meta.actor, place.problemSetId, reading.may);
  if (place.problemSetId !== ctx.params.problemSetId) throw invalid([{ path: "guards.subject", message: "This mission lies in another problem set." }]);
  if (ctx.params.compartments.some((id) => !place.compartments.includes(id))) throw conflict("The gate would lie in a compartment that the mission does not lie in.");
}
