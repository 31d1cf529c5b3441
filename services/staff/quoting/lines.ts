import { sentences } from "../../../core/text/words/sentences.ts";
import { isWord, placeOf } from "../../../core/text/words/vectors.ts";
import { words, type Word } from "../../../core/text/words/words.ts";
import { minutesIn } from "./clocks.ts";
import { toldIn, type Wording } from "./concepts.ts";

/** A sentence of a record, and what stands in it. */
export interface Line {
  n: number;
  /** The record it is of. */
  of: string;
  /** Its place among the lines of its record. */
  at: number;
  text: string;
  spoken: readonly Word[];
  told: readonly Wording[];
  keys: ReadonlySet<string>;
  groups: ReadonlySet<number>;
  vectors: readonly number[];
  /** The times of day that it tells in figures. */
  minutes: readonly number[];
  /** The same of its record's title. */
  title: Wordings;
}
export interface Wordings {
  minutes?: readonly number[];
  keys: ReadonlySet<string>;
  groups: ReadonlySet<number>;
  /** Vectors of its words, by their places. */
  vectors: readonly number[];
}

export const wordingsOf = (told: readonly Wording[]): Wordings => ({
  keys: new Set(told.map(({ key }) => key)),
  groups: new Set(told.flatMap(({ groups }) => groups)),
  vectors: told
    .filter(({ first, last }) => first === last)
    .map(({ key }) => placeOf(key))
    .filter((place) => isWord(place)),
});

/** The lines of a passage. */
export function linesOf({ n, of, title, text }: { n: number; of: string; title: string; text: string }): Line[] {
  const named = wordingsOf(toldIn(words(title)));
  return sentences(text).map((sentence, at) => {
    const told = toldIn(sentence.words);
    const line = sentence.text.replace(/\s+/g, " ").trim();
    return {
      ...{ n, of, at, text: line, spoken: sentence.words, told, minutes: minutesIn(line) },
      ...wordingsOf(told),
      title: named,
    };
  });
}
