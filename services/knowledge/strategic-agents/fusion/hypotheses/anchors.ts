import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { baseOf } from "../../../../../core/text/words/stem.ts";
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

const NUMBERS: Record<string, string> = {
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  first: "1",
  second: "2",
  third: "3",
  fourth: "4",
};
const NUMBERED =
  /\b(\p{L}+) (?:no\.? ?|number )?(\d{1,3}|one|two|three|four|five|six|seven)\b(?![.,:]\d|[ -](?:percent|%|\p{Ll}+s\b))/giu;
const NOT_NUMBERED =
  /^(?:at|on|in|of|to|by|for|about|and|or|the|than|over|under|only|some|last|least|most|nearly|almost|was|is|are|were|had|has|from|with|between|until|till|before|after|since|around|all|a|an|these|those|its|their|his|her|our|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/i;

/** "Reactor 2", "berth 6", "unit one": what is told apart by its number. */
export const numberedIn = (text: string): { thing: string; number: string }[] =>
  [...text.matchAll(NUMBERED)].flatMap(([, thing = "", number = ""]) =>
    NOT_NUMBERED.test(thing) || !UNITS.test(baseForm(thing))
      ? []
      : [{ thing: baseOf(thing.toLowerCase()), number: NUMBERS[number.toLowerCase()] ?? number }],
  );

/** Whether words tell of one with another number: unit 1, where reactor 2 is asked about. */
export function isOfAnotherNumber(asked: readonly { thing: string; number: string }[], text: string): boolean {
  if (asked.length === 0) return false;
  const told = numberedIn(text);
  return (
    told.length > 0 &&
    asked.some(({ number }) => told.some((one) => one.number !== number && isLikely(one, asked))) &&
    !asked.some(
      ({ number }) =>
        told.some((one) => one.number === number) ||
        new RegExp(
          String.raw`\b(?:${number}|${Object.keys(NUMBERS).find((name) => NUMBERS[name] === number) ?? number}|${Object.keys(NUMBERS).findLast((name) => NUMBERS[name] === number) ?? number})\b`,
          "i",
        ).test(text),
    )
  );
}
const baseForm = (thing: string): string => thing.toLowerCase().replace(/s$/, "");
const UNITS =
  /^(?:reactor|unit|block|line|lock|berth|pier|gate|terminal|runway|platform|lane|tower|building|ward|room|sector|zone|route|road|highway|bridge|pump|turbine|station|camp|school|shaft|well|tank|section|battery|company|battalion|brigade)$/;
const isLikely = ({ thing }: { thing: string }, asked: readonly { thing: string }[]): boolean =>
  UNITS.test(thing) || asked.some((one) => one.thing === thing);
