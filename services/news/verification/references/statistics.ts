import type { ClaimStatus } from "./cross-reference.ts";
import type { Reliability } from "../../sources/events.ts";
import type { StanceKind } from "./outcome/verdicts.ts";

/**
 * Stored references, counted: one row for each source, stance and status of the claim; a single reference is a row of
 * count 1.
 */
export interface ReferenceCount {
  sourceId: number;
  sourceName: string;
  reliability: Reliability;
  stance: StanceKind;
  claimStatus: ClaimStatus;
  count: number;
}

export interface CorroboratingSource {
  sourceId: number;
  sourceName: string;
  reliability: Reliability;
  corroborations: number;
  accuracyRate: number;
}

export interface ReferenceStatistics {
  totalReferences: number;
  /**
   * References that point the way their claim was settled: support of a corroborated, contradiction of a contradicted
   * one.
   */
  accurateReferences: number;
  /** Percent, one decimal; 0 where there is no reference. */
  accuracyRate: number;
  topCorroboratingSources: CorroboratingSource[];
  /** Names of the sources with rating A that gave references: the ground truth. */
  groundTruthSources: string[];
}

const MOST_SOURCES = 10;

/** Document 1's cross-reference statistics from counted references; unrelated ones are no references. */
export function referenceStatistics(rows: readonly ReferenceCount[]): ReferenceStatistics {
  const related = rows.filter(({ stance }) => stance !== "unrelated");
  const totalReferences = total(related);
  const accurateReferences = total(related.filter(isAccurate));
  const bySource = [...Map.groupBy(related, ({ sourceId }) => sourceId).values()];
  return {
    totalReferences,
    accurateReferences,
    accuracyRate: rate(accurateReferences, totalReferences),
    topCorroboratingSources: bySource
      .map(corroboration)
      .filter(({ corroborations }) => corroborations > 0)
      .sort((a, b) => b.corroborations - a.corroborations || b.accuracyRate - a.accuracyRate || a.sourceId - b.sourceId)
      .slice(0, MOST_SOURCES),
    groundTruthSources: bySource
      .filter(([row]) => row!.reliability === "A")
      .map(([row]) => row!.sourceName)
      .sort(),
  };
}

function corroboration(rows: readonly ReferenceCount[]): CorroboratingSource {
  const { sourceId, sourceName, reliability } = rows[0]!;
  const corroborations = total(rows.filter(({ stance }) => stance === "support"));
  return {
    sourceId,
    sourceName,
    reliability,
    corroborations,
    accuracyRate: rate(total(rows.filter(isAccurate)), total(rows)),
  };
}

const isAccurate = ({ stance, claimStatus }: ReferenceCount) =>
  (stance === "support" && claimStatus === "corroborated") ||
  (stance === "contradict" && claimStatus === "contradicted");
const total = (rows: readonly ReferenceCount[]) => rows.reduce((sum, { count }) => sum + count, 0);
const rate = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10);
