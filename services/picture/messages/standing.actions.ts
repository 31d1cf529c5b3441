import { z } from "zod";
import { data, list } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../core/records/entity.ts";
import { notFound } from "../../../core/problem.ts";
import { busOf } from "./bus.ts";
import { Channel } from "./channels.ts";
import { Message, MessageView, messageView, SubscriptionAdvanced } from "./messages.ts";
import { retry, revive, waitingOf } from "./progress.ts";
import { DeadLetter, MOST_SUBSCRIPTIONS, ChannelSubscription, subscriptionId } from "./subscriptions.ts";

const MINUTE_MS = 60_000;
const Counts = z.record(z.string(), z.int());
const StatsView = z
  .object({
    channels: z.int(),
    published: z.int().describe("Messages ever published in channels and lines that you may see."),
    byType: Counts,
    byPriority: Counts,
    lastMinute: z.int().describe("Published within the last minute."),
    mine: z
      .object({
        subscriptions: z.int(),
        delivered: z.int(),
        acknowledged: z.int(),
        redelivered: z.int(),
        waiting: z.int().describe("To be delivered or acknowledged, counted as in `GET /api/messages/channels`."),
        deadLetters: z.int(),
      })
      .describe("Of your subscriptions."),
  })
  .meta({ id: "MessageStats" });
const DeadLetterView = DeadLetter.extend({ message: MessageView }).meta({ id: "DeadLetter" });

/** Adds counts up. */
function sum(counts: Iterable<{ of: string; count: number }>): Record<string, number> {
  const total = new Map<string, number>();
  for (const { of, count } of counts) total.set(of, (total.get(of) ?? 0) + count);
  return Object.fromEntries([...total].sort());
}

/** How the bus and one's own part in it stand. */
export const standingActions = {
  getStats: endpoint({
    rest: "GET /stats",
    summary: "Get figures of the part of the message bus that you may see",
    permit: "messages:read",
    returns: data(StatsView),
    description: "Counted as messages are published, channel by channel; nothing is estimated.",
    async handler(ctx) {
      const { userId } = ctx.meta.actor!;
      const since = iso(this.world.clock.now() - MINUTE_MS);
      const [seen, subscriptions, lastMinute] = await Promise.all([
        this.store(Channel).find(ctx, {}),
        this.store(ChannelSubscription).find(ctx, { userId }, { limit: MOST_SUBSCRIPTIONS }),
        this.store(Message).count(ctx, { createdAt: { $gte: since } }),
      ]);
      const channels = await busOf(this).ledger.current(seen);
      const heads = new Map(channels.map(({ id, head }) => [id, head.sequence]));
      const mine = (value: (one: ChannelSubscription) => number): number =>
        subscriptions.reduce((total, one) => total + value(one), 0);
      return {
        channels: channels.filter(({ channel }) => channel !== undefined).length,
        published: channels.reduce((total, { head }) => total + head.sequence, 0),
        byType: sum(channels.flatMap(({ types }) => types)),
        byPriority: sum(channels.flatMap(({ priorities }) => priorities)),
        lastMinute,
        mine: {
          subscriptions: subscriptions.length,
          delivered: mine(({ delivered }) => delivered),
          acknowledged: mine(({ acknowledged }) => acknowledged),
          redelivered: mine(({ redelivered }) => redelivered),
          waiting: mine((one) => waitingOf(one, heads.get(one.channelId) ?? one.position)),
          deadLetters: mine(({ dead }) => dead.length),
        },
      };
    },
  }),

  "deadLetters.list": endpoint({
    rest: "GET /dead-letters",
    summary: "List your dead letters",
    permit: "messages:read",
    beyond: true,
    query: { ...paging },
    returns: list(DeadLetterView),
    description:
      "Messages of your subscriptions that reached the maximum number of deliveries without being " +
      "acknowledged, newest first. They are visible to you only.",
    async handler(ctx) {
      const { page, limit } = ctx.params;
      const { delivery } = busOf(this);
      const now = this.world.clock.now();
      const due = (one: ChannelSubscription): boolean =>
        retry(one, one, now, 0).progress.dead.length !== one.dead.length;
      const found = await this.store(ChannelSubscription).find(
        ctx,
        { userId: ctx.meta.actor!.userId },
        { limit: MOST_SUBSCRIPTIONS },
      );
      const mine = await Promise.all(
        found.map(async (one) =>
          due(one) ? ((await delivery.move(one.id, (then) => retry(then, then, now, 0).progress)) ?? one) : one,
        ),
      );
      const most = Math.min(limit, 100);
      const letters = mine
        .flatMap(({ channelId, channel, dead }) => dead.map((one) => ({ channelId, channel, ...one })))
        .sort((one, other) => other.at.localeCompare(one.at) || other.sequence - one.sequence);
      const rows = letters.slice((page - 1) * most, page * most);
      const messages = rows.length
        ? await this.store(Message).find(ctx, { $or: rows.map(({ channelId, sequence }) => ({ channelId, sequence })) })
        : [];
      const byPlace = new Map(messages.map((message) => [`${message.channelId} ${message.sequence}`, message]));
      return {
        data: rows.flatMap(({ channelId, channel, sequence, deliveries, at }) => {
          const message = byPlace.get(`${channelId} ${sequence}`);
          return message ? [{ id: message.id, channelId, channel, deliveries, at, message: messageView(message) }] : [];
        }),
        meta: { total: letters.length, page, limit: most },
      };
    },
  }),

  "deadLetters.redeliver": endpoint({
    rest: "POST /dead-letters/:id/redeliver",
    summary: "Redeliver one of your dead letters",
    permit: "messages:read",
    beyond: true,
    path: { id: TextId },
    returns: data(MessageView),
    description: "It is delivered again by the stream or by `next`, with a fresh count of attempts.",
    async handler(ctx) {
      const message = await this.store(Message).get(ctx, ctx.params.id);
      const id = subscriptionId(message.channelId, ctx.meta.actor!.userId);
      let comes = false;
      const moved = await busOf(this).delivery.move(id, (subscription) => {
        const progress = revive(subscription, message, this.world.clock.now());
        // Who asks twice is told the same.
        comes = progress !== null || subscription.inFlight.some(({ sequence }) => sequence === message.sequence);
        return progress;
      });
      if (!moved || !comes) throw notFound("dead letter of yours", ctx.params.id);
      await SubscriptionAdvanced.emit(this, { subscriptionId: id });
      return messageView(message);
    },
  }),
};
