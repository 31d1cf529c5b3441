import { htmlOf } from "../../../../adapters/feeds/html/plain-text.ts";
import type { Collection, Documents } from "../../../../core/records/documents.ts";

/** The body of one edition of an article: never changed once it is stored. */
export interface Body {
  text: string;
  html: string;
}
export interface Edition extends Body {
  id: string;
}

/** Names the body of one edition: the article's key first, so that all editions of an article lie side by side. */
export const textIdOf = (key: string, edition: string): string => `${key}:${edition}`;

const NOTHING: Body = { text: "", html: "" };
/** Characters of texts just stored or read that are kept at hand: the index feed and verification ask for them next. */
const AT_HAND = 4_000_000;

/** HTML that only sets the text in paragraphs is not stored: it follows from the text. */
const stored = ({ id, text, html }: Edition) => ({ _id: id, text, html: html === htmlOf(text) ? "" : html });

/**
 * The bodies of articles. An article points at its body by `textId`, and the two change in this order: the new body is
 * stored, the article is pointed at it, the old body goes. So what an article points at is whole at every moment, and a
 * kill leaves at most a body that nobody points at, which goes with the article.
 */
export class Texts {
  readonly #collection: Collection;
  /** A text never changes under its id, the oldest first. */
  readonly #atHand = new Map<string, string>();
  #characters = 0;

  private constructor(collection: Collection) {
    this.#collection = collection;
  }

  static async open(documents: Documents): Promise<Texts> {
    return new Texts(await documents.collection("article_texts"));
  }

  /**
   * Stores bodies before the articles that point at them. One that is there already is the same: its id tells its
   * edition.
   */
  async put(editions: readonly Edition[]): Promise<void> {
    if (!editions.length) return;
    await this.#collection.bulk(editions.map((edition) => ({ insert: stored(edition) })));
    for (const { id, text } of editions) this.#keep(id, text);
  }

  #keep(id: string, text: string): void {
    if (this.#atHand.has(id)) return;
    this.#atHand.set(id, text);
    this.#characters += text.length;
    for (const [oldest, { length }] of this.#atHand) {
      if (this.#characters <= AT_HAND) break;
      this.#atHand.delete(oldest);
      this.#characters -= length;
    }
  }

  /** Drops bodies that no article points at any more. */
  async drop(ids: readonly string[]): Promise<void> {
    if (ids.length) await this.#collection.removeMany({ _id: { $in: [...ids] } });
  }

  /** Drops every body that these articles ever had. */
  async dropAll(keys: readonly string[]): Promise<void> {
    // ";" follows ":" in ASCII: the range holds the ids that begin with the key and a colon.
    if (keys.length)
      await this.#collection.bulk(keys.map((key) => ({ remove: { _id: { $gte: `${key}:`, $lt: `${key};` } } })));
  }

  /** Bodies by id; one that is gone (its article was changed or removed meanwhile) is missing. */
  async many(ids: readonly string[]): Promise<Map<string, Body>> {
    if (!ids.length) return new Map();
    const found = await this.#collection.findByIds([...new Set(ids)]);
    return new Map(found.map(({ _id, text, html }) => [String(_id), { text, html: html || htmlOf(text) }]));
  }

  /**
   * Plain texts by id, for who reads many. One that was dropped a moment ago may be among them: it is the text of the
   * article as it was read.
   */
  async plain(ids: readonly string[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for (const id of ids) if (this.#atHand.has(id)) texts.set(id, this.#atHand.get(id)!);
    const missing = [...new Set(ids)].filter((id) => !texts.has(id));
    if (!missing.length) return texts;
    for (const { _id, text } of await this.#collection.find({ query: { _id: { $in: missing } }, fields: ["text"] })) {
      texts.set(String(_id), text);
      this.#keep(String(_id), text);
    }
    return texts;
  }

  /** The body of an article that `again` can read anew: its edition may have changed between the two reads. */
  async of<T extends { textId: string }>(article: T, again: () => Promise<T>): Promise<{ article: T; body: Body }> {
    for (let attempt = 1, current = article; ; attempt++, current = await again()) {
      const body = (await this.many([current.textId])).get(current.textId);
      if (body || attempt >= 3) return { article: current, body: body ?? NOTHING };
    }
  }
}
