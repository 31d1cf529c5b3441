import { checkWorthiness, CHECK_WORTHY } from "./check-worthiness.ts";
import { names } from "../../../../core/text/statements/names.ts";
import { sentences, type Sentence } from "../../../../core/text/words/sentences.ts";
import { statement, type Statement } from "../../../../core/text/statements/statement.ts";
import { baseOf } from "../../../../core/text/words/stem.ts";
import { isReportingWord } from "../../../../core/text/words/stop-words.ts";
import { fold } from "../../../../core/text/words/words.ts";

/** A factual claim with its place in an article: `text` is `article.slice(start, end)`. */
export interface Claim {
  text: string;
  start: number;
  end: number;
  /** Check-worthiness, 0..100. */
  score: number;
  quantities: { text: string; value: number; to?: number; unit: string; of: string[]; bound?: string }[];
  /** Canonical names. */
  entities: string[];
  dates: string[];
  negated: boolean;
  hedged: boolean;
  /** What raised and lowered the score, in words. */
  reasons: string[];
  /** The same for the same content in another word order or form: finds a claim that was verified before. */
  normalized: string;
}

export const MOST_CLAIMS = 20;
/** The most sentences of a post. */
export const POST_SENTENCES = 4;
/** Commands to machines and page furniture score below this. */
const LEAST_OF_POST = 5;
/** Longer texts are read up to here; news puts what matters first. */
export const LONGEST_TEXT = 50_000;

/**
 * The check-worthy claims of a text, best first, at most `limit`. Heuristics over sentences (English); the acceptor
 * compares the model's claims with these scores.
 */
export function extractClaims(
  text: string,
  { limit = MOST_CLAIMS, minimum = CHECK_WORTHY }: { limit?: number; minimum?: number } = {},
): Claim[] {
  const read = text.slice(0, LONGEST_TEXT);
  const all = statements(read).map((one) => claimOf(read, one));
  const found = worthiest(all, limit, minimum);
  // A post makes one point, however worded: that is its claim.
  return found.length === 0 && minimum <= CHECK_WORTHY && all.length > 0 && all.length <= POST_SENTENCES
    ? worthiest(all, 1, LEAST_OF_POST)
    : found;
}

function worthiest(claims: readonly Claim[], limit: number, minimum: number): Claim[] {
  const seen = new Set<string>();
  return claims
    .filter((claim) => claim.score >= minimum)
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .filter(({ normalized }) => !seen.has(normalized) && seen.add(normalized))
    .slice(0, limit);
}

/** All sentences of a text parsed, with names found anywhere in it known everywhere. */
export function statements(text: string, split: readonly Sentence[] = sentences(text)): Statement[] {
  const known = knownNames(text, split);
  return split.map((sentence) => statement(text, sentence, known));
}

/** Names found inside sentences, where a capital letter identifies a name. */
export function knownNames(text: string, split: readonly Sentence[]): Set<string> {
  return new Set(split.flatMap(({ words: spoken }) => names(text, spoken.slice(1)).map(({ key }) => key)));
}

/** The claim that a statement makes, whether check-worthy or not. */
export function claimOf(text: string, one: Statement): Claim {
  const { score, reasons } = checkWorthiness(text, one);
  return {
    text: one.text,
    start: one.start,
    end: one.end,
    score,
    quantities: one.quantities.map(({ text: written, value, to, unit, of, bound }) => ({
      text: written,
      value,
      unit,
      // As they are written in the sentence.
      of: [...new Set(of.map((thing) => one.words.find((word) => baseOf(word.text) === thing)?.text ?? thing))],
      ...(to !== undefined && { to }),
      ...(bound && { bound }),
    })),
    entities: [...new Set(one.entities.map(({ key }) => key))],
    dates: one.dates.map((date) => date.text),
    negated: one.negations.length > 0,
    hedged: one.hedges.length > 0,
    reasons,
    normalized: normalized(one),
  };
}

/**
 * Canonical form: concepts in alphabetical order, figures in base units, names, negation; without the frame "X said".
 */
function normalized(one: Statement): string {
  const content = one.senses
    .filter(({ word }) => !isReportingWord(word))
    .map(({ concept, pole }) => (pole ? `${concept}:${pole}` : baseOf(fold(concept))));
  const figures = one.quantities.map(
    ({ value, to, unit }) =>
      `${Number(value.toPrecision(4))}${to === undefined ? "" : `-${Number(to.toPrecision(4))}`}${unit}`,
  );
  const times = one.dates.map(({ year, quarter, month, day, weekday }) =>
    [year, quarter && `q${quarter}`, month, day, weekday !== undefined && `w${weekday}`].filter(Boolean).join("-"),
  );
  return [
    ...(one.negations.length % 2 === 1 ? ["not"] : []),
    ...[...new Set(content)].sort(),
    ...figures.sort(),
    ...times.sort(),
  ].join(" ");
}
