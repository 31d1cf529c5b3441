import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { liveType } from "../../../../core/contract/live.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { DeltaData, DoneData, Offset, replyFields, replyIndexes } from "../../replies.ts";
import { TABS } from "../routing/routing.ts";

/** A question to the staff, and its answer: visible to all who are read into its compartments. */
export const ChatMessage = entity("ai-staff.messages", {
  title: "chat message",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    tab: z.enum(TABS).optional(),
    agentId: TextId.optional().describe("The agent that serves the tab; absent where the assistant answers."),
    agentName: z.string(),
    why: z.string().describe("Why this one answers."),
    ...replyFields,
  },
  immutable: ["problemSetId", "compartments"],
  hidden: ["dueAt", "seat"],
  filter: ["tab"],
  barrier,
  lists: [{ by: ["problemSetId"], sort: ["-createdAt"] }],
  indexes: replyIndexes,
});
export type ChatMessage = Item<typeof ChatMessage>;
export const ChatView = ChatMessage.view.extend({ offset: Offset }).meta({ id: "StaffChatMessage" });

export const ChatDelta = liveType("staff.reply.delta", {
  domain: "ai-staff",
  summary: "A part of the staff's answer, as it is written",
  payload: DeltaData,
  may: "ai-staff:read",
});
export const ChatDone = liveType("staff.reply.done", {
  domain: "ai-staff",
  summary: "The staff's answer is at its end",
  payload: DoneData,
  may: "ai-staff:read",
});
