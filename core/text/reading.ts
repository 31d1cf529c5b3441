import { sentences, type Sentence } from "./words/sentences.ts";
import { words, type Span, type Word } from "./words/words.ts";

/** A text read once for several analyses: its words, its sentences and its quotations. */
export interface Reading {
  text: string;
  words: readonly Word[];
  sentences: readonly Sentence[];
  /** Offsets of direct speech, quotation marks included, in order. */
  quotes: readonly Span[];
}

/** Longer texts are read up to here. */
const LONGEST_READING = 50_000;
const QUOTE = /“[^“”]{2,600}”|"[^"\n]{2,600}"/g;

/** Reads a text; offsets are those of the text as it was given. */
export function read(whole: string): Reading {
  const text = whole.slice(0, LONGEST_READING);
  const spoken = words(text);
  const quotes = [...text.matchAll(QUOTE)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  return { text, words: spoken, sentences: sentences(text, spoken), quotes };
}

/** Whether an offset lies within direct speech: those words are the speaker's, not the writer's. */
export const isQuoted = ({ quotes }: Reading, offset: number): boolean =>
  quotes.some(({ start, end }) => offset >= start && offset < end);

/** The sentence an offset lies in. */
export const sentenceAt = ({ sentences: split }: Reading, offset: number): Sentence | undefined =>
  split.find(({ start, end }) => offset >= start && offset < end);
