import { asSystem } from "../../../core/caller.ts";
import { iso, type Clock } from "../../../core/clock.ts";
import type { BulkWrite, Query } from "../../../core/documents.ts";
import type { SearchDocument } from "../../../core/search.ts";
import type { Store } from "../../../core/store.ts";
import type { Batch, Confirmed, Marked } from "../search/index-feed.ts";
import { Article, lastMarkOf, newMark, timeOfMark, Tombstone } from "./articles.ts";
import type { Removal } from "./removal.ts";
import type { Texts } from "./texts.ts";

/** Characters of text in one batch: it is held in memory and sent in one request. */
const MOST_CHARACTERS = 4_000_000;
/** When a document that the index refused is offered again. */
const LATER_MS = 60_000;
const CALLER = asSystem("index-feed");

export const searchDocument = (article: Article, text: string): SearchDocument => {
  const { id, title, summary, url, sourceId, sourceName, domain, confidence, verified, publishedAt, storyId, rev } = article;
  return { id, title, text, summary, url, sourceId, source: sourceName, domain, confidence, verified, publishedAt, storyId, rev };
};

/** As many from the front as have that much text together, and one at least. */
export function fitting<A extends { textLength: number }>(articles: readonly A[], most = MOST_CHARACTERS): A[] {
  let sum = 0;
  const over = articles.findIndex(({ textLength }, at) => (sum += textLength) > most && at > 0);
  return over < 0 ? [...articles] : articles.slice(0, over);
}

/** The same marks together: a batch of the intake has one. */
function byMark(marked: readonly Marked[]): Map<string, Marked["id"][]> {
  const groups = new Map<string, Marked["id"][]>();
  for (const { id, mark } of marked) groups.set(mark, [...(groups.get(mark) ?? []), id]);
  return groups;
}

/** The store's side of the index feed: which articles search does not show as they are. */
export class Marks {
  readonly #articles: Store<typeof Article>;
  readonly #tombstones: Store<typeof Tombstone>;
  readonly #texts: Texts;
  readonly #removal: Removal;
  readonly #clock: Clock;

  constructor(articles: Store<typeof Article>, tombstones: Store<typeof Tombstone>, texts: Texts, removal: Removal, clock: Clock) {
    this.#articles = articles;
    this.#tombstones = tombstones;
    this.#texts = texts;
    this.#removal = removal;
    this.#clock = clock;
  }

  /** Marks later than now are put off. */
  #due(): Query {
    return { unindexed: { $gt: "", $lte: lastMarkOf(iso(this.#clock.now())) } };
  }

  /** What the index lacks, oldest first. Finishes removals that a kill cut off before it tells of them. */
  async next(limit: number): Promise<Batch> {
    const order = { sort: ["unindexed"], limit };
    const graves = await this.#tombstones.find(CALLER, this.#due(), order);
    await this.#removal.finish(graves);
    const articles = fitting(await this.#articles.find(CALLER, this.#due(), order));
    return {
      documents: await this.#documents(articles),
      marks: articles.map(({ id, unindexed }) => ({ id, mark: unindexed! })),
      removed: graves.map(({ articleId }) => articleId),
      removals: graves.map(({ id, unindexed }) => ({ id, mark: unindexed! })),
    };
  }

  /** Articles after an id, up to another, as the index has them, in the order of ids; `next` goes on, null at the end. */
  async page(after: number, limit: number, upTo = Number.MAX_SAFE_INTEGER): Promise<{ documents: SearchDocument[]; next: number | null }> {
    const found = await this.#articles.find(CALLER, { _id: { $gt: after, $lte: upTo } }, { sort: ["_id"], limit });
    const articles = fitting(found);
    const isLast = found.length < limit && articles.length === found.length;
    return { documents: await this.#documents(articles), next: isLast ? null : articles.at(-1)!.id };
  }

  /** A body that is gone was replaced by a write whose mark brings the article here again. */
  async #documents(articles: readonly Article[]): Promise<SearchDocument[]> {
    const bodies = await this.#texts.many(articles.map(({ textId }) => textId));
    return articles.map((article) => searchDocument(article, bodies.get(article.textId)?.text ?? ""));
  }

  /**
   * Takes the marks off that are still the same. A removal is told a second time a minute later: a node that was paused with an
   * older state of the article in its hands may have put it back meanwhile.
   */
  async confirm({ marks, refused, removals }: Confirmed): Promise<void> {
    const later = newMark(iso(this.#clock.now() + LATER_MS));
    const articles: BulkWrite[] = [
      ...[...byMark(marks)].map(([mark, ids]) => ({ update: { _id: { $in: ids }, unindexed: mark }, with: { $unset: { unindexed: 1 } } })),
      ...[...byMark(refused)].map(([mark, ids]) => ({ update: { _id: { $in: ids }, unindexed: mark }, with: { $set: { unindexed: later } } })),
    ];
    const graves: BulkWrite[] = [...byMark(removals)].flatMap(([mark, ids]) => [
      { update: { _id: { $in: ids }, unindexed: mark, repeated: true }, with: { $unset: { unindexed: 1, repeated: 1 } } },
      { update: { _id: { $in: ids }, unindexed: mark, repeated: null }, with: { $set: { unindexed: later, repeated: true } } },
    ]);
    await Promise.all([articles.length && this.#articles.bulk(articles), graves.length && this.#tombstones.bulk(graves)]);
  }

  async waiting(): Promise<{ stored: number; waiting: number; oldest: string | null; last: number }> {
    const query = this.#due();
    const first = { sort: ["unindexed"], limit: 1, fields: ["unindexed"] };
    const [stored, changed, removed, [newest], ...oldest] = await Promise.all([
      this.#articles.count(CALLER), this.#articles.count(CALLER, query), this.#tombstones.count(CALLER, query), this.#articles.find(CALLER, {}, { sort: ["-_id"], limit: 1, fields: ["_id"] }),
      this.#articles.find(CALLER, query, first), this.#tombstones.find(CALLER, query, first),
    ]);
    const times = oldest.flat().map(({ unindexed }) => timeOfMark(unindexed!)).sort();
    return { stored, waiting: changed + removed, oldest: times[0] ?? null, last: newest?.id ?? 0 };
  }
}
