import { z } from "zod";
import { demandFresh, personOf } from "../../../../core/access/access.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, unprocessable } from "../../../../core/problem.ts";
import { CursorMeta, feeding, TextId } from "../../../../core/records/entity.ts";
import { Agent, agentRecord, isFrozenIn, moveCircuit } from "../../agents/client.ts";
import { AgentReinstated } from "../events.ts";
import { suitePlace } from "../place.ts";
import { demandOver, onAgent } from "../runs/runs.actions.ts";
import { ValidationRun } from "../runs/runs.ts";
import { boundsFor, factsOf, lastOpened, leftOut, measured, noteMove } from "./circuits.ts";
import { lackInWords, lacks } from "./judging.ts";
import { CircuitEvent, METRICS, Threshold, thresholdId } from "./thresholds.ts";

/**
 * The run that allows an agent to return: begun after its circuit opened, in the agent's place, with the cases that
 * stopped it, and above all its thresholds. Throws 422.
 */
async function demandPassed(
  host: Host,
  caller: Caller,
  agent: Agent,
  runId: string | undefined,
): Promise<ValidationRun> {
  const opened = await lastOpened(host, agent.id);
  const { compartments: _, ...place } = suitePlace(agent);
  const query = { ...place, agentId: agent.id, status: "completed" };
  const [latest] = await host.store(ValidationRun).find(caller, query, { sort: ["-createdAt"], limit: 1 });
  const run = runId === undefined ? latest : await host.store(ValidationRun).get(caller, runId);
  const bounds = await boundsFor(host, agent.id);
  const isOwn = run?.agentId === agent.id && run.problemSetId === agent.problemSetId && run.status === "completed";
  const isAfter = isOwn && run.createdAt > (opened?.createdAt ?? "");
  if (!run || !isAfter)
    throw unprocessable(
      "NOT_PASSED",
      "runId: no validation since it was stopped came to a result; run one, or override with a proof of person.",
    );
  const lacking = lacks(measured(run), bounds);
  if (lacking.length)
    throw unprocessable(
      "NOT_PASSED",
      `runId: this validation does not bring it back: ${lacking.map(lackInWords).join("; ")}.`,
      lacking,
    );
  const left = await leftOut(host, caller, opened, run);
  if (left.length)
    throw unprocessable("NOT_PASSED", `runId: this validation leaves out cases that stopped it: ${left.join(", ")}.`, {
      cases: left,
    });
  return run;
}

export const circuitActions = {
  "circuitEvents.list": endpoint({
    rest: "GET /agents/:agentId/circuit-events",
    summary: "List the changes of an agent's circuit, and why",
    permit: "signed-in",
    ...onAgent,
    query: feeding,
    returns: list(CircuitEvent.view, CursorMeta),
    description: "Newest first. An agent whose circuit is open does nothing; one being probed can only be validated.",
    handler(ctx, agent) {
      const { limit, cursor } = ctx.params;
      const { compartments: _, ...place } = suitePlace(agent);
      return this.store(CircuitEvent).feed(ctx, { limit, ...(cursor && { cursor }) }, { ...place, agentId: agent.id });
    },
  }),

  "thresholds.list": endpoint({
    rest: "GET /thresholds",
    summary: "List the thresholds that agents must reach",
    permit: "signed-in",
    within: { set: "problemSetId", may: "set:read" },
    query: Threshold.query,
    returns: list(Threshold.view),
    handler(ctx) {
      return this.store(Threshold).page(ctx, ctx.params);
    },
  }),

  "thresholds.set": endpoint({
    rest: "PUT /thresholds",
    summary: "Set a threshold that an agent, or every agent, must reach",
    permit: "signed-in",
    body: {
      agentId: TextId.optional().describe("Every agent without its own, without it: for administrators."),
      metric: z.enum(METRICS),
      min: z.number().min(0).max(1),
      minCases: z.int().min(1).max(1_000).default(5),
      consecutive: z.int().min(1).max(10).default(1),
      hysteresis: z.number().min(0).max(0.5).default(0.05),
    },
    returns: data(Threshold.view),
    description:
      "Identified by agent and metric: created if it does not exist, otherwise changed. It applies from " +
      "the next validation on.",
    example: { agentId: "the agent's id", metric: "pass-rate", min: 0.8 },
    errors: { 404: "There is no such agent, or you do not see it." },
    async handler(ctx) {
      const { agentId, metric, ...bound } = ctx.params;
      const by = personOf(ctx.meta.actor);
      const agent = agentId
        ? await this.broker.call<Agent, object>("agents.get", { agentId }, { meta: { actor: ctx.meta.actor } })
        : { compartments: [] };
      demandOver(ctx, "problemSetId" in agent ? agent.problemSetId : undefined, "validation:manage");
      const id = thresholdId(agentId, metric);
      const made = { ...bound, updatedBy: by };
      const { record } = await this.store(Threshold).createOnce(ctx, {
        id,
        ...suitePlace(agent),
        ...(agentId && { agentId }),
        metric,
        ...made,
      });
      const isEqual = Object.entries(bound).every(([name, value]) => record[name as keyof typeof bound] === value);
      return isEqual ? record : this.store(Threshold).change(ctx, id, () => made);
    },
  }),

  "thresholds.remove": endpoint({
    rest: "DELETE /thresholds/:id",
    summary: "Remove a threshold",
    permit: "signed-in",
    on: Threshold,
    within: { set: "problemSetId", may: "validation:manage" },
    beyond: true,
    returns: nothing(),
    status: 204,
    description: "It no longer applies. A circuit that it opened stays open until somebody reinstates the agent.",
    async handler(ctx, threshold) {
      if (threshold.problemSetId === undefined) demandOver(ctx, undefined, "validation:manage");
      await this.store(Threshold).remove(ctx, threshold);
      return null;
    },
  }),

  reinstate: endpoint({
    rest: "POST /agents/:agentId/reinstate",
    summary: "Reactivate an agent that validation stopped",
    permit: "signed-in",
    ...onAgent,
    body: {
      reason: z.string().trim().min(3).max(2_000),
      runId: TextId.optional().describe("The validation that it passed; the newest without it."),
      override: z
        .boolean()
        .default(false)
        .describe("Without a validation that it passed; takes a proof of identity that is at most five minutes old."),
    },
    returns: data(Agent.view),
    description:
      "Requires a validation since it was stopped that has the cases which stopped it and exceeds every threshold by " +
      "its hysteresis (or one half, if none is set), or a person with a fresh proof of identity who takes responsibility.",
    errors: {
      403: "`STEP_UP_REQUIRED` for an override.",
      409:
        "Its circuit is not open, it is being probed, a person switched it off, or agents are stopped in an " +
        "emergency.",
      422: "`NOT_PASSED`.",
    },
    example: { reason: "Its prompt was mended; the last run passed.", runId: "the run's id" },
    async handler(ctx, agent) {
      const { reason, runId, override } = ctx.params;
      const by = personOf(ctx.meta.actor);
      demandOver(ctx, agent.problemSetId, "validation:manage");
      if (agent.status === "deactivated")
        throw conflict("A person switched it off; administrators switch it on again.");
      if (agent.circuit !== "open") throw conflict(`Its circuit is ${agent.circuit}.`, { circuit: agent.circuit });
      if (await isFrozenIn(this, agent.problemSetId)) throw conflict("Agents are stopped here in an emergency.");
      if (override) demandFresh(ctx.meta.actor, this.world.clock.now());
      const run = override ? undefined : await demandPassed(this, ctx, agent, runId);
      if (!(await moveCircuit(this, agent.id, ["open"], "closed"))) throw conflict("Its circuit moved meanwhile.");
      await noteMove(this, agent, { move: "reinstated", why: reason, runIds: run ? [run.id] : [], by }, (made) =>
        factsOf(AgentReinstated, agent, { id: made.id, by }),
      );
      return agentRecord(this, agent.id);
    },
  }),
};
