import { lazily, lexicon } from "../lexicon.ts";
import type { Sense } from "./meaning.ts";
import type { Negation } from "./polarity.ts";
import type { Statement } from "./statement.ts";
import { baseOf, isPastVerb } from "../words/stem.ts";
import type { Word } from "../words/words.ts";

interface End {
  axis: string;
  pole: string;
}
const acts = lazily(() => {
  const ends = new Map<string, End[]>();
  for (const [axis, poles] of Object.entries(lexicon.antonyms.acts))
    for (const [pole, forms] of Object.entries(poles))
      for (const form of forms) ends.set(baseOf(form), [...(ends.get(baseOf(form)) ?? []), { axis, pole }]);
  return ends;
});

/** Whether two words are at one end of an axis of acts: to enter, and to cross into. */
export const isSameAct = (one: string, other: string): boolean =>
  (acts().get(baseOf(one)) ?? []).some(({ axis, pole }) =>
    acts()
      .get(baseOf(other))
      ?.some((it) => it.axis === axis && it.pole === pole),
  );

/** An act, done or ordered, and its object. */
export interface Deed {
  axes: readonly End[];
  verb: string;
  isDenied: boolean;
  object: ReadonlySet<string>;
}

/** How many words after an act may name its object. */
const REACH = 7;
const CLAUSE = /^(?:and|from|but|while|so|to|by|until|before|after|within|without|in|because|if|when|than)$/;
const FEWEST = 0.75;

/** A negation denies the act that it stands before, not the object of the act. */
const isDenied = (negations: readonly Negation[], senses: readonly Sense[], at: number): boolean =>
  negations.some(
    ({ from, to }) => at >= from && at <= to && !senses.some((other) => other.at >= from && other.at < at),
  );

const axesOf = ({ concept, pole, word }: Sense): End[] => [
  ...(acts().get(baseOf(word)) ?? []),
  ...(pole ? [{ axis: concept, pole }] : []),
];

/** The words after an act, up to the next clause; without any, the words before it: "the bridge is held". */
function objectOf({ words, senses }: Statement, deed: Sense): Set<string> {
  let end = deed.at + 1;
  while (end < words.length && end <= deed.at + REACH && (end === deed.at + 1 || !CLAUSE.test(words[end]!.text)))
    end += 1;
  const named = (low: number, high: number): string[] =>
    senses.filter((one) => one !== deed && one.at >= low && one.at < high).map(({ concept }) => concept);
  // "The bridge was closed by police": the object stands before.
  const behind = isPassive(words, deed.at) ? [] : named(deed.at + 1, end);
  return new Set(behind.length ? behind : named(Math.max(0, deed.at - REACH), deed.at));
}

const BE = /^(?:is|are|was|were|be|been|being|gets?|got)$/;
const isPassive = (words: readonly Word[], at: number): boolean =>
  isPastVerb(words[at]!.text) && [1, 2].some((back) => BE.test(words[at - back]?.text ?? ""));

const deedOf = (stated: Statement, sense: Sense): Deed => ({
  axes: axesOf(sense),
  verb: sense.concept,
  isDenied: isDenied(stated.negations, stated.senses, sense.at),
  object: objectOf(stated, sense),
});

/** The acts that a plan or an order may name: any of its words. */
export const deedsOf = (stated: Statement): Deed[] => stated.senses.map((sense) => deedOf(stated, sense));

/** Acts in a statement about what was done: "a protected computer" is none. */
export function actsOf(stated: Statement): readonly Deed[] {
  let known = found.get(stated);
  if (!known) {
    known = stated.senses
      .filter(({ word, at }) => acts().has(baseOf(word)) && isVerb(stated.words, at))
      .map((sense) => deedOf(stated, sense));
    found.set(stated, known);
  }
  return known;
}
/** One sentence is compared with many claims. */
const found = new WeakMap<Statement, readonly Deed[]>();

const BEFORE_NOUNS = /^(?:an?|the|this|that|its|their|his|her|our|of|in|for|with|by|some|any|no|more|new)$/;
const BEFORE_VERBS = /^(?:to|will|would|shall|should|must|can|could|did|does|do)$/;
function isVerb(words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1]?.text ?? "", words[at]!.text];
  if (BE.test(before) && word.endsWith("ing")) return true;
  return BEFORE_VERBS.test(before) ? !word.endsWith("ed") : isPastVerb(word) && !BEFORE_NOUNS.test(before);
}

/** The share of the smaller set that lies in the other. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const fewest = Math.min(one.size, other.size);
  return fewest ? [...one].filter((item) => other.has(item)).length / fewest : 0;
}

/** Whether one of two acts on one thing undoes the other. */
export const undoes = (one: Deed, other: Deed): boolean =>
  areOpposed(one, other) && overlap(one.object, other.object) >= FEWEST;

function areOpposed(one: Deed, other: Deed): boolean {
  if (one.verb === other.verb && !one.verb.startsWith("±")) return one.isDenied !== other.isDenied;
  const isOpposed = one.axes.some(({ axis, pole }) => other.axes.some((it) => it.axis === axis && it.pole !== pole));
  const isAlike = one.axes.some(({ axis, pole }) => other.axes.some((it) => it.axis === axis && it.pole === pole));
  return (isOpposed && one.isDenied === other.isDenied) || (isAlike && !isOpposed && one.isDenied !== other.isDenied);
}
