import type { BulkWrite, Doc } from "../../../../core/records/documents.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Claim } from "../claims/claim.ts";
import { reliability, reliabilityChange, type RecordedMonth, type ReliabilityEstimate } from "./reliability.ts";
import type { Reliability } from "../../sources/events.ts";

/** A source's own record: how its claims held up, month by month, and the rating that follows. */
export interface SourceStanding {
  id: number;
  name: string;
  rating: Reliability;
  estimate: number;
  evidence: number;
}

/**
 * A record as stored, the rating as `letter`. `recorded` is the last entry of the history, `changes` the number of
 * entries.
 */
export interface SourceDoc extends Doc {
  name: string;
  letter: Reliability;
  estimate: number;
  evidence: number;
  months?: Record<string, Omit<RecordedMonth, "month">>;
  since?: string;
  asOf?: string;
  changes?: number;
  recorded?: { letter: Reliability; estimate: number };
}

export const monthsOf = ({ months = {} }: SourceDoc): RecordedMonth[] =>
  Object.entries(months)
    .map(([month, counts]) => ({ month, ...counts }))
    .sort((a, b) => (a.month < b.month ? -1 : 1));
export const sum = (months: readonly RecordedMonth[], field: "corroborated" | "contradicted"): number =>
  months.reduce((total, month) => total + month[field], 0);

const SETTLED = ["corroborated", "contradicted"] as const;
export type Counts = Record<(typeof SETTLED)[number], number>;

/** A record with its rating recomputed, and the history entry if the rating moved. */
export function drawn(
  doc: SourceDoc,
  asOf: string,
  publishedAt?: string,
): { $set: Partial<SourceDoc>; entry?: BulkWrite } {
  const since = [doc.since, publishedAt].filter((at) => at !== undefined).sort()[0]!;
  const months = monthsOf(doc);
  const estimated = reliability({ months, since, asOf });
  const before = doc.recorded ? { rating: doc.recorded.letter, estimate: doc.recorded.estimate } : unknown;
  const change = reliabilityChange(before, estimated, asOf);
  const $set = { ...stored(estimated), since, asOf };
  if (!change) return { $set };
  const changes = (doc.changes ?? 0) + 1;
  return {
    $set: { ...$set, changes, recorded: { letter: estimated.rating, estimate: estimated.estimate } },
    entry: {
      update: { _id: `${doc._id}:${changes}` },
      upsert: true,
      with: {
        $set: {
          sourceId: doc._id,
          ...change,
          corroborated: sum(months, "corroborated"),
          contradicted: sum(months, "contradicted"),
          updatedAt: asOf,
        },
        $setOnInsert: { createdAt: asOf, createdBy: "system:verification" },
        $inc: { rev: 1 },
      },
    },
  };
}

/** Settled claims of a source in a month, from the stored claims. */
export async function countClaims(host: Host, sourceId: number, month: string): Promise<Counts> {
  const claims = host.store(Claim).collection;
  const [corroborated, contradicted] = await Promise.all(
    SETTLED.map((status) => claims.count({ query: { sourceId, month, status } })),
  );
  return { corroborated: corroborated!, contradicted: contradicted! };
}

export const standingOf = ({ _id, name, letter: rating, estimate, evidence }: SourceDoc): SourceStanding => ({
  id: _id as number,
  name,
  rating,
  estimate,
  evidence,
});

/**
 * The stored name of a rating is that of release 0.1.0, so that nodes of both versions can read each other's records.
 */
export const stored = ({
  rating,
  estimate,
  evidence,
}: Pick<ReliabilityEstimate, "rating" | "estimate" | "evidence">) => ({
  letter: rating,
  estimate,
  evidence,
});

const { rating, estimate, evidence } = reliability({
  months: [],
  since: "2000-01-01T00:00:00.000Z",
  asOf: "2000-01-01T00:00:00.000Z",
});
/** What is assumed of a source before any of its claims was settled. */
export const unknown = { rating, estimate, evidence };
