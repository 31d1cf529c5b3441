import { z } from "zod";
import { liveType } from "../../../core/contract/live.ts";
import { NumberId } from "../../../core/records/entity.ts";
import { event } from "../../../core/events/event.ts";

export const BriefingGenerated = event(
  "news.briefing.generated",
  z.object({ id: NumberId, generatedAt: z.string(), training: z.literal(true).optional() }),
);

/** Told on the topic `briefings`, to those of its mode. */
export const BriefingCompleted = liveType("briefing.completed", {
  domain: "briefings",
  summary: "A briefing is ready to be read",
  permit: "briefings:read",
  topics: ["briefings"],
  payload: z.object({ id: NumberId, title: z.string(), generatedAt: z.string() }),
});
/** The same for one that could not be made. */
export const BriefingFailed = liveType("briefing.failed", {
  domain: "briefings",
  summary: "A briefing could not be made",
  permit: "briefings:read",
  topics: ["briefings"],
  payload: z.object({ id: NumberId, error: z.string().describe("Why, in words.") }),
});
