import { z } from "zod";
import { OpenRecord } from "../../../../core/records/open-record.ts";
import { memberOf, personOf } from "../../../../core/access/access.ts";
import { Compartments } from "../../../../core/access/place.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid, unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { actsOut, checkUses } from "../../agents/client.ts";
import { isPriced } from "../../model-questions.ts";
import { faultsOf, missingInput } from "../workflows/checking.ts";
import { usesOf } from "../workflows/reads.ts";
import { Definition, type Workflow } from "../workflows/definitions.ts";
import { definitionOf, Execution, inputOf, OVER, WorkflowStep, StepView, type FullStep } from "./executions.ts";
import { figures, Metrics } from "./measuring.ts";
import { Begun, orderExecution, smallInput } from "./ordering.ts";
import { cut, GraphView, graphView, Trace, traceOf } from "./picturing.ts";
import { conclude, stepsOf, MESH } from "./records.ts";
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
  .extend({ effects: z.array(Effect).describe("Acts already done, or under way: they are not undone.") })
  .meta({ id: "CancelledExecution" });

const shown = (step: FullStep): z.input<typeof StepView> => ({ ...step, output: cut(step.output) });

/** Acts that agents have done for a run, or are about to: in its own steps, and in tasks that it gave them. */
async function effectsOf(
  host: Host,
  { runs }: Execution,
  steps: readonly FullStep[],
): Promise<z.output<typeof Effect>[]> {
  const given = steps.flatMap(({ kind, runId }) => ((kind === "agent" || kind === "round") && runId ? [runId] : []));
  const acts = await actsOut(host, [...runs.map(({ executionId }) => executionId), ...given]);
  const effects = acts.map(({ executionId, key, tool, effect, status }) => ({
    step: key ?? steps.find(({ runId }) => runId === executionId)!.path,
    tool,
    effect,
    status: status === "intended" ? ("under way" as const) : status,
  }));
  const place = new Map(steps.map(({ path }, at) => [path, at]));
  return effects.sort((one, other) => place.get(one.step)! - place.get(other.step)!);
}

/** Two agents, three tools, a condition, a parallel branch, a person's decision, and an act that follows from it. */
const WORKFLOW = {
  problemSetId: "the problem set's id",
  input: { most: 10 },
  definition: {
    name: "Open the road",
    steps: [
      {
        id: "look",
        kind: "tool",
        agent: "an agent's id",
        tool: "list_missions",
        arguments: { limit: { $ref: "/input/most" } },
      },
      { id: "many", kind: "condition", if: "size(steps.look.output.data) >= 2", after: ["look"] },
      {
        id: "gates",
        kind: "tool",
        agent: "another agent's id",
        tool: "list_gates",
        after: [{ step: "many", on: "then" }],
      },
      {
        id: "sum",
        kind: "agent",
        agent: "another agent's id",
        task: "Sum up what is open",
        input: { missions: { $ref: "/steps/look/output/data" } },
        after: [{ step: "many", on: "then" }],
      },
      {
        id: "ask",
        kind: "checkpoint",
        question: "Shall a third mission be opened?",
        arguments: { name: "Pontoons", why: { $ref: "/steps/sum/output/text" } },
        after: ["gates", "sum"],
      },
      {
        id: "open",
        kind: "tool",
        agent: "an agent's id",
        tool: "open_mission",
        arguments: { name: { $ref: "/steps/ask/output/name" } },
        after: ["ask"],
      },
    ],
  },
};

/** The example as published: programs that read the API description follow each `$ref`, even those within workflows. */
const EXAMPLE = {
  problemSetId: "the problem set's id",
  definition: {
    name: "Sum up what is open",
    steps: [
      { id: "look", kind: "tool", agent: "an agent's id", tool: "list_missions", arguments: { limit: 10 } },
      { id: "sum", kind: "agent", agent: "another agent's id", task: "Sum up what is open", after: ["look"] },
    ],
  },
};

/** Cost limits need an installation that knows prices. */
function refuseUnpriced(host: Host, cost: number | undefined): void {
  if (cost !== undefined && !isPriced(host))
    throw unprocessable("NO_PRICES", "definition.limits.cost: this installation has no prices of the model.");
}

export const executionActions = {
  execute: endpoint({
    rest: "POST /execute",
    summary: "Start a workflow of agents",
    permit: "signed-in",
    within: { set, may: "orchestration:run" },
    body: {
      problemSetId: TextId,
      compartments: Compartments.describe("Compartments of the run at its start; what it reads may add more."),
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
      "The whole workflow is checked first, and all its errors are returned together with their paths. " +
      "Then the answer is returned; `GET /api/orchestration/executions/{executionId}` shows the " +
      "progress. A step waits while any edge to it is unknown, runs if one is taken, and is skipped if " +
      "all are skipped. Agents act under your delegations, each act through their gate; the run keeps " +
      "the definition, agents and tools that it started with. Steps take what came before by references, as here, where a person is asked in between:\n\n" +
      `\`\`\`json\n${JSON.stringify(WORKFLOW, null, 2)}\n\`\`\``,
    example: EXAMPLE,
    errors: {
      400: "Faults of the workflow, with their paths.",
      422:
        "`NO_PRICES`; `UNKNOWN_PATH`: a reference or a condition leads to what the answer of a tool, as it " +
        "declares it, never has.",
      429: "You already have 20 that have not ended.",
    },
    async handler(ctx) {
      const by = personOf(ctx.meta.actor);
      const { problemSetId, compartments, delegations } = ctx.params;
      const definition = ctx.params.definition as Workflow;
      const input = smallInput(ctx.params.input);
      refuseUnpriced(this, definition.limits.cost);
      const uses = usesOf(definition, "definition", delegations);
      const { faults, strays, pins } = await checkUses(this, { problemSetId, compartments, by, uses });
      const all = [...faultsOf(definition, "definition"), ...missingInput(definition, input, "definition"), ...faults];
      if (all.length) throw invalid([...all, ...strays], "The workflow would not run.");
      if (strays.length)
        throw unprocessable("UNKNOWN_PATH", "References or conditions lead to what no answer has.", strays);
      return orderExecution(this, ctx, { problemSetId, compartments, definition, input, pins, by });
    },
  }),

  "executions.list": endpoint({
    rest: "GET /executions",
    tool: "list_workflow_runs",
    description:
      "Newest first, with the state of each and what it waits for. The steps of one: `GET " +
      "/api/orchestration/executions/{executionId}`.",
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
    description: "Visible to members who are read into the compartments of everything it has read.",
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
      "It is cancelled immediately, and its agents start no act after the answer; running calls are " +
      "aborted within half a second, and late results discarded. Allowed to whoever started it, and to " +
      "deputies and commanders. Repeating it is harmless.",
    errors: { 403: "It is not yours, and your role does not allow it.", 409: "It has ended otherwise." },
    async handler(ctx, execution) {
      const by = personOf(ctx.meta.actor);
      if (execution.by !== by)
        memberOf(ctx.meta.actor, execution.problemSetId, "orchestration:manage", { writes: true });
      const { reason } = ctx.params;
      const ended = await conclude(this, execution.id, { status: "cancelled", ...(reason && { reason }) }, ctx);
      if (ended.status !== "cancelled") throw conflict(`It has ended: ${ended.status}.`, { status: ended.status });
      const steps = inOrder(ended, await stepsOf(this, MESH, ended.id));
      return { ...ended, effects: await effectsOf(this, ended, steps) };
    },
  }),

  "executions.getTrace": endpoint({
    rest: "GET /executions/:executionId/trace",
    tool: "trace_workflow_run",
    summary: "Show the trace of an execution",
    permit: "signed-in",
    ...onExecution,
    returns: data(Trace),
    description: "One span for each attempt of each step: what was done, why, with whose approval, and at what cost.",
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
      const at = { isOver: OVER.includes(execution.status), now: this.world.clock.now() };
      return graphView(steps, await stepsOf(this, ctx, execution.id), at);
    },
  }),

  getMetrics: endpoint({
    rest: "GET /metrics",
    summary: "Get figures about executions",
    permit: "signed-in",
    within: reading,
    query: {
      problemSetId: TextId.optional(),
      days: z.int().min(1).max(90).default(30).describe("Those that began within so many days."),
    },
    returns: data(Metrics),
    description: "Covers the executions that you can see, and their steps.",
    async handler(ctx) {
      const { problemSetId, days } = ctx.params;
      const now = this.world.clock.now();
      const from = iso(now - days * DAY_MS);
      const query = { createdAt: { $gte: from }, ...(problemSetId && { problemSetId }) };
      const runs = await this.store(Execution).find(ctx, query, {
        fields: ["status", "ranMs", "endedAt"],
        limit: MOST_COUNTED,
      });
      const steps = await this.store(WorkflowStep).find(ctx, query, {
        fields: ["executionId", "kind", "status", "ms", "waitedMs", "code", "tokens", "cost"],
        limit: MOST_COUNTED,
      });
      const isMore = runs.length === MOST_COUNTED || steps.length === MOST_COUNTED;
      // A step may lie in fewer compartments than its run, which has read more since.
      const seen = new Set(runs.map(({ id }) => id));
      const counted = steps.filter(({ executionId }) => seen.has(executionId));
      return { from, to: iso(now), ...figures(runs, counted), ...(isMore && { more: true as const }) };
    },
  }),
};
