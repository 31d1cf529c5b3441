import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { BulkWrite, Doc, Query } from "../../../../core/records/documents.ts";
import type { Content } from "../../articles/client.ts";
import {
  countClaims,
  drawn,
  standingOf,
  stored,
  unknown,
  type Counts,
  type SourceDoc,
  type SourceStanding,
} from "./drawing.ts";
import { StandingChange } from "./history.ts";
import type { SourceRecords } from "./source-records.ts";

/** Claims of the articles, as stored and as they will be. */
interface Found {
  readonly changes: { was: Iterable<Doc>; now: Iterable<Doc> };
}

/** What the record of a source was drawn from shows in these: whoever draws it anew moves one of them. */
const DRAWN = ["changes", "asOf", "estimate", "evidence"] as const;
const asItWas = (doc: SourceDoc): Query =>
  Object.fromEntries(DRAWN.map((field) => [field, doc[field] ?? { $exists: false }]));

/**
 * The records of sources as they will be after the results of a few articles are stored: each article counts for the
 * next.
 */
export class StagedSources implements Pick<SourceRecords, "many" | "name" | "renew"> {
  readonly #records: SourceRecords;
  readonly #host: Host;
  readonly #found: Found;
  readonly #was = new Map<number, SourceDoc | null>();
  readonly #now = new Map<number, SourceDoc>();
  readonly #entries: BulkWrite[] = [];
  readonly #counted = new Map<string, Counts>();
  readonly #renewed = new Map<string, Content>();

  constructor(records: SourceRecords, host: Host, found: Found) {
    this.#records = records;
    this.#host = host;
    this.#found = found;
  }

  async #load(ids: readonly number[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#was.has(id));
    if (missing.length === 0) return;
    for (const id of missing) this.#was.set(id, null);
    for (const doc of (await this.#records.collection.findByIds(missing)) as SourceDoc[]) {
      this.#was.set(doc._id as number, doc);
      this.#now.set(doc._id as number, doc);
    }
  }

  async many(ids: readonly number[]): Promise<Map<number, SourceStanding>> {
    await this.#load(ids);
    return new Map(
      [...new Set(ids)].flatMap((id) => (this.#now.has(id) ? [[id, standingOf(this.#now.get(id)!)]] : [])),
    );
  }

  async name(sources: readonly { sourceId: number; sourceName: string }[]): Promise<void> {
    await this.#load(sources.map(({ sourceId }) => sourceId));
    for (const { sourceId, sourceName } of sources) this.#named(sourceId, sourceName);
  }

  #named(id: number, name: string): SourceDoc {
    const before = this.#now.get(id);
    const doc = before?.name === name ? before : { ...(before ?? { _id: id, ...stored(unknown) }), name };
    this.#now.set(id, doc as SourceDoc);
    return doc as SourceDoc;
  }

  async renew(host: Host, content: Content): Promise<void> {
    const { sourceId, sourceName, publishedAt } = content;
    const month = publishedAt.slice(0, 7);
    await this.#load([sourceId]);
    const counts = await this.#count(sourceId, month);
    const doc = this.#named(sourceId, sourceName);
    const renewed = { ...doc, months: { ...doc.months, [month]: counts } };
    const { $set, entry } = drawn(renewed, iso(host.world.clock.now()), publishedAt);
    if (entry) this.#entries.push(entry);
    this.#now.set(sourceId, { ...renewed, ...$set });
    this.#renewed.set(`${sourceId}/${month}`, content);
  }

  /** Settled claims of a month: the stored ones, with the changes of the current articles. */
  async #count(sourceId: number, month: string): Promise<Counts> {
    const key = `${sourceId}/${month}`;
    if (!this.#counted.has(key)) this.#counted.set(key, await countClaims(this.#host, sourceId, month));
    const counts = { ...this.#counted.get(key)! };
    const { was, now } = this.#found.changes;
    const add = (claims: Iterable<Doc>, each: number) => {
      for (const { sourceId: of, month: at, status } of claims)
        if (of === sourceId && at === month && status in counts) counts[status as keyof Counts] += each;
    };
    add(was, -1);
    add(now, 1);
    return counts;
  }

  /** Stores them; a record that another node changed meanwhile is recounted and recomputed. */
  async keep(): Promise<void> {
    const changed = [...this.#now].filter(([id, doc]) => this.#was.get(id) !== doc);
    const writes = changed.map(([id, doc]): BulkWrite => {
      const was = this.#was.get(id);
      if (!was) return { insert: doc };
      const $set = Object.fromEntries(
        Object.entries(doc).filter(([field, value]) => was[field] !== value && field !== "months"),
      );
      const months = Object.entries(doc.months ?? {}).filter(([month, counts]) => was.months?.[month] !== counts);
      for (const [month, counts] of months) $set[`months.${month}`] = counts;
      return { update: { _id: id, ...asItWas(was) }, with: { $set } };
    });
    const [, stored] = await Promise.all([
      this.#entries.length ? this.#host.store(StandingChange).bulk(this.#entries) : undefined,
      writes.length ? this.#records.collection.bulk(writes) : undefined,
    ]);
    const overtakenBy = new Set(changed.flatMap(([id], at) => (stored!.counts[at]! > 0 ? [] : [id])));
    for (const content of this.#renewed.values())
      if (overtakenBy.has(content.sourceId)) await this.#records.renew(this.#host, content);
  }
}
