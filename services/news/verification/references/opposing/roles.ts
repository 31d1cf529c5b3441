import type { Agreement } from "../../../../../core/text/statements/dates.ts";
import type { Figures } from "../../../../../core/text/statements/comparison.ts";
import { sameName } from "../../../../../core/text/statements/names.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isOfAnotherOccasion } from "../../../../../core/text/statements/occasion.ts";
import type { Alignment, Names, Pair } from "../alignment.ts";

/** Verbs by which somebody does something to somebody else. */
const BETWEEN = new Set("beat defeat sue accuse attack invade outvote overtake acquire".split(" "));

/** The verb of which one says that A did it to B, and the other that B did it to A. */
export function rolesTurned(claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined {
  const verb = pairs.find(({ claim: { word, concept } }) => BETWEEN.has(concept) || BETWEEN.has(word));
  if (!verb) return undefined;
  const [one, other] = [sidesOf(claim, verb.claim.at), sidesOf(candidate, verb.candidate.at)];
  if (!one || !other) return undefined;
  return sameName(one.actor, other.target) && sameName(one.target, other.actor) ? verb.claim.word : undefined;
}

/** What only one can win or receive. */
const AWARDED = /^(?:won|wins?|winning|winner|elected|re-?elected)$/;

/** The verb by which the two name different winners of one thing. */
export function otherWinner(claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined {
  if (claim.negations.length + candidate.negations.length > 0) return undefined;
  const [one, other] = [claim, candidate].map(winnerIn);
  if (!one || !other || sameName(one.name, other.name)) return undefined;
  if (claim.entities.some(({ key }) => sameName(key, other.name))) return undefined;
  if (candidate.entities.some(({ key }) => sameName(key, one.name))) return undefined;
  const isWhole = [claim, candidate].some(({ words }, at) => words.length - 1 === [one, other][at]!.at);
  const isOfOne =
    isWhole || pairs.some((pair) => pair.claim.weight === 1 && pair.claim.at > one.at && pair.candidate.at > other.at);
  return isOfOne ? `${claim.words[one.at]!.text} by another` : undefined;
}

function winnerIn({ entities, words }: Statement): { name: string; at: number } | undefined {
  const at = words.findIndex(({ text }) => AWARDED.test(text));
  const name = at < 0 ? undefined : entities.findLast(({ end }) => end <= words[at]!.start);
  return name && { name: name.key, at };
}

function sidesOf({ entities, words }: Statement, at: number): { actor: string; target: string } | undefined {
  const verb = words[at];
  const actor = verb && entities.findLast(({ end }) => end <= verb.start);
  const target = verb && entities.find(({ start }) => start >= verb.end);
  return actor && target && { actor: actor.key, target: target.key };
}

/** What two statements of one event have in common. */
interface Compared {
  shared: Alignment;
  figures: Figures;
  names: Names;
  when: Agreement;
}

/** The sentence has everything of the claim except one name, and another name in its place. */
const BESIDE_PLACE = 0.75;
const PLACE = /\b(in|at|near|off|outside)\s(?:the\s)?$/;

export function otherPlace(
  claim: Statement,
  candidate: Statement,
  { shared, figures, names, when }: Compared,
): string | undefined {
  if (shared.besideNames < BESIDE_PLACE || figures.differing > 0 || when === "differ" || names.agreement === "agree")
    return undefined;
  if ([claim, candidate].some((side) => side.quantities.length > 0 || isOfAnotherOccasion(side))) return undefined;
  const [one, other] = [claim, candidate].map(({ text, start, entities }) =>
    entities.length === 1 ? [PLACE.exec(text.slice(0, entities[0]!.start - start))?.[1], entities[0]!.text] : [],
  );
  return one![0] && one![0] === other![0] ? `another place: ${one![1]} and ${other![1]}` : undefined;
}
