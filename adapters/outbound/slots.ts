import { OutboundError } from "./errors.ts";

interface Waiting {
  start: () => void;
  leave: () => void;
}

/** Runs at most `limit` tasks of one host at a time; the rest wait in order. Idle hosts take no memory. */
export class Slots {
  readonly #limit: number;
  readonly #busy = new Map<string, number>();
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Runs the task when its host has a free slot; an aborted signal takes it out of the queue (OutboundError `aborted`).
   */
  async run<T>(host: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    await this.#enter(host, signal);
    try {
      return await task();
    } finally {
      this.#leave(host);
    }
  }

  async #enter(host: string, signal: AbortSignal | undefined): Promise<void> {
    const cancelled = () => new OutboundError("aborted", "The request was cancelled.");
    if (signal?.aborted) throw cancelled();
    const busy = this.#busy.get(host) ?? 0;
    if (busy < this.#limit) return void this.#busy.set(host, busy + 1);
    const queue = this.#waiting.get(host) ?? new Set();
    this.#waiting.set(host, queue);
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        start: () => {
          signal?.removeEventListener("abort", entry.leave);
          resolve();
        },
        leave: () => {
          this.#drop(host, entry);
          reject(cancelled());
        },
      };
      queue.add(entry);
      signal?.addEventListener("abort", entry.leave, { once: true });
    });
  }

  /** Passes the slot to the next in the queue, or frees it. */
  #leave(host: string): void {
    const next = this.#waiting.get(host)?.values().next().value;
    if (next) {
      this.#drop(host, next);
      return next.start();
    }
    const busy = this.#busy.get(host)! - 1;
    if (busy === 0) this.#busy.delete(host);
    else this.#busy.set(host, busy);
  }

  #drop(host: string, entry: Waiting): void {
    const queue = this.#waiting.get(host)!;
    queue.delete(entry);
    if (queue.size === 0) this.#waiting.delete(host);
  }
}
