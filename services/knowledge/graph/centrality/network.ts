import type { Steps } from "../../../../core/work/turns.ts";

/** A line between two entities; its weight is strength. */
export interface WeightedEdge {
  source: string;
  target: string;
  weight: number;
}

/** A simple, undirected graph as rows of neighbours; every edge stands in both rows. Bears being sent to a thread. */
export interface Network {
  nodes: number;
  edges: number;
  offsets: Uint32Array;
  neighbours: Uint32Array;
  weights: Float64Array;
}

const STEP = 4_096;

/**
 * Parallel edges become one of their weights' sum; loops, and edges to what is not among the ids, count nothing. Nodes
 * are numbered as the ids stand.
 */
export function* networkOf(ids: readonly string[], edges: Iterable<WeightedEdge>): Steps<Network> {
  const numbers = new Map(ids.map((id, at) => [id, at]));
  const joined = new Map<number, number>();
  let seen = 0;
  for (const { source, target, weight } of edges) {
    if (++seen % STEP === 0) yield;
    const [one, other] = [numbers.get(source), numbers.get(target)];
    if (one === undefined || other === undefined || one === other || !(weight > 0)) continue;
    const key = Math.min(one, other) * ids.length + Math.max(one, other);
    joined.set(key, (joined.get(key) ?? 0) + weight);
  }
  const offsets = new Uint32Array(ids.length + 1);
  const ends = (key: number): [number, number] => [Math.floor(key / ids.length), key % ids.length];
  for (const key of joined.keys()) for (const end of ends(key)) offsets[end + 1]! += 1;
  for (let node = 0; node < ids.length; node += 1) offsets[node + 1]! += offsets[node]!;
  yield;
  const free = offsets.slice();
  const neighbours = new Uint32Array(2 * joined.size);
  const weights = new Float64Array(2 * joined.size);
  for (const [key, weight] of joined) {
    if (++seen % STEP === 0) yield;
    const [one, other] = ends(key);
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const at = free[from]!++;
      neighbours[at] = to;
      weights[at] = weight;
    }
  }
  return { nodes: ids.length, edges: joined.size, offsets, neighbours, weights };
}

/** Which component each node lies in, and how many nodes and edges each has. */
export interface Components {
  of: Uint32Array;
  nodes: number[];
  edges: number[];
}

export function componentsOf({ nodes, offsets, neighbours }: Network): Components {
  const NONE = 0xffffffff;
  const of = new Uint32Array(nodes).fill(NONE);
  const found: Components = { of, nodes: [], edges: [] };
  const queue = new Uint32Array(nodes);
  for (let start = 0; start < nodes; start += 1) {
    if (of[start] !== NONE) continue;
    const component = found.nodes.length;
    let [head, tail, ends] = [0, 1, 0];
    queue[0] = start;
    of[start] = component;
    while (head < tail) {
      const node = queue[head++]!;
      ends += offsets[node + 1]! - offsets[node]!;
      for (let at = offsets[node]!; at < offsets[node + 1]!; at += 1) {
        const next = neighbours[at]!;
        if (of[next] !== NONE) continue;
        of[next] = component;
        queue[tail++] = next;
      }
    }
    found.nodes.push(tail);
    found.edges.push(ends / 2);
  }
  return found;
}
