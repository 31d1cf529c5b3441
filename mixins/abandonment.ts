/**
 * What tells the work of one request that its client hung up; kept until the last of those ended who wait for its
 * signal.
 */
export class Abandonment extends AbortController {
  users = 0;
}

/** How long a request's signal is kept: no action runs longer, streams apart. */
const SIGNAL_MS = 120_000;

/**
 * A signal that aborts when the request's client hangs up: until `until` settles, or else for two minutes. Work without
 * a request gets one that never does.
 */
export function signalOf(
  abandonments: Map<string, Abandonment>,
  requestId: string | null | undefined,
  until?: Promise<unknown>,
): AbortSignal {
  // Work without a request has no client that could hang up.
  if (!requestId) return new AbortController().signal;
  const known = abandonments.get(requestId);
  if (known && !until) return known.signal;
  const one = known ?? new Abandonment();
  abandonments.set(requestId, one);
  one.users++;
  const leave = (): void => {
    if (--one.users === 0) abandonments.delete(requestId);
  };
  if (until) void until.finally(leave);
  else setTimeout(leave, SIGNAL_MS).unref();
  return one.signal;
}
