/**
 * The seven steps of the military decision-making process (US FM 5-0, chapter 5; ATP 5-0.2-1), in order. `complete` is
 * where a workflow rests when its orders are out.
 */
export const PHASES = [
  "receipt-of-mission",
  "mission-analysis",
  "coa-development",
  "coa-analysis",
  "coa-comparison",
  "coa-approval",
  "orders-production",
] as const;
export type Phase = (typeof PHASES)[number];
export const STAGES = [...PHASES, "complete"] as const;
export type PhaseStage = (typeof STAGES)[number];

export const TITLES: Readonly<Record<PhaseStage, string>> = {
  "receipt-of-mission": "Receipt of mission",
  "mission-analysis": "Mission analysis",
  "coa-development": "Course of action development",
  "coa-analysis": "Course of action analysis (war-gaming)",
  "coa-comparison": "Course of action comparison",
  "coa-approval": "Course of action approval",
  "orders-production": "Orders production, dissemination and transition",
  complete: "Complete",
};

/**
 * The process goes forward one phase at a time, and back to any phase before: planning is taken up again where it has
 * to be.
 */
export function reachable(from: PhaseStage): PhaseStage[] {
  const at = STAGES.indexOf(from);
  return STAGES.filter((_, n) => n < at || n === at + 1);
}
export const isForward = (from: PhaseStage, to: PhaseStage): boolean => STAGES.indexOf(to) > STAGES.indexOf(from);

export interface Stay {
  phase: PhaseStage;
  from: string;
  until?: string | undefined;
}

/**
 * Completed stays of one workflow in one phase, in milliseconds; the stay under way has no end yet and is not among
 * them.
 */
export const staysIn = (phase: PhaseStage, stays: readonly Stay[]): number[] =>
  stays
    .filter((stay) => stay.phase === phase && stay.until)
    .map((stay) => Date.parse(stay.until!) - Date.parse(stay.from));

export interface Durations {
  count: number;
  shortestMs: number | null;
  medianMs: number | null;
  meanMs: number | null;
  longestMs: number | null;
}

/** Shortest, median (mean of the middle two), mean and longest of a list of durations; nulls for an empty one. */
export function durations(milliseconds: readonly number[]): Durations {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const count = sorted.length;
  if (!count) return { count, shortestMs: null, medianMs: null, meanMs: null, longestMs: null };
  const medianMs = Math.round((sorted[(count - 1) >> 1]! + sorted[count >> 1]!) / 2);
  return {
    count,
    shortestMs: sorted[0]!,
    medianMs,
    meanMs: Math.round(sorted.reduce((sum, one) => sum + one, 0) / count),
    longestMs: sorted.at(-1)!,
  };
}
