import type { Host } from "../../../../core/contract/endpoint.ts";
import { isConflict, nullIf } from "../../../../core/problem.ts";
import type { WholeText } from "../../documents/client.ts";
import { Assessment } from "../assessments/assessments.ts";
import { Assignment } from "../assignments/assignments.ts";
import { Intent } from "../intents/intents.ts";
import { Comment } from "../objectives/comments.ts";
import { ObjectiveChanged, objectiveEvent } from "../objectives/events.ts";
import { tellLive } from "../objectives/live.ts";
import { Objective } from "../objectives/objectives.ts";
import { Operations } from "../operations/operations.ts";
import { MESH } from "../reading.ts";
import { Risk } from "../risks/risks.ts";
import type { NamedCandidate } from "./candidates.ts";
import { Extraction, isUntouched } from "./extraction.ts";

const OF_PEOPLE = [Comment, Assessment, Risk, Intent, Operations] as const;
const MOST = 1_000;

/** Whether people made anything of an objective: then it is theirs. */
async function isUsed(host: Host, { id: objectiveId, problemSetId }: Objective): Promise<boolean> {
  const found = await Promise.all([
    host.store(Assignment).one(MESH, { problemSetId, subjectKind: "objective", subjectId: objectiveId }),
    ...OF_PEOPLE.map((entity) => host.store(entity).one(MESH, { objectiveId })),
  ]);
  return found.some((one) => one !== null);
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** Whether a text no longer has the words of an objective, or says them as a part of what was found in it. */
function outdatedIn({ text }: WholeText, found: readonly NamedCandidate[]): (objective: Objective) => boolean {
  const plain = inOneLine(text);
  const said = found.flatMap(({ citations }) => citations.map(({ quote }) => inOneLine(quote)));
  return ({ citations }) => {
    const quotes = citations.map(({ quote }) => inOneLine(quote));
    const isGone = quotes.every((quote) => !plain.includes(quote));
    return isGone || quotes.some((quote) => said.some((one) => one.includes(quote) || quote.includes(one)));
  };
}

/** Removes those of a document's drafts that nobody touched. Found again one day, they are made anew. */
async function removeDrafts(
  host: Host,
  { documentId, by }: { documentId: string; by: string },
  isOutdated: (draft: Objective) => boolean,
): Promise<void> {
  const drafts = await host.store(Objective).find(MESH, { documentId, status: "draft" }, { limit: MOST });
  const outdated = drafts.filter((draft) => isUntouched(draft) && isOutdated(draft));
  if (!outdated.length) return;
  const extractions = await host.store(Extraction).find(MESH, { documentId }, { fields: ["told"] });
  for (const draft of outdated) {
    if (await isUsed(host, draft)) continue;
    // What is gone without having been forgotten was removed by a person.
    for (const { id, told } of extractions)
      if (told.includes(draft.id))
        await host
          .store(Extraction)
          .change(MESH, id, (known) => ({ told: known.told.filter((one) => one !== draft.id) }));
    const event = { ...objectiveEvent(draft, by), change: "removed" as const };
    await host
      .store(Objective)
      .remove(MESH, draft, { facts: [ObjectiveChanged.fact(draft.id, event)] })
      .catch(nullIf(isConflict));
    await tellLive(host, draft);
  }
}

/**
 * Removes drafts that the newest version of their document does not say any more, or says in what was found now: two
 * drafts would stand for one sentence.
 */
export function removeOutdated(
  host: Host,
  of: { documentId: string; by: string },
  whole: WholeText,
  found: readonly NamedCandidate[],
): Promise<void> {
  const ids = new Set(found.map(({ id }) => id));
  const isOutdated = outdatedIn(whole, found);
  return removeDrafts(host, of, (draft) => !ids.has(draft.id) && isOutdated(draft));
}

/** Hears that a document was withdrawn: what nobody has made anything of goes with its text. */
export function forgetDrafts(this: Host, { id: documentId, by }: { id: string; by: string }): Promise<void> {
  return removeDrafts(this, { documentId, by }, () => true);
}
