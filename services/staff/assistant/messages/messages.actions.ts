import { z } from "zod";
import { OpenRecord } from "../../../../core/records/open-record.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { personOf } from "../../../../core/access/access.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list, stream } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { invalid, notFound } from "../../../../core/problem.ts";
import { CursorMeta, feeding, TextId } from "../../../../core/records/entity.ts";
import { follow } from "../../reply-stream.ts";
import { askedBy, DeltaData, DoneData } from "../../replies.ts";
import { dueIn, nearby } from "../../attempt.ts";
import { begin } from "../../reply-writing.ts";
import { seated } from "../../seats.ts";
import { Action, actionIdOf, standing } from "../acts/acts.ts";
import { Message, MessageView, MOST_INPUT } from "./messages.ts";
import { assistantReplies } from "./replying.ts";

const set = "problemSetId";
/** A message to the assistant belongs to one person: it is allowed in an archived set too. */
const own = { set, may: "assistant:read", own: true } as const;
const path = { problemSetId: TextId };
const body = {
  text: z.string().trim().min(1).max(8_000),
  input: OpenRecord.optional().describe(
    "Values from which an act takes its arguments; without a model, the only ones.",
  ),
};
const paging = feeding;
const Accepted = data(z.object({ messageId: TextId }));
const HOW =
  "Answers at once; the reply comes to you alone, over the socket: `assistant.reply.delta` with its parts " +
  "(`offset` in UTF-16 units; each 30 ms, or 256 characters), then `assistant.reply.done` with the whole, " +
  "its citations and, where you asked for something to be done, the `action` that waits for your answer. " +
  "After a cut the history shows the text that is stored and its `offset`: go on with the parts behind it, " +
  "from the beginning where `attempt` has risen; or follow `GET " +
  "/api/assistant/messages/{messageId}/stream`. What you may read is looked for before the first word; " +
  "citations are checked, links lead to what is cited alone. Words in the chat confirm nothing. Without a " +
  'model it answers in sentences of what was read (`method: "heuristic"`).';

async function say(
  host: Host,
  ctx: Ctx<{ text: string; input?: Record<string, unknown> | undefined }>,
  problemSetId?: string,
): Promise<{ messageId: string }> {
  const by = personOf(ctx.meta.actor);
  const { text: said, input } = ctx.params;
  if (JSON.stringify(input ?? {}).length > MOST_INPUT)
    throw invalid([{ path: "input", message: "At most 16 KiB as JSON." }]);
  const asked = {
    ...(problemSetId === undefined ? { owner: by } : { problemSetId }),
    compartments: [],
    by,
    said,
    ...(input && { input }),
    status: "queued",
    text: "",
    attempt: 0,
    citations: [],
    dueAt: dueIn(host),
  };
  const message = await seated(host, ctx, Message, asked, askedBy(by));
  await begin(host, assistantReplies, message);
  return { messageId: message.id };
}

async function history(host: Host, ctx: Ctx<{ limit: number; cursor?: string | undefined }>, chat: object) {
  const { limit, cursor } = ctx.params;
  const { data: rows, meta } = await host.store(Message).feed(ctx, { limit, ...(cursor && { cursor }) }, { ...chat });
  const ids = rows.map(({ id }) => actionIdOf(id));
  const now = iso(host.world.clock.now());
  const acts = new Map((await host.store(Action).many(ctx, ids)).map((act) => [act.messageId, standing(act, now)]));
  return {
    data: rows.map((row) => ({ ...row, offset: row.text.length, action: acts.get(row.id) ?? null })),
    meta,
  };
}

export const messageActions = {
  "messages.sayGlobally": endpoint({
    rest: "POST /global/message",
    summary: "Send a message to the assistant outside all problem sets",
    permit: "signed-in",
    body,
    returns: Accepted,
    status: 202,
    description: `It reads the news for you, and does nothing. ${HOW}`,
    example: { text: "What is known of the northern bridge?" },
    errors: { 429: "Five of your questions are not answered yet." },
    handler(ctx) {
      return say(this, ctx);
    },
  }),

  "messages.listGlobal": endpoint({
    rest: "GET /global/history",
    summary: "List your conversation with the assistant outside all problem sets",
    permit: "signed-in",
    query: paging,
    returns: list(MessageView, CursorMeta),
    description: "Only yours, newest first.",
    handler(ctx) {
      return history(this, ctx, { owner: ctx.meta.actor!.userId });
    },
  }),

  "messages.say": endpoint({
    rest: "POST /:problemSetId/message",
    summary: "Send a message to the assistant in a problem set",
    permit: "signed-in",
    within: own,
    path,
    body,
    returns: Accepted,
    status: 202,
    description: HOW,
    example: { text: "What stands in the way of the northern bridge?" },
    errors: { 429: "Five of your questions are not answered yet." },
    handler(ctx) {
      return say(this, ctx, ctx.params.problemSetId);
    },
  }),

  "messages.list": endpoint({
    rest: "GET /:problemSetId/history",
    summary: "List your conversation with the assistant in a problem set",
    permit: "signed-in",
    within: { set, may: "assistant:read" },
    path,
    query: paging,
    returns: list(MessageView, CursorMeta),
    description:
      "Only yours, newest first; a reply in progress shows its stored part, updated every 250 ms. What " +
      "is based on compartments that you are no longer read into is not shown.",
    handler(ctx) {
      const { userId: by } = ctx.meta.actor!;
      return history(this, ctx, { problemSetId: ctx.params.problemSetId, by });
    },
  }),

  "messages.stream": endpoint({
    rest: "GET /messages/:messageId/stream",
    summary: "Follow a reply of the assistant",
    permit: "signed-in",
    beyond: true,
    path: { messageId: TextId },
    returns: stream({ delta: DeltaData, reply: DoneData }),
    description:
      "Streams the reply as it is written if that happens on this node, otherwise its stored text every " +
      "250 ms: `delta` from the beginning, or after `Last-Event-ID` (`<attempt>-<offset>`, or an offset " +
      "alone), then `reply` with the complete text. A higher `attempt` means that it starts over.",
    async handler(ctx) {
      const { messageId } = ctx.params;
      const read = async (): Promise<Message> => {
        const message = await this.store(Message).get(ctx, messageId);
        if (message.by !== ctx.meta.actor!.userId) throw notFound(Message.title, messageId);
        return message;
      };
      await read();
      return follow(read, ctx.meta.lastEventId, (id) => nearby(this, id));
    },
  }),
};
