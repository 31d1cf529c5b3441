import { z } from "zod";
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
/** Whoever looks at the record here would take it for what the people at the node know to be otherwise. */
export const EdgeChangeRefused = event(
  "picture.edge-change.refused",
  NamedFact.extend({
    node: z.string().describe("The name of the edge node."),
    field: z.string().optional(),
    delta: z.number().optional(),
    why: z.string(),
  }),
  {
    activity: {
      subject: ["edge change", "id"],
      words: ({ name, node, field, delta, why }) =>
        `A change of "${name}" on ${node} was refused (${[field, delta].filter((one) => one !== undefined).join(" ")}): ${why}`,
    },
  },
);
