import { dates, type DateMention } from "./dates.ts";
import { names, type Name } from "./names.ts";
import { senses, type Sense } from "./meaning.ts";
import { polarity, type Negation } from "./polarity.ts";
import { quantities, type Quantity } from "./quantities.ts";
import type { Sentence } from "../words/sentences.ts";
import { words, type Span, type Word } from "../words/words.ts";

/**
 * A sentence taken apart for comparison: who, what, when, how much, and whether it is denied. Offsets are those of the
 * whole text.
 */
export interface Statement extends Span {
  text: string;
  words: readonly Word[];
  senses: readonly Sense[];
  quantities: readonly Quantity[];
  dates: readonly DateMention[];
  entities: readonly Name[];
  negations: readonly Negation[];
  hedges: readonly string[];
  /** Indexes of words that say without a negation that something is not so. */
  lacking: readonly number[];
}

/** What a sentence says by itself, whatever names are known from elsewhere. */
export type Details = Omit<Statement, "entities">;

/** Takes a sentence of `whole` apart, but for its names. */
export function detailsOf(whole: string, sentence: Sentence): Details {
  const spoken = sentence.words;
  const when = dates(sentence.text, sentence.start);
  const figures = quantities(whole, spoken, when);
  // Dates and amounts are compared as such: their words are no content of their own.
  const valued = [...when, ...figures];
  const skipped = new Set(
    spoken.flatMap((word, at) => (valued.some(({ start, end }) => word.start >= start && word.end <= end) ? [at] : [])),
  );
  const { negations, hedges, lacking } = polarity(whole, spoken);
  return {
    text: sentence.text,
    start: sentence.start,
    end: sentence.end,
    words: spoken,
    senses: senses(spoken, skipped),
    quantities: figures,
    dates: when,
    negations,
    hedges,
    lacking,
  };
}

/** Takes a sentence of `whole` apart; `known` are names seen elsewhere in the text. */
export const statement = (whole: string, sentence: Sentence, known?: ReadonlySet<string>): Statement => ({
  ...detailsOf(whole, sentence),
  entities: names(whole, sentence.words, known),
});

/** A text that is one sentence, a claim for instance. */
export const statementOf = (text: string): Statement =>
  statement(text, { text, start: 0, end: text.length, words: words(text) });
