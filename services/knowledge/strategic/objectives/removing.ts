import type { Host } from "../../../../core/contract/endpoint.ts";
import { notFound } from "../../../../core/problem.ts";
import { Assessment } from "../assessments/assessments.ts";
import { Intent, IntentVersion } from "../intents/intents.ts";
import { Operations } from "../operations/operations.ts";
import { Risk } from "../risks/risks.ts";
import { Comment } from "./comments.ts";
import { MESH } from "./escalating.ts";
import { Objective } from "./objectives.ts";

/** Records that belong to an objective, and are removed with it. */
const OF_IT = [Comment, Assessment, Risk, Intent, IntentVersion, Operations] as const;

export async function removeWhatIsOfIt(this: Host, { id, change }: { id: string; change: string }): Promise<void> {
  if (change !== "removed") return;
  for (const entity of OF_IT) await this.store(entity).removeAll(MESH, { objectiveId: id });
}

/**
 * Throws 404 where the objective was removed while a record of it was created, and undoes that: either this sees that
 * the objective is gone, or its removal sees the record.
 */
export async function demandStill<R extends { id: string }>(
  host: Host,
  objectiveId: string,
  entity: (typeof OF_IT)[number],
  made: R,
): Promise<R> {
  if (await host.store(Objective).one(MESH, { _id: objectiveId })) return made;
  await host.store(entity).removeAll(MESH, { _id: made.id });
  throw notFound(Objective.title, objectiveId);
}
