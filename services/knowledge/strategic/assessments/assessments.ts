import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { Citations } from "../../../../core/contract/citation.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Figure, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { ASSESSED } from "../objectives/events.ts";
import { Amount } from "../objectives/objectives.ts";

const Trend = z
  .object({
    points: z.int().describe("Values that it is made of, this one among them."),
    slope: Figure.nullable().describe(
      "Change a day (Theil-Sen); null with values of fewer than two times. A value within the hour of another " +
        "corrects it, and counts as no other time.",
    ),
    required: Figure.nullable().describe("Change a day from now on that would reach the target in time."),
    projected: Figure.nullable().describe("The expected value on the due date, by the slope."),
    expected: Figure.describe("The value now on the straight line from the beginning to the target."),
    status: z.enum(ASSESSED).describe("What follows from all this."),
  })
  .meta({ id: "ObjectiveTrend" });

/** The progress of an objective at a time, and the evidence. */
export const Assessment = entity("strategic.assessments", {
  title: "assessment",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    objectiveId: TextId,
    value: Amount.optional().describe("Of the objective's measure."),
    at: Instant.describe("When it was so."),
    status: z.enum(ASSESSED).describe("As whoever assessed it says, else as the trend says."),
    evidence: z.array(z.string().min(1).max(2_000)).min(1).max(20).describe("What shows it."),
    citations: Citations,
    trend: Trend.optional().describe("Where the objective has a measure and a date, and this a value."),
  },
  readonly: ["citations", "trend"],
  immutable: ["problemSetId", "compartments", "objectiveId"],
  sort: ["at"],
  barrier,
  most: {
    count: 5_000,
    per: ["objectiveId"],
    refusal: (count) => conflict(`An objective has at most ${count} assessments.`),
  },
  lists: [{ by: ["problemSetId", "objectiveId"] }],
  indexes: [{ fields: ["objectiveId"] }, { fields: ["createdBy"] }],
});
export type Assessment = Item<typeof Assessment>;
