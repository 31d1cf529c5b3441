import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { HigherSetId } from "../../../../core/access/set-reference.ts";
import { Citations } from "../../../../core/contract/citation.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

export const OBJECTIVE_STATES = ["draft", "submitted", "in_review", "approved", "rejected", "superseded"] as const;
export type ObjectiveState = (typeof OBJECTIVE_STATES)[number];
export const METHODS = ["manual", "heuristic", "llm"] as const;
export const OBJECTIVE_KINDS = ["end-state", "goal", "objective", "task"] as const;

/** How many of the latest lines an objective's history keeps. */
export const MOST_LINES = 500;

const Confidence = z
  .object({
    value: z.number().min(0).max(1),
    parts: z.array(z.object({ part: z.string(), value: z.number() })).describe("What adds up to it."),
  })
  .meta({ id: "ObjectiveConfidence" });

/** A measured amount, within bounds in which slopes and projections remain numbers. */
export const Amount = z.number().min(-1e15).max(1e15);

/** How it is measured whether the objective is reached. */
export const Measure = z
  .strictObject({
    indicator: z.string().min(1).max(300).describe("What is counted or measured."),
    unit: z.string().min(1).max(60).optional(),
    baseline: Amount.optional().describe("Where it begins."),
    target: Amount.describe("Where it must get."),
    keep: z.enum(["at-least", "at-most"]).optional().describe("The target is kept, not reached."),
  })
  .meta({ id: "ObjectiveMeasure" });
export type Measure = z.output<typeof Measure>;

const statement = z.string().trim().min(3).max(2_000);
const description = z.string().max(10_000);
const owner = z.string().min(1).max(200);

/** Fields that people and extraction fill alike. */
const said = {
  statement,
  description: description.optional(),
  kind: z.enum(OBJECTIVE_KINDS).optional(),
  measure: Measure.optional(),
  dueAt: Instant.optional().describe("By when it must be reached."),
  owner: owner.optional().describe("Who answers for it, in words: a staff section, a unit, an office."),
};

/** What a repeated extraction would have written over a person's edits. */
export const Proposal = z
  .object({
    ...said,
    documentVersion: z.int(),
    citations: Citations,
    confidence: Confidence,
    method: z.enum(METHODS).exclude(["manual"]),
    at: Instant,
  })
  .meta({ id: "ObjectiveProposal" });

const Line = z.object({
  act: z.string(),
  at: Instant,
  by: PersonId,
  role: z.string().optional(),
  note: z.string().optional(),
  from: z.enum(OBJECTIVE_STATES),
  to: z.enum(OBJECTIVE_STATES),
});

export const Objective = entity("strategic.objectives", {
  title: "objective",
  fields: {
    problemSetId: TextId.describe("The problem set that the objective lies in."),
    compartments: Compartments,
    documentId: TextId.optional().describe("The document that it was found in."),
    documentVersion: z.int().optional(),
    ...said,
    citations: Citations.describe("The words that it comes from."),
    confidence: Confidence,
    method: z.enum(METHODS).describe("Written by hand, found by rules, or by the language model."),
    status: z.enum(OBJECTIVE_STATES),
    edited: z.boolean().describe("A person wrote or touched it: extraction leaves it alone."),
    proposal: Proposal.optional().describe("What extraction found since for an objective that a person touched."),
    supersedes: TextId.optional().describe("The objective that gives way once this one is approved."),
    supersededBy: TextId.optional(),
    submittedBy: PersonId.optional(),
    submittedAt: Instant.optional(),
    reviewer: PersonId.optional().describe("Who took it for review."),
    decidedBy: PersonId.optional(),
    decidedAt: Instant.optional(),
    reason: z.string().optional().describe("Why it was rejected or passed up."),
    escalatedTo: z
      .strictObject({
        problemSetId: HigherSetId.optional().describe("Absent where you are no member of it."),
        objectiveId: TextId,
      })
      .optional()
      .describe("Where in the parent the verdict was passed up to; it waits there while it is `in_review` here."),
    escalatedFrom: z.strictObject({ problemSetId: TextId, objectiveId: TextId }).optional(),
    history: z.array(Line).describe(`What was done about it, in order; of very much the latest ${MOST_LINES}.`),
  },
  readonly: [
    "documentId",
    "documentVersion",
    "citations",
    "confidence",
    "method",
    "status",
    "edited",
    "proposal",
    "supersededBy",
    "submittedBy",
    "submittedAt",
    "reviewer",
    "decidedBy",
    "decidedAt",
    "reason",
    "escalatedTo",
    "escalatedFrom",
    "history",
  ],
  immutable: ["problemSetId", "compartments", "supersedes"],
  hidden: ["history"],
  filter: ["problemSetId", "documentId", "status", "kind"],
  sort: ["dueAt"],
  barrier,
  most: {
    count: 10_000,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} objectives in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    { fields: ["documentId"], sparse: true },
    { fields: ["supersedes"], sparse: true },
    { fields: ["createdBy"] },
    { fields: ["decidedBy"], sparse: true },
  ],
});
export type Objective = Item<typeof Objective>;
