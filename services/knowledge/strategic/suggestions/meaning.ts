import { bearing, DIMENSIONS, likeness, placeOf } from "../../../../core/text/words/vectors.ts";
import type { StemCounts } from "./stems.ts";

/** The places of terms are in the order of how frequent they are in English: frequent ones tell little. */
const TELLING_FROM = 3_000,
  FREQUENT = 50;
const tellingOf = (stem: string): number => {
  const place = placeOf(stem);
  return place < 0 ? 0 : Math.min(1, Math.sqrt((place + FREQUENT) / TELLING_FROM));
};
/** A stem that few texts here have counts twice at the most. */
const MOST_RARE = 2;

function unit(sum: Float32Array): Float32Array {
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((part) => part / length) : sum;
}

/**
 * Where a text points among the meanings of words (`core/text/words/vectors.ts`): the mean of its stems, by how often it
 * has them, how rare they are in English (Arora, Liang and Ma 2017, "A Simple but Tough-to-Beat Baseline for Sentence
 * Embeddings"), and how rare in the texts at hand.
 */
export const bearingOf = (words: StemCounts, rarity: (stem: string) => number): Float32Array =>
  bearing(
    [...words].map(([stem, count]) => [
      stem,
      (1 + Math.log(count)) * tellingOf(stem) * Math.min(MOST_RARE, rarity(stem)),
    ]),
  );

/** How much the nearest one of its texts counts beside all of them. */
const NEAREST = 0.5;

/** How near a text's meaning is to that of some others together: their common direction, and the nearest one. */
export function nearnessTo(bearing: Float32Array, others: readonly Float32Array[]): number {
  const centre = new Float32Array(DIMENSIONS);
  let nearest = 0;
  for (const one of others) {
    for (let at = 0; at < DIMENSIONS; at++) centre[at]! += one[at]!;
    nearest = Math.max(nearest, likeness(bearing, one));
  }
  return (likeness(bearing, unit(centre)) + NEAREST * nearest) / (1 + NEAREST);
}

/** How much a stem points where one of these texts does; 0 for one whose meaning is not known. */
export function towards(stem: string, others: readonly Float32Array[]): number {
  const own = bearing([[stem, 1]]);
  return tellingOf(stem) * Math.max(0, ...others.map((one) => likeness(own, one)));
}
