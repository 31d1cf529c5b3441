import { z } from "zod";
import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { invalid, tooMany } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { seated } from "../../seats.ts";
import type { AgentPin } from "../../agents/client.ts";
import type { Workflow } from "../workflows/definitions.ts";
import { Execution, LONGEST_LIFE_MS } from "./executions.ts";
import { begin } from "./records.ts";

const MOST_RUNNING = 20;
const LONGEST_INPUT = 65_536;

export const Begun = data(z.object({ executionId: TextId }));

/** Throws 400 for an input that is too long. */
export function smallInput(input: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(input).length > LONGEST_INPUT)
    throw invalid([{ path: "input", message: "At most 64 KiB as JSON." }]);
  return input;
}

interface Order {
  problemSetId: string;
  compartments: readonly string[];
  definition: Workflow;
  input: Record<string, unknown>;
  pins: readonly AgentPin[];
  supervisorId?: string;
  by: string;
}

/** Stores a run for a person, and starts it. Throws 429 where they have too many. */
export async function orderExecution(
  host: Host,
  ctx: Caller,
  { by, ...wanted }: Order,
): Promise<{ executionId: string }> {
  const now = host.world.clock.now();
  const fields = {
    ...wanted,
    definition: JSON.stringify(wanted.definition),
    input: JSON.stringify(wanted.input),
    origin: wanted.compartments,
    by,
    name: wanted.definition.name,
    runs: [],
    limits: wanted.definition.limits,
    status: "queued",
    expiresAt: iso(now + LONGEST_LIFE_MS),
    ranMs: 0,
    tokens: 0,
    cost: 0,
    dueAt: iso(now),
  };
  const execution = await seated(host, ctx, Execution, fields, {
    by,
    most: MOST_RUNNING,
    active: { by, status: { $in: ["queued", "running", "waiting"] } },
    refusal: () => tooMany(`You have ${MOST_RUNNING} workflows that have not ended.`, 30),
  });
  await begin(host, execution);
  return { executionId: execution.id };
}
