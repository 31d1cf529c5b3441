import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../../../core/access/caller.ts";
import { iso, type Clock } from "../../../core/clock.ts";
import { DuplicateKey } from "../../../core/records/documents.ts";
import { beyondHolds } from "../../../core/work/hold.ts";
import { overloaded } from "../../../core/problem.ts";
import { nextId } from "../../../core/contract/repeatable.ts";
import type { Store } from "../../../core/records/store.ts";
import { dedupeKey, digestOver, Message, payloadText } from "./messages.ts";
import { NO_HEAD, type ChannelPlace, type ChannelHead } from "./channels.ts";
import { channelPlaceOf, type MessagePlace } from "./place.ts";

/** What is published, beside what the sequencer adds to it. */
export interface OutgoingMessage {
  source: string;
  payload: Record<string, unknown>;
  type: string;
  classification: Message["classification"];
  priority: Message["priority"];
  destination?: string | undefined;
  correlationId?: string | undefined;
  expiresAt?: string | undefined;
  dedupeId?: string | undefined;
}

interface Draft extends PromiseWithResolvers<Message> {
  id: string;
  caller: Caller;
  place: MessagePlace;
  given: OutgoingMessage;
  dedupe: string | undefined;
}
interface ChannelQueue {
  channel: ChannelPlace;
  waiting: Draft[];
  head: ChannelHead | undefined;
  readAt: number;
}

/** Messages that are stored in one write. */
const MOST_AT_ONCE = 128;
/** Tries of one batch while others publish to the same channel. */
const MOST_TRIES = 100;
/** A head is believed for so long without looking: what is kept no longer must not seem to be free. */
const BELIEVED_MS = 60_000;

export interface SequencerParts {
  store: Store<typeof Message>;
  clock: Clock;
  /** Where a channel stands in the store. */
  head(channelId: string): Promise<ChannelHead>;
  /** Told of messages once they are durable. */
  stored(channel: ChannelPlace, messages: readonly Message[]): void;
  /** Waits between two tries; milliseconds. */
  sleep?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Gives the messages of each channel their numbers, 1, 2, 3 …, over all nodes and without a gap: a message is stored
 * under the number after the last one, which a unique index gives to one of those who try; whoever loses reads where
 * the channel stands, and tries again. What is published while a write is under way goes together into the next one, in
 * order, so that a message is never stored before those ahead of it. There is no lease to lose and no counter to run
 * ahead: the last message is the counter.
 */
export class Sequencer {
  readonly #parts: SequencerParts;
  readonly #lines = new Map<string, ChannelQueue>();
  readonly #sleep: (milliseconds: number) => Promise<unknown>;

  constructor(parts: SequencerParts) {
    this.#parts = parts;
    this.#sleep = parts.sleep ?? ((milliseconds) => pause(milliseconds));
  }

  /**
   * Resolves with the message once it is durable, or with the one that was published under the same `dedupeId` before.
   */
  publish(
    caller: Caller,
    channel: ChannelPlace,
    given: OutgoingMessage,
    id = nextId(caller, Message.name),
  ): Promise<Message> {
    const dedupe =
      given.dedupeId === undefined ? undefined : dedupeKey(channel.id, caller.meta.actor?.userId ?? "", given.dedupeId);
    const draft: Draft = {
      ...Promise.withResolvers<Message>(),
      id,
      caller,
      place: channelPlaceOf(channel as MessagePlace),
      given,
      dedupe,
    };
    const line = this.#lines.get(channel.id);
    if (line) line.waiting.push(draft);
    else {
      const begun: ChannelQueue = { channel, waiting: [draft], head: undefined, readAt: 0 };
      this.#lines.set(channel.id, begun);
      // The first caller writes for all of them, so that the write must not run under its lease alone.
      void beyondHolds(() => this.#run(begun));
    }
    return draft.promise;
  }

  async #run(line: ChannelQueue): Promise<void> {
    while (line.waiting.length) {
      const batch = apart(line.waiting, MOST_AT_ONCE);
      line.waiting = line.waiting.filter((draft) => !batch.includes(draft));
      await this.#settle(line, batch).catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      });
    }
    this.#lines.delete(line.channel.id);
  }

  async #settle(line: ChannelQueue, batch: readonly Draft[]): Promise<void> {
    for (let left = batch, tries = 1; left.length; tries++) {
      if (tries > MOST_TRIES) throw overloaded("Too many publish to this channel at once.");
      const outcome = await this.#store(line, left);
      if (outcome === "stored") return;
      left = await this.#unanswered(left);
      if (left.length && outcome !== "taken") throw outcome.error;
      if (left.length && tries > 2) await this.#sleep(Math.random() * Math.min(2 * tries, 50));
    }
  }

  /** Stores a batch after the last message; `taken` where somebody was there before. */
  async #store(line: ChannelQueue, batch: readonly Draft[]): Promise<"stored" | "taken" | { error: unknown }> {
    const { store, clock, stored } = this.#parts;
    try {
      const known = line.head && performance.now() - line.readAt < BELIEVED_MS;
      const head = known ? line.head! : await this.#parts.head(line.channel.id);
      line.head = head;
      line.readAt = performance.now();
      // Time goes on in a channel, wherever the clock is set: what is published later is listed before.
      const publishedAt = iso(Math.max(clock.now(), head.at ? Date.parse(head.at) + 1 : 0));
      const messages = await store.createInOrder(chained(line, batch, publishedAt), publishedAt);
      const last = messages.at(-1)!;
      line.head = { sequence: last.sequence, digest: last.digest, at: last.publishedAt };
      batch.forEach(({ resolve }, at) => resolve(messages[at]!));
      stored(line.channel, messages);
      return "stored";
    } catch (error) {
      line.head = undefined;
      return error instanceof DuplicateKey ? "taken" : { error };
    }
  }

  /** Answers those whose message is there: by an earlier try, by a repetition, by a try whose answer was lost. */
  async #unanswered(batch: readonly Draft[]): Promise<readonly Draft[]> {
    const { collection } = this.#parts.store;
    const keys = batch.flatMap(({ dedupe }) => dedupe ?? []);
    const [byId, byKey] = await Promise.all([
      collection.findByIds(batch.map(({ id }) => id)),
      keys.length ? collection.find({ query: { dedupe: { $in: keys } } }) : [],
    ]);
    const there = new Map<unknown, Message>();
    for (const doc of [...byId, ...byKey]) {
      const { _id, ...rest } = doc;
      const message = { id: _id, ...rest } as unknown as Message;
      there.set(_id, message);
      if (message.dedupe) there.set(message.dedupe, message);
    }
    return batch.filter(({ id, dedupe, resolve }) => {
      const message = there.get(id) ?? (dedupe ? there.get(dedupe) : undefined);
      if (message) resolve(message);
      return !message;
    });
  }
}

/** The first drafts that can be stored together: of one id, and of one dedupe key, the first alone. */
function apart(waiting: readonly Draft[], most: number): Draft[] {
  const seen = new Set<string>();
  return waiting.slice(0, most).filter(({ id, dedupe }) => {
    if (seen.has(id) || (dedupe && seen.has(dedupe))) return false;
    seen.add(id);
    if (dedupe) seen.add(dedupe);
    return true;
  });
}

/** The drafts as messages that follow the head, each by its digest bound to all before it. */
function chained(
  { channel, head = NO_HEAD }: ChannelQueue,
  batch: readonly Draft[],
  publishedAt: string,
): { caller: Caller; fields: Record<string, unknown> & { id: string } }[] {
  let { sequence, digest } = head;
  return batch.map(({ id, caller, place, dedupe, given: { payload, ...given } }) => {
    const content = { ...given, id, channelId: channel.id, sequence: ++sequence, publishedAt } as Message;
    const text = payloadText(payload);
    digest = digestOver(digest, content, text);
    return {
      caller,
      fields: {
        ...content,
        ...place,
        ...(channel.channel !== undefined && { channel: channel.channel }),
        ...(dedupe && { dedupe }),
        text,
        digest,
      },
    };
  });
}
