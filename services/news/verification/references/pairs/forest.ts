import { once } from "../../../../../core/once.ts";

/** A feature's index, its threshold, and the subtrees at most and above that; a leaf is a number. */
export type Tree = number | readonly [feature: number, most: number, below: Tree, above: Tree];

/** Trees whose sums give the likelihood of each relation of two sentences (Friedman 2001). */
export interface Model {
  features: readonly string[];
  base: readonly number[];
  /** In rounds, one tree for each of the four relations. */
  trees: readonly (readonly Tree[])[];
}

const depthOf = (tree: Tree): number =>
  typeof tree === "number" ? 0 : 1 + Math.max(depthOf(tree[2]), depthOf(tree[3]));

/**
 * The trees of one relation, each filled up to one depth, its nodes level by level: of node n the next ones are 2n + 1,
 * for at most its threshold, and 2n + 2. So a tree is walked without asking whether an end is reached.
 */
class Forest {
  readonly #depth: number;
  readonly #count: number;
  readonly #feature: Uint16Array;
  readonly #most: Float64Array;
  readonly #leaves: Float64Array;

  constructor(trees: readonly Tree[]) {
    this.#depth = Math.max(0, ...trees.map(depthOf));
    this.#count = trees.length;
    const leaves = 1 << this.#depth;
    const nodes = leaves - 1;
    this.#feature = new Uint16Array(nodes * trees.length);
    this.#most = new Float64Array(nodes * trees.length);
    this.#leaves = new Float64Array(leaves * trees.length);
    for (const [at, tree] of trees.entries()) this.#place(tree, at, 0, nodes);
  }

  #place(tree: Tree, at: number, node: number, nodes: number): void {
    if (node >= nodes) {
      this.#leaves[at * (nodes + 1) + node - nodes] = tree as number;
      return;
    }
    const [feature, most, below, above] = typeof tree === "number" ? [0, 0, tree, tree] : tree;
    this.#feature[at * nodes + node] = feature;
    this.#most[at * nodes + node] = most;
    this.#place(below, at, 2 * node + 1, nodes);
    this.#place(above, at, 2 * node + 2, nodes);
  }

  /** What all trees make of values, and of what it starts from. */
  sum(values: Float64Array, start: number): number {
    const [depth, feature, most, leaves] = [this.#depth, this.#feature, this.#most, this.#leaves];
    const nodes = (1 << depth) - 1;
    let sum = start;
    for (let at = 0, first = 0; at < this.#count; at++, first += nodes) {
      let node = 0;
      for (let level = depth; level > 0; level--)
        node = 2 * node + (values[feature[first + node]!]! <= most[first + node]! ? 1 : 2);
      sum += leaves[first + at + node - nodes]!;
    }
    return sum;
  }
}

const forestsOf = once(({ base, trees }: Model) =>
  base.map((_, kind) => new Forest(trees.map((round) => round[kind]!))),
);

/** For each relation the sum of its trees: the logarithm of its odds. Every feature of the model must be given. */
export function sumsOf(model: Model, given: Readonly<Record<string, number>>): number[] {
  const values = new Float64Array(model.features.length);
  for (let at = 0; at < values.length; at++) values[at] = given[model.features[at]!]!;
  return forestsOf(model).map((forest, kind) => forest.sum(values, model.base[kind]!));
}
