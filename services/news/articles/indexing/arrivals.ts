import { iso, type Clock } from "../../../../core/clock.ts";
import type { BulkWrite, Collection, Documents } from "../../../../core/records/documents.ts";
import { newId } from "../../../../core/ids.ts";
import type { Article } from "../articles.ts";

/** Articles with numbers from `first` to before `end`, stored together or about to be, that the index may not show. */
export interface Arrival {
  id: string;
  first: number;
  end: number;
  at: string;
}
/** How far an arrival is shown: up to before this number, whole, or as far as it was there. */
export type ArrivalView = number | "whole" | "again";

/** So long an arrival of which nothing is stored is left to whoever announced it. */
const AT_WORK_MS = 10_000;
/**
 * One of which some is missing is looked at again soon while that may be on its way (MongoDB stores many one after the
 * other);
 */
const SOON_MS = 1_000;
/** then after as long as it is old, and a minute at least; */
const AGAIN_MS = 60_000;
/** and no more after a day: what is missing was removed, or its writing was cut off. */
const GIVEN_UP_MS = 86_400_000;
/** Arrivals of one look: each is a batch of the intake. */
const MOST_ARRIVALS = 50;
/** Articles just stored that are kept at hand, in their first revision: the index feed asks for them next. */
const MOST_AT_HAND = 1_000;

/**
 * What new articles search has yet to show, as one small record for a whole batch. It is durable before the first
 * article of the batch is: a kill between leaves an announcement without articles, never an article without one. An
 * article that came so needs no mark of its own, and so is not written a second time when the index has it; every later
 * change of it leaves a mark.
 */
export class Arrivals {
  readonly #collection: Collection;
  readonly #clock: Clock;
  /** By their numbers, the oldest first. */
  readonly #atHand = new Map<number, Article>();

  private constructor(collection: Collection, clock: Clock) {
    this.#collection = collection;
    this.#clock = clock;
  }

  static async open(documents: Documents, clock: Clock): Promise<Arrivals> {
    return new Arrivals(await documents.collection("article_arrivals", { indexes: [{ fields: ["due"] }] }), clock);
  }

  async announce(first: number, count: number): Promise<void> {
    const at = iso(this.#clock.now());
    await this.#collection.insert({ _id: newId(), first, end: first + count, count, at, due: at });
  }

  /** Keeps articles at hand that are stored now. */
  keep(stored: readonly Article[]): void {
    for (const article of stored) this.#atHand.set(article.id, article);
    for (const oldest of this.#atHand.keys()) {
      if (this.#atHand.size <= MOST_AT_HAND) break;
      this.#atHand.delete(oldest);
    }
  }

  /** The article as it was stored, where it is at hand and this is its revision still; no second time. */
  take(id: number, rev: number): Article | undefined {
    const held = this.#atHand.get(id);
    this.#atHand.delete(id);
    return held?.rev === rev ? held : undefined;
  }

  #due() {
    return { due: { $lte: iso(this.#clock.now()) } };
  }

  /** The oldest that are due, of so many articles and one arrival at least. */
  async next(articles: number): Promise<Arrival[]> {
    if (articles <= 0) return [];
    const found = await this.#collection.find({ query: this.#due(), sort: ["due"], limit: MOST_ARRIVALS });
    let sum = 0;
    const over = found.findIndex(({ count }, at) => (sum += count) > articles && at > 0);
    return (over < 0 ? found : found.slice(0, over)).map(({ _id, first, end, at }) => ({
      id: String(_id),
      first,
      end,
      at,
    }));
  }

  /**
   * How far an arrival is shown, all of which is settled (stored, or removed since) but what these numbers lack, once
   * the stored ones before `next` are offered to the index; all of them without `next`. Undefined: as far as before.
   */
  shown({ first, end, at }: Arrival, settled: readonly number[], next = end): ArrivalView | undefined {
    const before = settled.filter((id) => id < next).length;
    if (before === 0 && (next < end || this.#clock.now() - Date.parse(at) < AT_WORK_MS)) return undefined;
    // What is missing between may still be on its way.
    if (before < next - first) return "again";
    return next === end ? "whole" : next;
  }

  /** Notes what the index shows now. */
  async confirm(all: readonly { id: string; shown: ArrivalView }[]): Promise<void> {
    if (!all.length) return;
    const found = new Map(
      (await this.#collection.findByIds(all.map(({ id }) => id))).map((arrival) => [String(arrival._id), arrival]),
    );
    const now = this.#clock.now();
    await this.#collection.bulk(
      all.flatMap(({ id, shown }): BulkWrite[] => {
        const arrival = found.get(id);
        if (!arrival) return [];
        const age = now - Date.parse(arrival["at"]);
        if (shown === "whole" || (shown === "again" && age > GIVEN_UP_MS)) return [{ remove: { _id: id } }];
        return [
          {
            update: { _id: id },
            with: {
              $set:
                shown === "again"
                  ? { due: iso(now + (age < AT_WORK_MS ? SOON_MS : Math.max(AGAIN_MS, age))) }
                  : { first: shown, count: arrival["end"] - shown },
            },
          },
        ];
      }),
    );
  }

  /** How many articles are announced and not shown, and since when. */
  async waiting(): Promise<{ waiting: number; oldest: string | undefined }> {
    const query = this.#due();
    const [[all], [first]] = await Promise.all([
      this.#collection.groups({ query, sum: { articles: "count" } }),
      this.#collection.find({ query, sort: ["due"], limit: 1, fields: ["at"] }),
    ]);
    return { waiting: all?.["articles"] ?? 0, oldest: first?.["at"] };
  }
}
