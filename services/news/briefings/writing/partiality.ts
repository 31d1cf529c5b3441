import { plain } from "../../../../core/text/plain.ts";
import { each, type Steps } from "../../../../core/work/turns.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { sentencesOf } from "./sentences.ts";
import { isLoaded, isLoadedHeadline } from "./wording.ts";

/** Whether an article takes sides, by its own first lines or by those of most that its outlet has written. */
export type Partiality = (article: BriefingArticle) => boolean;

const FIRST_LINES = 3;
/** From so many articles on an outlet has a record, and from this share of loaded ones on it is known for it. */
const LEAST_ARTICLES = 3;
const OFTEN = 0.4;

/** One strong word happens to every writer. */
const takesSides = ({ title, text, summary }: BriefingArticle): boolean =>
  isLoadedHeadline(plain(title)) || sentencesOf(text || summary, FIRST_LINES).filter(isLoaded).length > 1;

/** Reads who takes sides among the articles of a briefing. A step is one article. */
export function* partialityOf(articles: readonly BriefingArticle[]): Steps<Partiality> {
  const read = yield* each(articles, (article) => (takesSides(article) ? [article] : []));
  const partial = new Set(read.flat());
  const known = new Set<number>();
  for (const [sourceId, written] of Map.groupBy(articles, (article) => article.sourceId)) {
    const loaded = written.filter((article) => partial.has(article)).length;
    if (written.length >= LEAST_ARTICLES && loaded >= OFTEN * written.length) known.add(sourceId);
  }
  return (article) => partial.has(article) || known.has(article.sourceId);
}
