import { z } from "zod";
import { Figure } from "../../../../core/records/entity.ts";
import { STEP_KINDS } from "../workflows/definitions.ts";
import { EXECUTION_STATES, type Execution, type WorkflowStep } from "./executions.ts";

const Spread = z.object({ count: z.int(), p50: z.int(), p95: z.int(), p99: z.int() });
export const Metrics = z
  .object({
    from: z.string(),
    to: z.string(),
    executions: z.int(),
    byStatus: z.partialRecord(z.enum(EXECUTION_STATES), z.int()),
    steps: z
      .partialRecord(z.enum(STEP_KINDS), Spread)
      .describe("Milliseconds at work, by kind of step; people's waiting apart."),
    runs: Spread.describe("Milliseconds at work, of runs that ended."),
    waiting: Spread.describe("Milliseconds that steps waited for people."),
    failures: z.record(z.string(), z.int()).describe("Steps that failed, by code."),
    tokens: z.int(),
    cost: Figure,
    more: z.literal(true).optional().describe("There were more than the figures rest on."),
  })
  .meta({ id: "WorkflowMetrics" });

/** Percentiles by nearest rank. */
export function spread(values: readonly number[]): z.output<typeof Spread> {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number): number => Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

const counted = <K extends string>(values: readonly K[]): Record<K, number> =>
  Object.fromEntries([...Map.groupBy(values, (one) => one)].map(([key, all]) => [key, all.length])) as Record<
    K,
    number
  >;

/** Figures about the runs and steps that the caller may see. */
export function figures(
  runs: readonly Pick<Execution, "status" | "ranMs" | "endedAt">[],
  steps: readonly Pick<WorkflowStep, "kind" | "status" | "ms" | "waitedMs" | "code" | "tokens" | "cost">[],
): Omit<z.output<typeof Metrics>, "from" | "to"> {
  const ended = steps.filter(({ ms }) => ms !== undefined);
  return {
    executions: runs.length,
    byStatus: counted(runs.map(({ status }) => status)),
    steps: Object.fromEntries(
      [...Map.groupBy(ended, ({ kind }) => kind)].map(([kind, all]) => [
        kind,
        spread(all.map(({ ms = 0, waitedMs }) => Math.max(0, ms - waitedMs))),
      ]),
    ),
    runs: spread(runs.filter(({ endedAt }) => endedAt).map(({ ranMs }) => ranMs)),
    waiting: spread(ended.filter(({ waitedMs }) => waitedMs > 0).map(({ waitedMs }) => waitedMs)),
    failures: counted(steps.filter(({ status }) => status === "failed").map(({ code = "UNKNOWN" }) => code)),
    tokens: steps.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: steps.reduce((sum, { cost = 0 }) => sum + cost, 0),
  };
}
