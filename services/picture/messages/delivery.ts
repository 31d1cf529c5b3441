import { z } from "zod";
import type { StreamEvent } from "../../../core/contract/answer.ts";
import { asSystem } from "../../../core/access/caller.ts";

import { isConflict, isNotFound, nullIf, overloaded } from "../../../core/problem.ts";
import type { Store } from "../../../core/records/store.ts";
import { cutOff } from "../../../core/contract/answering/stream.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Ledger } from "./ledger.ts";
import { MessageView, messageView, type Message } from "./messages.ts";
import { LOOK_MS, type ChannelLine, type Relay } from "./relay.ts";
import {
  advance,
  forget,
  gather,
  nextDue,
  progressOf,
  retry,
  settledThrough,
  SKIPPED,
  type Progress,
  type Delivered,
  type DeliveryOutcome,
} from "./progress.ts";
import { MOST_IN_FLIGHT, ChannelSubscription } from "./subscriptions.ts";

export const DeliveredView = MessageView.extend({
  deliveries: z.int().describe("How often it was delivered to you, this time included."),
  receipt: z
    .int()
    .describe("Of this delivery. Sent with what you say of the message, it speaks of this delivery alone."),
}).meta({ id: "DeliveredMessage" });
export const Skipped = z
  .object({
    sequence: z.int(),
    reason: z
      .enum(SKIPPED)
      .describe(
        "`expired`; `priority`: of less precedence than you asked for; `type`: of none of the types that you " +
          "asked for; `settled`: you had it before, and acknowledged it, or it is a dead letter.",
      ),
  })
  .meta({ id: "SkippedMessage" });
const Trimmed = z
  .object({ from: z.int().describe("The first message that is kept; earlier ones were removed.") })
  .meta({ id: "TrimmedMessages" });

/** What a follower of a channel hears. */
export const CHANNEL_EVENTS = {
  "message.published": MessageView.extend({ deliveries: z.int().optional(), receipt: z.int().optional() }).meta({
    id: "PublishedMessage",
  }),
  "message.redelivered": DeliveredView,
  "message.skipped": Skipped,
  "message.trimmed": Trimmed,
} satisfies Readonly<Record<string, z.ZodType>>;

const MESH = asSystem("messages");
type DeliveredMessage = Message & Pick<Delivered, "deliveries" | "receipt">;
/** Messages delivered again at a time. */
const MOST_AGAIN = 50;

/**
 * Brings messages to those who subscribe: writes down what is delivered before it is, and once more when nobody
 * acknowledged it.
 */
export class MessageDelivery {
  readonly #subscriptions: Store<typeof ChannelSubscription>;
  readonly #ledger: Ledger;
  readonly #relay: Relay;
  readonly #clock: Clock;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(subscriptions: Store<typeof ChannelSubscription>, ledger: Ledger, relay: Relay, clock: Clock) {
    this.#subscriptions = subscriptions;
    this.#ledger = ledger;
    this.#relay = relay;
    this.#clock = clock;
  }

  /**
   * Changes where a subscription stands, one after the other on this node, by compare-and-set over all. Answers the
   * subscription as it is then; null where it is gone.
   */
  async move(
    id: string,
    change: (subscription: ChannelSubscription) => Progress | null,
  ): Promise<ChannelSubscription | null> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const turn = before.catch(() => {}).then(() => this.#move(id, change));
    this.#turns.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    }
  }

  async #move(
    id: string,
    change: (subscription: ChannelSubscription) => Progress | null,
  ): Promise<ChannelSubscription | null> {
    try {
      return await this.#subscriptions.change(MESH, id, (subscription) => {
        const progress = change(subscription);
        return progress && progressOf(progress);
      });
    } catch (error) {
      if (isConflict(error)) throw overloaded("Too many move this subscription at once.");
      return nullIf(isNotFound)(error);
    }
  }

  /** What is to be delivered again now, in order, with how often it was. */
  async again(id: string, most = MOST_AGAIN): Promise<DeliveredMessage[]> {
    let due: Delivered[] = [];
    const subscription = await this.move(id, (one) => {
      const { progress, again } = retry(one, one, this.#clock.now(), most);
      due = again;
      return again.length || progress.inFlight.length !== one.inFlight.length ? progress : null;
    });
    if (!subscription || !due.length) return [];
    const messages = new Map(
      (
        await this.#ledger.those(
          subscription.channelId,
          due.map(({ sequence }) => sequence),
        )
      ).map((message) => [message.sequence, message]),
    );
    const gone = new Set(due.map(({ sequence }) => sequence).filter((sequence) => !messages.has(sequence)));
    if (gone.size) await this.move(id, (one) => forget(one, gone));
    return due.flatMap(({ sequence, ...delivery }) => {
      const message = messages.get(sequence);
      return message ? [{ ...message, ...delivery }] : [];
    });
  }

  /**
   * Hands on messages that come in order; answers what became of those it got to, and null where the subscription is
   * gone.
   */
  async take(
    id: string,
    messages: readonly Message[],
  ): Promise<{ told: DeliveryOutcome[]; subscription: ChannelSubscription } | null> {
    let told: DeliveryOutcome[] = [];
    const subscription = await this.move(id, (one) => {
      const outcome = advance(one, messages, one, this.#clock.now());
      told = outcome.told;
      return outcome.moved ? outcome.progress : null;
    });
    return subscription && { told, subscription };
  }

  /** The next messages for somebody who asks for them: what is due again first. */
  async next(
    subscription: ChannelSubscription,
    most: number,
  ): Promise<{
    delivered: DeliveredMessage[];
    skipped: z.output<typeof Skipped>[];
    position: number;
    inFlight: ChannelSubscription["inFlight"];
  } | null> {
    const skipped = subscription.order === "precedence" ? await this.#gather(subscription) : [];
    const delivered = await this.again(subscription.id, most);
    for (;;) {
      const now = await this.move(subscription.id, () => null);
      if (!now) return null;
      const room = now.order === "precedence" ? 0 : most - delivered.length;
      const messages = room > 0 ? await this.#ledger.after(now.channelId, now.position, room) : [];
      if (!messages.length) return { delivered, skipped, position: now.position, inFlight: now.inFlight };
      const taken = await this.take(now.id, messages);
      if (!taken?.told.length) return { delivered, skipped, position: now.position, inFlight: now.inFlight };
      for (const one of taken.told) {
        const message = messages.find(({ sequence }) => sequence === one.sequence)!;
        if (!("deliveries" in one)) skipped.push({ sequence: one.sequence, reason: one.skipped });
        else if (one.sequence > now.position)
          delivered.push({ ...message, deliveries: one.deliveries, receipt: one.receipt });
      }
    }
  }

  /** Takes what waits the longest out of a channel, as much as may be in flight; answers what was passed over. */
  async #gather({ id }: ChannelSubscription): Promise<z.output<typeof Skipped>[]> {
    const passed: z.output<typeof Skipped>[] = [];
    for (;;) {
      const now = await this.move(id, () => null);
      const room = now ? MOST_IN_FLIGHT - now.inFlight.length : 0;
      const messages = room > 0 ? await this.#ledger.after(now!.channelId, now!.position, room) : [];
      if (!messages.length) return passed;
      let skipped: ReturnType<typeof gather>["skipped"] = [];
      await this.move(id, (one) => {
        const outcome = gather(one, messages, one, this.#clock.now());
        skipped = outcome.skipped;
        return outcome.progress.position > one.position ? outcome.progress : null;
      });
      passed.push(...skipped.map(({ sequence, skipped: reason }) => ({ sequence, reason })));
    }
  }

  /** Follows a channel in order, from after a number, without a subscription. */
  async *follow(channelId: string, lastSeen: number | undefined): AsyncGenerator<StreamEvent> {
    const line = await this.#relay.join(channelId);
    let at = lastSeen ?? line.head;
    try {
      while (!this.#relay.isClosed) {
        const hint = this.#relay.listen(line, undefined, LOOK_MS);
        const messages = await line.after(at);
        const trimmed = gapBefore(line, messages, at);
        if (trimmed) yield trimmed;
        const now = new Date(this.#clock.now()).toISOString();
        for (const message of messages)
          yield eventOf(
            message,
            message.expiresAt !== undefined && message.expiresAt <= now
              ? { sequence: message.sequence, skipped: "expired" }
              : undefined,
          );
        at = messages.at(-1)?.sequence ?? (trimmed ? line.head : at);
        if (messages.length) hint.end();
        else await hint.next(at);
      }
      throw cutOff();
    } finally {
      this.#relay.leave(line);
    }
  }

  /**
   * Follows a channel as a subscriber: in order from after what they saw last, or from the first that is not settled,
   * and between that what is due again.
   */
  async *deliver(subscription: ChannelSubscription, lastSeen: number | undefined): AsyncGenerator<StreamEvent> {
    const { id } = subscription;
    const line = await this.#relay.join(subscription.channelId);
    // Never beyond what was recorded as delivered: what lies between would count as settled.
    let at = Math.min(lastSeen ?? settledThrough(subscription), subscription.position);
    try {
      while (!this.#relay.isClosed) {
        const state = await this.move(id, () => null);
        if (!state) return;
        const hint = this.#relay.listen(line, id, Math.max(0, Math.min(LOOK_MS, nextDue(state) - this.#clock.now())));
        // What this connection has not come to yet comes in its order, counted.
        for (const { deliveries, receipt, ...message } of await this.again(id))
          if (message.sequence <= at)
            yield { event: "message.redelivered", data: { ...messageView(message as Message), deliveries, receipt } };
        const messages = await line.after(at);
        const trimmed = gapBefore(line, messages, at);
        if (trimmed) yield trimmed;
        const taken = messages.length ? await this.take(id, messages) : undefined;
        if (taken === null) {
          hint.end();
          return;
        }
        for (const [n, told] of (taken?.told ?? []).entries()) yield eventOf(messages[n]!, told);
        at = taken?.told.at(-1)?.sequence ?? (trimmed && !messages.length ? line.head : at);
        if (taken?.told.length) hint.end();
        // Where no more may be in flight, what is published changes nothing.
        else await hint.next(messages.length ? undefined : at);
      }
      throw cutOff();
    } finally {
      this.#relay.leave(line);
    }
  }
}

/** The first message that is kept has a number further on than the next one: those in between were removed. */
function gapBefore(line: ChannelLine, messages: readonly Message[], at: number): StreamEvent | undefined {
  const first = messages[0]?.sequence ?? (line.head > at ? line.head + 1 : at + 1);
  return first > at + 1 ? { id: String(first - 1), event: "message.trimmed", data: { from: first } } : undefined;
}

function eventOf(message: Message, told?: DeliveryOutcome): StreamEvent {
  const id = String(message.sequence);
  if (told && "skipped" in told)
    return { id, event: "message.skipped", data: { sequence: told.sequence, reason: told.skipped } };
  const { sequence: _sequence, ...delivery } = told ?? { sequence: 0 };
  return { id, event: "message.published", data: { ...messageView(message), ...delivery } };
}
