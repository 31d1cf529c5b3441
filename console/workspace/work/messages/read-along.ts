/** A conversation is read again sooner than everything else on a page is: one list, at this pace. */
const PACE_MS = 2_000;
const SETTLE_MS = 150;

let isDue = false;
let last = 0;

/** Reads soon, and not more often than everybody's limit of requests bears. */
export function readAlong(read: () => void): void {
  if (isDue) return;
  isDue = true;
  setTimeout(
    () => {
      isDue = false;
      last = Date.now();
      read();
    },
    Math.max(SETTLE_MS, last + PACE_MS - Date.now()),
  );
}
