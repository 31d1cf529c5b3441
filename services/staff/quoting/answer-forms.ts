import { regularStem, stem } from "../../../core/text/words/stem.ts";
import { isFunctionWord } from "../../../core/text/words/stop-words.ts";
import { isWord, placeOf } from "../../../core/text/words/vectors.ts";
import type { Word } from "../../../core/text/words/words.ts";
import type { Asked } from "./asking.ts";
import { standsFor } from "./concepts.ts";
import { wordingsOf, type Line } from "./lines.ts";
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

// What a sentence gains by having the form of what was asked for: a number, a time, a person.

const ORIGIN = /\bfrom (?:the )?\p{Lu}/u;
export const SIGN = 0.15;
export const STRONG = 0.25;

/** What a line gains by the form of its answer; undefined where it cannot answer. */
export function signOf(question: Asked, line: Line): number | undefined {
  const { text } = line;
  const { said } = question;
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
      return (said.at(-1) === "from" ? ORIGIN.test(text) : holdsPlace(text)) ? SIGN / 2 : 0;
    case "means":
      return holdsMeans(text) ? SIGN / 2 : 0;
    default:
      return 0;
  }
}

/** Whether the sentence itself speaks of what a name is asked of. */
const isSaidOf = ({ terms }: Asked, line: Line): boolean =>
  terms.every((term) => term.isName || term.weight < HALF || standsFor(term, line) > 0);
const HALF = 0.5;

/** Words after a number in which its noun is looked for: "22 free beds", "six small grey boats". */
const REACH = 4;

function ofNumber({ counted, terms, measured, said }: Asked, { text, spoken, told }: Line): number | undefined {
  // "In field 7" counts nothing where it is asked of field 7.
  const counts = countsIn(text, spoken).filter(({ at }) => !said.includes(spoken[at]!.text));
  if (!counts.length) return undefined;
  if (measured) return holdsMeasure(measured, text) ? SIGN : undefined;
  if (!counted.length) return terms.length ? SIGN : undefined;
  let best: number | undefined;
  for (const { at } of counts) {
    const behind = told.filter(({ first }) => first > at && first <= at + REACH);
    const marks = wordingsOf(behind);
    if (counted.some((one) => standsFor(one, marks) > 0.5)) return STRONG;
    if (isBare(text, spoken, at)) best = Math.max(best ?? 0, SIGN / 2);
  }
  return best;
}

/** Whether nothing is named behind a number: "the hall holds 96", "nineteen of them". */
export function isBare(text: string, spoken: readonly Word[], at: number): boolean {
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
export const LEFT_OFFICE =
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
export const personsIn = (line: Line, question: Asked): (readonly Word[])[] =>
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
