import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { alike, among, same, isGrade, isLight, isTime, isWhole, type ContentWord } from "./terms.ts";

/** A phrase that names a thing: "the maternity ward at St Anne's". */
export interface Thing {
  first: number;
  last: number;
  /** What it is. */
  head: ContentWord;
  terms: readonly ContentWord[];
  /** The preposition before it. */
  by: string | undefined;
  isDefinite: boolean;
  /** The only one of its kind, or all of it. */
  isWhole: boolean;
}

const DETERMINER =
  /^(?:an?|the|this|that|these|those|my|our|your|his|her|its|their|all|any|each|every|no|some|such|own|same|both|other|another|more|most|few|further)$/;
const DEFINITE = /^(?:the|this|that|these|those|my|our|your|his|her|its|their|every|all)$/;
const SOLE = /^(?:single|only|sole|whole|entire|full|all)$/;
/** Words of place and time that the list of function words lacks. */
const PREPOSITION =
  /^(?:throughout|anywhere|everywhere|via|per|towards?|along|across|around|near|beside|inside|outside|beyond|upon|onto|without|within|among|amid)$/;
const PLACING = /^(?:in|on|at|by|to|for|of|from|with|under|over|into|off|out|up|down)$/;
const HOSTILE = /^(?:enemy|rival|competitor|opponent|insurgent|adversary|hostil)$/;
const BREAK = /[,;:()–—"“”.?!]/;
const TRAILING =
  /^(?:permanently|temporarily|running|open|shut|closed|going|alive|forward|together|apart|again|instead|first|afterwards|intact|untouched|unchanged|standing|online|offline|outright|alone|ahead|away|home|anywhere|everywhere|now|for good)$/;

const isAside = (word: string): boolean => TRAILING.test(word) || word.endsWith("ly") || isTime(word);

/** "Route 9" is a route, and "class sizes" are of classes. */
const headOf = (terms: readonly ContentWord[]): ContentWord =>
  terms.findLast((term) => !/^\d/.test(term.concept) && !isLight(term)) ?? terms.at(-1)!;

/** The phrases of a statement that name things, in their order; words in `taken` belong to none. */
export function thingsOf(
  { text, start, words: spoken }: Statement,
  terms: readonly ContentWord[],
  taken: ReadonlySet<number>,
): Thing[] {
  const at = new Map(terms.map((term) => [term.at, term]));
  const found: Thing[] = [];
  let open:
    | { first: number; terms: ContentWord[]; by: string | undefined; isDefinite: boolean; isWhole: boolean }
    | undefined;
  let by: string | undefined;
  const finish = (last: number): void => {
    if (open && open.terms.length > 0) {
      const named = open.terms.filter(({ at: place }) => !isAside(spoken[place]!.text));
      const all = named.length > 0 ? named : open.terms;
      found.push({ ...open, last, terms: all, head: headOf(all) });
      by = undefined;
    }
    open = undefined;
  };
  for (const [index, word] of spoken.entries()) {
    if (index > 0 && BREAK.test(text.slice(spoken[index - 1]!.end - start, word.start - start))) {
      finish(index - 1);
      by = undefined;
    }
    const term = at.get(index);
    if (taken.has(index)) {
      finish(index - 1);
      by = /^(?:in|on|at|by|to|for|from|with|into)$/.test(word.text) ? word.text : undefined;
    } else if (DETERMINER.test(word.text)) {
      if (open && open.terms.length > 0) finish(index - 1);
      open ??= { first: index, terms: [], by, isDefinite: false, isWhole: false };
      open.isDefinite ||= DEFINITE.test(word.text);
      open.isWhole ||= SOLE.test(word.text);
    } else if (term && !PREPOSITION.test(word.text) && !PLACING.test(word.text)) {
      open ??= { first: index, terms: [], by, isDefinite: false, isWhole: false };
      open.isWhole ||= isWhole(word.text);
      if (!SOLE.test(word.text)) open.terms.push(term);
    } else if (isFunctionWord(word.text) || PLACING.test(word.text) || PREPOSITION.test(word.text)) {
      if (word.text === "only" || word.text === "s") continue;
      const wasWhole = open?.terms.length === 0 && open.isWhole;
      finish(index - 1);
      by = word.text;
      // "All of the grant".
      if (wasWhole && word.text === "of")
        open = { first: index, terms: [], by: undefined, isDefinite: true, isWhole: true };
    }
  }
  finish(spoken.length - 1);
  return joined(found);
}

/** "The ownership of the elevator" is of the elevator; "the sale of drinks" keeps both. */
function joined(found: readonly Thing[]): Thing[] {
  const all: Thing[] = [];
  for (const thing of found) {
    const before = all.at(-1);
    if (thing.by === "of" && before && before.last === thing.first - 2)
      all[all.length - 1] = {
        ...before,
        last: thing.last,
        terms: [...before.terms, ...thing.terms],
        head: isLight(before.head) ? thing.head : before.head,
        isDefinite: before.isDefinite || thing.isDefinite,
        isWhole: before.isWhole || thing.isWhole,
      };
    else all.push(thing);
  }
  return all;
}

export const isOfTime = (thing: Thing, { words: spoken }: Statement): boolean =>
  thing.terms.every(({ at }) => isTime(spoken[at]!.text)) || isTime(spoken[thing.head.at]!.text);

/** Whether each names what the other does not, so that they are two of a kind. */
export function areTold(
  one: readonly ContentWord[],
  other: readonly ContentWord[],
  mine: readonly ContentWord[],
  theirs: readonly ContentWord[],
): boolean {
  const tells = (all: readonly ContentWord[], wide: readonly ContentWord[]): ContentWord[] =>
    all.filter((term) => (term.isName || isGrade(term)) && !among(term, wide));
  const [left, right] = [tells(one, theirs), tells(other, mine)];
  return left.length > 0 && right.length > 0;
}

/** Whether two phrases name one thing; `mine` and `theirs` are all terms of the statements. */
export function sameThing(
  one: Thing,
  other: Thing,
  mine: readonly ContentWord[],
  theirs: readonly ContentWord[],
): boolean {
  const headed = alike(one.head, other.head);
  const isExact = same(one.head, other.head);
  const shared = one.terms.filter((term) => term !== one.head && other.terms.some((it) => same(term, it)));
  const crossed = among(one.head, other.terms) && among(other.head, one.terms);
  if (!headed && !crossed && !(shared.length > 0 && isLight(one.head) && isLight(other.head))) return false;
  if (areTold(one.terms, other.terms, mine, theirs)) return false;
  const isHostile = ({ terms }: Thing): boolean => terms.some(({ concept }) => HOSTILE.test(concept));
  if (isHostile(one) !== isHostile(other)) return false;
  const extra = (all: readonly ContentWord[], wide: readonly ContentWord[]): ContentWord[] =>
    all.filter((term) => !wide.some((it) => same(term, it)) && !isLight(term));
  const [left, right] = [extra(one.terms, theirs), extra(other.terms, mine)];
  // A word beside it that either lacks says more of it; where each has its own, they are two, unless they share one.
  if (left.length > 0 && right.length > 0) return shared.length > 0 && left.length + right.length <= 3;
  return isExact || shared.length > 0;
}
