import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { LONGEST_QUERY } from "../../../../core/text/searching/query-language.ts";
import { CYCLE_STATES } from "../events.ts";

/** In the order in which they are gone through (JP 2-0). */
export const PHASES = ["direction", "collection", "processing", "analysis", "dissemination"] as const;
export type Phase = (typeof PHASES)[number];

const said = {
  question: z.string().trim().min(3).max(1_000).describe("The question to answer."),
  hypothesis: z.string().min(3).max(1_000).optional().describe("The hypothesis; by default what the reports assert."),
  queries: z
    .array(z.string().trim().min(1).max(LONGEST_QUERY))
    .max(10)
    .describe("The search in the news, in the query language of `GET /api/search`."),
  documentIds: z.array(TextId).max(20).describe("Documents of the problem set that are weighed too."),
  hours: z.int().min(1).max(8_760).describe("How far back the news are searched."),
  stories: z.int().min(1).max(20).describe("Stories that are weighed, the best told first."),
  excluded: z.array(z.string().min(1).max(64)).max(100).describe("Stories that are left out."),
};

/** What the cycle is to answer, and from what. */
export const CycleDirection = z
  .strictObject({
    ...said,
    documentIds: said.documentIds.default([]),
    hours: said.hours.default(168),
    stories: said.stories.default(10),
    excluded: said.excluded.default([]),
  })
  .meta({ id: "CycleDirection" });
/** What a person changes of it at a checkpoint: what is left out stays, and has no default. */
export const Edits = z.strictObject(said).partial().meta({ id: "CycleEdits" });
export type CycleDirection = z.output<typeof CycleDirection>;

/** What came of a phase. */
const Outcome = z
  .object({
    phase: z.enum(PHASES),
    round: z.int().describe("Counts how often the phase was done."),
    at: Instant,
    summary: z.string(),
    stories: z.array(z.string()).describe("Stories found (collection) or chosen (processing)."),
    products: z.array(TextId).describe("Fused products that were made (analysis) or put up (dissemination)."),
  })
  .meta({ id: "CycleOutcome" });
export type PhaseOutcome = z.output<typeof Outcome>;
/** Phases that a cycle keeps the outcomes of: with revisions there are more than five. */
const MOST_OUTCOMES = 50;

export const Cycle = entity("strategic-agents.cycles", {
  title: "intelligence cycle",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    direction: CycleDirection,
    checkpoints: z
      .array(z.enum(PHASES).exclude(["dissemination"]))
      .max(4)
      .describe("Phases after which a person decides how it goes on."),
    patienceHours: z.int().min(1).max(720).describe("A checkpoint that nobody resolves for so long stops the cycle."),
    phase: z.enum(PHASES).describe("The phase that it is in, or was in last."),
    status: z.enum(CYCLE_STATES),
    step: z.int().describe("Counts phases done and checkpoints resolved."),
    run: z.int().describe("The step at which it was set going last: one job drives it from there."),
    outcomes: z.array(Outcome).describe(`In order; only the latest ${MOST_OUTCOMES}.`),
    checkpointId: TextId.optional().describe("The checkpoint that it waits at."),
    reason: z.string().optional().describe("Why it was stopped, or failed."),
    endedAt: Instant.optional(),
  },
  immutable: ["problemSetId", "compartments"],
  hidden: ["run"],
  filter: ["problemSetId", "status"],
  barrier,
  most: {
    count: 5_000,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} intelligence cycles in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["createdBy"] }, { fields: ["status", "updatedAt"] }],
});
export type Cycle = Item<typeof Cycle>;

const CHECKPOINT_STATES = ["pending", "resolved", "expired"] as const;
export const RESOLUTIONS = ["continue", "revise", "stop"] as const;

/** Where a cycle waits for a person. */
export const Checkpoint = entity("strategic-agents.checkpoints", {
  title: "checkpoint",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    cycleId: TextId,
    phase: z.enum(PHASES).describe("The phase that was done."),
    next: z.enum(PHASES).describe("The phase that follows when it goes on."),
    question: z.string(),
    outcome: Outcome.describe("What came of the phase."),
    direction: CycleDirection.describe("What it would go on with: edits change this."),
    expiresAt: Instant,
    status: z.enum(CHECKPOINT_STATES),
    resolution: z.enum(RESOLUTIONS).optional(),
    edits: Edits.optional(),
    note: z.string().optional(),
    resolvedBy: PersonId.optional(),
    resolvedAt: Instant.optional(),
  },
  immutable: ["problemSetId", "compartments", "cycleId"],
  filter: ["problemSetId", "cycleId", "status"],
  sort: ["expiresAt"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["status", "expiresAt"] }, { fields: ["cycleId"] }, { fields: ["resolvedBy"], sparse: true }],
});
export type Checkpoint = Item<typeof Checkpoint>;

export const checkpointId = (cycleId: string, step: number): string =>
  derivedId(`checkpoint of cycle ${cycleId} at step ${step}`);

export const after = (phase: Phase): Phase | undefined => PHASES[PHASES.indexOf(phase) + 1];

type Standing = Pick<Cycle, "id" | "phase" | "step" | "checkpoints" | "outcomes" | "status">;

/** What a phase that was done changes: the cycle goes on, waits for a person, or is complete. */
export function done(cycle: Standing, outcome: PhaseOutcome): Record<string, unknown> {
  const next = after(cycle.phase);
  const outcomes = [...cycle.outcomes, outcome].slice(-MOST_OUTCOMES);
  const step = cycle.step + 1;
  if (!next) return { outcomes, step, status: "completed", endedAt: outcome.at };
  if ((cycle.checkpoints as readonly Phase[]).includes(cycle.phase))
    return { outcomes, step, status: "waiting", checkpointId: checkpointId(cycle.id, step) };
  return { outcomes, step, phase: next };
}

type Resolved = Pick<Checkpoint, "status" | "resolution" | "direction" | "phase" | "next" | "edits" | "note">;

/** What a checkpoint that was resolved, or expired, changes of its cycle. Null clears. */
export function resolved(
  cycle: Pick<Cycle, "step">,
  { status, resolution, direction, phase, next, edits, note }: Resolved,
  at: string,
): Record<string, unknown> {
  const step = cycle.step + 1;
  if (status === "expired")
    return {
      step,
      status: "stopped",
      reason: "Nobody resolved its checkpoint in time.",
      checkpointId: null,
      endedAt: at,
    };
  if (resolution === "stop")
    return { step, status: "stopped", reason: note ?? "A person stopped it.", checkpointId: null, endedAt: at };
  return {
    ...{ step, run: step, status: "running", checkpointId: null },
    phase: resolution === "revise" ? phase : next,
    direction: { ...direction, ...edits },
  };
}

/** How often a phase was done already. */
export const roundOf = ({ outcomes }: Pick<Cycle, "outcomes">, phase: Phase): number =>
  outcomes.filter((one) => one.phase === phase).length + 1;

export const latest = ({ outcomes }: Pick<Cycle, "outcomes">, phase: Phase): PhaseOutcome | undefined =>
  outcomes.findLast((one) => one.phase === phase);
