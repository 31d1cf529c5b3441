import { assertionOf, supports, type Assertion } from "../stories/assertion.ts";
import { bodyOf, isScant } from "../stories/texts.ts";
import { erratumOf, retractions } from "../../../../core/text/statements/errata.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import type { CitedSentence } from "../model.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { lexRank, select } from "./ranking.ts";
import { quotable, sentencesOf, standing, withoutDateline } from "./sentences.ts";
import { isOneSided, voiceWeight } from "../stories/headlines.ts";
import { countOf, givesSeveral, GROWING, isBackground, type Told } from "../figures/series.ts";
import type { Reliability, Story } from "../stories/stories.ts";
import { storyTopic } from "../topics/topics.ts";
import { isLoaded } from "./wording.ts";
import { dot, type TermWeights, type Vector } from "../stories/vectors.ts";

/** A sentence that could be quoted, and the article it stands in. */
export interface QuotableSentence {
  text: string;
  article: BriefingArticle;
  position: number;
  /** It takes a side in its outlet's own voice. */
  loaded: boolean;
  vector: Vector;
}

const VOICES_READ = 12;
/** A story that credible reports tell is not told in the words of one below this confidence, nor in those of a post. */
const RUMOUR = 0.4;

/** How a match ended is not what a story of its injured tells, though grouping has both in one. */
function tellers({ native: all, topic }: Story): readonly BriefingArticle[] {
  const takenBack = retractions(all);
  const native = all.filter((voice) => !takenBack.has(voice));
  if (topic.news !== "hard" || native.length < 2) return native;
  const graver = native.filter((voice) => storyTopic([voice], [voice]).news !== "sport");
  return graver.length > 0 ? graver : native;
}

function candidatesOf(story: Story, weights: TermWeights): QuotableSentence[] {
  const told = tellers(story).filter((voice) => !erratumOf(voice));
  const credible = told.filter((voice) => voice.confidence >= RUMOUR && !isScant(voice));
  const read = (credible.length > 0 ? credible : told)
    .toSorted((a, b) => b.confidence - a.confidence || a.id - b.id)
    .slice(0, VOICES_READ);
  const perVoice = read.length === 1 ? 10 : 6;
  return read.flatMap((article) => {
    const quoted = sentencesOf(bodyOf(article), perVoice).map(withoutDateline);
    return quoted.flatMap((text, position): QuotableSentence[] =>
      quotable(text)
        ? [
            {
              text,
              article,
              position,
              loaded: isLoaded(text),
              vector: weights.vector(terms(text)),
            },
          ]
        : [],
    );
  });
}

/** What takes a side is quoted only where there is little else. */
const LOADED = 0.3;
/** How many it befell comes first; who denies or accuses comes after what happened. */
const TOLL = 2.2;
const ONE_SIDED = 0.6;
/** Below this share of the best that states no toll, a sentence is not worth reading. */
const FLOOR = 0.2;
/** A figure that was replaced is told only where there is nothing else. */
const OUTDATED = 0.02;

/**
 * Where the walk prefers to be: near the headline, early in the article of a voice that counts, in a sentence that is
 * understood alone.
 */
const prior = (
  { text, article, position, loaded, vector }: QuotableSentence,
  headline: Vector,
  story: Story,
  reliability: Reliability,
): number =>
  standing(text) *
  (loaded ? LOADED : 1) *
  (0.3 + dot(vector, headline)) *
  (0.2 + 0.8 / (1 + position)) *
  voiceWeight(article, story.voices, reliability);

/** Cosine from which another article says the same thing, and can be cited for it. */
const SAME_STATEMENT = 0.6;
const CITES = 3;

/** The article quoted, then others of the story that say the same, figures included; one for each source. */
function citing(
  chosen: QuotableSentence,
  all: readonly QuotableSentence[],
  asserted: (candidate: QuotableSentence) => Assertion,
): number[] {
  const cites = [chosen.article.id];
  const sources = new Set([chosen.article.sourceId]);
  for (const other of all) {
    if (cites.length === CITES) break;
    if (
      sources.has(other.article.sourceId) ||
      dot(chosen.vector, other.vector) < SAME_STATEMENT ||
      !supports(asserted(other), asserted(chosen))
    )
      continue;
    cites.push(other.article.id);
    sources.add(other.article.sourceId);
  }
  return cites;
}

export interface Extract extends CitedSentence {
  vector: Vector;
  relevance: number;
}

const isReplaced = ({ text, article }: QuotableSentence, { growth, series }: Story): boolean =>
  growth.isOutdated(text) || (!isBackground(text) && series.instead(text, article.publishedAt) !== undefined);

/** The toll that took the place of a sentence's: it is told with it where no sentence states it. */
function laterOf({ text, article, loaded }: QuotableSentence, { series }: Story): Told | undefined {
  const later = loaded || isBackground(text) ? undefined : series.instead(text, article.publishedAt);
  return later && GROWING.has(later.figure.subject) ? later : undefined;
}

/** How many sentences a story gets, the summary's included: what many report has more sides. */
export const statementsShown = ({ independent }: Story): number => (independent >= 4 ? 3 : independent >= 2 ? 2 : 1);

/**
 * The sentences that tell a story, verbatim, most important first: LexRank over the sentences of its voices, biased to
 * the headline as its topic-sensitive form is (Otterbacher, Erkan & Radev 2005) and to position, standing and
 * credibility, then chosen by marginal relevance so that none repeats another. One more than the story shows: the
 * summary may take one.
 */
export function extractSentences(story: Story, weights: TermWeights, reliability: Reliability): Extract[] {
  const headline = weights.vector(terms(story.headline));
  const candidates = candidatesOf(story, weights);
  const vectors = candidates.map(({ vector }) => vector);
  const ranks = lexRank(
    vectors,
    candidates.map((candidate) => prior(candidate, headline, story, reliability)),
    0.6,
  );
  const isKnown = candidates.some(({ text }) => story.series.isToll(text));
  const later = candidates.map((candidate) => (isKnown ? undefined : laterOf(candidate, story)));
  // A sentence torn from its context is central to nothing, however many others resemble it.
  const relevance = ranks.map((rank, index) => {
    const { text, article } = candidates[index]!;
    const loaded = candidates[index]!.loaded || story.isPartial(article);
    const outdated = isReplaced(candidates[index]!, story) && !later[index];
    const isToll = story.series.isToll(text) || later[index]?.figure.subject === "deaths";
    const telling = (isToll ? TOLL : 1) * (isOneSided(text) ? ONE_SIDED : 1);
    return rank * standing(text) * telling * (loaded ? LOADED : 1) * (outdated ? OUTDATED : 1);
  });
  const asserted = memo((candidate: QuotableSentence) => assertionOf(candidate.text));
  const [most, floor] = [statementsShown(story) + 2, FLOOR / TOLL];
  const chosen = select(vectors, relevance, { most, floor, known: [headline] });
  // One sentence of a story is told with the later count; others would say it again.
  const stale = chosen.filter((index) => later[index]);
  const found = chosen
    .filter((index) => !stale.includes(index) || index === stale[0])
    .slice(0, statementsShown(story) + 1)
    .map((index): Extract => {
      const candidate = candidates[index]!;
      const cites = citing(candidate, candidates, asserted);
      const since = later[index];
      return {
        text: candidate.text,
        cites: since && !cites.includes(since.article.id) ? [...cites, since.article.id] : cites,
        ...(since && { later: countOf(since.figure, givesSeveral(candidate.text)) }),
        ...((candidate.loaded || story.isPartial(candidate.article)) && { spokenBy: candidate.article.sourceName }),
        vector: candidate.vector,
        relevance: relevance[index]!,
      };
    });
  const erratum = erratumIn(story, weights);
  return erratum ? found.toSpliced(erratum.at, 0, erratum.extract) : found;
}

const ERRATUM_SENTENCES = 3;
const LONGEST_ERRATUM = 420;

/** The newest correction or retraction of a story in its outlet's own words: its first sentences, whole. */
function erratumIn({ native }: Story, weights: TermWeights): { at: number; extract: Extract } | undefined {
  const article = native.findLast((voice) => erratumOf(voice));
  if (!article) return undefined;
  const sentences = sentencesOf(bodyOf(article), ERRATUM_SENTENCES);
  const text = sentences.reduce((all, next) => {
    const longer = all ? `${all} ${next}` : next;
    return longer.length <= LONGEST_ERRATUM ? longer : all;
  }, "");
  if (!text) return undefined;
  return {
    // What was taken back whole is what is to be known; a part of it stands behind what happened.
    at: erratumOf(article) === "retraction" ? 0 : 1,
    extract: {
      text,
      cites: [article.id],
      spokenBy: article.sourceName,
      vector: weights.vector(terms(text)),
      relevance: 1,
    },
  };
}

function memo<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key)!;
  };
}
