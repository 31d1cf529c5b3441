import { regularStem, stem } from "../../../core/text/words/stem.ts";
import { isFunctionWord } from "../../../core/text/words/stop-words.ts";
import { isWord, placeOf } from "../../../core/text/words/vectors.ts";
import type { Word } from "../../../core/text/words/words.ts";
import type { Asked } from "./asking.ts";
import { standsFor } from "./concepts.ts";
import { wordingsOf, type Line } from "./lines.ts";
import {
  countsIn,
  holdsContents,
  holdsDuration,
  holdsFrequency,
  holdsLength,
  holdsMeans,
  holdsMeasure,
  holdsMoney,
  holdsPlace,
  holdsReason,
  holdsTime,
  holdsWay,
  mayHoldReason,
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
      return holdsDuration(text) || (question.isExtent && holdsLength(text)) ? SIGN : undefined;
    case "frequency":
      return holdsFrequency(text) ? STRONG : undefined;
    case "name":
      return isSaidOf(question, line) && (isOfPerson(question) ? personsIn : namesIn)(line, question).length
        ? SIGN
        : undefined;
    case "person":
      return ofPerson(question, line);
    case "reason":
      return holdsReason(text) ? SIGN : mayHoldReason(text) ? 0 : -SIGN;
    case "contents":
      return holdsContents(text) ? SIGN : -SIGN;
    case "place":
      if (DENIED.test(text) || (question.isHere && EXPECTED.test(text))) return -SIGN;
      if (DIRECTION_ASKED.test(said.join(" "))) return DIRECTION.test(text) ? STRONG : -SIGN;
      if (said.at(-1) === "from" || said[0] === "from") return ORIGIN.test(text) ? SIGN : 0;
      if (question.isMoving) return holdsWay(text) ? STRONG : -SIGN;
      return holdsPlace(text) ? SIGN / 2 : 0;
    case "means":
      return holdsMeans(text) ? SIGN / 2 : 0;
    default:
      return 0;
  }
}

/** What tells to whom something belongs. */
const OWNED = /\b(?:belong(?:s|ed|ing)?|own(?:s|ed|er)|property of)\b/i;
const DIRECTION_ASKED = /\b(?:which|what) (?:way|direction)\b/;
const DIRECTION =
  /\b(?:north|south|east|west)\w*\b|\b(?:towards?|upstream|downstream|uphill|downhill|inland|seawards?|left|right|straight|clockwise)\b/i;
/** What tells where somebody is not. */
const DENIED = /\b(?:do not|don['’]t|(?<!, )not|never|nowhere|nobody|no longer|cannot|can['’]t)\b/i;

/** Where something will be is not where it is. */
const EXPECTED =
  /\b(?:(?:is|are|was|were) (?:expected|due|scheduled|planned|to)|expected (?:to|at|in|on|by)|will|should (?:arrive|reach|be)|shall|plan(?:s|ned)? to|ordered to)\b/i;

/** Whether the name of a person is asked for: who it is, or what a driver or a child is called. */
const isOfPerson = ({ terms }: Asked): boolean => !terms.some(({ key }) => THINGS.has(key));
const THINGS: ReadonlySet<string> = new Set(
  (
    "ship vessel boat ferri tanker freighter yacht trawler oper exercis compani firm organis group hotel " +
    "street road town villag citi river lake mountain storm hurrican school hospit church farm station build " +
    "bridg dog hors newspap paper app system project unit camp base airport product drug virus"
  ).split(" "),
);

/** Whether the sentence itself speaks of what a name is asked of. */
const isSaidOf = ({ terms }: Asked, line: Line): boolean =>
  terms.every((term) => term.isName || term.weight < HALF || standsFor(term, line) > 0);
const HALF = 0.5;

/** Words after a number in which its noun is looked for: "22 free beds", "six small grey boats". */
const REACH = 4;
/** Behind these stands something else: "berth 2 free for ships" counts no ships. */
const APART: ReadonlySet<string> = new Set("for to with at by from in on into onto per".split(" "));
/** Doctors are not counted by people: what is only of a kind does not count it. */
const COUNTED_AS = 0.7;

const LASTS =
  /\b(?:lasts?|will last|(?:is|are) enough|enough for|suffices?|runs? (?:out|dry)|ran out|(?:is|are) (?:empty|exhausted|gone|used up)|none left)\b/i;

function ofNumber({ counted, terms, measured, said }: Asked, { text, spoken, told }: Line): number | undefined {
  // "In field 7" counts nothing where it is asked of field 7.
  const counts = countsIn(text, spoken).filter(({ at }) => !said.includes(spoken[at]!.text));
  // "How much diesel is left?": it lasts until Thursday.
  if (measured === "much" && LASTS.test(text)) return SIGN;
  if (!counts.length) return undefined;
  if (measured) return holdsMeasure(measured, text) ? SIGN : undefined;
  if (!counted.length) return terms.length ? SIGN : undefined;
  // Of "off-duty doctors" doctors are counted.
  const end = Math.max(...counted.map(({ last }) => last));
  const heads = counted.filter(({ last }) => last === end);
  let best: number | undefined;
  for (const { at } of counts) {
    const until = spoken.findIndex(({ text: word }, n) => n > at && n <= at + REACH && APART.has(word));
    const behind = told.filter(({ first }) => first > at && first <= at + REACH && (until < 0 || first < until));
    const marks = wordingsOf(behind);
    if (heads.some((one) => standsFor(one, marks) > COUNTED_AS)) return STRONG;
    if (isBare(text, spoken, at) && !/^(?:nothing|nobody|no)$/.test(spoken[at]!.text))
      best = Math.max(best ?? 0, SIGN / 2);
  }
  return best;
}

/** Whether nothing is named behind a number: "the hall holds 96", "nineteen of them". */
export function isBare(text: string, spoken: readonly Word[], at: number): boolean {
  const [word, next] = [spoken[at]!, spoken[at + 1]];
  if (!next) return true;
  const between = text.slice(word.end - spoken[0]!.start, next.start - spoken[0]!.start);
  return /[,.;:)–—-]/.test(between) || BEHIND_BARE.has(next.text) || next.text.endsWith("ed");
}
const BEHIND_BARE: ReadonlySet<string> = new Set(
  (
    "of in at on by from and or but to with are is was were have has had so as short more less left free " +
    "filled ready confirmed dead injured missing who which that this last since until for came went remain " +
    "still"
  ).split(" "),
);

function ofPerson(question: Asked, line: Line): number {
  const isAsked = question.terms.some((term) => term.isName && standsFor(term, line) > 0);
  const named = namesIn(line, question).length ? SIGN : !isAsked && isBody(line) ? SIGN / 2 : -SIGN;
  if (question.said.some((word) => /^(?:whose|whom|belong)/.test(word)) && OWNED.test(line.text)) return STRONG;
  return named + (question.isNow && TOOK_OFFICE.test(line.text) ? SIGN : 0);
}
/** Who held an office before, and who holds it now. */
export const LEFT_OFFICE =
  /\b(?:stepped down|stepped aside|resigned|quit|retired|stood down|was (?:dismissed|sacked|removed|relieved)|goes on leave|is (?:away|on leave)|has left)\b/i;
const TOOK_OFFICE =
  /\b(?:successor|succeeds?|succeeded by|replaces|replaced by|took over|takes over|taken over by|acts? (?:in|for|as)|acting|stands? in|handed .{1,40} to|newly appointed|(?:is|was|been) (?:appointed|named)|takes? .{1,40} from (?:him|her|them))\b/i;

/** Names that were not asked with, nor belong to those: capitals that do not begin the sentence. */
function namesIn({ text: line, spoken }: Line, { terms, said }: Asked): (readonly Word[])[] {
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
    const before = spoken[from - 1];
    const isOfAsked =
      before?.text.length === 1 &&
      before.capital &&
      (askedWith.has(before.text) || (said.includes("who") && isKnown(own[0]!)));
    const isOpening = from === 0 && at === 0 && isKnown(own[0]!);
    if (
      !isOpening &&
      !isOfAsked &&
      !(from > 0 && AT.has(spoken[from - 1]!.text)) &&
      !own.some(({ text }) => askedWith.has(regularStem(text)))
    )
      found.push(own);
  }
  return found;
}
/** What stands behind these is a place. */
const AT: ReadonlySet<string> = new Set(
  "in at near on from of outside inside around into between across above below under over behind beyond along past off via".split(
    " ",
  ),
);
const isKnown = ({ text }: Word): boolean => isWord(placeOf(stem(text))) || isFunctionWord(text);

/** Names of people: two capitals of which one is in no dictionary, or one behind a title. */
export const personsIn = (line: Line, question: Asked): (readonly Word[])[] =>
  namesIn(line, question).filter(
    (own) =>
      (own.length > 1 && own.some((word) => !isKnown(word)) && !isKnown(own.at(-1)!)) || TITLES.has(own[0]!.text),
  );
const TITLES: ReadonlySet<string> = new Set(
  (
    "mr mrs ms dr prof professor captain major colonel general lieutenant sergeant inspector superintendent " +
    "constable doctor sister father imam judge sir lady nurse"
  ).split(" "),
);

const CALENDAR =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;

const isBody = ({ told, groups }: Line): boolean =>
  told.length > 0 && groups.size > 0 && BODIES.test(told.map(({ key }) => key).join(" "));
const BODIES =
  /\b(?:offic|manag|team|crew|polic|armi|volunt|guard|driver|compani|ministri|council|famili|union|unit|doctor|nurs|engin|brigad|staff|mayor|captain|owner|contractor|soldier|steward|author)\w*\b/;
