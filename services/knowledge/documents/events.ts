import { z } from "zod";
import { REASONS } from "../../../adapters/texts/text.ts";
import { event } from "../../../core/events/event.ts";

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  title: z.string(),
  version: z.int(),
  by: z.string(),
});
export const DocumentAdded = event("knowledge.document.added", EventData, {
  activity: { subject: ["document", "id"], words: ({ title }) => `The document "${title}" was put in.` },
});
export const DocumentVersioned = event("knowledge.document.versioned", EventData, {
  activity: {
    subject: ["document", "id"],
    words: ({ title, version }) => `The document "${title}" has version ${version} now.`,
  },
});
/** Its text is there, or it is known why there is none. */
export const DocumentRead = event(
  "knowledge.document.read",
  EventData.extend({ status: z.enum(["ready", "unreadable"]), reason: z.enum(REASONS).optional() }),
  {
    activity: {
      subject: ["document", "id"],
      words: ({ title, status, reason }) =>
        status === "ready"
          ? `The document "${title}" can be read.`
          : `The document "${title}" cannot be read: ${reason}.`,
    },
  },
);
export const DocumentRemoved = event(
  "knowledge.document.removed",
  EventData.extend({ reason: z.string().optional() }),
  {
    activity: {
      subject: ["document", "id"],
      words: ({ title, reason }) => `The document "${title}" was withdrawn${reason ? `: ${reason}` : "."}`,
    },
  },
);
