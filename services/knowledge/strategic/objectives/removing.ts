import type { Host } from "../../../../core/contract/endpoint.ts";
import { Assessment } from "../assessments/assessments.ts";
import { Intent, IntentVersion } from "../intents/intents.ts";
import { Operations } from "../operations/operations.ts";
import { Risk } from "../risks/risks.ts";
import { Comment } from "./comments.ts";
import { MESH } from "./escalating.ts";

const OF_IT = [Comment, Assessment, Risk, Intent, IntentVersion, Operations] as const;

/** What belongs to an objective goes with it. */
export async function removeWhatIsOfIt(this: Host, { id, change }: { id: string; change: string }): Promise<void> {
  if (change !== "removed") return;
  for (const entity of OF_IT) await this.store(entity).removeAll(MESH, { objectiveId: id });
}
