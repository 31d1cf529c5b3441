import { edgesOf, type In, type StepDefinition } from "./definitions.ts";

/** Steps of one scope (a workflow, or an item of a map), in an order in which each comes after all that lead to it. */
export interface Graph {
  steps: ReadonlyMap<string, StepDefinition>;
  order: readonly string[];
  /** The position of each in that order. */
  place: ReadonlyMap<string, number>;
  into: ReadonlyMap<string, readonly In[]>;
  outOf: ReadonlyMap<string, readonly string[]>;
  /** All steps before a step, at any distance. */
  upstream: ReadonlyMap<string, ReadonlySet<string>>;
  /** The most steps between a step and the beginning. */
  level: ReadonlyMap<string, number>;
  /** Steps without an edge out of them. */
  last: readonly string[];
  /** Steps on a cycle, or after one: they have no order. */
  cyclic: readonly string[];
}

/** Edges from unknown steps are ignored: a checked workflow has none. */
export function workflowGraph(definitions: readonly StepDefinition[]): Graph {
  const steps = new Map(definitions.map((step) => [step.id, step]));
  const into = new Map(
    [...steps.values()].map((step) => [step.id, edgesOf(step).filter(({ from }) => steps.has(from))] as const),
  );
  const outOf = new Map([...steps.keys()].map((id) => [id, [] as string[]]));
  for (const [id, edges] of into) for (const { from } of edges) outOf.get(from)!.push(id);
  const open = new Map([...into].map(([id, edges]) => [id, edges.length]));
  const order = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  const level = new Map<string, number>();
  for (let at = 0; at < order.length; at++) {
    const id = order[at]!;
    const froms = into.get(id)!.map(({ from }) => from);
    level.set(id, Math.max(-1, ...froms.map((from) => level.get(from)!)) + 1);
    for (const next of outOf.get(id)!) {
      open.set(next, open.get(next)! - 1);
      if (open.get(next) === 0) order.push(next);
    }
  }
  const last = [...outOf].filter(([, next]) => next.length === 0).map(([id]) => id);
  const cyclic = [...steps.keys()].filter((id) => !level.has(id));
  let upstream: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  return {
    steps,
    order,
    place: new Map(order.map((id, at) => [id, at])),
    into,
    outOf,
    level,
    last,
    cyclic,
    // Computed on demand: it grows with the square of the steps, and driving a run does not need it.
    get upstream() {
      return (upstream ??= upstreamOf(order, into));
    },
  };
}

function upstreamOf(order: readonly string[], into: Graph["into"]): Map<string, ReadonlySet<string>> {
  const upstream = new Map<string, ReadonlySet<string>>();
  for (const id of order) {
    const all = new Set<string>();
    for (const { from } of into.get(id)!) {
      all.add(from);
      for (const one of upstream.get(from)!) all.add(one);
    }
    upstream.set(id, all);
  }
  return upstream;
}

const graphs = new WeakMap<readonly StepDefinition[], Graph>();
/** The same, computed once for the same steps. */
export function knownGraph(steps: readonly StepDefinition[]): Graph {
  let graph = graphs.get(steps);
  if (!graph) graphs.set(steps, (graph = workflowGraph(steps)));
  return graph;
}
