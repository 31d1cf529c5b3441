import { z } from "zod";
import { derivedId } from "../../../../core/ids.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { suiteFields, suiteReach } from "../place.ts";

export const METRICS = ["score", "pass-rate"] as const;

/**
 * A value that an agent must reach, or it is stopped; one for each agent and metric. Without an agent it holds for all.
 */
export const Threshold = entity("validation.thresholds", {
  title: "threshold",
  fields: {
    ...suiteFields,
    agentId: TextId.optional().describe("The agent it applies to; without it, every agent."),
    metric: z.enum(METRICS),
    min: z.number().min(0).max(1).describe("Below this the agent's circuit opens."),
    minCases: z.int().min(1).max(1_000).default(5).describe("Runs of fewer cases that came to a result open nothing."),
    consecutive: z.int().min(1).max(10).default(1).describe("This many consecutive runs of one line."),
    hysteresis: z
      .number()
      .min(0)
      .max(0.5)
      .default(0.05)
      .describe("How far above it a run must be to close the circuit."),
    updatedBy: PersonId.optional(),
  },
  readonly: ["scope", "compartments", "updatedBy"],
  immutable: ["problemSetId"],
  hidden: ["scope"],
  filter: ["problemSetId", "agentId"],
  barrier: suiteReach,
  lists: [{ by: ["problemSetId"] }, { by: ["scope"] }],
  indexes: [{ fields: ["agentId"], sparse: true }],
});
export type Threshold = Item<typeof Threshold>;

export const thresholdId = (agentId: string | undefined, metric: string): string =>
  derivedId(`validation.thresholds/${agentId ?? "all"}/${metric}`);

const CIRCUIT_MOVES = ["opened", "probing", "passed", "failed-again", "reinstated"] as const;

/** A change of an agent's circuit, and its cause. */
export const CircuitEvent = entity("validation.circuit-events", {
  title: "circuit event",
  fields: {
    ...suiteFields,
    agentId: TextId,
    move: z.enum(CIRCUIT_MOVES),
    why: z.string().max(2_000),
    by: PersonId.optional().describe("Who did it; nobody where a threshold did."),
    metric: z.string().optional(),
    value: z.number().optional(),
    min: z.number().optional(),
    runIds: z.array(TextId).describe("The validation runs, or runs of the agent, that it rests on."),
  },
  immutable: ["problemSetId"],
  hidden: ["scope"],
  barrier: suiteReach,
  lists: [
    { by: ["problemSetId", "agentId"], sort: ["-createdAt"], filter: [] },
    { by: ["scope", "agentId"], sort: ["-createdAt"], filter: [] },
  ],
  indexes: [{ fields: ["agentId", "move", "-createdAt"] }, { fields: ["agentId", "-createdAt"] }],
});
export type CircuitEvent = Item<typeof CircuitEvent>;
