import type { RelationSeen } from "../vocabulary.ts";
import { neighbours } from "../picture/choosing.ts";

/** The entities of a shortest way from one to another, both included; undefined where there is none. */
export function shortestWay(edges: readonly RelationSeen[], from: string, to: string): string[] | undefined {
  const around = neighbours(edges);
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const here of before.keys()) {
    if (here === to) break;
    for (const next of around.get(here) ?? []) if (!before.has(next)) before.set(next, here);
  }
  if (!before.has(to)) return undefined;
  const way: string[] = [];
  for (let at: string | undefined = to; at !== undefined; at = before.get(at)) way.unshift(at);
  return way;
}

/** The relations between entities that follow one another on a way, step by step. */
export const stepsOf = (edges: readonly RelationSeen[], way: readonly string[]): RelationSeen[][] =>
  way
    .slice(1)
    .map((to, at) =>
      edges.filter((edge) => (edge.from === way[at] && edge.to === to) || (edge.to === way[at] && edge.from === to)),
    );
