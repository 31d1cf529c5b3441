import { z } from "zod";
import { OpenRecord } from "../../../../core/records/open-record.ts";
import { memberOf, personOf } from "../../../../core/access/access.ts";
import { Compartments } from "../../../../core/access/place.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid, unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { checkUses } from "../../agents/client.ts";
import { isPriced } from "../../asking.ts";
import { faultsOf } from "../workflows/checking.ts";
import { usesOf } from "../workflows/reads.ts";
import { Definition, type Workflow } from "../workflows/definitions.ts";
import { definitionOf, Execution, inputOf, OVER, Step, StepView, type Known } from "./executions.ts";
import { figures, Metrics } from "./measuring.ts";
import { Begun, order, smallInput } from "./ordering.ts";
import { cut, GraphView, graphView, Trace, traceOf } from "./picturing.ts";
import { conclude, stepsOf, US } from "./records.ts";
import { inOrder } from "./sequence.ts";

const set = "problemSetId";
const reading = { set, may: "orchestration:read" };
const onExecution = { on: Execution, by: "executionId", within: reading } as const;
const MOST_COUNTED = 50_000;
const DAY_MS = 86_400_000;

const Whole = Execution.view
  .extend({
    definition: z.unknown().describe("As it was when the run began."),
    input: z.record(z.string(), z.unknown()),
    output: z.unknown().optional(),
    log: z.array(StepView).describe("Its steps, in the order in which they began."),
  })
  .meta({ id: "WorkflowExecution" });
const Effect = z.object({
  step: z.string(),
  tool: z.string(),
  status: z.enum(["done", "under way", "unknown"]),
  effect: z.string().optional(),
});
const Cancelled = Execution.view
  .extend({ effects: z.array(Effect).describe("What was done already, or was under way: it is not undone.") })
  .meta({ id: "CancelledExecution" });

const shown = (step: Known): z.input<typeof StepView> => ({ ...step, output: cut(step.output) });

/** Acts of a run that are out already. */
const effectsOf = (steps: readonly Known[]): z.output<typeof Effect>[] =>
  steps.flatMap(({ path, kind, tool, effect, status, actId }) => {
    if (kind !== "tool" || effect === "read") return [];
    const became = status === "completed" ? "done" : status === "unknown" ? "unknown" : "under way";
    const isOut = status === "completed" || status === "unknown" || (status === "running" && actId === undefined);
    return isOut ? [{ step: path, tool: tool!, status: became as "done", ...(effect && { effect }) }] : [];
  });

/** A cost can be held only where the installation knows prices. */
function refuseUnpriced(host: Host, cost: number | undefined): void {
  if (cost !== undefined && !isPriced(host))
    throw unprocessable("NO_PRICES", "definition.limits.cost: this installation has no prices of the model.");
}

export const executionActions = {
  execute: endpoint({
    rest: "POST /execute",
    summary: "Set a workflow of agents going",
    permit: "signed-in",
    within: { set, may: "orchestration:run" },
    body: {
      problemSetId: TextId,
      compartments: Compartments.describe("Where the run lies from the beginning; what it reads may close it further."),
      definition: Definition,
      input: OpenRecord.default({}).describe("`/input` of references and conditions."),
      delegations: z
        .record(TextId, TextId)
        .default({})
        .describe("Which of your delegations an agent acts by, by agent; the newest without it."),
    },
    returns: Begun,
    status: 202,
    description:
      "The whole workflow is checked first, and all its faults are told at once with their paths. It answers " +
      "then; `GET /api/orchestration/executions/{executionId}` tells how far the run is. A step waits while any " +
      "edge to it is unknown, runs if one is taken, and is skipped if all are skipped. Agents act by your " +
      "delegations, each act through their gate; the run keeps the definition, agents and tools that it began " +
      "with.",
    example: {
      problemSetId: "the problem set's id",
      definition: {
        name: "Look",
        steps: [{ id: "look", kind: "tool", agent: "an agent's id", tool: "list_missions", arguments: {} }],
      },
    },
    errors: {
      400: "Faults of the workflow, with their paths.",
      422:
        "`NO_PRICES`; `UNKNOWN_PATH`: a reference or a condition leads to what the answer of a tool, as it " +
        "declares it, never has.",
      429: "You have 20 that have not ended.",
    },
    async handler(ctx) {
      const by = personOf(ctx.meta.actor);
      const { problemSetId, compartments, delegations } = ctx.params;
      const definition = ctx.params.definition as Workflow;
      const input = smallInput(ctx.params.input);
      refuseUnpriced(this, definition.limits.cost);
      const uses = usesOf(definition, "definition", delegations);
      const { faults, strays, pins } = await checkUses(this, { problemSetId, by, uses });
      const all = [...faultsOf(definition, "definition"), ...faults];
      if (all.length) throw invalid([...all, ...strays], "The workflow would not run.");
      if (strays.length)
        throw unprocessable("UNKNOWN_PATH", "References or conditions lead to what no answer has.", strays);
      return order(this, ctx, { problemSetId, compartments, definition, input, pins, by });
    },
  }),

  "executions.list": endpoint({
    rest: "GET /executions",
    tool: "list_workflow_runs",
    summary: "List the workflow executions",
    permit: "signed-in",
    within: reading,
    query: Execution.query,
    returns: list(Execution.view),
    handler(ctx) {
      return this.store(Execution).page(ctx, ctx.params);
    },
  }),

  "executions.get": endpoint({
    rest: "GET /executions/:executionId",
    tool: "show_workflow_run",
    summary: "Show an execution of a workflow, with its steps",
    permit: "signed-in",
    ...onExecution,
    returns: data(Whole),
    description: "Seen by members who are read into the compartments of all that it has read.",
    async handler(ctx, execution) {
      const { output } = execution;
      return {
        ...execution,
        definition: definitionOf(execution),
        input: inputOf(execution),
        output: output === undefined ? output : (JSON.parse(output) as unknown),
        log: inOrder(execution, await stepsOf(this, ctx, execution.id)).map(shown),
      };
    },
  }),

  "executions.cancel": endpoint({
    rest: "POST /executions/:executionId/cancel",
    summary: "Stop an execution",
    permit: "signed-in",
    on: Execution,
    by: "executionId",
    within: { set, may: "orchestration:run" },
    body: { reason: z.string().trim().min(1).max(2_000).optional() },
    returns: data(Cancelled),
    description:
      "It is cancelled at once, and no act of its agents begins after the answer; what is under way is cut off " +
      "within half a second, and its late answer discarded. By whoever set it going, and by deputies and " +
      "commanders. Twice is harmless.",
    errors: { 403: "It is not yours, and your role does not allow it.", 409: "It has ended otherwise." },
    async handler(ctx, execution) {
      const by = personOf(ctx.meta.actor);
      if (execution.by !== by)
        memberOf(ctx.meta.actor, execution.problemSetId, "orchestration:manage", { writes: true });
      const { reason } = ctx.params;
      const before = inOrder(execution, await stepsOf(this, US, execution.id));
      const ended = await conclude(this, execution.id, { status: "cancelled", ...(reason && { reason }) }, ctx);
      if (ended.status !== "cancelled") throw conflict(`It has ended: ${ended.status}.`, { status: ended.status });
      const after = new Map((await stepsOf(this, US, execution.id)).map((step) => [step.id, step]));
      const steps = before.map((step) => (after.get(step.id)?.status === "completed" ? after.get(step.id)! : step));
      return { ...ended, effects: effectsOf(steps) };
    },
  }),

  "executions.getTrace": endpoint({
    rest: "GET /executions/:executionId/trace",
    tool: "trace_workflow_run",
    summary: "Show the trace of an execution",
    permit: "signed-in",
    ...onExecution,
    returns: data(Trace),
    description: "A span for each attempt of each step: what was done, why, by whose approval, and what it cost.",
    async handler(ctx, execution) {
      return traceOf(execution, inOrder(execution, await stepsOf(this, ctx, execution.id)));
    },
  }),

  "executions.getGraph": endpoint({
    rest: "GET /executions/:executionId/graph",
    summary: "Show the dependencies within an execution as a graph",
    permit: "signed-in",
    ...onExecution,
    returns: data(GraphView),
    async handler(ctx, execution) {
      const { steps } = definitionOf(execution);
      return graphView(steps, await stepsOf(this, ctx, execution.id), OVER.includes(execution.status));
    },
  }),

  getMetrics: endpoint({
    rest: "GET /metrics",
    summary: "Figures about executions",
    permit: "signed-in",
    within: reading,
    query: {
      problemSetId: TextId.optional(),
      days: z.int().min(1).max(90).default(30).describe("Those that began within so many days."),
    },
    returns: data(Metrics),
    description: "Of the executions that you see, and of their steps.",
    async handler(ctx) {
      const { problemSetId, days } = ctx.params;
      const now = this.world.clock.now();
      const from = iso(now - days * DAY_MS);
      const query = { createdAt: { $gte: from }, ...(problemSetId && { problemSetId }) };
      const runs = await this.store(Execution).find(ctx, query, {
        fields: ["status", "ranMs", "endedAt"],
        limit: MOST_COUNTED,
      });
      const steps = await this.store(Step).find(ctx, query, {
        fields: ["kind", "status", "ms", "waitedMs", "code", "tokens", "cost"],
        limit: MOST_COUNTED,
      });
      const isMore = runs.length === MOST_COUNTED || steps.length === MOST_COUNTED;
      return { from, to: iso(now), ...figures(runs, steps), ...(isMore && { more: true as const }) };
    },
  }),
};
