import { z } from "zod";
import { personOf } from "../../../../core/access/access.ts";
import { Compartments } from "../../../../core/access/place.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { CursorMeta, feeding, TextId } from "../../../../core/records/entity.ts";
import { dueIn } from "../../attempt.ts";
import { askedBy } from "../../replies.ts";
import { begin } from "../../reply-writing.ts";
import { seated } from "../../seats.ts";
import { reading } from "../feed/feed.actions.ts";
import { answererOn } from "../routing/routing.actions.ts";
import { demandTab } from "../routing/routing.ts";
import { ChatMessage, ChatView } from "./chat.ts";
import { staffReplies } from "./replying.ts";

const path = { problemSetId: TextId };
const tab = z.string().max(60).optional().describe("The tab of the workspace: 404 where there is none of this name.");

export const chatActions = {
  "messages.list": endpoint({
    rest: "GET /:problemSetId/chat",
    summary: "List questions to the staff and their answers",
    permit: "signed-in",
    within: reading,
    path,
    query: {
      tab,
      ...feeding,
    },
    returns: list(ChatView, CursorMeta),
    description:
      "Everybody's questions, as far as you are read into their compartments, newest first. An answer " +
      "in progress shows its stored part, updated every 250 ms.",
    async handler(ctx) {
      const { problemSetId, tab: wanted, limit, cursor } = ctx.params;
      if (wanted !== undefined) demandTab(wanted);
      const where = { problemSetId, ...(wanted && { tab: wanted }) };
      const { data: rows, meta } = await this.store(ChatMessage).feed(ctx, { limit, ...(cursor && { cursor }) }, where);
      return { data: rows.map((row) => ({ ...row, offset: row.text.length })), meta };
    },
  }),

  "messages.ask": endpoint({
    rest: "POST /:problemSetId/chat",
    summary: "Ask the staff a question",
    permit: "signed-in",
    within: { set: "problemSetId", may: "ai-staff:ask" },
    path,
    body: { text: z.string().trim().min(1).max(8_000), tab, compartments: Compartments },
    returns: data(z.object({ messageId: TextId, agentId: TextId.nullable(), agentName: z.string(), why: z.string() })),
    status: 202,
    description:
      "The agent that serves the tab answers, else the assistant; this answer says which, and why. The " +
      "reply is sent over the socket to everyone who subscribed to the problem set and is read into the " +
      "message's compartments: `staff.reply.delta`, then `staff.reply.done`; the history shows it too. " +
      "It is based on what lies in those compartments or in none, as far as you may read it. No acts " +
      "are carried out: use `POST /api/agents/{agentId}/execute` for that.",
    example: { text: "What is open on this tab?", tab: "plan" },
    errors: { 404: "There is no such tab.", 429: "Five of your questions are not answered yet." },
    async handler(ctx) {
      const by = personOf(ctx.meta.actor);
      const { problemSetId, text: said, tab: wanted, compartments } = ctx.params;
      if (wanted !== undefined) demandTab(wanted);
      const who = await answererOn(this, problemSetId, wanted);
      const asked = {
        problemSetId,
        compartments,
        ...(wanted && { tab: wanted }),
        ...who,
        by,
        said,
        status: "queued",
        text: "",
        attempt: 0,
        citations: [],
        dueAt: dueIn(this),
      };
      const message = await seated(this, ctx, ChatMessage, asked, askedBy(by));
      await begin(this, staffReplies, message);
      return { messageId: message.id, agentId: who.agentId ?? null, agentName: who.agentName, why: who.why };
    },
  }),
};
