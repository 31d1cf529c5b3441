import { iso } from "../../../../core/clock.ts";
import type { Collection, Documents, Query } from "../../../../core/records/documents.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { overtaken } from "../../../../core/problem.ts";
import type { Content } from "../../articles/client.ts";
import {
  countClaims,
  drawn,
  monthsOf,
  standingOf,
  stored,
  sum,
  unknown,
  type SourceDoc,
  type SourceStanding,
} from "./drawing.ts";
import type { SourceRecord } from "./reliability.ts";
import { StandingChange } from "./history.ts";

export { unknown } from "./drawing.ts";

const DAY_MS = 86_400_000;
const PAGE = 200;

/** The records of sources, one document each. */
export class SourceRecords {
  readonly collection: Collection;

  private constructor(collection: Collection) {
    this.collection = collection;
  }

  static async open(documents: Documents): Promise<SourceRecords> {
    return new SourceRecords(
      await documents.collection("verification_sources", { indexes: [{ fields: ["asOf"], sparse: true }] }),
    );
  }

  /** The ratings of those ids that have a record. */
  async many(ids: readonly number[]): Promise<Map<number, SourceStanding>> {
    const found = (await this.collection.findByIds([...new Set(ids)])) as SourceDoc[];
    return new Map(found.map((doc) => [doc._id as number, standingOf(doc)]));
  }

  /** The whole record of one source, and its counts; null where none of its claims was checked. */
  async one(
    id: number,
  ): Promise<{ name: string; record: SourceRecord; corroborated: number; contradicted: number } | null> {
    const doc = (await this.collection.findById(id)) as SourceDoc | null;
    if (!doc?.asOf) return null;
    const months = monthsOf(doc);
    return {
      name: doc.name,
      record: { months, since: doc.since!, asOf: doc.asOf },
      corroborated: sum(months, "corroborated"),
      contradicted: sum(months, "contradicted"),
    };
  }

  /** Stores the names of sources, so that statistics can show them. */
  async name(sources: readonly { sourceId: number; sourceName: string }[]): Promise<void> {
    const names = new Map(sources.map(({ sourceId, sourceName }) => [sourceId, sourceName]));
    if (names.size === 0) return;
    await this.collection.bulk(
      [...names].map(([id, name]) => ({
        update: { _id: id },
        with: { $set: { name }, $setOnInsert: stored(unknown) },
        upsert: true,
      })),
    );
  }

  /** Recounts the month of an article and recomputes the rating from all months. */
  async renew(host: Host, { sourceId, sourceName, publishedAt }: Content): Promise<void> {
    const month = publishedAt.slice(0, 7);
    const counts = await countClaims(host, sourceId, month);
    await this.collection.claim(
      { _id: sourceId },
      {
        $set: { name: sourceName, [`months.${month}`]: counts },
        $setOnInsert: stored(unknown),
      },
      { upsert: true },
    );
    await this.#draw(host, sourceId, publishedAt);
  }

  /** Recomputes ratings that are more than a day old: old claims lose weight with time. Answers how many. */
  async age(host: Host): Promise<number> {
    const before = iso(host.world.clock.now() - DAY_MS);
    for (let aged = 0; ;) {
      const due = await this.collection.find({
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
   * Stores the rating, and its history entry if it moved. The entry is written first, under its coming number: a kill
   * between the two leaves an entry that the next computation writes again.
   */
  #draw(host: Host, id: number, publishedAt?: string): Promise<void> {
    return retryOnConflict(async () => {
      const doc = (await this.collection.findById(id)) as SourceDoc;
      const { $set, entry } = drawn(doc, iso(host.world.clock.now()), publishedAt);
      if (entry) await host.store(StandingChange).bulk([entry]);
      const drawnFirst = await this.collection.claim({ _id: id, ...unmoved(doc) }, { $set });
      if (!drawnFirst) throw overtaken("record of a source", { id, rev: (doc.changes ?? 0) + 1 });
    });
  }
}

const unmoved = ({ changes }: SourceDoc): Query =>
  changes === undefined ? { changes: { $exists: false } } : { changes };
