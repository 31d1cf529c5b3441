import { z } from "zod";
import { data, list, nothing, stream } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { Instant, paging, TextId, type Item } from "../../../core/records/entity.ts";
import { invalid, notFound } from "../../../core/problem.ts";
import { Compartments } from "../../../core/access/place.ts";
import { busOf, channelOf, demandOutside, openChannel } from "./bus.ts";
import { Channel, ChannelName, ChannelView, MOST_BY_PERSON, MOST_IN_PLACE } from "./channels.ts";
import { CHANNEL_EVENTS, DeliveredView, Skipped } from "./delivery.ts";
import { SubscriptionAdvanced, messageView } from "./messages.ts";
import { channelPlaceOf, type MessagePlace } from "./place.ts";
import { settledThrough, startAt, waitingOf } from "./progress.ts";
import { rules, ChannelSubscription, subscriptionId, SubscriptionView } from "./subscriptions.ts";

const set = "problemSetId";
/** A person's own settings for a channel can be changed in an archived set too. */
const own = { set, may: "messages:read", own: true } as const;
const path = { channel: ChannelName };
const body = {
  problemSetId: TextId.optional().describe(
    "The problem set that the channel lies in; absent for one of the platform's.",
  ),
  compartments: Compartments,
};
/** As in a body; a query says several with commas between. */
export const query = {
  problemSetId: body.problemSetId,
  compartments: z
    .string()
    .max(1_400)
    .optional()
    .describe("The compartments that the channel lies in, separated by commas."),
};
const channelNamed = ({
  compartments,
  ...rest
}: {
  channel: string;
  problemSetId?: string | undefined;
  compartments?: string | undefined;
}) => ({ ...rest, ...(compartments && { compartments: compartments.split(",").filter(Boolean) }) });

const mineOf = (subscription: Item<typeof ChannelSubscription> | undefined, head: number) =>
  subscription
    ? {
        acknowledgedThrough: settledThrough(subscription),
        waiting: waitingOf(subscription, head),
        deadLetters: subscription.dead.length,
      }
    : null;

/** The caller's subscription to a channel. Throws 404 without one. */
async function mySubscription(
  host: Host,
  ctx: Ctx<unknown>,
  channel: { id: string; channel?: string | undefined },
): Promise<Item<typeof ChannelSubscription>> {
  const found = await host
    .store(ChannelSubscription)
    .one(ctx, { _id: subscriptionId(channel.id, ctx.meta.actor!.userId) });
  if (!found) throw notFound("subscription of yours to the channel", channel.channel ?? channel.id);
  return found;
}

/** How many subscribe, by channel, of those in problem sets whose members the caller manages. */
async function subscribersOf(
  host: Host,
  ctx: Ctx<unknown>,
  channels: readonly Channel[],
): Promise<Map<string, number>> {
  const manages = ({ problemSetId }: Channel): boolean =>
    problemSetId !== undefined &&
    ["*", "members:manage"].some((permit) => ctx.meta.actor!.memberships?.[problemSetId]?.permits.includes(permit));
  const managed = channels.filter(manages).map(({ id }) => id);
  if (!managed.length) return new Map();
  const groups = await host
    .store(ChannelSubscription)
    .collection.groups({ query: { channelId: { $in: managed } }, by: "channelId" });
  const counts = new Map(groups.map(({ key, count }) => [key as string, count]));
  return new Map(managed.map((id) => [id, counts.get(id) ?? 0]));
}

export const channelActions = {
  "channels.list": endpoint({
    rest: "GET /channels",
    summary: "List channels that you may see",
    permit: "messages:read",
    within: { set, may: "messages:read" },
    query: { problemSetId: TextId.optional(), channel: ChannelName.optional(), ...paging },
    returns: list(ChannelView),
    description:
      "A channel is created when somebody who may publish in it first publishes or subscribes; not in an archived " +
      `set. A problem set has at most ${MOST_IN_PLACE} channels, and so do the platform's own in each mode; one ` +
      `person can create at most ${MOST_BY_PERSON}, direct lines to others included (422 \`TOO_MANY_CHANNELS\`). ` +
      "Whoever may see a channel sees all of its messages, so its sequence reveals nothing else.",
    async handler(ctx) {
      const { data: found, meta } = await this.store(Channel).page(
        ctx,
        { ...ctx.params, sort: "createdAt" },
        { channel: ctx.params.channel ?? { $exists: true } },
      );
      const channels = await busOf(this).ledger.current(found);
      const [mine, subscribers] = await Promise.all([
        this.store(ChannelSubscription).many(
          ctx,
          channels.map(({ id }) => subscriptionId(id, ctx.meta.actor!.userId)),
        ),
        subscribersOf(this, ctx, channels),
      ]);
      const byChannel = new Map(mine.map((one) => [one.channelId, one]));
      return {
        data: channels.map(({ id, channel, problemSetId, compartments, createdAt, head }) => ({
          id,
          channel: channel!,
          ...(problemSetId !== undefined && { problemSetId }),
          compartments,
          sequence: head.sequence,
          digest: head.digest,
          lastPublishedAt: head.at ?? null,
          createdAt,
          mine: mineOf(byChannel.get(id), head.sequence),
          ...(subscribers.has(id) && { subscribers: subscribers.get(id)! }),
        })),
        meta,
      };
    },
  }),

  "channels.subscribe": endpoint({
    rest: "POST /channels/:channel/subscribe",
    summary: "Subscribe to a channel, durably",
    permit: "messages:read",
    within: own,
    path,
    body: {
      ...body,
      from: z
        .enum(["new", "first"])
        .default("new")
        .describe("Where to start: with new messages, or with the first message kept."),
      fromSequence: z.int().min(1).optional().describe("Instead of `from`: start with the message of this number."),
      fromTime: Instant.optional().describe("Instead of `from`: start with the first message published then or later."),
      ...rules,
    },
    returns: data(SubscriptionView),
    status: 201,
    errors: {
      404: "There is no such channel, and you may not create it by publishing.",
      409: "There is none, and the set is archived.",
      422: "There are too many channels (`TOO_MANY_CHANNELS`), or subscriptions of yours (`TOO_MANY_SUBSCRIPTIONS`).",
    },
    example: { from: "new", ackWaitSeconds: 30 },
    description:
      "One subscription per person and channel. Messages are delivered by `GET …/stream` or `POST " +
      "…/next`, each until it is acknowledged, at most `mostDeliveries` times. Subscribing again " +
      "changes the options and keeps the position.",
    async handler(ctx) {
      const { from, fromSequence, fromTime, ...asked } = ctx.params;
      const { actor } = ctx.meta;
      if (fromSequence !== undefined && fromTime !== undefined)
        throw invalid([{ path: "fromTime", message: "Send either a number or a time to begin with." }]);
      demandOutside(actor!, ctx.params, "messages:read");
      const channel = await openChannel(this, ctx, ctx.params);
      const id = subscriptionId(channel.id, actor!.userId);
      const { ackWaitSeconds, mostDeliveries, leastPriority, order, types, backOffSeconds } = asked;
      const how = { ackWaitSeconds, mostDeliveries, leastPriority, order };
      const store = this.store(ChannelSubscription);
      const before = await store.one(ctx, { _id: id });
      if (before)
        return store.change(ctx, id, () => ({ ...how, types: types ?? null, backOffSeconds: backOffSeconds ?? null }));
      const { ledger } = busOf(this);
      const head = (await ledger.head(channel.id)).sequence;
      const position =
        fromSequence !== undefined
          ? Math.min(fromSequence - 1, head)
          : fromTime !== undefined
            ? await ledger.before(channel.id, fromTime)
            : from === "new"
              ? head
              : 0;
      return (
        await store.createOnce(ctx, {
          id,
          ...channelPlaceOf(channel as MessagePlace),
          channelId: channel.id,
          channel: channel.channel!,
          userId: actor!.userId,
          ...how,
          ...(types && { types }),
          ...(backOffSeconds && { backOffSeconds }),
          ...startAt(position),
        })
      ).record;
    },
  }),

  "channels.unsubscribe": endpoint({
    rest: "DELETE /channels/:channel/subscribe",
    summary: "End your subscription to a channel",
    permit: "signed-in",
    within: own,
    path,
    query,
    returns: nothing(),
    status: 204,
    description: "Harmless if there is none. Its dead letters are removed with it.",
    async handler(ctx) {
      const channel = await channelOf(this, ctx, channelNamed(ctx.params));
      const id = subscriptionId(channel.id, ctx.meta.actor!.userId);
      if (await this.store(ChannelSubscription).removeAll(ctx, { _id: id }))
        await SubscriptionAdvanced.emit(this, { subscriptionId: id });
      return null;
    },
  }),

  "channels.stream": endpoint({
    rest: "GET /channels/:channel/stream",
    summary: "Follow a channel",
    permit: "messages:read",
    beyond: true,
    within: { set, may: "messages:read" },
    path,
    query,
    returns: stream(CHANNEL_EVENTS),
    description:
      "Every message in order, as `message.published`; the id of an event is the message's `sequence`. " +
      "The stream starts after `Last-Event-ID`; otherwise, for a subscriber, at the first unsettled " +
      "message, and for others at the next one. Numbers come without gaps and once each: messages that " +
      "are not delivered (expired, or below the requested precedence) are reported as " +
      "`message.skipped`, those no longer kept as `message.trimmed`. What a subscriber does not " +
      "acknowledge in time is sent again as `message.redelivered`, an event without an id, so that " +
      "reconnecting loses nothing. At most 256 messages can be unacknowledged at a time; the stream " +
      "then pauses.",
    async handler(ctx) {
      const { actor, lastEventId } = ctx.meta;
      demandOutside(actor!, ctx.params, "messages:read");
      const channel = await channelOf(this, ctx, channelNamed(ctx.params));
      const seen = lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
      const subscription = await this.store(ChannelSubscription).one(ctx, {
        _id: subscriptionId(channel.id, actor!.userId),
      });
      const { delivery } = busOf(this);
      return subscription ? delivery.deliver(subscription, seen) : delivery.follow(channel.id, seen);
    },
  }),

  "channels.next": endpoint({
    rest: "POST /channels/:channel/next",
    summary: "Get the next messages of a channel that you subscribe to",
    permit: "messages:read",
    beyond: true,
    within: own,
    path,
    body: { ...body, limit: z.int().min(1).max(100).default(10) },
    example: { limit: 10 },
    returns: list(
      DeliveredView,
      z.object({
        waiting: z.int().describe("As in `GET /api/messages/channels`, those of this answer included."),
        skipped: z.array(Skipped),
      }),
    ),
    description:
      "Messages not acknowledged in time come first, then new ones, in order; or all by precedence, if " +
      "your subscription says so. A delivered message is reserved for you for `ackWaitSeconds` or " +
      "`backOffSeconds`, and comes again unless you acknowledge it. Several workers of one account can " +
      "share a subscription: the `receipt` identifies the delivery.",
    async handler(ctx) {
      const channel = await channelOf(this, ctx, ctx.params);
      const subscription = await mySubscription(this, ctx, channel);
      const bus = busOf(this);
      const taken = await bus.delivery.next(subscription, ctx.params.limit);
      if (!taken) throw notFound("subscription of yours to the channel", ctx.params.channel);
      const { sequence } = await bus.ledger.head(channel.id);
      return {
        data: taken.delivered.map(({ deliveries, receipt, ...message }) => ({
          ...messageView(message),
          deliveries,
          receipt,
        })),
        meta: { waiting: waitingOf(taken, sequence), skipped: taken.skipped },
      };
    },
  }),
};
