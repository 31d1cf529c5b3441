import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import { isConflict, isProblem, nullIf } from "../../../../core/problem.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";

import { actingFor } from "../acting.ts";
import { CheckpointResolved, CYCLE_STATES, CycleMoved, shortened } from "../events.ts";
import { after, Checkpoint, Cycle, done, PHASES, resolved, roundOf } from "./cycles.ts";
import { WORK } from "./phases.ts";

const MESH = asSystem("strategic-agents");
export const CYCLE = "strategic-agents.cycle";
const HOUR_MS = 3_600_000;
const BATCH = 200;

export const CycleChanged = liveType("cycle.changed", {
  domain: "strategic-agents",
  summary: "An intelligence cycle goes on, waits for a person, or ended",
  payload: z.object({ id: z.string(), status: z.enum(CYCLE_STATES), phase: z.enum(PHASES) }),
  may: "intelligence:read",
});

const told = ({ id, problemSetId, compartments, direction, phase, status, reason }: Cycle, by: string) => ({
  ...{ id, problemSetId, compartments, by, phase, status },
  title: shortened(direction.question),
  ...(reason !== undefined && { reason }),
});

/** Changes a cycle; tells where it waits or ends, and sockets of each step. */
async function advance(host: Host, cycle: Cycle, change: Record<string, unknown>, by: string): Promise<Cycle> {
  const facts = (now: Cycle) => (now.status === "running" ? [] : [CycleMoved.fact(now.id, told(now, by))]);
  const now = await host.store(Cycle).revise(MESH, cycle, change, { facts });
  const { id, problemSetId, compartments, status, phase } = now;
  await live(host, { event: CycleChanged, to: { problemSetId, compartments }, data: { id, status, phase } });
  return now;
}

type DrivenBy = "id" | "run" | "createdBy" | "problemSetId" | "compartments";
/** Sets a cycle going, or on: from each start one job drives it. */
export const drive = (host: Host, cycle: Pick<Cycle, DrivenBy>): Promise<Job> => {
  const { id, run, createdBy: by } = cycle;
  return host.jobs.add(CYCLE, { cycleId: id, run }, { by, onlookers: cycle, key: `${id}:${run}` });
};

/** The checkpoint that a cycle waits at: made by whoever finds it missing. */
async function demandCheckpoint(host: Host, cycle: Cycle): Promise<void> {
  const { id, problemSetId, compartments, direction, phase, outcomes, checkpointId, patienceHours } = cycle;
  const outcome = outcomes.at(-1)!;
  await host.store(Checkpoint).createOnce(MESH, {
    ...{ id: checkpointId!, problemSetId, compartments, cycleId: id, phase, next: after(phase) },
    ...{ question: direction.question, outcome, direction, status: "pending" },
    expiresAt: iso(Date.parse(outcome.at) + patienceHours * HOUR_MS),
  });
}

/** Phase by phase up to the next checkpoint or the end. A kill leaves the phase to be done again, to the same end. */
export async function runCycle(this: Host, run: JobRun<{ cycleId: string; run: number }>): Promise<object> {
  const store = this.store(Cycle);
  for (;;) {
    const cycle = await store.one(MESH, { _id: run.job.input.cycleId });
    if (!cycle) return { status: "gone" };
    // A person has set it going anew meanwhile: that has a job of its own.
    if (cycle.run !== run.job.input.run) return { status: cycle.status };
    if (cycle.status === "waiting") await demandCheckpoint(this, cycle);
    if (cycle.status !== "running") return { status: cycle.status };
    await run.progress(cycle.phase, PHASES.indexOf(cycle.phase), PHASES.length);
    const actor = await actingFor(this, cycle.createdBy);
    if (!actor) {
      const reason = "Whoever asked for it has no account any more.";
      await advance(this, cycle, { status: "failed", reason, endedAt: iso(this.world.clock.now()) }, cycle.createdBy);
      continue;
    }
    const found = await WORK[cycle.phase]({ host: this, cycle, actor, signal: run.signal }).catch((error: unknown) => {
      const problem = isProblem(error) ? error : undefined;
      // What was refused would be refused again.
      if (problem && problem.code < 500 && problem.code !== 409) return { refused: problem.message };
      throw error;
    });
    const at = iso(this.world.clock.now());
    const change =
      "refused" in found
        ? { status: "failed", reason: found.refused, endedAt: at }
        : done(cycle, { ...found, phase: cycle.phase, round: roundOf(cycle, cycle.phase), at });
    await advance(this, cycle, change, cycle.createdBy);
  }
}

/** What failed again and again says so. */
export async function giveUpCycle(this: Host, { input }: Job, reason: string): Promise<void> {
  const cycle = await this.store(Cycle).one(MESH, { _id: String(input["cycleId"]) });
  if (cycle?.status !== "running" || cycle.run !== input["run"]) return;
  const change = { status: "failed", reason, endedAt: iso(this.world.clock.now()) };
  await advance(this, cycle, change, cycle.createdBy);
}

/** A cycle goes on as its checkpoint says: once, whoever hears of it. */
export async function goOn(this: Host, { id, by }: z.output<typeof CheckpointResolved.payload>): Promise<void> {
  const checkpoint = await this.store(Checkpoint).one(MESH, { _id: id });
  if (!checkpoint || checkpoint.status === "pending") return;
  const cycle = await this.store(Cycle).one(MESH, { _id: checkpoint.cycleId });
  if (!cycle) return;
  const isHere = cycle.status === "waiting" && cycle.checkpointId === id;
  const at = iso(this.world.clock.now());
  const now = isHere
    ? await advance(this, cycle, resolved(cycle, checkpoint, at), by).catch(nullIf(isConflict))
    : cycle;
  if (now?.status === "running") await drive(this, now);
}

export const resolutionTold = (
  { id, problemSetId, compartments, cycleId, question }: Checkpoint,
  outcome: z.output<typeof CheckpointResolved.payload>["outcome"],
  by: string,
) => ({ ...{ id, problemSetId, compartments, cycleId, outcome, by }, title: shortened(question) });

/** What nobody resolved in time stops its cycle: silence is no consent. */
export async function expireCheckpoints(this: Host): Promise<void> {
  const now = iso(this.world.clock.now());
  const store = this.store(Checkpoint);
  const over = await store.find(
    MESH,
    { status: "pending", expiresAt: { $lte: now } },
    { sort: ["expiresAt"], limit: BATCH },
  );
  for (const one of over) {
    const cycle = await this.store(Cycle).one(MESH, { _id: one.cycleId });
    const fact = resolutionTold(one, "expired", cycle?.createdBy ?? one.createdBy);
    const expired = await store
      .revise(
        MESH,
        one,
        { status: "expired" },
        { where: { status: "pending" }, facts: [CheckpointResolved.fact(one.id, fact)] },
      )
      .catch(nullIf(isConflict));
    if (expired) await goOn.call(this, fact);
  }
}

/** Cycles that run and have no job, after a kill between their record and it. */
export async function sweepCycles(this: Host): Promise<void> {
  const late = iso(this.world.clock.now() - 10_000);
  const found = await this.store(Cycle).find(
    MESH,
    { status: "running", updatedAt: { $lte: late } },
    { sort: ["updatedAt"], limit: BATCH },
  );
  for (const cycle of found) await drive(this, cycle);
}
