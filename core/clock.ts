/** The time, as an adapter: tests move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 in UTC with milliseconds: the one form in which times are stored and sent; it sorts as text. */
export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
