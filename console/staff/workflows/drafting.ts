import type { Input, ListRow } from "../../api/client.ts";
import { fieldsOf, valuesOf } from "../shared/schema.ts";

export type DraftKind = "agent" | "tool" | "checkpoint" | "wait";
/** A step of a new workflow as it is drafted; its fields are in the form, named `<key>.<field>`. */
export interface DraftStep {
  key: number;
  kind: DraftKind;
  tool: string;
}
type Tool = ListRow<"GET /agents/tools">;
export type NewDefinition = Input<"POST /orchestration/execute">["body"]["definition"];

const MINUTE_MS = 60_000;
/** Known where the workflow runs, and not asked for. */
export const GIVEN_FIELDS: readonly string[] = ["problemSetId", "compartments"];

/**
 * The ids of the steps before each step: those of the step above, or, where a step runs beside the one above, what leads
 * to that one. Steps that run beside each other all lead to the next one.
 */
export function stepsBefore(areBeside: readonly boolean[]): number[][] {
  let group: number[] = [];
  let before: number[] = [];
  return areBeside.map((isBeside, at) => {
    if (at === 0 || !isBeside) [before, group] = [group, []];
    group = [...group, at];
    return before;
  });
}

const MOST_OF_ID = 28;

/** Ids that people recognise in the picture: the first words of each step, numbered where two are the same. */
function idsOf(named: readonly string[]): string[] {
  const ids: string[] = [];
  for (const words of named) {
    const plain = words
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replace(/^[^a-z]+/, "");
    const id = plain.slice(0, MOST_OF_ID).replace(/-$/, "") || "step";
    ids.push(ids.includes(id) ? `${id}-${ids.length + 1}` : id);
  }
  return ids;
}

/** The workflow that the form describes. */
export function definitionFrom(
  steps: readonly DraftStep[],
  fields: Readonly<Record<string, string>>,
  tools: readonly Tool[],
): NewDefinition {
  const field = (key: number, name: string): string => fields[`${key}.${name}`] ?? "";
  const ids = idsOf(
    steps.map(({ key, kind, tool }) => {
      if (kind === "tool") return tool;
      return kind === "wait" ? "pause" : field(key, kind === "agent" ? "task" : "question");
    }),
  );
  const before = stepsBefore(steps.map(({ key }) => field(key, "beside") === "on"));
  const drafted = steps.map((step, at) => ({
    id: ids[at]!,
    after: before[at]!.map((one) => ids[one]!),
    ...partsOf(step, (name) => field(step.key, name), fields, tools),
  }));
  return { name: fields["name"] ?? "", steps: drafted as NewDefinition["steps"] };
}

function partsOf(
  { key, kind, tool: name }: DraftStep,
  field: (name: string) => string,
  fields: Readonly<Record<string, string>>,
  tools: readonly Tool[],
): object {
  switch (kind) {
    case "agent":
      return { kind, agent: field("agent"), task: field("task") };
    case "checkpoint":
      return { kind, question: field("question"), approver: field("approver") };
    case "wait":
      return { kind, ms: Number(field("minutes")) * MINUTE_MS };
    case "tool": {
      const tool = tools.find((one) => one.name === name);
      const asked = tool ? fieldsOf(tool.parameters, GIVEN_FIELDS) : [];
      return { kind, agent: field("agent"), tool: name, arguments: valuesOf(asked, fields, `${key}.input.`) };
    }
  }
}
