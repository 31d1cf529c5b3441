import { iso } from "../../../../core/clock.ts";
import type { Feature } from "../../../../core/geo/positions.ts";

/** How long after it became stale a report is still shown, unless COP_GONE_SECONDS says otherwise. */
const GONE_AFTER_MS = 5 * 60_000;
/** What this installation has set. */
export const goneAfterMs = ({ env }: { env: { COP_GONE_SECONDS: number } }): number => env.COP_GONE_SECONDS * 1_000;

export interface Staleness {
  state: "fresh" | "stale";
  /** Since its report. */
  ageSeconds?: number;
  staleAt?: string;
}

const instantOf = (value: unknown): number => (typeof value === "string" ? Date.parse(value) : NaN);

/**
 * How fresh a feature is, worked out when it is read; null where it is gone. What says nothing of time stays as it is,
 * and so does what is marked `keep`.
 */
export function stalenessOf(
  { properties }: Pick<Feature, "properties">,
  now: number,
  goneAfter = GONE_AFTER_MS,
): Staleness | null {
  const [at, staleAt] = [instantOf(properties?.at), instantOf(properties?.staleAt)];
  const age = Number.isNaN(at) ? {} : { ageSeconds: Math.max(0, Math.floor((now - at) / 1_000)) };
  if (Number.isNaN(staleAt)) return { state: "fresh", ...age };
  // What ceases to hold before it began says nothing.
  if (!Number.isNaN(at) && staleAt <= at) return null;
  const told = { ...age, staleAt: iso(staleAt) };
  if (now < staleAt) return { state: "fresh", ...told };
  return properties?.keep === true || now < staleAt + goneAfter ? { state: "stale", ...told } : null;
}

export interface FeaturesByAge<F> {
  features: (F & { staleness: Staleness })[];
  fresh: number;
  stale: number;
  gone: number;
}

/** Features as they are at a moment. */
export function shownAt<F extends Pick<Feature, "properties">>(
  features: readonly F[],
  now: number,
  goneAfter?: number,
): FeaturesByAge<F> {
  const shown: FeaturesByAge<F> = { features: [], fresh: 0, stale: 0, gone: 0 };
  for (const feature of features) {
    const staleness = stalenessOf(feature, now, goneAfter);
    shown[staleness?.state ?? "gone"]++;
    if (staleness) shown.features.push({ ...feature, staleness });
  }
  return shown;
}
