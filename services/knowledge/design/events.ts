import { z } from "zod";
import { event } from "../../../core/events/event.ts";
import { SECTION_NAMES } from "./sections.ts";

export const DesignEdited = event(
  "knowledge.design.edited",
  z.object({ problemSetId: z.string(), section: z.enum(SECTION_NAMES), by: z.string() }),
  {
    activity: {
      subject: ["design", "problemSetId"],
      words: ({ section }) => `The section "${section}" of the design was edited.`,
    },
  },
);
/** The design went over to planning; what went stands in the handoff of this number. */
export const DesignHandedOff = event(
  "knowledge.design.handed-off",
  z.object({
    problemSetId: z.string(),
    handoffId: z.string(),
    number: z.int(),
    hash: z.string(),
    by: z.string(),
  }),
  {
    activity: {
      subject: ["design", "problemSetId"],
      words: ({ number }) => `The design was handed over to planning (handoff ${number}).`,
    },
  },
);
