/** Decisions, "Scores": judged by the last ten fetches. */
export const HEALTH = ["active", "degraded", "failed"] as const;
export type Health = (typeof HEALTH)[number];

/** So many fetches are remembered. */
export const WINDOW = 10;
/** This many good fetches in a row make a source healthy again. */
const GOOD = 3;
/** This many failures in a row are no coincidence. */
const BAD = 5;

/** The remembered outcomes, oldest first, with one more. */
export const remembered = (recent: readonly boolean[], success: boolean): boolean[] =>
  [...recent, success].slice(-WINDOW);

/**
 * `failed`: five failures in a row, or the feed is gone (404, 410). `active`: no failure among the last three.
 * Otherwise `degraded`. A source that was never fetched is active. `recent` is oldest first, true for success.
 */
export function healthOf(recent: readonly boolean[], gone: boolean): Health {
  const last = recent.slice(-BAD);
  if (gone || (last.length === BAD && !last.includes(true))) return "failed";
  return recent.slice(-GOOD).includes(false) ? "degraded" : "active";
}
