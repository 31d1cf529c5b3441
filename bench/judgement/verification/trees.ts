import type { Model, Tree } from "../../../services/news/verification/references/pairs/forest.ts";

/** What a tree is grown from: values by feature, which of the kinds it is, and what it counts. */
export interface Row {
  values: readonly number[];
  kind: number;
  weight: number;
}

const ROUNDS = 140;
const DEPTH = 4;
const RATE = 0.1;
/** Shrinks leaves of few rows; and the least that a leaf may hold (sums of second derivatives). */
const SHRINKING = 3;
const LEAST = 3;
const BINS = 24;
/** Shares of rows and of features that a round looks at. */
const ROWS = 0.8;
const COLUMNS = 0.4;
const SEED = 7;

/** The same numbers each time, 0..1. */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Values between which a feature may be cut, and in which bin each row lies. */
function binned(values: readonly number[]): { cuts: number[]; bins: Uint8Array } {
  const sorted = values.toSorted((a, b) => a - b);
  const distinct = [...new Set(sorted)];
  const cuts =
    distinct.length <= BINS
      ? distinct.slice(1).map((value, at) => (value + distinct[at]!) / 2)
      : [
          ...new Set(
            Array.from({ length: BINS - 1 }, (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / BINS)]!),
          ),
        ];
  return { cuts, bins: Uint8Array.from(values, (value) => placeIn(cuts, value)) };
}

/** How many cuts lie below a value. */
function placeIn(cuts: readonly number[], value: number): number {
  let place = 0;
  while (place < cuts.length && value > cuts[place]!) place += 1;
  return place;
}

type Binned = ReturnType<typeof binned>;

interface Growing {
  columns: readonly number[];
  data: readonly Binned[];
  /** First and second derivatives of the loss by row. */
  slope: Float64Array;
  bend: Float64Array;
}

/** The cut that gains most. */
function bestCut({ columns, data, slope, bend }: Growing, rows: Int32Array, slopes: number, bends: number) {
  let best: { column: number; bin: number; gain: number } | undefined;
  const own = slopes ** 2 / (bends + SHRINKING);
  for (const column of columns) {
    const { cuts, bins } = data[column]!;
    const [slopesIn, bendsIn] = [new Float64Array(cuts.length + 1), new Float64Array(cuts.length + 1)];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      const bin = bins[row]!;
      slopesIn[bin]! += slope[row]!;
      bendsIn[bin]! += bend[row]!;
    }
    let [below, bent] = [0, 0];
    for (let bin = 0; bin < cuts.length; bin++) {
      below += slopesIn[bin]!;
      bent += bendsIn[bin]!;
      if (bent < LEAST || bends - bent < LEAST) continue;
      const gain = below ** 2 / (bent + SHRINKING) + (slopes - below) ** 2 / (bends - bent + SHRINKING) - own;
      if (gain > (best?.gain ?? 0.001)) best = { column, bin, gain };
    }
  }
  return best;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

function total(of: Float64Array, rows: Int32Array): number {
  let sum = 0;
  for (let at = 0; at < rows.length; at++) sum += of[rows[at]!]!;
  return sum;
}

function grow(growing: Growing, rows: Int32Array, depth: number): Tree {
  const [slopes, bends] = [total(growing.slope, rows), total(growing.bend, rows)];
  const cut = depth > 0 && bends >= 2 * LEAST ? bestCut(growing, rows, slopes, bends) : undefined;
  if (!cut) return rounded((RATE * slopes) / (bends + SHRINKING));
  const { cuts, bins } = growing.data[cut.column]!;
  const side = (isBelow: boolean) => rows.filter((row) => bins[row]! <= cut.bin === isBelow);
  return [cut.column, cuts[cut.bin]!, grow(growing, side(true), depth - 1), grow(growing, side(false), depth - 1)];
}

function outcome(tree: Tree, values: readonly number[]): number {
  let node = tree;
  while (typeof node !== "number") node = values[node[0]]! <= node[1] ? node[2] : node[3];
  return node;
}

/** How likely each row is of each kind, by sums of all kinds one after the other. */
function softmax(scores: Float64Array, kinds: number): Float64Array {
  const shares = scores.map(Math.exp);
  for (let from = 0; from < shares.length; from += kinds) {
    let all = 0;
    for (let kind = 0; kind < kinds; kind++) all += shares[from + kind]!;
    for (let kind = 0; kind < kinds; kind++) shares[from + kind]! /= all;
  }
  return shares;
}

/** Boosts small trees on the loss of a softmax over the kinds (Friedman 2001). The same rows give the same model. */
export function fitted(features: readonly string[], rows: readonly Row[]): Model {
  const draw = draws(SEED);
  const data = features.map((_, at) => binned(rows.map(({ values }) => values[at]!)));
  const weights = Float64Array.from(rows, ({ weight }) => weight);
  const kinds = 1 + rows.reduce((most, { kind }) => Math.max(most, kind), 0);
  const each = [...Array(kinds).keys()];
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const base = each.map((kind) =>
    rounded(Math.log(rows.reduce((sum, row) => sum + (row.kind === kind ? row.weight : 0), 0) / all)),
  );
  const scores = Float64Array.from({ length: rows.length * kinds }, (_, at) => base[at % kinds]!);
  const trees: Tree[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const shares = softmax(scores, kinds);
    const sample = Int32Array.from([...rows.keys()].filter(() => draw() < ROWS));
    const columns = [...features.keys()].filter(() => draw() < COLUMNS);
    const grown = each.map((kind) => {
      const share = (row: number): number => shares[row * kinds + kind]!;
      const slope = weights.map((weight, row) => weight * (Number(rows[row]!.kind === kind) - share(row)));
      const bend = weights.map((weight, row) => weight * share(row) * (1 - share(row)));
      return grow({ columns, data, slope, bend }, sample, DEPTH);
    });
    for (const [at, { values }] of rows.entries())
      for (const kind of each) scores[at * kinds + kind]! += outcome(grown[kind]!, values);
    trees.push(grown);
  }
  return { features, base, trees };
}
