import { sentences } from "../../../core/text/words/sentences.ts";
import { regularStem, stem } from "../../../core/text/words/stem.ts";
import { words, type Word } from "../../../core/text/words/words.ts";
import { isFunctionWord } from "../../../core/text/words/stop-words.ts";
import { isWord, nearnessOf, placeOf } from "../../../core/text/words/vectors.ts";
import { designationsIn } from "../designations.ts";
import type { Asked, AskedTerm } from "./asking.ts";
import { standsFor, toldIn, type Told } from "./concepts.ts";
import {
  countsIn,
  holdsDuration,
  holdsFrequency,
  holdsMeans,
  holdsMeasure,
  holdsMoney,
  holdsPlace,
  holdsReason,
  holdsTime,
} from "./signs.ts";

/** A sentence of a record, and what stands in it. */
export interface Line {
  n: number;
  /** The record it is of. */
  of: string;
  /** Its place among the lines of its record. */
  at: number;
  text: string;
  spoken: readonly Word[];
  told: readonly Told[];
  keys: ReadonlySet<string>;
  groups: ReadonlySet<number>;
  vectors: readonly number[];
  /** The same of its record's title. */
  title: Marks;
}
interface Marks {
  keys: ReadonlySet<string>;
  groups: ReadonlySet<number>;
  /** Vectors of its words, by their places. */
  vectors: readonly number[];
}

const marksOf = (told: readonly Told[]): Marks => ({
  keys: new Set(told.map(({ key }) => key)),
  groups: new Set(told.flatMap(({ groups }) => groups)),
  vectors: told
    .filter(({ first, last }) => first === last)
    .map(({ key }) => placeOf(key))
    .filter((place) => isWord(place)),
});

/** The lines of a passage. */
export function linesOf({ n, of, title, text }: { n: number; of: string; title: string; text: string }): Line[] {
  const named = marksOf(toldIn(words(title)));
  return sentences(text).map((sentence, at) => {
    const told = toldIn(sentence.words);
    const line = sentence.text.replace(/\s+/g, " ").trim();
    return { ...{ n, of, at, text: line, spoken: sentence.words, told }, ...marksOf(told), title: named };
  });
}

/** How much less counts what stands beside a sentence: in those before it, after it, in its record's title. */
const BEFORE = [0.9, 0.85, 0.8, 0.7, 0.6];
const AFTER = [0.55, 0.5, 0.45];
const IN_TITLE = 0.75;

export interface Fit {
  /** How much of what was asked is spoken of, in the sentence and around it, beside names: from 0 to 1. */
  whole: number;
  /** The same in the sentence alone. */
  own: number;
  score: number;
  /** What was asked of that is not spoken of: where it is a name, or what the question is about, this is no answer. */
  missing: readonly AskedTerm[];
  isSure: boolean;
}

/** How much of what was asked a record must speak of, and its sentence itself: the least where it leans on another. */
const LEAST_WHOLE = 0.62;
const LEAST_OF_FIGURES = 0.66;
/** Of what comes closest without being an answer. */
const LEAST_CLOSE = 0.45;
const LEAST_OWN = 0.1;

/** How well a line answers; `around` are the lines of its record in order. Undefined where it does not. */
export function fitOf(question: Asked, line: Line, around: readonly Line[]): Fit | undefined {
  const place = around.indexOf(line);
  const [own, whole] = [new Share(), new Share()];
  const isNumbered = numbered(question, line);
  if (isNumbered === false) return undefined;
  if (isOfAnother(question, line)) return undefined;
  const isWhether = question.wanted === "state";
  const missing: AskedTerm[] = [];
  let namesHere = 0;
  let isNamed = false;
  let hasName = false;
  for (const term of question.terms) {
    if (isNumbered && ORDINAL.test(term.key)) continue;
    const here = isCounted(question, term, line) ? UNNAMED : meansOf(term, line, isWhether);
    const before = here === 1 ? 0 : beforeIn(term, line, around, place);
    const near = Math.max(here, before, here === 1 ? 0 : afterIn(term, around, place));
    if ((term.isName || term.isHead) && near === 0) missing.push(term);
    hasName ||= term.isName;
    if (term.isName) namesHere += here;
    else whole.add(term, near);
    isNamed ||= !term.isName && (before > 0 || (here > 0 && here !== UNNAMED));
    const known = term.isName ? OWN_OF_NAMES : before > here ? OWN_OF_KNOWN : 1;
    own.add({ ...term, weight: term.weight * known }, here);
  }
  if (!own.total || (!isNamed && whole.total)) return undefined;
  const fit = { own: own.share, whole: whole.total ? whole.share : 1 };
  const isFull = fit.whole >= (FIGURES.has(question.wanted) ? LEAST_OF_FIGURES : LEAST_WHOLE);
  if (fit.whole < LEAST_CLOSE || fit.own < LEAST_OWN || (missing.length && !isFull)) return undefined;
  const isElsewhere = hasName && !namesHere && !POINTS.test(line.text);
  if (isElsewhere && !ABOUT_PERSONS.has(question.wanted) && personsIn(line, question).length) return undefined;
  const sign = signOf(question, line);
  if (sign === undefined) return undefined;
  const score =
    (fit.whole + fit.own) / 2 +
    sign -
    (place === 0 && around.length > 1 && isLabel(line) ? LABEL : 0) -
    (question.isNow && LEFT_OFFICE.test(line.text) ? STRONG : 0) -
    (question.isDone && PLANNED.test(line.text) ? UNDONE : 0) -
    (isElsewhere && ELSEWHERE.test(line.text) ? OTHER_PLACE : 0) +
    (isNumbered ? SIGN : 0);
  return { ...fit, score, missing, isSure: isFull && !missing.length };
}
const FIGURES: ReadonlySet<Asked["wanted"]> = new Set(["number", "money"]);
/** What a record names before, its further sentences are about as well. */
const OWN_OF_KNOWN = 0.25;
const OWN_OF_NAMES = 0.15;
/** How far a number without a noun counts what was asked for. */
const UNNAMED = 0.7;
/** What is only planned, ordered or expected. */
const PLANNED =
  /\b(?:should|may|might|shall|plan(?:s|ned|ning)?|intends?|expects?|expected|forecast|meant to|supposed to|due to (?:be|arrive|start|open|leave)|proposes?|proposed|would|will|(?:is|are) to be|must)\b/i;
const UNDONE = 0.3;
const ELSEWHERE = /\b(?:in|at|near) \p{Lu}\p{Ll}/u;
const OTHER_PLACE = 0.15;
const POINTS = /\b(?:it|its|he|she|his|her|him|they|their|them|this|these|there|whose|who)\b/i;
const ABOUT_PERSONS: ReadonlySet<Asked["wanted"]> = new Set(["person", "name", "all"]);
const ORDINAL = /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)$/;

/** Whether a line speaks of what was asked by its number; undefined where it speaks of none of its kind. */
function numbered({ ordinal }: Asked, { text }: Line): boolean | undefined {
  if (!ordinal) return undefined;
  const alike = designationsIn(text).filter(({ word }) => word === ordinal.key);
  return alike.length ? alike.some(({ number }) => number === ordinal.number) : undefined;
}

/** Words of which one excludes the others, where something is told apart by them. */
const APART = [
  ["north northern", "south southern", "east eastern", "west western", "central"],
  ["upper", "lower", "middle"],
  ["left", "right"],
  ["inner", "outer"],
  ["men male boys", "women female girls"],
  ["inbound incoming arriving", "outbound outgoing departing"],
  ["old", "new"],
  ["morning", "afternoon", "evening", "night"],
  ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
].map((set) => new Map(set.flatMap((words, side) => words.split(" ").map((word) => [word, side] as const))));

/** Whether a line tells apart by another word than the question: "the northern bank" is not the southern one. */
function isOfAnother({ said }: Asked, { spoken }: Line): boolean {
  return APART.some((sides) => {
    const wanted = said.flatMap((word) => sides.get(word) ?? []);
    if (!wanted.length) return false;
    const told = spoken.flatMap(({ text }) => sides.get(text) ?? []);
    return told.length > 0 && !told.some((side) => wanted.includes(side));
  });
}

/** Whether a term is what was counted, and a line gives a number without a noun. */
const isCounted = ({ wanted, counted }: Asked, term: AskedTerm, line: Line): boolean =>
  wanted === "number" &&
  counted.some(({ key }) => key === term.key) &&
  countsIn(line.text, line.spoken).some(({ at }) => isBare(line.text, line.spoken, at)) &&
  standsFor(term, line) < UNNAMED;

/** The share of terms that are spoken of, by their weights; of two with "or" between them the better. */
class Share {
  total = 0;
  #sum = 0;
  #last = { weight: 0, of: 0 };
  add({ weight, isOr }: AskedTerm, of: number): void {
    if (isOr) {
      this.#sum += Math.max(0, of - this.#last.of) * this.#last.weight;
      this.#last.of = Math.max(of, this.#last.of);
      return;
    }
    this.total += weight;
    this.#sum += weight * of;
    this.#last = { weight, of };
  }
  get share(): number {
    return this.#sum / (this.total || 1);
  }
}

/** A label at the beginning of a record, such as "Friday log.", tells nothing itself. */
const isLabel = ({ text, spoken }: Line): boolean =>
  spoken.length <= LONGEST_LABEL && !TELLING.test(text) && !countsIn(text, spoken).length;
/** What a short line tells behind a colon. */
const TELLING = /^(?!from|to|re|subject|via)[^:]+: ./i;
const LONGEST_LABEL = 5;
const LABEL = 0.35;

const NEAR_FROM = 0.6;
const NEAR_SHARE = 0.8;
function meansOf(term: AskedTerm, marks: Marks, isWhether = false): number {
  const stands = standsFor(term, marks, isWhether);
  if (stands > 0 || term.isName || term.isHead || term.last > term.first) return stands;
  const place = placeOf(term.key);
  if (place < 0) return 0;
  let best = 0;
  for (const other of marks.vectors) best = Math.max(best, nearnessOf(place, other));
  return best < NEAR_FROM ? 0 : NEAR_SHARE * best;
}

function beforeIn(term: AskedTerm, line: Line, around: readonly Line[], place: number): number {
  let best = IN_TITLE * meansOf(term, line.title);
  for (const [step, share] of BEFORE.entries()) {
    const other = around[place - 1 - step];
    if (!other) break;
    best = Math.max(best, share * meansOf(term, other));
  }
  return best;
}

function afterIn(term: AskedTerm, around: readonly Line[], place: number): number {
  let best = 0;
  for (const [step, share] of AFTER.entries()) {
    const other = around[place + 1 + step];
    if (!other) break;
    best = Math.max(best, share * meansOf(term, other));
  }
  return best;
}

const SIGN = 0.15;
const STRONG = 0.25;

/** What a line gains by the form of its answer; undefined where it cannot answer. */
function signOf(question: Asked, line: Line): number | undefined {
  const { text } = line;
  const { terms } = question;
  switch (question.wanted) {
    case "number":
      return ofNumber(question, line);
    case "money":
      return holdsMoney(text) ? STRONG : undefined;
    case "time":
      return holdsTime(text) ? SIGN : undefined;
    case "duration":
      return holdsDuration(text) ? SIGN : undefined;
    case "frequency":
      return holdsFrequency(text) ? STRONG : undefined;
    case "name":
      return isSaidOf(question, line) && personsIn(line, question).length ? SIGN : undefined;
    case "person":
      return ofPerson(question, line);
    case "reason":
      return holdsReason(text) ? SIGN : -SIGN;
    case "place":
      return holdsPlace(text) ? SIGN / 2 : 0;
    case "means":
      return holdsMeans(text) ? SIGN / 2 : 0;
    default:
      return terms.some((term) => term.isHead && standsFor(term, line) === 0) ? -SIGN : 0;
  }
}

/** Whether the sentence itself speaks of what a name is asked of. */
const isSaidOf = ({ terms }: Asked, line: Line): boolean =>
  terms.every((term) => term.isName || term.weight < HALF || standsFor(term, line) > 0);
const HALF = 0.5;

/** Words after a number in which its noun is looked for: "22 free beds", "six small grey boats". */
const REACH = 4;

function ofNumber({ counted, terms, measured }: Asked, { text, spoken, told }: Line): number | undefined {
  const counts = countsIn(text, spoken);
  if (!counts.length) return undefined;
  if (measured) return holdsMeasure(measured, text) ? SIGN : undefined;
  if (!counted.length) return terms.length ? SIGN : undefined;
  let best: number | undefined;
  for (const { at } of counts) {
    const behind = told.filter(({ first }) => first > at && first <= at + REACH);
    const marks = marksOf(behind);
    if (counted.some((one) => standsFor(one, marks) > 0.5)) return STRONG;
    if (isBare(text, spoken, at)) best = Math.max(best ?? 0, SIGN / 2);
  }
  return best;
}

/** Whether nothing is named behind a number: "the hall holds 96", "nineteen of them". */
function isBare(text: string, spoken: readonly Word[], at: number): boolean {
  const [word, next] = [spoken[at]!, spoken[at + 1]];
  if (!next) return true;
  const between = text.slice(word.end - spoken[0]!.start, next.start - spoken[0]!.start);
  return /[,.;:)–—-]/.test(between) || BEHIND_BARE.test(next.text);
}
const BEHIND_BARE =
  /^(?:of|in|at|on|by|from|and|or|but|to|with|are|is|was|were|have|has|had|so|as|short|more|less|left|free|filled|ready|confirmed|dead|injured|missing|who|which|that|this|last|since|until|for|came|went|remain|still)$|ed$/;

function ofPerson(question: Asked, line: Line): number {
  const isAsked = question.terms.some((term) => term.isName && standsFor(term, line) > 0);
  const named = namesIn(line, question).length ? SIGN : !isAsked && isBody(line) ? SIGN / 2 : -SIGN;
  return named + (question.isNow && TOOK_OFFICE.test(line.text) ? SIGN : 0);
}
/** Who held an office before, and who holds it now. */
const LEFT_OFFICE =
  /\b(?:stepped down|stepped aside|resigned|quit|retired|stood down|was (?:dismissed|sacked|removed|relieved)|goes on leave|is (?:away|on leave)|has left)\b/i;
const TOOK_OFFICE =
  /\b(?:successor|succeeds?|succeeded by|replaces|replaced by|took over|takes over|taken over by|acts? (?:in|for|as)|acting|stands? in|handed .{1,40} to|newly appointed|was appointed)\b/i;

/** Names that were not asked with, nor belong to those: capitals that do not begin the sentence. */
function namesIn({ text: line, spoken }: Line, { terms }: Asked): (readonly Word[])[] {
  const askedWith = new Set(terms.filter(({ isName }) => isName).map(({ key }) => key));
  const offset = spoken[0]?.start ?? 0;
  const isName = (at: number): boolean =>
    spoken[at]!.capital && !CALENDAR.test(spoken[at]!.text) && spoken[at]!.text.length > 1;
  const isJoined = (at: number): boolean =>
    line.slice(spoken[at]!.end - offset, (spoken[at + 1]?.start ?? 0) - offset) === " ";
  const found: (readonly Word[])[] = [];
  for (let at = 0; at < spoken.length; at++) {
    if (!isName(at)) continue;
    const from = at;
    while (at + 1 < spoken.length && isName(at + 1) && isJoined(at)) at += 1;
    const own = spoken.slice(from, at + 1);
    const isOpening = from === 0 && at === 0 && isKnown(own[0]!);
    if (!isOpening && !own.some(({ text }) => askedWith.has(regularStem(text)))) found.push(own);
  }
  return found;
}
const isKnown = ({ text }: Word): boolean => isWord(placeOf(stem(text))) || isFunctionWord(text);

/** Names of people: two capitals of which one is in no dictionary, or one behind a title. */
const personsIn = (line: Line, question: Asked): (readonly Word[])[] =>
  namesIn(line, question).filter(
    (own) =>
      (own.length > 1 && own.some((word) => !isKnown(word)) && !isKnown(own.at(-1)!)) || TITLES.has(own[0]!.text),
  );
const TITLES: ReadonlySet<string> = new Set(
  "mr mrs ms dr prof professor captain major colonel general lieutenant sergeant inspector superintendent constable doctor sister father imam judge sir lady nurse".split(
    " ",
  ),
);

const CALENDAR =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;

const isBody = ({ told, groups }: Line): boolean =>
  told.length > 0 && groups.size > 0 && BODIES.test(told.map(({ key }) => key).join(" "));
const BODIES =
  /\b(?:offic|manag|team|crew|polic|armi|volunt|guard|driver|compani|ministri|council|famili|union|unit|doctor|nurs|engin|brigad|staff|mayor|captain|owner|contractor|soldier|steward|author)\w*\b/;
