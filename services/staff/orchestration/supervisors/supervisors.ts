import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import type { RoundStep, Workflow } from "../workflows/definitions.ts";
import { Limits } from "../workflows/definitions.ts";

export const STRATEGIES = ["round-robin", "capability", "model"] as const;
export const MOST_ROUNDS = 20;
export const MOST_MEMBERS = 10;

/** Which of several agents gets which work: in turn, by capability, or as a model chooses. */
export const Supervisor = entity("orchestration.supervisors", {
  title: "supervisor",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    name: z.string().trim().min(1).max(200),
    description: z.string().max(2_000).optional(),
    strategy: z
      .enum(STRATEGIES)
      .default("capability")
      .describe("`round-robin` by turns; `capability` by the words of agents and tools; `model` as a model says."),
    agents: z
      .array(TextId)
      .min(1)
      .max(MOST_MEMBERS)
      .refine((ids) => new Set(ids).size === ids.length, "Each agent once.")
      .optional()
      .describe("The agents to distribute work to; alternatively, `teamId` names a team."),
    teamId: TextId.optional().describe("A team of agents, whose current members get the work."),
    rounds: z.int().min(1).max(MOST_ROUNDS).default(1).describe("Maximum number of hand-overs."),
    limits: Limits.default(Limits.parse({})),
    turns: z.int(),
  },
  readonly: ["turns"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["turns"],
  filter: ["problemSetId", "strategy"],
  sort: ["name"],
  barrier,
  most: {
    count: 200,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} supervisors in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["createdBy"] }, { fields: ["agents"] }, { fields: ["teamId"], sparse: true }],
});
export type Supervisor = Item<typeof Supervisor>;

/** A run's copy of the supervisor that it began with. */
export interface Supervision {
  strategy: Supervisor["strategy"];
  agents: { id: string; words: string }[];
  /** Whose turn comes first. */
  turn: number;
}

/** Work of this many rounds: each gets the result of the one before. */
export function roundsOf(
  { name, limits, rounds: most }: Pick<Supervisor, "name" | "limits" | "rounds">,
  { task, rounds = most }: { task: string; rounds?: number | undefined },
): Workflow {
  const step = (at: number): RoundStep => ({
    id: `round-${at}`,
    kind: "round",
    round: at,
    task,
    input: {
      input: { $ref: "/input" },
      ...(at > 1 && { before: { $ref: `/steps/round-${at - 1}/output` } }),
    },
    after: at > 1 ? [{ step: `round-${at - 1}`, on: "then" }] : [],
    join: "all",
    onError: "fail",
    timeoutMs: 600_000,
  });
  return { name, limits, steps: Array.from({ length: Math.min(most, rounds) }, (_, at) => step(at + 1)) };
}
