import { z } from "zod";
import { OpenRecord } from "../../../../core/records/open-record.ts";
import type { Configured } from "../../../../config/configurations.ts";
import { memberOf, personOf } from "../../../../core/access/access.ts";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { Compartments } from "../../../../core/access/place.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid, notFound, tooMany, unprocessable } from "../../../../core/problem.ts";
import { CursorMeta, feeding, TextId } from "../../../../core/records/entity.ts";
import { seated } from "../../seats.ts";
import { demandUsable, ownDelegation, refuseUnpriced } from "../delegations/delegations.actions.ts";
import { coveredByAll, MOST_COST, UNUSED, type Delegation, type Limits } from "../delegations/delegations.ts";
import { ActSettled } from "../events.ts";
import { onAgent } from "../registry/administering.ts";
import type { Agent } from "../registry/agents.ts";
import { modelOf } from "../registry/effective.ts";
import { demandKnown } from "../tools/tool-lookup.ts";
import { ToolChoice } from "../tools/tools.ts";
import { ANALYSIS_TOOLS } from "./analysing.ts";
import { toolsNamed } from "../gate/definitions.ts";
import { begin, goOn } from "./driving.ts";
import { Execution, AgentStep, shownStep, StepView } from "./executions.ts";
import { stepsOf } from "./records.ts";

const set = "problemSetId";

const Narrower = z.strictObject({
  calls: z.int().min(1).max(50).optional(),
  tokens: z.int().min(1).max(200_000).optional(),
  cost: z.number().positive().optional(),
});
const Begun = data(z.object({ executionId: TextId }));
const running = { set, may: "agents:run" };
const where = {
  problemSetId: TextId.optional().describe(
    "The problem set in which it acts. Without one, it only observes and analyses what lies outside problem sets.",
  ),
  delegationId: TextId.optional().describe("The delegation under which it acts; without it, your newest."),
};

/** The tools of a run with their present definitions: of the agent, within the delegation and the request. */
export async function pinned(
  host: Host,
  agent: Agent,
  delegation: Delegation | undefined,
  wanted: readonly string[] | undefined,
) {
  const names = agent.tools.filter((tool) => !wanted || wanted.includes(tool));
  const definitions = [...(await toolsNamed(host, names)).values()];
  const covered = delegation ? coveredByAll(definitions, delegation) : names;
  return definitions
    .filter(({ name, disabled }) => disabled === undefined && covered.includes(name))
    .map(({ name, hash }) => ({ name, definition: hash }));
}

/** The lowest of several limits, each separately: the platform's, the agent's, and the requested ones. */
function narrowest(most: Configured<"agents">, ...others: readonly Partial<Limits>[]): Limits {
  const least = (what: keyof Limits): number | undefined => {
    const named = [most as Partial<Limits>, ...others].flatMap((one) => one[what] ?? []);
    return named.length ? Math.min(...named) : undefined;
  };
  const cost = least("cost");
  // An agent's budget may be larger than any run's.
  return {
    calls: least("calls")!,
    tokens: least("tokens")!,
    ...(cost !== undefined && { cost: Math.min(cost, MOST_COST) }),
  };
}

export interface RunOrder {
  kind: Execution["kind"];
  task: string;
  input?: Record<string, unknown>;
  problemSetId?: string | undefined;
  delegationId?: string | undefined;
  tools?: readonly string[] | undefined;
  limits?: z.output<typeof Narrower> | undefined;
  compartments?: readonly string[];
  dryRun?: boolean;
  training?: boolean;
  isTainted?: boolean | undefined;
  messageId?: string | undefined;
  plan?: Execution["plan"];
  /** Agent and tools as planned; without pins, as they are now. */
  pins?: Pins | undefined;
}
export interface Pins {
  agentVersion: number;
  tools: readonly { name: string; definition: string }[];
}

/** Stores a run for a person, and starts it. */
export async function orderRun(
  host: Host,
  ctx: Caller,
  agent: Agent,
  wanted: RunOrder,
  by: string = personOf(ctx.meta.actor),
): Promise<{ executionId: string }> {
  const { problemSetId, delegationId, tools, limits = {}, pins, ...rest } = wanted;
  if (pins && pins.agentVersion !== agent.version)
    throw unprocessable("AGENT_CHANGED", "The agent was changed since this was planned.");
  demandUsable(agent, problemSetId, wanted);
  refuseUnpriced(host, limits.cost, agent);
  if (problemSetId === undefined && delegationId !== undefined)
    throw invalid([{ path: "problemSetId", message: "A delegation holds in a problem set: name it." }]);
  const delegation =
    problemSetId === undefined
      ? undefined
      : await ownDelegation(host, ctx, { agentId: agent.id, problemSetId, by }, delegationId);
  if (tools) await demandKnown(host, tools, "tools");
  const toolset = pins?.tools ?? (await pinned(host, agent, delegation, tools));
  if (!toolset.length) throw unprocessable("NO_TOOLS", "tools: none of these is both the agent's and delegated to it.");
  const method = rest.kind === "analysis" ? "rules" : host.world.llm.configured ? "llm" : "heuristic";
  const fields = {
    ...rest,
    agentId: agent.id,
    agentName: agent.name,
    agentVersion: agent.version,
    ...(problemSetId === undefined ? { owner: by } : { problemSetId }),
    ...(delegation && { delegationId: delegation.id }),
    by,
    compartments: unionOfCompartments([agent, wanted]),
    tools: toolset,
    limits: narrowest(host.world.configurations.agents, modelOf(agent).value.budget ?? {}, limits),
    ...UNUSED,
    ...(rest.kind === "composed"
      ? { status: "running" }
      : { status: "queued", method, dueAt: iso(host.world.clock.now()) }),
    steps: 0,
  };
  if (rest.kind === "composed") return { executionId: (await host.store(Execution).create(ctx, fields)).id };
  const { runs } = host.world.configurations.agents;
  const execution = await seated(host, ctx, Execution, fields, {
    by,
    most: runs,
    active: { by, status: { $in: ["queued", "running", "waiting"] }, kind: { $ne: "composed" } },
    refusal: () => tooMany(`You have ${runs} runs of agents that have not ended.`, 30),
  });
  await begin(host, execution);
  return { executionId: execution.id };
}

const onExecution = { on: Execution, by: "executionId" } as const;
const Whole = Execution.view.extend({ log: z.array(StepView).describe("Its steps in order.") }).meta({
  id: "AgentExecution",
});

export const executionActions = {
  "executions.get": endpoint({
    rest: "GET /agents/executions/:executionId",
    summary: "Show a run of an agent, with its steps",
    tool: "show_agent_run",
    permit: "signed-in",
    beyond: true,
    ...onExecution,
    within: { set, may: "agents:read" },
    returns: data(Whole),
    description:
      "A run in a problem set is visible to members who are read into the compartments of everything it " +
      "has read; a run outside problem sets is visible to whoever started it.",
    async handler(ctx, execution) {
      return { ...execution, log: (await stepsOf(this, ctx, execution.id)).map(shownStep) };
    },
  }),

  "executions.settle": endpoint({
    rest: "POST /agents/executions/:executionId/settle",
    summary: "Settle an interrupted act: it happened, or is to be repeated",
    permit: "signed-in",
    beyond: true,
    ...onExecution,
    within: running,
    body: { stepId: TextId, happened: z.boolean() },
    example: { stepId: "the step's id", happened: false },
    returns: data(StepView),
    description:
      "If an act was interrupted before its answer and its outcome cannot be queried, nobody knows what " +
      "became of it. A person who can find out reports it: whoever the agent acts for, and deputies and " +
      "commanders.",
    errors: { 409: "The outcome of this step is not unknown." },
    async handler(ctx, execution) {
      const by = personOf(ctx.meta.actor);
      if (execution.by !== by)
        memberOf(ctx.meta.actor, execution.problemSetId ?? "", "agents:manage", { writes: true });
      const { stepId, happened } = ctx.params;
      const step = await this.store(AgentStep).get(ctx, stepId);
      if (step.executionId !== execution.id) throw notFound(AgentStep.title, stepId);
      if (step.status !== "unknown") throw conflict(`This step is ${step.status}.`, { status: step.status });
      const change = happened ? { status: "done" } : { status: "intended", again: true };
      const { problemSetId, agentId, compartments } = step;
      const facts =
        problemSetId === undefined
          ? []
          : [
              ActSettled.fact(stepId, {
                id: stepId,
                agentId,
                problemSetId,
                compartments,
                by,
                executionId: execution.id,
              }),
            ];
      const settled = await this.store(AgentStep).revise(ctx, step, { ...change, settledBy: by }, { facts });
      await goOn(this, execution.id);
      return settled;
    },
  }),

  execute: endpoint({
    rest: "POST /agents/:agentId/execute",
    summary: "Have an agent carry out a task",
    permit: "signed-in",
    ...onAgent,
    within: running,
    body: {
      task: z.string().trim().min(1).max(20_000),
      input: OpenRecord.default({}).describe(
        "Values from which tools take their arguments; without a model, the only ones.",
      ),
      ...where,
      compartments: Compartments.describe("Compartments of the run at its start; what it reads may add more."),
      tools: z.array(ToolChoice).min(1).max(40).optional().describe("Stricter limits than the delegation's."),
      limits: Narrower.optional(),
      dryRun: z.boolean().default(false).describe("Returns the plan and the gate's verdicts without acting."),
      messageId: z.string().min(1).max(200).optional().describe("The sender's id of the message that requests it."),
    },
    returns: Begun,
    status: 202,
    description:
      "Returns immediately; `GET /api/agents/executions/{executionId}` shows the progress. In a problem set the " +
      "agent acts under a delegation of yours; outside problem sets it only observes and analyses. Each act passes " +
      "the gate of agents; acts that the safety matrix leaves to a person wait at `GET /api/agents/approvals`. " +
      'Without a model, the tool is chosen by the words of its description (`method: "heuristic"`).',
    example: { task: "List the open gates", problemSetId: "the problem set's id" },
    errors: {
      422: "`AGENT_DEACTIVATED`, `OTHER_SET`, `NO_DELEGATION`, `NO_TOOLS`, `NO_PRICES`.",
      429: "You have 20 runs that have not ended.",
      503: "`CIRCUIT_OPEN`: validation has stopped the agent.",
    },
    handler(ctx, agent) {
      const { input } = ctx.params;
      if (JSON.stringify(input).length > 65_536) throw invalid([{ path: "input", message: "At most 64 KiB as JSON." }]);
      return orderRun(this, ctx, agent, { kind: "task", ...ctx.params });
    },
  }),

  analyse: endpoint({
    rest: "POST /agents/:agentId/analyze-all",
    summary: "Have an agent analyse a whole problem set",
    permit: "signed-in",
    ...onAgent,
    within: running,
    body: { problemSetId: TextId, delegationId: where.delegationId },
    returns: Begun,
    status: 202,
    description:
      "Reports gaps, risks, overdue items and contradictions, by rules over what the agent may read for " +
      "you, each with the records that show it. It names what the agent was refused.",
    errors: { 422: "As of `execute`.", 429: "As of `execute`.", 503: "As of `execute`." },
    example: { problemSetId: "the problem set's id" },
    handler(ctx, agent) {
      const { problemSetId, delegationId } = ctx.params;
      const task = "Analyse the whole problem set: gaps, risks, what is overdue, contradictions.";
      return orderRun(this, ctx, agent, { kind: "analysis", task, problemSetId, delegationId, tools: ANALYSIS_TOOLS });
    },
  }),

  "actions.list": endpoint({
    rest: "GET /agents/:agentId/actions",
    summary: "List an agent's acts and refusals",
    tool: "list_agent_actions",
    permit: "signed-in",
    ...onAgent,
    query: feeding,
    returns: list(AgentStep.view, CursorMeta),
    description:
      "Newest first. In arguments, words such as ids are shown; sentences and secrets by their length and hash.",
    handler(ctx, agent) {
      const { actor } = ctx.meta;
      const { limit, cursor } = ctx.params;
      const places = [
        ...Object.keys(actor?.memberships ?? {}).map((problemSetId) => ({ agentId: agent.id, problemSetId })),
        { agentId: agent.id, owner: actor!.userId },
      ];
      const all = actor?.omniscient ? [{ agentId: agent.id }] : places;
      return this.store(AgentStep).feed(ctx, { limit, ...(cursor && { cursor }) }, all);
    },
  }),
};
