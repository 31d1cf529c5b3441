import { isWord, KNOWN_TERMS, placeOf } from "../../../core/text/words/vectors.ts";
import { stem } from "../../../core/text/words/stem.ts";
import { isFunctionWord, isStopWord } from "../../../core/text/words/stop-words.ts";
import { isContractedNot, words, type Word } from "../../../core/text/words/words.ts";
import { spanAt, type DayPart } from "./clocks.ts";
import { toldIn, type Wording } from "./concepts.ts";
import { countedIn, deedOf, headOf, isPassed, ordinalIn, pairsIn } from "./heads.ts";
import {
  ASKING,
  COMING,
  DONE,
  EXTENT,
  FRAME,
  HERE,
  LIGHT,
  MANY,
  MEASURE,
  MOVING,
  NOT_SO,
  NOW,
  PLANNING,
  SINGULAR_S,
  wantedOf,
  type Wanted,
} from "./forms.ts";

/** A word of a question that a record must speak of. */
export interface AskedTerm extends Wording {
  written: string;
  weight: number;
  /** A name: what a record says without it is said of something else. */
  isName: boolean;
  /** Whether the question is about this: what is counted, of what kind something is, what somebody does. */
  isHead: boolean;
  /** Whether no word of near meaning stands for it: a name, a phrase, what is counted. */
  isExact: boolean;
  /** Whether it or the term before it may be spoken of: "closed or restricted". */
  isOr: boolean;
  /** Of a time of day, when it is. */
  spans?: readonly DayPart[];
}

export interface Asked {
  wanted: Wanted;
  terms: readonly AskedTerm[];
  /** Of what a number is asked. */
  counted: readonly Wording[];
  /** How something is measured whose size is asked: "how deep". */
  measured: string | undefined;
  /** What is called by its place in a row: "the second borehole". */
  ordinal: { key: string; number: number } | undefined;
  /** Asks for what has happened, not for what is planned or expected. */
  isDone: boolean;
  /** Asks for what is still to come. */
  isComing: boolean;
  /** Asks for how things stand at the end of what is told. */
  isNow: boolean;
  /** Asks where something is now. */
  isHere: boolean;
  /** Asks for questions, which otherwise answer nothing. */
  isForQuestions: boolean;
  /** What those that are asked for are not: "accepted" in "which are not accepted yet". */
  notSo: string | undefined;
  /** Asks whereto something is brought or somebody goes. */
  isMoving: boolean;
  /** Asks for what may be a length or a time. */
  isExtent: boolean;
  /** Names of two words of which the second is a kind: "Stone Bridge". */
  pairs: readonly (readonly [own: string, kind: string])[];
  /** Its words, folded. */
  said: readonly string[];
  /** Asks for more than one thing. */
  isMany: boolean;
}

/** What stands before a number that is a bound: "before 30 November". */
const BOUND: ReadonlySet<string> = new Set(
  "before after by since until between over under above below than least most within".split(" "),
);
const LIGHT_WEIGHT = 0.25;
const NAME_WEIGHT = 1.2;
const DATE_WEIGHT = 0.5;
const LEAST_WEIGHT = 0.6;
const LEAST_HEAD = 0.7;

/** How much a word says: common ones little. */
function weightOf({ text }: Word): number {
  const place = placeOf(stem(text));
  if (place < 0) return 1;
  return LEAST_WEIGHT + (1 - LEAST_WEIGHT) * (Math.log(place + 2) / Math.log(KNOWN_TERMS)) ** 2;
}

/** Names of earlier questions give way to new ones; what else those were about counts less. */
const EARLIER = 0.5;
const ANEW =
  /^(?:(?:and |but |so )?(?:what|how) about|and (?!who|what|when|where|why|how|which|is|are|was|were|do|does|did|has|have|since))\b/i;

/** Reads what a question asks, and for what; `said` is its end without the questions that it goes on from. */
export function asked(question: string, said: string = question): Asked {
  const before = question.endsWith(said) ? question.slice(0, question.length - said.length).trim() : "";
  if (!before) return read(question);
  const [own, earlier] = [read(said), read(before)];
  const hasName = own.terms.some(({ isName }) => isName);
  const kept = earlier.terms.filter(
    ({ isName, key }) => !(isName && hasName) && !own.terms.some((one) => one.key === key),
  );
  if (ANEW.test(said) && own.terms.length < 2)
    return { ...earlier, terms: [...own.terms, ...kept], isNow: own.isNow || earlier.isNow };
  const lighter = kept.map((one) => ({ ...one, weight: one.weight * EARLIER, isHead: false, isOr: false }));
  return { ...own, terms: [...own.terms, ...lighter] };
}

function read(question: string): Asked {
  const spoken = words(question);
  const said = question.toLowerCase().replaceAll("’", "'").trim();
  const counted = countedIn(question, spoken);
  const wanted = wantedOf(said);
  const isMany = wanted === "all" || (MANY.test(said) && !SINGULAR_S.test(said));
  const told = toldIn(spoken);
  const isEmpty = ({ first, last, key }: Wording): boolean =>
    EMPTY.has(key) || spoken.slice(first, last + 1).every(isPassed);
  const phrases = told.filter((one) => one.last > one.first && one.groups.length && !isEmpty(one));
  const heads = new Set([
    ...counted.map(({ first }) => first).filter((at) => !LIGHT.has(spoken[at]!.text)),
    ...headOf(spoken),
    ...deedOf(spoken, counted),
  ]);
  const terms: AskedTerm[] = [];
  let ofTime = -1;
  for (const one of told) {
    const word = spoken[one.first]!;
    const time = spanAt(spoken, one.first);
    if (time) ofTime = time.last;
    else if (one.first <= ofTime) continue;
    const isPhrase = one.last > one.first;
    const isCovered = phrases.some((other) => other !== one && other.first <= one.first && other.last >= one.last);
    if (isCovered || isContracted(question, spoken, one)) continue;
    if (isPhrase && isEmpty(one)) continue;
    const isName = !isPhrase && (isNamed(word, one.first, spoken) || isDesignation(one.first, spoken));
    if (!isPhrase && !isName && (isFunctionWord(word.text) || FRAME.has(word.text) || word.text.length < 2)) continue;
    if (!isPhrase && !isName && !one.groups.length && isStopWord(word.text)) continue;
    const isNumber = /^\d/.test(word.text);
    if (isNumber && BOUND.has(spoken[one.first - 1]?.text ?? "")) continue;
    const weight =
      isName && !time
        ? NAME_WEIGHT
        : isNumber
          ? /\d(?:st|nd|rd|th)$/.test(word.text)
            ? DATE_WEIGHT
            : 1
          : LIGHT.has(word.text) && !isPhrase
            ? LIGHT_WEIGHT
            : isPhrase
              ? 0.9
              : weightOf(word);
    const isHead = heads.has(one.first);
    const parts = isPhrase ? partsOf(one, told, spoken) : [];
    const isExact = isName || isPhrase || counted.some(({ first }) => first === one.first);
    const isOr = terms.length > 0 && spoken[one.first - 1]?.text === "or";
    terms.push({
      ...one,
      written: question.slice(word.start, spoken[one.last]!.end),
      ...(parts.length && { parts }),
      weight: isHead ? Math.max(LEAST_HEAD, weight) : weight,
      isName,
      isHead,
      isExact,
      isOr,
      ...(time && { spans: time.spans }),
    });
  }
  const isNow = NOW.test(said);
  const isDone = !PLANNING.test(said) && (isNow || DONE.test(said));
  return {
    wanted,
    terms,
    counted,
    measured: MEASURE.exec(said)?.[1],
    ordinal: ordinalIn(spoken),
    isNow,
    isDone,
    isComing: COMING.test(said),
    isMany,
    isHere: wanted === "place" && HERE.test(said),
    isForQuestions: ASKING.test(said),
    notSo: NOT_SO.exec(said)?.[1],
    isMoving: wanted === "place" && MOVING.test(said),
    isExtent: EXTENT.test(said),
    pairs: pairsIn(spoken),
    said: spoken.map(({ text }) => text),
  };
}

/** The words of a phrase that have content. */
const partsOf = ({ first, last }: Wording, told: readonly Wording[], spoken: readonly Word[]): readonly Wording[] =>
  told.filter(
    (one) =>
      one.first === one.last && one.first >= first && one.last <= last && !isFunctionWord(spoken[one.first]!.text),
  );

/** Phrases of which what is asked is in their objects. */
const EMPTY: ReadonlySet<string> = new Set([
  "know about",
  "know of",
  "go on",
  "deal with",
  "do with",
  "look like",
  "come from",
  "day of",
]);

/** The verb of a contracted negation: the "won" of "won't". */
const isContracted = (question: string, spoken: readonly Word[], { last }: Wording): boolean => {
  const next = spoken[last + 1];
  return next !== undefined && isContractedNot(question, next) && spoken[last]!.text.length < 7;
};

/** Whether a number of a question names something: "field 7", "flight 212". */
function isDesignation(at: number, spoken: readonly Word[]): boolean {
  const [before, next] = [spoken[at - 1], spoken[at + 1]];
  if (!before || !/^\d{1,4}$/.test(spoken[at]!.text) || (next && !isFunctionWord(next.text))) return false;
  return !isFunctionWord(before.text) && !/^\d/.test(before.text) && !BOUND.has(before.text);
}

/** Whether a word of a question is a name: a capital within it, or a word that no dictionary has. */
function isNamed({ text, capital }: Word, at: number, spoken: readonly Word[]): boolean {
  // "Sector C" and "B Company", but not "a" or "I".
  if (text.length === 1)
    return (
      capital &&
      !["a", "i"].includes(text) &&
      (at > 0 || spoken[1]?.capital === true) &&
      (spoken[at + 1]?.capital === true || !isFunctionWord(spoken[at - 1]?.text ?? "a"))
    );
  if (capital && at > 0 && text === "may") return true;
  if (/^\d/.test(text) || isFunctionWord(text)) return false;
  const isKnown = isWord(placeOf(stem(text)));
  // A whole question in capitals names nothing by them.
  const isShouted = spoken.every((word) => word.capital || /^\d/.test(word.text));
  // Of "Vallot Bridge", the bridge may be called otherwise; of "North Gate" nothing else is a name.
  const isBesideName = [spoken[at - 1], spoken[at + 1]].some(
    (other) => other?.capital && !isFunctionWord(other.text) && !isWord(placeOf(stem(other.text))),
  );
  if (capital && at > 0) return isKnown ? !isShouted && !isBesideName : true;
  return capital && !isKnown && !toldIn([spoken[at]!])[0]?.groups.length;
}
