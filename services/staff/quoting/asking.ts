import { KNOWN_TERMS, placeOf } from "../../../core/text/words/vectors.ts";
import { stem } from "../../../core/text/words/stem.ts";
import { isFunctionWord, isStopWord } from "../../../core/text/words/stop-words.ts";
import { isContractedNot, words, type Word } from "../../../core/text/words/words.ts";
import { BOUND, isDesignation, isNamed } from "./asked-names.ts";
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
  NOW,
  PLANNING,
  notSoIn,
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

const LIGHT_WEIGHT = 0.25;
const NAME_WEIGHT = 1.2;
const DATE_WEIGHT = 0.5;
const PHRASE_WEIGHT = 0.9;
const LEAST_WEIGHT = 0.6;
const LEAST_HEAD = 0.7;

/** How much a word says: common ones little. */
function weightOf(word: Word): number {
  const { text } = word;
  if (isNumber(word)) return /\d(?:st|nd|rd|th)$/.test(text) ? DATE_WEIGHT : 1;
  if (LIGHT.has(text)) return LIGHT_WEIGHT;
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
  const isNow = NOW.test(said);
  return {
    wanted,
    terms: termsOf({ question, spoken, told: toldIn(spoken), counted }),
    counted,
    measured: MEASURE.exec(said)?.[1],
    ordinal: ordinalIn(spoken),
    isNow,
    isDone: !PLANNING.test(said) && (isNow || DONE.test(said)),
    isComing: COMING.test(said),
    isMany: wanted === "all" || (MANY.test(said) && !SINGULAR_S.test(said)),
    isHere: wanted === "place" && HERE.test(said),
    isForQuestions: ASKING.test(said),
    notSo: notSoIn(said),
    isMoving: wanted === "place" && MOVING.test(said),
    isExtent: EXTENT.test(said),
    pairs: pairsIn(spoken),
    said: spoken.map(({ text }) => text),
  };
}

/** A question by its words, and what is known of them. */
interface Heard {
  question: string;
  spoken: readonly Word[];
  told: readonly Wording[];
  counted: readonly Wording[];
}

const isPhrase = ({ first, last }: Wording): boolean => last > first;

/** What a record must speak of: words with content, phrases in place of their words, and times of day. */
function termsOf(heard: Heard): AskedTerm[] {
  const { spoken, told, counted } = heard;
  const isEmpty = ({ first, last, key }: Wording): boolean =>
    EMPTY.has(key) || spoken.slice(first, last + 1).every(isPassed);
  const phrases = told.filter((one) => isPhrase(one) && one.groups.length && !isEmpty(one));
  const isCovered = (one: Wording): boolean =>
    phrases.some((other) => other !== one && other.first <= one.first && other.last >= one.last);
  const heads = new Set([
    ...counted.map(({ first }) => first).filter((at) => !LIGHT.has(spoken[at]!.text)),
    ...headOf(spoken),
    ...deedOf(spoken, counted),
  ]);
  const terms: AskedTerm[] = [];
  let ofTime = -1;
  for (const one of told) {
    const time = spanAt(spoken, one.first);
    if (time) ofTime = time.last;
    else if (one.first <= ofTime) continue;
    if (isCovered(one) || isContracted(heard, one)) continue;
    const isName =
      !isPhrase(one) && (isNamed(spoken[one.first]!, one.first, spoken) || isDesignation(one.first, spoken));
    const isPassedOver = isPhrase(one) ? isEmpty(one) : !isName && saysNothing(spoken[one.first]!, one);
    if (isPassedOver || isBounded(one, spoken)) continue;
    const isOr = terms.length > 0 && spoken[one.first - 1]?.text === "or";
    terms.push({ ...termOf(one, heard, { isName, isHead: heads.has(one.first), spans: time?.spans }), isOr });
  }
  return terms;
}

function termOf(
  one: Wording,
  { question, spoken, told, counted }: Heard,
  { isName, isHead, spans }: { isName: boolean; isHead: boolean; spans: readonly DayPart[] | undefined },
): Omit<AskedTerm, "isOr"> {
  const word = spoken[one.first]!;
  const own = isPhrase(one) && !isNumber(word) ? PHRASE_WEIGHT : weightOf(word);
  const weight = isName && !spans ? NAME_WEIGHT : own;
  const parts = isPhrase(one) ? partsOf(one, told, spoken) : [];
  return {
    ...one,
    written: question.slice(word.start, spoken[one.last]!.end),
    ...(parts.length && { parts }),
    weight: isHead ? Math.max(LEAST_HEAD, weight) : weight,
    isName,
    isHead,
    isExact: isName || isPhrase(one) || counted.some(({ first }) => first === one.first),
    ...(spans && { spans }),
  };
}

/** A word that tells nothing of what is asked for, by itself. */
const saysNothing = ({ text }: Word, { groups }: Wording): boolean =>
  isFunctionWord(text) || FRAME.has(text) || text.length < 2 || (!groups.length && isStopWord(text));

const isNumber = ({ text }: Word): boolean => /^\d/.test(text);
/** Whether it is a bound: "before 30 November". */
const isBounded = ({ first }: Wording, spoken: readonly Word[]): boolean =>
  isNumber(spoken[first]!) && BOUND.has(spoken[first - 1]?.text ?? "");

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
const isContracted = ({ question, spoken }: Heard, { last }: Wording): boolean => {
  const next = spoken[last + 1];
  return next !== undefined && isContractedNot(question, next) && spoken[last]!.text.length < 7;
};
