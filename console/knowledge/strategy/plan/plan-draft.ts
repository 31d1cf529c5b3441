import type { Data, Input } from "../../../api/client.ts";

export type ObjectivePlan = Data<"GET /strategic/objectives/{id}/operationalize">;
type SentPlan = NonNullable<Input<"POST /strategic/objectives/{id}/operationalize">["body"]>;

/** A row of a plan as a form has it: everything is text, and what is emptied is left out. */
export type PlanRow = Readonly<Record<string, string>>;
export const PLAN_PARTS = ["linesOfEffort", "tasks", "measures", "resources"] as const;
export type PlanPart = (typeof PLAN_PARTS)[number];
export type PlanDraft = Readonly<Record<PlanPart, readonly PlanRow[]>>;

export const EMPTY_PLAN: PlanDraft = { linesOfEffort: [], tasks: [], measures: [], resources: [] };

/** Signs by which tasks name one another, and what they take: L1, T1, R1, as the platform gives them itself. */
const SIGNS: Readonly<Record<PlanPart, string>> = { linesOfEffort: "L", tasks: "T", measures: "M", resources: "R" };

/** A new row, under a sign that none has. */
export function newRow(part: PlanPart, rows: readonly PlanRow[]): PlanRow {
  const numbers = rows.map(({ key = "" }) => Number(/^[A-Z](\d+)$/.exec(key)?.[1] ?? 0));
  return { key: `${SIGNS[part]}${Math.max(0, ...numbers) + 1}` };
}

const text = (value: unknown): string =>
  Array.isArray(value) ? value.join(", ") : value === undefined ? "" : String(value);
const rowOf = (fields: object): PlanRow =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]));

/** A plan as the form begins with it. */
export const draftOf = ({ linesOfEffort, tasks, measures, resources }: ObjectivePlan): PlanDraft => ({
  linesOfEffort: linesOfEffort.map(rowOf),
  tasks: tasks.map(({ key, name, lineOfEffort, days, dependsOn, resources: needed }) =>
    rowOf({ key, name, lineOfEffort, days, dependsOn, resources: needed }),
  ),
  measures: measures.map((measure, at) => rowOf({ key: `M${at + 1}`, ...measure })),
  resources: resources.map(({ key, name, quantity }) => rowOf({ key, name, quantity })),
});

const signsIn = (row: PlanRow, name: string): string[] => (row[name] ?? "").split(/[\s,;]+/).filter(Boolean);
const said = (row: PlanRow, ...names: string[]): object =>
  Object.fromEntries(names.flatMap((name) => (row[name]?.trim() ? [[name, row[name]!.trim()]] : [])));
const figures = (row: PlanRow, ...names: string[]): object =>
  Object.fromEntries(names.flatMap((name) => (row[name]?.trim() ? [[name, Number(row[name])]] : [])));

/** What a form says of a plan, as the API takes it; what is lacking it says itself, at the field. */
export const planOf = ({ linesOfEffort, tasks, measures, resources }: PlanDraft): SentPlan =>
  ({
    linesOfEffort: linesOfEffort.map((row) => said(row, "key", "name", "description")),
    tasks: tasks.map((row) => ({
      ...said(row, "key", "name", "lineOfEffort"),
      ...figures(row, "days"),
      ...{ dependsOn: signsIn(row, "dependsOn"), resources: signsIn(row, "resources") },
    })),
    measures: measures.map((row) => ({
      ...said(row, "indicator", "unit", "dueAt", "lineOfEffort"),
      ...figures(row, "baseline", "target"),
    })),
    resources: resources.map((row) => ({ ...said(row, "key", "name"), ...figures(row, "quantity") })),
  }) as SentPlan;
