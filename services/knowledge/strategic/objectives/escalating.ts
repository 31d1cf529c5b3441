import { setPermitsOf, type SetRole } from "../../../../config/set-roles.ts";
import { holds } from "../../../../core/access/access.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { archived, conflict, isNotFound, nullIf, unprocessable } from "../../../../core/problem.ts";
import { ObjectiveChanged, ObjectiveDecided, objectiveEvent } from "./events.ts";
import { tellLive } from "./live.ts";
import { Objective, type ObjectiveState } from "./objectives.ts";
import { OBJECTIVE_ACTS, movedObjective, waitsAbove } from "./workflow.ts";

export const MESH = asSystem("strategic");
type By = { userId: string; role?: string | undefined };

interface Lineage {
  parentId: string | null;
  parentArchived: boolean;
}

/**
 * The linked record's id is derived from the objective and the escalated revision: a repetition makes no second record.
 */
const linkedId = ({ id, rev }: Objective): string => derivedId(`objective ${id}, escalated from revision ${rev}`);

/** The parent in which somebody could decide. Throws 422 without one, 409 where it is archived. */
async function deciderAbove(host: Host, { problemSetId, compartments }: Objective): Promise<string> {
  const { parentId, parentArchived } = await host.ask<Lineage>("problem-sets.lineage", { problemSetId });
  if (!parentId) throw unprocessable("NO_PARENT", "This problem set has no parent to escalate to.");
  if (parentArchived) throw archived("The parent");
  const readers = await host.ask<{ role: SetRole }[]>("problem-sets.readersOf", {
    problemSetId: parentId,
    compartments,
  });
  if (!readers.some(({ role }) => holds(setPermitsOf(role), OBJECTIVE_ACTS.approve.may)))
    throw unprocessable(
      "NO_ELIGIBLE_REVIEWER",
      "Nobody in the parent who may decide is read into the compartments of this objective.",
    );
  return parentId;
}

/** Escalates the decision: the objective waits in review until it is made above. */
export async function passUp(
  host: Host,
  ctx: Ctx<unknown>,
  objective: Objective,
  by: By,
  reason: string | undefined,
): Promise<Objective> {
  const parentId = await deciderAbove(host, objective);
  const to = { problemSetId: parentId, objectiveId: linkedId(objective) };
  const at = iso(host.world.clock.now());
  const change = { ...movedObjective(objective, "escalate", "in_review", by, at, reason), escalatedTo: to };
  const told = { ...objectiveEvent(objective, by.userId), change: "escalated" as const, to, ...(reason && { reason }) };
  const waiting = await host
    .store(Objective)
    .revise(ctx, objective, change, { facts: [ObjectiveChanged.fact(objective.id, told)] });
  // The fact creates the linked record in any case; this creates it before the answer.
  await takeUp.call(host, told);
  return waiting;
}

interface PassedUp {
  id: string;
  change: string;
  by: string;
  to?: { problemSetId: string; objectiveId: string } | undefined;
  reason?: string | undefined;
}

/**
 * Creates the linked record in the parent: the objective's content, without its citations, whose documents stay below,
 * and without history and comments. It lies in the compartments of the objective.
 */
export async function takeUp(this: Host, { id, change, to, by, reason }: PassedUp): Promise<void> {
  if (change !== "escalated" || !to) return;
  const objective = await this.store(Objective).one(MESH, { _id: id });
  if (!objective) return;
  const at = iso(this.world.clock.now());
  const { problemSetId, compartments, statement, description, kind, measure, dueAt, owner, method } = objective;
  const record = {
    id: to.objectiveId,
    problemSetId: to.problemSetId,
    ...{ compartments, statement, description, kind, measure, dueAt, owner, method },
    confidence: objective.confidence,
    citations: [],
    edited: true,
    status: "submitted",
    submittedBy: objective.submittedBy ?? by,
    submittedAt: at,
    ...(reason && { reason }),
    escalatedFrom: { problemSetId, objectiveId: id },
    history: [{ act: "escalate", at, by, ...(reason && { note: reason }), from: "draft", to: "submitted" }],
  };
  const { record: linked, made } = await this.store(Objective).createOnce(MESH, record, {
    beyondMost: true,
    facts: (one: Objective) => [ObjectiveChanged.fact(one.id, { ...objectiveEvent(one, by), change: "submitted" })],
  });
  if (made) await tellLive(this, linked);
}

interface Decided {
  id: string;
  status: ObjectiveState;
  by: string;
  reason?: string | undefined;
}

/** Applies the parent's decision about a linked record to the objective that it came from. */
export async function handDown(this: Host, { id, status, by, reason }: Decided): Promise<void> {
  if (status !== "approved" && status !== "rejected") return;
  const linked = await this.store(Objective).one(MESH, { _id: id });
  if (!linked?.escalatedFrom) return;
  const at = iso(this.world.clock.now());
  const decided = await this.store(Objective)
    .amend(
      MESH,
      linked.escalatedFrom.objectiveId,
      (objective) =>
        waitsAbove(objective) && objective.escalatedTo?.objectiveId === id
          ? movedObjective(objective, "parent-decision", status, { userId: by }, at, reason)
          : null,
      // Announced as well, because it may have been escalated through several sets.
      { facts: (made: Objective) => [ObjectiveDecided.fact(made.id, { ...objectiveEvent(made, by), status, reason })] },
    )
    .catch(nullIf(isNotFound));
  if (decided) await tellLive(this, decided);
}

/** Throws 409 where another objective superseded the same predecessor meanwhile. */
export async function demandPredecessor(host: Host, { supersedes }: Objective): Promise<void> {
  const before = supersedes && (await host.store(Objective).one(MESH, { _id: supersedes }));
  if (before && before.status !== "approved")
    throw conflict(`What it is to take the place of is ${before.status}: another was approved in its place.`);
}

/** Supersedes the predecessor of an approved objective. */
export async function giveWay(this: Host, { id, status, by }: Decided): Promise<void> {
  if (status !== "approved") return;
  const successor = await this.store(Objective).one(MESH, { _id: id });
  if (!successor?.supersedes) return;
  const at = iso(this.world.clock.now());
  const former = await this.store(Objective)
    .amend(
      MESH,
      successor.supersedes,
      (objective) =>
        objective.status === "approved"
          ? { ...movedObjective(objective, "supersede", "superseded", { userId: by }, at), supersededBy: id }
          : null,
      {
        facts: (made: Objective) => [
          ObjectiveDecided.fact(made.id, { ...objectiveEvent(made, by), status: "superseded" }),
        ],
      },
    )
    .catch(nullIf(isNotFound));
  if (former) await tellLive(this, former);
}
