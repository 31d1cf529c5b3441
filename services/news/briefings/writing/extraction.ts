import { assertionOf, supports, type Assertion } from "../stories/assertion.ts";
import { bodyOf } from "../stories/readings.ts";
import { terms } from "../../../../core/text/words/terms.ts";
import type { Statement } from "../model.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { lexRank, select } from "./ranking.ts";
import { quotable, sentencesOf, standing, withoutDateline } from "./sentences.ts";
import { isScant, voiceWeight } from "../stories/headlines.ts";
import type { Reliability, Story } from "../stories/stories.ts";
import { isLoaded } from "./wording.ts";
import { dot, type TermWeights, type Vector } from "../stories/vectors.ts";

/** A sentence that could be quoted, and the article it stands in. */
export interface Candidate {
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

function candidatesOf(story: Story, weights: TermWeights): Candidate[] {
  const credible = story.native.filter((voice) => voice.confidence >= RUMOUR && !isScant(voice));
  const read = (credible.length > 0 ? credible : story.native)
    .toSorted((a, b) => b.confidence - a.confidence || a.id - b.id)
    .slice(0, VOICES_READ);
  const perVoice = read.length === 1 ? 10 : 6;
  return read.flatMap((article) => {
    const quoted = sentencesOf(bodyOf(article), perVoice).map(withoutDateline);
    return quoted.flatMap((text, position): Candidate[] =>
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
/** A figure that was replaced is told only where there is nothing else. */
const OUTDATED = 0.02;

/**
 * Where the walk prefers to be: near the headline, early in the article of a voice that counts, in a sentence that is
 * understood alone.
 */
const prior = (
  { text, article, position, loaded, vector }: Candidate,
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
function citing(chosen: Candidate, all: readonly Candidate[], asserted: (candidate: Candidate) => Assertion): number[] {
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

export interface Extract extends Statement {
  vector: Vector;
  relevance: number;
}

/** How many sentences a story gets, the summary's included: what many report has more sides. */
export const statementsShown = ({ independent }: Story): number => (independent >= 4 ? 3 : independent >= 2 ? 2 : 1);

/**
 * The sentences that tell a story, verbatim, most important first: LexRank over the sentences of its voices, biased to
 * the headline as its topic-sensitive form is (Otterbacher, Erkan & Radev 2005) and to position, standing and
 * credibility, then chosen by marginal relevance so that none repeats another. One more than the story shows: the
 * summary may take one.
 */
export function extract(story: Story, weights: TermWeights, reliability: Reliability): Extract[] {
  const headline = weights.vector(terms(story.headline));
  const candidates = candidatesOf(story, weights);
  const vectors = candidates.map(({ vector }) => vector);
  const ranks = lexRank(
    vectors,
    candidates.map((candidate) => prior(candidate, headline, story, reliability)),
    0.6,
  );
  // A sentence torn from its context is central to nothing, however many others resemble it.
  const relevance = ranks.map((rank, index) => {
    const { text, article } = candidates[index]!;
    const loaded = candidates[index]!.loaded || story.isPartial(article);
    const outdated = story.growth.isOutdated(text) || story.series.instead(text, article.publishedAt) !== undefined;
    return rank * standing(text) * (loaded ? LOADED : 1) * (outdated ? OUTDATED : 1);
  });
  const asserted = memo((candidate: Candidate) => assertionOf(candidate.text));
  return select(vectors, relevance, { most: statementsShown(story) + 1, known: [headline] }).map((index): Extract => {
    const chosen = candidates[index]!;
    return {
      text: chosen.text,
      cites: citing(chosen, candidates, asserted),
      ...((chosen.loaded || story.isPartial(chosen.article)) && { spokenBy: chosen.article.sourceName }),
      vector: chosen.vector,
      relevance: relevance[index]!,
    };
  });
}

function memo<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key)!;
  };
}
