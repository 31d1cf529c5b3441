import { initialConfidence, type Confidence } from "./confidence.ts";
import type { Reliability } from "../../sources/events.ts";
import { quickScore } from "./quick-score.ts";
import type { Article } from "../articles.ts";

/** What is known of a source when its articles come in. */
export interface SourceRecord {
  /** Share of its articles that were verified, 0..1; absent where too few are there to tell. */
  verifiedShare?: number;
  /** Its rating by its own record of settled claims. */
  reliability?: Reliability;
  /** Share of its last fetches that succeeded, 0..1. */
  successRate: number;
}

/** With fewer articles the share of verified ones tells nothing. */
const FEWEST_ARTICLES = 20;
export const shareOf = (verified: number, articles: number): number | undefined =>
  articles < FEWEST_ARTICLES ? undefined : verified / articles;

/** A person's verdict raises the confidence to at least this, or keeps it at most at that; the trail uses the same. */
const VERIFIED = 0.9;
const REFUTED = 0.4;

export type ScoredConfidence = Pick<Article, "confidence" | "factors">;
type Verdict = NonNullable<Article["verdict"]>;

const points = (value: number): number => Math.round(value * 10_000) / 10_000;
const isMachine = ({ name }: Article["factors"][number]): boolean => name !== "manual";

/** The confidence of an article that nobody has checked. `hasEcho`: other sources carry the story. */
export function firstConfidence(
  {
    title,
    text,
    publishedAt,
    dateInferred,
  }: { title: string; text: string; publishedAt: string; dateInferred: boolean },
  source: SourceRecord,
  hasEcho: boolean,
  now: number,
): ScoredConfidence {
  const { confidence, factors }: Confidence = initialConfidence({
    source,
    // Outlets that carry one text are one voice, however many they are.
    corroboratingSources: hasEcho ? 1 : 0,
    ageHours: (now - Date.parse(publishedAt)) / 3_600_000,
    heuristicScore: quickScore(title, text),
    dateInferred,
  });
  return {
    confidence,
    factors: factors.map(({ name, label, contribution }) => ({ name, description: label, contribution })),
  };
}

/** The confidence that machines came to, whatever a person said. */
export const unjudged = ({ factors }: Pick<ScoredConfidence, "factors">): number =>
  points(factors.filter(isMachine).reduce((sum, { contribution }) => sum + contribution, 0));

/** The confidence with a person's verdict as its last factor, in place of an earlier one. */
export function judged({ factors }: Pick<ScoredConfidence, "factors">, { verified, by }: Verdict): ScoredConfidence {
  const machine = factors.filter(isMachine);
  const before = unjudged({ factors });
  const confidence = points(verified ? Math.max(before, VERIFIED) : Math.min(before, REFUTED));
  const description = `${by} ${verified ? "verified it" : "did not verify it"}`;
  return {
    confidence,
    factors: [...machine, { name: "manual", description, contribution: points(confidence - before) }],
  };
}

/** A machine's new finding; a verdict that stands keeps the last word. */
export function renewed(scored: ScoredConfidence, verdict: Verdict | undefined): ScoredConfidence {
  return verdict ? judged(scored, verdict) : scored;
}

const CORROBORATION = "corroboration";
export const hasEcho = ({ factors }: Pick<ScoredConfidence, "factors">): boolean =>
  factors.some(({ name, contribution }) => name === CORROBORATION && contribution > 0);

/** What the first other source adds, as in the initial confidence. */
const ECHO = initialConfidence({
  source: { successRate: 0.5 },
  corroboratingSources: 1,
  ageHours: 48,
  heuristicScore: 50,
}).factors.find(({ name }) => name === CORROBORATION)!;

/**
 * The confidence once another source carries the story too; null where it had that already, or rests on a later
 * verification.
 */
export function echoed(
  { factors }: Pick<ScoredConfidence, "factors">,
  verdict: Verdict | undefined,
): ScoredConfidence | null {
  const at = factors.findIndex(({ name, contribution }) => name === CORROBORATION && contribution === 0);
  if (at < 0) return null;
  const parts = factors
    .filter(({ name }) => name !== "limit" && name !== "manual")
    .map((factor) =>
      factor.name === CORROBORATION
        ? { name: CORROBORATION, description: ECHO.label, contribution: ECHO.contribution }
        : factor,
    );
  const sum = points(parts.reduce((total, { contribution }) => total + contribution, 0));
  const confidence = Math.min(1, Math.max(0, sum));
  if (confidence !== sum)
    parts.push({ name: "limit", description: "limit of the scale", contribution: points(confidence - sum) });
  return renewed({ confidence, factors: parts }, verdict);
}
