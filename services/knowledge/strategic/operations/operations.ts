import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { invalid, unprocessable, type Detail } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { Measure, METHODS } from "../objectives/objectives.ts";
import { cycleIn, schedule } from "./network.ts";

/** The longest that a task takes, in days. */
export const MOST_DAYS = 10_000;
const Key = z.string().regex(/^[A-Za-z0-9][\w.-]{0,39}$/, "Letters, digits, `_`, `.` and `-`.");
const name = z.string().trim().min(1).max(300);

const LineOfEffort = z
  .strictObject({ key: Key, name, description: z.string().max(2_000).optional() })
  .meta({ id: "LineOfEffort" });
const task = {
  key: Key,
  name,
  lineOfEffort: Key.optional().describe("Key of its line of effort."),
  days: z.number().min(0).max(MOST_DAYS).describe("How long it takes."),
  dependsOn: z.array(Key).max(50).default([]).describe("Keys of tasks that end before it begins."),
  resources: z.array(Key).max(50).default([]).describe("Keys of resources that it takes."),
};
export const Task = z.strictObject(task).meta({ id: "OperationTask" });
const OperationMeasure = Measure.extend({ dueAt: Instant.optional(), lineOfEffort: Key.optional() }).meta({
  id: "OperationMeasure",
});
export const Resource = z
  .strictObject({ key: Key, name, quantity: z.number().positive().max(1e15).optional() })
  .meta({ id: "OperationResource" });

/** A plan of operations as clients send it, and as the rules make it. */
export const plan = {
  linesOfEffort: z.array(LineOfEffort).max(50),
  tasks: z.array(Task).max(500),
  measures: z.array(OperationMeasure).max(100),
  resources: z.array(Resource).max(200),
};
export type OperationsPlan = { [K in keyof typeof plan]: z.output<(typeof plan)[K]> };

const Matched = Resource.extend({
  status: z.enum(["matched", "unmatched"]),
  match: z
    .object({ type: z.enum(["position", "resource"]), id: z.string(), title: z.string() })
    .optional()
    .describe("The staff position or registered resource of the problem set that it is."),
  why: z.string(),
}).meta({ id: "MatchedResource" });
export type Matched = z.output<typeof Matched>;

/** The breakdown of an objective into operations. */
export const Operations = entity("strategic.operations", {
  title: "breakdown into operations",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    objectiveId: TextId,
    linesOfEffort: plan.linesOfEffort,
    tasks: plan.tasks,
    measures: plan.measures,
    resources: z.array(Matched),
    assumed: z.array(z.string()).describe("Assumptions made by the rules, such as durations that are not stated."),
    method: z.enum(METHODS).exclude(["llm"]),
    version: z.int(),
  },
  immutable: ["problemSetId", "compartments", "objectiveId"],
  barrier,
  indexes: [{ fields: ["objectiveId"] }, { fields: ["createdBy"] }],
});
export type Operations = Item<typeof Operations>;

/** One breakdown for each objective. */
export const operationsId = (objectiveId: string): string => derivedId(`operations of objective ${objectiveId}`);

const Timed = z
  .object({
    ...task,
    earliestStart: z.number().describe("Days from the beginning."),
    earliestFinish: z.number(),
    latestStart: z.number(),
    latestFinish: z.number(),
    slack: z.number().describe("Days that it may slip without delaying the whole."),
    critical: z.boolean(),
  })
  .meta({ id: "TimedTask" });
export const OperationsView = Operations.view
  .extend({
    tasks: z.array(Timed),
    days: z.number().describe("How long the whole takes."),
    criticalPath: z.array(z.string()).describe("Keys of one longest chain of tasks, the first of them first."),
  })
  .meta({ id: "ObjectiveOperations" });

/** A breakdown with its schedule. */
export function timed(operations: Operations): z.input<typeof OperationsView> {
  const { days, criticalPath, tasks } = schedule(operations.tasks);
  return {
    ...operations,
    tasks: operations.tasks.map((one) => ({ ...one, ...tasks.get(one.key)! })),
    days,
    criticalPath,
  };
}

const twice = (field: string, rows: readonly { key: string }[]): Detail[] =>
  rows.flatMap(({ key }, at) =>
    rows.findIndex((other) => other.key === key) < at
      ? [{ path: `${field}.${at}.key`, message: `There is another ${key}.` }]
      : [],
  );

/** Throws 400 for duplicate or unknown keys, 422 naming a cycle of dependencies. */
export function refuseBroken({ linesOfEffort, tasks, measures, resources }: OperationsPlan): void {
  const among = (rows: readonly { key: string }[]): Set<string> => new Set(rows.map(({ key }) => key));
  const [lines, known, means] = [among(linesOfEffort), among(tasks), among(resources)];
  const lost = (path: string, keys: readonly (string | undefined)[], within: ReadonlySet<string>): Detail[] =>
    keys.flatMap((key) =>
      key === undefined || within.has(key) ? [] : [{ path, message: `There is no ${key} in this plan.` }],
    );
  const wrong = [
    ...twice("linesOfEffort", linesOfEffort),
    ...twice("tasks", tasks),
    ...twice("resources", resources),
    ...tasks.flatMap((one, at) => [
      ...lost(`tasks.${at}.dependsOn`, one.dependsOn, known),
      ...lost(`tasks.${at}.resources`, one.resources, means),
      ...lost(`tasks.${at}.lineOfEffort`, [one.lineOfEffort], lines),
    ]),
    ...measures.flatMap((one, at) => lost(`measures.${at}.lineOfEffort`, [one.lineOfEffort], lines)),
  ];
  if (wrong.length) throw invalid(wrong);
  const cycle = cycleIn(tasks);
  if (cycle)
    throw unprocessable("CYCLE", `Tasks wait for one another: ${[...cycle, cycle[0]].join(" -> ")}.`, { cycle });
}

export const OperationsChanged = event(
  "knowledge.operations.changed",
  z.object({
    id: z.string(),
    objectiveId: z.string(),
    problemSetId: z.string(),
    compartments: z.array(z.string()),
    title: z.string(),
    version: z.int(),
    by: z.string(),
  }),
  {
    activity: {
      subject: ["objective", "objectiveId"],
      words: ({ title, version }) => `"${title}" was broken down into operations (version ${version}).`,
    },
  },
);
