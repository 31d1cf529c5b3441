import { upTo } from "../../../../core/text/cutting.ts";

/** What a validity is made of. All but `confirmations` take away, or leave. */
export const PARTS = [
  "start",
  "age",
  "contradictions",
  "lost-sources",
  "assessment",
  "confirmations",
  "bounds",
] as const;
export type PartName = (typeof PARTS)[number];

export interface Part {
  part: PartName;
  /** What it adds to the score; all parts together are the score. */
  value: number;
  why: string;
}

/** Something that bears on an objective: how much of it, 0..1, and in what words. */
export interface Bearing {
  strength: number;
  what: string;
}
export interface ValidityEvidence {
  /** Days since somebody last said that it stands. */
  days: number;
  contradictions: readonly Bearing[];
  confirmations: readonly Bearing[];
  sources: number;
  lost: number;
  assessed?: "on-track" | "at-risk" | "off-track" | "achieved" | undefined;
}

/** Days after which nothing is left by age alone, and the shape of the way there: slow first, then fast (MISP's delta). */
export const LIFETIME_DAYS = 180;
export const DELTA = 0.5;

const CONTRADICTION = 40;
const MOST_CONTRADICTED = 60;
const ALL_LOST = 30;
const ASSESSED = { "off-track": -30, "at-risk": -15 } as const;
const CONFIRMED = { "on-track": 10, achieved: 15 } as const;
const CONFIRMATION = 15;
const MOST_CONFIRMED = 25;

/** MISP's decay (Iglesias et al. 2018): what is gone of 100 after so many days. */
export const aged = (days: number): number => 100 * Math.min(1, Math.max(0, days) / LIFETIME_DAYS) ** (1 / DELTA);

const round = (value: number): number => Math.round(value * 10) / 10;
const sum = (bearings: readonly Bearing[], each: number): number =>
  bearings.reduce((total, { strength }) => total + each * strength, 0);
const said = (bearings: readonly Bearing[], none: string): string =>
  bearings.length ? upTo(1_000, bearings.map(({ what }) => what).join("; ")) : none;

function confirmed({ confirmations, assessed }: ValidityEvidence): Part {
  const byAssessment = assessed === "on-track" || assessed === "achieved" ? CONFIRMED[assessed] : 0;
  const value = Math.min(MOST_CONFIRMED, sum(confirmations, CONFIRMATION) + byAssessment);
  const words = [
    ...confirmations.map(({ what }) => what),
    ...(byAssessment ? [`It was assessed as ${assessed}.`] : []),
  ];
  return {
    part: "confirmations",
    value: round(value),
    why: upTo(1_000, words.join("; ")) || "Nothing confirms it.",
  };
}

/** How far an objective still holds, 0..100, and of what that is made: the parts add up to the score. */
export function scored(evidence: ValidityEvidence): { score: number; parts: Part[] } {
  const { days, contradictions, sources, lost, assessed } = evidence;
  const failing = assessed === "off-track" || assessed === "at-risk" ? ASSESSED[assessed] : 0;
  const parts: Part[] = [
    { part: "start", value: 100, why: "What was just affirmed holds." },
    { part: "age", value: -round(aged(days)), why: `Affirmed ${Math.floor(days)} days ago, of ${LIFETIME_DAYS}.` },
    {
      part: "contradictions",
      value: -round(Math.min(MOST_CONTRADICTED, sum(contradictions, CONTRADICTION))),
      why: said(contradictions, "Nothing contradicts it."),
    },
    {
      part: "lost-sources",
      value: sources ? -round((ALL_LOST * lost) / sources) : 0,
      why: sources ? `${lost} of ${sources} sources are withdrawn.` : "It cites no source.",
    },
    {
      part: "assessment",
      value: failing,
      why: assessed ? `It was assessed as ${assessed}.` : "Nobody has assessed it.",
    },
    confirmed(evidence),
  ];
  const open = round(parts.reduce((total, { value }) => total + value, 0));
  const score = Math.min(100, Math.max(0, open));
  // Minus zero is zero, in answers too.
  const bounds = round(score - open) + 0;
  return {
    score,
    parts: [...parts, { part: "bounds", value: bounds, why: "A score lies between 0 and 100." }].map((one) => ({
      ...(one as Part),
      value: one.value + 0,
    })),
  };
}

/** Below this an alert opens, as when so much was lost within a week; above that it closes. */
const OPENS_UNDER = 50;
const FALL = 15;
export const FALL_DAYS = 7;
const CLOSES_OVER = 60;

const falls = (score: number, before: number | undefined): boolean => before !== undefined && before - score >= FALL;

/** Why an alert opens; undefined where none does. `before` is the score of a week ago, or the first since. */
export function alarm(score: number, before: number | undefined): "low" | "falling" | undefined {
  if (score < OPENS_UNDER) return "low";
  return falls(score, before) ? "falling" : undefined;
}
/** One that is open is over above the upper bound, once the fall lies behind. */
export const isOver = (score: number, before: number | undefined): boolean =>
  score > CLOSES_OVER && !falls(score, before);
