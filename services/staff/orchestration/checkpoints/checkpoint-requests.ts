import { asSystem, onBehalfOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isConflict, nullIf } from "../../../../core/problem.ts";
import { CheckpointDecided, CheckpointReached } from "../events.ts";
import type { Execution } from "../executions/executions.ts";
import type { CheckpointStep } from "../workflows/definitions.ts";
import { Checkpoint, checkpointHash } from "./checkpoints.ts";

const MESH = asSystem("orchestration");

export const checkpointEvent = ({
  id,
  problemSetId,
  compartments,
  executionId,
  name,
  approver,
  for: by,
}: Checkpoint) => ({
  id,
  problemSetId,
  compartments,
  by,
  name,
  executionId,
  approver,
});

/** Requests a decision about exactly these arguments; its id is the step's, so that there is only one. */
export async function askDecision(
  host: Host,
  execution: Execution,
  {
    id,
    path,
    definition,
    final,
    compartments,
    at,
  }: {
    id: string;
    path: string;
    definition: CheckpointStep;
    final: Record<string, unknown>;
    compartments: readonly string[];
    at: string;
  },
): Promise<Checkpoint> {
  const asked = {
    problemSetId: execution.problemSetId,
    executionId: execution.id,
    step: path,
    question: definition.question,
    approver: definition.approver,
    expiresAt: iso(Date.parse(at) + definition.expiresInMs),
  };
  const hash = checkpointHash({ ...asked, arguments: final });
  const { record } = await host.store(Checkpoint).createOnce(
    onBehalfOf("orchestration", execution.by),
    {
      id,
      ...asked,
      compartments,
      name: execution.name,
      for: execution.by,
      hash,
      text: JSON.stringify(final),
      status: "pending" as const,
    },
    { facts: (made: Checkpoint) => [CheckpointReached.fact(made.id, checkpointEvent(made))] },
  );
  return record;
}

/** Cancels checkpoints whose run has ended or took another branch. */
export async function cancelCheckpoints(host: Host, which: { executionId: string } | { _id: string }): Promise<void> {
  for (const one of await host.store(Checkpoint).find(MESH, { ...which, status: "pending" })) {
    const facts = [CheckpointDecided.fact(one.id, { ...checkpointEvent(one), status: "cancelled" })];
    await host.store(Checkpoint).revise(MESH, one, { status: "cancelled" }, { facts }).catch(nullIf(isConflict));
  }
}
