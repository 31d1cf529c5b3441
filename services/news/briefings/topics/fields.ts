import { lexicon } from "../../../../core/text/lexicon.ts";
import { termsOf } from "../../../../core/text/words/terms.ts";
import { addVector, DIMENSIONS, placeOf, placeOfHash, UNIT } from "../../../../core/text/words/vectors.ts";
import type { Word } from "../../../../core/text/words/words.ts";
import { words } from "../../../../core/text/words/words.ts";
import { atOnce, each, type Steps } from "../../../../core/work/turns.ts";
import { translator } from "../../articles/client.ts";

const { fields, topics } = lexicon.topics;

/** What a text can be about: a domain, what lies in none (an accident, a trial), sport, or soft news. */
export type Topic = keyof typeof topics;
export const TOPICS = Object.keys(topics) as Topic[];
/** Behind the topics: what says nothing of any, and, counted among soft news as well, animals. */
const PLAIN = TOPICS.length;
const ANIMALS = PLAIN + 1;

interface Field {
  /** Index of its topic. */
  topic: number;
  mean: Float64Array;
  seeds: readonly Float64Array[];
}

/** Adds the vector of a term's place, as parts of a unit. */
function vectorAt(place: number): Float64Array {
  const vector = new Float32Array(DIMENSIONS);
  addVector(vector, place, 1 / UNIT);
  return Float64Array.from(vector);
}

function fieldOf({ topic, words: listed }: { topic: string; words: readonly string[] }): Field {
  const places = new Set(listed.flatMap((word) => termsOf(words(word)).map(placeOf)));
  const seeds = [...places].filter((place) => place >= 0).map(vectorAt);
  const mean = new Float64Array(DIMENSIONS);
  for (const seed of seeds) for (let at = 0; at < DIMENSIONS; at++) mean[at]! += seed[at]! / seeds.length;
  return { topic: topic === "plain" ? PLAIN : TOPICS.indexOf(topic as Topic), mean, seeds };
}

/** So much of the spread is taken to be equal in all directions (Friedman 1989). */
const ROUNDED = 0.1;

/** How words of one field spread about its middle, the same for all fields. */
function spreadOf(all: readonly Field[]): Float64Array[] {
  const spread = Array.from({ length: DIMENSIONS }, () => new Float64Array(DIMENSIONS));
  const count = all.reduce((sum, { seeds }) => sum + seeds.length, 0);
  const off = new Float64Array(DIMENSIONS);
  for (const { mean, seeds } of all)
    for (const seed of seeds) {
      for (let at = 0; at < DIMENSIONS; at++) off[at] = seed[at]! - mean[at]!;
      for (let at = 0; at < DIMENSIONS; at++) {
        const [row, part] = [spread[at]!, ((1 - ROUNDED) * off[at]!) / count];
        for (let column = 0; column <= at; column++) row[column]! += part * off[column]!;
      }
    }
  for (let at = 0; at < DIMENSIONS; at++)
    for (let column = 0; column < at; column++) spread[column]![at] = spread[at]![column]!;
  const even = spread.reduce((sum, row, at) => sum + row[at]!, 0) / (1 - ROUNDED) / DIMENSIONS;
  for (const [at, row] of spread.entries()) row[at]! += ROUNDED * even;
  return spread;
}

/** Solves `matrix · x = column` for each column by elimination; the matrix is positive definite. */
function solve(matrix: readonly Float64Array[], columns: readonly Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const rows = matrix.map((row, at) => Float64Array.from([...row, ...columns.map((column) => column[at]!)]));
  for (const [at, pivot] of rows.entries()) {
    const by = pivot[at]!;
    for (let column = at; column < pivot.length; column++) pivot[column]! /= by;
    for (const [other, row] of rows.entries()) {
      const times = row[at]!;
      if (other === at || times === 0) continue;
      for (let column = at; column < row.length; column++) row[column]! -= times * pivot[column]!;
    }
  }
  return columns.map((_, at) => Float64Array.from(rows, (row) => row[size + at]!));
}

/** Words stand in texts with others, so that none should speak too surely. */
const SURENESS = 0.5;

interface Direction {
  topic: number;
  direction: Float64Array;
  offset: number;
}

let made: readonly Direction[] | undefined;

/**
 * To which field a word belongs, by linear discriminant analysis (Fisher 1936) of the vectors of those listed for each:
 * one that no list has goes where words of its company are. Made once; a step is a field.
 */
export function* fieldsRead(): Steps<readonly Direction[]> {
  if (made) return made;
  const all = yield* each(Object.values(fields), fieldOf);
  const spread = spreadOf(all);
  yield;
  const means = all.map(({ mean }) => mean);
  const directions = solve(spread, means);
  made = all.map(({ topic, mean }, at) => {
    const direction = directions[at]!.map((part) => SURENESS * part);
    return { topic, direction, offset: direction.reduce((sum, part, of) => sum - (part * mean[of]!) / 2, 0) };
  });
  return made;
}

const discriminant = (): readonly Direction[] => made ?? atOnce(fieldsRead());

/** By the place of a term its shares of the topics, which with that of nothing sum to 1. */
const known = new Map<number, Float64Array>();

function sharesAt(place: number): Float64Array {
  let shares = known.get(place);
  if (!shares) {
    const vector = vectorAt(place);
    const scores = discriminant().map(({ direction, offset }) =>
      direction.reduce((sum, part, at) => sum + part * vector[at]!, offset),
    );
    const most = Math.max(...scores);
    const parts = scores.map((score) => Math.exp(score - most));
    const sum = parts.reduce((all, part) => all + part, 0);
    shares = new Float64Array(TOPICS.length + 2);
    for (const [at, { topic }] of discriminant().entries()) shares[topic]! += parts[at]! / sum;
    shares[ANIMALS] = parts[Object.keys(fields).indexOf("animals")]! / sum;
    known.set(place, shares);
  }
  return shares;
}

/** What words speak of: of each topic its share of them, counted in words, and how many say anything. */
export interface Spoken {
  shares: Float64Array;
  animals: number;
  words: number;
}

/** Reads each word of a text once; those of another language as far as the dictionaries have them. */
export function spokenOf(spoken: readonly Word[], language: string): Spoken {
  const translate = language === "en" ? undefined : translator(language);
  const shares = new Float64Array(TOPICS.length);
  let [saying, animals] = [0, 0];
  for (const term of new Set(termsOf(spoken))) {
    const place = translate ? placeOfHash(translate(term)) : placeOf(term);
    if (place < 0) continue;
    const of = sharesAt(place);
    for (let at = 0; at < PLAIN; at++) shares[at]! += of[at]!;
    saying += 1 - of[PLAIN]!;
    animals += of[ANIMALS]!;
  }
  return { shares, animals, words: saying };
}
