import type { Reliability } from "../../sources/events.ts";

/** 1 confirmed, 2 probably true, 3 possibly true, 4 doubtful, 5 improbable, 6 cannot be judged. */
export type Credibility = 1 | 2 | 3 | 4 | 5 | 6;

export const RELIABILITY_WORDS: Record<Reliability, string> = {
  A: "completely reliable",
  B: "usually reliable",
  C: "fairly reliable",
  D: "not usually reliable",
  E: "unreliable",
  F: "reliability cannot be judged",
};
/** A rating is always explained: what it means, and for F how many settled claims are missing. */
export function meaningOf(rating: Reliability, evidence: number): string {
  if (rating !== "F") return RELIABILITY_WORDS[rating];
  const wanted = Math.max(1, Math.ceil(FEWEST_CLAIMS - evidence));
  const claims = wanted === 1 ? "1 more settled claim of it is" : `${wanted} more settled claims of it are`;
  return `${RELIABILITY_WORDS.F} yet: ${claims} wanted, which is no mark against it`;
}

/** The weight of a reference by such a source, 0..1. A source that cannot be judged counts between C and D. */
export const RELIABILITY_WEIGHT: Record<Reliability, number> = { A: 1, B: 0.85, C: 0.65, D: 0.4, E: 0.2, F: 0.55 };

/** Claims of a source that were settled in one month. */
export interface RecordedMonth {
  /** `2026-03` */
  month: string;
  corroborated: number;
  contradicted: number;
  /** Of the contradicted ones, how many the source corrected itself. */
  corrected?: number;
}

export interface SourceRecord {
  months: readonly RecordedMonth[];
  /** ISO 8601: the date of its first article here. */
  since: string;
  /** ISO 8601: the moment of the estimate. */
  asOf: string;
}

export interface ReliabilityEstimate {
  rating: Reliability;
  /** Expected share of its claims that hold, 0..1. */
  estimate: number;
  /** 80 % credible interval of that share. */
  interval: [low: number, high: number];
  /** Settled claims it rests on, older ones counted less. */
  evidence: number;
  /** The reasons of the rating, in words. */
  reasons: string[];
}

/** Beta(2, 1): without evidence, most statements of an average outlet hold; worth three claims. */
const PRIOR = { held: 2, failed: 1 };
/** A claim of a year ago counts half: outlets change owners and habits. */
const HALF_LIFE_MONTHS = 12;
const FEWEST_CLAIMS = 8;
const FEWEST_DAYS = 30;
/** A mistake that the source itself corrects counts half. */
const CORRECTED = 0.5;
/** The lowest bound of the interval for each rating: a rating reflects what is nearly certain, not what is likely. */
const FLOORS: readonly [Reliability, number][] = [
  ["A", 0.85],
  ["B", 0.7],
  ["C", 0.5],
  ["D", 0.3],
  ["E", 0],
];
const TAIL = 0.1;

/**
 * A source's rating from its own record: a Beta-Bernoulli estimate of the share of its claims that hold, judged by the
 * lower end of its 80 % interval, so that few claims earn no high rating. Under 8 settled claims it is F: cannot be
 * judged.
 */
export function reliability(record: SourceRecord): ReliabilityEstimate {
  const counted = weigh(record);
  const alpha = PRIOR.held + counted.held;
  const beta = PRIOR.failed + counted.failed;
  const evidence = round(counted.held + counted.failed, 2);
  const interval: [number, number] = [
    round(betaQuantile(alpha, beta, TAIL), 4),
    round(betaQuantile(alpha, beta, 1 - TAIL), 4),
  ];
  const estimate = round(alpha / (alpha + beta), 4);
  const rating = ratingFor(evidence, interval[0], daysBetween(record.since, record.asOf));
  return { rating, estimate, interval, evidence, reasons: reasons(record, { rating, estimate, interval, evidence }) };
}

function ratingFor(evidence: number, low: number, days: number): Reliability {
  if (evidence < FEWEST_CLAIMS) return "F";
  const [rating] = FLOORS.find(([, floor]) => low >= floor) ?? ["E" as const];
  return days < FEWEST_DAYS && (rating === "A" || rating === "B") ? "C" : rating;
}

function weigh({ months, asOf }: SourceRecord): { held: number; failed: number } {
  let held = 0;
  let failed = 0;
  for (const { month, corroborated, contradicted, corrected = 0 } of months) {
    const weight = 0.5 ** (Math.max(0, monthsBetween(month, asOf)) / HALF_LIFE_MONTHS);
    const mended = Math.min(corrected, contradicted);
    held += weight * corroborated;
    failed += weight * (contradicted - mended * (1 - CORRECTED));
  }
  return { held, failed };
}

function reasons(
  { months, since, asOf }: SourceRecord,
  { rating, estimate, interval, evidence }: Omit<ReliabilityEstimate, "reasons">,
): string[] {
  const sum = (field: "corroborated" | "contradicted" | "corrected") =>
    months.reduce((total, month) => total + (month[field] ?? 0), 0);
  const days = Math.floor(daysBetween(since, asOf));
  const said = [
    `${sum("corroborated")} of its claims were corroborated and ${sum("contradicted")} contradicted by ` +
      "independent sources",
  ];
  if (sum("corrected") > 0) said.push(`${sum("corrected")} of the contradicted it corrected itself, which counts half`);
  said.push(`that weighs as much as ${evidence} claims of today, a claim of a year ago counting half`);
  if (rating === "F") said.push(`fewer than ${FEWEST_CLAIMS} settled claims: it cannot be judged`);
  else
    said.push(
      `${percent(estimate)} of its claims are expected to hold, at least ${percent(interval[0])} with 90 % certainty`,
    );
  if (days < FEWEST_DAYS) said.push(`known for ${days} days only: no rating above C before ${FEWEST_DAYS}`);
  return said;
}

export interface ReliabilityChange {
  at: string;
  from: Reliability;
  to: Reliability;
  estimate: number;
  evidence: number;
  reasons: string[];
}

const NOTEWORTHY = 0.02;

/**
 * The history entry for a new estimate; undefined where neither the rating nor the estimate (by 2 points of 100) has
 * moved.
 */
export function reliabilityChange(
  before: Pick<ReliabilityEstimate, "rating" | "estimate">,
  after: ReliabilityEstimate,
  at: string,
): ReliabilityChange | undefined {
  if (before.rating === after.rating && Math.abs(before.estimate - after.estimate) < NOTEWORTHY) return undefined;
  return {
    at,
    from: before.rating,
    to: after.rating,
    estimate: after.estimate,
    evidence: after.evidence,
    reasons: after.reasons,
  };
}

const percent = (share: number) => `${Math.round(100 * share)} %`;
const round = (value: number, digits: number) => Number(value.toFixed(digits));
const daysBetween = (from: string, to: string) => Math.max(0, (Date.parse(to) - Date.parse(from)) / 86_400_000);
const monthsBetween = (month: string, asOf: string) =>
  (Number(asOf.slice(0, 4)) - Number(month.slice(0, 4))) * 12 + Number(asOf.slice(5, 7)) - Number(month.slice(5, 7));

/** Quantile of Beta(a, b) by bisection of its distribution function. */
function betaQuantile(a: number, b: number, probability: number): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (betaDistribution(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Regularised incomplete beta function I_x(a, b): the continued fraction of DLMF §8.17(v), evaluated by Lentz's method.
 */
export function betaDistribution(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on one side only; I_x(a, b) = 1 - I_(1-x)(b, a) leads there.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaDistribution(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
  let fraction = d;
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d, tiny);
    c = nonZero(1 + even / c, tiny);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d, tiny);
    c = nonZero(1 + odd / c, tiny);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-12) break;
  }
  return front * fraction;
}

const nonZero = (value: number, tiny: number) => (Math.abs(value) < tiny ? tiny : value);
const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b);

/** Stirling's series (DLMF 5.11.1) after shifting the argument above 10: about 1e-13 relative. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 10) {
    shift -= Math.log(z);
    z += 1;
  }
  const inverse = 1 / (z * z);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / z;
  return shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series;
}
