import { z } from "zod";
import type { Actor } from "../../../../core/access/access.ts";
import { Compartments } from "../../../../core/access/place.ts";
import { liveType } from "../../../../core/contract/live.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { DeltaData, DoneData, Offset, replyFields, replyIndexes } from "../../replies.ts";
import { ActionView } from "../acts/acts.ts";

export const MOST_INPUT = 16_384;

/**
 * A person's message to the assistant, and its reply: visible to them alone, and in all compartments of what the reply
 * rests on.
 */
export const Message = entity("assistant.messages", {
  title: "message",
  fields: {
    problemSetId: TextId.optional().describe("Absent outside of all problem sets."),
    compartments: Compartments,
    owner: z.string().optional(),
    ...replyFields,
    input: z.record(z.string(), z.unknown()).optional(),
  },
  immutable: ["problemSetId"],
  hidden: ["owner", "dueAt", "seat", "input"],
  barrier: {
    set: "problemSetId",
    compartments: "compartments",
    outside: ({ userId }: Actor) => [{ owner: userId }],
  },
  lists: [{ by: ["problemSetId", "by"], sort: ["-createdAt"], filter: [] }],
  indexes: [{ fields: ["owner", "-createdAt"] }, ...replyIndexes],
});
export type Message = Item<typeof Message>;

export const MessageView = Message.view
  .extend({
    offset: Offset,
    action: ActionView.nullable().describe("An act that the assistant proposed, and its outcome."),
  })
  .meta({ id: "AssistantMessage" });

export const ReplyDelta = liveType("assistant.reply.delta", {
  domain: "assistant",
  summary: "A part of the assistant's reply to you, as it is written",
  payload: DeltaData,
});
const AssistantDone = DoneData.extend({ action: ActionView.nullable() }).meta({ id: "AssistantReplyDone" });
export const ReplyDone = liveType("assistant.reply.done", {
  domain: "assistant",
  summary: "The assistant's reply to you is at its end",
  payload: AssistantDone,
});
