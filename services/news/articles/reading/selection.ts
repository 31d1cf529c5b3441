import type { BriefingArticle } from "../client.ts";
import { changeOf, isJudgedBeforeChange, reportOf, type Article } from "../articles.ts";
import { unjudged } from "../confidence/scoring.ts";

/** What the choice looks at. */
export type SelectableArticle = Pick<
  Article,
  "id" | "sourceId" | "storyId" | "reportId" | "confidence" | "publishedAt"
>;

/**
 * Doubling the reports of an event counts as much as this much confidence; so does being the newest rather than the
 * oldest.
 */
const STORY_WEIGHT = 0.1;
const RECENCY_WEIGHT = 0.1;
/** So many reports of one event are read before others are; more of them tell little that is new. */
const REPORTS_READ = 12;
/** The share of the room that is kept for events read whole. */
const WHOLE = 2 / 3;

/** What is told of one event: reports in the order in which they are read, and copies of them. */
interface Told<C> {
  weight: number;
  reports: C[];
  copies: C[];
}

const newestFirst = (a: SelectableArticle, b: SelectableArticle): number =>
  Date.parse(b.publishedAt) - Date.parse(a.publishedAt) || b.id - a.id;

/** Of each source its newest report first, the most trusted source before others; then whatever else they told. */
function told<C extends SelectableArticle>(articles: readonly C[], recency: (article: C) => number): Told<C> {
  const reports = [...Map.groupBy(articles, reportOf).values()].map((copies) => copies.toSorted(newestFirst).at(-1)!);
  const sources = Map.groupBy(reports.toSorted(newestFirst), ({ sourceId }) => sourceId);
  const turn = new Map([...sources.values()].flatMap((own) => own.map((report, at) => [report, at] as const)));
  return {
    weight:
      Math.max(...reports.map((report) => report.confidence + RECENCY_WEIGHT * recency(report))) +
      STORY_WEIGHT * Math.log2(reports.length),
    reports: reports.sort((a, b) => turn.get(a)! - turn.get(b)! || b.confidence - a.confidence || newestFirst(a, b)),
    copies: articles.filter((article) => !reports.includes(article)).sort(newestFirst),
  };
}

/** How many of the first events fit whole into so much room. */
function wholeIn(events: readonly (readonly unknown[])[], room: number): number {
  let taken = 0;
  const beyond = events.findIndex((reports) => (taken += reports.length) > room);
  return beyond < 0 ? events.length : beyond;
}

/**
 * What a briefing of a period reads, where not everything can be read. Events of many, trusted and late reports are
 * read whole, so that whoever contradicts, corrects or follows up is read with whom he speaks of; of the others one
 * report each, so that they can be named; then whatever else there is room for, copies last.
 */
export function selectForBriefing<C extends SelectableArticle>(candidates: readonly C[], limit: number): C[] {
  const times = candidates.map(({ publishedAt }) => Date.parse(publishedAt));
  const first = times.reduce((least, time) => Math.min(least, time), Infinity);
  const span = times.reduce((most, time) => Math.max(most, time), first) - first || 1;
  const recency = ({ publishedAt }: C): number => (Date.parse(publishedAt) - first) / span;
  const events = [...Map.groupBy(candidates, ({ storyId }) => storyId).values()]
    .map((articles) => told(articles, recency))
    .sort((a, b) => b.weight - a.weight || newestFirst(a.reports[0]!, b.reports[0]!));
  const read = events.map(({ reports }) => reports.slice(0, REPORTS_READ));
  const whole = wholeIn(read, limit * WHOLE);
  return [
    ...read.slice(0, whole).flat(),
    ...read.slice(whole).map((reports) => reports.toSorted(newestFirst)[0]!),
    ...read.slice(whole).flatMap((reports) => reports.toSorted(newestFirst).slice(1)),
    ...events.flatMap(({ reports }) => reports.slice(REPORTS_READ)),
    ...events.flatMap(({ copies }) => copies),
  ].slice(0, limit);
}

/** An article as briefings read it: what a person verified before its outlet changed it is not verified as it is. */
export function briefingArticle(article: Article, text: string): BriefingArticle {
  const isChanged = article.verdict?.verified === true && isJudgedBeforeChange(article);
  const { id, title, summary, url, sourceId, sourceName, domain, publishedAt, storyId, reportId, assessment } = article;
  const claims = assessment?.claims.map((claim) => ({
    text: claim.text,
    status: claim.status ?? (claim.verified ? ("corroborated" as const) : ("unverified" as const)),
  }));
  return {
    id,
    title,
    text,
    summary,
    url,
    sourceId,
    sourceName,
    domain,
    confidence: isChanged ? unjudged(article) : article.confidence,
    verified: article.verified && !isChanged,
    publishedAt,
    ...changeOf(article),
    storyId,
    ...(reportId !== undefined && { reportId }),
    ...(claims?.length && { claims }),
  };
}
