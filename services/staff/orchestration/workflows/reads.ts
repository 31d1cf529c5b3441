import type { PlannedUse } from "../../agents/client.ts";
import { placedIn, valuesOf, type Placed } from "./checking.ts";
import { checkCondition } from "./conditions.ts";
import type { Workflow } from "./definitions.ts";
import { isReference, pointerOf, referencesIn } from "./references.ts";

type Reads = NonNullable<PlannedUse["reads"]>;

/** A value that is referred to, by its path in the scope; `map`: the one that contains the reference. */
interface Spoken {
  path: string;
  parts: readonly string[];
  map: Placed | undefined;
}

const referred = (value: unknown, at: string, map: Placed | undefined): Spoken[] =>
  referencesIn(value, at).map(({ path, reference }) => ({ path, parts: pointerOf(reference.$ref) ?? [], map }));

/** A path that begins with a map's item, as a path into the map's list; others unchanged. */
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

/** The step that an id means within a map: one beside it, or else one further out. */
function stepBy(id: string, map: Placed | undefined, all: readonly Placed[]): Placed | undefined {
  const found = all.find((one) => one.map === map && one.step.id === id);
  return found ?? (map && stepBy(id, map.map, all));
}

/** Which parts of steps' outputs are read, and where. */
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

/** A workflow's uses of agents, for their domain to check. */
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
    // Where it fails, a default value of any shape replaces its answer.
    const read = step.onError === "default" ? undefined : reads.get(placed);
    return [{ ...use, tool: step.tool, arguments: step.arguments, ...(read && { reads: read }) }];
  });
};
