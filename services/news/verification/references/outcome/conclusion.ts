import { reportOf } from "../../../articles/client.ts";
import { independentPairs } from "../independence.ts";
import { RELIABILITY_WEIGHT, type Credibility } from "../../reliability/reliability.ts";
import type { StanceKind } from "./verdicts.ts";
import type { ClaimStatus, CrossReference, Reference, SupersededBy } from "../cross-reference.ts";

/** The reason of a claim whose own outlet retracted it. */
export const RETRACTED = "its own outlet retracted the report";

/** The reason of a claim whose figure its own outlet put right. */
export const CORRECTED = "its own outlet corrected it";

/** The reason of a sentence which another print of the same report has with another figure. */
export const OF_A_COPY = "in another print of the same report";

/** The beginning of a reason which says that the count has changed. */
export const SINCE = "counted since";

/** Weight that settles a claim: one clear sentence of a source that cannot be judged, or two weak ones. */
const SETTLING = 0.33;
/** A side prevails with three times the other's evidence. */
const OUTWEIGHS = 3;
const CONFIRMED = 0.9;

const MOST_NEUTRAL = 10;
/** Lower than contradiction makes any claim: what an outlet gave up is never trusted above its replacement. */
const GIVEN_UP = 10;
/** The highest score of a claim that was right when published and has been overtaken: as if nothing were known. */
const OVERTAKEN = 50;

/** What is known about a claim beside other articles' statements. */
interface Circumstances {
  /** Number of articles read. */
  candidates?: number;
  supersededBy?: SupersededBy | null;
  /** The retraction or correction by the outlet that made the claim. */
  retraction?: Reference | undefined;
}

/**
 * The conclusion from references. Only independent ones count, and of those that share a report or a source only one.
 */
export function conclude(
  found: readonly Reference[],
  { candidates = found.length, supersededBy = null, retraction }: Circumstances = {},
): CrossReference {
  if (retraction) return retracted(found, candidates, retraction);
  const side = (kind: StanceKind) =>
    found
      .filter((reference) => reference.stance === kind)
      .sort((a, b) => b.score - a.score || a.articleId - b.articleId);
  const supporting = side("support");
  const contradicting = side("contradict");
  const pro = weigh(supporting);
  const contra = weigh(contradicting);
  // The outlet has changed its figure: agreement with the old one no longer confirms it.
  const status = supersededBy ? "unverified" : statusOf(pro.weight, contra.weight);
  const since = found.find(({ stance, reasons }) => stance === "neutral" && reasons[0]?.startsWith(SINCE));
  return {
    status,
    credibility: supersededBy ? 4 : credibilityOf(status, pro, contra),
    score: supersededBy ? GIVEN_UP : Math.min(scoreOf(pro.weight, contra.weight), since ? OVERTAKEN : 100),
    supersededBy,
    supporting,
    contradicting,
    neutral: found.filter((reference) => reference.stance === "neutral").slice(0, MOST_NEUTRAL),
    independentSources: pro.count,
    independentContradictions: contra.count,
    candidates,
    reasons: supersededBy
      ? [`the same outlet or agency gave ${supersededBy.text} later`]
      : [...reasonsOf(status, pro, contra, supporting, contradicting), ...(since?.reasons ?? [])],
  };
}

/** No other voice outweighs the outlet's own word: the others may have taken the report from it. */
function retracted(found: readonly Reference[], candidates: number, retraction: Reference): CrossReference {
  const others = found.filter(({ articleId }) => articleId !== retraction.articleId);
  return {
    ...conclude(others, { candidates }),
    status: "contradicted",
    credibility: 5,
    score: GIVEN_UP,
    contradicting: [retraction, ...others.filter(({ stance }) => stance === "contradict")],
    reasons: retraction.reasons.slice(0, 1),
  };
}

const scoreOf = (pro: number, contra: number): number => Math.round((1000 * (pro + 0.5)) / (pro + contra + 1)) / 10;

interface Side {
  weight: number;
  count: number;
  names: string[];
}

function weigh(side: readonly Reference[]): Side {
  const counted = independentPairs(
    side
      .filter(({ independent }) => independent)
      .map((reference) => ({ reference, reportId: voiceOf(reference), sourceId: reference.sourceId })),
    ({ reference }) => weightOf(reference),
  );
  return {
    weight: counted.reduce((sum, { reference }) => sum + weightOf(reference), 0),
    count: counted.length,
    names: counted.map(({ reference }) => reference.sourceName),
  };
}

/** Reports that credit one agency are that agency's. */
const voiceOf = (reference: Reference): string => (reference.credit ? `by ${reference.credit}` : reportOf(reference));

const weightOf = ({ score, reliability }: Reference) => (score / 100) * RELIABILITY_WEIGHT[reliability];

function statusOf(pro: number, contra: number): ClaimStatus {
  if (pro < SETTLING && contra < SETTLING) return "unverified";
  if (contra < SETTLING || pro >= OUTWEIGHS * contra) return "corroborated";
  if (pro < SETTLING || contra >= OUTWEIGHS * pro) return "contradicted";
  return "disputed";
}

function credibilityOf(status: ClaimStatus, pro: Side, contra: Side): Credibility {
  switch (status) {
    case "corroborated":
      return pro.count >= 2 && pro.weight >= CONFIRMED && contra.count === 0 ? 1 : 2;
    case "contradicted":
      return contra.count >= 2 ? 5 : 4;
    case "disputed":
      return pro.weight >= contra.weight ? 3 : 4;
    case "unverified":
      return pro.count > 0 && contra.count === 0 ? 3 : 6;
  }
}

function reasonsOf(
  status: ClaimStatus,
  pro: Side,
  contra: Side,
  supporting: readonly Reference[],
  contradicting: readonly Reference[],
): string[] {
  const said: string[] = [];
  if (pro.count > 0) said.push(`supported by ${listed(pro.names)}`);
  if (contra.count > 0) said.push(`contradicted by ${listed(contra.names)}`);
  const printed = contradicting.filter(({ reasons }) => reasons.includes(OF_A_COPY));
  if (printed.length > 0)
    said.push(`printed with another figure by ${listed(printed.map(({ sourceName }) => sourceName))}`);
  const copies = supporting.length + contradicting.length - printed.length - pro.count - contra.count;
  if (copies > 0)
    said.push(
      `${copies} further ${copies === 1 ? "article counts" : "articles count"} no more: the same story or ` +
        "the same source",
    );
  if (status === "unverified") said.push(said.length > 0 ? "too little to settle it" : "no other source speaks of it");
  return said;
}

const listed = (names: readonly string[]) =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
