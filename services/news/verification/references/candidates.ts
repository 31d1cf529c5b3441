/** Which stored articles the claims of one article are compared with. */
import { iso } from "../../../../core/clock.ts";
import { isFunctionWord } from "../../../../core/text/words/stop-words.ts";
import { words } from "../../../../core/text/words/words.ts";
import type { Content } from "../../articles/client.ts";
import { rankedArticles, type RankedArticle } from "../../search/client.ts";
import type { Reliability } from "../../sources/events.ts";
import type { StoredClaim } from "../claims/claim.ts";
import { LONGEST_TEXT } from "../claims/detection.ts";
import type { Verifier } from "../host.ts";
import { unknown } from "../reliability/source-records.ts";
import type { Candidate } from "./cross-reference.ts";
import { creditIn, type Readings } from "./readings.ts";

const DAY_MS = 86_400_000;
/** Beside all articles about the same event. */
const MOST_CANDIDATES = 20;
/** As many as a short text has. */
const MOST_TERMS = 40;
/**
 * How well the best match of a claim's words must rank to be listed where nothing else is found in it: four in five
 * such articles were about the same (bench/results.md, "Search: right and wrong").
 */
const NEAREST = 0.72;
/** In texts of at most this many characters, all sentences are searched together, since each alone says little. */
const SHORT = 400;

/** A search query for articles about the same as a claim: any of its words, the rarest first by rank. */
function queryFor(claim: string): string {
  // "#TwoWeeks" is searched as two words; web and mail addresses say nothing.
  const plain = claim
    .replace(/\bhttps?:\/\/\S+|(?<!\S)@\w+/g, " ")
    .replace(/#(\w+)/g, (_, tag: string) => tag.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
  const spoken = words(plain)
    .map(({ text }) => text)
    .filter((word) => !isFunctionWord(word) && /^[\p{L}\p{N}]{2,}$/u.test(word));
  return [...new Set(spoken)].slice(0, MOST_TERMS).join(" | ");
}

/** The candidates of a claim, and which of them matches its words best. */
export interface Found {
  candidates: Candidate[];
  nearest: Candidate | undefined;
}

/**
 * Whether a claim has names, figures or times: without them no article about another event can confirm or contradict
 * it.
 */
const isParticular = ({ entities, quantities, dates }: StoredClaim): boolean =>
  entities.length > 0 || quantities.length > 0 || dates.length > 0;

/** The candidates of each claim. Texts and ratings are read once for all claims of the article. */
export async function candidatesOf(
  host: Verifier,
  content: Content,
  claims: readonly StoredClaim[],
  daysBack: number | null,
  readings: Readings,
  read: Map<number, Content>,
  story: readonly Content[],
): Promise<Found[]> {
  const since = daysBack === null ? {} : { from: iso(host.world.clock.now() - daysBack * DAY_MS) };
  const own = story.filter(({ publishedAt }) => !since.from || publishedAt >= since.from).map(({ id }) => id);
  const wanted: { ids: number[]; nearest: number | undefined }[] = [];
  const answering = async (q: string): Promise<RankedArticle[]> =>
    q
      ? (await rankedArticles(host, { q, ...since, limit: MOST_CANDIDATES + 1 })).filter(({ id }) => id !== content.id)
      : [];
  const ofAll = content.text.length <= SHORT && claims.length > 0 ? await answering(queryFor(content.text)) : undefined;
  for (const claim of claims) {
    const ranked = ofAll ?? (isParticular(claim) ? await answering(queryFor(claim.text)) : []);
    const [best] = ranked;
    wanted.push({
      ids: [...new Set([...ranked.map(({ id }) => id), ...own])].filter((id) => id !== content.id),
      nearest: best && best.relevance >= NEAREST ? best.id : undefined,
    });
  }
  const missing = [...new Set(wanted.flatMap(({ ids }) => ids))].filter((id) => !read.has(id));
  for (const article of await readings.articles(host, missing)) read.set(article.id, article);
  const standings = await host.sources.many([...read.values()].map(({ sourceId }) => sourceId));
  const known = new Map(
    [...read.values()].map((article) => [
      article.id,
      candidateOf(article, standings.get(article.sourceId)?.rating ?? unknown.rating),
    ]),
  );
  return wanted.map(({ ids, nearest }) => ({
    candidates: ids.flatMap((id) => known.get(id) ?? []),
    nearest: nearest === undefined ? undefined : known.get(nearest),
  }));
}

export function candidateOf(article: Content, reliability: Reliability): Candidate {
  const { id, storyId, reportId, sourceId, sourceName, title, text, publishedAt } = article;
  const opening = text.slice(0, LONGEST_TEXT);
  return {
    articleId: id,
    storyId,
    reportId,
    credit: creditIn(article),
    sourceId,
    sourceName,
    title,
    text: opening,
    publishedAt,
    reliability,
  };
}
