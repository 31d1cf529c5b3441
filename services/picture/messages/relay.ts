import {
  BehaviorSubject,
  concatMap,
  filter,
  firstValueFrom,
  merge,
  NEVER,
  Subject,
  takeUntil,
  throttleTime,
  timer,
} from "rxjs";
import type { ChannelHead } from "./channels.ts";
import type { Message } from "./messages.ts";

/** A hint may be lost: then the next look finds what it was about. */
export const LOOK_MS = 2_000;
/** Hints that come closer together than this are handled as one. */
const THIN_MS = 10;
/** Messages read from the store at a time. */
const SLICE = 100;
/** What a channel that is followed keeps at hand, at most. */
const MOST_KEPT = 512;
const MOST_KEPT_BYTES = 4 * 1_024 * 1_024;

export interface MessageReader {
  head(channelId: string): Promise<ChannelHead>;
  /** Messages after a number, in order. */
  after(channelId: string, sequence: number, most: number): Promise<Message[]>;
  failed(error: unknown): void;
}

/**
 * A channel that somebody follows on this node. It is read once for all of them: when a hint comes, and every few
 * seconds without one. Who is behind what it keeps reads the store at a pace of their own; nothing is kept for them.
 */
export class ChannelLine {
  readonly id: string;
  readonly #reading: MessageReader;
  readonly #head: BehaviorSubject<number>;
  readonly #over = new Subject<void>();
  #kept: Message[] = [];
  #bytes = 0;

  constructor(
    id: string,
    head: number,
    hints: Subject<{ channelId: string; sequence: number }>,
    reading: MessageReader,
  ) {
    this.id = id;
    this.#reading = reading;
    this.#head = new BehaviorSubject(head);
    const news = hints.pipe(
      filter(({ channelId, sequence }) => channelId === id && sequence > this.head),
      throttleTime(THIN_MS, undefined, { leading: true, trailing: true }),
    );
    merge(news, timer(0, LOOK_MS))
      .pipe(
        concatMap((hint) => this.#read(typeof hint === "number" ? Infinity : hint.sequence)),
        takeUntil(this.#over),
      )
      .subscribe();
  }

  /** The number of the last message that is known here. */
  get head(): number {
    return this.#head.value;
  }
  /** Heads as they become known; the present one first. */
  beyond(sequence: () => number) {
    return this.#head.pipe(filter((head) => head > sequence()));
  }

  close(): void {
    this.#over.next();
    this.#head.complete();
  }

  /** Messages after a number, in order; none where the channel has no more. */
  async after(sequence: number): Promise<Message[]> {
    const first = this.#kept[0]?.sequence;
    if (sequence >= this.head) return [];
    if (first !== undefined && sequence >= first - 1)
      return this.#kept.slice(sequence - first + 1, sequence - first + 1 + SLICE);
    return this.#reading.after(this.id, sequence, SLICE);
  }

  /** Reads what is new, until there is as much as was hinted at. Never rejects: the next look tries again. */
  async #read(until: number): Promise<void> {
    try {
      while (until > this.head) {
        const messages = await this.#reading.after(this.id, this.head, SLICE);
        if (!messages.length) return;
        this.#keep(messages);
        this.#head.next(messages.at(-1)!.sequence);
      }
    } catch (error) {
      this.#reading.failed(error);
    }
  }

  #keep(messages: readonly Message[]): void {
    // What is kept has no gaps: where messages in between were dropped, it begins anew.
    if (this.#kept.length && messages[0]!.sequence !== this.#kept.at(-1)!.sequence + 1)
      [this.#kept, this.#bytes] = [[], 0];
    for (const message of messages) {
      this.#kept.push(message);
      this.#bytes += message.text.length;
    }
    let gone = 0;
    while (this.#kept.length - gone > MOST_KEPT || (this.#bytes > MOST_KEPT_BYTES && gone < this.#kept.length))
      this.#bytes -= this.#kept[gone++]!.text.length;
    if (gone) this.#kept.splice(0, gone);
  }
}

/** Who follows what on this node, and the hints that tell them. */
export class Relay {
  readonly #reading: MessageReader;
  readonly #hints = new Subject<{ channelId: string; sequence: number }>();
  readonly #moved = new Subject<string>();
  readonly #end = new Subject<void>();
  readonly #lines = new Map<string, { opening: Promise<ChannelLine>; followers: number }>();

  constructor(reading: MessageReader) {
    this.#reading = reading;
  }

  /** A channel has messages up to this number. */
  advanced(channelId: string, sequence: number): void {
    this.#hints.next({ channelId, sequence });
  }
  /** A subscription was acknowledged, or ended. */
  moved(subscriptionId: string): void {
    this.#moved.next(subscriptionId);
  }
  /** Hints may have been lost: every channel that is followed is looked at. */
  lookAgain(): void {
    for (const channelId of this.#lines.keys()) this.advanced(channelId, Infinity);
  }

  /** Follows a channel; `leave` it again. */
  async join(channelId: string): Promise<ChannelLine> {
    const begun = this.#lines.get(channelId) ?? { opening: this.#open(channelId), followers: 0 };
    this.#lines.set(channelId, begun);
    begun.followers++;
    try {
      return await begun.opening;
    } catch (error) {
      this.#left(channelId);
      throw error;
    }
  }

  async #open(channelId: string): Promise<ChannelLine> {
    const { sequence } = await this.#reading.head(channelId);
    return new ChannelLine(channelId, sequence, this.#hints, this.#reading);
  }

  /** Whether this node is stopping: it waits for nobody any more. */
  get isClosed(): boolean {
    return this.#end.closed;
  }
  close(): void {
    this.#end.next();
    this.#end.unsubscribe();
    for (const { opening } of this.#lines.values())
      void opening.then(
        (line) => line.close(),
        () => {},
      );
  }

  leave(line: ChannelLine): void {
    if (this.#left(line.id)) line.close();
  }

  /** Whether that was the last one. */
  #left(channelId: string): boolean {
    const line = this.#lines.get(channelId);
    if (!line || --line.followers) return false;
    return this.#lines.delete(channelId);
  }

  /**
   * Begins to listen at once. `next` resolves with the channel's next message beyond a number (unless it is not asked
   * about), when the subscription moves, or after so many milliseconds.
   */
  listen(
    line: ChannelLine,
    subscriptionId: string | undefined,
    mostMs: number,
  ): { next(beyond: number | undefined): Promise<void>; end(): void } {
    const over = new Subject<void>();
    if (this.isClosed) return { end() {}, next: () => Promise.resolve() };
    const ended = merge(over, this.#end);
    const moves = subscriptionId === undefined ? NEVER : this.#moved.pipe(filter((id) => id === subscriptionId));
    const woken = firstValueFrom(merge(moves, timer(mostMs)).pipe(takeUntil(ended)), { defaultValue: 0 });
    const end = (): void => over.next();
    return {
      end,
      async next(beyond) {
        const news =
          beyond === undefined
            ? []
            : [firstValueFrom(line.beyond(() => beyond).pipe(takeUntil(ended)), { defaultValue: 0 })];
        await Promise.race([woken, ...news]);
        end();
      },
    };
  }
}
