import { onBehalfOf } from "../../../../core/access/caller.ts";
import { z } from "zod";
import { ACTION_CLASSES } from "../../../../config/safety.ts";
import { JointCompartments } from "../../../../core/access/place.ts";
import { bare } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { AuthorityLessened } from "../events.ts";
import { isFrozen } from "../gate/switches.ts";
import { Agent, CIRCUITS } from "../registry/agents.ts";
import { orderRun } from "./executions.actions.ts";
import { Execution, OVER, RUN_STATES, STEP_STATES } from "./executions.ts";
import { stepsOf, MESH } from "./records.ts";

const CHANGING = ACTION_CLASSES.slice(ACTION_CLASSES.indexOf("analyse") + 1);
/** How many of an agent's newest runs are read. */
const LATELY = 20;

/** For validation: an agent working on real records with simulated acts, and its circuit. */
export const trainingActions = {
  "trainings.begin": endpoint({
    summary: "Have an agent carry out a task in training: it reads, and what would change anything is simulated",
    permit: "internal",
    body: {
      agentId: TextId,
      by: z.string().describe("The person that it acts for."),
      task: z.string().max(20_000),
      input: z.record(z.string(), z.unknown()),
      problemSetId: TextId.optional(),
      delegationId: TextId.optional(),
      compartments: JointCompartments,
    },
    returns: bare(z.object({ executionId: TextId })),
    async handler(ctx) {
      const { agentId, by, ...wanted } = ctx.params;
      const agent = await this.store(Agent).get(MESH, agentId);
      return orderRun(
        this,
        { ...onBehalfOf("agents", by), locals: ctx.locals },
        agent,
        { kind: "task", training: true, ...wanted },
        by,
      );
    },
  }),

  "trainings.get": endpoint({
    summary: "What an agent did in training, with every argument",
    permit: "internal",
    body: { executionId: TextId },
    returns: bare(
      z.object({
        status: z.enum(RUN_STATES),
        isOver: z.boolean(),
        code: z.string().optional(),
        reason: z.string().optional(),
        text: z.string(),
        citations: z.int(),
        compartments: z.array(z.string()),
        acts: z.array(
          z.object({
            tool: z.string(),
            arguments: z.record(z.string(), z.unknown()),
            status: z.enum(STEP_STATES),
            changes: z.boolean(),
          }),
        ),
        ms: z.int(),
        tokens: z.int(),
        cost: z.number(),
      }),
    ),
    async handler(ctx) {
      const run = await this.store(Execution).get(MESH, ctx.params.executionId);
      const { status, code, reason, answer, compartments, usedTokens, usedCost, createdAt, startedAt, endedAt } = run;
      const steps = await stepsOf(this, MESH, run.id);
      // Quoted in place of a model that ended without a word: that is none of the agent's.
      const said = status === "completed" && run.method === "llm" && answer?.method !== "llm" ? undefined : answer;
      return {
        status,
        isOver: OVER.includes(status),
        ...(code && { code }),
        ...(reason && { reason }),
        text: said?.text ?? "",
        citations: said?.citations.length ?? 0,
        compartments,
        acts: steps.map((step) => ({
          tool: step.tool,
          arguments: step.given,
          status: step.status,
          changes: step.class === undefined || CHANGING.includes(step.class),
        })),
        ms: endedAt ? Date.parse(endedAt) - Date.parse(startedAt ?? createdAt) : 0,
        tokens: usedTokens,
        cost: usedCost,
      };
    },
  }),

  show: endpoint({
    summary: "An agent, whoever asks",
    permit: "internal",
    body: { agentId: TextId },
    returns: bare(Agent.view),
    handler(ctx) {
      return this.store(Agent).get(MESH, ctx.params.agentId);
    },
  }),

  "freezes.ask": endpoint({
    summary: "Whether agents are stopped in an emergency: everywhere, or in a problem set",
    permit: "internal",
    body: { problemSetId: TextId.optional() },
    returns: bare(z.boolean()),
    handler(ctx) {
      return isFrozen(this, ctx.params.problemSetId);
    },
  }),

  /** Everybody who sees an agent sees this: so it uses only runs in compartments that the agent lies in. */
  "runs.lately": endpoint({
    summary: "How the newest runs of an agent ended that lie where it does",
    permit: "internal",
    body: { agentId: TextId },
    returns: bare(z.array(z.object({ id: TextId, status: z.enum(RUN_STATES), endedAt: z.string().optional() }))),
    async handler(ctx) {
      const { agentId } = ctx.params;
      const { problemSetId = null, compartments } = await this.store(Agent).get(MESH, agentId);
      const query = { agentId, problemSetId, compartments: { $not: { $elemMatch: { $nin: compartments } } } };
      const over = { training: false, status: { $in: [...OVER] } };
      return this.store(Execution).find(MESH, { ...query, ...over }, { sort: ["-createdAt"], limit: LATELY });
    },
  }),

  "circuits.set": endpoint({
    summary: "Open or close an agent's circuit, where it stands as expected",
    permit: "internal",
    body: { agentId: TextId, from: z.array(z.enum(CIRCUITS)).min(1), to: z.enum(CIRCUITS) },
    returns: bare(z.boolean()),
    async handler(ctx) {
      const { agentId, from, to } = ctx.params;
      const changed = await this.store(Agent).amend(MESH, agentId, ({ circuit }) =>
        from.includes(circuit) && circuit !== to ? { circuit: to } : null,
      );
      if (changed && to !== "closed") await AuthorityLessened.emit(this, { agentId });
      return changed !== null;
    },
  }),
};
