import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { memberOf, personOf } from "../../../../core/access/access.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { data, list, stream, type StreamEvent } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict } from "../../../../core/problem.ts";
import { CursorMeta, feeding, Instant, PageMeta, TextId } from "../../../../core/records/entity.ts";
import { close } from "./composing.ts";
import { Execution, OVER, RUN_STATES, shownStep, StepView, WAITS_FOR, type AgentStep } from "./executions.ts";
import { MESH, stepsOf } from "./records.ts";

const set = "problemSetId";
const onExecution = { on: Execution, by: "executionId" } as const;
/** How often a followed run is read. */
const LOOK_MS = 250;

const Counted = CursorMeta.extend({ total: PageMeta.shape.total, more: PageMeta.shape.more });

interface Followed {
  run(): Promise<Execution>;
  steps(): Promise<AgentStep[]>;
}

/** A run's changes, steps first, from its present state to its end; each read checks the follower's access anew. */
async function* changesOf({ run, steps }: Followed, seen: string | undefined): AsyncGenerator<StreamEvent> {
  const told = new Map<string, number>();
  for (let before = seen; ; await delay(LOOK_MS, undefined, { ref: false })) {
    const execution = await run();
    const id = String(execution.rev);
    if (id !== before) {
      for (const step of await steps()) {
        if (told.get(step.id) !== step.rev) yield { event: "step", data: shownStep(step) };
        told.set(step.id, step.rev);
      }
      yield { id, event: "run", data: execution };
    }
    if (OVER.includes(execution.status)) return;
    before = id;
  }
}

/** Ends a run for the person: nothing of it begins any more, and its pending requests are withdrawn. */
async function cancel(host: Host, { id }: Execution, reason: string | undefined): Promise<Execution> {
  await close(host, id, { status: "cancelled", reason: reason ?? "It was cancelled." });
  const now = await host.store(Execution).get(MESH, id);
  if (now.status !== "cancelled") throw conflict(`It has ended: ${now.status}.`, { status: now.status });
  return now;
}

/** A person's runs: listing, following and cancelling them. */
export const overseeingActions = {
  "executions.list": endpoint({
    rest: "GET /agents/executions",
    summary: "List the runs of agents that you started",
    permit: "signed-in",
    beyond: true,
    within: { set, may: "agents:read" },
    query: {
      ...feeding,
      problemSetId: TextId.optional().describe("Those in this problem set alone."),
      agentId: Execution.query.agentId,
      status: z
        .array(z.enum(RUN_STATES))
        .min(1)
        .max(RUN_STATES.length)
        .optional()
        .describe("Those in one of these states."),
      waitingFor: z.enum(WAITS_FOR).optional().describe("Only those that wait for this."),
      changedSince: Instant.optional().describe("Those that changed at this moment, or later."),
    },
    returns: list(Execution.view, Counted),
    description: "Most recently changed first, including those outside problem sets.",
    async handler(ctx) {
      const { limit, cursor, problemSetId, agentId, status, waitingFor, changedSince } = ctx.params;
      const states = waitingFor ? (["waiting"] as const).filter((one) => !status || status.includes(one)) : status;
      const own = {
        by: actorOf(ctx),
        ...(problemSetId !== undefined && { problemSetId }),
        ...(agentId !== undefined && { agentId }),
        ...(states && { status: { $in: states } }),
        ...(waitingFor && { "waitingFor.what": waitingFor }),
        ...(changedSince && { updatedAt: { $gte: changedSince } }),
      };
      const runs = this.store(Execution);
      const window = { limit, order: "-updatedAt", ...(cursor && { cursor }) };
      const [{ data: rows, meta }, total] = await Promise.all([runs.feed(ctx, window, own), runs.total(ctx, own)]);
      return { data: rows, meta: { ...meta, ...total } };
    },
  }),

  "executions.streamChanges": endpoint({
    rest: "GET /agents/executions/:executionId/events",
    summary: "Follow a run of an agent",
    permit: "signed-in",
    beyond: true,
    ...onExecution,
    within: { set, may: "agents:read" },
    returns: stream({ step: StepView, run: Execution.view }),
    description:
      "The current run, then an event for each change, checked every 250 ms; `done` once it has ended. Before each " +
      "come the steps that are new or changed: what was called, with what answer. After a reconnection the steps " +
      "are told again with the next change.",
    handler(ctx, { id }) {
      const run = () => this.store(Execution).get(ctx, id);
      return changesOf({ run, steps: () => stepsOf(this, ctx, id) }, ctx.meta.lastEventId);
    },
  }),

  "executions.cancel": endpoint({
    rest: "POST /agents/executions/:executionId/cancel",
    summary: "Stop a run of an agent",
    permit: "signed-in",
    beyond: true,
    ...onExecution,
    within: { set, may: "agents:run" },
    body: { reason: z.string().trim().min(1).max(2_000).optional() },
    example: { reason: "It is not needed any longer" },
    returns: data(Execution.view),
    description:
      "It starts no act after the answer, running calls are aborted, and pending approvals are " +
      "withdrawn. Allowed to whoever started it, and to deputies and commanders. Repeating it is " +
      "harmless.",
    errors: {
      403: "It is not yours, and your role does not allow it.",
      409: "It has already ended, or is part of a workflow: cancel the workflow instead.",
    },
    handler(ctx, execution) {
      const by = personOf(ctx.meta.actor);
      if (execution.by !== by)
        memberOf(ctx.meta.actor, execution.problemSetId ?? "", "agents:manage", { writes: true });
      if (execution.plan || execution.kind === "composed")
        throw conflict("It is a part of a workflow; cancel that.", { plan: execution.plan?.id ?? null });
      return cancel(this, execution, ctx.params.reason);
    },
  }),
};
