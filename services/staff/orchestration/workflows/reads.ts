import type { PlannedUse } from "../../agents/client.ts";
import { placedIn, valuesOf, type Placed } from "./checking.ts";
import { checkCondition } from "./conditions.ts";
import type { Workflow } from "./definitions.ts";
import { isReference, pointerOf, referencesIn } from "./references.ts";

type Reads = NonNullable<PlannedUse["reads"]>;

/** Something that is spoken of, from a root of the scope on; `map`: the one in which that is done. */
interface Spoken {
  path: string;
  parts: readonly string[];
  map: Placed | undefined;
}

const referred = (value: unknown, at: string, map: Placed | undefined): Spoken[] =>
  referencesIn(value, at).map(({ path, reference }) => ({ path, parts: pointerOf(reference.$ref) ?? [], map }));

/** What begins with the item of a map, as a path into what the map goes over; the rest as it is. */
function unfolded(spoken: Spoken): Spoken {
  const { parts, map } = spoken;
  if (parts[0] !== "item" || map?.step.kind !== "map" || !isReference(map.step.over)) return spoken;
  const over = [...(pointerOf(map.step.over.$ref) ?? []), "0", ...parts.slice(1)];
  return unfolded({ ...spoken, parts: over, map: map.map });
}

function spokenBy(placed: Placed): Spoken[] {
  const { step, path, map } = placed;
  return [
    ...Object.entries(valuesOf(step)).flatMap(([field, value]) => referred(value, `${path}.${field}`, map)),
    ...(step.kind === "condition"
      ? checkCondition(step.if).paths.map((parts) => ({ path: `${path}.if`, parts, map }))
      : []),
    ...(step.kind === "map" ? referred(step.output, `${path}.output`, placed) : []),
  ];
}

/** The step that an id stands for within a map: one beside it, or else one further out. */
function stepBy(id: string, map: Placed | undefined, all: readonly Placed[]): Placed | undefined {
  const found = all.find((one) => one.map === map && one.step.id === id);
  return found ?? (map && stepBy(id, map.map, all));
}

/** What is read of the outputs of steps: the parts behind `output`, and where each stands. */
function readsOf({ output }: Workflow, path: string, all: readonly Placed[]): ReadonlyMap<Placed, Reads> {
  const reads = new Map<Placed, Reads>();
  for (const spoken of [...all.flatMap(spokenBy), ...referred(output, `${path}.output`, undefined)]) {
    const { map, parts: spelt } = unfolded(spoken);
    const [root, id, , ...parts] = spelt;
    const step = root === "steps" && id !== undefined && parts.length ? stepBy(id, map, all) : undefined;
    if (step) reads.set(step, [...(reads.get(step) ?? []), { path: spoken.path, parts }]);
  }
  return reads;
}

/** What a workflow wants of agents, for them to say what would not do. */
export const usesOf = (
  workflow: Workflow,
  path: string,
  delegations: Readonly<Record<string, string>>,
): PlannedUse[] => {
  const all = placedIn(workflow.steps, `${path}.steps`);
  const reads = readsOf(workflow, path, all);
  return all.flatMap((placed) => {
    const { step, path: at } = placed;
    if (step.kind !== "tool" && step.kind !== "agent") return [];
    const use = { path: at, agentId: step.agent, delegationId: delegations[step.agent] };
    if (step.kind === "agent") return [use];
    // Where it fails its default stands in place of an answer, of whatever shape.
    const read = step.onError === "default" ? undefined : reads.get(placed);
    return [{ ...use, tool: step.tool, arguments: step.arguments, ...(read && { reads: read }) }];
  });
};
