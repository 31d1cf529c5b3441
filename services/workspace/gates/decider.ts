import type { SetRole } from "../../../config/set-roles.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { forbidden, invalidTransition } from "../../../core/problem.ts";
import { GATE_ACTS, Gate, may, type GateAct, type GateState } from "./gates.ts";

/** Who decides at a gate, and in which role. */
export function deciderOf(ctx: Ctx<unknown>, gate: Gate): { userId: string; role: SetRole } {
  const actor = ctx.meta.actor!;
  return { userId: actor.userId, role: (actor.memberships?.[gate.problemSetId]?.role ?? "commander") as SetRole };
}

/** Throws 409 where the state does not allow it, 403 with the reason otherwise. */
export function refuseGateAct(act: GateAct, gate: Gate, role: SetRole, userId: string): void {
  const { from } = GATE_ACTS[act];
  if (!(from as readonly GateState[]).includes(gate.status)) throw invalidTransition(act, gate.status, from);
  const { allowed, why } = may(act, gate, role, userId);
  if (!allowed) throw forbidden(why);
}
