import { event } from "../../../core/events/event.ts";
import { NamedFact } from "../place.ts";

export const EdgeConflictFound = event("picture.edge-conflict.found", NamedFact, {
  activity: {
    subject: ["edge conflict", "id"],
    words: ({ name }) => `"${name}" was changed by several at once; somebody must decide what holds.`,
  },
});
export const EdgeConflictResolved = event("picture.edge-conflict.resolved", NamedFact, {
  activity: { subject: ["edge conflict", "id"], words: ({ name }) => `What holds of "${name}" was decided.` },
});
