import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, NumberId, TextId, type Item } from "../../../../core/records/entity.ts";
import { names } from "../../../../core/text/statements/names.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { reportOf, type Article } from "../../../news/articles/client.ts";
import { derivedId } from "../../../../core/ids.ts";

/** Articles and names that a record keeps of one story. */
const MOST_ARTICLES = 200;
const MOST_ACTORS = 20;
const MOST_QUERIES = 20;

/** What an OSINT source brought is a story of its own. */
const MATERIAL = "osint:";
export const materialStoryId = (itemId: string): string => `${MATERIAL}${itemId}`;
export const isMaterial = (storyId: string): boolean => storyId.startsWith(MATERIAL);

/**
 * A story that was collected into a problem set: of the news, one record a story, however many articles tell it; or what
 * an OSINT source brought.
 */
export const Collected = entity("strategic-agents.collected", {
  title: "collected story",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    storyId: z.string().describe("Of the news; `osint:` and the item's id for the material of an OSINT source."),
    title: z.string(),
    summary: z.string(),
    domain: z.string(),
    at: Instant.describe("When the first of its articles was published."),
    lastAt: Instant.describe("When the newest was."),
    articles: z.array(NumberId).describe(`Those that were found, ${MOST_ARTICLES} at most.`),
    sources: z.array(z.string()).describe("Names of the sources that tell it."),
    reports: z.int().describe("Reports that are no copies of one another."),
    actors: z.array(z.string()).describe("Names in its titles and first sentences."),
    queries: z.array(z.string()).describe("What was searched when it was found."),
    material: z
      .object({
        itemId: TextId,
        sourceId: TextId,
        reliability: z.enum(["A", "B", "C", "D", "E", "F"]).describe("Admiralty code of the source."),
        url: z.string().optional(),
      })
      .optional()
      .describe("Of what an OSINT source brought; its text is the summary."),
  },
  immutable: ["problemSetId", "compartments", "storyId"],
  sort: ["at"],
  filter: ["problemSetId", "storyId"],
  barrier,
  most: {
    count: 50_000,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} collected stories in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [{ fields: ["createdBy"] }],
});
export type Collected = Item<typeof Collected>;

/** What of one story was found. */
export type Find = Pick<
  Collected,
  | "storyId"
  | "title"
  | "summary"
  | "domain"
  | "at"
  | "lastAt"
  | "articles"
  | "sources"
  | "reports"
  | "actors"
  | "material"
>;

export const collectedId = (problemSetId: string, compartments: readonly string[], storyId: string): string =>
  derivedId(`story ${storyId} collected in ${problemSetId} ${compartments.join()}`);

/** Names in a title and in the beginning of a text. */
export function actorsIn(articles: readonly { title: string; summary: string }[]): string[] {
  const counted = new Map<string, { text: string; count: number }>();
  for (const { title, summary } of articles)
    for (const text of [title, summary.slice(0, 400)])
      for (const sentence of sentences(text))
        for (const name of names(text, sentence.words)) {
          const known = counted.get(name.key);
          counted.set(name.key, { text: known?.text ?? name.text, count: (known?.count ?? 0) + 1 });
        }
  return [...counted.values()]
    .sort((one, other) => other.count - one.count)
    .slice(0, MOST_ACTORS)
    .map(({ text }) => text);
}

/** Articles as stories: the oldest of each names it. Copies of one report are one. */
export function storiesOf(articles: readonly Article[]): Find[] {
  const byStory = Map.groupBy(articles, ({ storyId }) => storyId);
  return [...byStory].map(([storyId, told]) => {
    const byAge = told.toSorted((a, b) => a.publishedAt.localeCompare(b.publishedAt) || a.id - b.id);
    const [first] = byAge as [Article, ...Article[]];
    return {
      storyId,
      title: first.title,
      summary: first.summary,
      domain: first.domain,
      at: first.publishedAt,
      lastAt: byAge.at(-1)!.publishedAt,
      articles: byAge.map(({ id }) => id).slice(0, MOST_ARTICLES),
      sources: [...new Set(byAge.map(({ sourceName }) => sourceName))],
      reports: new Set(byAge.map(reportOf)).size,
      actors: actorsIn(byAge.slice(0, 5)),
    };
  });
}

const union = <T>(one: readonly T[], other: readonly T[], most: number): T[] =>
  [...new Set([...one, ...other])].slice(0, most);

/** What more was found changes of the record; null where nothing is new. */
export function grown(before: Collected, find: Find, q: string): Partial<Collected> | null {
  const articles = union(before.articles, find.articles, MOST_ARTICLES);
  if (articles.length === before.articles.length) return null;
  return {
    articles,
    sources: union(before.sources, find.sources, MOST_ARTICLES),
    actors: union(before.actors, find.actors, MOST_ACTORS),
    queries: union(before.queries, [q], MOST_QUERIES),
    reports: Math.max(before.reports, find.reports),
    at: find.at < before.at ? find.at : before.at,
    lastAt: find.lastAt > before.lastAt ? find.lastAt : before.lastAt,
  };
}
