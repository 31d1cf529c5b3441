import { setTimeout } from "node:timers/promises";

/** A hint may be lost: then the next look, so many milliseconds later, finds what it was about. */
export const LOOK_MS = 2_000;
/** States in which a job has ended. */
export const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** Wakes those who follow a job, by its id. */
export class JobWatch {
  readonly #waiting = new Map<string, Set<() => void>>();

  wake(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const wake of waiting ?? []) wake();
  }

  /** Begins to listen at once; resolves with the next hint, or after so many milliseconds. */
  async next(id: string, mostMs: number): Promise<void> {
    const abort = new AbortController();
    let waiting = this.#waiting.get(id);
    if (!waiting) this.#waiting.set(id, (waiting = new Set()));
    const wake = (): void => abort.abort();
    waiting.add(wake);
    await setTimeout(mostMs, undefined, { signal: abort.signal, ref: false }).catch(() => {});
    waiting.delete(wake);
    if (!waiting.size && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
  }
}
