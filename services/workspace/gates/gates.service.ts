import { z } from "zod";
import { SET_ROLE_NAMES, type SetRole } from "../../../config/set-roles.ts";
import { memberOf } from "../../../core/access/access.ts";
import { bare, data, list } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { eventsIn, on } from "../../../core/records/event.ts";
import { archived, conflict, forbidden, invalid, invalidTransition, unprocessable } from "../../../core/problem.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import {
  handDown,
  lineage,
  passDeadlines,
  passUp,
  settle,
  settleAbove,
  someoneDecides,
  takeUp,
  told,
} from "./escalating.ts";
import { ACTS, decided, Gate, Guarded, leftOpen, may, newGate, STATES, stops, type Act, type State } from "./gates.ts";
import * as events from "./events.ts";
import { GateConfigured, GateCreated, GateDecided, GateEscalated, GateSubmitted } from "./events.ts";
import { placeOfMission } from "../missions/client.ts";

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
  mixins: [
    domain({
      entities: [Gate],
      tells: () => eventsIn(events),
      hears: [on(GateEscalated, takeUp), on(GateDecided, handDown)],
      schedules: { deadlines: { everyMs: DEADLINES_EVERY_MS, run: passDeadlines } },
    }),
  ],

  actions: {
    list: endpoint({
      rest: "GET /:problemSetId",
      summary: "List every gate of a problem set",
      tool: "list_gates",
      permit: "signed-in",
      ...inPath,
      query: Gate.query,
      returns: list(Gate.view),
      handler(ctx) {
        return this.store(Gate).page(ctx, ctx.params, { problemSetId: ctx.params.problemSetId });
      },
    }),

    listByTab: endpoint({
      rest: "GET /:problemSetId/:tab",
      summary: "List the gates on one tab of a problem set",
      permit: "signed-in",
      path: { problemSetId: TextId, tab: Gate.create.tab },
      within: reading,
      query: Gate.query,
      returns: list(Gate.view),
      handler(ctx) {
        return this.store(Gate).page(ctx, ctx.params, { problemSetId: ctx.params.problemSetId, tab: ctx.params.tab });
      },
    }),

    listEscalated: endpoint({
      rest: "GET /:problemSetId/escalated",
      summary: "List the gates that child problem sets passed upward",
      permit: "signed-in",
      ...inPath,
      query: Gate.query,
      returns: list(Gate.view),
      handler(ctx) {
        return this.store(Gate).page(ctx, ctx.params, {
          problemSetId: ctx.params.problemSetId,
          escalatedFrom: { $exists: true },
        });
      },
    }),

    getHierarchy: endpoint({
      rest: "GET /:problemSetId/hierarchy",
      summary: "List a problem set's gates together with those of its children",
      permit: "signed-in",
      ...inPath,
      query: Gate.query,
      returns: list(Gate.view),
      description: "Of the children, those that you are a member of.",
      async handler(ctx) {
        const { problemSetId } = ctx.params;
        const { children } = await lineage(this, problemSetId);
        return this.store(Gate).page(ctx, ctx.params, { problemSetId: { $in: [problemSetId, ...children] } });
      },
    }),

    get: endpoint({
      rest: "GET /gate/:gateId",
      summary: "Read a gate",
      tool: "show_gate",
      permit: "signed-in",
      beyond: true,
      ...onGate,
      within: reading,
      returns: View,
      handler: (_ctx, gate) => gate,
    }),

    getPermissions: endpoint({
      rest: "GET /:gateId/permissions/:userRole",
      summary: "Tell what a role may do at a gate, and why",
      permit: "signed-in",
      ...onGate,
      within: reading,
      path: { userRole: z.enum(SET_ROLE_NAMES) },
      returns: data(
        z.object({
          gateId: z.string(),
          role: z.enum(SET_ROLE_NAMES),
          status: Gate.view.shape.status,
          enforcement: Gate.view.shape.enforcement,
          acts: z.record(z.enum(Object.keys(ACTS) as [Act, ...Act[]]), Permission),
        }),
      ),
      handler(ctx, gate) {
        const role = ctx.params.userRole;
        const acts = Object.fromEntries(
          (Object.keys(ACTS) as Act[]).map((act) => [act, may(act, gate, role)]),
        ) as Record<Act, { allowed: boolean; why: string }>;
        return { gateId: gate.id, role, status: gate.status, enforcement: gate.enforcement, acts };
      },
    }),

    create: endpoint({
      rest: "POST /",
      summary: "Add a gate",
      permit: "signed-in",
      within: { set, may: "gates:create" },
      body: newGate,
      returns: View,
      status: 201,
      description:
        "A gate that guards something lies just where that lies: in a compartment more it would stop people who cannot see it, in one less it would tell of what they may not see.",
      example: { problemSetId: "the problem set's id", tab: "mdmp", name: "Release of the order" },
      async handler(ctx) {
        const { deadline, guards } = ctx.params;
        if (deadline && deadline <= iso(this.world.clock.now()))
          throw invalid([{ path: "deadline", message: "A deadline lies in the future." }]);
        const left = leftOpen(this.world.configurations.workflow, this.world.clock.now());
        const compartments = guards ? await guardedCompartments(ctx, guards) : ctx.params.compartments;
        const gate = await this.store(Gate).create(
          ctx,
          { ...left, ...ctx.params, compartments, status: "open", decisions: [] },
          { facts: (made: Gate) => [GateCreated.fact(made.id, told(made, ctx.meta.actor!.userId))] },
        );
        await bar(this, gate);
        return gate;
      },
    }),

    submit: endpoint({
      rest: "POST /:gateId/submit",
      summary: "Put a gate up for approval",
      permit: "signed-in",
      ...onGate,
      within: { set, may: ACTS.submit.may },
      body: { note: z.string().max(4_000).optional() },
      returns: View,
      async handler(ctx, gate) {
        const { userId, role } = deciderOf(ctx, gate);
        refuse("submit", gate, role, userId);
        const now = iso(this.world.clock.now());
        if (gate.deadline && gate.deadline <= now)
          throw conflict("Its deadline has passed: configure another deadline, or none, first.", {
            deadline: gate.deadline,
          });
        const change = decided(gate, "submit", "submitted", { userId, role }, now, ctx.params.note);
        return this.store(Gate).revise(ctx, gate, change, { facts: [GateSubmitted.fact(gate.id, told(gate, userId))] });
      },
    }),

    approve: endpoint({
      rest: "POST /:gateId/approve",
      summary: "Approve a gate",
      permit: "signed-in",
      ...onGate,
      within: { set, may: ACTS.approve.may },
      body: { note: z.string().max(4_000).optional() },
      returns: View,
      errors: { 403: "Your role may not, or you submitted it yourself." },
      handler(ctx, gate) {
        return decide(this, ctx, gate, "approve", "approved", ctx.params.note);
      },
    }),

    reject: endpoint({
      rest: "POST /:gateId/reject",
      summary: "Turn a gate down, saying why",
      permit: "signed-in",
      ...onGate,
      within: { set, may: ACTS.reject.may },
      body: { reason: Reason },
      returns: View,
      example: { reason: "The risk of the second phase is not assessed." },
      handler(ctx, gate) {
        return decide(this, ctx, gate, "reject", "rejected", ctx.params.reason);
      },
    }),

    override: endpoint({
      rest: "POST /:gateId/override",
      summary: "Pass a gate that only warns, with a justification",
      permit: "signed-in",
      ...onGate,
      within: { set, may: ACTS.override.may },
      stepUp: true,
      body: { justification: Reason },
      returns: View,
      errors: { 403: "`STEP_UP_REQUIRED`: a fresh proof of who you are; or a hard gate, or your own submission." },
      example: { justification: "The window closes tonight; the commander accepts the risk." },
      handler(ctx, gate) {
        return decide(this, ctx, gate, "override", "overridden", ctx.params.justification);
      },
    }),

    escalate: endpoint({
      rest: "POST /:gateId/escalate",
      summary: "Pass the decision up to the parent problem set",
      permit: "signed-in",
      ...onGate,
      within: { set, may: ACTS.escalate.may },
      body: { reason: Reason.optional() },
      returns: View,
      description: "Makes a linked gate in the parent, submitted for approval; what is decided there is decided here.",
      errors: {
        409: "The gate's state does not allow it, or the parent is archived (`ARCHIVED`).",
        422: "`NO_PARENT`: this problem set has none. `NO_ELIGIBLE_APPROVER`: nobody in the parent who may decide is read into the gate's compartments.",
      },
      async handler(ctx, gate) {
        const { userId, role } = deciderOf(ctx, gate);
        refuse("escalate", gate, role, userId);
        const { parentId, parentArchived } = await lineage(this, gate.problemSetId);
        if (!parentId) throw unprocessable("NO_PARENT", "This problem set has no parent to escalate to.");
        if (parentArchived) throw archived("The parent");
        if (!(await someoneDecides(this, gate, parentId)))
          throw unprocessable(
            "NO_ELIGIBLE_APPROVER",
            "Nobody in the parent who may decide is read into the compartments of this gate.",
          );
        return passUp(this, ctx, gate, parentId, { userId, role }, ctx.params.reason);
      },
    }),

    configure: endpoint({
      rest: "PATCH /:gateId/config",
      summary: "Change how a gate is set up: enforcement, deadline, approvers",
      permit: "signed-in",
      ...onGate,
      within: { set, may: ACTS.configure.may },
      description: "A gate that expired opens again with another `deadline`, or with null for none.",
      body: {
        enforcement: Gate.update.enforcement,
        deadline: Gate.update.deadline.nullable(),
        onDeadline: Gate.update.onDeadline,
        approvers: Gate.update.approvers.nullable(),
        name: Gate.update.name,
        description: Gate.update.description,
      },
      returns: View,
      async handler(ctx, gate) {
        const { userId, role } = deciderOf(ctx, gate);
        refuse("configure", gate, role, userId);
        if (ctx.params.deadline && ctx.params.deadline <= iso(this.world.clock.now()))
          throw invalid([{ path: "deadline", message: "A deadline lies in the future." }]);
        const reopened = gate.status === "expired";
        if (reopened && ctx.params.deadline === undefined)
          throw conflict("It has expired: give it another deadline, or null for none, and it opens again.");
        const change = {
          ...(reopened && decided(gate, "reopen", "open", { userId, role }, iso(this.world.clock.now()))),
          ...softening(gate, ctx.params.enforcement, userId),
          ...ctx.params,
        };
        const configured = await this.store(Gate).revise(ctx, gate, change, {
          facts: (made: Gate) => [GateConfigured.fact(gate.id, { ...told(made, userId), reopened })],
        });
        if (!stops(gate)) await bar(this, configured);
        return configured;
      },
    }),

    /** Hard gates that guard a step and are not approved: whoever does the step asks for them first. */
    guarding: endpoint({
      summary: "The hard gates that stop a step",
      permit: "internal",
      body: { problemSetId: TextId, ...Guarded.shape },
      returns: data(z.array(Guard)),
      async handler(ctx) {
        const { problemSetId, kind, subject, step } = ctx.params;
        const gates = await this.store(Gate).find(ctx, {
          problemSetId,
          "guards.subject": subject,
          "guards.kind": kind,
        });
        return gates.filter((gate) => stops(gate) && (!gate.guards!.step || !step || gate.guards!.step === step));
      },
    }),

    /** What children of a set see of its gates: all of them, or one. */
    offered: endpoint({
      summary: "The gates of a problem set, in the form that passes down to its children",
      permit: "internal",
      body: { problemSetId: TextId, gateId: TextId.optional() },
      returns: data(
        z.array(
          z.object({
            kind: z.literal("gate"),
            sourceId: z.string(),
            compartments: z.array(z.string()),
            title: z.string(),
            text: z.string(),
            status: z.string(),
          }),
        ),
      ),
      async handler(ctx) {
        const { problemSetId, gateId } = ctx.params;
        const gates = await this.store(Gate).find(ctx, { problemSetId, ...(gateId && { _id: gateId }) });
        return gates.map(({ id, compartments, name, description = "", status }) => ({
          kind: "gate" as const,
          sourceId: id,
          compartments,
          title: name,
          text: description,
          status,
        }));
      },
    }),

    census: endpoint({
      summary: "How many gates there are, by state: all that an operator is told of them",
      permit: "internal",
      returns: bare(z.array(z.object({ status: z.enum(STATES), gates: z.int(), overdue: z.int() }))),
      async handler() {
        const { collection } = this.store(Gate);
        const late = { status: { $in: ["open", "submitted"] }, deadline: { $lte: iso(this.world.clock.now()) } };
        const [all, overdue] = await Promise.all([
          collection.groups({ by: "status" }),
          collection.groups({ by: "status", query: late }),
        ]);
        return all.map(({ key, count }) => ({
          status: key as (typeof STATES)[number],
          gates: count,
          overdue: overdue.find((one) => one.key === key)?.count ?? 0,
        }));
      },
    }),

    /** A decision taken elsewhere, by vote for example, opens a gate. */
    open: endpoint({
      summary: "Approve a gate by a decision taken elsewhere",
      permit: "internal",
      body: { gateId: TextId, reason: Reason, by: z.string() },
      returns: View,
      async handler(ctx) {
        const { gateId, reason, by } = ctx.params;
        const gate = await this.store(Gate).get(ctx, gateId);
        if (gate.status === "approved") return gate;
        if (!["open", "submitted", "rejected", "escalated"].includes(gate.status))
          throw invalidTransition("open", gate.status, ["open", "submitted", "rejected", "escalated"]);
        const opened = await settle(this, ctx, gate, "vote", "approved", { userId: by }, reason);
        if (gate.escalatedTo) await settleAbove(this, gate.escalatedTo.gateId, by, reason);
        return opened;
      },
    }),
  },
} satisfies MeshService;

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

function decide(
  host: Host,
  ctx: Ctx<unknown>,
  gate: Gate,
  act: Act,
  to: State,
  note: string | undefined,
): Promise<Gate> {
  const { userId, role } = deciderOf(ctx, gate);
  refuse(act, gate, role, userId);
  return settle(host, ctx, gate, act, to, { userId, role }, note);
}

/**
 * Who is told, before the answer, that a gate stops what they guard: a step of theirs judged before must not be written
 * after.
 */
const GUARDIANS: Readonly<Record<z.output<typeof Guarded>["kind"], string>> = {
  "mdmp-transition": "mdmp.obstructed",
  "design-handoff": "design.obstructed",
};

async function bar(host: Host, gate: Gate): Promise<void> {
  if (!gate.guards || !stops(gate)) return;
  await host.ask(GUARDIANS[gate.guards.kind], { subject: gate.guards.subject });
}

/**
 * In which compartments a gate that guards something lies: whoever meets it must be able to see it, and whoever sets it
 * up to see what it guards.
 */
async function guardedCompartments(
  ctx: Ctx<{ problemSetId: string; compartments: string[] }>,
  guards: z.output<typeof Guarded>,
): Promise<string[]> {
  if (guards.kind === "design-handoff") {
    const { problemSetId, compartments } = ctx.params;
    if (guards.subject !== problemSetId)
      throw invalid([{ path: "guards.subject", message: "A design has the id of its problem set." }]);
    if (compartments.length) throw conflict("The gate would lie in a compartment that the design does not lie in.");
    return [];
  }
  const place = await placeOfMission(ctx, guards.subject);
  memberOf(ctx.meta.actor, place.problemSetId, reading.may);
  if (place.problemSetId !== ctx.params.problemSetId)
    throw invalid([{ path: "guards.subject", message: "This mission lies in another problem set." }]);
  if (ctx.params.compartments.some((id) => !place.compartments.includes(id)))
    throw conflict("The gate would lie in a compartment that the mission does not lie in.");
  return place.compartments;
}

/** Two people make a hard gate pass without approval: one makes it soft, another overrides it. */
const softening = (
  { enforcement }: Gate,
  wanted: Gate["enforcement"] | undefined,
  userId: string,
): { softenedBy?: string | null } =>
  wanted === undefined || wanted === enforcement ? {} : { softenedBy: wanted === "soft" ? userId : null };
