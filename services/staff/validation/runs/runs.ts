import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Figure, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { suiteFields, suiteReach } from "../place.ts";
import { Case } from "../suites/cases.ts";

export const VALIDATION_STATES = ["queued", "running", "completed", "inconclusive", "failed"] as const;
/** An inconclusive run says nothing about any answer: it neither opens nor closes a circuit. */
export const OVER: readonly string[] = ["completed", "inconclusive", "failed"];
const Share = Figure.min(0).max(1);
export const Interval = z.object({ low: Share, high: Share }).describe("Of the pass rate: Wilson's, 95 %.");

/** One agent tested with one suite. */
export const ValidationRun = entity("validation.runs", {
  title: "validation run",
  fields: {
    ...suiteFields,
    agentId: TextId,
    agentName: z.string(),
    agentVersion: z.int(),
    where: TextId.optional().describe("The problem set that an agent of every set was tried in."),
    delegationId: TextId.optional(),
    suite: z.string().describe("The suite's id, `baseline`, or `own` for cases sent along."),
    suiteName: z.string(),
    cases: z.array(Case).describe("As they were when it began."),
    repeats: z.int(),
    model: z.string().optional().describe("The agent's model; absent without one."),
    line: z.string().describe("Suite, agent, model and prompt as one hash: only runs of one line can be compared."),
    status: z.enum(VALIDATION_STATES),
    done: z.int().describe("Answers that were judged."),
    score: Share.optional().describe("Mean of the cases' means; absent where nothing came to a result."),
    passRate: Share.optional().describe("Cases that passed in every repetition, of the conclusive ones."),
    interval: Interval.optional(),
    conclusive: z.int().describe("Cases that came to a result."),
    inconclusive: z.int().describe("Answers that did not, because the model was away or ran out of time."),
    tokens: z.int(),
    cost: Figure.optional(),
    by: PersonId,
    endedAt: Instant.optional(),
    reason: z.string().optional().describe("Why it failed."),
  },
  readonly: ["status"],
  immutable: ["problemSetId"],
  hidden: ["scope"],
  filter: ["problemSetId", "agentId", "status"],
  sort: ["endedAt"],
  barrier: suiteReach,
  lists: [
    { by: ["problemSetId"], few: ["status"] },
    { by: ["scope"], few: ["status"] },
    { by: ["problemSetId", "agentId", "status"], sort: ["-createdAt"], filter: [] },
    { by: ["scope", "agentId", "status"], sort: ["-createdAt"], filter: [] },
  ],
  indexes: [
    { fields: ["agentId", "status", "-createdAt"] },
    { fields: ["status"] },
    { fields: ["by"] },
    { fields: ["endedAt"], sparse: true },
  ],
});
export type ValidationRun = Item<typeof ValidationRun>;

/** One answer that was judged. */
export const CaseOutcome = entity("validation.outcomes", {
  title: "outcome",
  fields: {
    ...suiteFields,
    runId: TextId,
    agentId: TextId,
    caseId: z.string(),
    repeat: z.int(),
    executionId: TextId.optional().describe("The run of the agent, in training mode."),
    inconclusive: z.string().optional().describe("Why it came to no result."),
    score: Share.optional(),
    passed: z.boolean().optional(),
    assertions: z.array(
      z.object({ kind: z.string(), score: Share, why: z.string(), weight: z.number(), critical: z.boolean() }),
    ),
    answer: z.string().optional().describe("Its first 2,000 characters."),
    steps: z.int(),
    ms: z.int(),
    tokens: z.int(),
    cost: Figure.optional(),
    judge: z
      .object({ model: z.string(), promptHash: z.string() })
      .optional()
      .describe("Who judged by rubric, asked what."),
  },
  immutable: ["problemSetId"],
  hidden: ["scope"],
  barrier: suiteReach,
  indexes: [
    { fields: ["runId", "caseId", "repeat"], unique: true },
    { fields: ["agentId", "-createdAt"] },
    { fields: ["createdBy"] },
  ],
});
export type CaseOutcome = Item<typeof CaseOutcome>;
