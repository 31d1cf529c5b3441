import type { BulkWrite } from "../../../../core/records/documents.ts";
import type { Article, NewArticle } from "../articles.ts";
import type { FeedDelivery, ArticleDraft } from "./drafts.ts";
import { isExcerpt } from "./pages.ts";
import { firstConfidence, hasEcho, renewed, type SourceRecord } from "../confidence/scoring.ts";
import type { Assigned } from "../dedup/stories.ts";
import { textIdOf, type Edition } from "./texts.ts";

/** What the records of one batch have in common. */
export interface Circumstances {
  source: FeedDelivery["source"];
  record: SourceRecord;
  /** ISO 8601, and in milliseconds. */
  at: string;
  now: number;
  mark: string;
}

const bodyUnder = (id: string, { item: { text, html } }: ArticleDraft): Edition => ({ id, text, html });
/** The body that the draft of a new article brings. */
export const draftEdition = ({ draft, key }: { draft: ArticleDraft; key: string }): Edition =>
  bodyUnder(textIdOf(key, draft.contentHash), draft);

/**
 * The body's id in the next revision of an article. Words that are new to it go by the revision as well: another node
 * may be about to drop a body of the same words, which the article had once.
 */
export const nextTextId = (article: Article, draft: ArticleDraft): string =>
  article.contentHash === draft.contentHash && !article.fromPage
    ? article.textId
    : textIdOf(article.key, `${draft.contentHash}.${article.rev + 1}`);
/** The body that the draft of an article's next revision brings. */
export const nextBodyOf = ({ draft, article }: { draft: ArticleDraft; article: Article }): Edition =>
  bodyUnder(nextTextId(article, draft), draft);

const wantsPage = ({ item }: ArticleDraft, source: FeedDelivery["source"]): boolean =>
  source.fullText && isExcerpt(item);

function contentOf({ item, contentHash, edition, fingerprint }: ArticleDraft) {
  const { title, url = "", summary, categories } = item;
  return {
    title,
    url,
    summary,
    categories,
    fingerprint,
    contentHash,
    fetchedAt: edition[0],
    edition: edition[1],
  };
}

/** What an item may lack. */
const furtherOf = ({ item: { author, image }, urlKey }: ArticleDraft) => ({ author, image, urlKey });

/** The record of an article that was not there before; its arrival is announced, so that it needs no mark. */
export function newArticle(
  draft: ArticleDraft,
  key: string,
  { storyId, reportId, hasEcho: echo }: Assigned,
  { source, record, at, now }: Circumstances,
): NewArticle {
  const { title, text, publishedAt, dateInferred } = draft.item,
    { author, image, urlKey } = furtherOf(draft);
  return {
    ...contentOf(draft),
    // Keys without a value would cost the store a copy in another form.
    ...(author !== undefined && { author }),
    ...(image !== undefined && { image }),
    ...(urlKey !== undefined && { urlKey }),
    key,
    sourceId: source.id,
    sourceName: source.name,
    domain: source.domain,
    publishedAt,
    dateInferred,
    storyId,
    reportId,
    ...firstConfidence({ title, text, publishedAt, dateInferred }, record, echo, now),
    verified: false,
    cited: false,
    textId: textIdOf(key, draft.contentHash),
    textLength: text.length,
    fromPage: false,
    ...(wantsPage(draft, source) && { pageDue: at }),
  };
}

/** A text that came from the page stays until the page was visited anew. */
export const keepsPage = (article: Article, draft: ArticleDraft, source: FeedDelivery["source"]): boolean =>
  article.fromPage && wantsPage(draft, source);

/** The date of first publication stays; one that was only inferred gives way to a real one. */
const dateOf = ({ publishedAt, dateInferred }: Article, { item }: ArticleDraft) =>
  dateInferred && !item.dateInferred
    ? { publishedAt: item.publishedAt, dateInferred: false }
    : { publishedAt, dateInferred };

/**
 * The write that brings an article to another edition; it holds for this revision alone. What a machine found out about
 * the old text goes with it, and a person's verdict stays; of the same text at another address all stays.
 */
export function revision(
  article: Article,
  draft: ArticleDraft,
  { source, record, at, now, mark }: Circumstances,
): BulkWrite {
  const { text, title } = draft.item;
  const date = dateOf(article, draft);
  const isAsItWas = draft.contentHash === article.contentHash;
  const scored = () => ({
    ...renewed(firstConfidence({ title, text, ...date }, record, hasEcho(article), now), article.verdict),
    verified: article.verdict?.verified ?? false,
    assessment: undefined,
  });
  const fields = {
    ...contentOf(draft),
    ...furtherOf(draft),
    ...date,
    ...(!isAsItWas && scored()),
    wordsAt: isAsItWas ? (article.wordsAt ?? article.fetchedAt) : undefined,
    sourceName: source.name,
    domain: source.domain,
    ...(!keepsPage(article, draft, source) && {
      textId: nextTextId(article, draft),
      textLength: text.length,
      fromPage: false,
    }),
    pageDue: wantsPage(draft, source) ? at : undefined,
    pageTries: undefined,
    pageFailure: undefined,
    pageFailedAt: undefined,
    unindexed: mark,
    updatedAt: at,
  };
  const given = Object.entries(fields);
  return {
    update: { _id: article.id, rev: article.rev },
    with: {
      $set: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
      $unset: Object.fromEntries(given.filter(([, value]) => value === undefined).map(([name]) => [name, 1])),
      $inc: { rev: 1 },
    },
  };
}
