import type { Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid, notFound, unprocessable } from "../../../../core/problem.ts";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { names } from "../../../../core/text/statements/names.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { contentsOfStory, creditOf, reportOf } from "../../../news/articles/client.ts";
import { ratingsOf, type Candidate } from "../../../news/verification/client.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { Collected, isMaterial } from "../collection/collected.ts";
import type { Asker } from "../collection/collecting.ts";

/** Something that was reported: an article, a document of the problem set, or what an OSINT source brought. */
export interface FusedReport extends Candidate {
  title: string;
  kind: "article" | "document" | "osint";
  /** Id of the article, document or item in its own domain. */
  ref: string;
  version?: number;
  /** Keys of names in it: who acts, and where. */
  actors: readonly string[];
  compartments: readonly string[];
}

/** Reports that are weighed at once, of one story, and characters of each. */
const MOST_REPORTS = 100;
const MOST_OF_STORY = 30;
const LONGEST = 20_000;
const MOST_NAMES = 40;
const FEWEST_NAMES = 2;
/** Reports of one event come within so long. */
const WITHIN_MS = 7 * 86_400_000;

const keysOf = (title: string, text: string): string[] => {
  const beginning = `${title}.\n${text.slice(0, 4_000)}`;
  const found = sentences(beginning).flatMap((one) => names(beginning, one.words).map(({ key }) => key));
  return [...new Set(found)].slice(0, MOST_NAMES);
};

/** Articles that tell these stories. */
async function articlesOfStories(host: Host, storyIds: readonly string[]): Promise<FusedReport[]> {
  const told = await Promise.all(storyIds.map((storyId) => contentsOfStory(host, storyId, MOST_OF_STORY)));
  const missing = told.findIndex((articles) => articles.length === 0);
  if (missing >= 0) throw notFound("story", storyIds[missing]!);
  const articles = told.flat();
  const known = await ratingsOf(host, [...new Set(articles.map(({ sourceId }) => sourceId))]);
  const ratings = new Map(known.map(({ id, rating }) => [id, rating]));
  return articles.map((article) => {
    const text = article.text.slice(0, LONGEST) || article.summary;
    const { id, storyId, sourceId, sourceName, title, publishedAt } = article;
    return {
      ...{
        kind: "article" as const,
        ref: String(id),
        articleId: id,
        storyId,
        sourceId,
        sourceName,
        title,
        publishedAt,
      },
      ...{ text, reportId: reportOf(article), credit: creditOf(article.text), compartments: [] },
      ...{ reliability: ratings.get(sourceId) ?? "F", actors: keysOf(title, text) },
    };
  });
}

interface DocumentRow {
  id: string;
  problemSetId: string;
  compartments: string[];
  title: string;
  status: string;
  version: number;
  createdAt: string;
}

/** Documents of the problem set, each a source of its own: whoever asks must see them. */
async function documentsAsReports(
  asker: Asker,
  problemSetId: string,
  documentIds: readonly string[],
): Promise<FusedReport[]> {
  const reports: FusedReport[] = [];
  for (const [at, documentId] of documentIds.entries()) {
    const row = await asker.call<DocumentRow>("documents.get", { documentId });
    if (row.problemSetId !== problemSetId)
      throw invalid([{ path: `documentIds.${at}`, message: "The document lies in another problem set." }]);
    if (row.status !== "ready")
      throw conflict(`The text of the document ${documentId} is not there: it is ${row.status}.`);
    const { version, title, createdAt, compartments } = row;
    const asked = { documentId, version, from: 0, to: LONGEST };
    const { text = "" } = await asker.call<{ text?: string }>("documents.texts.get", asked);
    reports.push({
      ...{ kind: "document", ref: documentId, version, title, text, publishedAt: createdAt, compartments },
      // Numbers of their own, beside those of articles and sources of the news.
      ...{ articleId: -1 - at, sourceId: -1 - at, sourceName: title },
      ...{ storyId: `document ${documentId}`, reportId: `document ${documentId}`, reliability: "F" },
      actors: keysOf(title, text),
    });
  }
  return reports;
}

/** Numbers of their own, beside those of the news and of documents. */
const FIRST_OSINT = -1_001;

/** What OSINT sources brought and was collected in the problem set, as whoever asks sees it. */
async function materialAsReports(
  host: Host,
  caller: Caller,
  problemSetId: string,
  storyIds: readonly string[],
): Promise<FusedReport[]> {
  const kept = await host.store(Collected).find(caller, { problemSetId, storyId: { $in: storyIds } });
  const found = new Map(kept.map((one) => [one.storyId, one]));
  const missing = storyIds.find((storyId) => !found.has(storyId));
  if (missing !== undefined) throw notFound("story", missing);
  const sources = [...new Set(kept.map(({ material }) => material!.sourceId))];
  return [...found.values()].map(({ storyId, title, summary: text, at: publishedAt, sources: names, ...one }, at) => ({
    ...{ kind: "osint", ref: one.material!.itemId, title, text, publishedAt, compartments: one.compartments },
    ...{ articleId: FIRST_OSINT - at, sourceId: FIRST_OSINT - sources.indexOf(one.material!.sourceId) },
    ...{ sourceName: names[0]!, storyId, reportId: storyId, reliability: one.material!.reliability },
    actors: keysOf(title, text),
  }));
}

/** Everything that is to be fused. Throws 404 for what the caller does not see, 422 for more than is weighed at once. */
export async function reportsOf(
  host: Host,
  { asker, caller }: { asker: Asker; caller: Caller },
  problemSetId: string,
  { storyIds, documentIds }: { storyIds: readonly string[]; documentIds: readonly string[] },
): Promise<FusedReport[]> {
  const documents = await documentsAsReports(asker, problemSetId, documentIds);
  const articles = await articlesOfStories(
    host,
    storyIds.filter((storyId) => !isMaterial(storyId)),
  );
  const material = await materialAsReports(host, caller, problemSetId, storyIds.filter(isMaterial));
  const all = [...articles, ...material, ...documents];
  if (all.length > MOST_REPORTS)
    throw unprocessable("TOO_MANY", `At most ${MOST_REPORTS} reports are weighed at once; these are ${all.length}.`);
  return all;
}

const common = (one: readonly string[], other: readonly string[]): number =>
  one.filter((key) => other.includes(key)).length;

/** Whether two reports tell of the same: one story, or the same actors and places within the same days. */
function isSame(one: FusedReport, other: FusedReport): boolean {
  if (one.storyId === other.storyId) return true;
  const apart = Math.abs(Date.parse(one.publishedAt) - Date.parse(other.publishedAt));
  return apart <= WITHIN_MS && common(one.actors, other.actors) >= FEWEST_NAMES;
}

/** Reports of the same, together: two groups that one report joins are one. */
export function groupsOf(reports: readonly FusedReport[]): FusedReport[][] {
  const groups: FusedReport[][] = [];
  for (const report of reports) {
    const joined = groups.filter((group) => group.some((other) => isSame(report, other)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined.flat(), report]);
  }
  return groups;
}

export const productCompartments = (given: readonly string[], reports: readonly FusedReport[]): string[] =>
  unionOfCompartments([{ compartments: given }, ...reports]);
