import type { TopologyEdge, Graph } from "./graph.ts";

type Ways = Map<string, { to: string; edge: TopologyEdge }[]>;

function waysOf({ nodes, edges }: Graph): Ways {
  const ways: Ways = new Map(nodes.map(({ id }) => [id, []]));
  for (const edge of edges) {
    ways.get(edge.from)!.push({ to: edge.to, edge });
    ways.get(edge.to)!.push({ to: edge.from, edge });
  }
  return ways;
}

interface Reached {
  id: string;
  cost: number;
}
const isBefore = (one: Reached, other: Reached): boolean =>
  one.cost < other.cost || (one.cost === other.cost && one.id < other.id);

/** A binary heap, the cheapest first, of those that cost the same the least id. */
class Queue {
  readonly #heap: Reached[] = [];

  push(one: Reached): void {
    const heap = this.#heap;
    let at = heap.push(one) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[above]!)) break;
      [heap[at], heap[above]] = [heap[above]!, heap[at]!];
      at = above;
    }
  }

  pop(): Reached | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || heap.length === 0) return first;
    heap[0] = last!;
    for (let at = 0; ;) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < heap.length && isBefore(heap[below]!, heap[least]!)) least = below;
      if (least === at) return first;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }
}

export interface Path {
  nodes: string[];
  edges: TopologyEdge[];
  cost: number;
}

/**
 * The cheapest way from one node to another (Dijkstra); of several the one whose nodes before have lesser ids, so that
 * it is the same each time. From a node to itself: no step. Undefined where there is none, or no such node.
 */
export function shortestPath(graph: Graph, from: string, to: string): Path | undefined {
  const ways = waysOf(graph);
  if (!ways.has(from) || !ways.has(to)) return undefined;
  const costs = new Map([[from, 0]]);
  const came = new Map<string, { from: string; edge: TopologyEdge }>();
  const done = new Set<string>();
  const queue = new Queue();
  queue.push({ id: from, cost: 0 });
  for (let next = queue.pop(); next && next.id !== to; next = queue.pop()) {
    const { id, cost } = next;
    if (done.has(id)) continue;
    done.add(id);
    for (const { to: other, edge } of ways.get(id)!) {
      if (done.has(other)) continue;
      const known = costs.get(other) ?? Infinity;
      const sum = cost + edge.cost;
      if (sum > known || (sum === known && came.get(other)!.from <= id)) continue;
      costs.set(other, sum);
      came.set(other, { from: id, edge });
      if (sum < known) queue.push({ id: other, cost: sum });
    }
  }
  const cost = costs.get(to);
  if (cost === undefined) return undefined;
  const nodes = [to];
  const edges: TopologyEdge[] = [];
  for (let step = came.get(to); step && nodes[0] !== from; step = came.get(step.from)) {
    nodes.unshift(step.from);
    edges.unshift(step.edge);
  }
  return { nodes, edges, cost };
}

export interface TopologyFigures {
  nodes: number;
  edges: number;
  oneSided: number;
  manual: number;
  isolated: number;
  components: number;
  largestComponent: number;
  meanDegree: number;
  maxDegree: number;
  byEvidence: Record<string, number>;
}

/** Figures about a graph. */
export function topologyFigures(graph: Graph): TopologyFigures {
  const ways = waysOf(graph);
  const degrees = [...ways.values()].map(({ length }) => length);
  const sizes: number[] = [];
  const seen = new Set<string>();
  for (const { id } of graph.nodes) {
    if (seen.has(id)) continue;
    seen.add(id);
    const part = [id];
    for (const one of part) for (const { to } of ways.get(one)!) if (!seen.has(to)) part.push((seen.add(to), to));
    sizes.push(part.length);
  }
  const byEvidence: Record<string, number> = {};
  for (const { evidence } of graph.edges) for (const one of evidence) byEvidence[one] = (byEvidence[one] ?? 0) + 1;
  return {
    nodes: graph.nodes.length,
    edges: graph.edges.length,
    oneSided: graph.edges.filter(({ isOneSided }) => isOneSided).length,
    manual: graph.edges.filter(({ isManual }) => isManual).length,
    isolated: degrees.filter((degree) => degree === 0).length,
    components: sizes.length,
    largestComponent: Math.max(0, ...sizes),
    meanDegree: graph.nodes.length ? (2 * graph.edges.length) / graph.nodes.length : 0,
    maxDegree: degrees.reduce((one, other) => Math.max(one, other), 0),
    byEvidence,
  };
}
