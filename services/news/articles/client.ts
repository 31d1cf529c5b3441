import type { Host } from "../../../core/contract/endpoint.ts";
import type { SearchDocument } from "../../../core/records/reading/search.ts";
import type { Domain } from "../sources/events.ts";
import type { Article } from "./articles.ts";

export { period, refuseBackwards, withinPeriod } from "./reading/periods.ts";
export { isJudgedBeforeChange, isRejected, reportOf } from "./articles.ts";
export { groupStories, type EventArticle } from "./grouping/groups.ts";
export { regrouped, type GroupedArticle } from "./grouping/retrospective/regrouping.ts";
export { statedFigures, successions, type Counting, type Stated, type Succession } from "./grouping/successions.ts";
export { companyOf, recordPoints } from "./confidence/confidence.ts";
export { translator } from "./grouping/topics/translations.ts";
export { creditOf } from "./dedup/credit.ts";

/** The articles as other domains of the news ask them. */
const ask = <T>(host: Host, action: string, params: object = {}): Promise<T> => host.ask(`articles.${action}`, params);

export type { Article };
/** An article with its whole text. */
export type Content = Article & { text: string };
/** Those of the ids that are articles, with their texts. */
export const contentsOf = (host: Host, ids: readonly number[]): Promise<Content[]> =>
  ask(host, "many", { ids, text: true });
/** Those of the ids that are articles, without their texts. */
export const articlesOf = (host: Host, ids: readonly number[]): Promise<Article[]> => ask(host, "many", { ids });

/** The newest articles of one event, with their texts. */
export const contentsOfStory = (host: Host, storyId: string, limit: number): Promise<Content[]> =>
  ask(host, "ofStory", { storyId, limit });

/** So much of a text tells of what event it is. */
const OPENING = 1_000;
/** The ids of other stories that tell of an article's event too, most likely: what is known of it now, not when it came. */
export const kindredStories = (
  host: Host,
  { storyId, title, summary, text, publishedAt }: Content,
): Promise<string[]> => ask(host, "kindred", { storyId, title, summary, opening: text.slice(0, OPENING), publishedAt });

/**
 * What was stored after an article, which is named by when it was stored and its id; with texts, in the order of
 * storing.
 */
export const articlesArrived = (host: Host, after: { at: string; id: number; limit: number }): Promise<Content[]> =>
  ask(host, "arrived", after);
/** What was stored between two moments and is not among the known: other nodes may store late. */
export const articlesArrivedLate = (
  host: Host,
  wanted: { from: string; to: string; known: readonly number[] },
): Promise<Content[]> => ask(host, "arrivedLate", wanted);

export interface PageRequest {
  offset: number;
  limit: number;
  minConfidence?: number;
}
export const newestArticles = (host: Host, page: PageRequest): Promise<Article[]> => ask(host, "newest", page);

/** What automatic verification found out about an article, as `articles.assess` takes it. */
export interface Finding {
  id: number;
  /** Of the article that was looked at. */
  contentHash: string;
  /** 0..1 */
  score: number;
  verified: boolean | undefined;
  sources: readonly string[];
  claims: readonly { text: string; verified: boolean; status: BriefingClaim["status"] }[];
  factors: Article["factors"];
}
export const assess = (host: Host, finding: Finding): Promise<void> => ask(host, "assess", finding);
/** The same for many articles, kept in one step; throws where one of them is gone. */
export const assessEach = (host: Host, findings: readonly Finding[]): Promise<void> =>
  ask(host, "assessEach", { findings });

export interface BriefingClaim {
  text: string;
  status: "unverified" | "corroborated" | "contradicted" | "disputed";
}

export interface BriefingArticle {
  id: number;
  title: string;
  /** Plain text, whole; may be empty where the feed gave a summary only. */
  text: string;
  summary: string;
  url: string;
  sourceId: number;
  sourceName: string;
  domain: Domain;
  /** 0..1 */
  confidence: number;
  verified: boolean;
  /** ISO 8601, UTC. */
  publishedAt: string;
  /** When a change by its outlet was last seen; absent where none was. */
  changedAt?: string;
  /** Articles that tell of one event share it. */
  storyId: string;
  /** Copies of one report share it. */
  reportId?: string;
  claims?: readonly BriefingClaim[];
}

export interface BriefingWanted {
  from: string;
  to: string;
  domains?: readonly Domain[] | undefined;
  minConfidence?: number;
  sourceIds?: readonly number[] | undefined;
  limit: number;
}
/** What a briefing of a period reads, with texts: `selectForBriefing` says what that is where there is more. */
export const articlesForBriefing = (host: Host, wanted: BriefingWanted): Promise<BriefingArticle[]> =>
  ask(host, "forBriefing", wanted);

/** A record and the mark of the write that the index lacks. */
export interface Marked {
  id: number | string;
  mark: string;
}
export interface IndexBatch {
  documents: SearchDocument[];
  /** The marks of the documents, in their order, and whatever else is to be confirmed with them. */
  marks: Marked[];
  /** Articles that are gone. */
  removed: number[];
  removals: Marked[];
}
export interface Confirmed {
  marks: readonly Marked[];
  refused: readonly Marked[];
  removals: readonly Marked[];
}

/** What the index lacks, oldest first. */
export const unindexed = (host: Host, limit: number): Promise<IndexBatch> => ask(host, "unindexed", { limit });
/** Clears the marks of what the index has. */
export const markIndexed = (host: Host, confirmed: Confirmed): Promise<void> => ask(host, "indexed", confirmed);
