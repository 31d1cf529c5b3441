import type { ListRow } from "../../api/client.ts";

/** What several articles tell of, by its newest article. */
export interface ToldStory {
  storyId: string;
  id: number;
  title: string;
  at: string;
  sources: readonly string[];
}

/** The stories that these articles tell, each once, in the order of the articles. */
export function newestStories(articles: readonly ListRow<"GET /articles">[], most: number): ToldStory[] {
  return [...Map.groupBy(articles, ({ storyId }) => storyId)].slice(0, most).map(([storyId, all]) => {
    const { id, title, publishedAt } = all[0]!;
    return { storyId, id, title, at: publishedAt, sources: [...new Set(all.map(({ source }) => source.name))] };
  });
}
