import { z } from "zod";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { modeOf } from "../../../core/access/training-mode.ts";
import { iso } from "../../../core/clock.ts";
import { data } from "../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { conflict, forbidden, invalid, notFound } from "../../../core/problem.ts";
import { busOf } from "./bus.ts";
import { Message, MessageView, messageView, SubscriptionAdvanced } from "./messages.ts";
import { endOf } from "./place.ts";
import { acknowledge, extend, refuseDelivery, type Progress } from "./progress.ts";
import { Seconds, subscriptionId, type ChannelSubscription } from "./subscriptions.ts";

const set = "problemSetId";
const onMessage = {
  permit: "messages:read",
  on: Message,
  by: "messageId",
  within: { set, may: "messages:read", own: true },
} as const;
const NO_SUBSCRIPTION = "You see no such message, or do not subscribe to its channel.";
const receipt = z.int().min(1).describe("Of the delivery that is meant, as it came with the message.");

/** Moves the caller's subscription to the message's channel. Throws 404 without one. */
async function moveMine(
  host: Host,
  ctx: Ctx<unknown>,
  message: Message,
  change: (subscription: ChannelSubscription) => Progress | null,
): Promise<ChannelSubscription> {
  const id = subscriptionId(message.channelId, ctx.meta.actor!.userId);
  const moved = message.channel === undefined ? null : await busOf(host).delivery.move(id, change);
  if (!moved) throw notFound("subscription of yours to the channel", message.channel ?? message.channelId);
  return moved;
}

/** Moves one delivery of a message. Throws 409 where it does not wait to be acknowledged any more. */
async function moveDelivery(
  host: Host,
  ctx: Ctx<unknown>,
  message: Message,
  change: (subscription: ChannelSubscription) => Progress | null,
): Promise<Message> {
  let waits = false;
  const { id } = await moveMine(host, ctx, message, (subscription) => {
    const progress = change(subscription);
    waits = progress !== null;
    return progress;
  });
  if (!waits) throw conflict("This delivery does not wait any more: it was settled, or the message came once more.");
  await SubscriptionAdvanced.emit(host, { subscriptionId: id });
  return message;
}

/** The receiver of a direct message has it. */
async function received(host: Host, ctx: Ctx<unknown>, message: Message): Promise<Message> {
  const actor = ctx.meta.actor!;
  if (message.to !== endOf(modeOf(actor), actor.userId))
    throw forbidden("Only the receiver of a direct message acknowledges it.");
  const at = iso(host.world.clock.now());
  return host
    .store(Message)
    .change(asSystem("messages"), message.id, (now) => (now.acknowledgedAt ? null : { acknowledgedAt: at }));
}

/** What a receiver says of a message that came. */
export const receiptActions = {
  acknowledge: endpoint({
    rest: "POST /:messageId/acknowledge",
    summary: "Acknowledge receipt of a message",
    ...onMessage,
    body: {
      cumulative: z.boolean().default(false).describe("Everything up to it in its channel, too."),
      receipt: receipt.optional(),
    },
    returns: data(MessageView),
    example: {},
    description:
      "In a channel, it settles the message for your subscription, however often it was delivered; with " +
      "its `receipt`, only that delivery, not one that another worker of your account got since. A " +
      "direct message is acknowledged by its receiver, which its sender can see.",
    errors: {
      404: NO_SUBSCRIPTION,
      409: "It was not delivered to you yet, or it was delivered once more since that receipt.",
    },
    async handler(ctx, message) {
      if (message.channel === undefined) return messageView(await received(this, ctx, message));
      if (ctx.params.cumulative && ctx.params.receipt !== undefined)
        throw invalid([{ path: "receipt", message: "A receipt speaks of one delivery, `cumulative` of all." }]);
      let refusal: "early" | "again" | undefined;
      const moved = await moveMine(this, ctx, message, (subscription) => {
        const progress = acknowledge(subscription, message.sequence, ctx.params);
        refusal = typeof progress === "string" ? progress : undefined;
        return typeof progress === "string" ? null : progress;
      });
      if (refusal === "early")
        throw conflict("This message was not delivered to your subscription yet.", { position: moved.position });
      if (refusal) throw conflict("This message was delivered once more since: who has it now acknowledges it.");
      await SubscriptionAdvanced.emit(this, { subscriptionId: moved.id });
      return messageView(message);
    },
  }),

  refuse: endpoint({
    rest: "POST /:messageId/refuse",
    summary: "Reject a message that you cannot process",
    ...onMessage,
    beyond: true,
    body: {
      receipt,
      delaySeconds: z.int().min(0).max(86_400).default(0).describe("When it comes again."),
      final: z.boolean().default(false).describe("Not again: it is a dead letter at once."),
    },
    returns: data(MessageView),
    example: { receipt: 1, delaySeconds: 60 },
    description:
      "Ends the delivery with this receipt. The message is redelivered to the next worker that asks, up " +
      "to the maximum; then it becomes a dead letter.",
    errors: { 404: NO_SUBSCRIPTION, 409: "This delivery no longer waits for an acknowledgement." },
    async handler(ctx, message) {
      const change = (one: ChannelSubscription) =>
        refuseDelivery(one, message.sequence, ctx.params, this.world.clock.now());
      return messageView(await moveDelivery(this, ctx, message, change));
    },
  }),

  extend: endpoint({
    rest: "POST /:messageId/extend",
    summary: "Extend the time to acknowledge a message",
    ...onMessage,
    beyond: true,
    body: { receipt, seconds: Seconds.default(30).describe("From now on.") },
    returns: data(MessageView),
    example: { receipt: 1, seconds: 120 },
    description: "It is not redelivered before then, unless you reject it. Can be repeated without limit.",
    errors: { 404: NO_SUBSCRIPTION, 409: "This delivery no longer waits for an acknowledgement." },
    async handler(ctx, message) {
      const change = (one: ChannelSubscription) => extend(one, message.sequence, ctx.params, this.world.clock.now());
      return messageView(await moveDelivery(this, ctx, message, change));
    },
  }),
};
