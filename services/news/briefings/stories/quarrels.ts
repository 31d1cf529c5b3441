import { DIFFERENT } from "../../../../core/text/statements/comparison.ts";
import { sha256 } from "../../../../core/ids.ts";
import { RecentTexts } from "../../../../core/text/words/remembered.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { creditOf, reportOf, type BriefingArticle } from "../../articles/client.ts";
import { plain } from "../../../../core/text/plain.ts";
import { Readings, referring, type Candidate, type Contradiction, type Origin } from "../../verification/client.ts";
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
/** The figures that reasons name, in the order of the sides. */
export const figuresOf = (reasons: readonly string[]): Pick<Quarrel, "figures"> => {
  const told = reasons.flatMap((reason) => AGAINST.exec(reason)?.slice(1) ?? []);
  return told.length > 1 ? { figures: [told[0]!, told[1]!] } : {};
};

/** What was found when the articles were verified, of those that were read. */
export function quarrelsFound(byId: ReadonlyMap<number, BriefingArticle>, found: readonly Contradiction[]): Quarrel[] {
  const saying = (id: number, text: string): Saying[] => {
    const article = byId.get(id);
    return article ? [{ article, text: withoutDateline(plain(text)) }] : [];
  };
  return found.flatMap(({ contentId, text, articleId, against, score, reasons }): Quarrel[] => {
    const [one, other] = [...saying(contentId, text), ...saying(articleId, against)];
    return one && other ? [{ sides: [one, other], score, ...figuresOf(reasons) }] : [];
  });
}

/** A quarrel by the places of its articles among those read. */
interface Found extends Omit<Quarrel, "sides"> {
  sides: readonly [at: number, text: string][];
}

const KEY_CHARACTERS = 64;
const MOST_EVENTS = 4_000;
/** An event whose reports have not changed is not judged again for the next reader. */
const recent = new RecentTexts<readonly Found[]>(KEY_CHARACTERS * MOST_EVENTS);

/**
 * Where the outlets of one event exclude each other, as verification judges it: every sentence against what the others
 * tell. A step is one sentence against one report.
 */
export function* quarrelsOf(told: readonly Told[]): Steps<Quarrel[]> {
  const candidates = told.map(({ article, sentences }): Candidate & Origin => ({
    articleId: article.id,
    storyId: ONE_EVENT,
    reportId: reportOf(article),
    sourceId: article.sourceId,
    credit: creditOf(article.text),
    sourceName: article.sourceName,
    title: article.title,
    text: sentences.join("\n"),
    publishedAt: article.publishedAt,
    reliability: "F",
  }));
  const key = sha256(JSON.stringify(candidates));
  const found = recent.known(key) ?? recent.keep(key, yield* judged(candidates, told));
  return found.map(({ sides, ...quarrel }) => {
    const [one, other] = sides.map(([at, text]): Saying => ({ article: told[at]!.article, text }));
    return { ...quarrel, sides: [one!, other!] };
  });
}
const ONE_EVENT = "one event";

/** The surest first. */
function* judged(candidates: readonly (Candidate & Origin)[], told: readonly Told[]): Steps<Found[]> {
  const readings = new Readings();
  const placeOf = new Map(told.map(({ article }, at) => [article.id, at]));
  const quarrels: Found[] = [];
  for (const [at, { sentences }] of told.entries()) {
    for (const text of sentences) {
      for (const found of yield* referring(text, candidates[at]!, candidates, { readings })) {
        if (found.stance !== "contradict" || !found.independent) continue;
        const teller = placeOf.get(found.articleId)!;
        const said = found.evidence.text;
        // Pieces of a text that are read as one sentence when they stand together ("![", "x]") are no quotation.
        if (!told[teller]!.sentences.some((sentence) => sentence.includes(said))) continue;
        const sides: Found["sides"] = [
          [at, text],
          [teller, said],
        ];
        quarrels.push({ sides, score: found.score, ...figuresOf(found.reasons) });
      }
      yield;
    }
  }
  return quarrels.sort((a, b) => b.score - a.score);
}
