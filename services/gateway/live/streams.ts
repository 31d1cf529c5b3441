import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { sameAccess, type Actor } from "../../../core/access/access.ts";
import type { StreamEvent } from "../../../core/contract/answer.ts";
import { newRequestId } from "../../../core/ids.ts";
import { Problem, unauthenticated } from "../../../core/problem.ts";
import { cutOff, DONE, FAILED } from "../../../core/contract/answering/stream.ts";
import { problemOf } from "../http/refuse.ts";
import { baseHeaders } from "../http/respond.ts";

/** How often a listener is looked up even if no change was announced: a hint may be lost. */
const LOOK_MS = 7_500;
/** Looks between two comments, which keep a connection open. */
const COMMENT_EVERY = 2;
/** How many streams one person may follow on this gateway. */
export const MOST_STREAMS = 32;
/** How long a client waits before it reconnects. */
const RETRY_MS = 2_000;

/** One client that follows a stream, and how its action is called for it. */
export interface Following {
  res: ServerResponse;
  /** The id by which the client knows its request. */
  requestId: string;
  /** Answers to the head of the answer alone. */
  head: boolean;
  actor: Actor | undefined;
  lastEventId: string | undefined;
  contentType: string;
  /** The actor of the credential now, without the cache; throws where it is no longer valid. */
  identify(): Promise<Actor | undefined>;
  /** Calls the action for what follows this event, on behalf of this actor. Its work gets this id, which is unique. */
  open(actor: Actor | undefined, lastEventId: string | undefined, id: string): Promise<Readable>;
  /** Tells the mesh that nobody listens any more to what was opened under this id. */
  abandon(id: string): void;
  /** Each event as it is sent, an empty text for none; `frame` by default. */
  write?: ((event: StreamEvent) => string) | undefined;
}

/** A field's value must stand in one line (WHATWG HTML §9.2.5); JSON has no bare line breaks. */
const line = (text: string): string => text.replace(/[\r\n\0]/g, " ");
export const frame = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? "" : `id: ${line(id)}\n`}event: ${line(event)}\ndata: ${JSON.stringify(data)}\n\n`;

class Subscriber {
  readonly #of: Following;
  readonly userId: string | undefined;
  /** A change was announced since the action was called last. */
  stale = false;
  #actor: Actor | undefined;
  #last: string | undefined;
  #source: Readable | undefined;
  /** The id of what was opened last. */
  #id = "";
  #beats = 0;
  #closing = false;
  /** Ends the wait for a slow client. */
  #wake: (() => void) | undefined;

  readonly #lookMs: number;
  readonly #write: (event: StreamEvent) => string;

  constructor(following: Following, lookMs: number) {
    this.#of = following;
    this.#lookMs = lookMs;
    this.#write = following.write ?? frame;
    this.#actor = following.actor;
    this.userId = following.actor?.userId;
    this.#last = following.lastEventId;
  }

  async #open(): Promise<void> {
    this.#id = newRequestId();
    this.#source = await this.#of.open(this.#actor, this.#last, this.#id);
  }

  /** From now on, nothing of what was opened is passed on. */
  interrupt(): void {
    this.stale = true;
    this.#drop();
  }

  #drop(): void {
    this.#source?.destroy();
    this.#wake?.();
    this.#of.abandon(this.#id);
  }

  /** Disconnects without an event, so that the client reconnects to another node. */
  close(): void {
    this.#closing = true;
    this.#drop();
  }

  async run(): Promise<void> {
    const { res, requestId, head, contentType } = this.#of;
    res.on("close", () => this.close());
    await this.#open();
    if (head || this.#closing) this.#drop();
    if (res.destroyed) return;
    res.writeHead(200, {
      ...baseHeaders(requestId),
      "Content-Type": contentType,
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    });
    if (head) return void res.end();
    res.write(`retry: ${RETRY_MS}\n\n`);
    // The caller who opened the stream may have been cached for a while.
    void this.#look();
    const heartbeat = setInterval(() => this.#beat(), this.#lookMs);
    heartbeat.unref();
    try {
      await this.#pass();
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** Passes events on until the stream ends; after every change of access, as whoever the client is then. */
  async #pass(): Promise<void> {
    const { res } = this.#of;
    for (;;) {
      try {
        if (this.stale) await this.#renew();
        else {
          const last = await this.#drain();
          if (last) return void res.end(this.#write(last));
        }
      } catch (error) {
        if (!this.stale && !this.#closing) return this.#fail(error);
      }
      if (this.#closing) return void res.destroy();
    }
  }

  /**
   * Passes on what arrives; answers the last event, or undefined where it was interrupted. Throws where the stream
   * breaks off.
   */
  async #drain(): Promise<StreamEvent | undefined> {
    const { res } = this.#of;
    try {
      for await (const event of this.#source as AsyncIterable<StreamEvent>) {
        if (this.stale || this.#closing) return undefined;
        if (event.event === DONE) return event;
        if (event.event === FAILED)
          return { event: FAILED, data: { error: { ...(event.data as object), requestId: this.#of.requestId } } };
        if (event.id !== undefined) this.#last = event.id;
        const text = this.#write(event);
        if (text && !res.write(text)) await this.#room();
      }
    } catch {
      /* its node is gone, or the way there: what fails at its source comes as an event */
    }
    throw cutOff();
  }

  /** Resolves when the client has read everything or is gone, or nothing more is to be passed on. */
  #room(): Promise<void> {
    const { res } = this.#of;
    return new Promise((resolve) => {
      const done = (this.#wake = () => {
        this.#wake = undefined;
        res.off("drain", done).off("close", done);
        resolve();
      });
      res.on("drain", done).on("close", done);
    });
  }

  async #renew(): Promise<void> {
    this.stale = false;
    const actor = await this.#of.identify();
    if (this.stale) return;
    if (actor?.userId !== this.userId) throw unauthenticated("Your credential is not valid any longer.");
    this.#actor = actor;
    await this.#open();
  }

  #fail(error: unknown): void {
    const { type: code, message, data } = problemOf(error);
    this.#of.res.end(
      this.#write({
        event: FAILED,
        data: {
          error: {
            code,
            message,
            ...(data?.details !== undefined && { details: data.details }),
            requestId: this.#of.requestId,
          },
        },
      }),
    );
    this.#drop();
  }

  #beat(): void {
    const { res } = this.#of;
    if (++this.#beats % COMMENT_EVERY === 0 && !res.writableNeedDrain) res.write(": still here\n\n");
    void this.#look();
  }

  /** Calls the action again where the client's access has changed unannounced. */
  async #look(): Promise<void> {
    const before = this.#actor;
    const isSame = await this.#of.identify().then(
      (now) => now === before || (now !== undefined && before !== undefined && sameAccess(now, before)),
      () => false,
    );
    if (!isSame && before === this.#actor && !this.#closing) this.interrupt();
  }
}

/**
 * Server-sent events at the gateway: who follows what, so that a change of access reaches every open stream of a
 * person.
 */
export class Streams {
  readonly #lines = new Map<string | undefined, Set<Subscriber>>();
  readonly #lookMs: number;
  #size = 0;

  constructor(lookMs = LOOK_MS) {
    this.#lookMs = lookMs;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Follows until the stream ends, the client leaves, or its access ends. Throws the action's refusal before anything
   * is sent.
   */
  async follow(following: Following): Promise<void> {
    const one = new Subscriber(following, this.#lookMs);
    const { userId } = one;
    const own = this.#lines.get(userId) ?? new Set();
    if (userId !== undefined && own.size >= MOST_STREAMS)
      throw new Problem(429, "TOO_MANY_STREAMS", `You follow ${own.size} streams here; end one first.`, {
        headers: { "Retry-After": "5" },
      });
    this.#lines.set(userId, own.add(one));
    this.#size++;
    try {
      await one.run();
    } finally {
      this.#size--;
      own.delete(one);
      if (!own.size) this.#lines.delete(userId);
    }
  }

  /** Access changed: a person's, or anybody's. */
  changed(userId?: string): void {
    for (const own of userId === undefined ? this.#lines.values() : [this.#lines.get(userId) ?? []])
      for (const one of own) one.interrupt();
  }

  close(): void {
    for (const own of this.#lines.values()) for (const one of own) one.close();
  }
}
