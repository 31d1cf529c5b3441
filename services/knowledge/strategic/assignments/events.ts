import { z } from "zod";
import { event } from "../../../../core/events/event.ts";

const about = {
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  title: z.string(),
  assigneeId: z.string(),
  by: z.string(),
};
const subject = ["assignment", "id"] as const;

export const AssignmentGiven = event("knowledge.assignment.given", z.object(about), {
  activity: { subject, words: ({ title }) => `"${title}" was assigned to somebody.` },
});
export const AssignmentMoved = event(
  "knowledge.assignment.moved",
  z.object({ ...about, status: z.string(), ended: z.string().optional() }),
  {
    activity: {
      subject,
      words: ({ title, status, ended }) =>
        ended ? `"${title}" has nobody who could do it: ${ended.replace("-", " ")}.` : `"${title}" is ${status}.`,
    },
  },
);
export const AssignmentDue = event(
  "knowledge.assignment.due",
  z.object({ ...about, telling: z.enum(["reminder", "overdue"]), dueAt: z.string().optional() }),
  {
    activity: {
      subject,
      words: ({ title, telling, dueAt }) =>
        telling === "overdue"
          ? `"${title}" is overdue since ${dueAt}.`
          : `"${title}" is due${dueAt ? ` by ${dueAt}` : ""}.`,
    },
  },
);
