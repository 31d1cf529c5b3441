/** Lets no more through than so many a second, evenly: each turn is at least its part of a second after the one before. */
export class ScanPacer {
  #next = 0;

  /** Resolves when it is this turn's time; false where the signal came first. */
  async turn(perSecond: number, signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + 1_000 / perSecond;
    if (at > now) await pause(at - now, signal);
    return !signal.aborted;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
