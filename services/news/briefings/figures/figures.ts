import { dates } from "../../../../core/text/statements/dates.ts";
import { countedAs } from "../../../../core/text/statements/figures/people.ts";
import { quantities, type Quantity } from "../../../../core/text/statements/figures/quantities.ts";
import { currencyName } from "../../../../core/text/statements/figures/units.ts";
import { numeralAt } from "../../../../core/text/statements/figures/numerals.ts";
import { RecentTexts } from "../../../../core/text/words/remembered.ts";
import { baseOf } from "../../../../core/text/words/stem.ts";
import { isFunctionWord } from "../../../../core/text/words/stop-words.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import { words, type Word } from "../../../../core/text/words/words.ts";
import { fateAhead, fateNear, fateOf, fateTold, isPerson } from "./fates.ts";
import { isNoToll } from "./no-tolls.ts";

/** A number somebody states about something, as an interval: "at least 20 dead" is [20, ∞) about deaths. */
export interface Figure {
  /** What is counted or measured; only figures with the same subject are compared. */
  subject: string;
  /** How to name it to a reader. */
  label: string;
  /**
   * Whether the subject alone tells what is meant (deaths, magnitude); otherwise the sentences must agree in more than
   * it.
   */
  specific: boolean;
  /** As it is written. */
  value: number;
  low: number;
  high: number;
  /** Whether the speaker gave a number and not a bound or a guess. */
  exact: boolean;
  /** The words as they stand in the sentence. */
  phrase: string;
  /** Content stems beside it in the sentence: two measures of one kind are comparable only in like company. */
  company: ReadonlySet<string>;
}

/** Where a subject was found: the offsets of the phrase shown. */
interface Subject {
  subject: string;
  label: string;
  specific: boolean;
  start: number;
  end: number;
}

/** "Striker number 18", "bus No. 12": what one thing is called. "The victims number 18" counts. */
const LONGEST_NAME = 12;
const CALLED = /(?<!\p{L})(?:(?<!s )number|no\.|nr\.|№) ?$/iu;

const WHOLE =
  /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|some|most|half|third|quarter|none|neither|any)) of (?:the |its |their )?$/i;
const LONGEST_PART = 24;

/** Whether a number gives the whole of which a part is told: "four of the seven", "none of the 13". */
export const isWhole = (sentence: string, start: number): boolean =>
  WHOLE.test(sentence.slice(Math.max(0, start - LONGEST_PART), start));

/**
 * "Six of them seriously", "17 bodies in a cabin": the figure of a part, which neither replaces that of the whole nor
 * disputes it.
 */
const PART = /^(?: \p{L}+)? (?:of (?:them|whom|those)|among (?:them|whom))\b/u;
const FOUND_THERE =
  /^ (?:(?:were|was|been) )?(?:(?:found|discovered|lay|lying|trapped) )?(?:in|inside|under|beneath|behind) an? /u;
const BODIES = new Set(["body", "bodies", "corps", "corpse", "corpses"]);

/** "95 percent of the ballots" is no share of the vote: what it is a part of, where that is said. */
function shareOf(behind: string): string {
  const whole = /^ of (?:the |its |all |their )?(\p{L}{3,})/u.exec(behind)?.[1];
  return whole ? ` of ${whole.toLowerCase()}` : "";
}

/** How far the counting of an election has come: it only grows. */
export const COUNTED = "votes counted";
const COUNTED_BEHIND =
  /^ of (?:all |the |its )?(?:votes?|ballots?|precincts|polling (?:stations|places))(?: \p{L}+){0,4}? (?:counted|tallied|processed|in|reporting)\b/iu;
const COUNTED_BEFORE =
  /\b(?:vote )?(?:count|tally)(?: \p{L}+)? (?:reach(?:es|ed)|at|pass(?:es|ed)|stands at|stood at) $/iu;

const isOfCount = (sentence: string, start: number, end: number): boolean =>
  COUNTED_BEHIND.test(sentence.slice(end)) || COUNTED_BEFORE.test(sentence.slice(0, start));

/** Whether what follows a number says that it is a part of what was told before. */
export function isOfPart(sentence: string, spoken: readonly Word[], end: number): boolean {
  if (PART.test(sentence.slice(end))) return true;
  const next = spoken.find((word) => word.start >= end);
  return next !== undefined && BODIES.has(next.text) && FOUND_THERE.test(sentence.slice(next.end));
}

/** What a quantity is a figure of, and where that is said; undefined for parts, ages and whatever no story is about. */
function subjectOf(sentence: string, spoken: readonly Word[], quantity: Quantity): Subject | undefined {
  const { unit, start, end } = quantity;
  // "Two of the seven members": the seven are the whole, and nobody says otherwise.
  if (isWhole(sentence, start) || isOfPart(sentence, spoken, end)) return undefined;
  return unit === "count" || unit === "number" ? countedIn(sentence, spoken, quantity) : measuredIn(sentence, quantity);
}

/** A magnitude, a share, an amount, or what is measured in some unit. */
function measuredIn(sentence: string, { unit, start, end }: Quantity): Subject | undefined {
  const measure = (subject: string, label = `the ${subject}`, specific = false): Subject => ({
    ...{ subject, label, specific, start, end },
  });
  // Ages, durations and times of day are rarely what a story is about.
  if (unit === "s") return undefined;
  if (unit === "magnitude") return measure(unit, "the magnitude", true);
  if (unit === "percent")
    return isOfCount(sentence, start, end)
      ? measure(COUNTED, "the share of votes counted", true)
      : measure(`percentage${shareOf(sentence.slice(end))}`);
  if (currencyName(unit)) return measure(`amount in ${currencyName(unit)}`);
  const written = sentence
    .slice(start, end)
    .split(/[\s-]+/)
    .at(-1)!;
  return measure(`unit:${unit}`, `what is measured in ${/\d/.test(written) ? unit : written}`);
}

/** Indices of the first and the last word of a quantity. */
const placesOf = (spoken: readonly Word[], { start, end }: Pick<Quantity, "start" | "end">): [number, number] => [
  spoken.findIndex((word) => word.end > start),
  spoken.findLastIndex((word) => word.start < end),
];

/** Those whom something befell, or the things behind a number. */
function countedIn(sentence: string, spoken: readonly Word[], quantity: Quantity): Subject | undefined {
  const { of, start, end } = quantity;
  const [first, last] = placesOf(spoken, quantity);
  // A part of a figure, an age.
  if (/^(?:including|aged)$/.test(spoken[first - 1]?.text ?? "")) return undefined;
  if (CALLED.test(sentence.slice(Math.max(0, start - LONGEST_NAME), start)) && !fateAhead(sentence, start))
    return undefined;
  const next = spoken[last + 1];
  const isPeople = of.includes("people") || (next !== undefined && isPerson(next.text));
  const mayBeToll = isPeople || of.length === 0 || (next !== undefined && fateOf(next.text, sentence) !== undefined);
  const toll = mayBeToll && !isNoToll(sentence, start, end) ? tollIn(sentence, spoken, quantity, isPeople) : undefined;
  if (toll) return toll;
  const counted = of.length > 0 ? headBehind(sentence, spoken, end) : undefined;
  return (
    counted && {
      subject: nounOf(counted),
      label: `the number of ${counted.text}`,
      specific: false,
      start,
      end: counted.end,
    }
  );
}

/** What befell the people of a number: named ahead of it, beside it, or told further on. */
function tollIn(
  sentence: string,
  spoken: readonly Word[],
  { start, end }: Quantity,
  isPeople: boolean,
): Subject | undefined {
  const toll = (label: string, from: number, to: number): Subject => ({
    ...{ subject: label, label, specific: true, start: from, end: to },
  });
  const ahead = fateAhead(sentence, start);
  if (ahead) return toll(ahead.label, ahead.start, end);
  const [first, last] = placesOf(spoken, { start, end });
  const next = spoken[last + 1];
  const beside = fateNear(sentence, spoken, first, last);
  if (beside) {
    const reach = isPeople && next ? next.end : end;
    return toll(beside.label, Math.min(start, beside.word.start), Math.max(reach, beside.word.end));
  }
  const told = isPeople ? fateTold(sentence, end) : undefined;
  return told && toll(told.label, start, told.end);
}

const HEAD_WORDS = 4;

/** What a number counts: the first plural behind it ("nine Meridian hospitals"), else the first word of some length. */
function headBehind(sentence: string, spoken: readonly Word[], from: number): Word | undefined {
  const behind = spoken.filter(({ text, start }) => text.length > 2 && start >= from);
  const apart = behind.findIndex(
    ({ text, start }, at) =>
      isFunctionWord(text) || /[,.;:()\d"“”–—]/.test(sentence.slice(behind[at - 1]?.end ?? from, start)),
  );
  const near = behind.slice(0, Math.min(HEAD_WORDS, apart < 0 ? HEAD_WORDS : apart));
  return near.find(({ text }) => /[^sui]s$/.test(text) || countedAs(text) === "people") ?? behind[0];
}

/** The interval a speaker commits to. */
function committed({ value, to, bound, step }: Quantity): Pick<Figure, "low" | "high" | "exact"> {
  if (to !== undefined) return { low: value, high: to, exact: false };
  if (bound === "over") return { low: value, high: Infinity, exact: false };
  if (bound === "under") return { low: 0, high: value, exact: false };
  // Who says "5 percent" beside "4.7 percent" is taken at his word; "4.5" may stand for 4.46.
  const rounded = step === 1 && Number.isInteger(value) ? 0 : step;
  const slack = bound === "about" ? Math.max(Math.abs(value) * 0.1, rounded) : rounded / 2;
  return { low: value - slack, high: value + slack, exact: bound === undefined };
}

/** How far to either side words keep a measure company, in characters. */
const COMPANY = 60;

/** A briefing asks for those of one sentence several times: of a thousand articles it reads some 1.4 million characters. */
const recent = new RecentTexts<readonly Figure[]>(2_000_000);

/** The figures a sentence states, in order. */
export const figuresIn = (sentence: string, spoken?: readonly Word[]): readonly Figure[] =>
  recent.of(sentence, () => figuresRead(sentence, spoken ?? words(sentence)));

function figuresRead(sentence: string, spoken: readonly Word[]): Figure[] {
  return quantities(sentence, spoken, dates(sentence)).flatMap((quantity) => {
    const found = subjectOf(sentence, spoken, quantity);
    if (!found) return [];
    const { subject, label, specific, start, end } = found;
    const from = Math.min(start, quantity.boundStart ?? start);
    const beside = `${sentence.slice(Math.max(0, from - COMPANY), from)} ${sentence.slice(end, end + COMPANY)}`;
    return [
      {
        subject,
        label,
        specific,
        value: quantity.value,
        ...committed(quantity),
        phrase: sentence.slice(from, end),
        company: new Set(terms(beside)),
      },
    ];
  });
}

/** "Seventeen of the group's hospitals": a count of hospitals, and of no more than those. */
const OF_THE = /^ of (?:the|its|their|his|her|our) (?:\p{L}+['’]s? )?/u;

/**
 * Figures of some of a known group ("seventeen of the group's hospitals"). They are no quantity of the whole: these may
 * be all that were struck, or the few that are well.
 */
export function partsIn(
  sentence: string,
  spoken: readonly Word[] = words(sentence),
): { subject: string; value: number }[] {
  return spoken.flatMap((_, at) => {
    const number = numeralAt(sentence, spoken, at);
    const whole = number && OF_THE.exec(sentence.slice(number.end));
    const counted = whole && headBehind(sentence, spoken, number.end + whole[0].length);
    return counted ? [{ subject: nounOf(counted), value: number.value }] : [];
  });
}

const nounOf = ({ text }: Word): string => `noun:${baseOf(text)}`;

/** Whether both can be true at once. */
export const compatible = (a: Figure, b: Figure): boolean => a.low <= b.high && b.low <= a.high;

/** From here on a count is so particular that nobody names two of them for different things in one story. */
const PARTICULAR = 1_000;

/** Whether two figures of one story are about the same thing: deaths are, two amounts only in like company. */
export function comparable(a: Figure, b: Figure): boolean {
  if (a.subject !== b.subject) return false;
  if (a.specific) return true;
  let shared = 0;
  for (const term of a.company) if (b.company.has(term)) shared++;
  // "Turnout was", "turnout reached": short sentences have little company, but say what they speak of.
  const [mine, theirs] = [[...a.company][0], [...b.company][0]];
  if (mine !== undefined && mine === theirs) return true;
  return a.subject.startsWith("noun:") ? shared >= 1 || Math.min(a.high, b.high) >= PARTICULAR : shared >= 2;
}
