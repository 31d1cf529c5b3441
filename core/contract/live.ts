import type { ServiceBroker } from "moleculer";
import { z } from "zod";
import { holds, isConfirmed, type Actor, type Permit } from "../access/access.ts";
import { readInto } from "../access/barrier.ts";
import { hiderOf } from "../access/set-reference.ts";
import { newId } from "../ids.ts";

/** Whom a live event is for; every part narrows. */
export interface Audience {
  /** Members of this problem set who subscribed to it. */
  problemSetId?: string;
  /** Of them, those who are read into all of these. */
  compartments?: readonly string[];
  /** This person alone, on all their sockets, without a subscription. */
  userId?: string;
  /** Whoever subscribed to this topic. */
  topic?: string;
  /** For those in training (true) or in operations (false; with a topic that is meant where nothing is said). */
  training?: boolean;
}

export interface LiveTraits<P extends z.ZodType> {
  /** One sentence for people, without a full stop. */
  summary: string;
  payload: P;
  /**
   * The domain it tells of, which is the service that declares it: a credential narrowed to others, or to writing
   * alone, hears nothing of it.
   */
  domain: string;
  /** What the receiver's roles and credential must allow on the platform; `signed-in` by default. */
  permit?: Exclude<Permit, "public" | "self" | "internal">;
  /** What the receiver's role in the problem set must allow; being a member by default. */
  may?: string;
  /** The topics that it is sent to; a client subscribes to no others. */
  topics?: readonly string[];
}

/**
 * A kind of live event, declared once beside its noun and listed in `domain({ live: [...] })`, which puts it into the
 * AsyncAPI document.
 */
export interface LiveType<P extends z.ZodType = z.ZodType> extends Required<Omit<LiveTraits<P>, "may">> {
  name: string;
  may?: string;
}

/**
 * `activity.item`: named in the words of the client, `noun.what`. Throws TypeError for a payload that some of its
 * receivers may not see all of: it is made once for all.
 */
export function liveType<P extends z.ZodType>(
  name: `${string}.${string}`,
  { permit = "signed-in", topics = [], ...traits }: LiveTraits<P>,
): LiveType<P> {
  if (hiderOf(traits.payload))
    throw new TypeError(`${name}: its payload names a problem set that not everybody may know of.`);
  return { name, permit, topics, ...traits };
}

/** What a client gets under the event's name. */
export interface Envelope {
  id: string;
  time: string;
  problemSetId?: string;
  topic?: string;
  data: unknown;
}

/** What travels from a service to the gateways, each of which delivers it to its own sockets. */
export interface LiveMessage {
  event: string;
  domain: string;
  permit: LiveType["permit"];
  may?: string;
  to: Audience;
  envelope: Envelope;
}

/** The mesh event that carries it, or several as `messages`. */
export const LIVE_SENT = "gateway.live.sent";
/**
 * Emitted within a node, as `{stands}`, when its connection to the other nodes broke, and when it is back, before
 * anything passes over it: hints were lost meanwhile.
 */
export const LINE_CHANGED = "mesh.line.changed";
/** Larger news are fetched, not pushed. */
export const MOST_LIVE_BYTES = 256 * 1_024;

/** Several messages that one mesh event carries at most. */
const MOST_TOGETHER = 50;

/** A live event, and whom it goes to. */
export interface Telling<P extends z.ZodType> {
  event: LiveType<P>;
  to: Audience;
  data: z.input<P>;
}

/**
 * Tells everybody entitled who is connected now; a hint, lost where nobody listens. Call it after the write is durable.
 * What must not be missed is read from its list after a reconnection. Throws TypeError for an audience that says
 * nothing, and for compartments without their problem set.
 */
export function live<P extends z.ZodType>(
  { broker }: { broker: ServiceBroker },
  telling: Telling<P>,
): Promise<unknown> {
  return broker.broadcast(LIVE_SENT, messageOf(telling)) as Promise<unknown>;
}

/**
 * As `live`, for several in this order, which cost the mesh as much as one. While a gateway runs that does not say it
 * `HEARS_TOGETHER`, as in a rolling upgrade, each goes alone.
 */
export async function liveTogether<P extends z.ZodType>(
  { broker }: { broker: ServiceBroker },
  telling: readonly Telling<P>[],
): Promise<void> {
  if (telling.length === 1 || !allHearTogether(broker)) for (const one of telling) await live({ broker }, one);
  else
    for (let at = 0; at < telling.length; at += MOST_TOGETHER)
      await broker.broadcast(LIVE_SENT, { messages: telling.slice(at, at + MOST_TOGETHER).map(messageOf) });
}

/** The flag in a gateway's service metadata by which it says that it takes several messages in one event. */
export const HEARS_TOGETHER = { hearsTogether: true } as const;

const hearing = new WeakMap<ServiceBroker, { together?: boolean }>();
function allHearTogether(broker: ServiceBroker): boolean {
  let known = hearing.get(broker);
  if (!known) {
    hearing.set(broker, (known = {}));
    for (const change of ["$services.changed", "$node.disconnected"])
      broker.localBus.on(change, () => delete hearing.get(broker)!.together);
  }
  return (known.together ??= gatewaysOf(broker).every(({ metadata }) => metadata?.hearsTogether));
}

interface Gateway {
  name: string;
  metadata?: Partial<typeof HEARS_TOGETHER>;
}
const gatewaysOf = ({ registry }: ServiceBroker): Gateway[] =>
  (registry.getServiceList({ onlyAvailable: true } as never) as Gateway[]).filter(({ name }) => name === "gateway");

/** What an event of the mesh carries. */
export const messagesIn = (params: LiveMessage | { messages: LiveMessage[] }): LiveMessage[] =>
  "messages" in params ? params.messages : [params];

function messageOf<P extends z.ZodType>({ event, to, data }: Telling<P>): LiveMessage {
  const { problemSetId, compartments = [], userId, topic } = to;
  if (problemSetId === undefined && userId === undefined && topic === undefined)
    throw new TypeError(`${event.name}: a live event without an audience.`);
  if (problemSetId === undefined && compartments.length)
    throw new TypeError(`${event.name}: compartments lie in a problem set; name it.`);
  if (topic !== undefined && problemSetId !== undefined)
    throw new TypeError(`${event.name}: a topic is for everybody, a problem set for its members; not both.`);
  if (topic !== undefined && !event.topics.includes(topic))
    throw new TypeError(`${event.name}: ${topic} is none of its topics.`);
  const envelope: Envelope = {
    id: newId(),
    time: new Date().toISOString(),
    ...(problemSetId !== undefined && { problemSetId }),
    ...(topic !== undefined && { topic }),
    data: event.payload.parse(data),
  };
  return {
    event: event.name,
    domain: event.domain,
    permit: event.permit,
    ...(event.may && { may: event.may }),
    to,
    envelope,
  };
}

/** As at an endpoint: what asks for no more than a sign-in is within a credential's scopes too. */
function allows(actor: Actor, { permit, domain }: Pick<LiveMessage, "permit" | "domain">): boolean {
  if (!isConfirmed(actor) || (permit !== "signed-in" && !holds(actor.permits, permit))) return false;
  return !actor.limits || holds(actor.limits, permit === "signed-in" ? `${domain}:read` : permit);
}

/** Whether this actor, as they stand now, may receive a message; subscriptions apart. The one rule for sockets. */
export function mayReceive(
  actor: Actor,
  {
    permit,
    domain,
    may,
    to: { problemSetId, compartments = [], userId, topic, training = topic === undefined ? undefined : false },
  }: Pick<LiveMessage, "permit" | "domain" | "may" | "to">,
): boolean {
  if (userId !== undefined && actor.userId !== userId) return false;
  if (!allows(actor, { permit, domain })) return false;
  if (training !== undefined && (actor.mode === "training") !== training) return false;
  if (problemSetId === undefined) return compartments.length === 0 && (userId !== undefined || topic !== undefined);
  const membership =
    actor.memberships && Object.hasOwn(actor.memberships, problemSetId) ? actor.memberships[problemSetId] : undefined;
  if (!membership || (may && !holds(membership.permits, may))) return false;
  return readInto(actor, compartments);
}

/**
 * Everything about an actor that `mayReceive` looks at for messages to this problem set (or, without one, to topics),
 * as a text: two actors with equal texts receive the same, except for messages to one person.
 */
export function receivingScope(actor: Actor, problemSetId?: string): string {
  const { permits, limits, mode, memberships } = actor;
  const membership = problemSetId === undefined ? undefined : memberships?.[problemSetId];
  // Compartments of every set count: what a child inherits lies in those of its parent.
  const held =
    membership && [...new Set(Object.values(memberships!).flatMap(({ compartments }) => compartments))].sort();
  return JSON.stringify([
    isConfirmed(actor),
    [...permits].sort(),
    limits && [...limits].sort(),
    mode,
    membership && [[...membership.permits].sort(), held],
  ]);
}
