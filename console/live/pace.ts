/** Shown data is read again this long after an event: several that come together cost one reading. */
const SETTLE_MS = 400;
/** After so many readings within a minute … */
const QUICK = 5;
/** … it goes at this pace: everybody has so many requests a minute, and a page needs several. */
const BUSY_MS = 8_000;
const MINUTE_MS = 60_000;

/** When the next reading is due, by the moments of those before it. */
export function paceAt(now: number, readings: readonly number[]): number {
  return readings.filter((at) => at > now - MINUTE_MS).length < QUICK ? SETTLE_MS : BUSY_MS;
}

let readings: number[] = [];
let isDue = false;

/** Reads soon, once for all parts of the page that ask for it. */
export function readSoon(read: () => void): void {
  if (isDue) return;
  isDue = true;
  const now = Date.now();
  readings = readings.filter((at) => at > now - MINUTE_MS);
  setTimeout(
    () => {
      isDue = false;
      readings.push(Date.now());
      read();
    },
    paceAt(now, readings),
  );
}
