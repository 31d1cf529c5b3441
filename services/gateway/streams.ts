import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Actor } from "../../core/access.ts";
import type { StreamEvent } from "../../core/answer.ts";
import { Problem, unauthenticated } from "../../core/problem.ts";
import { FAILED } from "../../core/stream.ts";
import { baseHeaders, problemOf } from "./respond.ts";

const HEARTBEAT_MS = 15_000;
/** Who is listening is asked again with every second heartbeat, even when nobody says that it changed. */
const ASK_EVERY = 2;
/** What a person's programs and tabs may follow at once, over all of this gateway. */
export const MOST_STREAMS = 32;
/** How long a client waits before it comes back. */
const RETRY_MS = 2_000;

/** One client that follows a stream, and how its action is called for it. */
export interface Following {
  res: ServerResponse;
  requestId: string;
  /** Answers to the head of the answer alone. */
  head: boolean;
  actor: Actor | undefined;
  lastEventId: string | undefined;
  contentType: string;
  /** Whoever the credential stands for now; throws for one that is nobody's any longer. */
  identify(): Promise<Actor | undefined>;
  /** Calls the action anew, on behalf of this actor, for what follows this event. */
  open(actor: Actor | undefined, lastEventId: string | undefined, requestId: string): Promise<Readable>;
  /** Tells the mesh that what was opened under this request id is not listened to any more. */
  abandon(requestId: string): void;
}

/** A field's value must stand in one line (WHATWG HTML §9.2.5); JSON has no bare line breaks. */
const line = (text: string): string => text.replace(/[\r\n\0]/g, " ");
export const frame = ({ id, event, data }: StreamEvent): string => `${id === undefined ? "" : `id: ${line(id)}\n`}event: ${line(event)}\ndata: ${JSON.stringify(data)}\n\n`;

class Line {
  readonly #of: Following;
  readonly userId: string | undefined;
  /** Told of a change since the action was called last. */
  stale = false;
  #actor: Actor | undefined;
  #last: string | undefined;
  #source: Readable | undefined;
  #opened = 0;
  #beats = 0;
  #closing = false;
  /** Ends the wait for a client that is slow to read. */
  #wake: (() => void) | undefined;

  constructor(following: Following) {
    this.#of = following;
    this.#actor = following.actor;
    this.userId = following.actor?.userId;
    this.#last = following.lastEventId;
  }

  get #requestId(): string { return this.#opened === 1 ? this.#of.requestId : `${this.#of.requestId}.${this.#opened}`; }

  async #open(): Promise<void> {
    this.#opened++;
    this.#source = await this.#of.open(this.#actor, this.#last, this.#requestId);
  }

  /** Nothing of what was opened is passed on from now on. */
  interrupt(): void {
    this.stale = true;
    this.#drop();
  }

  #drop(): void {
    this.#source?.destroy();
    this.#wake?.();
    this.#of.abandon(this.#requestId);
  }

  /** Ends without a word, so that the client comes back, to another node. */
  close(): void {
    this.#closing = true;
    this.#drop();
  }

  async run(): Promise<void> {
    const { res, requestId, head, contentType } = this.#of;
    await this.#open();
    if (head || this.#closing) this.#drop();
    res.writeHead(200, { ...baseHeaders(requestId), "Content-Type": contentType, "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
    if (head) return void res.end();
    res.on("close", () => this.close());
    res.write(`retry: ${RETRY_MS}\n\n`);
    const heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    heartbeat.unref();
    try {
      await this.#pass();
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** Passes events on until the stream ends; through every change of access, as whoever the client is then. */
  async #pass(): Promise<void> {
    const { res } = this.#of;
    for (;;) {
      try {
        if (this.stale) await this.#renew();
        else {
          const last = await this.#drain();
          if (last) return void res.end(frame(last));
        }
      } catch (error) {
        if (!this.stale && !this.#closing) return this.#fail(error);
      }
      if (this.#closing) return void res.end();
    }
  }

  /** Passes on what comes; answers the event to end with, or undefined where it was interrupted. */
  async #drain(): Promise<StreamEvent | undefined> {
    const { res } = this.#of;
    for await (const event of this.#source as AsyncIterable<StreamEvent>) {
      if (this.stale || this.#closing) return undefined;
      if (event.event === FAILED) return { event: FAILED, data: { error: { ...(event.data as object), requestId: this.#of.requestId } } };
      if (event.id !== undefined) this.#last = event.id;
      if (!res.write(frame(event))) await this.#room();
    }
    return this.stale || this.#closing ? undefined : { event: "done", data: {} };
  }

  /** Until the client has read what it was sent, is gone, or nothing more is to be passed on. */
  #room(): Promise<void> {
    const { res } = this.#of;
    return new Promise((resolve) => {
      const done = this.#wake = () => {
        this.#wake = undefined;
        res.off("drain", done).off("close", done);
        resolve();
      };
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
    this.#of.res.end(frame({ event: FAILED, data: { error: { code, message, ...(data?.details !== undefined && { details: data.details }), requestId: this.#of.requestId } } }));
    this.#drop();
  }

  #beat(): void {
    const { res, identify } = this.#of;
    if (!res.writableNeedDrain) res.write(": still here\n\n");
    if (++this.#beats % ASK_EVERY === 0) void identify().catch(() => this.interrupt());
  }
}

/** Server-sent events at the gateway: who follows what, so that a change of access reaches every open stream of a person. */
export class Streams {
  readonly #lines = new Map<string | undefined, Set<Line>>();
  #size = 0;

  get size(): number { return this.#size; }

  /** Follows until the end of the stream, of the client's patience, or of its rights. Throws, before anything is sent, what the action refuses. */
  async follow(following: Following): Promise<void> {
    const one = new Line(following);
    const { userId } = one;
    const own = this.#lines.get(userId) ?? new Set();
    if (userId !== undefined && own.size >= MOST_STREAMS) throw new Problem(429, "TOO_MANY_STREAMS", `You follow ${own.size} streams here; end one first.`, { headers: { "Retry-After": "5" } });
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
    for (const own of userId === undefined ? this.#lines.values() : [this.#lines.get(userId) ?? []]) for (const one of own) one.interrupt();
  }

  close(): void {
    for (const own of this.#lines.values()) for (const one of own) one.close();
  }
}
