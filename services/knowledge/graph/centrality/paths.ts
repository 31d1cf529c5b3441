import type { Steps } from "../../../../core/work/turns.ts";
import { componentsOf, type Components, type Network } from "./network.ts";
import { searchOf } from "./searches.ts";

/** Nodes times edges up to which every node is a source; beyond, some are, drawn at random. */
export const EXACT_COST = 6e8;
const FEWEST_SOURCES = 64;
/** Quantile of the normal distribution: 95 of 100 intervals hold the true value. */
const QUANTILE = 1.96;
/** What never happened in k draws happens in fewer than 3/k of all, 95 of 100 times. */
const RULE_OF_THREE = 3;

/** A measure of every node; sampled, with the bounds that it lies within, 95 of 100 times. */
export interface NodeMeasure {
  values: Float64Array;
  low?: Float64Array;
  high?: Float64Array;
}

export interface PathMeasures {
  betweenness: NodeMeasure;
  closeness: NodeMeasure;
  /** How many sources the paths went from. */
  sources: number;
  exact: boolean;
}

/** Numbers below 1 that are the same in every run (Mulberry32). */
function* draws(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ;) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

/** From which nodes of each component paths are sought: of all, or of a share of each. */
function sourcesOf({ of, nodes, edges }: Components, exactCost: number): number[][] {
  const members = nodes.map((): number[] => []);
  of.forEach((component, node) => members[component]!.push(node));
  const cost = nodes.reduce((sum, count, component) => sum + count * edges[component]!, 0);
  if (cost <= exactCost) return members;
  const random = draws(members.length);
  return members.map((inside) => {
    const wanted = Math.min(inside.length, Math.max(FEWEST_SOURCES, Math.ceil((inside.length * exactCost) / cost)));
    for (let at = 0; at < wanted && wanted < inside.length; at += 1) {
      const other = at + Math.floor(random.next().value * (inside.length - at));
      [inside[at], inside[other]] = [inside[other]!, inside[at]!];
    }
    return inside.slice(0, wanted);
  });
}

/** Sums over the sources of a component, of which mean and spread are told. */
class Sums {
  readonly first: Float64Array;
  readonly second: Float64Array;
  constructor(size: number) {
    this.first = new Float64Array(size);
    this.second = new Float64Array(size);
  }
  /** Half the width of the interval of the mean over `drawn` of `all`. */
  halfWidth(node: number, drawn: number, all: number): number {
    if (drawn < 2 || drawn >= all) return drawn >= all ? 0 : Infinity;
    const mean = this.first[node]! / drawn;
    const variance = Math.max(0, this.second[node]! / drawn - mean * mean) * (drawn / (drawn - 1));
    return QUANTILE * Math.sqrt((variance / drawn) * ((all - drawn) / (all - 1)));
  }
}

const bounded = (nodes: number, isExact: boolean): NodeMeasure => ({
  values: new Float64Array(nodes),
  ...(!isExact && { low: new Float64Array(nodes), high: new Float64Array(nodes) }),
});

function setBounds({ low, high }: NodeMeasure, node: number, bounds: readonly [number, number]): void {
  if (low) low[node] = bounds[0];
  if (high) high[node] = bounds[1];
}

/**
 * Betweenness (Brandes, normalised by the pairs of others) and closeness (Wasserman and Faust: by the share of all that
 * is reached), from the same searches. A step yields after each source.
 */
export function* pathMeasures(network: Network, weighted: boolean, exactCost = EXACT_COST): Steps<PathMeasures> {
  const { nodes, offsets } = network;
  const components = componentsOf(network);
  const drawn = sourcesOf(components, exactCost);
  const sources = drawn.reduce((sum, { length }) => sum + length, 0);
  const exact = sources === nodes;
  const [between, far] = [new Sums(nodes), new Sums(nodes)];
  const search = searchOf(network, weighted);
  const { distances, order } = search;
  for (const source of drawn.flat()) {
    const reached = search.from(source);
    const shares = search.dependencies();
    for (let place = 1; place < reached; place += 1) {
      const node = order[place]!;
      between.first[node]! += shares[node]!;
      far.first[node]! += distances[node]!;
    }
    // How far the draws spread is asked of samples only.
    for (let place = exact ? reached : 1; place < reached; place += 1) {
      const node = order[place]!;
      between.second[node]! += shares[node]! ** 2;
      far.second[node]! += distances[node]! ** 2;
    }
    yield;
  }
  const isSource = new Uint8Array(nodes);
  for (const source of drawn.flat()) isSource[source] = 1;
  const [betweenness, closeness] = [bounded(nodes, exact), bounded(nodes, exact)];
  const pairs = (nodes - 1) * (nodes - 2);
  for (let node = 0; node < nodes; node += 1) {
    const component = components.of[node]!;
    const [size, count] = [components.nodes[component]!, drawn[component]!.length];
    if (size < 2) continue;
    if (nodes > 2) {
      const scale = size / pairs;
      const value = (between.first[node]! / count) * scale;
      const half = between.halfWidth(node, count, size) * scale;
      betweenness.values[node] = value;
      // A leaf lies between nobody. Of others few sources have most: what was not drawn may be as much as all paths.
      const isBetween = count < size && offsets[node + 1]! - offsets[node]! > 1;
      const unseen = isBetween ? (RULE_OF_THREE / count) * (1 - count / size) * (size - 2) * scale : 0;
      setBounds(betweenness, node, [Math.max(0, value - half), Math.min(1, value + half + unseen)]);
    }
    // Nobody is far from itself: a node that is a source has one draw fewer.
    const others = count - isSource[node]!;
    const mean = others ? far.first[node]! / others : Infinity;
    const share = (size - 1) / (nodes - 1);
    const half = far.halfWidth(node, others, size - 1);
    closeness.values[node] = share / mean;
    setBounds(closeness, node, [share / (mean + half), share / Math.max(mean - half, 1e-12)]);
  }
  return { betweenness, closeness, sources, exact };
}
