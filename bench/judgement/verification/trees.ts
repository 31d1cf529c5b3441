import type { Model, Tree } from "../../../services/news/verification/references/pairs/judge.ts";

/** What a tree is grown from: values by feature, which of the kinds it is, and what it counts. */
export interface Row {
  values: readonly number[];
  kind: number;
  weight: number;
}

const ROUNDS = 70;
const DEPTH = 3;
const RATE = 0.1;
/** Shrinks leaves of few rows; and the least that a leaf may hold (sums of second derivatives). */
const SHRINKING = 3;
const LEAST = 1.5;
const BINS = 24;
/** Shares of rows and of features that a round looks at. */
const ROWS = 0.8;
const COLUMNS = 0.4;
const SEED = 7;

/** The same numbers each time, 0..1. */
function draws(seed: number): () => number {
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
  return { cuts, bins: Uint8Array.from(values, (value) => cuts.filter((cut) => value > cut).length) };
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
function bestCut({ columns, data, slope, bend }: Growing, rows: readonly number[], slopes: number, bends: number) {
  let best: { column: number; bin: number; gain: number } | undefined;
  const own = slopes ** 2 / (bends + SHRINKING);
  for (const column of columns) {
    const { cuts, bins } = data[column]!;
    const [slopesIn, bendsIn] = [new Float64Array(cuts.length + 1), new Float64Array(cuts.length + 1)];
    for (const row of rows) {
      slopesIn[bins[row]!]! += slope[row]!;
      bendsIn[bins[row]!]! += bend[row]!;
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

function grow(growing: Growing, rows: readonly number[], depth: number): Tree {
  const total = (of: Float64Array): number => rows.reduce((sum, row) => sum + of[row]!, 0);
  const [slopes, bends] = [total(growing.slope), total(growing.bend)];
  const cut = depth > 0 && bends >= 2 * LEAST ? bestCut(growing, rows, slopes, bends) : undefined;
  if (!cut) return rounded((RATE * slopes) / (bends + SHRINKING));
  const { cuts, bins } = growing.data[cut.column]!;
  const side = (isBelow: boolean) => rows.filter((row) => bins[row]! <= cut.bin === isBelow);
  return [cut.column, cuts[cut.bin]!, grow(growing, side(true), depth - 1), grow(growing, side(false), depth - 1)];
}

const outcome = (tree: Tree, values: readonly number[]): number =>
  typeof tree === "number" ? tree : outcome(values[tree[0]]! <= tree[1] ? tree[2] : tree[3], values);

/** Boosts small trees on the loss of a softmax over the kinds (Friedman 2001). The same rows give the same model. */
export function fitted(features: readonly string[], rows: readonly Row[]): Model {
  const draw = draws(SEED);
  const data = features.map((_, at) => binned(rows.map(({ values }) => values[at]!)));
  const sum = (of: readonly Row[]): number => of.reduce((all, { weight }) => all + weight, 0);
  const kinds = [...Array(1 + Math.max(...rows.map(({ kind }) => kind))).keys()];
  const base = kinds.map((kind) => rounded(Math.log(sum(rows.filter((row) => row.kind === kind)) / sum(rows))));
  const scores = rows.map(() => [...base]);
  const trees: Tree[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const shares = scores.map((each) => {
      const powers = each.map(Math.exp);
      const all = powers.reduce((total, one) => total + one, 0);
      return powers.map((one) => one / all);
    });
    const sample = [...rows.keys()].filter(() => draw() < ROWS);
    const columns = [...features.keys()].filter(() => draw() < COLUMNS);
    const grown = kinds.map((kind) => {
      const slope = Float64Array.from(rows, (row, at) => row.weight * (Number(row.kind === kind) - shares[at]![kind]!));
      const bend = Float64Array.from(rows, (row, at) => row.weight * shares[at]![kind]! * (1 - shares[at]![kind]!));
      return grow({ columns, data, slope, bend }, sample, DEPTH);
    });
    for (const [at, { values }] of rows.entries())
      for (const [kind, tree] of grown.entries()) scores[at]![kind]! += outcome(tree, values);
    trees.push(grown);
  }
  return { features, base, trees };
}
