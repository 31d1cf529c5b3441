import { stem } from "../../../core/text/analysis.ts";
import { terms } from "./language.ts";
import { numeralAt, tokensOf, VAGUE, type Token } from "./numerals.ts";

/** A number somebody states about something, as an interval: "at least 20 dead" is [20, ∞) about deaths. */
export interface Quantity {
  /** What is counted or measured; only quantities with the same subject are compared. */
  subject: string;
  /** How to name it to a reader. */
  label: string;
  /** Whether the subject alone tells what is meant (deaths, magnitude); otherwise the sentences must agree in more than it. */
  specific: boolean;
  low: number;
  high: number;
  /** Whether the speaker gave a number and not a bound or a guess. */
  exact: boolean;
  /** The words as they stand in the sentence. */
  phrase: string;
  /** Content stems beside it in the sentence: two measures of one kind are comparable only in like company. */
  company: ReadonlySet<string>;
}

/** Words that count the same thing in other forms; the keys are shown to readers. */
const PEOPLE_COUNTS: Record<string, string> = {
  "deaths": "dead death deaths died die dies killed kill kills killing fatality fatalities toll drowned perished",
  "injuries": "injured injuries injury injuring wounded wounding wounds hurt hospitalised hospitalized",
  "people missing": "missing unaccounted",
  "people displaced": "displaced displacing evacuated evacuating evacuees evacuations fled homeless",
  "arrests": "arrested arrests arresting detained detaining detentions",
  "cases": "cases infections infected",
  "job cuts": "layoffs redundancies",
};
const COUNT_OF = new Map(Object.entries(PEOPLE_COUNTS).flatMap(([label, words]) => words.split(" ").map((word) => [word, label] as const)));
const PEOPLE = new Set(`people person persons civilians civilian soldiers soldier troops workers worker employees staff children child men
  women man woman others passengers crew sailors miners residents students pupils officers police protesters demonstrators patients
  firefighters villagers inhabitants more`.split(/\s+/));
/** What may follow a number that stands for people without naming them ("12 were killed"). */
const FUNCTION_WORDS = new Set(`were was are is have has had been so in at by on after when and or as following since across from with during
  near to of while`.split(/\s+/));

const CURRENCIES = new Map<string, string>([
  ["$", "dollars"], ["€", "euros"], ["£", "pounds"], ["¥", "yen"], ["dollar", "dollars"], ["euro", "euros"], ["pound", "pounds"], ["yen", "yen"],
   ["yuan", "yuan"], ["rupee", "rupees"], ["rouble", "roubles"], ["ruble", "roubles"], ["franc", "francs"], ["krona", "kronor"]]);
const currency = (token: Token | undefined): string | undefined => token && CURRENCIES.get(token.word.replace(/s$/, ""));

const MONTHS = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december)$/;
const TIME_UNITS = /^(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|century|centuries|am|pm|a\.m|p\.m|gmt|utc|o'clock|st|nd|rd|th)$/;

/** Where a subject was found: token indexes of the words that belong to the phrase shown. */
interface Subject { subject: string; label: string; specific: boolean; first: number; last: number }

/** The word for what is counted nearest to the number: behind it by preference, never across another number or the end of a clause. */
function countedNear(tokens: readonly Token[], from: number, to: number): { label: string; at: number } | null {
  let best: { label: string; at: number; cost: number } | null = null;
  const scan = (start: number, step: 1 | -1, handicap: number) => {
    let cost = handicap;
    for (let at = start + step; at >= 0 && at < tokens.length && cost <= 7; at += step) {
      const token = tokens[at]!;
      if (token.value !== undefined || /^[;:.!?–—]$/.test(token.text)) return;
      cost += token.text === "," ? 3 : token.isWord ? 1 : 0.5;
      const label = COUNT_OF.get(token.word);
      if (label && (!best || cost < best.cost)) best = { label, at, cost };
    }
  };
  scan(to, 1, 0);
  scan(from, -1, 0.5);
  return best;
}

function peopleSubject(tokens: readonly Token[], from: number, to: number): Subject | null {
  const next = tokens[to + 1];
  const names = next !== undefined && PEOPLE.has(next.word);
  const bare = !next?.isWord || FUNCTION_WORDS.has(next.word);
  if (!names && !bare && !COUNT_OF.has(next!.word)) return null;
  const counted = countedNear(tokens, from, to);
  if (!counted) return null;
  return { subject: counted.label, label: counted.label, specific: true, first: Math.min(from, counted.at), last: Math.max(names ? to + 1 : to, counted.at) };
}

function measureSubject(tokens: readonly Token[], from: number, to: number): Subject | null {
  const before = tokens[from - 1];
  const [next, second] = [tokens[to + 1], tokens[to + 2]];
  const measure = (subject: string, first: number, last: number, specific = false): Subject => ({ subject, label: `the ${subject}`, specific, first, last });
  if (before && currency(before)) return measure(`amount in ${currency(before)}`, from - 1, to);
  if (currency(next)) return measure(`amount in ${currency(next)}`, from, to + 1);
  if (next && /^(?:%|percent|pct)$/.test(next.word)) return measure("percentage", from, to + 1);
  if (next?.word === "per" && second?.word === "cent") return measure("percentage", from, to + 2);
  if (next?.word === "basis" && second?.word === "points") return measure("basis points", from, to + 2);
  if (before?.word === "magnitude") return measure("magnitude", from - 1, to, true);
  if (next?.word === "magnitude") return measure("magnitude", from, to + 1, true);
  if (next?.text === "-" && second?.word === "magnitude") return measure("magnitude", from, to + 2, true);
  return null;
}

function nounSubject(tokens: readonly Token[], from: number, to: number): Subject | null {
  const next = tokens[to + 1];
  if (!next?.isWord || next.word.length < 3) return null;
  if (TIME_UNITS.test(next.word) || FUNCTION_WORDS.has(next.word) || /^(?:people|others|more|than|per)$/.test(next.word)) return null;
  return { subject: `noun:${stem(next.word)}`, label: `the number of ${next.word}`, specific: false, first: from, last: to + 1 };
}

/** What only looks like a quantity: dates, years, times of day, ages, parts of a whole, names with a number in them ("Flight 370", "F-16"). */
function isName(tokens: readonly Token[], index: number, sentence: string): boolean {
  const token = tokens[index]!;
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  const digits = /^\d/.test(token.text);
  if (before && MONTHS.test(before.word) || after && (MONTHS.test(after.word) || TIME_UNITS.test(after.word))) return true;
  const touches = (beside: Token | undefined) => beside !== undefined && (beside.end === token.start || beside.start === token.end);
  if (digits && [before, after].some((beside) => touches(beside) && /^[:/#]$/.test(beside!.text))) return true;
  if (/^-(?:year|day|week|month|hour|minute)/i.test(sentence.slice(token.end)) || /^(?:aged|no|including)$/.test(before?.word ?? "")) return true;
  if (/^(?:19|20)\d\d$/.test(token.text) && !currency(before)) return true;
  if (/[\p{L}-]/u.test(sentence[token.start - 1] ?? " ")) return true;
  const afterName = digits && before?.isWord === true && /^\p{Lu}/u.test(before.text) && !QUALIFIER_WORD.test(before.text);
  const counts = tokens.slice(index + 1, index + 3).some(({ word }) => COUNT_OF.has(word) || PEOPLE.has(word));
  if (afterName && !counts && (index > 1 || /^\p{Lu}/u.test(after?.text ?? ""))) return true;
  return token.word === "one" && !(after && (COUNT_OF.has(after.word) || after.word === "person"));
}
const QUALIFIER_WORD = /^(?:US|At|About|Over|Some|Nearly|Almost|Around|Up)$/;

/** The words at the end of what stands before a number, an article and a currency sign between them. */
const qualifier = (words: string): RegExp => new RegExp(`\\b(?:${words})\\s+(?:an?\\s+)?(?:US)?[$€£¥]?$`, "i");
const QUALIFIERS: readonly [bound: "atLeast" | "atMost" | "about", pattern: RegExp][] = [
  ["atLeast", qualifier("at least|more than|over|no fewer than|no less than|upwards of|exceeding|above|pass(?:es|ed)|exceed(?:s|ed)|tops|topped|surpass(?:es|ed)")],
  ["atMost", qualifier("up to|at most|as many as|fewer than|less than|under|below|no more than")],
  ["about", qualifier("about|around|some|roughly|approximately|nearly|almost|close to|an estimated")],
];

/** The interval a speaker commits to, and where the words for it begin. */
function committed(value: number, step: number, prefix: string): { low: number; high: number; exact: boolean; start?: number } {
  for (const [bound, pattern] of QUALIFIERS) {
    const start = pattern.exec(prefix)?.index;
    if (start === undefined) continue;
    if (bound === "atLeast") return { low: value, high: Infinity, exact: false, start };
    if (bound === "atMost") return { low: 0, high: value, exact: false, start };
    const slack = Math.max(value * 0.1, step);
    return { low: value - slack, high: value + slack, exact: false, start };
  }
  return { low: value - step / 2, high: value + step / 2, exact: true };
}

/** How far to either side words keep a measure company, in characters. */
const COMPANY = 60;

/** The quantities a sentence states, in order. */
export function quantitiesIn(sentence: string): Quantity[] {
  const tokens = tokensOf(sentence);
  const found: Quantity[] = [];
  const state = (subject: Subject, { start = Infinity, ...interval }: { low: number; high: number; exact: boolean; start?: number }) => {
    const [from, to] = [Math.min(start, tokens[subject.first]!.start), tokens[subject.last]!.end];
    const beside = `${sentence.slice(Math.max(0, from - COMPANY), from)} ${sentence.slice(to, to + COMPANY)}`;
    found.push({
      subject: subject.subject, label: subject.label, specific: subject.specific, ...interval,
      phrase: sentence.slice(from, to), company: new Set(terms(beside)),
    });
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const vague = VAGUE.get(token.word);
    if (vague) {
      const subject = peopleSubject(tokens, index, index);
      if (subject) state(subject, { low: vague[0], high: vague[1], exact: false });
    } else if (token.value !== undefined && !isName(tokens, index, sentence)) {
      const { value, step, last } = numeralAt(tokens, index);
      const subject = measureSubject(tokens, index, last) ?? peopleSubject(tokens, index, last) ?? nounSubject(tokens, index, last);
      if (subject) state(subject, committed(value, step, sentence.slice(0, token.start)));
      index = last;
    }
  }
  return found;
}

/** Whether both can be true at once. */
export const compatible = (a: Quantity, b: Quantity): boolean => a.low <= b.high && b.low <= a.high;

/** From here on a count is so particular that nobody names two of them for different things in one story. */
const PARTICULAR = 1_000;

/** Whether two figures of one story are about the same thing: deaths are, two amounts only in like company. */
export function comparable(a: Quantity, b: Quantity): boolean {
  if (a.subject !== b.subject) return false;
  if (a.specific) return true;
  let shared = 0;
  for (const term of a.company) if (b.company.has(term)) shared++;
  return a.subject.startsWith("noun:") ? shared >= 1 || Math.min(a.high, b.high) >= PARTICULAR : shared >= 2;
}
