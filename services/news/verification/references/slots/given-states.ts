import { once } from "../../../../../core/once.ts";
import {
  oppositeOf,
  polesIn,
  thingOf,
  type Pole,
  type Thing,
} from "../../../../../core/text/statements/states/poles.ts";
import { conceptOf } from "../../../../../core/text/statements/meaning.ts";
import { isSupposed } from "../../../../../core/text/statements/occasion.ts";
import { isOfMatter, type Statement } from "../../../../../core/text/statements/statement.ts";
import { baseOf } from "../../../../../core/text/words/stem.ts";
import { isReportingWord } from "../../../../../core/text/words/stop-words.ts";
import { agentOf, subjectOf, themeOf, type Theme } from "../../../../../core/text/statements/themes.ts";

/** A state that a sentence gives to something. */
export interface GivenState extends Pole {
  theme: Theme | undefined;
  subject: Theme | undefined;
  agent: Theme | undefined;
  /** Of some of several, or at another time: "eleven of them are alive". */
  isOfSome: boolean;
  /** What else its clause names, as things. */
  things: ReadonlySet<string>;
  /** What of that the axis is said of; of the whole sentence, where its clause names none. */
  own: ReadonlySet<string>;
  /** Names behind "in": where it is so. */
  places: readonly string[];
}

const BREAK = /[,;:()–—“”"]/;
const CLAUSE = /^(?:and|but|while|so|because|if|when|whether|although|though|than|as|or|nor|after|before|until|since)$/;

const isBroken = ({ text, start, words }: Statement, one: number, other: number): boolean =>
  BREAK.test(text.slice(words[Math.min(one, other)]!.end - start, words[Math.max(one, other)]!.start - start));

interface Clause {
  from: number;
  to: number;
  text: string;
  /** Offsets in the whole text. */
  start: number;
  end: number;
}

function clauseOf(stated: Statement, { first, last }: Pole): Clause {
  const { words, text } = stated;
  const isBreak = (at: number): boolean => isBroken(stated, at - 1, at) || CLAUSE.test(words[at]!.text);
  let [from, to] = [first, last];
  while (from > 0 && !isBreak(from)) from -= 1;
  while (to + 1 < words.length && !isBreak(to + 1)) to += 1;
  const [start, end] = [words[from]!.start, words[to]!.end];
  return { from, to, text: text.slice(start - stated.start, end - stated.start), start, end };
}

/** Some of several, others than those, or at another time. */
const OF_SOME = new RegExp(
  String.raw`\b(?:an?other|second|third|others?|accomplices?|` +
    String.raw`(?:one|two|three|four|\d+|some|most|many|several|all but|half) of|` +
    String.raw`remaining|rest of|neighbouring|had (?:been|already|still)|last (?:year|month|week|time)|ago|earlier|later|` +
    String.raw`when|previous|previously|used to|in (?:19|20)\d\d)\b`,
  "i",
);
/** "Arson is not suspected" names it all the same. */
export const RULED_OUT = /\b(?:not (?:suspected|believed|thought|likely)|rul(?:ed?|ing) out|unlikely)\b/i;
/** "They will open it if the lake rises": it is not so, and may never be. */
const CONDITIONAL = /\b(?:if|once|unless|should|in case)\b/i;
const AHEAD = /\b(?:will|would|shall|(?:is|are|was|were|plans?|due) to)(?: \w+){0,3}$/i;
const isConditional = ({ text, start, words }: Statement, { last }: Pole): boolean =>
  AHEAD.test(text.slice(0, words[last]!.end - start)) && CONDITIONAL.test(text.slice(words[last]!.end - start));
const IN = /\b[Ii]n (?:the )?$/;

/** The negations that reach some words of a statement, and do not stand among them. */
export const negationsOver = ({ negations }: Statement, { first, last }: { first: number; last: number }) =>
  negations.filter(({ at, from, to }) => (at < first || at > last) && first >= from && first <= to);

/** Which end a sentence gives, by its negations; undefined where that cannot be told. */
function turned(stated: Statement, one: Pole): string | undefined {
  const { axis, pole, first } = one;
  const turning = negationsOver(stated, one);
  // "An error, and not a leak, destroyed it": the negation is of another word.
  if (turning.length > 1 || turning.some(({ at }) => isBroken(stated, at, first))) return undefined;
  return turning.length === 1 ? oppositeOf(axis, pole) : pole;
}

const OFFICES =
  /^(?:managers?|directors?|chiefs?|bosses|boss|owners?|operators?|workers?|employees?|staff|spokes\w+|officials?|heads?|guards?|engineers?|doctors?|teachers?|drivers?|inspectors?|masters?|authorit(?:y|ies)|authority's)$/;
/** The file of "a file-transfer server" is none, nor is the plant of its manager. */
const isModifier = ({ words, text, start }: Statement, { last }: Thing): boolean => {
  const behind = words[last + 1];
  return (
    text[words[last]!.end - start] === "-" ||
    (behind !== undefined &&
      text.slice(words[last]!.end - start, behind.start - start) === " " &&
      OFFICES.test(behind.text))
  );
};

/** "The leak was closed, he said at the gate of the plant": where somebody spoke is not what they spoke of. */
const isWhereSpoken = (stated: Statement, { last }: Pole, { first }: Thing): boolean =>
  stated.words.some(({ text }, at) => at > last && at < first && isReportingWord(text) && isBroken(stated, last, at));

function ownOf(stated: Statement, one: Pole, all: readonly Thing[], { from, to }: Clause): ReadonlySet<string> {
  const own = all.filter(
    (thing) =>
      thing.axis === one.axis && (thing.first < one.first || thing.first > one.last) && !isModifier(stated, thing),
  );
  const near = own.filter(({ first }) => first >= from && first <= to);
  return new Set(
    (near.length > 0 ? near : own.filter((thing) => !isWhereSpoken(stated, one, thing))).map(({ last }) =>
      thingOf(conceptOf(baseOf(stated.words[last]!.text))),
    ),
  );
}

function stateOf(stated: Statement, one: Pole, things: readonly Thing[]): GivenState | undefined {
  const { words, senses, quantities, entities, text, start } = stated;
  const { first, last } = one;
  const pole = turned(stated, one);
  if (!pole || !isOfMatter(stated, words[first]!) || isSupposed(stated, first) || RULED_OUT.test(text))
    return undefined;
  if (isConditional(stated, one)) return undefined;
  const clause = clauseOf(stated, one);
  const isOfClause = (at: number): boolean => at >= clause.from && at <= clause.to && (at < first || at > last);
  const isCounted = quantities.some(
    ({ start: from, end, unit }) =>
      from >= clause.start && end <= words[first]!.start && (unit === "count" || unit === "percent"),
  );
  const named = senses.filter(({ at, weight }) => weight >= 1 && isOfClause(at));
  const places = entities.filter(
    (name) => name.start >= clause.start && name.end <= clause.end && IN.test(text.slice(0, name.start - start)),
  );
  return {
    ...{ ...one, pole, theme: themeOf(stated, first, last - first + 1), subject: subjectOf(stated, first) },
    ...{ agent: agentOf(stated, first), isOfSome: isCounted || OF_SOME.test(clause.text) },
    things: new Set(named.map(({ concept }) => thingOf(concept))),
    own: ownOf(stated, one, things, clause),
    places: places.map(({ key }) => key),
  };
}

/** The states that a sentence gives. */
export const givenStates = once((stated: Statement): readonly GivenState[] | undefined => {
  const { poles, things } = polesIn(stated.words);
  const found = poles.flatMap((one) => stateOf(stated, one, things) ?? []);
  return found.length > 0 ? found : undefined;
});
