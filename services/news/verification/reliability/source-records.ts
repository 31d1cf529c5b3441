import { iso } from "../../../../core/clock.ts";
import type { Collection, Doc, Documents } from "../../../../core/records/documents.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { overtaken } from "../../../../core/problem.ts";
import { Claim } from "../claims/claim.ts";
import type { Content } from "../../articles/client.ts";
import {
  reliability,
  reliabilityChange,
  type RecordedMonth,
  type ReliabilityEstimate,
  type SourceRecord,
} from "./reliability.ts";
import type { Reliability } from "../../sources/events.ts";
import { StandingChange } from "./history.ts";

/** A source's own record: how its claims fared, month by month, and the rating that follows. */
export interface SourceStanding {
  id: number;
  name: string;
  rating: Reliability;
  estimate: number;
  evidence: number;
}

/**
 * A record as it is stored, the rating as `letter`. `recorded` is what the history shows last, `changes` how many
 * entries it has.
 */
interface SourceDoc extends Doc {
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

const monthsOf = ({ months = {} }: SourceDoc): RecordedMonth[] =>
  Object.entries(months)
    .map(([month, counts]) => ({ month, ...counts }))
    .sort((a, b) => (a.month < b.month ? -1 : 1));
const sum = (months: readonly RecordedMonth[], field: "corroborated" | "contradicted"): number =>
  months.reduce((total, month) => total + month[field], 0);

const DAY_MS = 86_400_000;
const PAGE = 200;

/** The records of sources, one document each. */
export class SourceRecords {
  readonly #collection: Collection;

  private constructor(collection: Collection) {
    this.#collection = collection;
  }

  static async open(documents: Documents): Promise<SourceRecords> {
    return new SourceRecords(
      await documents.collection("verification_sources", { indexes: [{ fields: ["asOf"], sparse: true }] }),
    );
  }

  /** Standings by id of those that have a record. */
  async many(ids: readonly number[]): Promise<Map<number, SourceStanding>> {
    const found = (await this.#collection.findByIds([...new Set(ids)])) as SourceDoc[];
    return new Map(
      found.map(({ _id, name, letter: rating, estimate, evidence }) => [
        _id as number,
        { id: _id as number, name, rating, estimate, evidence },
      ]),
    );
  }

  /** The whole record of one source, and its counts; null where none of its claims was looked at. */
  async one(
    id: number,
  ): Promise<{ name: string; record: SourceRecord; corroborated: number; contradicted: number } | null> {
    const doc = (await this.#collection.findById(id)) as SourceDoc | null;
    if (!doc?.asOf) return null;
    const months = monthsOf(doc);
    return {
      name: doc.name,
      record: { months, since: doc.since!, asOf: doc.asOf },
      corroborated: sum(months, "corroborated"),
      contradicted: sum(months, "contradicted"),
    };
  }

  /** Notes the names of sources, so that statistics can show them. */
  async name(sources: readonly { sourceId: number; sourceName: string }[]): Promise<void> {
    const names = new Map(sources.map(({ sourceId, sourceName }) => [sourceId, sourceName]));
    if (names.size === 0) return;
    await this.#collection.bulk(
      [...names].map(([id, name]) => ({
        update: { _id: id },
        with: { $set: { name }, $setOnInsert: stored(unknown) },
        upsert: true,
      })),
    );
  }

  /** Counts the month of an article anew and draws the rating from all months. */
  async renew(host: Host, { sourceId, sourceName, publishedAt }: Content): Promise<void> {
    const month = publishedAt.slice(0, 7);
    const claims = host.store(Claim).collection;
    const [corroborated, contradicted] = await Promise.all(
      (["corroborated", "contradicted"] as const).map((status) => claims.count({ query: { sourceId, month, status } })),
    );
    await this.#collection.claim(
      { _id: sourceId },
      {
        $set: { name: sourceName, [`months.${month}`]: { corroborated, contradicted } },
        $setOnInsert: stored(unknown),
      },
      { upsert: true },
    );
    await this.#draw(host, sourceId, publishedAt);
  }

  /** Draws the ratings anew that were drawn more than a day ago: old claims lose weight with time. Answers how many. */
  async age(host: Host): Promise<number> {
    const before = iso(host.world.clock.now() - DAY_MS);
    for (let aged = 0; ;) {
      const due = await this.#collection.find({
        query: { asOf: { $lt: before } },
        sort: ["asOf"],
        limit: PAGE,
        fields: ["_id"],
      });
      for (const { _id } of due) await this.#draw(host, _id as number);
      aged += due.length;
      if (due.length < PAGE) return aged;
    }
  }

  /**
   * The rating, and its history where it moved. The entry comes first, under the number it will have: a kill between
   * the two leaves an entry that the next drawing writes again.
   */
  #draw(host: Host, id: number, publishedAt?: string): Promise<void> {
    return retryOnConflict(async () => {
      const doc = (await this.#collection.findById(id)) as SourceDoc;
      const asOf = iso(host.world.clock.now());
      const since = [doc.since, publishedAt].filter((at) => at !== undefined).sort()[0]!;
      const months = monthsOf(doc);
      const drawn = reliability({ months, since, asOf });
      const change = reliabilityChange(
        doc.recorded ? { rating: doc.recorded.letter, estimate: doc.recorded.estimate } : unknown,
        drawn,
        asOf,
      );
      const changes = (doc.changes ?? 0) + 1;
      if (change)
        await host.store(StandingChange).bulk([
          {
            update: { _id: `${id}:${changes}` },
            upsert: true,
            with: {
              $set: {
                sourceId: id,
                ...change,
                corroborated: sum(months, "corroborated"),
                contradicted: sum(months, "contradicted"),
                updatedAt: asOf,
              },
              $setOnInsert: { createdAt: asOf, createdBy: "system:verification" },
              $inc: { rev: 1 },
            },
          },
        ]);
      const unmoved = doc.changes === undefined ? { changes: { $exists: false } } : { changes: doc.changes };
      const drawnFirst = await this.#collection.claim(
        { _id: id, ...unmoved },
        {
          $set: {
            ...stored(drawn),
            since,
            asOf,
            ...(change && { changes, recorded: { letter: drawn.rating, estimate: drawn.estimate } }),
          },
        },
      );
      if (!drawnFirst) throw overtaken("record of a source", { id, rev: changes });
    });
  }
}

/** The stored name of a rating is that of release 0.1.0, so that nodes of both versions read each other's records. */
const stored = ({ rating, estimate, evidence }: Pick<ReliabilityEstimate, "rating" | "estimate" | "evidence">) => ({
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
