import { terms } from "../../../../core/text/words/terms.ts";
import { fold } from "../../../../core/text/words/words.ts";
import type { Matched, OperationsPlan } from "./operations.ts";

/** A possible resource: a staff position of the problem set, or an item of its register of resources. */
export interface ResourceCandidate {
  type: "position" | "resource";
  id: string;
  title: string;
  abbreviation?: string | undefined;
}

const FEWEST = 0.75;

function likeness(name: string, { title, abbreviation }: ResourceCandidate): number {
  const wanted = fold(name.trim());
  if (wanted === fold(title) || (abbreviation && wanted === fold(abbreviation))) return 1;
  const [mine, theirs] = [new Set(terms(name)), new Set(terms(title))];
  const shared = [...mine].filter((term) => theirs.has(term)).length;
  return shared / Math.max(1, mine.size, theirs.size);
}

/**
 * The candidate for each resource. A resource without a match, or with two equal ones, is unmatched, with the reason.
 */
export function matchAll(
  resources: OperationsPlan["resources"],
  candidates: (name: string) => readonly ResourceCandidate[],
): Matched[] {
  return resources.map((resource): Matched => {
    const ranked = candidates(resource.name)
      .map((candidate) => ({ candidate, like: likeness(resource.name, candidate) }))
      .filter(({ like }) => like >= FEWEST)
      .sort((one, other) => other.like - one.like);
    const [best, next] = ranked;
    if (!best)
      return { ...resource, status: "unmatched", why: "No staff position or registered resource is called so." };
    if (next && next.like === best.like) return { ...resource, status: "unmatched", why: "Several are called so." };
    const { type, id, title } = best.candidate;
    const why = best.like === 1 ? "It is called so." : `${Math.round(100 * best.like)} % of the words are the same.`;
    return { ...resource, status: "matched", match: { type, id, title }, why };
  });
}
