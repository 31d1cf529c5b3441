import { countedAs, isArrived } from "../../../../core/text/statements/figures/people.ts";
import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { words, type Word } from "../../../../core/text/words/words.ts";

const persons = lazily(() => new Set(lexicon.tolls.languages.en.people));

/** Whether an English word names people, one or many. */
export const isPerson = (word: string): boolean => countedAs(word) === "people" || persons().has(word);

const FARTHEST = 7;

const LOST = /\b(?:lost|lose|losing|claim(?:s|ed|ing)?|cost(?:s|ing)?|t(?:ook|aken|akes|aking))\b/i;
/** "48 people in four counties of Norland have been infected": the verb stands farther off, but speaks of them. */
const PREDICATE =
  /^[^,.;:\d]{0,70}?\b(?:(?:ha(?:ve|s|d)|were|was|are) (?:been |fallen |now )?|(?=died|perished|drowned|fled))(\p{L}+)/u;
/** "Thirteen people, five of them children, died": what is told between a number and its verb. */
const ASIDE = /, (?:[\p{L}\d'’-]{1,20} of (?:them|whom)|including|among them|aged) [^,.;:–—]{1,70},/u;

/** A part of a sentence without what it tells in passing. */
export const withoutAsides = (part: string): string => part.replace(ASIDE, "");

const ILL = new Set(["ill", "sick", "sickened", "contracted"]);

/** What a word says happened to people: those listed, and what only a sentence tells ("seven lives were lost"). */
export function fateOf(word: string, sentence: string): string | undefined {
  if (ILL.has(word)) return "cases";
  return word === "lives" && LOST.test(sentence) ? "deaths" : countedAs(word);
}

/** "Nobody was hurt, though 40 people": a clause of its own, which tells nothing of whom the other counts. */
const isOtherClause = ({ text }: Word, gap: string, step: number): boolean =>
  step < 0 && (gap.includes(",") || CONJUNCTIONS.has(text));
const CONJUNCTIONS = new Set("though although while whereas but because when after before and".split(" "));

/** "Thirty soldiers were sent to help the injured": those were counted elsewhere. */
const isGiven = ({ text }: Word, { text: before }: Word, step: number): boolean =>
  step > 0 && before === "the" && GROUPS.has(text);
const GROUPS = new Set("injured wounded dead missing displaced infected homeless sick".split(" "));

/** What the predicate behind a number tells of those counted, and where that ends. */
export function fateTold(sentence: string, end: number): { label: string; end: number } | undefined {
  const behind = sentence.slice(end);
  const befell = PREDICATE.exec(withoutAsides(behind));
  const label = befell && fateOf(befell[1]!.toLowerCase(), sentence);
  return label && label !== "people"
    ? { label, end: sentence.indexOf(befell[1]!, end) + befell[1]!.length }
    : undefined;
}

/**
 * What happened to people, said nearest to a number: behind it by preference, never across another number or the end of
 * a clause.
 */
export function fateNear(
  sentence: string,
  spoken: readonly Word[],
  first: number,
  last: number,
): { label: string; word: Word } | undefined {
  let best: { label: string; word: Word; cost: number } | undefined;
  const scan = (from: number, step: 1 | -1, handicap: number) => {
    let cost = handicap;
    for (let at = from + step; at >= 0 && at < spoken.length; at += step) {
      const word = spoken[at]!,
        beside = spoken[at - step]!;
      const gap = step > 0 ? sentence.slice(beside.end, word.start) : sentence.slice(word.end, beside.start);
      cost += 1 + (gap.includes(",") ? 3 : 0);
      if (cost > FARTHEST || /\d/.test(word.text) || /[;:.!?–—]/.test(gap) || isOtherClause(word, gap, step)) return;
      const label = isGiven(word, beside, step) ? undefined : fateOf(word.text, sentence);
      if (label && label !== "people" && (!best || cost < best.cost)) best = { label, word, cost };
    }
  };
  scan(last, 1, 0);
  scan(first, -1, 0.5);
  return best;
}

/** "The number of dead in Friday's disaster rose to", "toll of the ferry disaster reaches": what is counted comes first. */
const HEADS = /\b(?:(?:number|count|tally) of (?:the |those )?(\p{L}{1,30})|(?:death )?(toll))\b/giu;
/** "The injured of the crash now number": those of whom the verb tells how many they are. */
const NUMBERED = /\b(injured|dead|wounded|missing|displaced|arrested|infected|homeless)\b/gi;
const NUMBER = /\bnumber(?:s|ed)? $/i;
const LONGEST_TAIL = 12;
const APART = /[.;:!?\d–—]/;

/** "The number of people sick with cholera in the north has reached 310": what the first word of a fate says of them. */
const fateOfThose = (between: string, sentence: string): string | undefined =>
  words(between)
    .map(({ text }) => fateOf(text, sentence))
    .find((fate) => fate !== undefined && fate !== "people");

/** What a count that is named before its number counts. */
export function fateAhead(sentence: string, start: number): { label: string; start: number } | undefined {
  const tail = sentence.slice(Math.max(0, start - LONGEST_TAIL), start);
  const heads = isArrived(sentence, start) ? HEADS : NUMBER.test(tail) ? NUMBERED : undefined;
  if (!heads) return undefined;
  const before = sentence.slice(0, start);
  const head = [...before.matchAll(heads)].at(-1);
  const between = before.slice(head ? head.index + head[0].length : before.length);
  const group = head && countedAs((head[1] ?? head[2]!).toLowerCase());
  const label = group === "people" ? fateOfThose(between, sentence) : group;
  if (!head || !label || label === "people" || APART.test(between)) return undefined;
  return { label, start: head.index };
}
