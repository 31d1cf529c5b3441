import { mixed, tokenHashes } from "./words/token-hashes.ts";
import { fold } from "./words/words.ts";

const BINS = 64;
const SHINGLE = 4;
/** Shorter texts resemble each other by chance. */
const FEWEST_TOKENS = 20;
const ROWS = 2;
const PIECE = 65_536;

/**
 * A sketch by which similar texts are recognised, whatever was cut, moved or inserted: MinHash over four words in a
 * row, one permutation (Li, Owen and Zhang 2012) with empty bins filled from their neighbours. 64 numbers of eight
 * hexadecimal digits; undefined for a text that is too short.
 */
export function sketchOf(text: string): string | undefined {
  const least = new Float64Array(BINS).fill(Infinity);
  const last = new Uint32Array(SHINGLE);
  let seen = 0;
  for (let start = 0; start < text.length; start += PIECE) {
    const hashes = tokenHashes(fold(text.slice(start, start + PIECE)));
    for (let at = 0; at < hashes.length; at++) {
      last[seen++ % SHINGLE] = hashes[at]!;
      if (seen < SHINGLE) continue;
      let shingle = 0;
      for (let nth = 0; nth < SHINGLE; nth++) shingle = mixed(Math.imul(shingle, 31) ^ last[(seen + nth) % SHINGLE]!);
      const [bin, value] = [shingle >>> 26, shingle & 0x3ffffff];
      if (value < least[bin]!) least[bin] = value;
    }
  }
  if (seen < FEWEST_TOKENS) return undefined;
  return Array.from(least, (_, bin) => {
    let step = 0;
    while (least[(bin + step) % BINS] === Infinity) step += 1;
    // Mixed with the distance, so that it differs from the neighbour's own value.
    return mixed((least[(bin + step) % BINS]! ^ Math.imul(step, 0x9e3779b1)) >>> 0)
      .toString(16)
      .padStart(8, "0");
  }).join("");
}

const numbersIn = (sketch: string): string[] => sketch.match(/.{8}/g) ?? [];

/** The share of their runs of words that two texts have in common, 0..1 (Jaccard), by their sketches; ±.06. */
export function resemblance(one: string, other: string): number {
  const [left, right] = [numbersIn(one), numbersIn(other)];
  return left.filter((number, bin) => number === right[bin]).length / BINS;
}

/**
 * Keys to look a sketch up by: texts that share half of their runs also share a key, except in one case of ten
 * thousand.
 */
export function keysOf(sketch: string): string[] {
  const numbers = numbersIn(sketch);
  return Array.from(
    { length: BINS / ROWS },
    (_, band) =>
      `${band.toString(36)}.${numbers
        .slice(band * ROWS, (band + 1) * ROWS)
        .map((one) => one.slice(0, 5))
        .join("")}`,
  );
}
