import type { Reliability } from "../../sources/events.ts";

export interface ConfidenceInput {
  source: {
    /** Rating from the source's own record; F (or none): cannot be judged yet. */
    reliability?: Reliability;
    /** Share of its fetches that succeed, 0..1. */
    successRate: number;
    /** Share of its articles that were verified, 0..1; none: not known. */
    verifiedShare?: number;
  };
  /** Other sources whose own report (not a copy of this one) tells the same story. */
  corroboratingSources: number;
  /** Hours since publication; negative: dated in the future. */
  ageHours: number;
  /** 0..100, `quickScore` at ingestion, the whole pattern check later. */
  heuristicScore: number;
  /** The feed gave no date. */
  dateInferred?: boolean;
}

export type ConfidenceFactorName =
  | "prior"
  | "source-record"
  | "source-verified-share"
  | "source-health"
  | "corroboration"
  | "recency"
  | "text"
  | "limit";
export interface ConfidenceFactor {
  name: ConfidenceFactorName;
  label: string;
  contribution: number;
}
export interface Confidence {
  /** 0..1 */
  confidence: number;
  /** Their contributions sum to the confidence, exact to 1e-12. */
  factors: ConfidenceFactor[];
}

/** By how many others a story is told, in the words of the factor. */
export const companyOf = (others: number): string =>
  others === 0
    ? "no other source tells the story yet"
    : `${others} other ${others === 1 ? "source tells" : "sources tell"} the story`;

/** All sums are made in whole ten-thousandths, so that the parts add up to the whole to the last digit. */
const UNIT = 10_000;
const PRIOR = 3_400;
const SOURCE: Record<Reliability, number> = { A: 2_600, B: 1_900, C: 900, D: -400, E: -1_400, F: 600 };
/** What a source's rating gives an article, 0..1; D and E take away. */
export const recordPoints = (rating: Reliability): number => SOURCE[rating] / UNIT;
const VERIFIED_SHARE = 600;
const HEALTH = 300;
const CORROBORATION = 2_200;
/** Each further independent source closes this share of what is missing. */
const CLOSES = 0.4;
const TEXT = 1_600;
const UNSETTLED = -300;
const UNSETTLED_HOURS = 24;
const OUTDATED = -300;
const OUTDATED_HOURS = 365 * 24;
const FUTURE = -600;
const INFERRED = -200;

/**
 * An article's confidence when it comes in, from named factors: the source's record, independent reports of the same
 * story, how settled the news is, and how the text is made. Numbers outside their range are taken as the nearest end of
 * it.
 */
export function initialConfidence(input: ConfidenceInput): Confidence {
  const { source, corroboratingSources } = input;
  const rating = source.reliability ?? "F";
  const others = Math.max(0, Math.floor(finite(corroboratingSources)));
  const parts: [ConfidenceFactorName, string, number][] = [
    ["prior", "starting point of any report", PRIOR],
    [
      "source-record",
      rating === "F" ? "source without a record that could be judged" : `source of reliability ${rating}`,
      SOURCE[rating],
    ],
    [
      "source-health",
      `${Math.round(100 * unit(source.successRate))} % of its fetches succeed`,
      Math.round(HEALTH * (unit(source.successRate) - 0.5) * 2),
    ],
    ["corroboration", companyOf(others), Math.round(CORROBORATION * (1 - (1 - CLOSES) ** others))],
    ["recency", ...recency(input)],
    [
      "text",
      `the text is made ${grade(input.heuristicScore)}`,
      Math.round(TEXT * (unit(input.heuristicScore / 100) - 0.5) * 2),
    ],
  ];
  if (source.verifiedShare !== undefined) {
    const share = unit(source.verifiedShare);
    parts.splice(2, 0, [
      "source-verified-share",
      `${Math.round(100 * share)} % of its articles are verified`,
      Math.round(VERIFIED_SHARE * share),
    ]);
  }
  const sum = parts.reduce((total, [, , points]) => total + points, 0);
  const confidence = Math.min(UNIT, Math.max(0, sum));
  if (confidence !== sum) parts.push(["limit", "limit of the scale", confidence - sum]);
  return {
    confidence: confidence / UNIT,
    factors: parts.map(([name, label, points]) => ({ name, label, contribution: points / UNIT })),
  };
}

/** First reports are often put right within a day; what is a year old may no longer hold. */
function recency({ ageHours, dateInferred }: ConfidenceInput): [string, number] {
  const age = finite(ageHours);
  if (age < -1) return ["dated in the future", FUTURE];
  const [label, points] =
    age < UNSETTLED_HOURS
      ? (["just out, not settled", Math.round(UNSETTLED * (1 - Math.max(0, age) / UNSETTLED_HOURS))] as const)
      : age > OUTDATED_HOURS
        ? (["more than a year old", OUTDATED] as const)
        : (["settled and current", 0] as const);
  return dateInferred ? [`${label}; the feed gave no date`, points + INFERRED] : [label, points];
}

const grade = (score: number) => (score >= 65 ? "with care" : score >= 45 ? "in the usual way" : "carelessly");
const finite = (value: number) => (Number.isFinite(value) ? value : 0);
const unit = (value: number) => Math.min(1, Math.max(0, finite(value)));
