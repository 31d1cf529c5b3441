import { live } from "../../../../core/contract/live.ts";
import { doneOf } from "../../replies.ts";
import type { ReplyKind } from "../../attempt.ts";
import { readerFor } from "../../reply-writing.ts";
import { ChatDelta, ChatDone, ChatMessage } from "./chat.ts";

export const REPLY = "ai-staff.reply";
const MOST_TURNS = 3;
const audience = ({ problemSetId, compartments }: ChatMessage) => ({ problemSetId, compartments });

/**
 * The staff's answers: for all who are read into a message's compartments, from records in these compartments and in
 * none.
 */
export const staffReplies: ReplyKind<ChatMessage> = {
  entity: ChatMessage,
  job: REPLY,
  delta: ChatDelta,
  audience,
  async asking(host, message, account) {
    const { problemSetId, compartments, tab, agentId, createdAt } = message;
    const reader = readerFor(account, message, { name: "ai-staff", compartments });
    const before = await host
      .store(ChatMessage)
      .find(
        { meta: { actor: reader }, locals: {} },
        { problemSetId, ...(tab && { tab }), createdAt: { $lt: createdAt } },
        { sort: ["-createdAt"], limit: MOST_TURNS },
      );
    const told = agentId
      ? await host.ask<{ character: string } | null>("agents.assistant.character", { problemSetId, agentId })
      : { character: "" };
    const turns = before.reverse().filter(({ status }) => status === "completed");
    if (!told) return { compartments, turns, refusal: "The agent that serves this tab was switched off." };
    return { compartments, turns, character: told.character };
  },
  async stopped(host, { problemSetId, agentId }) {
    const paused = await host.ask<string | null>("agents.assistant.paused", {
      problemSetId,
      ...(agentId && { agentId }),
    });
    if (paused === null) return undefined;
    return paused === "FROZEN" ? "All agents here were stopped in an emergency." : "The agent was switched off.";
  },
  async tellEnd(host, message) {
    await live(host, { event: ChatDone, to: audience(message), data: doneOf(message) });
  },
};
