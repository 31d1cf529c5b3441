import { z } from "zod";
import { PersonId } from "../../../core/access/person-reference.ts";
import { entity, Instant, NumberId, type Item } from "../../../core/records/entity.ts";
import { newId } from "../../../core/ids.ts";
import { DOMAINS, Domain } from "../sources/events.ts";

/** One reason for an article's confidence; contributions add up to it. */
const Factor = z.object({ name: z.string(), contribution: z.number(), description: z.string() });

/** What a person found; it outranks every machine's finding. `contentHash`: of the text they read; older ones lack it. */
const Verdict = z.object({
  verified: z.boolean(),
  notes: z.string(),
  by: z.string(),
  at: z.string(),
  contentHash: z.string().optional(),
});

/** A claim with what became of it; `status` is missing where release 0.1.0 stored it. */
export const AssessedClaim = z.object({
  text: z.string(),
  verified: z.boolean(),
  status: z.enum(["unverified", "corroborated", "contradicted", "disputed"]).optional(),
});

/** What automatic verification found last. */
const Assessment = z.object({
  score: z.number().min(0).max(1),
  sources: z.array(z.string()),
  claims: z.array(AssessedClaim),
  at: z.string(),
});

/**
 * One article for each source and item: the same wire report from ten sources is ten articles of one `reportId`, and
 * what others tell of the event has the same `storyId`. The body lies beside it (texts.ts), because lists, counts and marks must not
 * carry it along.
 */
export const Article = entity("articles", {
  title: "article",
  id: "number",
  fields: {
    title: z.string(),
    /** Empty where the feed gives none. */
    url: z.string(),
    summary: z.string(),
    author: z.string().optional(),
    categories: z.array(z.string()),
    image: z.string().optional(),
    sourceId: NumberId,
    /** The source's name when the article was last read; kept when the source is removed. */
    sourceName: z.string(),
    domain: Domain,
    publishedAt: z.string(),
    dateInferred: z.boolean(),
    /** The event it tells of. */
    storyId: z.string(),
    /** The report it is, or is a copy of; of articles stored before events were told apart `storyId` is that. */
    reportId: z.string().optional(),
    confidence: z.number().min(0).max(1),
    factors: z.array(Factor),
    verified: z.boolean(),
    verdict: Verdict.optional(),
    assessment: Assessment.optional(),
    /** A briefing cites it: retention keeps it. */
    cited: z.boolean(),

    /** Identity, see identity.ts. */
    key: z.string(),
    urlKey: z.string().optional(),
    fingerprint: z.string(),
    contentHash: z.string(),
    /**
     * When the content that is stored was fetched, and which edition of the item it is: an older one never replaces it.
     */
    fetchedAt: z.string(),
    edition: z.string(),
    /** When its present words were first fetched, where it came under another address since. */
    wordsAt: z.string().optional(),
    /** The body that belongs to this revision, and its length in characters. */
    textId: z.string(),
    textLength: z.int(),
    /** The body is the page's, not the feed's. */
    fromPage: z.boolean(),
    /** When the page is to be fetched: at this moment or later. */
    pageDue: z.string().optional(),
    pageTries: z.int().optional(),
    /** Why the page could not be read, in words, and when that was known; absent where it was, or is still to be. */
    pageFailure: z.string().optional(),
    pageFailedAt: z.string().optional(),
    /**
     * Set by every change that search should show, unique to it; cleared by compare-and-set once the index has it.
     * Begins with its time. A new article is announced instead (arrivals.ts).
     */
    unindexed: z.string().optional(),
  },
  indexes: [
    { fields: ["key"], unique: true },
    { fields: ["urlKey"], sparse: true },
    // The filters of the list, each in the order of the default sort down to its ties; what is left of a query is
    // decided inside of the index.
    { fields: ["-publishedAt", "-_id", "sourceId", "verified", "confidence", "cited"] },
    { fields: ["domain", "-publishedAt", "-_id", "sourceId", "verified", "confidence"] },
    { fields: ["sourceId", "-publishedAt", "-_id", "verified", "confidence"] },
    { fields: ["storyId", "-publishedAt"] },
    { fields: ["-confidence", "-_id", "domain", "sourceId", "verified"] },
    { fields: ["pageDue"], sparse: true },
    { fields: ["pageFailedAt"], sparse: true },
    { fields: ["unindexed"], sparse: true },
    { fields: ["verdict.by"], sparse: true },
  ],
});
export type Article = Item<typeof Article>;
export type NewArticle = Omit<Article, "id" | "rev" | "createdAt" | "updatedAt" | "createdBy">;

/**
 * What is left of a removed article: enough to know it again when a feed still lists it. Storing it is the removal;
 * whatever a kill leaves undone after that, the index feed finishes.
 */
export const Tombstone = entity("article_tombstones", {
  title: "removed article",
  fields: {
    articleId: NumberId,
    sourceId: NumberId,
    urlKey: z.string().optional(),
    fingerprint: z.string(),
    title: z.string(),
    /** Absent of those removed before it was kept. */
    publishedAt: z.string().optional(),
    removedAt: z.string(),
    /** As an article's: search still shows it. */
    unindexed: z.string().optional(),
    /** The index was told once. */
    repeated: z.boolean().optional(),
  },
  indexes: [
    { fields: ["urlKey"], sparse: true },
    { fields: ["unindexed"], sparse: true },
    { fields: ["removedAt"] },
    { fields: ["sourceId", "publishedAt"] },
    { fields: ["articleId"] },
  ],
});
export type Tombstone = Item<typeof Tombstone>;

const DateInferred = z
  .boolean()
  .optional()
  .describe(
    "`true`: its feed gives it no date that can be; `publishedAt` is inferred, at the latest from when it was first seen. Absent elsewhere.",
  );

export const ArticleRow = z
  .object({
    id: NumberId,
    title: z.string(),
    url: z.string(),
    source: z.object({ id: NumberId, name: z.string() }),
    domain: Domain,
    summary: z.string(),
    confidence: z.number().min(0).max(1),
    verified: z.boolean(),
    publishedAt: Instant,
    dateInferred: DateInferred,
    ingestedAt: Instant,
    storyId: z.string().describe("Articles of one event, whatever their source and words, share it."),
    reportId: z.string().describe("Copies of one report share it and count as one source."),
  })
  .meta({ id: "ArticleSummary" });

export const ArticleDetail = z
  .object({
    id: NumberId,
    title: z.string(),
    url: z.string(),
    content: z.string().describe("The whole text, plain; paragraphs are separated by empty lines."),
    html: z.string().describe("The same as sanitised HTML."),
    source: z.object({ id: NumberId, name: z.string(), domain: Domain }),
    confidence: z.number().min(0).max(1),
    verified: z.boolean(),
    publishedAt: Instant,
    dateInferred: DateInferred,
    changedAt: Instant.optional().describe("When a change by its outlet was last seen; absent where none was."),
    feedTextOnly: z
      .string()
      .optional()
      .describe("Why `content` is what the feed gives, in words; absent where its page was read, or need not be."),
    storyId: z.string(),
    reportId: z.string(),
    verification: z.object({
      score: z.number().min(0).max(1),
      sources: z.array(z.string()).describe("Names of the sources that corroborate it."),
      claims: z.array(z.object({ text: z.string(), verified: z.boolean() })),
    }),
  })
  .meta({ id: "Article" });

export const ArticleVerdict = z
  .object({
    verified: z.boolean(),
    notes: z.string(),
    verifiedBy: PersonId.describe("The account that gave the verdict."),
    verifiedAt: Instant,
    confidence: z.number().min(0).max(1).describe("As it is with this verdict."),
  })
  .meta({ id: "ArticleVerdict" });

export const ArticleStats = z
  .object({
    total: z.int(),
    verified: z.int(),
    last24h: z.int(),
    byDomain: z.object(Object.fromEntries(DOMAINS.map((domain) => [domain, z.int()])) as Record<Domain, z.ZodInt>),
    isFiltered: z.boolean(),
  })
  .meta({ id: "ArticleStats" });

/** Whether the outlet changed an article after a person gave their verdict on it. */
export const isJudgedBeforeChange = ({ verdict, contentHash, fetchedAt, wordsAt = fetchedAt }: Article): boolean =>
  verdict !== undefined &&
  (verdict.contentHash === undefined ? wordsAt > verdict.at : verdict.contentHash !== contentHash);

/** Whether a person looked into it and does not stand by it: nothing may rest on it. */
export const isRejected = ({ verdict }: Pick<Article, "verdict">): boolean => verdict?.verified === false;

/** The report an article is, or is a copy of. */
export const reportOf = ({ storyId, reportId }: { storyId: string; reportId?: string | undefined }): string =>
  reportId ?? storyId;

export const rowOf = ({
  id,
  title,
  url,
  sourceId,
  sourceName,
  domain,
  summary,
  confidence,
  verified,
  publishedAt,
  dateInferred,
  createdAt,
  storyId,
  reportId = storyId,
}: Article) => ({
  id,
  title,
  url,
  source: { id: sourceId, name: sourceName },
  domain,
  summary,
  confidence,
  verified,
  publishedAt,
  ...(dateInferred && { dateInferred }),
  ingestedAt: createdAt,
  storyId,
  reportId,
});

/** When a change by its outlet was last seen. What a new article was made of was fetched before it was stored. */
export const changeOf = ({ fetchedAt, wordsAt = fetchedAt, createdAt }: Article): { changedAt?: string } =>
  wordsAt > createdAt ? { changedAt: wordsAt } : {};

/** `corroborating`: names of the other sources that tell of the event; what verification found takes their place. */
export function detailOf(article: Article, body: { text: string; html: string }, corroborating: readonly string[]) {
  const { id, title, url, sourceId, sourceName, domain, confidence, verified, storyId, assessment } = article;
  const { publishedAt, dateInferred, pageFailure: feedTextOnly } = article;
  const reportId = reportOf(article);
  return {
    id,
    title,
    url,
    content: body.text,
    html: body.html,
    source: { id: sourceId, name: sourceName, domain },
    confidence,
    verified,
    publishedAt,
    ...(dateInferred && { dateInferred }),
    ...changeOf(article),
    ...(feedTextOnly && { feedTextOnly }),
    storyId,
    reportId,
    verification: {
      score: assessment?.score ?? confidence,
      sources: [...(assessment?.sources ?? corroborating)],
      claims: (assessment?.claims ?? []).map(({ text, verified: holds }) => ({ text, verified: holds })),
    },
  };
}

/** A new mark for the index feed: sorts by its time, and no other write makes the same. */
export const newMark = (at: string): string => `${at}/${newId()}`;
/** The moment of a mark, and the largest mark of a moment. */
export const timeOfMark = (mark: string): string => mark.slice(0, mark.indexOf("/"));
export const lastMarkOf = (at: string): string => `${at}0`;
