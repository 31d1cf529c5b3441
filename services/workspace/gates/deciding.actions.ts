import { z } from "zod";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { archived, conflict, unprocessable } from "../../../core/problem.ts";
import { lineage, passUp, settleGate, someoneDecides, gateEvent, withdraw } from "./escalating.ts";
import { GATE_ACTS, decided, Gate, stops, type GateAct, type GateState } from "./gates.ts";
import { GateConfigured, GateSubmitted } from "./events.ts";
import { bar } from "./guarding.ts";
import { deciderOf, refuseGateAct } from "./decider.ts";
import { GateAnswer, onGate } from "./gates.actions.ts";

const set = "problemSetId";
/** Why somebody decides as they do. */
export const Reason = z.string().trim().min(3).max(4_000);

export const decidingActions = {
  submit: endpoint({
    rest: "POST /:gateId/submit",
    summary: "Submit a gate for approval",
    permit: "signed-in",
    ...onGate,
    within: { set, may: GATE_ACTS.submit.may },
    body: { note: z.string().max(4_000).optional() },
    returns: GateAnswer,
    async handler(ctx, gate) {
      const { userId, role } = deciderOf(ctx, gate);
      refuseGateAct("submit", gate, role, userId);
      if (isPast(this, gate))
        throw conflict("Its deadline has passed: configure another deadline, or none, first.", {
          deadline: gate.deadline,
        });
      const now = iso(this.world.clock.now());
      const change = decided(gate, "submit", "submitted", { userId, role }, now, ctx.params.note);
      return this.store(Gate).revise(ctx, gate, change, {
        facts: [GateSubmitted.fact(gate.id, gateEvent(gate, userId))],
      });
    },
  }),

  approve: endpoint({
    rest: "POST /:gateId/approve",
    summary: "Approve a gate",
    permit: "signed-in",
    ...onGate,
    within: { set, may: GATE_ACTS.approve.may },
    body: { note: z.string().max(4_000).optional() },
    returns: GateAnswer,
    errors: { 403: "Your role may not, or you submitted it yourself." },
    handler(ctx, gate) {
      return decide(this, ctx, gate, "approve", "approved", ctx.params.note);
    },
  }),

  reject: endpoint({
    rest: "POST /:gateId/reject",
    summary: "Reject a gate, with a reason",
    permit: "signed-in",
    ...onGate,
    within: { set, may: GATE_ACTS.reject.may },
    body: { reason: Reason },
    returns: GateAnswer,
    example: { reason: "The risk of the second phase is not assessed." },
    handler(ctx, gate) {
      return decide(this, ctx, gate, "reject", "rejected", ctx.params.reason);
    },
  }),

  override: endpoint({
    rest: "POST /:gateId/override",
    summary: "Override a gate that only warns, with a justification",
    permit: "signed-in",
    ...onGate,
    within: { set, may: GATE_ACTS.override.may },
    stepUp: true,
    body: { justification: Reason },
    returns: GateAnswer,
    errors: { 403: "`STEP_UP_REQUIRED`: a fresh proof of who you are; or a hard gate, or your own submission." },
    example: { justification: "The window closes tonight; the commander accepts the risk." },
    handler(ctx, gate) {
      return decide(this, ctx, gate, "override", "overridden", ctx.params.justification);
    },
  }),

  escalate: endpoint({
    rest: "POST /:gateId/escalate",
    summary: "Escalate the decision to the parent problem set",
    permit: "signed-in",
    ...onGate,
    within: { set, may: GATE_ACTS.escalate.may },
    body: { reason: Reason.optional() },
    returns: GateAnswer,
    description: "Creates a linked gate in the parent, submitted for approval; the decision there decides this gate.",
    errors: {
      409: "The gate's state does not allow it, or the parent is archived (`ARCHIVED`).",
      422:
        "`NO_PARENT`: this problem set has none. `NO_ELIGIBLE_APPROVER`: nobody in the parent who may decide " +
        "is read into the gate's compartments.",
    },
    async handler(ctx, gate) {
      const { userId, role } = deciderOf(ctx, gate);
      refuseGateAct("escalate", gate, role, userId);
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

  reopen: endpoint({
    rest: "POST /:gateId/reopen",
    summary: "Take a decision about a gate back, a submission, or an escalation",
    permit: "signed-in",
    beyond: true,
    ...onGate,
    within: { set, may: GATE_ACTS.reopen.may },
    body: { reason: Reason },
    returns: GateAnswer,
    description:
      "It is open again, and a hard one stops again what it guards, as far as that has not gone on already. Of a gate " +
      "that a child passed up the decision stays: it is taken back below. Until the parent has decided, whoever passed " +
      "a gate up takes it back from there: it is again what it was before, and the linked gate above has expired.",
    errors: {
      403:
        "Whoever submitted it takes a submission back, whoever passed it up an escalation; the rest, a role that " +
        "decides.",
      409: "The gate's state does not allow it, or it is decided above already.",
    },
    example: { reason: "The gauge rose again: the order does not hold." },
    async handler(ctx, gate) {
      const { userId, role } = deciderOf(ctx, gate);
      refuseGateAct("reopen", gate, role, userId);
      const { reason } = ctx.params;
      if (gate.status === "escalated") {
        if (isPast(this, gate))
          throw conflict("Its deadline has passed: it would expire here at once.", { deadline: gate.deadline });
        return withdraw(this, gate, userId, reason);
      }
      if (gate.escalatedFrom)
        throw conflict("A child passed it up: what was decided holds there, and is taken back there.");
      const change = decided(gate, "reopen", "open", { userId, role }, iso(this.world.clock.now()), reason);
      const opened = await this.store(Gate).revise(ctx, gate, change, {
        facts: [GateConfigured.fact(gate.id, { ...gateEvent(gate, userId), reopened: true, was: gate.status, reason })],
      });
      if (!stops(gate)) await bar(this, opened);
      return opened;
    },
  }),
};

const isPast = (host: Host, { deadline }: Gate): boolean =>
  deadline !== undefined && deadline <= iso(host.world.clock.now());

function decide(
  host: Host,
  ctx: Ctx<unknown>,
  gate: Gate,
  act: GateAct,
  to: GateState,
  note: string | undefined,
): Promise<Gate> {
  const { userId, role } = deciderOf(ctx, gate);
  refuseGateAct(act, gate, role, userId);
  return settleGate(host, ctx, gate, act, to, { userId, role }, note);
}
