import { z } from "zod";
import { liveType } from "../../../core/contract/live.ts";
import { event } from "../../../core/events/event.ts";
import { LAYER_STATES } from "./layers/layers.ts";
import { NamedFact } from "../place.ts";

export const LayerAdded = event("picture.layer.added", NamedFact, {
  activity: { subject: ["layer", "id"], words: ({ name }) => `The layer "${name}" was added.` },
});
export const LayerDrawn = event("picture.layer.drawn", NamedFact.extend({ version: z.int() }), {
  activity: {
    subject: ["layer", "id"],
    words: ({ name, version }) => `The layer "${name}" has a version ${version}.`,
  },
});
export const LayerMoved = event(
  "picture.layer.moved",
  NamedFact.extend({ from: z.enum(LAYER_STATES), to: z.enum(LAYER_STATES), reason: z.string().optional() }),
  {
    activity: {
      subject: ["layer", "id"],
      words: ({ name, from, to, reason }) =>
        from === "cop"
          ? `The layer "${name}" was recalled from the COP: ${reason ?? ""}`
          : to === "cop"
            ? `The layer "${name}" is on the COP.`
            : `The layer "${name}" went from ${from} to ${to}.`,
    },
  },
);
export const FeedbackGiven = event("picture.layer.feedback-given", NamedFact.extend({ blocking: z.boolean() }), {
  activity: {
    subject: ["layer", "id"],
    words: ({ name, blocking }) =>
      blocking ? `The layer "${name}" was objected to.` : `The layer "${name}" was remarked on.`,
  },
});
export const WatchTurned = event("picture.cop-watch.turned", NamedFact.extend({ on: z.boolean() }), {
  activity: { words: ({ on }) => (on ? "The watch over the picture was turned on." : "The watch was turned off.") },
});

/** A hint to whichever node watches: something that layers show may have changed. */
export const SourceChanged = event(
  "picture.cop-source.changed",
  z.object({
    /** By the problem set, or the mode, that it is the picture of. */
    picture: z.string(),
    source: z.string().optional(),
    /** Of the source, those that came, changed or went. */
    recordIds: z.array(z.string()).optional(),
    layerId: z.string().optional(),
    /** All was made by hand: what the watch has in memory is of before. */
    isMade: z.boolean().optional(),
  }),
);

export const MOST_TOLD = 200;
const Ids = z.array(z.string()).max(MOST_TOLD);
export const CopConflictChanged = liveType("cop.conflict.changed", {
  domain: "cop",
  summary:
    "Contradictions between layers came, came back, have other evidence, or ended: read their list anew; in a problem " +
    "set, or outside of all (topic `cop`)",
  permit: "cop:read",
  topics: ["cop"],
  may: "cop:read",
  payload: z.object({
    opened: Ids.describe("Those that are open now."),
    ended: Ids.describe("Those that ceased, or were resolved or waived by somebody."),
    more: z.boolean().describe(`More than ${MOST_TOLD} changed: read the list.`),
  }),
});
export const CopLayerChanged = liveType("cop.layer.changed", {
  domain: "cop",
  summary:
    "What a layer shows has changed: read it anew, or only the features that are named; in a problem set, or " +
    "outside of all (topic `cop`)",
  permit: "cop:read",
  topics: ["cop"],
  may: "cop:read",
  payload: z.object({
    layerId: z.string(),
    version: z.int(),
    added: Ids,
    updated: Ids,
    removed: Ids,
    more: z.boolean().describe(`More than ${MOST_TOLD} changed: read the layer.`),
  }),
});
