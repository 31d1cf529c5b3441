import { shortened } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import { event } from "../../../../core/events/event.ts";
import { OBJECTIVE_STATES } from "./objectives.ts";

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  /** The beginning of its statement. */
  title: z.string(),
  by: z.string(),
});

const CHANGES = {
  created: "was written",
  extracted: "was found in a document",
  edited: "was changed",
  removed: "was removed",
  submitted: "was put up for review",
  taken: "is in review",
  commented: "has a comment",
  escalated: "was passed up to the parent",
} as const;
type Change = keyof typeof CHANGES;

export const ObjectiveChanged = event(
  "knowledge.objective.changed",
  EventData.extend({
    change: z.enum(Object.keys(CHANGES) as [Change, ...Change[]]),
    to: z.object({ problemSetId: z.string(), objectiveId: z.string() }).optional(),
    reason: z.string().optional(),
  }),
  {
    activity: {
      subject: ["objective", "id"],
      words: ({ title, change }) => `The objective "${title}" ${CHANGES[change]}.`,
    },
  },
);
/** Approved, rejected, or superseded. */
export const ObjectiveDecided = event(
  "knowledge.objective.decided",
  EventData.extend({
    status: z.enum(OBJECTIVE_STATES).extract(["approved", "rejected", "superseded"]),
    reason: z.string().optional(),
  }),
  {
    activity: {
      subject: ["objective", "id"],
      words: ({ title, status, reason }) => `The objective "${title}" was ${status}${reason ? `: ${reason}` : "."}`,
    },
  },
);
export const ASSESSED = ["on-track", "at-risk", "off-track", "achieved"] as const;
export const ObjectiveAssessed = event(
  "knowledge.objective.assessed",
  EventData.extend({ status: z.enum(ASSESSED), assessmentId: z.string() }),
  {
    activity: {
      subject: ["objective", "id"],
      words: ({ title, status }) => `The objective "${title}" is ${status.replace("-", " ")}.`,
    },
  },
);

const LONGEST_TITLE = 120;
/** The data of every fact about an objective. */
export const objectiveEvent = (
  objective: { id: string; problemSetId: string; compartments: string[]; statement: string },
  by: string,
) => {
  const { id, problemSetId, compartments, statement } = objective;
  const title = shortened(LONGEST_TITLE, statement);
  return { id, problemSetId, compartments, title, by };
};
