import type { Collection, Documents } from "../../../core/documents.ts";
import { addMissing } from "./additions.ts";

/** The body of one edition of an article: never changed once it is stored. */
export interface Body { text: string; html: string }
export interface Edition extends Body { id: string }

/** Names the body of one edition: the article's key first, so that all editions of an article lie side by side. */
export const textIdOf = (key: string, edition: string): string => `${key}:${edition}`;

const NOTHING: Body = { text: "", html: "" };

/**
 * The bodies of articles. An article points at its body by `textId`, and the two change in this order: the new body is stored,
 * the article is pointed at it, the old body goes. So what an article points at is whole at every moment, and a kill leaves at
 * most a body that nobody points at, which goes with the article.
 */
export class Texts {
  readonly #collection: Collection;

  private constructor(collection: Collection) { this.#collection = collection; }

  static async open(documents: Documents): Promise<Texts> {
    return new Texts(await documents.collection("article_texts"));
  }

  /** Stores bodies before the articles that point at them. One that is there already is the same: its id tells its edition. */
  async put(editions: readonly Edition[]): Promise<void> {
    await addMissing(this.#collection, editions.map(({ id, text, html }) => ({ _id: id, text, html })));
  }

  /** Drops bodies that no article points at any more. */
  async drop(ids: readonly string[]): Promise<void> {
    if (ids.length) await this.#collection.removeMany({ _id: { $in: [...ids] } });
  }

  /** Drops every body that these articles ever had. */
  async dropAll(keys: readonly string[]): Promise<void> {
    // ";" follows ":" in ASCII: the range holds the ids that begin with the key and a colon.
    if (keys.length) await this.#collection.bulk(keys.map((key) => ({ remove: { _id: { $gte: `${key}:`, $lt: `${key};` } } })));
  }

  /** Bodies by id; one that is gone (its article was changed or removed meanwhile) is missing. */
  async many(ids: readonly string[]): Promise<Map<string, Body>> {
    if (!ids.length) return new Map();
    const found = await this.#collection.findByIds([...new Set(ids)]);
    return new Map(found.map(({ _id, text, html }) => [String(_id), { text, html }]));
  }

  /** The body of an article that `again` can read anew: its edition may have changed between the two reads. */
  async of<T extends { textId: string }>(article: T, again: () => Promise<T>): Promise<{ article: T; body: Body }> {
    for (let attempt = 1, current = article; ; attempt++, current = await again()) {
      const body = (await this.many([current.textId])).get(current.textId);
      if (body || attempt >= 3) return { article: current, body: body ?? NOTHING };
    }
  }
}
