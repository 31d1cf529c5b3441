import type { AccessRights } from "../../core/access/access.ts";
import { asSystem } from "../../core/access/caller.ts";
import { iso } from "../../core/clock.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { live, type Audience } from "../../core/contract/live.ts";
import { isConflict } from "../../core/problem.ts";
import type { Entity } from "../../core/records/entity.ts";
import type { Store } from "../../core/records/store.ts";
import { Deltas, type Delta } from "./deltas.ts";
import type { Bounds } from "./model-questions.ts";
import type { PromptTurn } from "./prompting.ts";
import type { DeltaEvent, Replied } from "./replies.ts";
import type { NumberedPassage } from "./passages.ts";

const SAVE_MS = 250;
/** After this it is checked whether the reply is being written: longer than the lease of the job that writes it. */
const DUE_MS = 30_000;
export const MESH = asSystem("staff");

export const dueIn = (host: Host): string => iso(host.world.clock.now() + DUE_MS);

/** Whom an answer is for, and who gives it: determined before anything is read. */
export interface AttemptContext {
  /** Compartments that may be read: the answer may contain anything from them. */
  compartments: readonly string[];
  turns: readonly (PromptTurn & { compartments: string[] })[];
  character?: string;
  /** Why there is no answer. */
  refusal?: string;
}

/** How a domain's replies are written. */
export interface ReplyKind<R extends Replied> {
  entity: Entity;
  job: string;
  delta: DeltaEvent;
  audience(reply: R): Audience;
  /** Who answers, what was said before, or why there is no answer. */
  asking(host: Host, reply: R, account: AccessRights): Promise<AttemptContext>;
  /** Why to give the reply up; read from the stores every 250 ms. */
  stopped(host: Host, reply: R): Promise<string | undefined>;
  /** Runs beside the writing, and is awaited before the end is sent; answers its outcome in words. */
  beside?(
    host: Host,
    reply: R,
    account: AccessRights,
    sources: readonly NumberedPassage[],
    bounds: Bounds,
  ): Promise<string | undefined>;
  /** What is done nevertheless where no model takes orders, in words. */
  orders?(host: Host, reply: R): Promise<string | undefined>;
  /** Announces the end. */
  tellEnd(host: Host, reply: R): Promise<unknown>;
}

/** Another process writes it, or it has ended. */
export class Overtaken extends Error {}
/** The reply must be given up; the message says why. */
export class Stopped extends Error {}

/** A reply being written in this process: its text so far, and when there is more, or its end. */
export interface Nearby {
  readonly attempt: number;
  readonly compartments: readonly string[];
  readonly written: string;
  more(): Promise<void>;
}
const writings = new WeakMap<Host["world"], Map<string, Nearby>>();
/** This process's current attempt at a reply, if any. */
export const nearby = ({ world }: Pick<Host, "world">, replyId: string): Nearby | undefined =>
  writings.get(world)?.get(replyId);

/** One attempt at a reply: its text is sent in parts, and stored every 250 ms. */
export class Writing<R extends Replied> implements Nearby {
  reply: R;
  text = "";
  readonly #kind: ReplyKind<R>;
  readonly #host: Host;
  readonly #store: Store<Entity>;
  readonly #deltas = new Deltas();
  readonly #end = new AbortController();
  #saving: Promise<unknown> = Promise.resolve();
  #isSaving = false;
  #flush: NodeJS.Timeout | undefined;
  readonly #saver: NodeJS.Timeout;
  #more = Promise.withResolvers<void>();

  constructor(host: Host, kind: ReplyKind<R>, reply: R) {
    [this.#host, this.#kind, this.reply, this.#store] = [host, kind, reply, host.store(kind.entity)];
    this.#saver = setInterval(() => this.#save(), SAVE_MS);
    const here = writings.get(host.world) ?? new Map<string, Nearby>();
    writings.set(host.world, here.set(reply.id, this));
  }

  get attempt(): number {
    return this.reply.attempt;
  }

  get compartments(): readonly string[] {
    return this.reply.compartments;
  }

  /** Without half a character at its end. */
  get written(): string {
    return this.text.replace(/[\uD800-\uDBFF]$/, "");
  }

  more(): Promise<void> {
    return this.#more.promise;
  }

  /** Aborts when another process took over, or the reply must be given up. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  push(text: string): void {
    this.text += text;
    this.#tell(this.#deltas.push(text, performance.now()));
    this.#arm();
  }

  /** Changes the record of the reply, one change after the other. */
  change(change: Record<string, unknown>): Promise<void> {
    return (this.#saving = this.#saving.then(async () => {
      const item = this.reply as never;
      this.reply = (await this.#store.revise(MESH, item, change).catch((error: unknown) => {
        throw isConflict(error) ? new Overtaken() : error;
      })) as unknown as R;
    })) as Promise<void>;
  }

  /** Sends the rest, and stores the end. */
  async close(change: Record<string, unknown>): Promise<void> {
    this.stop();
    this.#tell(this.#deltas.rest(performance.now()));
    await this.change({ ...change, text: this.text, dueAt: null, seat: null });
  }

  stop(): void {
    clearTimeout(this.#flush);
    clearInterval(this.#saver);
    const here = writings.get(this.#host.world);
    if (here?.get(this.reply.id) === this) here.delete(this.reply.id);
    this.#wake();
  }

  #wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }

  #arm(): void {
    const wait = this.#deltas.waitMs(performance.now());
    if (wait === undefined || this.#flush) return;
    this.#flush = setTimeout(() => {
      this.#flush = undefined;
      this.#tell(this.#deltas.due(performance.now()));
      this.#arm();
    }, wait);
  }

  #tell(deltas: readonly Delta[]): void {
    if (deltas.length) this.#wake();
    const { id: messageId, attempt } = this.reply;
    for (const delta of deltas)
      void live(this.#host, {
        event: this.#kind.delta,
        to: this.#kind.audience(this.reply),
        data: { messageId, attempt, ...delta },
      });
  }

  #save(): void {
    if (this.#isSaving) return;
    this.#isSaving = true;
    const look = async (): Promise<void> => {
      const reason = await this.#kind.stopped(this.#host, this.reply);
      if (reason) throw new Stopped(reason);
      if (this.text.length > this.reply.text.length)
        await this.change({ text: this.written, dueAt: dueIn(this.#host) });
    };
    look()
      .catch((error: unknown) => this.#end.abort(error))
      .finally(() => {
        this.#isSaving = false;
      });
  }
}
