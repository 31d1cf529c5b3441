import { dates, type DateMention } from "./dates.ts";
import { frameOf } from "./frame.ts";
import { names, type Name } from "./names.ts";
import { senses, type Sense } from "./meaning.ts";
import { polarity, type Negation } from "./polarity.ts";
import { quantities, type Quantity } from "./figures/quantities.ts";
import type { Sentence } from "../words/sentences.ts";
import { words, type Span, type Word } from "../words/words.ts";

/**
 * A parsed sentence for comparison: who, what, when, how much, and whether it is denied. Offsets are those of the whole
 * text.
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
  /** Indexes of words that deny without a negation. */
  lacking: readonly number[];
}

/** A sentence parsed by itself, without names known from elsewhere. */
export type Details = Omit<Statement, "entities">;

/** Words of a sentence that are read: a list of ten thousand numbers without a full stop states nothing of any of them. */
const MOST_WORDS = 200;

function beginningOf(sentence: Sentence): Sentence {
  if (sentence.words.length <= MOST_WORDS) return sentence;
  const spoken = sentence.words.slice(0, MOST_WORDS);
  const { end } = spoken.at(-1)!;
  return { ...sentence, text: sentence.text.slice(0, end - sentence.start), end, words: spoken };
}

/** Parses a sentence of `whole`, except its names; of a very long one its beginning. */
export function detailsOf(whole: string, given: Sentence): Details {
  const sentence = beginningOf(given);
  const spoken = sentence.words;
  const when = dates(sentence.text, sentence.start);
  const figures = quantities(whole, spoken, when);
  // Dates and amounts are compared by value: their words are no content.
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

/** Parses a sentence of `whole`; `known` are names found elsewhere in the text. */
export const statement = (whole: string, sentence: Sentence, known?: ReadonlySet<string>): Statement => ({
  ...detailsOf(whole, sentence),
  entities: names(whole, beginningOf(sentence).words, known),
});

/** Parses a text that is one sentence, such as a claim. */
export const statementOf = (text: string): Statement =>
  statement(text, { text, start: 0, end: text.length, words: words(text) });

const matters = new WeakMap<Statement, Statement>();
const FEWEST_SENSES = 2;

/** A statement without its frame: the speaker's words, names and days are not part of the matter. */
export function matterOf(stated: Statement): Statement {
  let known = matters.get(stated);
  if (!known) {
    matters.set(stated, (known = withoutFrame(stated)));
    matters.set(known, known);
    wholes.set(known, stated);
  }
  return known;
}

const wholes = new WeakMap<Statement, Statement>();
/** The statement from which a matter was taken: its frame requires nothing, but another's words may match it. */
export const wholeOf = (matter: Statement): Statement => wholes.get(matter) ?? matter;

const frames = new WeakMap<Statement, readonly Span[]>();
/** Whether a word of a statement lies outside its frame. */
export const isOfMatter = (stated: Statement, { start }: Span): boolean =>
  !frames.get(stated)?.some((span) => start >= span.start && start < span.end);

function withoutFrame(stated: Statement): Statement {
  const frame = frameOf(stated.text).map(({ start, end }) => ({
    start: stated.start + start,
    end: stated.start + end,
  }));
  if (frame.length === 0) return stated;
  const isSaid = ({ start }: Span): boolean => !frame.some((span) => start >= span.start && start < span.end);
  const senses = stated.senses.filter(({ at }) => isSaid(stated.words[at]!));
  // "Nobody was hurt, the railway said": a single word is denied.
  if (senses.length < (stated.negations.length > 0 ? 1 : FEWEST_SENSES)) return stated;
  // A weekday in the frame is the day of the statement; a month may be the event's.
  const dates = stated.dates.filter((date) => date.weekday === undefined || isSaid(date));
  const quantities = stated.quantities.filter(isSaid);
  const matter = { ...stated, senses, entities: stated.entities.filter(isSaid), dates, quantities };
  frames.set(matter, frame);
  return matter;
}
