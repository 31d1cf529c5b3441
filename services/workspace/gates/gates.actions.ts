import { z } from "zod";
import { SET_ROLE_NAMES } from "../../../config/set-roles.ts";
import { data, list } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { conflict, invalid } from "../../../core/problem.ts";
import { lineage, gateEvent } from "./escalating.ts";
import { GATE_ACTS, decided, Gate, leftOpen, may, newGate, stops, type GateAct } from "./gates.ts";
import { GateConfigured, GateCreated } from "./events.ts";
import { bar, guardedCompartments } from "./guarding.ts";
import { deciderOf, refuseGateAct } from "./decider.ts";

const set = "problemSetId";
const reading = { set, may: "gates:read" };
const inPath = { path: { problemSetId: TextId }, within: reading } as const;
export const onGate = { on: Gate, by: "gateId" } as const;
export const GateAnswer = data(Gate.view);
const Permission = z.object({ allowed: z.boolean(), why: z.string() });

export const gateActions = {
  list: endpoint({
    rest: "GET /:problemSetId",
    summary: "List every gate of a problem set",
    tool: "list_gates",
    description:
      "A gate holds back a step of the work until somebody approves it. A `hard` one blocks, a `soft` one warns.",
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
    description: "Lists only children that you are a member of.",
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
    description: "What it guards, who may approve it until when, and who decided what about it, when and why.",
    permit: "signed-in",
    beyond: true,
    ...onGate,
    within: reading,
    returns: GateAnswer,
    handler: (_ctx, gate) => gate,
  }),

  getPermissions: endpoint({
    rest: "GET /:gateId/permissions/:userRole",
    summary: "Report what a role may do at a gate, and why",
    description: "With `mine`, what you may do: whoever submitted a gate does not let it pass, whatever their role.",
    permit: "signed-in",
    ...onGate,
    within: reading,
    path: { userRole: z.enum([...SET_ROLE_NAMES, "mine"]).describe("The role in the problem set, or `mine`.") },
    returns: data(
      z.object({
        gateId: z.string(),
        role: z.enum(SET_ROLE_NAMES),
        status: Gate.view.shape.status,
        enforcement: Gate.view.shape.enforcement,
        acts: z.record(z.enum(Object.keys(GATE_ACTS) as [GateAct, ...GateAct[]]), Permission),
      }),
    ),
    handler(ctx, gate) {
      const { userRole } = ctx.params;
      const { role, userId } = userRole === "mine" ? deciderOf(ctx, gate) : { role: userRole };
      const acts = Object.fromEntries(
        (Object.keys(GATE_ACTS) as GateAct[]).map((act) => [act, may(act, gate, role, userId)]),
      ) as Record<GateAct, { allowed: boolean; why: string }>;
      return { gateId: gate.id, role, status: gate.status, enforcement: gate.enforcement, acts };
    },
  }),

  create: endpoint({
    rest: "POST /",
    summary: "Add a gate",
    permit: "signed-in",
    within: { set, may: "gates:create" },
    body: newGate,
    returns: GateAnswer,
    status: 201,
    description:
      "A gate must lie in exactly the compartments of what it guards: with one more, it would block " +
      "people who cannot see it; with one less, it would reveal what they may not see.",
    example: { problemSetId: "the problem set's id", tab: "mdmp", name: "Release of the order" },
    async handler(ctx) {
      const { deadline, guards } = ctx.params;
      if (deadline && deadline <= iso(this.world.clock.now()))
        throw invalid([{ path: "deadline", message: "A deadline lies in the future." }]);
      const left = leftOpen(this.world.configurations.workflow, this.world.clock.now());
      const compartments = guards ? await guardedCompartments(this, ctx, guards) : ctx.params.compartments;
      const gate = await this.store(Gate).create(
        ctx,
        { ...left, ...ctx.params, compartments, status: "open", decisions: [] },
        { facts: (made: Gate) => [GateCreated.fact(made.id, gateEvent(made, ctx.meta.actor!.userId))] },
      );
      await bar(this, gate);
      return gate;
    },
  }),

  configure: endpoint({
    rest: "PATCH /:gateId/config",
    summary: "Change a gate's enforcement, deadline or approvers",
    permit: "signed-in",
    ...onGate,
    within: { set, may: GATE_ACTS.configure.may },
    description: "An expired gate reopens with another `deadline`, or with null for none.",
    body: {
      enforcement: Gate.update.enforcement,
      deadline: Gate.update.deadline.nullable(),
      onDeadline: Gate.update.onDeadline,
      approvers: Gate.update.approvers.nullable(),
      name: Gate.update.name,
      description: Gate.update.description,
    },
    returns: GateAnswer,
    async handler(ctx, gate) {
      const { userId, role } = deciderOf(ctx, gate);
      refuseGateAct("configure", gate, role, userId);
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
        facts: (made: Gate) => [GateConfigured.fact(gate.id, { ...gateEvent(made, userId), reopened })],
      });
      if (!stops(gate)) await bar(this, configured);
      return configured;
    },
  }),
};

/** Two people make a hard gate pass without approval: one makes it soft, another overrides it. */
const softening = (
  { enforcement }: Gate,
  wanted: Gate["enforcement"] | undefined,
  userId: string,
): { softenedBy?: string | null } =>
  wanted === undefined || wanted === enforcement ? {} : { softenedBy: wanted === "soft" ? userId : null };
