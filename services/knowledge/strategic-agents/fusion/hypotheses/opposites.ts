import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { stem } from "../../../../../core/text/words/stem.ts";

const pairs = lazily(() => new Set<string>(lexicon.opposites.outright));

/** Whether a dictionary has two words as opposites: accept and reject. */
export function areOpposites(one: string, other: string): boolean {
  const [first, second] = [stem(one), stem(other)].sort();
  return pairs().has(`${first} ${second}`);
}
