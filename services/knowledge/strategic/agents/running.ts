import type { z } from "zod";
import type { Actor } from "../../../../core/access/access.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newRequestId } from "../../../../core/ids.ts";
import { isNotFound, isProblem, isUnserved, nullIf } from "../../../../core/problem.ts";
import type { Fact } from "../../../../core/events/event.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import { Container, jointPlace, Filing } from "../environments/environments.ts";
import type { DocumentPlaced } from "../environments/events.ts";
import { agentOf, Run, runId } from "./agents.ts";

const MESH = asSystem("strategic");
export const RUN_AGENT = "strategic.run-agent";

/** When a document is placed in a container, each of the container's agents starts on it once. */
export async function startAgents(
  this: Host,
  placed: z.output<typeof DocumentPlaced.payload>,
  fact: Fact,
): Promise<void> {
  const { id: containerId, documentId, by } = placed;
  const [container, filing] = await Promise.all([
    this.store(Container).one(MESH, { _id: containerId }),
    this.store(Filing).one(MESH, { _id: documentId }),
  ]);
  // It was taken out again before this event arrived.
  if (!container || !filing?.containerIds.includes(containerId)) return;
  for (const { agentId } of container.agents) {
    const id = runId(agentId, fact.id);
    const place = jointPlace(filing, container);
    const about = { ...place, containerId, documentId, agentId, userId: by };
    await this.store(Run).createOnce(MESH, { id, ...about, status: "waiting" });
    await this.jobs.add(RUN_AGENT, { runId: id }, { by, onlookers: place, key: id });
  }
}

/**
 * The person as of now, restricted like a key of theirs: an agent acts for its owner without being them. Null where the
 * account may do nothing.
 */
async function actingFor(host: Host, userId: string, powers: readonly string[]): Promise<Actor | null> {
  const account = await host.ask<Omit<Actor, "via"> | null>("auth.actor", { userId });
  return account && { ...account, via: "key", limits: powers };
}

type Outcome = Partial<Pick<Run, "status" | "note" | "jobId">>;

async function outcomeOf(host: Host, { agentId, documentId, userId }: Run): Promise<Outcome> {
  const agent = agentOf(agentId);
  if (!agent) return { status: "unavailable", note: "There is no such agent any more." };
  const actor = await actingFor(host, userId, agent.powers);
  if (!actor) return { status: "refused", note: "Whoever placed the document has no account any more." };
  try {
    const meta = { actor };
    const begun = await host.broker.call<{ jobId?: string } | undefined, object>(
      agent.starts,
      { documentId },
      { meta, requestID: newRequestId() },
    );
    return { status: "started", ...(begun?.jobId && { jobId: begun.jobId }) };
  } catch (error) {
    if (isUnserved(error)) return { status: "unavailable", note: "What it does is not served here." };
    if (isProblem(error) && Number(error.code) < 500) return { status: "refused", note: error.message };
    throw error;
  }
}

/** Starts an agent's work. The work is unique for a document, so that a repetition after a kill joins it. */
export async function runAgent(this: Host, { job }: JobRun<{ runId: string }>): Promise<Outcome> {
  const run = await this.store(Run).one(MESH, { _id: job.input.runId });
  if (run?.status !== "waiting") return { status: run?.status ?? "refused" };
  const outcome = await outcomeOf(this, run);
  await this.store(Run)
    .amend(MESH, run.id, ({ status }) => (status === "waiting" ? outcome : null))
    .catch(nullIf(isNotFound));
  return outcome;
}

/** Marks a run as failed after its last attempt. */
export async function giveUpAgent(this: Host, { input }: Job, reason: string): Promise<void> {
  await this.store(Run)
    .amend(MESH, String(input["runId"]), ({ status }) =>
      status === "waiting" ? { status: "failed", note: reason } : null,
    )
    .catch(nullIf(isNotFound));
}

/** Removes runs together with their container or document. */
export async function forgetRuns(this: Host, { id }: { id: string }): Promise<void> {
  await this.store(Run).removeAll(MESH, { containerId: id });
  await this.store(Run).removeAll(MESH, { documentId: id });
}
