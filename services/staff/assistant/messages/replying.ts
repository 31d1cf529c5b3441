import type { AccessRights } from "../../../../core/access/access.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { doneOf } from "../../replies.ts";
import type { AttemptContext, ReplyKind } from "../../attempt.ts";
import { readerFor } from "../../reply-writing.ts";
import { Action, actionIdOf } from "../acts/acts.ts";
import { proposable, propose } from "../acts/proposing.ts";
import { Message, ReplyDelta, ReplyDone } from "./messages.ts";

export const REPLY = "assistant.reply";
const MESH = asSystem("assistant");
const MOST_TURNS = 3;

/** Earlier turns of the chat that the person may still read, the oldest first. */
async function turnsOf(host: Host, message: Message, account: AccessRights, compartments: readonly string[]) {
  const { problemSetId, by, createdAt } = message;
  const reader = readerFor(account, message, { name: "assistant", compartments });
  const chat = problemSetId === undefined ? { owner: by } : { problemSetId, by };
  const before = await host
    .store(Message)
    .find(
      { meta: { actor: reader }, locals: {} },
      { ...chat, createdAt: { $lt: createdAt } },
      { sort: ["-createdAt"], limit: MOST_TURNS },
    );
  return before.reverse().filter(({ status }) => status === "completed");
}

/** One person, as long as they may read what the reply rests on. */
const audience = ({ by, problemSetId, compartments }: Message) => ({
  userId: by,
  ...(problemSetId !== undefined && { problemSetId, compartments }),
});

/** The assistant's replies: for one person, from all that they may read in the problem set. */
export const assistantReplies: ReplyKind<Message> = {
  entity: Message,
  job: REPLY,
  delta: ReplyDelta,
  audience,
  async asking(host, message, account): Promise<AttemptContext> {
    const { problemSetId } = message;
    const compartments = problemSetId === undefined ? [] : (account.memberships?.[problemSetId]?.compartments ?? []);
    return { compartments, turns: await turnsOf(host, message, account, compartments) };
  },
  async stopped(host, { problemSetId }) {
    const paused = await host.ask<string | null>("agents.assistant.paused", { problemSetId });
    return paused === null ? undefined : "All agents here were stopped in an emergency.";
  },
  beside: propose,
  orders: proposable,
  async tellEnd(host, message) {
    const action = await host.store(Action).one(MESH, { _id: actionIdOf(message.id) });
    await live(host, { event: ReplyDone, to: audience(message), data: { ...doneOf(message), action } });
  },
};
