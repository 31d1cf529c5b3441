import { z } from "zod";
import { event } from "../../../../core/events/event.ts";

/** An objective holds no longer as it did. */
export const ValidityAlerted = event(
  "knowledge.validity.alerted",
  z.object({
    id: z.string(),
    objectiveId: z.string(),
    problemSetId: z.string(),
    compartments: z.array(z.string()),
    title: z.string(),
    score: z.number(),
    reason: z.enum(["low", "falling"]),
    by: z.string(),
  }),
  {
    activity: {
      subject: ["objective", "objectiveId"],
      words: ({ title, score, reason }) =>
        `The objective "${title}" ${reason === "low" ? "holds no longer" : "holds less and less"}: its ` +
        `validity is ${score}.`,
    },
  },
);
