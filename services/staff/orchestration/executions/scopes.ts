import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { MOST_ITEMS, type MapStep, type StepDefinition, type Workflow } from "../workflows/definitions.ts";
import { knownGraph, type Graph } from "../workflows/graph.ts";
import { Joins, type Fate } from "../workflows/joins.ts";
import { resolved, type ReferenceScope } from "../workflows/references.ts";
import type { FullStep, WorkflowStep } from "./executions.ts";

/** The compartments of something, and whether it contains foreign text. */
export interface Provenance {
  compartments: readonly string[];
  isTainted: boolean;
}
export const together = (standings: readonly Provenance[]): Provenance => ({
  compartments: unionOfCompartments(standings.map(({ compartments }) => ({ compartments: [...compartments] }))),
  isTainted: standings.some(({ isTainted }) => isTainted),
});

/** The steps of a workflow, or of one item of a map, in their present state. */
export interface WorkflowScope {
  prefix: string;
  graph: Graph;
  joins: Joins;
  values: ReferenceScope;
  /** The provenance of what led to the scope. */
  before: Provenance;
  standings: Map<string, Provenance>;
  parent?: { scope: WorkflowScope; step: MapStep; index: number };
}
/** A map under way: its items, and those that have begun. */
export interface Mapping {
  scope: WorkflowScope;
  step: MapStep;
  items: readonly unknown[];
  children: Map<number, WorkflowScope>;
  results: unknown[];
  done: number;
  next: number;
  standing?: Provenance;
}

/** Bits for items of a map, and for steps of an item: there are never more of them. */
const [ITEM_BITS, STEP_BITS] = [9, 8];
/**
 * A step's position in its run, as a number below 2^25: its map's position, its item and its own. Steps of maps within
 * maps share the position of the outermost item.
 */
export function placeIn(scope: WorkflowScope, id: string): number {
  const own = scope.graph.place.get(id)!;
  if (!scope.parent) return own << (ITEM_BITS + STEP_BITS);
  let outermost = scope.parent;
  while (outermost.scope.parent) outermost = outermost.scope.parent;
  // The map itself comes before the first step of its first item.
  return placeIn(outermost.scope, outermost.step.id) + ((outermost.index << STEP_BITS) | (own + 1));
}

export const pathOf = (scope: WorkflowScope, id: string): string => `${scope.prefix}${id}`;

/** A step's fate, from its record. */
export function fateOf({ status, outcome }: Pick<WorkflowStep, "status" | "outcome">): Fate {
  if (status === "completed") return outcome ?? "done";
  if (status === "failed") return outcome ?? "failed";
  return status === "cancelled" ? "cancelled" : "begun";
}

type Records = ReadonlyMap<string, FullStep>;

function scopeOf(
  steps: readonly StepDefinition[],
  prefix: string,
  records: Records,
  rest: Pick<WorkflowScope, "before" | "values" | "parent">,
): WorkflowScope {
  const graph = knownGraph(steps);
  const fates: [string, Fate][] = [];
  const standings = new Map<string, Provenance>();
  for (const { id } of steps) {
    const record = records.get(`${prefix}${id}`);
    if (!record) continue;
    fates.push([id, fateOf(record)]);
    standings.set(id, record);
    if (record.status === "completed") (rest.values.steps as Record<string, unknown>)[id] = { output: record.output };
  }
  return { prefix, graph, joins: new Joins(graph, fates), standings, ...rest };
}

export const rootScope = ({ steps }: Workflow, input: unknown, before: Provenance, records: Records): WorkflowScope =>
  scopeOf(steps, "", records, { before, values: { input, steps: {} } });

export function itemScope(
  scope: WorkflowScope,
  step: MapStep,
  item: unknown,
  index: number,
  records: Records,
): WorkflowScope {
  const { input, steps } = scope.values;
  return scopeOf(step.steps, `${pathOf(scope, step.id)}[${index}]/`, records, {
    before: beforeOf(scope, step.id),
    values: { input, steps: { ...steps }, item, index },
    parent: { scope, step, index },
  });
}

/** The provenance of an ended step; for a skipped one, that of what led to it. */
function standingOf(scope: WorkflowScope, id: string): Provenance {
  let standing = scope.standings.get(id);
  if (!standing) scope.standings.set(id, (standing = beforeOf(scope, id)));
  return standing;
}
/** The provenance of everything that led to a step. */
export const beforeOf = (scope: WorkflowScope, id: string): Provenance =>
  together([scope.before, ...scope.graph.into.get(id)!.map(({ from }) => standingOf(scope, from))]);

/** Stores a step's output, which others refer to from now on. */
export function setOutput(scope: WorkflowScope, id: string, output: unknown): void {
  (scope.values.steps as Record<string, { output: unknown }>)[id] = { output };
}

const outputOf = (scope: WorkflowScope, id: string): unknown => scope.values.steps[id]?.output;

/** A scope's result: by its template, its end step, or its last steps. Throws Missing. */
export function scopeResult(scope: WorkflowScope, template: unknown): unknown {
  if (template !== undefined) return resolved(template, scope.values);
  const { graph, joins } = scope;
  const ended = graph.order.find((id) => graph.steps.get(id)!.kind === "end" && joins.fate(id) === "done");
  if (ended !== undefined) return outputOf(scope, ended);
  const last = graph.last.filter((id) => outputOf(scope, id) !== undefined);
  return last.length === 1
    ? outputOf(scope, last[0]!)
    : Object.fromEntries(last.map((id) => [id, outputOf(scope, id)]));
}

/** The items of a map. Throws TypeError for a value that is no list, or too long a one. */
export function itemsOf(step: MapStep, values: ReferenceScope): readonly unknown[] {
  const items = resolved(step.over, values);
  if (!Array.isArray(items)) throw new TypeError("What the map goes over is no list.");
  if (items.length > MOST_ITEMS) throw new TypeError(`The list has ${items.length} items; ${MOST_ITEMS} at the most.`);
  return items;
}

/** The last item of a map that has begun, by the records; -1 for none. */
export function lastBegun(path: string, records: Records): number {
  let last = -1;
  for (const one of records.keys())
    if (one.startsWith(`${path}[`)) last = Math.max(last, Number.parseInt(one.slice(path.length + 1), 10));
  return last;
}
