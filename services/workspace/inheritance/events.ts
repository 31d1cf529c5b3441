import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { Direction } from "./context.ts";
import { RFI_STATES } from "./rfis.ts";

/** Something that passes down was laid down, changed or taken back in a problem set. */
export const DirectionChanged = event(
  "workspace.direction.changed",
  z.object({
    problemSetId: z.string(),
    compartments: z.array(z.string()),
    id: z.string(),
    by: z.string(),
    removed: z.boolean(),
    /** The three are not told by a node of an older version. */
    changed: z.boolean().optional(),
    kind: Direction.view.shape.kind.optional(),
    title: z.string().optional(),
  }),
  {
    activity: {
      subject: ["direction", "id"],
      words: ({ removed, changed, kind, title }) =>
        `${kind && title !== undefined ? `The ${kind} "${title}"` : "A direction"} was ` +
        `${removed ? "taken back" : changed ? "changed" : "laid down"}.`,
    },
  },
);
export const ContextAcknowledged = event(
  "workspace.inherited-context.acknowledged",
  z.object({ problemSetId: z.string(), version: z.string(), by: z.string() }),
);

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  parentId: z.string(),
  compartments: z.array(z.string()),
  title: z.string(),
  by: z.string(),
});
export const RfiAsked = event("workspace.rfi.asked", EventData, {
  activity: {
    subject: ["rfi", "id"],
    also: "parentId",
    words: ({ title }) => `Information was requested: ${title}`,
  },
});
export const RfiMoved = event("workspace.rfi.moved", EventData.extend({ status: z.enum(RFI_STATES) }), {
  activity: {
    subject: ["rfi", "id"],
    also: "parentId",
    words: ({ title, status }) => `The request "${title}" is ${status}.`,
  },
});
export const RfiMessaged = event("workspace.rfi.messaged", EventData.extend({ from: z.enum(["child", "parent"]) }), {
  activity: {
    subject: ["rfi", "id"],
    also: "parentId",
    words: ({ title }) => `There is a message about "${title}".`,
  },
});
