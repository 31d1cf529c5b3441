import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso, type Clock } from "../../../../core/clock.ts";
import type { Store } from "../../../../core/records/store.ts";
import { Article, newMark, Tombstone } from "../articles.ts";
import { ArticleRemoved } from "../events.ts";
import type { Texts } from "./texts.ts";

/** What a removal needs to know of an article. */
export type Doomed = Pick<Article, "id" | "key" | "urlKey" | "sourceId" | "fingerprint" | "title" | "publishedAt">;
const DOOMED_FIELDS = ["key", "urlKey", "sourceId", "fingerprint", "title", "publishedAt"];

const CALLER = asSystem("removal");
const DAY_MS = 86_400_000;
const BATCH = 200;
/** Batches of one run of retention: what is left is the next one's. */
const MOST_BATCHES = 100;
/** How long an item that was removed is known again. */
const REMEMBERED_MS = 400 * DAY_MS;

/**
 * Takes articles away. The tombstone is the removal: it is stored first, with the fact that tells of it, and whoever
 * finds one whose article is still there (a kill came between) finishes the work.
 */
export class Removal {
  readonly #articles: Store<typeof Article>;
  readonly #tombstones: Store<typeof Tombstone>;
  readonly #texts: Texts;
  readonly #clock: Clock;

  constructor(articles: Store<typeof Article>, tombstones: Store<typeof Tombstone>, texts: Texts, clock: Clock) {
    this.#articles = articles;
    this.#tombstones = tombstones;
    this.#texts = texts;
    this.#clock = clock;
  }

  async remove(caller: Caller, doomed: readonly Doomed[]): Promise<void> {
    const removedAt = iso(this.#clock.now());
    const unindexed = newMark(removedAt);
    await Promise.all(doomed.map((article) => this.#bury(caller, article, { removedAt, unindexed })));
    await this.finish(doomed.map(({ id, key }) => ({ articleId: id, id: key })));
  }

  async #bury(
    caller: Caller,
    { id, key, urlKey, sourceId, fingerprint, title, publishedAt }: Doomed,
    marks: { removedAt: string; unindexed: string },
  ): Promise<void> {
    const facts = [ArticleRemoved.fact(id, { id, sourceId })];
    const grave = { id: key, articleId: id, sourceId, urlKey, fingerprint, title, publishedAt, ...marks };
    await this.#tombstones.createOnce(caller, grave, { facts });
  }

  /**
   * Takes away what tombstones say is removed; answers the numbers of those articles. By key, since a node that knew of
   * no removal may have stored such an item anew meanwhile.
   */
  async finish(graves: readonly Pick<Tombstone, "id" | "articleId">[]): Promise<number[]> {
    if (!graves.length) return [];
    const keys = graves.map(({ id }) => id);
    const there = await this.#articles.find(CALLER, { key: { $in: keys } }, { fields: ["key"] });
    const ids = [...new Set([...graves.map(({ articleId }) => articleId), ...there.map(({ id }) => id)])];
    if (there.length) await this.#articles.removeAll(CALLER, { _id: { $in: ids } });
    await this.#texts.dropAll(keys);
    return ids;
  }

  /** Removals of items that were stored anew by whoever did not know of them are to be finished, and told, again. */
  async recall(keys: readonly string[]): Promise<void> {
    const graves = await this.#tombstones.many(CALLER, keys);
    if (!graves.length) return;
    const unindexed = newMark(iso(this.#clock.now()));
    await this.#tombstones.bulk(
      graves.map(({ id }) => ({ update: { _id: id }, with: { $set: { unindexed }, $unset: { repeated: 1 } } })),
    );
  }

  /** Removes what was published before the last so many days and is cited by no briefing; answers how many. */
  async retain(days: number): Promise<number> {
    const query = { publishedAt: { $lt: iso(this.#clock.now() - days * DAY_MS) }, cited: false };
    const caller = asSystem("retention");
    let removed = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const doomed = await this.#articles.find(caller, query, {
        sort: ["publishedAt"],
        limit: BATCH,
        fields: DOOMED_FIELDS,
      });
      await this.remove(caller, doomed);
      removed += doomed.length;
      if (doomed.length < BATCH) break;
    }
    return removed;
  }

  /** Removes a source's articles that no briefing cites, telling after each batch how many it was so far. */
  async removeOf(sourceId: number, told: (removed: number) => Promise<void>): Promise<number> {
    for (let removed = 0; ;) {
      const doomed = await this.#articles.find(
        CALLER,
        { sourceId, cited: false },
        { limit: BATCH, fields: DOOMED_FIELDS },
      );
      await this.remove(CALLER, doomed);
      await told((removed += doomed.length));
      if (doomed.length < BATCH) return removed;
    }
  }

  /** Forgets removals so old that no feed lists them any more. */
  forget(): Promise<number> {
    return this.#tombstones.removeAll(
      CALLER,
      { removedAt: { $lt: iso(this.#clock.now() - REMEMBERED_MS) } },
      { by: "removedAt" },
    );
  }

  /**
   * The source is gone, and with it the feed that could list its items again. Removals that the index does not show yet
   * stay.
   */
  forgetSource(sourceId: number): Promise<number> {
    return this.#tombstones.removeAll(CALLER, { sourceId, unindexed: null });
  }
}
