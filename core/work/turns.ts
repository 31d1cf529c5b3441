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

const SORTED_AT_ONCE = 1_000;

function* merged<T>(one: readonly T[], other: readonly T[], order: (one: T, other: T) => number): Steps<T[]> {
  const all: T[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const isLeft = right >= other.length || (left < one.length && order(one[left]!, other[right]!) <= 0);
    all.push(isLeft ? one[left++]! : other[right++]!);
    if (all.length % SORTED_AT_ONCE === 0) yield;
  }
  return all;
}

export const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** As `toSorted`, a thousand a step. */
export function* sorted<T>(items: Iterable<T>, order: (one: T, other: T) => number): Steps<T[]> {
  let runs: T[][] = [[]];
  for (const item of items) if (runs.at(-1)!.push(item) >= SORTED_AT_ONCE) runs.push([]);
  for (const run of runs) {
    run.sort(order);
    yield;
  }
  while (runs.length > 1) {
    const next: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      next.push(at + 1 < runs.length ? yield* merged(runs[at]!, runs[at + 1]!, order) : runs[at]!);
    runs = next;
  }
  return runs[0]!;
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
