import { iso } from "../../../core/clock.ts";
import type { Collection, Documents } from "../../../core/documents.ts";
import type { Host } from "../../../core/endpoint.ts";
import { Claim } from "./claim.ts";
import type { Content } from "./content.ts";
import { reliability, type RecordedMonth, type Reliability } from "./reliability.ts";

/** A source's own record: how its claims fared, month by month, and the letter that follows. */
export interface SourceStanding { id: number; name: string; letter: Reliability; estimate: number; evidence: number }

/** The records of sources, one document each. */
export class SourceRecords {
  readonly #collection: Collection;

  private constructor(collection: Collection) { this.#collection = collection; }

  static async open(documents: Documents): Promise<SourceRecords> {
    return new SourceRecords(await documents.collection("verification_sources"));
  }

  /** Standings by id of those that have a record. */
  async many(ids: readonly number[]): Promise<Map<number, SourceStanding>> {
    const found = await this.#collection.findByIds([...new Set(ids)]);
    return new Map(found.map((doc) => [doc._id as number, { id: doc._id as number, name: doc["name"], letter: doc["letter"], estimate: doc["estimate"], evidence: doc["evidence"] }]));
  }

  /** Notes the names of sources, so that statistics can show them. */
  async name(sources: readonly { sourceId: number; sourceName: string }[]): Promise<void> {
    const names = new Map(sources.map(({ sourceId, sourceName }) => [sourceId, sourceName]));
    if (names.size === 0) return;
    await this.#collection.bulk([...names].map(([id, name]) => ({ update: { _id: id }, with: { $set: { name }, $setOnInsert: unknown }, upsert: true })));
  }

  /** Counts the month of an article anew and draws the letter from all months. */
  async renew(host: Host, { sourceId, sourceName, publishedAt }: Content): Promise<void> {
    const month = publishedAt.slice(0, 7);
    const claims = host.store(Claim).collection;
    const [corroborated, contradicted] = await Promise.all((["corroborated", "contradicted"] as const).map((status) => claims.count({ query: { sourceId, month, status } })));
    const doc = (await this.#collection.claim({ _id: sourceId }, { $set: { name: sourceName, [`months.${month}`]: { corroborated, contradicted } }, $setOnInsert: unknown }, { upsert: true }))!;
    const since = [doc["since"] as string | undefined, publishedAt].filter((at) => at !== undefined).sort()[0]!;
    const months = Object.entries(doc["months"] as Record<string, Omit<RecordedMonth, "month">>).map(([of, counts]) => ({ month: of, ...counts }));
    const { letter, estimate, evidence } = reliability({ months, since, asOf: iso(host.world.clock.now()) });
    await this.#collection.updateById(sourceId, { $set: { letter, estimate, evidence, since } });
  }
}

const { letter, estimate, evidence } = reliability({ months: [], since: "2000-01-01T00:00:00.000Z", asOf: "2000-01-01T00:00:00.000Z" });
/** What is assumed of a source before any of its claims was settled. */
export const unknown = { letter, estimate, evidence };
