/**
 * Slowing down guesses without letting a stranger lock somebody out: failures are counted for the pair of account and
 * address, and, with a much higher allowance, for the address alone. Nobody's failures elsewhere touch the owner at
 * home.
 */
export interface Failures {
  count: number;
  last: number;
}

const FREE = { pair: 5, address: 30 } as const;
const LONGEST_MS = 15 * 60_000;
/** After so long without a failure the count starts anew. */
export const FORGET_MS = 60 * 60_000;

/** Milliseconds until the next try is let through: 0 for the free ones, then doubling from one second. */
export function waitFor(kind: keyof typeof FREE, failures: Failures | undefined, now: number): number {
  if (!failures || now - failures.last > FORGET_MS || failures.count < FREE[kind]) return 0;
  const pause = Math.min(1_000 * 2 ** (failures.count - FREE[kind]), LONGEST_MS);
  return Math.min(pause, Math.max(0, failures.last + pause - now));
}
