import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { LEVEL_NAMES, RISK_LEVELS, PROBABILITIES, RISK_SEVERITIES } from "./matrix.ts";

const Estimate = z
  .strictObject({
    probability: z.enum(PROBABILITIES),
    severity: z.enum(RISK_SEVERITIES),
  })
  .meta({ id: "RiskEstimate" });
const Level = z.enum(RISK_LEVELS);

const RISK_STATES = ["proposed", "accepted", "returned"] as const;

/** A risk to an objective: its level, and the level with controls. */
export const Risk = entity("strategic.risks", {
  title: "risk assessment",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    objectiveId: TextId,
    hazard: z.string().min(3).max(2_000).describe("What may go wrong."),
    before: Estimate.describe("Without controls."),
    controls: z
      .array(
        z.strictObject({ text: z.string().trim().min(1).max(1_000), owner: z.string().min(1).max(200).optional() }),
      )
      .max(50)
      .default([])
      .describe("What is done about it."),
    after: Estimate.optional().describe("With the controls; as without them, where it is absent."),
    initialLevel: Level.describe("Of `before`, by ATP 5-19: EH extremely high, H high, M medium, L low."),
    residualLevel: Level.describe("With the controls."),
    status: z.enum(RISK_STATES),
    reviewedBy: PersonId.optional(),
    reviewedAt: Instant.optional(),
    reason: z.string().optional(),
    /** Only where the residual level is high. */
    high: z.literal(true).optional(),
  },
  readonly: ["initialLevel", "residualLevel", "status", "reviewedBy", "reviewedAt", "reason", "high"],
  immutable: ["problemSetId", "compartments", "objectiveId"],
  hidden: ["high"],
  filter: ["problemSetId", "status", "residualLevel"],
  barrier,
  most: {
    count: 200,
    per: ["objectiveId"],
    refusal: (count) => conflict(`An objective has at most ${count} risk assessments.`),
  },
  lists: [
    { by: ["problemSetId", "objectiveId"], filter: ["status", "residualLevel"] },
    { by: ["problemSetId"], having: "high" },
  ],
  indexes: [{ fields: ["objectiveId"] }, { fields: ["createdBy"] }, { fields: ["reviewedBy"], sparse: true }],
});
export type Risk = Item<typeof Risk>;

const EventData = z.object({
  id: z.string(),
  objectiveId: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  title: z.string(),
  level: Level,
  by: z.string(),
});
export const RiskAssessed = event("knowledge.risk.assessed", EventData, {
  activity: {
    subject: ["objective", "objectiveId"],
    words: ({ title, level }) => `A risk was assessed as ${LEVEL_NAMES[level]}: ${title}`,
  },
});
export const RiskReviewed = event(
  "knowledge.risk.reviewed",
  EventData.extend({ status: z.enum(RISK_STATES).extract(["accepted", "returned"]) }),
  {
    activity: {
      subject: ["objective", "objectiveId"],
      words: ({ title, level, status }) => `A risk that is ${LEVEL_NAMES[level]} was ${status}: ${title}`,
    },
  },
);
