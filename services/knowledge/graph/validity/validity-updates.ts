import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newId } from "../../../../core/ids.ts";
import { on, type Fact } from "../../../../core/events/event.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { DocumentRemoved } from "../../documents/events.ts";
import { ObjectiveAssessed, ObjectiveChanged, ObjectiveDecided } from "../../strategic/events.ts";
import { recalculate } from "./calculating.ts";
import { Assertion, Validity, ValidityAlert, ValidityPoint } from "./validity.ts";

const MESH = asSystem("graph");
const FOLLOW = "graph.validity";
const BATCH = 200;
const EVERY_MS = 60_000;
const SYSTEM = "system:graph";

/** An objective that was approved is calculated from then on; one that changed otherwise where it is known. */
async function decided(this: Host, { id }: { id: string }): Promise<void> {
  await recalculate(this, id);
}
async function changed(this: Host, { id }: { id: string }): Promise<void> {
  if (await this.store(Validity).one(MESH, { _id: id })) await recalculate(this, id);
}

interface Place {
  problemSetId: string;
  compartments: readonly string[];
}
/**
 * In the background all objectives on which something may bear that happened in this place. Others are left alone: that
 * they were calculated anew would tell of what their readers do not see.
 */
const follow = (host: Host, { problemSetId, compartments }: Place, cause: string): Promise<unknown> =>
  host.jobs.add(FOLLOW, { problemSetId, compartments }, { by: SYSTEM, key: `${problemSetId}:${cause}` });

/** A document is gone, or an objective that may exclude others has come or gone. */
async function happened(this: Host, place: Place, fact: Fact): Promise<void> {
  await follow(this, place, fact.id);
}

export const hearsValidity = [
  on(ObjectiveDecided, decided),
  on(ObjectiveDecided, happened),
  on(ObjectiveChanged, changed),
  on(ObjectiveAssessed, changed),
  on(DocumentRemoved, happened),
];

/** Calculates the objectives of a set that lie in these compartments at least. */
async function followAll(this: Host, { job, signal }: JobRun<Place>): Promise<object> {
  const { problemSetId, compartments } = job.input;
  const fields = ["problemSetId", "compartments"];
  let done = 0;
  for await (const some of this.store(Validity).slices(MESH, { problemSetId }, { fields }))
    for (const one of some) {
      if (!compartments.every((id) => one.compartments.includes(id))) continue;
      signal.throwIfAborted();
      await recalculate(this, one.id);
      done++;
    }
  return { done };
}
export const validityJobs = { [FOLLOW]: { run: followAll } };

/** Age works by itself: each is calculated anew once a day. */
async function daily(this: Host): Promise<void> {
  const now = iso(this.world.clock.now());
  const due = await this.store(Validity).find(
    MESH,
    { nextAt: { $lte: now } },
    { sort: ["nextAt"], limit: BATCH, fields: ["nextAt"] },
  );
  for (const { id } of due) await recalculate(this, id);
}
export const validitySchedules = { "recalculate-validity": { everyMs: EVERY_MS, run: daily } };

const POINTS_DAYS = 800;
const ALERTS_DAYS = 400;
export const keepsValidity = [
  { entity: ValidityPoint, days: () => POINTS_DAYS },
  { entity: ValidityAlert, days: () => ALERTS_DAYS, where: { status: "closed" } },
];

/** A product of fusion was approved, or gave way: what it says bears on objectives of its set from now on, or no longer. */
export const Borne = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  text: z.string(),
  likelihood: z.number(),
  at: z.string(),
  holds: z.boolean(),
});
export async function bear(host: Host, { holds, ...assertion }: z.output<typeof Borne>): Promise<void> {
  const store = host.store(Assertion);
  if (holds) await store.createOnce(MESH, assertion);
  else await store.removeAll(MESH, { _id: assertion.id });
  await follow(host, assertion, newId());
}
