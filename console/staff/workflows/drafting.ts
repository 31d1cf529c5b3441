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

const idOf = (at: number): string => `step-${at + 1}`;

/** The workflow that the form describes. */
export function definitionFrom(
  steps: readonly DraftStep[],
  fields: Readonly<Record<string, string>>,
  tools: readonly Tool[],
): NewDefinition {
  const before = stepsBefore(steps.map(({ key }) => fields[`${key}.beside`] === "on"));
  const drafted = steps.map((step, at) => ({
    id: idOf(at),
    after: before[at]!.map(idOf),
    ...partsOf(step, (name) => fields[`${step.key}.${name}`] ?? "", fields, tools),
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
