import type { Host } from "../../../../core/contract/endpoint.ts";
import { newId } from "../../../../core/ids.ts";
import type { Fact } from "../../../../core/events/event.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { lookForDuplicates } from "./judging.ts";

export const LOOK = "graph.duplicates";
const SYSTEM = "system:graph";

interface Input {
  problemSetId: string;
}

/** Has duplicates looked for in the background, when statements came otherwise than by reading a text. */
export const beginLooking = (host: Host, problemSetId: string, cause = newId()): Promise<unknown> =>
  host.jobs.add(LOOK, { problemSetId }, { by: SYSTEM, key: `${problemSetId}:${cause}` });

/** Hears that somebody tied an event to an entity: what both are joined with speaks for who is who. */
export async function lookAround(this: Host, { problemSetId }: Input, fact: Fact): Promise<void> {
  await beginLooking(this, problemSetId, fact.id);
}

export async function look(this: Host, { job }: JobRun<Input>): Promise<{ sights: number }> {
  return { sights: await lookForDuplicates(this, job.input.problemSetId) };
}
