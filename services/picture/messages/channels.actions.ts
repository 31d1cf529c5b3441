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
/** What somebody has of a channel is their own, which an archived set bears too. */
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
      "A channel comes to be by the first of those who may publish in it to do so, or to subscribe; in an " +
      "archived set none does. " +
      `There are at most ${MOST_IN_PLACE} in a problem set, and as many of the platform's in each mode; one ` +
      `person begins at most ${MOST_BY_PERSON}, lines to others included (422 \`TOO_MANY_CHANNELS\`). Who may ` +
      "see a channel sees all of its messages, so that its sequence tells of nothing else.",
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
        .describe("Where to begin: with what is published from now on, or with the first message that is kept."),
      fromSequence: z.int().min(1).optional().describe("In place of `from`: with the message of this number."),
      fromTime: Instant.optional().describe("In place of `from`: with the first message published then or later."),
      ...rules,
    },
    returns: data(SubscriptionView),
    status: 201,
    errors: {
      404: "There is no such channel, and you may not publish in it, which would make it.",
      409: "There is none, and the set is archived.",
      422: "There are too many channels (`TOO_MANY_CHANNELS`), or subscriptions of yours (`TOO_MANY_SUBSCRIPTIONS`).",
    },
    example: { from: "new", ackWaitSeconds: 30 },
    description:
      "One a person and channel. Messages come by `GET …/stream` or `POST …/next`, each until it is " +
      "acknowledged, at most `mostDeliveries` times. Who subscribes again changes how, and keeps their place.",
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
    description: "Harmless where there is none. Its dead letters go with it.",
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
      "Every message in order, as `message.published`; the id of an event is the message's `sequence`. It begins " +
      "after `Last-Event-ID`; otherwise, for a subscriber, with the first message that is not settled, and for " +
      "others with the next one. " +
      "Numbers come without a gap and once each: what is not delivered (expired, or of less precedence than " +
      "asked for) is told as `message.skipped`, what is kept no longer as `message.trimmed`. " +
      "What a subscriber does not acknowledge in time comes again as `message.redelivered`, an event without an " +
      "id, so that coming back loses nothing. At most 256 messages wait to be acknowledged at a time; the stream " +
      "then stands until some are.",
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
    summary: "Take the next messages of a channel that you subscribe to",
    permit: "messages:read",
    beyond: true,
    within: own,
    path,
    body: { ...body, limit: z.int().min(1).max(100).default(10) },
    example: { limit: 10 },
    returns: list(
      DeliveredView,
      z.object({
        waiting: z.int().describe("Messages still to be delivered or acknowledged, those of this answer included."),
        skipped: z.array(Skipped),
      }),
    ),
    description:
      "First what was not acknowledged in time, then what is new, in order; or all of it by precedence, where " +
      "your subscription says so. What is answered is yours for the time of `ackWaitSeconds` or " +
      "`backOffSeconds`, and comes again unless you acknowledge it. Several workers of one account share a " +
      "subscription: each says by the `receipt` which delivery it means.",
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
