/** How a rate is watched. */
export interface RateSettings {
  /** Standard deviations above the usual from which it is high. */
  factor: number;
  /** Standard deviations above the usual below which it is over: less than `factor`, so that nothing flickers. */
  clear: number;
  /** Fewer than so many in a window are never high. */
  least: number;
}

/** What a monitor has learnt of how many come in a window. */
export interface Usual {
  /** Windows learnt from. */
  windows: number;
  mean: number;
  variance: number;
  /** Windows in a row that were high; 0 where it is not. */
  high: number;
}

export const UNKNOWN: Usual = { windows: 0, mean: 0, variance: 0, high: 0 };

/** Weight of the newest window: what lies three half-lives of three windows back counts an eighth. */
const ALPHA = 0.2;
/** Nothing is unusual before so many windows were seen. */
export const WARM_UP = 3;
/** What stays so high for so many windows is the usual from then on. */
export const ACCEPTED = 24;

/** Counts scatter at least as those of rare independent events do (Poisson). */
const deviation = ({ mean, variance }: Usual): number => Math.sqrt(Math.max(variance, mean, 1));

/** The count from which a window is high, and below which it no longer is. */
export function limitsOf(usual: Usual, { factor, clear, least }: RateSettings): { opens: number; clears: number } {
  const one = deviation(usual);
  return { opens: Math.max(least, usual.mean + factor * one), clears: usual.mean + clear * one };
}

export const isHigh = (count: number, usual: Usual, settings: RateSettings): boolean =>
  usual.windows >= WARM_UP && count >= limitsOf(usual, settings).opens;

const learnt = ({ windows, mean, variance }: Usual, count: number): Usual => {
  const gap = count - mean;
  // The first windows count alike: a mean that began at nothing would call the first busy one unusual.
  const alpha = Math.max(ALPHA, 1 / (windows + 1));
  return {
    windows: windows + 1,
    mean: mean + alpha * gap,
    variance: windows === 0 ? 0 : (1 - alpha) * (variance + alpha * gap * gap),
    high: 0,
  };
};

/**
 * A window has ended with so many (EWMA with hysteresis). While it is high nothing is learnt: an attack must not
 * become the usual by lasting, until it has lasted for long.
 */
export function ended(usual: Usual, count: number, settings: RateSettings): Usual {
  const wasHigh = usual.high > 0;
  const high = wasHigh ? count >= limitsOf(usual, settings).clears : isHigh(count, usual, settings);
  if (!high) return learnt(usual, count);
  if (usual.high + 1 >= ACCEPTED) return { ...UNKNOWN, windows: WARM_UP, mean: count, variance: count };
  return { ...usual, high: usual.high + 1 };
}
