import { isNewer, type ArticleDraft } from "./drafts.ts";
import type { Article, Tombstone } from "../articles.ts";

/** What is compared of an article, or of what is left of one. */
export type Known = Pick<Article, "title" | "fingerprint"> & { publishedAt?: string | undefined };
type Alike = (draft: ArticleDraft, other: Known) => boolean;
/** Whether a draft is an item that is known, at its address or wherever it moved to. */
export interface Recognition {
  atAddress: Alike;
  moved: Alike;
}

/** What the store holds of the articles that the drafts may be. */
export interface StoredMatches {
  articles: readonly Article[];
  tombstones: readonly Tombstone[];
}

export interface IntakePlan {
  create: { draft: ArticleDraft; key: string }[];
  update: { draft: ArticleDraft; article: Article }[];
  unchanged: number;
  skipped: number;
}

const push = <T>(to: Map<string, T[]>, key: string, record: T): void => {
  const sharing = to.get(key);
  if (sharing) sharing.push(record);
  else to.set(key, [record]);
};

/** Records by their key, and by the address and the moment of publication that several may share. */
class Lookup<T extends Known> {
  readonly #byKey = new Map<string, T>();
  readonly #byUrl = new Map<string, T[]>();
  readonly #byMoment = new Map<string, T[]>();

  add(record: T, key: string, urlKey: string | undefined): T {
    this.#byKey.set(key, record);
    if (urlKey) push(this.#byUrl, urlKey, record);
    if (record.publishedAt) push(this.#byMoment, record.publishedAt, record);
    return record;
  }

  /**
   * The record that a draft is: the same key; or, under a key that is not known, the same address with nearly the same
   * words (a publisher that gives items new GUIDs). Other words at the same address are another item that links to the
   * same page. Else the one of the same moment with the same title and text: the site has moved, GUIDs and all.
   */
  find(draft: ArticleDraft, { atAddress, moved }: Recognition): T | undefined {
    return (
      this.#byKey.get(draft.key) ??
      this.#byUrl.get(draft.urlKey ?? "")?.find((record) => atAddress(draft, record)) ??
      this.#byMoment.get(draft.moment ?? "")?.find((record) => moved(draft, record))
    );
  }
}

/** Several drafts of one thing: the newest edition is it. */
class Newest<T> {
  readonly #drafts = new Map<T, ArticleDraft>();
  add(thing: T, draft: ArticleDraft): void {
    const before = this.#drafts.get(thing);
    if (!before || isNewer(draft.edition, before.edition)) this.#drafts.set(thing, draft);
  }
  get entries(): Iterable<[T, ArticleDraft]> {
    return this.#drafts;
  }
}

/** Two drafts of one batch that are one article go by the first one's key. */
interface Newcomer extends Known {
  key: string;
}

/** Decides what becomes of each draft; pure. `keep`: whether an article published then would be kept at all. */
export function plannedIntake(
  drafts: readonly ArticleDraft[],
  { articles, tombstones }: StoredMatches,
  alike: Recognition,
  keep: (publishedAt: string) => boolean,
): IntakePlan {
  const living = lookup(articles, ({ key, urlKey }) => [key, urlKey]);
  const buried = lookup(tombstones, ({ id, urlKey }) => [id, urlKey]);
  const newcomers = new Lookup<Newcomer>();
  const known = new Newest<Article>();
  const fresh = new Newest<Newcomer>();
  let skipped = 0;
  for (const draft of drafts) {
    const article = living.find(draft, alike);
    if (article) known.add(article, draft);
    else if (!keep(draft.item.publishedAt) || buried.find(draft, alike)) skipped++;
    else
      fresh.add(
        newcomers.find(draft, alike) ??
          newcomers.add(
            { key: draft.key, title: draft.item.title, fingerprint: draft.fingerprint, publishedAt: draft.moment },
            draft.key,
            draft.urlKey,
          ),
        draft,
      );
  }
  const create = [...fresh.entries].map(([{ key }, draft]) => ({ draft, key }));
  const update = [...known.entries].map(([article, draft]) => ({ article, draft })).filter(isRevision);
  return { create, update, unchanged: drafts.length - skipped - create.length - update.length, skipped };
}

/** Other words, or the same words at another address. */
const differs = (article: Article, draft: ArticleDraft): boolean =>
  draft.contentHash !== article.contentHash || (draft.urlKey !== undefined && draft.urlKey !== article.urlKey);

const isRevision = ({ article, draft }: { article: Article; draft: ArticleDraft }): boolean =>
  differs(article, draft) && isNewer(draft.edition, [article.fetchedAt, article.edition]);

function lookup<T extends Known>(
  records: readonly T[],
  keysOf: (record: T) => [string, string | undefined],
): Lookup<T> {
  const found = new Lookup<T>();
  for (const record of records) found.add(record, ...keysOf(record));
  return found;
}
