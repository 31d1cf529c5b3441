import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { isConflict, nullIf } from "../../../core/problem.ts";
import type { Store } from "../../../core/records/store.ts";
import { Channel, counted, NO_HEAD, type ChannelHead } from "./channels.ts";
import { Message } from "./messages.ts";

const MESH = asSystem("messages");
/** Channels asked about in one query, and messages read at a time. */
const CHANNELS = 100,
  SLICE = 500;

/**
 * Where channels stand and what was published in them. The last message says where a channel stands; a channel's record
 * repeats it, with counts by kind, written after the fact by whoever published. It says how far it goes, so that
 * whoever asks counts what follows first, however the writer ended, and each message is counted once.
 */
export class Ledger {
  readonly #channels: Store<typeof Channel>;
  readonly #messages: Store<typeof Message>;
  readonly #failed: (error: unknown) => void;
  readonly #noted = new Map<string, Message[]>();
  readonly #writing = new Map<string, Promise<void>>();

  constructor(host: Pick<Host, "store">, failed: (error: unknown) => void) {
    this.#channels = host.store(Channel);
    this.#messages = host.store(Message);
    this.#failed = failed;
  }

  /** Where a channel stands: by its last message, or by its record, where no message is kept any more. */
  async head(channelId: string): Promise<ChannelHead> {
    const [last] = await this.#messages.find(
      MESH,
      { channelId },
      { sort: ["-sequence"], limit: 1, fields: ["sequence", "digest", "publishedAt"] },
    );
    if (last) return { sequence: last.sequence, digest: last.digest, at: last.publishedAt };
    return (await this.#channels.one(MESH, { _id: channelId }))?.head ?? NO_HEAD;
  }

  /** Messages of a channel after a number, in order. */
  after(channelId: string, sequence: number, most: number): Promise<Message[]> {
    return this.#messages.find(MESH, { channelId, sequence: { $gt: sequence } }, { sort: ["sequence"], limit: most });
  }

  /**
   * The number after which the messages of a channel were published at a time or later: by halving, as their times rise
   * with their numbers.
   */
  async before(channelId: string, time: string): Promise<number> {
    let low = 0,
      high = (await this.head(channelId)).sequence;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [next] = await this.#messages.find(
        MESH,
        { channelId, sequence: { $gt: middle } },
        { sort: ["sequence"], limit: 1, fields: ["sequence", "publishedAt"] },
      );
      // What was removed from before it was older.
      if (next && next.publishedAt < time) low = next.sequence;
      else high = middle;
    }
    return low;
  }

  /** These messages of a channel, in order, as far as they are kept. */
  those(channelId: string, sequences: readonly number[]): Promise<Message[]> {
    return this.#messages.find(MESH, { channelId, sequence: { $in: [...sequences] } }, { sort: ["sequence"] });
  }

  /** Counts what was published here; what comes while a count is written is counted together. */
  note(channelId: string, messages: readonly Message[]): void {
    const noted = this.#noted.get(channelId);
    if (noted) return void noted.push(...messages);
    this.#noted.set(channelId, [...messages]);
    const writing = (this.#writing.get(channelId) ?? Promise.resolve())
      .then(() => this.#write(channelId))
      .catch(this.#failed)
      .finally(() => {
        if (this.#writing.get(channelId) === writing) this.#writing.delete(channelId);
      });
    this.#writing.set(channelId, writing);
  }

  async #write(channelId: string): Promise<void> {
    const messages = this.#noted.get(channelId)!;
    this.#noted.delete(channelId);
    let behind = false;
    await this.#channels
      .amend(MESH, channelId, (channel) => {
        behind = messages[0]!.sequence > channel.head.sequence + 1;
        return counted(channel, messages);
      })
      .catch(nullIf(isConflict));
    if (behind) await this.#catchUp(channelId);
  }

  async #catchUp(channelId: string): Promise<void> {
    for (;;) {
      const { head } = await this.#channels.get(MESH, channelId);
      const messages = await this.after(channelId, head.sequence, SLICE);
      if (!messages.length || !(await this.#channels.amend(MESH, channelId, (channel) => counted(channel, messages))))
        return;
    }
  }

  /** The channels as they stand now: those whose record is behind are counted first. One query for a hundred. */
  async current(channels: readonly Channel[]): Promise<Channel[]> {
    const behind = new Set<string>();
    for (let at = 0; at < channels.length; at += CHANNELS) {
      const some = channels
        .slice(at, at + CHANNELS)
        .map(({ id, head }) => ({ channelId: id, sequence: { $gt: head.sequence } }));
      for (const { channelId } of await this.#messages.find(
        MESH,
        { $or: some },
        { fields: ["channelId"], limit: SLICE },
      ))
        behind.add(channelId);
    }
    await Promise.all([...behind].map((id) => this.#catchUp(id)));
    const counted = new Map((await this.#channels.many(MESH, [...behind])).map((channel) => [channel.id, channel]));
    return channels.map((channel) => counted.get(channel.id) ?? channel);
  }

  /** Makes durable where channels stand before messages of theirs go. */
  async beforeRemoval(ids: readonly (string | number)[]): Promise<void> {
    const messages = await this.#messages.find(MESH, { _id: { $in: [...ids] } }, { fields: ["channelId"] });
    await Promise.all([...new Set(messages.map(({ channelId }) => channelId))].map((id) => this.#catchUp(id)));
  }

  /** Resolves when what is being counted is counted. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
