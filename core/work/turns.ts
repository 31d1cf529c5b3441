import { setImmediate as nextTurn } from "node:timers/promises";

/** Work in steps: it yields wherever others may have the event loop meanwhile. */
export type Steps<T> = Generator<void, T, void>;

/** As `map`, a step an item. */
export function* each<T, R>(items: Iterable<T>, work: (item: T) => R): Steps<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(work(item));
    yield;
  }
  return results;
}

/** How much of a turn of the event loop work in the background may take, in milliseconds. */
const SLICE_MS = 5;

/** Does the work in one go. */
export function atOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Does the work in turns of the event loop, each `sliceMs` long and the step begun last. Throws the signal's reason
 * when it fires.
 */
export async function inTurns<T>(
  work: Steps<T>,
  { sliceMs = SLICE_MS, signal }: { sliceMs?: number; signal?: AbortSignal } = {},
): Promise<T> {
  for (let until = performance.now() + sliceMs; ;) {
    signal?.throwIfAborted();
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + sliceMs;
  }
}
