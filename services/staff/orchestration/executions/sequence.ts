import type { StepDefinition } from "../workflows/definitions.ts";
import { knownGraph } from "../workflows/graph.ts";
import { definitionOf, type Execution, type FullStep } from "./executions.ts";

/** A step's position: its place among the steps of each surrounding scope, and the items between. */
function placeOf(steps: readonly StepDefinition[], path: string): number[] {
  const end = path.indexOf("/");
  const [id, item] = (end < 0 ? path : path.slice(0, end)).split(/[[\]]/) as [string, string?];
  const { place, steps: known } = knownGraph(steps);
  const step = known.get(id);
  const within = end >= 0 && step?.kind === "map" ? [Number(item), ...placeOf(step.steps, path.slice(end + 1))] : [];
  return [place.get(id) ?? -1, ...within];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((place, n) => place !== other[n]);
  return at < 0 ? one.length - other.length : one[at]! - (other[at] ?? -1);
}

/** Steps of a run in the order in which they began; at the same moment, in workflow order. */
export function inOrder(execution: Execution, steps: readonly FullStep[]): FullStep[] {
  const definition = definitionOf(execution);
  const places = new Map(steps.map(({ path }) => [path, placeOf(definition.steps, path)]));
  return steps.toSorted((one, other) =>
    one.startedAt === other.startedAt
      ? compare(places.get(one.path)!, places.get(other.path)!)
      : one.startedAt < other.startedAt
        ? -1
        : 1,
  );
}
