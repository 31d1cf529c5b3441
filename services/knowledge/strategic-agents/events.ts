import { shortened as shortenedTo } from "../../../core/text/cutting.ts";
import { z } from "zod";
import { event } from "../../../core/events/event.ts";

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  title: z.string(),
  by: z.string(),
});

/** A story of the news came into a problem set, or more was found of it: one event a story. */
export const StoryCollected = event(
  "knowledge.story.collected",
  EventData.extend({
    storyId: z.string(),
    summary: z.string(),
    domain: z.string(),
    at: z.string(),
    articles: z.array(z.int()),
    sources: z.array(z.string()),
    actors: z.array(z.string()),
    /** Found for the first time. */
    isNew: z.boolean(),
  }),
  {
    activity: {
      subject: ["collected-story", "id"],
      words: ({ title, isNew, sources }) =>
        isNew
          ? `The story "${title}" was collected.`
          : `More was collected of the story "${title}": ${sources.length} sources.`,
    },
  },
);

/** A monitor raised an alert. Counting one up is told to open sockets alone. */
export const ThreatAlerted = event(
  "knowledge.threat.alerted",
  EventData.extend({ monitorId: z.string(), storyId: z.string().optional() }),
  { activity: { subject: ["threat-alert", "id"], words: ({ title }) => `A monitor raised an alert: "${title}".` } },
);

export const PRODUCT_STATES = ["draft", "in_review", "approved", "rejected", "superseded"] as const;
export type ProductState = (typeof PRODUCT_STATES)[number];
const PRODUCT_WORDS: Record<ProductState, string> = {
  draft: "was drafted",
  in_review: "is in review",
  approved: "was approved",
  rejected: "was rejected",
  superseded: "gave way to a newer one",
};
/** A fused product was drafted, put up, judged, or gave way. */
export const ProductReviewed = event(
  "knowledge.product.reviewed",
  EventData.extend({ status: z.enum(PRODUCT_STATES), reason: z.string().optional() }),
  {
    activity: {
      subject: ["fused-product", "id"],
      words: ({ title, status, reason }) =>
        `The fused product "${title}" ${PRODUCT_WORDS[status]}${reason ? `: ${reason}` : "."}`,
    },
  },
);

export const CYCLE_STATES = ["running", "waiting", "completed", "stopped", "failed"] as const;
const CYCLE_WORDS: Record<(typeof CYCLE_STATES)[number], string> = {
  running: "goes on",
  waiting: "waits for a person",
  completed: "is complete",
  stopped: "was stopped",
  failed: "failed",
};
export const CycleMoved = event(
  "knowledge.cycle.moved",
  EventData.extend({ status: z.enum(CYCLE_STATES), phase: z.string(), reason: z.string().optional() }),
  {
    activity: {
      subject: ["intelligence-cycle", "id"],
      words: ({ title, status, phase, reason }) =>
        `The intelligence cycle "${title}" ${CYCLE_WORDS[status]} (${phase})${reason ? `: ${reason}` : "."}`,
    },
  },
);
/** What a person made of a checkpoint, or that nobody answered in time. */
export const CheckpointResolved = event(
  "knowledge.checkpoint.resolved",
  EventData.extend({ cycleId: z.string(), outcome: z.enum(["continue", "revise", "stop", "expired"]) }),
  {
    activity: {
      subject: ["checkpoint", "id"],
      words: ({ title, outcome }) =>
        outcome === "expired"
          ? `Nobody answered the checkpoint of the intelligence cycle "${title}": it stops.`
          : `The checkpoint of the intelligence cycle "${title}" was resolved: ${outcome}.`,
    },
  },
);

const LONGEST_TITLE = 120;
/** The beginning of a long text, as facts tell it. */
export const shortened = (text: string): string => shortenedTo(LONGEST_TITLE, text);
