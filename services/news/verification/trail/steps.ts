import { companyOf, recordPoints } from "../../articles/client.ts";
import { meaningOf, RELIABILITY_WORDS } from "../reliability/reliability.ts";
import type { TrailInput } from "./trail.ts";

export type StepType =
  | "source"
  | "ground_truth"
  | "claims"
  | "cross_reference"
  | "bias"
  | "llm"
  | "heuristic"
  | "recency"
  | "manual";
export type Impact = "positive" | "negative" | "neutral";

export interface TrailStep {
  type: StepType;
  label: string;
  description: string;
  impact: Impact;
  /** In points of 100, whole hundredths. */
  scoreContribution: number;
  /** What its points are made of, where that is known. */
  parts?: { label: string; points: number }[];
  /** Ids of the evidence of the step. */
  cites: { articles?: number[]; claims?: number[]; sources?: number[]; by?: string };
}

/**
 * An article starts with the confidence that it came in with; one whose first look was not stored, in the middle. The
 * source's record moves it by at most this.
 */
const MIDDLE = 50;
const SOURCE_REACH = 20;
/** Settled claims at which a record has half its full say. */
const SOURCE_HALF = 8;
const GROUND_TRUTH = { support: 8, contradict: -10, most: 12, least: -20 };
const CROSS_REFERENCE = { each: 12, reach: 25 };
const BIAS = { reach: 15, share: 0.2, clean: 10 };
const PATTERNS_REACH = 10;
const LLM_REACH = 10;
const RECENCY = { unsettledHours: 6, unsettled: -2, outdatedDays: 365, outdated: -3 };
const MANUAL = { verified: 90, notVerified: 40 };
const NEUTRAL = 0.5;

/** The steps of a trail in order; their contributions add up to a score within 0..100. */
export function steps(input: TrailInput): TrailStep[] {
  const machine = [
    source(input),
    ...groundTruth(input),
    ...claims(input),
    ...crossReferences(input),
    ...bias(input),
    ...patterns(input),
    ...llm(input),
    recency(input),
  ];
  const limited = withinScale(machine);
  return [...limited, ...manual(input, sum(limited))];
}

/** All articles that steps cite, in ascending order. */
export const articleIds = (taken: readonly TrailStep[]): number[] =>
  [...new Set(taken.flatMap(({ cites }) => cites.articles ?? []))].sort((a, b) => a - b);

const cents = (value: number) => Math.round(value * 100) / 100;
const sum = (taken: readonly TrailStep[]) =>
  taken.reduce((total, { scoreContribution }) => total + Math.round(scoreContribution * 100), 0) / 100;
const between = (low: number, high: number, value: number) => Math.min(high, Math.max(low, value));
const impactOf = (points: number): Impact =>
  points > NEUTRAL ? "positive" : points < -NEUTRAL ? "negative" : "neutral";
const unique = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

function step(
  type: StepType,
  label: string,
  description: string,
  points: number,
  cites: TrailStep["cites"] = {},
): TrailStep {
  const scoreContribution = cents(points);
  return { type, label, description, impact: impactOf(scoreContribution), scoreContribution, cites };
}

/** What another source gave the article as it came in, taken back once a person rejected what that one told. */
const lostCompany = ({ initial, alone }: TrailInput): number =>
  alone ? -(initial?.parts?.find(({ label }) => label === companyOf(1))?.points ?? 0) : 0;

function source(input: TrailInput): TrailStep {
  const {
    source: { id, name, letter: rating, estimate, evidence },
    initial,
  } = input;
  const lost = lostCompany(input);
  const moved = cents(
    initial === undefined
      ? (2 * SOURCE_REACH * (estimate - 0.5) * evidence) / (evidence + SOURCE_HALF)
      : // A record that improved since does not raise the score: nothing new was found about this article.
        Math.min(0, 100 * recordPoints(rating) - initial.record),
  );
  const record =
    evidence === 0
      ? "no settled claims yet"
      : `about ${Math.round(100 * estimate)} % of its claims hold, from ${cents(evidence)} settled ` +
        `${evidence === 1 ? "claim" : "claims"}`;
  const start =
    initial === undefined
      ? "the middle of the scale"
      : `the ${cents(initial.score)} points that the article came in with`;
  const description =
    `${name} is rated ${rating} (${meaningOf(rating, evidence)}); ${record}; from ${start}` +
    (moved === 0 ? "" : `, moved by ${moved} points`) +
    (lost === 0 ? "" : `, less ${-lost} for what others told and a person rejected`);
  const label = `Source: ${name} (${rating}, ${RELIABILITY_WORDS[rating]})`;
  const base = step("source", label, description, (initial?.score ?? MIDDLE) + moved + lost, { sources: [id] });
  // The middle is nobody's merit: the impact is that of the record.
  const parts = initial?.parts && [
    ...initial.parts,
    ...(moved === 0 ? [] : [{ label: "the source's record since", points: moved }]),
    ...(lost === 0 ? [] : [{ label: "a person rejected what the other source told", points: lost }]),
  ];
  return { ...base, impact: rating === "F" ? "neutral" : impactOf(moved), ...(parts && { parts }) };
}

function groundTruth({ groundTruth: found }: TrailInput): TrailStep[] {
  if (found.length === 0) return [];
  const points = found.reduce((total, { stance }) => total + GROUND_TRUTH[stance], 0);
  const names = [...new Set(found.map(({ sourceName }) => sourceName))].sort().join(", ");
  const against = found.filter(({ stance }) => stance === "contradict").length;
  const description = `${names}: ${found.length - against} of its claims supported, ${against} contradicted`;
  return [
    step("ground_truth", "Ground truth", description, between(GROUND_TRUTH.least, GROUND_TRUTH.most, points), {
      articles: unique(found.map(({ articleId }) => articleId)),
      claims: unique(found.map(({ claimId }) => claimId)),
    }),
  ];
}

function claims({ claims: found }: TrailInput): TrailStep[] {
  if (!found) return [];
  const count = found.ids.length;
  const description =
    count === 0
      ? "no claim that could be checked"
      : `${count} ${count === 1 ? "claim" : "claims"} that can be checked (${found.method}); what they are ` +
        "worth the cross-reference tells";
  return [step("claims", "Claims", description, 0, { claims: unique(found.ids) })];
}

function crossReferences({ crossReferences: found }: TrailInput): TrailStep[] {
  if (found.length === 0) return [];
  const points = found.reduce((total, { score }) => total + (CROSS_REFERENCE.each * (score - 50)) / 50, 0);
  const count = (status: string) => found.filter((one) => one.status === status).length;
  const counts = ["corroborated", "contradicted", "disputed", "unverified"]
    .map((status) => `${count(status)} ${status}`)
    .join(", ");
  const retracted = found.filter((one) => one.retracted).length;
  const description =
    `of ${found.length} claims ${counts} by independent sources` +
    (retracted > 0 ? `; ${retracted} taken back by its own outlet` : "");
  return [
    step(
      "cross_reference",
      "Cross-reference",
      description,
      between(-CROSS_REFERENCE.reach, CROSS_REFERENCE.reach, points),
      {
        articles: unique(found.flatMap(({ supporting, contradicting }) => [...supporting, ...contradicting])),
        claims: unique(found.map(({ claimId }) => claimId)),
      },
    ),
  ];
}

function bias({ bias: found, contentId }: TrailInput): TrailStep[] {
  if (!found) return [];
  const points = found.score < BIAS.clean ? 0 : -Math.min(BIAS.reach, BIAS.share * found.score);
  const description =
    `bias ${found.score} of 100 (${found.method}): ${found.loadedLanguage} loaded expressions, ` +
    `${found.unsupportedClaims} claims without support`;
  return [step("bias", "Bias", description, points, { articles: [contentId] })];
}

function patterns({ heuristic, contentId }: TrailInput): TrailStep[] {
  if (!heuristic) return [];
  const telling = heuristic.findings
    .filter(({ points }) => points !== 0)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const strongest = telling
    .slice(0, 3)
    .map(({ label }) => label)
    .join(", ");
  const description = `craft ${heuristic.score} of 100${strongest ? `: ${strongest}` : ""}`;
  return [
    // Good style is no evidence: it was credited when the article came in, and a closer look can only reduce it.
    step(
      "heuristic",
      "Patterns of the text",
      description,
      Math.min(0, (PATTERNS_REACH * (heuristic.score - 50)) / 50),
      {
        articles: [contentId],
      },
    ),
  ];
}

function llm({ llm: found }: TrailInput): TrailStep[] {
  if (!found) return [];
  const description = `${found.model} (${found.promptVersion}) says ${found.score} of 100, bounded by the evidence it cites`;
  return [
    step("llm", "Language model", description, (LLM_REACH * (found.score - 50)) / 50, {
      articles: unique(found.citedIds),
    }),
  ];
}

function recency({ asOf, publishedAt, initial }: TrailInput): TrailStep {
  const hours = (Date.parse(asOf) - Date.parse(publishedAt)) / 3_600_000;
  const days = Math.floor(hours / 24);
  if (hours < RECENCY.unsettledHours)
    return step(
      "recency",
      "Recency",
      "just out: first reports are often put right",
      // Counted when it came in.
      initial === undefined ? RECENCY.unsettled : 0,
    );
  if (days > RECENCY.outdatedDays)
    return step("recency", "Recency", `${days} days old: it may no longer hold`, RECENCY.outdated);
  return step("recency", "Recency", days < 1 ? "of today" : `${days} ${days === 1 ? "day" : "days"} old`, 0);
}

/** Where the sum exceeds the scale, a step of its own shows the reduction. */
function withinScale(taken: TrailStep[]): TrailStep[] {
  const total = sum(taken);
  const cut = cents(between(0, 100, total) - total);
  return cut === 0
    ? taken
    : [
        ...taken,
        {
          ...step("heuristic", "Limit of the scale", `the sum of ${total} is brought within 0 to 100`, cut),
          impact: "neutral",
        },
      ];
}

/**
 * A person's verdict raises the score to at least 90, or limits it to 40. The person is named in `cites` alone: there
 * the name is shown beside the id, and disappears when they are erased.
 */
function manual({ manual: verdict, contentId }: TrailInput, before: number): TrailStep[] {
  if (!verdict) return [];
  const after = verdict.verified ? Math.max(before, MANUAL.verified) : Math.min(before, MANUAL.notVerified);
  const notes = verdict.notes ? `: ${verdict.notes}` : "";
  const judged = verdict.beforeChange ? "an earlier text of it, which its outlet has changed since," : "it";
  const description = `a person ${verdict.verified ? "verified" : "did not verify"} ${judged} on ${verdict.at.slice(0, 10)}${notes}`;
  const said = step("manual", "Human verdict", description, after - before, { articles: [contentId], by: verdict.by });
  return [{ ...said, impact: verdict.verified ? "positive" : "negative" }];
}
