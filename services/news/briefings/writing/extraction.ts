import { assertionOf, supports, type Assertion } from "../stories/assertion.ts";
import { bodyOf, isScant } from "../stories/texts.ts";
import { erratumOf, retractions } from "../../../../core/text/statements/speech/errata.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import type { CitedSentence } from "../model.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { lexRank, select } from "./ranking.ts";
import { quotable, sentencesOf, standing, withoutDateline } from "./sentences.ts";
import { isOneSided, voiceWeight } from "../stories/headlines.ts";
import { givesSeveral, isBackground, latterOf, type Told } from "../figures/series.ts";
import type { Reliability, Story } from "../stories/stories.ts";
import { storyTopic } from "../topics/topics.ts";
import { isLoaded } from "./wording.ts";
import { sentenceEvidence, worth, type SentenceEvidence } from "./worth.ts";
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
/** Below this share of the best, a sentence is not worth reading. */
const FLOOR = 0.02;
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
  growth.isOutdated(text) ||
  (!isBackground(text) &&
    (series.instead(text, article.publishedAt) ?? series.outgrownBy(text, article.publishedAt)) !== undefined);

/** The tolls that took the place of a sentence's: they are told with it. */
function laterOf({ text, article, loaded }: QuotableSentence, { series }: Story): readonly Told[] {
  const later = loaded || isBackground(text) ? [] : series.allInstead(text, article.publishedAt);
  return series.goesOn(later, article.publishedAt) ? later : [];
}

const SPARE = 3;
/** How many sentences a story gets, the summary's included: what many report has more sides. */
export const statementsShown = ({ independent }: Story): number => (independent >= 4 ? 3 : independent >= 2 ? 2 : 1);

/** The sentences of a story that can be quoted, and what each tells by. */
export interface ReadSentence extends QuotableSentence {
  evidence: SentenceEvidence;
}

/**
 * Reads the sentences of a story's voices: how central each is by LexRank, biased to the headline as its topic-sensitive
 * form is (Otterbacher, Erkan & Radev 2005), and to position, standing and credibility; and what else it tells by.
 */
export function readSentences(story: Story, weights: TermWeights, reliability: Reliability): ReadSentence[] {
  const headline = weights.vector(terms(story.headline));
  const candidates = candidatesOf(story, weights);
  const ranks = lexRank(
    candidates.map(({ vector }) => vector),
    candidates.map((candidate) => prior(candidate, headline, story, reliability)),
    0.6,
  );
  return candidates.map((candidate, at) => ({
    ...candidate,
    evidence: sentenceEvidence(candidate.text, ranks[at]!, dot(candidate.vector, headline)),
  }));
}

/** How much a sentence is worth telling: what it tells, and in whose voice; what was replaced is not. */
function relevanceOf(sentence: ReadSentence, story: Story, later: readonly Told[]): number {
  const { text, article } = sentence;
  const isToll = story.series.isToll(text) || later.some(({ figure }) => figure.subject === "deaths");
  return (
    worth(sentence.evidence) *
    (isToll ? TOLL : 1) *
    (isOneSided(text) ? ONE_SIDED : 1) *
    (sentence.loaded || story.isPartial(article) ? LOADED : 1) *
    (isReplaced(sentence, story) && later.length === 0 ? OUTDATED : 1)
  );
}

/**
 * The sentences that tell a story, verbatim, most important first, chosen by what they are worth and by marginal
 * relevance, so that none repeats another. A few more than the story shows: the summary may take one, and some may be
 * quoted as sides of a disagreement.
 */
export function extractSentences(story: Story, weights: TermWeights, reliability: Reliability): Extract[] {
  const candidates = readSentences(story, weights, reliability);
  const vectors = candidates.map(({ vector }) => vector);
  const later = candidates.map((candidate) => laterOf(candidate, story));
  const values = candidates.map((candidate, at) => relevanceOf(candidate, story, later[at]!));
  const greatest = Math.max(...values);
  const relevance = values.map((value) => value / greatest);
  const asserted = memo((candidate: QuotableSentence) => assertionOf(candidate.text));
  const chosen = select(vectors, relevance, {
    most: statementsShown(story) + SPARE + 1,
    floor: FLOOR,
    known: [weights.vector(terms(story.headline))],
  });
  // What happened may be told with the later count; below a sentence that states it, others would only say it again.
  const stale = chosen.filter((index) => later[index]!.length > 0);
  const isKnown = chosen.some((index) => story.series.isToll(candidates[index]!.text));
  const withLater = isKnown ? chosen[0] : stale[0];
  const found = chosen
    .filter((index) => !stale.includes(index) || index === withLater)
    .slice(0, statementsShown(story) + SPARE)
    .map((index): Extract => {
      const candidate = candidates[index]!;
      const cites = citing(candidate, candidates, asserted);
      const since = later[index]!;
      return {
        text: candidate.text,
        cites: [...new Set([...cites, ...since.map(({ article }) => article.id)])],
        ...(since.length > 0 && { later: latterOf(since, givesSeveral(candidate.text)) }),
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
