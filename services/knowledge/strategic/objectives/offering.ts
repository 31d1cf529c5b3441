import { shortened } from "../../../../core/text/cutting.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { offer, withdraw } from "../../../workspace/inheritance/client.ts";
import { Intent, isOffered as isIntentOffered, intentText } from "../intents/intents.ts";
import { MESH } from "./escalating.ts";
import { Objective } from "./objectives.ts";

const LONGEST_TITLE = 200;
const titleOf = (text: string): string => shortened(LONGEST_TITLE, text);

/** A set passes down what it has approved; an objective escalated by a child is already the child's. */
const isOffered = ({ status, escalatedFrom }: Objective): boolean => status === "approved" && !escalatedFrom;

async function offerObjective(host: Host, objective: Objective): Promise<void> {
  const { id, problemSetId, compartments, statement, description } = objective;
  const source = { problemSetId, kind: "objective" as const, sourceId: id };
  if (!isOffered(objective)) await withdraw(host, source);
  else {
    const text = description ? `${statement}\n\n${description}` : statement;
    await offer(host, { ...source, compartments, title: titleOf(statement), text });
  }
}

async function offerIntent(host: Host, intent: Intent, objective: Objective | null): Promise<void> {
  const source = { problemSetId: intent.problemSetId, kind: "intent" as const, sourceId: intent.id };
  if (!objective || !isIntentOffered(intent, objective)) return void (await withdraw(host, source));
  const title = titleOf(`Intent: ${objective.statement}`);
  await offer(host, { ...source, compartments: intent.compartments, title, text: intentText(intent) });
}

/** Offers an objective and its intent in their present state: facts may arrive late or twice. */
export async function passDown(this: Host, { objectiveId }: { objectiveId: string }): Promise<void> {
  for (let seen = ""; ;) {
    const objective = await this.store(Objective).one(MESH, { _id: objectiveId });
    const intent = await this.store(Intent).one(MESH, { objectiveId });
    const revisions = `${objective?.rev} ${intent?.rev}`;
    // A change made during the offer is offered again, so that the newest state wins.
    if (revisions === seen) return;
    seen = revisions;
    if (objective) await offerObjective(this, objective);
    if (intent) await offerIntent(this, intent, objective);
  }
}

export function passDownDecided(this: Host, { id }: { id: string }): Promise<void> {
  return passDown.call(this, { objectiveId: id });
}
