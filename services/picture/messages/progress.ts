import { SKEW_MS } from "../../../core/clock.ts";
import { PRIORITIES, type Message } from "./messages.ts";
import { isOfType, MOST_DEAD, MOST_IN_FLIGHT, type InFlight, type ChannelSubscription } from "./subscriptions.ts";

// How far a subscription has come in its channel, and what becomes of it with each delivery: pure.

/** The part of a subscription that moves. */
export type Progress = Pick<
  ChannelSubscription,
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
type Rules = Pick<
  ChannelSubscription,
  "ackWaitSeconds" | "backOffSeconds" | "mostDeliveries" | "leastPriority" | "types" | "order"
>;
type Known = Pick<Message, "sequence" | "priority" | "type" | "expiresAt">;

export const SKIPPED = ["expired", "priority", "type", "settled"] as const;
/** A delivery of a message: the how-many-eth, and its receipt, a larger number than any before in the subscription. */
export interface Delivered {
  sequence: number;
  deliveries: number;
  receipt: number;
}
/** What becomes of a message on its way to a subscriber: delivered, or passed over, and why. */
export type DeliveryOutcome = Delivered | { sequence: number; skipped: (typeof SKIPPED)[number] };

/** Everything up to it is settled, dead letters included. */
export const settledThrough = ({ position, inFlight }: Pick<Progress, "position" | "inFlight">): number =>
  inFlight.length ? inFlight[0]!.sequence - 1 : position;
/** How many messages are still to be delivered or acknowledged, of a channel with this head. */
export const waitingOf = ({ position, inFlight }: Pick<Progress, "position" | "inFlight">, head: number): number =>
  Math.max(0, head - position) + inFlight.length;

const later = (now: number, seconds: number): string => new Date(now + seconds * 1_000).toISOString();
const isOver = ({ expiresAt }: { expiresAt?: string | undefined }, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= new Date(now).toISOString();
const rankOf = ({ priority }: Known): number => PRIORITIES.indexOf(priority);
/** Why a message is not for this subscriber; undefined where it is. */
function passedOver(message: Known, { leastPriority, types }: Rules, now: number) {
  if (isOver(message, now)) return "expired";
  if (rankOf(message) < PRIORITIES.indexOf(leastPriority)) return "priority";
  return types?.some((pattern) => isOfType(message.type, pattern)) === false ? "type" : undefined;
}

/** Taken out of its channel, and never delivered. */
const isFresh = ({ deliveries, receipt }: { deliveries: number; receipt?: number | undefined }): boolean =>
  deliveries === 0 && receipt === undefined;

/** One more delivery of a message, as it is in flight then. */
function deliveredNow(one: InFlight, receipt: number, { ackWaitSeconds, backOffSeconds }: Rules, now: number) {
  const deliveries = one.deliveries + 1;
  const waits = backOffSeconds?.[Math.min(deliveries, backOffSeconds.length) - 1] ?? ackWaitSeconds;
  return { ...one, deliveries, receipt, waits, dueAt: later(now, waits) };
}
/** How many deliveries there were, which is the receipt of the last one. */
const deliveriesOf = ({ delivered, redelivered }: Progress): number => delivered + redelivered;
/** Counts one more. */
const count = (next: Progress, one: InFlight): number => {
  if (isFresh(one)) next.delivered++;
  else next.redelivered++;
  return deliveriesOf(next);
};
const told = ({ sequence, deliveries, receipt = 0 }: InFlight): Delivered => ({ sequence, deliveries, receipt });

/**
 * Hands messages on, which come in order and from any place on: what was dealt with before is told as it stands, what
 * follows `position` is delivered for the first time, until as many are in flight as may be. Answers what became of
 * each it got to, and whether the subscription moved.
 */
export function advance(
  progress: Progress,
  messages: readonly Known[],
  rules: Rules,
  now: number,
): { progress: Progress; told: DeliveryOutcome[]; moved: boolean } {
  const inFlight = new Map(progress.inFlight.map((one) => [one.sequence, one]));
  const outcomes: DeliveryOutcome[] = [];
  const next = { ...progress };
  const deliver = (one: InFlight): void => {
    const there = deliveredNow(one, count(next, one), rules, now);
    inFlight.set(one.sequence, there);
    outcomes.push(told(there));
  };
  for (const message of messages) {
    const { sequence, expiresAt } = message;
    const why = passedOver(message, rules, now);
    if (sequence <= next.position) {
      const there = inFlight.get(sequence);
      if (there && there.deliveries === 0) deliver(there);
      // Whoever asks once more, or was cut off before the answer, hears the same reason.
      else outcomes.push(there ? told(there) : { sequence, skipped: why ?? "settled" });
      continue;
    }
    if (!why && inFlight.size >= MOST_IN_FLIGHT) break;
    next.position = sequence;
    if (why) outcomes.push({ sequence, skipped: why });
    else deliver(waitingNow(message, now, expiresAt));
  }
  const moved = next.position > progress.position || deliveriesOf(next) > deliveriesOf(progress);
  return { progress: { ...next, inFlight: [...inFlight.values()] }, told: outcomes, moved };
}

const waitingNow = (message: Known, now: number, expiresAt: string | undefined): InFlight => ({
  sequence: message.sequence,
  deliveries: 0,
  dueAt: later(now, 0),
  rank: rankOf(message),
  ...(expiresAt && { expiresAt }),
});

/**
 * Takes messages, which follow `position` in order, out of their channel without delivering them, until as many are in
 * flight as may be: `retry` then delivers those of the highest precedence first. Answers what was passed over.
 */
export function gather(
  progress: Progress,
  messages: readonly Known[],
  rules: Rules,
  now: number,
): { progress: Progress; skipped: Exclude<DeliveryOutcome, Delivered>[] } {
  const inFlight = [...progress.inFlight];
  const skipped: Exclude<DeliveryOutcome, Delivered>[] = [];
  let { position } = progress;
  for (const message of messages) {
    if (message.sequence <= position) continue;
    const why = passedOver(message, rules, now);
    if (!why && inFlight.length >= MOST_IN_FLIGHT) break;
    position = message.sequence;
    if (why) skipped.push({ sequence: message.sequence, skipped: why });
    else inFlight.push(waitingNow(message, now, message.expiresAt));
  }
  return { progress: { ...progress, position, inFlight }, skipped };
}

/**
 * Delivers, at most so many, what was not acknowledged in time or waits for its first delivery, in the order that the
 * subscription asks for; what was delivered as often as may be is dead, and what has expired is settled.
 */
export function retry(
  progress: Progress,
  rules: Rules,
  now: number,
  most: number,
): { progress: Progress; again: Delivered[] } {
  const at = later(now, 0);
  // Later than it was to wait was written before the clock was set back.
  const isDue = ({ dueAt, waits = rules.ackWaitSeconds }: InFlight): boolean =>
    dueAt <= at || dueAt > new Date(now + SKEW_MS + waits * 1_000).toISOString();
  const next = { ...progress, dead: [...progress.dead] };
  const held = progress.inFlight.filter((one) => !isOver(one, now));
  const due = held.filter(isDue);
  const dying = new Set(
    due.filter(({ deliveries }) => deliveries >= rules.mostDeliveries).slice(0, MOST_DEAD - next.dead.length),
  );
  for (const { sequence, deliveries } of dying) next.dead.push({ sequence, deliveries, at });
  const ready = due.filter((one) => !dying.has(one));
  if (rules.order === "precedence") ready.sort((one, other) => (other.rank ?? 0) - (one.rank ?? 0));
  const delivering = new Map<InFlight, InFlight>();
  for (const one of ready.slice(0, most)) delivering.set(one, deliveredNow(one, count(next, one), rules, now));
  const inFlight = held.filter((one) => !dying.has(one)).map((one) => delivering.get(one) ?? one);
  return { progress: { ...next, inFlight }, again: [...delivering.values()].map(told) };
}

/**
 * Acknowledges one message, or with `cumulative` all up to it, dead letters included. Null where that changes nothing;
 * `early` where it was not delivered yet, `again` where it was delivered once more since the delivery of this receipt.
 */
export function acknowledge(
  progress: Progress,
  sequence: number,
  { cumulative = false, receipt }: { cumulative?: boolean; receipt?: number | undefined } = {},
): Progress | null | "early" | "again" {
  const its = progress.inFlight.find((one) => one.sequence === sequence);
  if (sequence > progress.position || (its && isFresh(its))) return "early";
  if (receipt !== undefined && its && its.receipt !== receipt) return "again";
  const stays = (one: { sequence: number; deliveries: number; receipt?: number | undefined }): boolean =>
    isFresh(one) || (cumulative ? one.sequence > sequence : one.sequence !== sequence);
  const inFlight = progress.inFlight.filter(stays),
    dead = progress.dead.filter(stays);
  const done = progress.inFlight.length - inFlight.length + progress.dead.length - dead.length;
  return done ? { ...progress, inFlight, dead, acknowledged: progress.acknowledged + done } : null;
}

/** The delivery of this receipt is not the last one of its message, or was settled. */
const itsDelivery = ({ inFlight }: Progress, sequence: number, receipt: number): InFlight | undefined =>
  inFlight.find((one) => one.sequence === sequence && one.receipt === receipt);
const inPlaceOf = (progress: Progress, one: InFlight, other: InFlight): Progress => ({
  ...progress,
  inFlight: progress.inFlight.map((each) => (each === one ? other : each)),
});

/**
 * Gives a delivery back: it comes again after so many seconds, or with `final` never, as a dead letter (which it also
 * becomes where it was delivered as often as may be). Null where this is no delivery that waits to be acknowledged.
 */
export function refuseDelivery(
  progress: Progress,
  sequence: number,
  { receipt, delaySeconds, final }: { receipt: number; delaySeconds: number; final: boolean },
  now: number,
): Progress | null {
  const one = itsDelivery(progress, sequence, receipt);
  if (!one) return null;
  if (!final || progress.dead.length >= MOST_DEAD)
    return inPlaceOf(progress, one, { ...one, waits: delaySeconds, dueAt: later(now, delaySeconds) });
  const dead = { sequence, deliveries: one.deliveries, at: later(now, 0) };
  return { ...progress, inFlight: progress.inFlight.filter((each) => each !== one), dead: [...progress.dead, dead] };
}

/** Gives whoever works on a delivery more time, from now on. Null as for `refuseDelivery`. */
export function extend(
  progress: Progress,
  sequence: number,
  { receipt, seconds }: { receipt: number; seconds: number },
  now: number,
): Progress | null {
  const one = itsDelivery(progress, sequence, receipt);
  return one ? inPlaceOf(progress, one, { ...one, waits: seconds, dueAt: later(now, seconds) }) : null;
}

/**
 * Puts a dead letter back among what is to be delivered, now, counting from one again. Null where it is no dead letter.
 */
export function revive(progress: Progress, message: Known, now: number): Progress | null {
  const { sequence } = message;
  if (!progress.dead.some((one) => one.sequence === sequence)) return null;
  // A receipt that no delivery has, since it was delivered before.
  const back = { sequence, deliveries: 0, receipt: 0, dueAt: later(now, 0), rank: rankOf(message) };
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
