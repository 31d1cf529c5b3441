import { terms } from "../../../../core/text/terms.ts";
import { fold } from "../../../../core/text/words.ts";
import type { Matched, Plan } from "./operations.ts";

/** A staff position of the problem set. */
export interface Position {
  id: string;
  title: string;
  abbreviation?: string | undefined;
}

const FEWEST = 0.75;

function likeness(name: string, { title, abbreviation }: Position): number {
  const wanted = fold(name.trim());
  if (wanted === fold(title) || (abbreviation && wanted === fold(abbreviation))) return 1;
  const [mine, theirs] = [new Set(terms(name)), new Set(terms(title))];
  const shared = [...mine].filter((term) => theirs.has(term)).length;
  return shared / Math.max(1, mine.size, theirs.size);
}

/** Which of the positions each resource is. One that fits none, or two as well as each other, is unmatched, with why. */
export function matchAll(resources: Plan["resources"], positions: readonly Position[]): Matched[] {
  return resources.map((resource): Matched => {
    const ranked = positions
      .map((position) => ({ position, like: likeness(resource.name, position) }))
      .filter(({ like }) => like >= FEWEST)
      .sort((one, other) => other.like - one.like);
    const [best, next] = ranked;
    if (!best) return { ...resource, status: "unmatched", why: "No staff position is called so." };
    if (next && next.like === best.like)
      return { ...resource, status: "unmatched", why: "Several staff positions are called so." };
    const { id, title } = best.position;
    const why = best.like === 1 ? "It is called so." : `${Math.round(100 * best.like)} % of the words are the same.`;
    return { ...resource, status: "matched", match: { type: "position", id, title }, why };
  });
}
