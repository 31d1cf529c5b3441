/** Shown data is read again this long after an event: several that come together cost one reading. */
const SETTLE_MS = 400;
/** After so many readings within a minute … */
const QUICK = 5;
/** … they keep this distance, so that a busy place does not keep the page reading … */
const BUSY_MS = 1_000;
/** … and this one where people are allowed so many requests a minute: a page needs several. */
const LIMITED_MS = 8_000;
const MINUTE_MS = 60_000;

/** When the next reading is due, by the moments of those before it. */
export function paceAt(now: number, readings: readonly number[], isLimited: boolean): number {
  if (readings.filter((at) => at > now - MINUTE_MS).length < QUICK) return SETTLE_MS;
  return isLimited ? LIMITED_MS : BUSY_MS;
}

let isLimited = false;
/** Learns from an answer whether the platform counts this person's requests. */
export const noteAllowance = (headers: Headers): void => {
  isLimited = headers.has("x-ratelimit-limit");
};

let readings: number[] = [];
/** What the next reading is to bring, by the beginnings of operations; "" for all that is shown. */
const due = new Set<string>();

/** Reads soon, once for all parts of the page that ask for it. */
export function readSoon(ops: readonly string[] | undefined, read: (isMeant: (op: unknown) => boolean) => void): void {
  const isWaiting = due.size > 0;
  for (const op of ops ?? [""]) due.add(op);
  if (isWaiting || !due.size) return;
  const now = Date.now();
  readings = readings.filter((at) => at > now - MINUTE_MS);
  setTimeout(
    () => {
      const begins = [...due];
      due.clear();
      readings.push(Date.now());
      read((op) => begins.some((begin) => String(op).startsWith(begin)));
    },
    paceAt(now, readings, isLimited),
  );
}
