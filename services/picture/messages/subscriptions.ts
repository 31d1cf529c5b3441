import { z } from "zod";
import { SKEW_MS } from "../../../core/clock.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { derivedId } from "../../../core/ids.ts";
import { unprocessable } from "../../../core/problem.ts";
import { Compartments } from "../../../core/access/place.ts";
import { PRIORITIES, Priority, type Message } from "./messages.ts";
import { reach } from "./place.ts";

/** Delivered and not acknowledged, at most; then nothing new comes until something is. */
export const MOST_IN_FLIGHT = 256;
/** Dead letters of one subscription, at most; then what was delivered in vain goes on being delivered. */
export const MOST_DEAD = 256;
/** Subscriptions of one person, at most. */
export const MOST_SUBSCRIPTIONS = 1_000;

const InFlight = z.object({
  sequence: z.int(),
  deliveries: z.int(),
  dueAt: z.string(),
  expiresAt: z.string().optional(),
});
const Dead = z.object({ sequence: z.int(), deliveries: z.int(), at: z.string() });

export const rules = {
  ackWaitSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(30)
    .describe("What is not acknowledged within it is delivered again."),
  mostDeliveries: z.int().min(1).max(100).default(5).describe("After so many it is a dead letter."),
  leastPriority: Priority.default("routine").describe("Messages of less precedence are passed over."),
};

/**
 * Somebody's durable place in a channel. Up to `position` every message was dealt with: it is settled, save those in
 * `inFlight`, which were delivered and wait to be acknowledged, and those in `dead`, which were delivered in vain.
 */
export const Subscription = entity("messages.subscriptions", {
  title: "subscription",
  fields: {
    problemSetId: TextId.optional(),
    compartments: Compartments,
    audience: z.enum(["operational", "training"]).optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    channelId: TextId,
    channel: z.string(),
    userId: z.string(),
    ...rules,
    position: z.int(),
    inFlight: z.array(InFlight),
    dead: z.array(Dead),
    delivered: z.int(),
    redelivered: z.int(),
    acknowledged: z.int(),
  },
  readonly: [
    "audience",
    "from",
    "to",
    "channelId",
    "userId",
    "position",
    "inFlight",
    "dead",
    "delivered",
    "redelivered",
    "acknowledged",
  ],
  immutable: ["problemSetId", "compartments", "channel"],
  hidden: ["audience", "from", "to", "userId", "inFlight", "dead"],
  barrier: reach,
  most: {
    count: MOST_SUBSCRIPTIONS,
    per: ["userId"],
    refusal: (count) => unprocessable("TOO_MANY_SUBSCRIPTIONS", `A person has at most ${count} subscriptions.`),
  },
  indexes: [{ fields: ["userId", "-createdAt"] }, { fields: ["channelId"] }],
});
export type Subscription = Item<typeof Subscription>;
export const SubscriptionView = Subscription.view.meta({ id: "ChannelSubscription" });

/** One a person and channel. */
export const subscriptionId = (channelId: string, userId: string): string =>
  derivedId(`subscription of ${userId} to ${channelId}`);

/** The part of a subscription that moves. */
export type Progress = Pick<
  Subscription,
  "position" | "inFlight" | "dead" | "delivered" | "redelivered" | "acknowledged"
>;
export const startAt = (position: number): Progress => ({
  position,
  inFlight: [],
  dead: [],
  delivered: 0,
  redelivered: 0,
  acknowledged: 0,
});
/** That part alone. */
export const progressOf = ({ position, inFlight, dead, delivered, redelivered, acknowledged }: Progress): Progress => ({
  position,
  inFlight,
  dead,
  delivered,
  redelivered,
  acknowledged,
});
type Rules = Pick<Subscription, "ackWaitSeconds" | "mostDeliveries" | "leastPriority">;
type Known = Pick<Message, "sequence" | "priority" | "expiresAt">;

export const SKIPPED = ["expired", "priority", "settled"] as const;
/**
 * What becomes of a message on its way to a subscriber: delivered, for the how-many-eth time, or passed over, and why.
 */
export type DeliveryOutcome = { sequence: number } & ({ deliveries: number } | { skipped: (typeof SKIPPED)[number] });

/** Everything up to it is settled, dead letters included. */
export const settledThrough = ({ position, inFlight }: Pick<Progress, "position" | "inFlight">): number =>
  inFlight.length ? inFlight[0]!.sequence - 1 : position;
/** How many messages are still to be delivered or acknowledged, of a channel with this head. */
export const waitingOf = ({ position, inFlight }: Pick<Progress, "position" | "inFlight">, head: number): number =>
  Math.max(0, head - position) + inFlight.length;

const later = (now: number, seconds: number): string => new Date(now + seconds * 1_000).toISOString();
const isOver = ({ expiresAt }: { expiresAt?: string | undefined }, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= new Date(now).toISOString();
const ranks = ({ priority }: Known, least: Priority): boolean =>
  PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(least);

/**
 * Hands messages on, which come in order and from any place on: what was dealt with before is told as it stands, what
 * follows `position` is delivered for the first time, until as many are in flight as may be. Answers what became of
 * each it got to.
 */
export function advance(
  progress: Progress,
  messages: readonly Known[],
  { ackWaitSeconds, leastPriority }: Rules,
  now: number,
): { progress: Progress; told: DeliveryOutcome[] } {
  const inFlight = [...progress.inFlight];
  const waiting = new Map(inFlight.map((one) => [one.sequence, one.deliveries]));
  const told: DeliveryOutcome[] = [];
  let { position, delivered } = progress;
  for (const message of messages) {
    const { sequence, expiresAt } = message;
    const why = isOver(message, now)
      ? ("expired" as const)
      : ranks(message, leastPriority)
        ? undefined
        : ("priority" as const);
    if (sequence <= position) {
      const deliveries = waiting.get(sequence);
      // Whoever asks once more, or was cut off before the answer, hears the same reason.
      told.push({ sequence, ...(deliveries ? { deliveries } : { skipped: why ?? ("settled" as const) }) });
      continue;
    }
    if (!why && inFlight.length >= MOST_IN_FLIGHT) break;
    position = sequence;
    if (why) {
      told.push({ sequence, skipped: why });
      continue;
    }
    inFlight.push({ sequence, deliveries: 1, dueAt: later(now, ackWaitSeconds), ...(expiresAt && { expiresAt }) });
    delivered++;
    told.push({ sequence, deliveries: 1 });
  }
  return { progress: { ...progress, position, inFlight, delivered }, told };
}

/**
 * Delivers again, at most so many, what was not acknowledged in time; what was delivered as often as may be is dead,
 * and what has expired is settled.
 */
export function retry(
  progress: Progress,
  { ackWaitSeconds, mostDeliveries }: Rules,
  now: number,
  most: number,
): { progress: Progress; again: { sequence: number; deliveries: number }[] } {
  const at = new Date(now).toISOString();
  const inFlight: Progress["inFlight"] = [],
    dead = [...progress.dead],
    again: { sequence: number; deliveries: number }[] = [];
  for (const one of progress.inFlight) {
    const { sequence, deliveries, dueAt } = one;
    if (isOver(one, now)) continue;
    // Later than its rule says was written before the clock was set back.
    if (dueAt > at && dueAt <= later(now + SKEW_MS, ackWaitSeconds)) inFlight.push(one);
    else if (deliveries >= mostDeliveries && dead.length < MOST_DEAD) dead.push({ sequence, deliveries, at });
    else if (again.length >= most) inFlight.push(one);
    else {
      inFlight.push({ ...one, deliveries: deliveries + 1, dueAt: later(now, ackWaitSeconds) });
      again.push({ sequence, deliveries: deliveries + 1 });
    }
  }
  return { progress: { ...progress, inFlight, dead, redelivered: progress.redelivered + again.length }, again };
}

/**
 * Acknowledges one message, or with `cumulative` all up to it, dead letters included. Null where that changes nothing;
 * undefined where it was not delivered yet.
 */
export function acknowledge(
  progress: Progress,
  sequence: number,
  { cumulative = false } = {},
): Progress | null | undefined {
  if (sequence > progress.position) return undefined;
  const stays = (one: { sequence: number }): boolean =>
    cumulative ? one.sequence > sequence : one.sequence !== sequence;
  const inFlight = progress.inFlight.filter(stays),
    dead = progress.dead.filter(stays);
  const done = progress.inFlight.length - inFlight.length + progress.dead.length - dead.length;
  return done ? { ...progress, inFlight, dead, acknowledged: progress.acknowledged + done } : null;
}

/**
 * Puts a dead letter back among what is to be delivered, now, counting from one again. Null where it is no dead letter.
 */
export function revive(progress: Progress, sequence: number, now: number): Progress | null {
  if (!progress.dead.some((one) => one.sequence === sequence)) return null;
  const back = { sequence, deliveries: 0, dueAt: new Date(now).toISOString() };
  return {
    ...progress,
    dead: progress.dead.filter((one) => one.sequence !== sequence),
    inFlight: [...progress.inFlight, back].sort((one, other) => one.sequence - other.sequence),
  };
}

/** Settles what is kept no longer. */
export const forget = (progress: Progress, sequences: ReadonlySet<number>): Progress => ({
  ...progress,
  inFlight: progress.inFlight.filter(({ sequence }) => !sequences.has(sequence)),
  dead: progress.dead.filter(({ sequence }) => !sequences.has(sequence)),
});

/** When something is to be delivered again, in epoch milliseconds; Infinity where nothing waits. */
export const nextDue = ({ inFlight }: Pick<Progress, "inFlight">): number =>
  Math.min(Infinity, ...inFlight.map(({ dueAt }) => Date.parse(dueAt)));

export const DeadLetter = z.object({
  id: z.string().describe("The message's."),
  deliveries: z.int(),
  at: Instant.describe("When it was given up."),
  channelId: z.string(),
  channel: z.string(),
});
