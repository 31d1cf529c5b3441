import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { retryOnConflict } from "../../../core/records/conflict-retry.ts";
import { overtaken, Problem } from "../../../core/problem.ts";
import { isForward, reachable, type PhaseStage } from "./process/phases.ts";
import { Assumption, blockers, PhaseGate, Workflow, type Blocker } from "./workflows.ts";
import { guardsOf } from "../gates/client.ts";
import type { MissionPlace } from "../missions/client.ts";
import { PhaseChanged } from "./events.ts";

/** Stays that a workflow keeps, the latest. */
const MOST_STAYS = 500;

export const workflowEvent = (
  { id, problemSetId, compartments }: Workflow,
  ctx: Ctx<unknown>,
  { name }: Pick<MissionPlace, "name">,
) => ({
  missionId: id,
  mission: name,
  problemSetId,
  compartments,
  by: ctx.meta.actor!.userId,
});

/**
 * What stands in the way of leaving the present phase forward. Decision gates are asked for as the mesh: one that
 * guards a workflow lies in no compartment that the workflow does not lie in.
 */
export async function inTheWay(host: Host, ctx: Ctx<unknown>, workflow: Workflow): Promise<Blocker[]> {
  const { id: missionId, phase, problemSetId } = workflow;
  if (phase === "complete") return [];
  const [gates, assumptions, guards] = await Promise.all([
    host.store(PhaseGate).find(ctx, { missionId, phase }, { sort: ["createdAt"] }),
    host.store(Assumption).find(ctx, { missionId, status: "open", blocking: true }, { sort: ["createdAt"] }),
    guardsOf(host, { problemSetId, kind: "mdmp-transition", subject: missionId, step: phase }),
  ]);
  return blockers(phase, gates, assumptions, guards);
}

/**
 * A new obstacle counts from the answer to whoever made it, even for a transition that was judged before and is not
 * written yet. So the obstacle is stored first, then the workflow's count rises, and a transition is written only under
 * the count that it was judged by.
 */
export async function obstruct(host: Host, missionId: string): Promise<void> {
  await host.store(Workflow).collection.updateMany({ _id: missionId }, { $inc: { obstructions: 1 } });
}

/** Moves a workflow on to another phase. Throws 409: not reachable from here, blocked, or changed meanwhile. */
export async function moveOn(
  host: Host,
  ctx: Ctx<{ to: PhaseStage; note?: string | undefined }>,
  workflow: Workflow,
  mission: MissionPlace,
): Promise<Workflow> {
  const moved = await retryOnConflict(async (attempt) => {
    const at = attempt === 1 ? workflow : await host.store(Workflow).get(ctx, workflow.id);
    // Somebody else's change of the workflow is for the caller to read; a new obstacle is judged here.
    if (at.rev !== workflow.rev) return null;
    await refuseHindered(host, ctx, at, ctx.params.to);
    return enter(host, ctx, at, mission);
  });
  if (!moved) throw overtaken(Workflow.title, workflow);
  return moved;
}

async function refuseHindered(host: Host, ctx: Ctx<unknown>, workflow: Workflow, to: PhaseStage): Promise<void> {
  const allowed = reachable(workflow.phase);
  if (!allowed.includes(to))
    throw new Problem(
      409,
      "INVALID_TRANSITION",
      `Cannot go from ${workflow.phase} to ${to}; possible: ${allowed.join(", ")}.`,
      { details: { state: workflow.phase, move: to, allowed } },
    );
  if (!isForward(workflow.phase, to)) return;
  const found = await inTheWay(host, ctx, workflow);
  if (found.length)
    throw new Problem(409, "BLOCKED", found.map(({ message }) => message).join(" "), { details: found });
}

function enter(
  host: Host,
  ctx: Ctx<{ to: PhaseStage; note?: string | undefined }>,
  workflow: Workflow,
  mission: MissionPlace,
): Promise<Workflow> {
  const { to, note } = ctx.params;
  const at = iso(host.world.clock.now());
  const history = [
    ...workflow.history.slice(-MOST_STAYS, -1),
    { ...workflow.history.at(-1)!, until: at },
    { phase: to, from: at, by: ctx.meta.actor!.userId, ...(note && { note }) },
  ];
  return host.store(Workflow).revise(
    ctx,
    workflow,
    { phase: to, history },
    {
      where: { obstructions: workflow.obstructions ?? null },
      facts: [PhaseChanged.fact(workflow.id, { ...workflowEvent(workflow, ctx, mission), from: workflow.phase, to })],
    },
  );
}
