import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { isWord, placeOf } from "../../../../../core/text/words/vectors.ts";
import { words, type Word } from "../../../../../core/text/words/words.ts";
import { lexicon } from "../../../../../core/text/lexicon.ts";

/** A name that a hypothesis gives: its telling words, folded. */
export interface Anchor {
  words: readonly string[];
  /** "WFP" for the World Food Programme. */
  initials: string;
}

const CALENDAR = new Set(lexicon.names.calendar);
/** Words of a name that many names share, and that reports leave out. */
const KINDS = new Set(
  (
    "port bridge dam county province district state region city town village camp airport hospital bank river lake bay harbour " +
    "cape mount island pass tunnel road street square valley school university company council ministry department line lock " +
    "reactor unit exercise operation the of north south east west northern southern eastern western new old upper lower greater " +
    "great little saint st president minister prime mayor governor general colonel captain dr mr mrs ms sir parliament"
  ).split(" "),
);
/** "Upper Hestra" is not Hestra. */
const APART = new Set("upper lower new old north south east west little great nether inner outer port".split(" "));

const isTelling = (word: Word): boolean =>
  word.capital && word.text.length > 1 && !isFunctionWord(word.text) && !CALENDAR.has(word.text);

/** The names of a hypothesis. Its first word has a capital anyway: it is a name where no dictionary has it, or others follow. */
export function anchorsIn(text: string, reports: readonly string[] = []): Anchor[] {
  const spoken = words(text);
  const found: Anchor[] = [];
  for (let at = 0; at < spoken.length; at++) {
    if (!isTelling(spoken[at]!)) continue;
    let last = at;
    while (
      isTelling(spoken[last + 1] ?? NOBODY) &&
      /^[ -]$/.test(text.slice(spoken[last]!.end, spoken[last + 1]!.start))
    )
      last++;
    const run = spoken.slice(at, last + 1).map((word) => word.text);
    const isOpener = at === 0 && last === 0 && isWord(placeOf(run[0]!)) && !isCapitalInside(text, spoken[0]!, reports);
    const own = run.filter((word) => !KINDS.has(word));
    if (own.length > 0 && !isOpener)
      found.push({ words: own, initials: run.length > 2 ? run.map((word) => word[0]).join("") : "" });
    at = last;
  }
  return found;
}
/** Whether reports write a word with a capital inside a sentence. */
function isCapitalInside(text: string, { start, end }: Word, reports: readonly string[]): boolean {
  const inside = ` ${text.slice(start, end)}`;
  return reports.some((report) => {
    const at = report.indexOf(inside);
    return at > 0 && /[\p{Ll},]/u.test(report[at - 1]!);
  });
}
const NOBODY: Word = { text: "", capital: false, start: 0, end: 0 };

const RELATIVE =
  /\b(?:south|north|east|west|kilometres?|kilometers?|km|miles?|far|downstream|upstream|short|away|outside) (?:of|from) (?:the )?$/i;

/** Whether some words name it: all its words, or the first or last of them; not beside "south of". */
export function names(anchor: Anchor, text: string, spoken: readonly Word[]): boolean {
  const { words: own, initials } = anchor;
  return spoken.some((word, at) => {
    const isIt = own.includes(word.text) || (initials !== "" && word.text === initials);
    if (!isIt || (!word.capital && isWord(placeOf(word.text)))) return false;
    const before = spoken[at - 1];
    if (before?.capital && APART.has(before.text) && !own.includes(before.text) && at > 1) return false;
    if (before?.capital && before.text === "upper") return false;
    return !RELATIVE.test(text.slice(Math.max(0, word.start - 30), word.start));
  });
}

export const isNamed = (anchors: readonly Anchor[], text: string, spoken: readonly Word[]): boolean =>
  anchors.some((anchor) => names(anchor, text, spoken));

const IN_PLACE = /\b(?:in|at|near|to|from|outside|of|off|into|reached|between) (?:the )?(?:\p{Ll}+ (?:of )?)?$/u;

/** Whether words name another place than the hypothesis does: a name behind "in", "at", "to". */
export function namesAnother(anchors: readonly Anchor[], text: string, spoken: readonly Word[]): boolean {
  const own = new Set(anchors.flatMap((anchor) => anchor.words));
  return spoken.some(
    (word, at) =>
      isTelling(word) &&
      at > 0 &&
      !KINDS.has(word.text) &&
      !own.has(word.text) &&
      !own.has(spoken[at + 1]?.text ?? "") &&
      !own.has(spoken[at - 1]?.text ?? "") &&
      IN_PLACE.test(text.slice(Math.max(0, word.start - 30), word.start)),
  );
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"];
const CARDINALS = ["one", "two", "three", "four", "five", "six", "seven"];
const KINDS_OF_UNITS =
  "reactor|unit|block|line|lock|berth|pier|gate|terminal|runway|platform|lane|tower|ward|sector|zone|route|pump|turbine|shaft|well|tank|section|battery|battalion|brigade";
const NUMBERED = new RegExp(
  String.raw`\b(${KINDS_OF_UNITS}) (?:no\.? ?|number )?(\d{1,3}|${CARDINALS.join("|")})\b(?![.,:]\d)`,
  "giu",
);

export interface Numbered {
  thing: string;
  number: string;
}

/** "Reactor 2", "berth 6", "unit one": what is told apart by its number. */
export const numberedIn = (text: string): Numbered[] =>
  [...text.matchAll(NUMBERED)].map(([, thing = "", number = ""]) => ({
    thing: thing.toLowerCase(),
    number: String(1 + CARDINALS.indexOf(number.toLowerCase()) || number),
  }));

/** Any of those that have numbers. */
const ANY_UNIT = /^(?:unit|block)$/;
const areOfOneKind = (one: Numbered, other: Numbered): boolean =>
  one.thing === other.thing || ANY_UNIT.test(one.thing) || ANY_UNIT.test(other.thing);

/** Whether words tell of one with another number alone: unit 1, where reactor 2 is asked about. */
export function isOfAnotherNumber(asked: readonly Numbered[], text: string): boolean {
  if (asked.length === 0) return false;
  const told = numberedIn(text);
  const spoken = new Set(words(text).map((word) => word.text));
  return asked.some((one) => {
    const own = [one.number, CARDINALS[Number(one.number) - 1], ORDINALS[Number(one.number) - 1]];
    return (
      told.some((other) => areOfOneKind(one, other)) && !own.some((name) => name !== undefined && spoken.has(name))
    );
  });
}
