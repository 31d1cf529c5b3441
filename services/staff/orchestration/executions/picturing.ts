import { upTo } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import { iso } from "../../../../core/clock.ts";
import { sha256 } from "../../../../core/ids.ts";
import { Figure, Instant } from "../../../../core/records/entity.ts";
import { valuesOf } from "../workflows/checking.ts";
import { edgesOf, STEP_KINDS, STEP_OUTCOMES, type StepDefinition } from "../workflows/definitions.ts";
import { knownGraph } from "../workflows/graph.ts";
import { edgeState, Joins, type Fate } from "../workflows/joins.ts";
import { definitionOf, inputOf, STEP_STATES, type Execution, type FullStep, type WorkflowStep } from "./executions.ts";
import { fateOf } from "./scopes.ts";

const Span = z.object({
  traceId: z.string().describe("W3C trace context: 16 bytes in hex, the same for the whole run."),
  spanId: z.string().describe("8 bytes in hex, made from run, step and attempt: resuming makes no second span."),
  parentSpanId: z.string().nullable(),
  name: z.string(),
  kind: z.enum([...STEP_KINDS, "run"]),
  status: z.string(),
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  ms: z.int().nullable(),
  attributes: z
    .record(z.string(), z.unknown())
    .describe(
      "Of a step: `after`, the ways that led to it; `if`, `question` or `task`, what was asked there; `arguments`, " +
        "`input` or `over`, what it was given, references as they stand; `why`, `verdict` and `approvedBy`, why it " +
        "was let pass; what it came to, and what it took.",
    ),
});
export const Trace = z.object({ traceId: z.string(), spans: z.array(Span) }).meta({ id: "WorkflowTrace" });
type Span = z.output<typeof Span>;

const traceIdOf = (executionId: string): string => sha256(`trace ${executionId}`).slice(0, 32);
const spanIdOf = (executionId: string, path: string, attempt: number): string =>
  sha256(`span ${executionId} ${path} ${attempt}`).slice(0, 16);
const MOST_SHOWN = 4_000;

/** A value for display, shortened if long. */
export function cut(value: unknown): unknown {
  if (value === undefined) return value;
  const text = JSON.stringify(value) ?? "null";
  return text.length <= MOST_SHOWN ? value : `${upTo(MOST_SHOWN, text)}…`;
}

const parentPath = (path: string): string | null =>
  path.includes("/") ? path.slice(0, path.lastIndexOf("/")).replace(/\[\d{1,4}\]$/, "") : null;

type Records = ReadonlyMap<string, FullStep>;

/** The definition of a step, whichever item of a map it ran for. */
function definedAs(steps: readonly StepDefinition[], path: string): StepDefinition | undefined {
  const [first, ...rest] = path.replaceAll(/\[\d{1,4}\]/g, "").split("/");
  const found = knownGraph(steps).steps.get(first!);
  return rest.length && found?.kind === "map" ? definedAs(found.steps, rest.join("/")) : found;
}

/** Why a step ran: the condition there, and the edges that led to it. */
function reasonsOf(step: StepDefinition | undefined, path: string, records: Records): Record<string, unknown> {
  if (!step) return {};
  const before = path.slice(0, path.lastIndexOf("/") + 1);
  const taken = edgesOf(step).filter(({ from, on }) => {
    const record = records.get(`${before}${from}`);
    return record !== undefined && edgeState(fateOf(record), on) === "taken";
  });
  return {
    after: taken.map(({ from, on }) => `${before}${from}: ${on}`),
    if: step.kind === "condition" ? step.if : undefined,
    question: step.kind === "checkpoint" ? step.question : undefined,
    task: step.kind === "agent" || step.kind === "round" ? step.task : undefined,
    ...Object.fromEntries(Object.entries(valuesOf(step)).map(([field, value]) => [field, cut(value)])),
  };
}

function spansOf(
  step: FullStep,
  { traceId, steps, records }: { traceId: string; steps: readonly StepDefinition[]; records: Records },
): Span[] {
  const { executionId, path, kind } = step;
  const parent = parentPath(path);
  const parentSpanId =
    parent === null ? spanIdOf(executionId, "", 1) : spanIdOf(executionId, parent, records.get(parent)?.attempt ?? 1);
  const base = { traceId, parentSpanId, name: path, kind };
  const { code, why, agentId, tool, class: safety, effect, verdict, argumentsHash, approvedBy, choice } = step;
  const own = { code, why, agentId, tool, class: safety, effect, verdict, argumentsHash, approvedBy, choice };
  const told = Object.entries({
    ...reasonsOf(definedAs(steps, path), path, records),
    ...own,
    runId: step.runId,
    actId: step.actId,
    outcome: step.outcome,
    compartments: step.compartments,
    waitedMs: step.waitedMs,
    tokens: step.tokens,
    cost: step.cost,
    output: cut(step.output),
  }).filter(([, value]) => value !== undefined);
  // An attempt that failed and was repeated.
  const failed = ({ n, at, ms, code: its, why: said }: WorkflowStep["attempts"][number]): Span => ({
    ...base,
    spanId: spanIdOf(executionId, path, n),
    status: "failed",
    startedAt: at,
    endedAt: iso(Date.parse(at) + ms),
    ms,
    attributes: { attempt: n, code: its, why: said },
  });
  const startedAt = step.attemptAt ?? step.startedAt;
  const { endedAt = null } = step;
  return [
    ...step.attempts.filter(({ n }) => n < step.attempt).map(failed),
    {
      ...base,
      spanId: spanIdOf(executionId, path, step.attempt),
      status: step.status,
      startedAt,
      endedAt,
      ms: endedAt === null ? null : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
      attributes: { attempt: step.attempt, ...Object.fromEntries(told) },
    },
  ];
}

/** Why everything happened and what it cost: a span for each attempt of each step. */
export function traceOf(execution: Execution, steps: readonly FullStep[]): z.output<typeof Trace> {
  const { id, name, status, startedAt, endedAt, by, code, reason } = execution;
  const traceId = traceIdOf(id);
  const of = {
    traceId,
    steps: definitionOf(execution).steps,
    records: new Map(steps.map((step) => [step.path, step])),
  };
  const root: Span = {
    traceId,
    spanId: spanIdOf(id, "", 1),
    parentSpanId: null,
    name,
    kind: "run",
    status,
    startedAt: startedAt ?? null,
    endedAt: endedAt ?? null,
    ms: startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : null,
    attributes: {
      executionId: id,
      by,
      tokens: steps.reduce((sum, { tokens }) => sum + tokens, 0),
      cost: Figure.parse(steps.reduce((sum, { cost = 0 }) => sum + cost, 0)),
      input: cut(inputOf(execution)),
      ...(code && { code }),
      ...(reason && { reason }),
    },
  };
  return { traceId, spans: [root, ...steps.flatMap((step) => spansOf(step, of))] };
}

const Node = z.object({
  id: z.string(),
  kind: z.enum(STEP_KINDS),
  level: z.int().describe("Steps before it, at the most."),
  state: z.enum(STEP_STATES),
  ms: z.int().nullable().describe("So far, of one under way; of a map with its items; waiting for persons included."),
  items: z.int().optional().describe("Of a map: steps of its items so far."),
  isCritical: z.boolean().describe("Whether it lies on the critical path."),
});
const EdgeShown = z.object({
  from: z.string(),
  to: z.string(),
  on: z.enum(STEP_OUTCOMES),
  state: z.enum(["unknown", "taken", "skipped"]),
});
export const GraphView = z
  .object({
    nodes: z.array(Node),
    edges: z.array(EdgeShown),
    criticalPath: z.array(z.string()).describe("The steps that it took longest to go through, one after the other."),
    criticalMs: z.int(),
  })
  .meta({ id: "WorkflowGraph" });

const stateOf = (record: WorkflowStep | undefined, fate: Fate | undefined): (typeof STEP_STATES)[number] =>
  record?.status ?? (fate === "skipped" ? "skipped" : fate === "cancelled" ? "cancelled" : "pending");

/** The dependencies within a run, in their present state. In an ended run, steps that never began are `cancelled`. */
export function graphView(
  definitions: readonly StepDefinition[],
  steps: readonly WorkflowStep[],
  { isOver, now }: { isOver: boolean; now: number },
): z.output<typeof GraphView> {
  const graph = knownGraph(definitions);
  const records = new Map(steps.map((step) => [step.path, step]));
  const known = definitions.flatMap(({ id }) => (records.has(id) ? [[id, fateOf(records.get(id)!)] as const] : []));
  const joins = new Joins(graph, known);
  const lasting = ({ ms, startedAt, endedAt }: WorkflowStep): number =>
    ms ?? Math.max(0, (endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt));
  const msOf = (id: string): number | null => {
    const record = records.get(id);
    return record ? lasting(record) : null;
  };
  const before = new Map<string, { ms: number; by: string | null }>();
  for (const id of graph.order) {
    const taken = graph.into.get(id)!.filter(({ from, on }) => edgeState(joins.fate(from), on) === "taken");
    const longest = taken.reduce<{ ms: number; by: string | null }>(
      (most, { from }) => (before.get(from)!.ms >= most.ms ? { ms: before.get(from)!.ms, by: from } : most),
      { ms: 0, by: null },
    );
    before.set(id, { ms: longest.ms + (msOf(id) ?? 0), by: longest.by });
  }
  const final = [...before].reduce<string | null>(
    (most, [id, { ms }]) => (records.has(id) && (most === null || ms >= before.get(most)!.ms) ? id : most),
    null,
  );
  const criticalPath: string[] = [];
  for (let at = final; at !== null; at = before.get(at)!.by) criticalPath.unshift(at);
  const itemsOf = (id: string): number => steps.filter(({ path }) => path.startsWith(`${id}[`)).length;
  return {
    nodes: graph.order.map((id) => {
      const state = stateOf(records.get(id), joins.fate(id));
      const { kind } = graph.steps.get(id)!;
      return {
        id,
        kind,
        level: graph.level.get(id)!,
        state: isOver && state === "pending" ? ("cancelled" as const) : state,
        ms: msOf(id),
        ...(kind === "map" && { items: itemsOf(id) }),
        isCritical: criticalPath.includes(id),
      };
    }),
    edges: definitions.flatMap((step) =>
      edgesOf(step).map(({ from, on }) => ({ from, to: step.id, on, state: edgeState(joins.fate(from), on) })),
    ),
    criticalPath,
    criticalMs: final === null ? 0 : before.get(final)!.ms,
  };
}
