import { z } from "zod";
import { event } from "../../../core/records/event.ts";

const Told = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  name: z.string(),
  by: z.string(),
});

export const EdgeConflictFound = event("picture.edge-conflict.found", Told, {
  activity: {
    subject: ["edge conflict", "id"],
    words: ({ name }) => `"${name}" was changed by several at once; somebody must decide what holds.`,
  },
});
export const EdgeConflictResolved = event("picture.edge-conflict.resolved", Told, {
  activity: { subject: ["edge conflict", "id"], words: ({ name }) => `What holds of "${name}" was decided.` },
});
