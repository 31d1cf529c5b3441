import type { SetRole } from "../../../../config/set-roles.ts";
import type { Actor } from "../../../../core/access/access.ts";
import { conflict, forbidden, invalidTransition } from "../../../../core/problem.ts";
import { OBJECTIVE_ACTS, refusal, type ObjectiveAct, type WorkflowFields, type Who } from "./workflow.ts";

export const withinSet = (may: string): { set: "problemSetId"; may: string } => ({ set: "problemSetId", may });

/** In which role somebody acts on a record of a problem set. */
export function whoIs(actor: Actor | undefined, problemSetId: string): Required<Who> {
  const role = actor?.memberships?.[problemSetId]?.role ?? "commander";
  return { role: role as SetRole, userId: actor?.userId ?? "", isPerson: actor?.via !== "key" };
}

/** Throws 409 where the objective's state forbids it, 403 where the role does; answers who acts. */
export function refuseAct(
  act: ObjectiveAct,
  objective: WorkflowFields & { problemSetId: string },
  actor: Actor | undefined,
): Required<Who> {
  const who = whoIs(actor, objective.problemSetId);
  const refused = refusal(act, objective, who);
  if (!refused) return who;
  if (refused.because !== "state") throw forbidden(refused.why);
  const { from } = OBJECTIVE_ACTS[act];
  if (!(from as readonly string[]).includes(objective.status)) throw invalidTransition(act, objective.status, from);
  throw conflict(refused.why);
}
