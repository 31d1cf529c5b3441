import type { Detail } from "../../../../core/problem.ts";
import { checkCondition } from "./conditions.ts";
import {
  edgesOf,
  MOST_BYTES,
  MOST_ITEMS,
  MOST_STEPS,
  type MapStep,
  type StepDefinition,
  type Workflow,
} from "./definitions.ts";
import { workflowGraph, type Graph } from "./graph.ts";
import { Missing, pointerOf, referencesIn, resolved, type FoundReference } from "./references.ts";

/** The surroundings of steps: what they may refer to beside the steps before them. */
interface Around {
  /** Steps outside the map, all of which have ended. */
  outer: ReadonlySet<string>;
  isItem: boolean;
}
export interface Placed {
  step: StepDefinition;
  path: string;
  /** The map that contains it. */
  map?: Placed | undefined;
}

/** Every step of a workflow, including those within maps, with its position. */
export function placedIn(steps: readonly StepDefinition[], path: string, map?: Placed): Placed[] {
  return steps.flatMap((step, at) => {
    const here = { step, path: `${path}.${at}`, map };
    return [here, ...(step.kind === "map" ? placedIn(step.steps, `${here.path}.steps`, here) : [])];
  });
}

const OUTCOMES_OF = (step: StepDefinition): readonly string[] => [
  ...(step.kind === "condition" ? ["then", "else"] : step.kind === "end" ? [] : ["done"]),
  ...(step.onError === "branch" ? ["error"] : []),
];

/** A step's input values, by field. */
export const valuesOf = (step: StepDefinition): Record<string, unknown> => {
  if (step.kind === "tool" || step.kind === "checkpoint") return { arguments: step.arguments };
  if (step.kind === "agent" || step.kind === "round") return { input: step.input };
  if (step.kind === "map") return { over: step.over };
  return step.kind === "end" ? { output: step.output } : {};
};

/** Whether a step may be referred to. */
type Known = (id: string) => boolean;

function referenceFaults({ path, reference }: FoundReference, isKnown: Known, isItem: boolean): Detail[] {
  const fault = (message: string): Detail[] => [{ path, message }];
  const others = Object.keys(reference).filter((key) => key !== "$ref" && key !== "default");
  if (others.length) return fault(`A reference has $ref and default alone, not ${others.join(", ")}.`);
  const [root, id, field] = pointerOf(reference.$ref) ?? [];
  if (root === "input") return [];
  if ((root === "item" || root === "index") && isItem) return [];
  if (root !== "steps" || id === undefined)
    return fault('A reference begins with "/input", "/steps/<id>/output", or in a map with "/item" or "/index".');
  if (!isKnown(id)) return fault(`The step ${id} does not lead here.`);
  return field === "output" ? [] : fault(`Of a step "/steps/${id}/output" is referred to.`);
}

function stepFaults({ step, path }: Placed, graph: Graph, { outer, isItem }: Around): Detail[] {
  const isKnown: Known = (id) => outer.has(id) || (graph.upstream.get(step.id)?.has(id) ?? false);
  const edges = edgesOf(step).flatMap(({ from, on }, at): Detail[] => {
    const source = graph.steps.get(from);
    if (!source) return [{ path: `${path}.after.${at}`, message: `There is no step ${from} here.` }];
    const outcomes = OUTCOMES_OF(source);
    return outcomes.includes(on)
      ? []
      : [
          {
            path: `${path}.after.${at}`,
            message: `${from} leads on by ${outcomes.join(", ") || "nothing"}, not by ${on}.`,
          },
        ];
  });
  const references = Object.entries(valuesOf(step))
    .flatMap(([field, value]) => referencesIn(value, `${path}.${field}`))
    .flatMap((found) => referenceFaults(found, isKnown, isItem));
  const condition = step.kind === "condition" ? checkCondition(step.if) : { faults: [], steps: [], paths: [] };
  const strangers = condition.steps.filter((id) => !isKnown(id)).map((id) => `The step ${id} does not lead here.`);
  const lost = isItem ? [] : condition.paths.filter(([root]) => root === "item" || root === "index");
  if (lost.length) strangers.push(`There is no ${lost[0]![0]} outside of a map.`);
  const isVain = step.onError !== "default" && step.default !== undefined;
  return [
    ...edges,
    ...references,
    ...[...condition.faults, ...strangers].map((message) => ({ path: `${path}.if`, message })),
    ...(step.onError === "default" && step.default === undefined
      ? [{ path: `${path}.default`, message: "`onError: default` wants one." }]
      : []),
    ...(isVain ? [{ path: `${path}.default`, message: "It is used with `onError: default` alone." }] : []),
    ...(step.kind === "map"
      ? mapFaults(step, path, { outer: new Set([...outer, ...(graph.upstream.get(step.id) ?? [])]), isItem })
      : []),
  ];
}

function mapFaults(step: MapStep, path: string, { outer }: Around): Detail[] {
  const known = new Set([...outer, ...step.steps.map(({ id }) => id)]);
  const isTooLong = Array.isArray(step.over) && step.over.length > MOST_ITEMS;
  const isList =
    Array.isArray(step.over) || (step.over !== null && typeof step.over === "object" && "$ref" in step.over);
  const hidden = step.steps.filter(({ id }) => outer.has(id));
  return [
    ...(isTooLong ? [{ path: `${path}.over`, message: `A map goes over ${MOST_ITEMS} items at the most.` }] : []),
    ...(isList ? [] : [{ path: `${path}.over`, message: "A list, or a reference to one." }]),
    ...hidden.map(({ id }) => ({ path: `${path}.steps`, message: `There is a step ${id} outside already.` })),
    ...scopeFaults(step.steps, `${path}.steps`, { outer, isItem: true }),
    ...referencesIn(step.output, `${path}.output`).flatMap((found) =>
      referenceFaults(found, (id) => known.has(id), true),
    ),
  ];
}

function scopeFaults(steps: readonly StepDefinition[], path: string, around: Around): Detail[] {
  const graph = workflowGraph(steps);
  const twice = steps.flatMap(({ id }, at) =>
    steps.findIndex((one) => one.id === id) < at
      ? [{ path: `${path}.${at}.id`, message: `There is another step ${id}.` }]
      : [],
  );
  const cyclic = steps.flatMap(({ id }, at) =>
    graph.cyclic.includes(id)
      ? [{ path: `${path}.${at}.after`, message: `${id} waits for itself, or behind a cycle.` }]
      : [],
  );
  const unreached = graph.order.length
    ? []
    : [{ path, message: "No step is without another before it: none would begin." }];
  return [
    ...twice,
    ...cyclic,
    ...(cyclic.length ? [] : unreached),
    ...unreachable(graph, steps, path),
    ...steps.flatMap((step, at) => stepFaults({ step, path: `${path}.${at}` }, graph, around)),
  ];
}

/** Steps that can never run; one that waits for both sides of a condition still runs after either. */
function unreachable(graph: Graph, steps: readonly StepDefinition[], path: string): Detail[] {
  const reached = new Set<string>();
  for (const id of graph.order) {
    const edges = graph.into.get(id)!;
    const declared = edgesOf(graph.steps.get(id)!).length;
    const isLed = edges.some(({ from, on }) => reached.has(from) && OUTCOMES_OF(graph.steps.get(from)!).includes(on));
    if (declared === 0 || isLed) reached.add(id);
  }
  return steps.flatMap(({ id }, at) =>
    reached.has(id) || graph.cyclic.includes(id) ? [] : [{ path: `${path}.${at}`, message: `Nothing leads to ${id}.` }],
  );
}

/** All faults of a workflow by itself, each with its path. */
export function faultsOf(workflow: Workflow, path: string): Detail[] {
  const { steps, output } = workflow;
  const count = placedIn(steps, path).length;
  const all = new Set(steps.map(({ id }) => id));
  return [
    ...(count > MOST_STEPS
      ? [{ path: `${path}.steps`, message: `There are ${count} steps; ${MOST_STEPS} at the most.` }]
      : []),
    ...(JSON.stringify(workflow).length > MOST_BYTES ? [{ path, message: "At most 256 KiB as JSON." }] : []),
    ...scopeFaults(steps, `${path}.steps`, { outer: new Set(), isItem: false }),
    ...referencesIn(output, `${path}.output`).flatMap((found) => referenceFaults(found, (id) => all.has(id), false)),
  ];
}

/** References to fields that the input, known by now, lacks. A step that handles its failures may have them. */
export function missingInput(workflow: Workflow, input: unknown, path: string): Detail[] {
  const values = placedIn(workflow.steps, `${path}.steps`)
    .filter(({ step }) => step.onError === "fail")
    .flatMap(({ step, path: at }) =>
      Object.entries(valuesOf(step)).flatMap(([field, value]) => referencesIn(value, `${at}.${field}`)),
    );
  return [...values, ...referencesIn(workflow.output, `${path}.output`)].flatMap(({ path: at, reference }) => {
    if (pointerOf(reference.$ref)?.[0] !== "input") return [];
    try {
      resolved(reference, { input, steps: {} });
      return [];
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      return [{ path: at, message: error.message }];
    }
  });
}
