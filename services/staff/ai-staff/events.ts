import { z } from "zod";
import { event } from "../../../core/events/event.ts";

const EventData = z.object({
  id: z.string(),
  problemSetId: z.string(),
  compartments: z.array(z.string()),
  by: z.string(),
});

export const FeedItemAdded = event("ai-staff.feed-item.added", EventData.extend({ title: z.string() }), {
  activity: { subject: ["feed-item", "id"], words: ({ title }) => `"${title}" was put on the staff's feed.` },
});
export const AnnotationProposed = event("ai-staff.annotation.proposed", EventData.extend({ targetType: z.string() }), {
  activity: { subject: ["annotation", "id"], words: ({ targetType }) => `A note on a ${targetType} was proposed.` },
});
export const AnnotationDecided = event("ai-staff.annotation.decided", EventData.extend({ status: z.string() }), {
  activity: { subject: ["annotation", "id"], words: ({ status }) => `A note of the staff is ${status} now.` },
});
