import { asSystem } from "../../../../core/access/caller.ts";
import { iso, type Clock } from "../../../../core/clock.ts";
import type { BulkWrite, Query } from "../../../../core/records/documents.ts";
import type { SearchDocument } from "../../../../core/records/reading/search.ts";
import type { Store } from "../../../../core/records/store.ts";
import type { IndexBatch, Confirmed, Marked } from "../client.ts";
import type { Arrival, Arrivals, ArrivalView } from "./arrivals.ts";
import { Article, lastMarkOf, newMark, reportOf, timeOfMark, Tombstone } from "../articles.ts";
import type { Removal } from "../intake/removal.ts";
import type { Texts } from "../intake/texts.ts";

/** Characters of text in one batch: it is held in memory and sent in one request. */
const MOST_CHARACTERS = 4_000_000;
/** When a document that the index refused is offered again. */
export const LATER_MS = 60_000;
const CALLER = asSystem("index-feed");

export const searchDocument = (article: Article, text: string): SearchDocument => {
  const { id, title, summary, url, sourceId, sourceName, domain, confidence, verified, publishedAt, storyId, rev } =
    article;
  return {
    id,
    title,
    text,
    summary,
    url,
    sourceId,
    source: sourceName,
    domain,
    confidence,
    verified,
    publishedAt,
    storyId,
    reportId: reportOf(article),
    rev,
  };
};

/** As many from the front as have that much text together, and one at least. */
export function fitting<A extends { textLength: number }>(articles: readonly A[], most = MOST_CHARACTERS): A[] {
  let sum = 0;
  const over = articles.findIndex(({ textLength }, at) => (sum += textLength) > most && at > 0);
  return over < 0 ? [...articles] : articles.slice(0, over);
}

/** An article that was announced has no mark of its own. */
const ANNOUNCED = "";
/**
 * An arrival goes among the marks under its name, which is no article's number; its mark is how far it will be shown.
 */
const isArrival = ({ id }: Marked): boolean => typeof id === "string";
const shownOf = (mark: string): ArrivalView => (mark === "whole" || mark === "again" ? mark : Number(mark));

/** The same marks together: the articles of one change have one. */
function byMark(marked: readonly Marked[]): Map<string, Marked["id"][]> {
  const groups = new Map<string, Marked["id"][]>();
  for (const { id, mark } of marked) groups.set(mark, [...(groups.get(mark) ?? []), id]);
  return groups;
}

interface Arrived {
  arrival: Arrival;
  articles: Article[];
  settled: number[];
}

/** The store's side of the index feed: which articles search does not show as they are. */
export class Marks {
  readonly #articles: Store<typeof Article>;
  readonly #arrivals: Arrivals;
  readonly #tombstones: Store<typeof Tombstone>;
  readonly #texts: Texts;
  readonly #removal: Removal;
  readonly #clock: Clock;

  constructor(
    articles: Store<typeof Article>,
    arrivals: Arrivals,
    tombstones: Store<typeof Tombstone>,
    texts: Texts,
    removal: Removal,
    clock: Clock,
  ) {
    this.#articles = articles;
    this.#arrivals = arrivals;
    this.#tombstones = tombstones;
    this.#texts = texts;
    this.#removal = removal;
    this.#clock = clock;
  }

  /** Marks later than now are put off. */
  #due(): Query {
    return { unindexed: { $gt: "", $lte: lastMarkOf(iso(this.#clock.now())) } };
  }

  /**
   * What the index lacks, oldest first, changes and arrivals each. Finishes removals that a kill cut off before it
   * tells of them.
   */
  async next(limit: number): Promise<IndexBatch> {
    const order = { sort: ["unindexed"], limit };
    const graves = await this.#tombstones.find(CALLER, this.#due(), order);
    const removed = await this.#removal.finish(graves);
    const changed = await this.#articles.find(CALLER, this.#due(), order);
    // However many changes there are, arrivals have their share.
    const arrivals = await this.#arrived(Math.max(limit - changed.length, limit >> 1));
    const articles = fitting([...changed, ...arrivals.flatMap(({ articles: own }) => own)]);
    return {
      documents: await this.#documents(articles),
      marks: [
        ...articles.map(({ id, unindexed = ANNOUNCED }) => ({ id, mark: unindexed })),
        ...this.#shown(arrivals, articles.length - changed.length),
      ],
      removed,
      removals: graves.map(({ id, unindexed }) => ({ id, mark: unindexed! })),
    };
  }

  /** Arrivals of so many articles: what is stored of each in the order of numbers, and which were removed since. */
  async #arrived(limit: number): Promise<Arrived[]> {
    return Promise.all(
      (await this.#arrivals.next(limit)).map(async (arrival) => {
        const { first, end } = arrival;
        const articles = await this.#between(first, end);
        const stored = new Set(articles.map(({ id }) => id));
        const missing = Array.from({ length: end - first }, (_, at) => first + at).filter((id) => !stored.has(id));
        const removed = missing.length
          ? await this.#tombstones.find(CALLER, { articleId: { $in: missing } }, { fields: ["articleId"] })
          : [];
        return { arrival, articles, settled: [...stored, ...removed.map(({ articleId }) => articleId)] };
      }),
    );
  }

  /** The articles from a number to before another: those that are at hand in their revision are not read. */
  async #between(first: number, end: number): Promise<Article[]> {
    const stored = await this.#articles.find(
      CALLER,
      { _id: { $gte: first, $lt: end } },
      { sort: ["_id"], fields: ["rev"] },
    );
    const atHand = stored.map(({ id, rev }) => this.#arrivals.take(id, rev));
    const missing = stored.filter((_, at) => !atHand[at]).map(({ id }) => id);
    if (!missing.length) return atHand as Article[];
    const read = new Map((await this.#articles.many(CALLER, missing)).map((article) => [article.id, article]));
    return stored.flatMap(({ id }, at) => atHand[at] ?? read.get(id) ?? []);
  }

  /** How far each arrival will be shown, where so many of all their articles are offered to the index. */
  #shown(arrived: readonly Arrived[], offered: number): Marked[] {
    let left = Math.max(0, offered);
    return arrived.flatMap(({ arrival, articles, settled }) => {
      const shown = this.#arrivals.shown(arrival, settled, articles[left]?.id);
      left = Math.max(0, left - articles.length);
      return shown === undefined ? [] : [{ id: arrival.id, mark: String(shown) }];
    });
  }

  /**
   * Articles after an id, up to another, as the index has them, in the order of ids; `next` goes on, null at the end.
   */
  async page(
    after: number,
    limit: number,
    upTo = Number.MAX_SAFE_INTEGER,
  ): Promise<{ documents: SearchDocument[]; next: number | null }> {
    const found = await this.#articles.find(CALLER, { _id: { $gt: after, $lte: upTo } }, { sort: ["_id"], limit });
    const articles = fitting(found);
    const isLast = found.length < limit && articles.length === found.length;
    return { documents: await this.#documents(articles), next: isLast ? null : articles.at(-1)!.id };
  }

  /** A body that is gone was replaced by a write whose mark brings the article here again. */
  async #documents(articles: readonly Article[]): Promise<SearchDocument[]> {
    const texts = await this.#texts.plain(articles.map(({ textId }) => textId));
    return articles.map((article) => searchDocument(article, texts.get(article.textId) ?? ""));
  }

  /**
   * Takes the marks off that are still the same. A removal is told a second time a minute later: a node that was paused
   * with an older state of the article in its hands may have put it back meanwhile.
   */
  async confirm({ marks, refused, removals }: Confirmed): Promise<void> {
    const later = newMark(iso(this.#clock.now() + LATER_MS));
    const own = byMark(marks.filter((marked) => !isArrival(marked) && marked.mark !== ANNOUNCED));
    const articles: BulkWrite[] = [
      ...[...own].map(([mark, ids]) => ({
        update: { _id: { $in: ids }, unindexed: mark },
        with: { $unset: { unindexed: 1 as const } },
      })),
      // One that was only announced gets a mark now, unless a change gave it one meanwhile.
      ...[...byMark(refused)].map(([mark, ids]) => ({
        update: { _id: { $in: ids }, unindexed: mark === ANNOUNCED ? null : mark },
        with: { $set: { unindexed: later } },
      })),
    ];
    const graves: BulkWrite[] = [...byMark(removals)].flatMap(([mark, ids]) => [
      {
        update: { _id: { $in: ids }, unindexed: mark, repeated: true },
        with: { $unset: { unindexed: 1, repeated: 1 } },
      },
      {
        update: { _id: { $in: ids }, unindexed: mark, repeated: null },
        with: { $set: { unindexed: later, repeated: true } },
      },
    ]);
    await Promise.all([
      articles.length && this.#articles.bulk(articles),
      graves.length && this.#tombstones.bulk(graves),
    ]);
    // After the marks of those that were refused: a kill between offers all of them again.
    await this.#arrivals.confirm(
      marks.filter(isArrival).map(({ id, mark }) => ({ id: String(id), shown: shownOf(mark) })),
    );
  }

  async waiting(): Promise<{ stored: number; waiting: number; oldest: string | null; last: number }> {
    const query = this.#due();
    const first = { sort: ["unindexed"], limit: 1, fields: ["unindexed"] };
    const [arrived, stored, changed, removed, [newest], ...oldest] = await Promise.all([
      this.#arrivals.waiting(),
      this.#articles.count(CALLER),
      this.#articles.count(CALLER, query),
      this.#tombstones.count(CALLER, query),
      this.#articles.find(CALLER, {}, { sort: ["-_id"], limit: 1, fields: ["_id"] }),
      this.#articles.find(CALLER, query, first),
      this.#tombstones.find(CALLER, query, first),
    ]);
    const times = [
      ...oldest.flat().map(({ unindexed }) => timeOfMark(unindexed!)),
      ...(arrived.oldest ? [arrived.oldest] : []),
    ].sort();
    return { stored, waiting: arrived.waiting + changed + removed, oldest: times[0] ?? null, last: newest?.id ?? 0 };
  }
}
