import { plain } from "../../../../core/text/plain.ts";
import { erratumOf } from "../../../../core/text/statements/speech/errata.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import type { Partiality } from "../writing/partiality.ts";
import { isLoadedHeadline } from "../writing/wording.ts";
import type { Growth } from "../figures/growth.ts";
import { isSound, type Series, type Told } from "../figures/series.ts";
import type { Reliability } from "./stories.ts";
import { isScant } from "./texts.ts";
import { tells, titleEvidence } from "./titles.ts";
import { figuresTold } from "../figures/tolls.ts";
import type { TermWeights, Vector } from "./vectors.ts";

// " - Coastal Wire", " | Reuters": feeds append the outlet's name to the title. In plain text white space is one blank.
const SEPARATOR = / [|–—-] /g;
const LONGEST_OUTLET = 40;

/** What may be the outlet's name at the end of a title, and where it begins with its separator. */
function outletIn(title: string): { name: string; at: number } | undefined {
  for (const { index } of title.matchAll(SEPARATOR)) {
    const length = title.length - index - 3;
    const name = length >= 2 && length <= LONGEST_OUTLET ? title.slice(-length) : "";
    if (name && !/[|–—]/.test(name)) return { name, at: index };
  }
  return undefined;
}
const LABEL_PREFIX =
  /^(?:live|watch|video|opinion|analysis|exclusive|breaking|update \d*|explainer|podcast)\s*[:|–—-]\s*/i;

/** An article's title without label and outlet, otherwise as it stands; the beginning of its text where it has none. */
export function headlineOf(article: BriefingArticle): string {
  const title =
    plain(article.title) ||
    plain(article.summary || article.text)
      .slice(0, 120)
      .trim();
  const outlet = outletIn(title);
  const named =
    outlet && outlet.name.toLowerCase().includes(plain(article.sourceName).toLowerCase()) && article.sourceName !== "";
  const bare = (named ? title.slice(0, outlet.at) : title).replace(LABEL_PREFIX, "").trim();
  return bare || title;
}

const COMMENT = /^(?:opinion|analysis)(?=\s*[:|–—-])/i;

/** "Opinion" or "Analysis" where an article's title says that it is no report. */
export const commentOf = ({ title }: BriefingArticle): string | undefined => COMMENT.exec(plain(title))?.[0];

/** What is shown of a title: no comment passes for a report. */
export const asLabelled = (article: BriefingArticle, headline: string): string =>
  [commentOf(article), headline].filter(Boolean).join(": ");

/**
 * How much a voice counts in telling the story: credible, of good record, verified, and late (by `news`, 0 to 1), for
 * what came later knows more.
 */
export function voiceWeight(
  voice: BriefingArticle,
  voices: readonly BriefingArticle[],
  reliability: Reliability,
  news = 0.4,
): number {
  const lateness = voices.length < 2 ? 1 : voices.indexOf(voice) / (voices.length - 1);
  return (
    (0.4 + 0.6 * voice.confidence) *
    (0.75 + 0.5 * (reliability(voice.sourceId) ?? 0.5)) *
    (voice.verified ? 1.15 : 1) *
    (1 - news + news * lateness)
  );
}

const SCANT = 0.3;

/** A headline that takes a side stands only where every other does. */
const LOADED = 0.005;

/** How well a title tells, by its form alone: no question, no teaser, no shouting, of readable length. */
export function plainness(voice: BriefingArticle, text: string): number {
  let weight = 1;
  if (text.endsWith("?") || /^(?:why|how|what|who|when|here'?s|this is|\d+ (?:things|ways|reasons))\b/i.test(text))
    weight *= 0.5;
  if (/^(?:live|watch|video|opinion|analysis)\b/i.test(plain(voice.title))) weight *= 0.6;
  if (text.length < 25 || text.length > 110) weight *= 0.7;
  if (isLoadedHeadline(text)) weight *= LOADED;
  return weight;
}

/** Whoever denies or accuses tells their side, not the event. */
const ONE_SIDED =
  /(?:^|\P{L})(?:den(?:y|ies|ied)|reject(?:s|ed)?|dismiss(?:es|ed)?|disput(?:es?|ed)|blam(?:es?|ed)|accus(?:es?|ed)|points? at|no (?:sign|truth|evidence|truce|deal|breach|leak|agreement|accord)|not (?:us|true))(?!\p{L})/iu;
export const isOneSided = (text: string): boolean => ONE_SIDED.test(text);
const SIDE = 0.2;
/** How many people it befell, as far as known, is what the reader asks first. */
const TOLL = 12;

/** A headline with a figure that was replaced stands only where there is no other. */
const OUTDATED = 0.002;
/** With the later toll beside it, it tells what happened, where no title has that. */
const LATER = 0.9;
/** A headline that takes sides is used where no other names the event. */
const PARTIAL = 0.1;
/** Later voices give other numbers, so the figure was probably replaced. */
const OVERTAKEN = 0.01;
/** What was wrong with a report is not what happened. */
const CORRECTING = 0.01;
/** What came later knows more, but may tell of a side of it. */
const LATENESS = 0.2;
/** Another title of the same text is used where that of its most credible outlet is unsuitable. */
const COPY = 0.5;

/** Of a story, what its headline is chosen by. */
interface Titled {
  /** The voices that may give it, oldest first, and who else carries their texts. */
  native: readonly BriefingArticle[];
  copies: readonly BriefingArticle[];
  centroid: Vector;
  growth: Growth;
  series: Series;
  /** The counts of this story, and of others that have a name of its headlines in theirs. */
  others: readonly Series[];
  isPartial: Partiality;
}

/** The article whose title is nearest to what all say, told plainly and with the figures that stand. */
export function leadOf(
  { native, copies, centroid, growth, series, others, isPartial }: Titled,
  weights: TermWeights,
  reliability: Reliability,
): BriefingArticle {
  let best = native[0]!;
  let bestScore = -1;
  const titles = native.filter((voice) => !isPartial(voice)).flatMap((voice) => figuresTold(headlineOf(voice)));
  const isTitled = ({ figure }: Told): boolean =>
    titles.some(({ subject, value }) => subject === figure.subject && value === figure.value);
  for (const voice of [...native, ...copies]) {
    const text = headlineOf(voice);
    const instead = series.allInstead(text, voice.publishedAt);
    const later = instead.some(isTitled) ? undefined : instead[0];
    const isOutgrown = series.outgrownBy(text, voice.publishedAt) !== undefined;
    const isStale = instead.length > 0 || growth.isOutdated(text);
    const isTold = later ? series.goesOn([later], voice.publishedAt) : !isStale && isOutgrown;
    const current = isTold ? LATER : isStale ? OUTDATED : 1;
    const overtaken =
      current !== LATER && others.some((each) => each.isOvertaken(text, voice.publishedAt)) ? OVERTAKEN : 1;
    const isCurrent = current === 1 && overtaken === 1;
    const told = tells(
      titleEvidence({ title: text, article: voice, plainness: plainness(voice, text), isCurrent }, centroid, weights),
    );
    const weight = copies.includes(voice) ? COPY : voiceWeight(voice, native, reliability, LATENESS);
    const correcting = erratumOf(voice) === "correction" ? CORRECTING : 1;
    const fair = (isPartial(voice) ? PARTIAL : 1) * (isOneSided(text) ? SIDE : 1) * correcting;
    const isKnown = series.isToll(text);
    const toll = (isKnown && isCurrent) || later?.figure.subject === "deaths" ? TOLL : 1;
    // A flash that gives the last toll is worth its line; else little stands behind it.
    const scant = isScant(voice) && !(isKnown && isSound(voice)) ? SCANT : 1;
    const score = told * weight * scant * current * overtaken * fair * toll;
    if (score > bestScore) [best, bestScore] = [voice, score];
  }
  return best;
}

/** What later reports give for the figure of a headline; one that takes a side is quoted as it stands. */
export function laterFigure(lead: BriefingArticle, series: Series, isPartial: boolean): string | undefined {
  const text = headlineOf(lead);
  return isPartial || isLoadedHeadline(text) ? undefined : series.later(text, lead.publishedAt);
}
