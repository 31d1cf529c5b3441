/**
 * A hybrid logical clock (Kulkarni et al. 2014): milliseconds, and a count within them, as text that compares in order.
 * It only chooses which of several values is shown; nothing is lost by a clock that goes wrong.
 */
export type Hlc = string;

export const HLC_PATTERN = /^\d{15}\.\d{5}$/;
const MOST_COUNT = 99_999;

export const hlcAt = (ms: number, count = 0): Hlc =>
  `${String(Math.max(0, Math.floor(ms))).padStart(15, "0")}.${String(count).padStart(5, "0")}`;

export const msOf = (hlc: Hlc): number => Number(hlc.slice(0, 15));
const countOf = (hlc: Hlc): number => Number(hlc.slice(16));

/** The stamp after the last one, at this time: it never goes back, though the clock does. */
export function tick(last: Hlc | undefined, nowMs: number): Hlc {
  const now = hlcAt(nowMs);
  if (last === undefined || now > last) return now;
  const count = countOf(last) + 1;
  return count > MOST_COUNT ? hlcAt(msOf(last) + 1) : hlcAt(msOf(last), count);
}

/** A stamp that is not ahead of the time it was received at. */
export const capped = (hlc: Hlc, nowMs: number): Hlc => (msOf(hlc) > nowMs ? hlcAt(nowMs, countOf(hlc)) : hlc);
