/** The time, as an adapter: tests move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** A monotonic clock in milliseconds from an arbitrary beginning; absent where `now` is never set back. */
  steady?(): number;
}

export const systemClock: Clock = { now: () => Date.now(), steady: () => performance.now() };

/** For durations inside this process: the system's clock can be set back or ahead, this one goes on. */
export const steadily = (clock: Clock): number => clock.steady?.() ?? clock.now();

/**
 * Nodes whose clocks differ by less are taken to agree. A stored moment that lies further ahead than its rule, and
 * this, was written before the clock was set back.
 */
export const SKEW_MS = 5_000;

/** The text made last: one turn asks for the same moment up to ten times. */
let latest = Number.NaN;
let written = "";

/** The first and the last moment of the years that have four digits. */
const FIRST_MS = Date.parse("0000-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * ISO 8601 in UTC with milliseconds: the one form in which times are stored and sent; it sorts as text. What lies beyond
 * the years of four digits, to where an offset or a duration can lead, is the first or the last moment of them. Throws
 * RangeError for NaN.
 */
export function iso(milliseconds: number): string {
  if (milliseconds !== latest) {
    written = new Date(Math.min(LAST_MS, Math.max(FIRST_MS, milliseconds))).toISOString();
    latest = milliseconds;
  }
  return written;
}

/** Whether the IANA time zone database has a zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}
