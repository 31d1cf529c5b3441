import { DIFFERENT } from "../../../../core/text/statements/comparison.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { creditOf, reportOf, type BriefingArticle } from "../../articles/client.ts";
import { plain } from "../../../../core/text/plain.ts";
import { Readings, references, type Candidate, type Contradiction, type Origin } from "../../verification/client.ts";
import { withoutDateline } from "../writing/sentences.ts";

/** The beginning of an article, sentence by sentence. */
export interface Told {
  article: BriefingArticle;
  sentences: readonly string[];
}
/** A sentence of one outlet. */
export interface Saying {
  article: BriefingArticle;
  text: string;
}
/** Two sentences of one event that cannot both be true; `score` 1..100 says how sure that is. */
export interface Quarrel {
  sides: readonly [Saying, Saying];
  score: number;
  /** What is counted differently, as each side writes it; absent where no figures exclude each other. */
  figures?: readonly [string, string];
}

const AGAINST = new RegExp(`^${DIFFERENT}: (.+) against (.+)$`, "s");
const figuresOf = (reasons: readonly string[]): Pick<Quarrel, "figures"> => {
  const told = reasons.flatMap((reason) => AGAINST.exec(reason)?.slice(1) ?? []);
  return told.length > 1 ? { figures: [told[0]!, told[1]!] } : {};
};

/** What was found when the articles were verified, of those of one event. */
export function quarrelsFound(articles: readonly BriefingArticle[], found: readonly Contradiction[]): Quarrel[] {
  const byId = new Map(articles.map((article) => [article.id, article]));
  const saying = (id: number, text: string): Saying[] => {
    const article = byId.get(id);
    return article ? [{ article, text: withoutDateline(plain(text)) }] : [];
  };
  return found.flatMap(({ contentId, text, articleId, against, score, reasons }): Quarrel[] => {
    const [one, other] = [...saying(contentId, text), ...saying(articleId, against)];
    return one && other ? [{ sides: [one, other], score, ...figuresOf(reasons) }] : [];
  });
}

/**
 * Where the outlets of one event exclude each other, as verification judges it: every sentence against what the others
 * tell. A step is one sentence.
 */
export function* quarrelsOf(story: { storyId: string }, told: readonly Told[]): Steps<Quarrel[]> {
  const readings = new Readings();
  const candidates = told.map(({ article, sentences }): Candidate & Origin => ({
    articleId: article.id,
    storyId: story.storyId,
    reportId: reportOf(article),
    sourceId: article.sourceId,
    credit: creditOf(article.text),
    sourceName: article.sourceName,
    title: article.title,
    text: sentences.join("\n"),
    publishedAt: article.publishedAt,
    reliability: "F",
  }));
  const tellers = new Map(told.map((each) => [each.article.id, each]));
  const quarrels: Quarrel[] = [];
  for (const [at, { article, sentences }] of told.entries()) {
    for (const text of sentences) {
      for (const found of references(text, candidates[at]!, candidates, { readings })) {
        if (found.stance !== "contradict" || !found.independent) continue;
        const { article: teller, sentences: said } = tellers.get(found.articleId)!;
        const other = { article: teller, text: found.evidence.text };
        // Pieces of a text that are read as one sentence when they stand together ("![", "x]") are no quotation.
        if (!said.some((sentence) => sentence.includes(other.text))) continue;
        quarrels.push({ sides: [{ article, text }, other], score: found.score, ...figuresOf(found.reasons) });
      }
      yield;
    }
  }
  return quarrels.sort((a, b) => b.score - a.score);
}
