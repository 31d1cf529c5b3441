import { z } from "zod";
import { EFFECTS } from "../../../../config/tools.ts";
import type { AccessRights } from "../../../../core/access/access.ts";
import { onBehalfOf, type Caller } from "../../../../core/access/caller.ts";
import { JointCompartments } from "../../../../core/access/place.ts";
import { describeNames } from "../../../../core/access/person-reference.ts";
import { bare, data } from "../../../../core/contract/answer.ts";
import type { PublishedEndpoint } from "../../../../core/contract/catalogue.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { strayIn } from "../../../../core/contract/documents/schema-paths.ts";
import { inWords, isProblem } from "../../../../core/problem.ts";
import { Figure, TextId } from "../../../../core/records/entity.ts";
import { demandUsable, ownDelegation } from "../delegations/delegations.actions.ts";
import { toolsNamed, type Definition } from "../gate/definitions.ts";
import { Plan } from "../gate/plans.actions.ts";
import { Agent } from "../registry/agents.ts";
import { ToolChoice } from "../tools/tools.ts";
import { actFor, close, concerns, drop, openPaths } from "./composing.ts";
import { orderRun, pinned } from "./executions.actions.ts";
import { AgentAnswer, Execution, Pinned, RUN_STATES, AgentStep, StepView } from "./executions.ts";
import { MESH } from "./records.ts";

/** The most runs of one plan: one for each of its agents, and one task for each of its steps. */
const MOST_RUNS = 2_000;
const Wide = z.strictObject({
  calls: z.int().min(1).max(1_000).optional(),
  tokens: z.int().min(1).max(200_000).optional(),
  cost: z.number().positive().optional(),
});
/** What was read before an act. */
export const Before = z.strictObject({ compartments: z.array(TextId), isTainted: z.boolean() });
const Planned = z.strictObject({ agentVersion: z.int(), tools: z.array(Pinned) });

const Use = z.strictObject({
  path: z.string().describe("Where it stands in the plan: what the faults are named by."),
  agentId: z.string().max(64),
  delegationId: TextId.optional(),
  tool: z.string().max(100).optional(),
  /** With `{"$ref": …}` in place of values known only during the run. */
  arguments: z.record(z.string(), z.unknown()).optional(),
  reads: z.array(z.object({ path: z.string(), parts: z.array(z.string()) })).optional(),
});
type Use = z.output<typeof Use>;
const Fault = z.object({ path: z.string(), message: z.string() });
type Fault = z.output<typeof Fault>;

/** Faults in a plan's arguments for a tool, as far as they are known before it runs. */
function misfits({ path, tool, arguments: given = {} }: Use, known: ReadonlyMap<string, Definition>): Fault[] {
  const definition = known.get(tool ?? "");
  if (!definition) return [{ path: `${path}.tool`, message: "There is no such tool." }];
  const set = definition.endpoint.contract.within?.set;
  const parsed = definition.schema.safeParse(
    set && set in definition.schema.shape ? { [set]: "set", ...given } : given,
  );
  const open = openPaths(given);
  const fault = (at: readonly PropertyKey[], message: string): Fault => ({
    path: [path, "arguments", ...at.map(String)].join("."),
    message,
  });
  return (parsed.error?.issues ?? []).flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => fault([...issue.path, key], "The tool takes no such argument."));
    return concerns(issue.path.join("."), open) ? [] : [fault(issue.path, issue.message)];
  });
}

const answers = new WeakMap<PublishedEndpoint, unknown>();
/** The JSON Schema of an operation's answer, as the output of a step. */
function answerOf(endpoint: PublishedEndpoint): unknown {
  const known = answers.get(endpoint);
  if (known) return known;
  const { value } = endpoint.contract.returns;
  const schema = z.toJSONSchema(value, { io: "output", unrepresentable: "any", override: describeNames });
  answers.set(endpoint, schema);
  return schema;
}

/** References into a tool's answer that its declared schema can never satisfy. */
function straysOf({ tool, reads = [] }: Use, known: ReadonlyMap<string, Definition>): Fault[] {
  const definition = known.get(tool ?? "");
  if (!definition || !reads.length) return [];
  const schema = answerOf(definition.endpoint);
  return reads.flatMap(({ path, parts }) => {
    const stray = strayIn(schema, parts);
    return stray === undefined
      ? []
      : [{ path, message: `The answer of ${tool} has no ${JSON.stringify(stray)} at /${parts.join("/")}.` }];
  });
}

interface Planning {
  problemSetId: string;
  compartments: readonly string[];
  by: string;
  /** The person with their present access. */
  reader: Caller;
}

/** Checks an agent for use in a plan, and answers the version and tools to pin. */
async function checked(
  host: Host,
  { problemSetId, compartments, by, reader }: Planning,
  agentId: string,
  uses: readonly Use[],
) {
  const faults: Fault[] = [];
  const refused = (message: string) => ({
    faults: uses.map((one) => ({ path: `${one.path}.agent`, message })),
    pins: undefined,
  });
  const [{ path, delegationId } = { path: "", delegationId: undefined }] = uses;
  const agent = await host.store(Agent).one(reader, { _id: agentId });
  if (!agent || (agent.problemSetId !== undefined && agent.problemSetId !== problemSetId))
    return refused("There is no such agent here.");
  if (!agent.compartments.every((id) => compartments.includes(id)))
    return refused("It lies in a compartment that what names it does not lie in.");
  try {
    demandUsable(agent, problemSetId);
    const delegation = await ownDelegation(host, MESH, { agentId, problemSetId, by }, delegationId);
    const tools = await pinned(host, agent, delegation, undefined);
    const lacking = uses.filter(({ tool }) => tool !== undefined && !tools.some(({ name }) => name === tool));
    faults.push(
      ...lacking.map((use) => ({
        path: `${use.path}.tool`,
        message: "It is not both the agent's and delegated to it.",
      })),
    );
    return { faults, pins: { agentId, delegationId: delegation.id, agentVersion: agent.version, tools } };
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { faults: [{ path: `${path}.agent`, message: inWords(error) }], pins: undefined };
  }
}

/** A caller with the person's present access. */
async function asReader(host: Host, userId: string): Promise<Caller> {
  const standing = await host.ask<AccessRights | null>("auth.actor", { userId });
  return { meta: { actor: { userId, roles: [], permits: [], ...standing, via: "system" } }, locals: {} };
}

/** For domains that compose acts of agents: they own the plan, and every act passes the gate here. */
export const composedActions = {
  "runs.check": endpoint({
    summary: "What of a plan's agents, tools and arguments would not do, and the versions that it holds",
    permit: "internal",
    body: {
      problemSetId: TextId,
      compartments: JointCompartments.describe("Where the plan lies, and is read."),
      by: z.string(),
      uses: z.array(Use).max(1_000),
    },
    returns: bare(
      z.object({
        faults: z.array(Fault),
        strays: z.array(Fault),
        pins: z.array(Planned.extend({ agentId: z.string(), delegationId: z.string() })),
      }),
    ),
    async handler(ctx) {
      const { uses, ...asked } = ctx.params;
      const planning = { ...asked, reader: await asReader(this, asked.by) };
      const byAgent = [...Map.groupBy(uses, ({ agentId }) => agentId)];
      const all = await Promise.all(byAgent.map(([agentId, own]) => checked(this, planning, agentId, own)));
      const known = await toolsNamed(this, [...new Set(uses.flatMap(({ tool }) => tool ?? []))]);
      const unfit = uses.filter(({ tool }) => tool !== undefined).flatMap((use) => misfits(use, known));
      return {
        faults: [...all.flatMap(({ faults }) => faults), ...unfit],
        strays: uses.flatMap((use) => straysOf(use, known)),
        pins: all.flatMap(({ pins }) => (pins ? [pins] : [])),
      };
    },
  }),

  "runs.open": endpoint({
    summary: "Open a run whose acts another domain asks for one by one, or a task of its plan",
    permit: "internal",
    body: {
      agentId: TextId,
      by: z.string().describe("The person that it acts for."),
      kind: z.enum(["composed", "task"]).default("composed"),
      task: z.string().max(20_000),
      input: z.record(z.string(), z.unknown()).default({}),
      isTainted: z.boolean().optional(),
      problemSetId: TextId.optional(),
      delegationId: TextId.optional(),
      compartments: JointCompartments,
      tools: z.array(ToolChoice).optional(),
      limits: Wide.optional(),
      pins: Planned.optional(),
      plan: Plan.optional(),
    },
    returns: data(z.object({ executionId: TextId })),
    async handler(ctx) {
      const { agentId, by, ...wanted } = ctx.params;
      const caller = { ...onBehalfOf("agents", by), locals: ctx.locals };
      return orderRun(this, caller, await this.store(Agent).get(MESH, agentId), wanted, by);
    },
  }),

  "runs.show": endpoint({
    summary: "A run as it stands",
    permit: "internal",
    body: { executionId: TextId },
    returns: bare(
      z.object({
        status: z.enum(RUN_STATES),
        waitingFor: z.object({ what: z.string(), id: z.string() }).optional(),
        reason: z.string().optional(),
        code: z.string().optional(),
        answer: AgentAnswer.optional(),
        method: z.string().optional(),
        compartments: z.array(z.string()),
        usedCalls: z.int(),
        usedTokens: z.int(),
        usedCost: Figure,
      }),
    ),
    handler(ctx) {
      return this.store(Execution).get(MESH, ctx.params.executionId);
    },
  }),

  act: endpoint({
    summary: "One act of an agent, through the gate: done, refused, or put before a person",
    permit: "internal",
    description:
      "Known by its key within the run: asked for again, after a kill or when its approval was decided, it goes " +
      "on, and does nothing twice.",
    body: {
      executionId: TextId,
      key: z.string().min(1).max(400),
      tool: z.string().max(100),
      arguments: z.record(z.string(), z.unknown()),
      before: Before.optional().describe("What other runs of the composition have read before."),
      again: z.boolean().optional().describe("Whether one that failed is tried again."),
    },
    returns: data(StepView),
    handler(ctx) {
      const { executionId, key, before, again, ...proposal } = ctx.params;
      return actFor(this, executionId, key, proposal, { before, again });
    },
  }),

  "acts.drop": endpoint({
    summary: "An act of a composed run that waits for a person is asked for no longer",
    permit: "internal",
    body: { executionId: TextId, key: z.string().min(1).max(400) },
    returns: bare(z.null()),
    async handler(ctx) {
      await drop(this, ctx.params.executionId, ctx.params.key);
      return null;
    },
  }),

  "acts.out": endpoint({
    summary: "Acts of runs that have changed something, may have, or are about to",
    permit: "internal",
    body: { executionIds: z.array(TextId).max(MOST_RUNS) },
    returns: bare(
      z.array(
        z.object({
          executionId: TextId,
          key: z.string().optional(),
          tool: z.string(),
          effect: z.enum(EFFECTS),
          status: z.enum(["intended", "done", "unknown"]),
        }),
      ),
    ),
    async handler(ctx) {
      const query = { executionId: { $in: ctx.params.executionIds }, status: { $in: ["intended", "done", "unknown"] } };
      const acts = await this.store(AgentStep).find(MESH, query, { sort: ["executionId", "seq"] });
      return acts.filter(({ effect }) => effect !== undefined && effect !== "read") as never;
    },
  }),

  "runs.close": endpoint({
    summary: "End a run that another domain began",
    permit: "internal",
    body: {
      executionId: TextId,
      status: z.enum(["completed", "stopped", "failed"]),
      reason: z.string().max(2_000).optional(),
    },
    returns: bare(z.null()),
    async handler(ctx) {
      const { executionId, ...how } = ctx.params;
      await close(this, executionId, how);
      return null;
    },
  }),
};
