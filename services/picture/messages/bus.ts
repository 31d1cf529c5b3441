import type { Ctx } from "../../../core/access/caller.ts";
import { modeOf } from "../../../core/access/training-mode.ts";
import { holds, lacking, memberOf, type Actor } from "../../../core/access/access.ts";
import { sees } from "../../../core/access/barrier.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { liveTogether } from "../../../core/contract/live.ts";
import { invalid, notFound, unprocessable } from "../../../core/problem.ts";
import { Channel, channelStart, MOST_BY_PERSON, MOST_IN_PLACE, type ChannelPlace } from "./channels.ts";
import { MessageDelivery } from "./delivery.ts";
import { Ledger } from "./ledger.ts";
import { ChannelAdvanced, Message, MessagePublished } from "./messages.ts";
import { channelId, directId, personAt, type MessagePlace } from "./place.ts";
import { Relay } from "./relay.ts";
import { Sequencer } from "./sequencer.ts";
import { ChannelSubscription } from "./subscriptions.ts";

/** The parts of the bus on this node. */
export class Bus {
  readonly ledger: Ledger;
  readonly relay: Relay;
  readonly sequencer: Sequencer;
  readonly delivery: MessageDelivery;
  /** The creation of a channel under way: one at a time on this node, so that many at once do not exceed a bound. */
  making: Promise<unknown> = Promise.resolve();
  /** Where known channels lie. This never changes, and channels are never removed. */
  readonly places = new Map<string, ChannelPlace>();

  constructor(host: Host) {
    const failed = (error: unknown): void => host.logger.warn(`Message bus: ${(error as Error).message}`);
    this.ledger = new Ledger(host, failed);
    this.relay = new Relay({
      head: (id) => this.ledger.head(id),
      after: (id, sequence, most) => this.ledger.after(id, sequence, most),
      failed,
    });
    this.sequencer = new Sequencer({
      store: host.store(Message),
      clock: host.world.clock,
      head: (id) => this.ledger.head(id),
      stored: (channel, messages) => {
        this.ledger.note(channel.id, messages);
        void tell(host, channel, messages).catch(failed);
      },
    });
    this.delivery = new MessageDelivery(host.store(ChannelSubscription), this.ledger, this.relay, host.world.clock);
  }
}

/** Channels whose place is remembered. */
const MOST_PLACES = 2_000;

export const busOf = (host: Host): Bus => (host as Host & { bus: Bus }).bus;

/**
 * Hints, once messages are durable: to the nodes that follow the channel, and to whoever may see it and is connected
 * now.
 */
async function tell(
  host: Host,
  { problemSetId, compartments, audience, from, to }: ChannelPlace,
  messages: readonly Message[],
): Promise<void> {
  const last = messages.at(-1)!;
  await ChannelAdvanced.emit(host, { channelId: last.channelId, sequence: last.sequence });
  const people = [...new Set([from, to])].flatMap((end) => (end ? [personAt(end)] : []));
  const audiences =
    problemSetId !== undefined
      ? [{ problemSetId, compartments }]
      : audience
        ? [{ topic: "messages", training: audience === "training" }]
        : people;
  await liveTogether(
    host,
    messages.flatMap(({ id, channelId: of, channel, sequence, type, priority, source }) =>
      audiences.map((to) => ({
        event: MessagePublished,
        to,
        data: { id, channelId: of, ...(channel !== undefined && { channel }), sequence, type, priority, source },
      })),
    ),
  );
}

/** How a request names a channel. */
export interface Named {
  channel: string;
  problemSetId?: string | undefined;
  compartments?: readonly string[] | undefined;
}

/**
 * Where the channel lies that a request names: in a problem set, or on the platform, in the caller's mode. Throws 400
 * for compartments of no set.
 */
function namedPlace(actor: Actor, { problemSetId, compartments = [] }: Omit<Named, "channel">): MessagePlace {
  if (problemSetId === undefined && compartments.length)
    throw invalid([{ path: "compartments", message: "Compartments lie in a problem set: send its problemSetId." }]);
  return problemSetId === undefined
    ? { compartments: [], audience: modeOf(actor) }
    : { problemSetId, compartments: [...new Set(compartments)].sort() };
}

/**
 * Refuses what the caller's roles do not let them do in a channel of the platform; in a problem set the endpoint asked
 * already.
 */
export function demandOutside(
  { permits }: Actor,
  { problemSetId }: { problemSetId?: string | undefined },
  permit: "messages:read" | "messages:publish",
): void {
  if (problemSetId === undefined && !holds(permits, permit))
    throw lacking(`This needs the permit ${permit}.`, { permit });
}

/**
 * The channel that a request names, made where it is the first to. Throws 404 to whoever may not see it; where there is
 * none, 404 to whoever may not publish in it, 409 in an archived set, 422 where there are too many.
 */
export async function openChannel(host: Host, ctx: Ctx<unknown>, named: Named): Promise<Channel> {
  const place = namedPlace(ctx.meta.actor!, named);
  const one = { ...place, id: channelId(place, named.channel), channel: named.channel };
  return made(host, ctx, one, () => demandMaking(ctx.meta.actor!, named));
}

/** As `openChannel`, for whoever publishes in it: a channel that was met before is not read again. */
export async function placeToPublish(host: Host, ctx: Ctx<unknown>, named: Named): Promise<ChannelPlace> {
  const { places } = busOf(host);
  const { actor } = ctx.meta;
  const known = places.get(channelId(namedPlace(actor!, named), named.channel));
  if (known && sees(Channel.barrier, actor, known)) return known;
  const { head: _head, types: _types, priorities: _priorities, ...place } = await openChannel(host, ctx, named);
  if (places.size >= MOST_PLACES) places.clear();
  places.set(place.id, place);
  return place;
}

/** A channel comes to be by those who may publish in it, and in a set that is written to. */
function demandMaking(actor: Actor, { channel, problemSetId }: Named): void {
  const permits = problemSetId === undefined ? actor.permits : memberOf(actor, problemSetId, "messages:read")?.permits;
  if (permits && !holds(permits, "messages:publish")) throw notFound("channel", channel);
  if (problemSetId !== undefined) memberOf(actor, problemSetId, "messages:publish", { writes: true });
}

/** The channel that a request names. Throws 404 where there is none that the caller may see. */
export async function channelOf(host: Host, ctx: Ctx<unknown>, named: Named): Promise<Channel> {
  const place = namedPlace(ctx.meta.actor!, named);
  const channel = await host.store(Channel).one(ctx, { _id: channelId(place, named.channel) });
  if (!channel) throw notFound("channel", named.channel);
  return channel;
}

/** The line between the caller and somebody else, in the caller's mode. */
export function openLine(host: Host, ctx: Ctx<unknown>, ends: { from: string; to: string }): Promise<Channel> {
  return made(host, ctx, { ...ends, compartments: [], id: directId(ends) });
}

type Made = MessagePlace & { id: string; channel?: string };

async function made(host: Host, ctx: Ctx<unknown>, place: Made, demand = (): void => {}): Promise<Channel> {
  const store = host.store(Channel),
    bus = busOf(host);
  const found = await store.one(ctx, { _id: place.id });
  if (found) return found;
  demand();
  const making = bus.making
    .catch(() => {})
    .then(async () => {
      const meanwhile = await store.one(ctx, { _id: place.id });
      if (meanwhile) return meanwhile;
      await demandRoom(host, ctx, place);
      return (await store.createOnce(ctx, { ...place, ...channelStart })).record;
    });
  bus.making = making;
  return making;
}

/** Channels are kept for ever, so there is a bound to them, per place and per person. Throws 422. */
async function demandRoom(host: Host, ctx: Ctx<unknown>, { problemSetId, audience }: MessagePlace): Promise<void> {
  const { collection } = host.store(Channel);
  const { via, userId } = ctx.meta.actor!;
  const where = problemSetId !== undefined ? { problemSetId } : audience && { audience };
  const [here, own] = await Promise.all([
    where ? collection.count({ query: where }) : 0,
    via === "system" ? 0 : collection.count({ query: { createdBy: userId } }),
  ]);
  const refuse = (fact: string): never => {
    throw unprocessable("TOO_MANY_CHANNELS", `${fact}, which is the most: use one that is there.`);
  };
  if (here >= MOST_IN_PLACE) refuse(`There are ${MOST_IN_PLACE} channels here`);
  if (own >= MOST_BY_PERSON) refuse(`You have begun ${MOST_BY_PERSON} channels and lines to others`);
}
