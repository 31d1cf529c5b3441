import { each, type Steps } from "../../../../core/work/turns.ts";
import { languageOf } from "../../../../core/text/language.ts";
import { nameTerms, terms } from "../../../../core/text/words/terms.ts";
import type { Domain } from "../../sources/events.ts";
import { byText, type BriefingSource } from "../model.ts";
import { regrouped, reportOf, type BriefingArticle } from "../../articles/client.ts";
import { partialityOf, type Partiality } from "../writing/partiality.ts";
import { sentencesOf, withoutDateline } from "../writing/sentences.ts";
import { besideGraver } from "./asides.ts";
import { continued, isAnother, namedIn, type Profile } from "./folding.ts";
import { fieldsRead } from "../topics/fields.ts";
import { Growth } from "../figures/growth.ts";
import { headlineOf, laterFigure, leadOf } from "./headlines.ts";
import { isScant } from "./texts.ts";
import { Series } from "../figures/series.ts";
import { storyTopic, type StoryTopic } from "../topics/topics.ts";
import { add, TermWeights, unit, type Vector } from "./vectors.ts";

/** A story: the articles about one event, whoever wrote them. */
export interface Story {
  /** As its first article has it, unless an older story does: see `storyIds`. */
  storyId: string;
  /** Its lead's, with the later figure where that has been replaced. */
  headline: string;
  /** What later reports give for the figure of the lead's title. */
  later?: string;
  /** The article whose title the headline is. */
  lead: BriefingArticle;
  /** The language of its words, or their script, where it is not that of most texts. */
  foreign?: string;
  domain: Domain;
  topic: StoryTopic;
  /** Oldest first. */
  articles: BriefingArticle[];
  /** One article for each text: the most credible of those that carry it. Oldest first. */
  voices: BriefingArticle[];
  /** Those voices that speak the language of most: it is told in their words. */
  native: BriefingArticle[];
  /** Which of its figures later ones replaced. */
  growth: Growth;
  /** What all voices count, in the order in which it became known. */
  series: Series;
  /** Whose words are shown as quotations. */
  isPartial: Partiality;
  /** See `independentSources`. */
  independent: number;
  /** 0..1, two decimals, before disagreement is counted. */
  confidence: number;
  /** Unit vector of what it is about. */
  centroid: Vector;
}

export type Reliability = (sourceId: number) => number | undefined;

export function reliabilityOf(
  sources: ReadonlyMap<number, BriefingSource> | Readonly<Record<number, BriefingSource>>,
): Reliability {
  return sources instanceof Map
    ? (id) => (sources as ReadonlyMap<number, BriefingSource>).get(id)?.reliability
    : (id) => (sources as Readonly<Record<number, BriefingSource>>)[id]?.reliability;
}

const LEAD_CHARACTERS = 600;

export const byAge = (a: BriefingArticle, b: BriefingArticle): number =>
  byText(a.publishedAt, b.publishedAt) || a.id - b.id;

/** What tells two events of one kind apart is who and where: two central banks decide in the same words. */
const NAME_EMPHASIS = 1.75;

interface Topic {
  words: string[];
  names: ReadonlySet<string>;
  language: string;
}

/** The title counts three times: it names the event, the body wanders. */
function topicOf(article: BriefingArticle): Topic {
  const title = terms(headlineOf(article));
  const lead = [article.summary.slice(0, LEAD_CHARACTERS), article.text.slice(0, LEAD_CHARACTERS)];
  return {
    words: [...title, ...title, ...title, ...lead.flatMap(terms)],
    names: new Set(lead.flatMap((text) => [...nameTerms(text)])),
    language: languageOf(article.text || article.summary || article.title),
  };
}

/**
 * How many sources speak for themselves: the greatest number of pairs (source, text) in which no source and no text
 * occurs twice, a maximum bipartite matching (Kuhn 1955). Ten outlets with one agency's text are one; one outlet with
 * ten texts is one.
 */
export function independentSources(
  articles: readonly { sourceId: number; storyId: string; reportId?: string }[],
): number {
  const textsOf = new Map<number, Set<string>>();
  for (const article of articles)
    textsOf.set(article.sourceId, (textsOf.get(article.sourceId) ?? new Set()).add(reportOf(article)));
  const taken = new Map<string, number>();
  const place = (source: number, tried: Set<string>): boolean => {
    for (const text of textsOf.get(source)!) {
      if (tried.has(text)) continue;
      tried.add(text);
      const holder = taken.get(text);
      if (holder === undefined || place(holder, tried)) {
        taken.set(text, source);
        return true;
      }
    }
    return false;
  };
  let count = 0;
  for (const source of textsOf.keys()) if (place(source, new Set())) count++;
  return count;
}

/**
 * The confidence of a story: the mean of its voices', each weighted by itself (a rumour beside three sound reports does
 * not discredit them), then each further independent source closes a tenth of the gap to certainty. An article's own
 * score already counts corroboration, hence the small step. Never above 0.97: nothing read is certain.
 */
export function storyConfidence(voices: readonly BriefingArticle[], independent: number): number {
  const sum = voices.reduce((all, { confidence }) => all + confidence, 0);
  const mean = sum > 0 ? voices.reduce((all, { confidence }) => all + confidence * confidence, 0) / sum : 0;
  return round2(Math.min(0.97, 1 - (1 - mean) * 0.9 ** (independent - 1)));
}
export const round2 = (value: number): number => Math.round(Math.max(0, Math.min(1, value)) * 100) / 100;

/** Of the articles with one text the one to quote: verified before credible before early. */
const mostCredible = (articles: readonly BriefingArticle[]): BriefingArticle =>
  articles.toSorted(
    (a, b) => Number(b.verified) - Number(a.verified) || b.confidence - a.confidence || byAge(a, b),
  )[0]!;

const voicesOf = (articles: readonly BriefingArticle[]): BriefingArticle[] =>
  Array.from(Map.groupBy(articles, reportOf).values(), mostCredible).sort(byAge);

const READ_SENTENCES = 6;

const sayingsOf = (article: BriefingArticle) => ({
  article,
  texts: [headlineOf(article), ...sentencesOf(article.text || article.summary, READ_SENTENCES).map(withoutDateline)],
});

/** From this confidence on one voice is enough to tell a story by. */
const SOUND = 0.4;

/** The language of more than half of the texts: who reads the briefing reads it. */
function commonLanguage(topics: Iterable<Topic>): string | undefined {
  const byLanguage = Map.groupBy(topics, ({ language }) => language);
  const all = [...byLanguage.values()].reduce((sum, { length }) => sum + length, 0);
  return [...byLanguage].find(([, { length }]) => length * 2 > all)?.[0];
}

/**
 * The voices in the language of most texts, where one of them is sound; otherwise in the language that most of them
 * speak, of equals English first, then by its code.
 */
function nativeVoices(
  voices: readonly BriefingArticle[],
  topics: ReadonlyMap<BriefingArticle, Topic>,
  common: string | undefined,
) {
  const byLanguage = Map.groupBy(voices, (voice) => topics.get(voice)!.language);
  const read = (common !== undefined && byLanguage.get(common)) || [];
  if (read.some((voice) => voice.confidence >= SOUND && !isScant(voice))) return read;
  const [first] = Array.from(byLanguage).sort(
    ([a, mine], [b, theirs]) => theirs.length - mine.length || Number(b === "en") - Number(a === "en") || byText(a, b),
  );
  return first![1];
}

/** The articles of one event, and what they are about. */
interface Event extends Profile {
  /** Oldest first. */
  all: BriefingArticle[];
  /** One article for each text. Oldest first. */
  voices: BriefingArticle[];
}

function eventOf(
  all: BriefingArticle[],
  voices: BriefingArticle[],
  topics: ReadonlyMap<BriefingArticle, Topic>,
  weights: TermWeights,
): Event {
  const sum = new Map<string, number>();
  for (const voice of voices) {
    const { words, names } = topics.get(voice)!;
    add(
      sum,
      weights.vector(words, (term) => (names.has(term) ? NAME_EMPHASIS : 1)),
    );
  }
  const sayings = voices.map(sayingsOf);
  return { all, voices, sayings, ...namedIn(all, sayings), series: new Series(sayings), centroid: unit(sum) };
}

/**
 * The articles of each event, oldest first, by what is known once all are there; none with its aftershock, by the
 * headlines of what the intake put into one story.
 */
function* eventsOf(articles: readonly BriefingArticle[]): Steps<BriefingArticle[][]> {
  const firstOf = yield* regrouped(articles);
  const eventOf = (article: BriefingArticle): string => firstOf.get(reportOf(article))!;
  const parts = Map.groupBy(articles.toSorted(byAge), (article) => `${eventOf(article)} ${article.storyId}`).values();
  const byEvent = Map.groupBy(parts, (all) => `${eventOf(all[0]!)} ${isAnother(voicesOf(all).map(headlineOf))}`);
  return [...byEvent.values()].map((all) => all.flat().sort(byAge));
}

/** A story goes by the id that its first article has from the intake; where an older one does, by its first report's. */
function storyIds(events: readonly (readonly BriefingArticle[])[]): Map<BriefingArticle, string> {
  const taken = new Set<string>();
  const firsts = events.map(([first]) => first!).sort(byAge);
  return new Map(
    firsts.map((first) => {
      const id = taken.has(first.storyId) ? reportOf(first) : first.storyId;
      taken.add(id);
      return [first, id];
    }),
  );
}

/**
 * Articles into stories: one for an event, by what is known once all reports are there (`regrouped`) or where a count
 * goes on (`continued`), one voice for a text (`reportOf`). What a story speaks of is the mean of its voices' TF-IDF
 * vectors (Salton & Buckley 1988). Time grows with the number of articles; a step is one text or one story.
 */
export function* storiesOf(
  articles: readonly BriefingArticle[],
  reliability: Reliability,
): Steps<{ stories: Story[]; weights: TermWeights }> {
  yield* fieldsRead();
  const byEvent = yield* eventsOf(articles);
  const told = byEvent.map((all) => ({ all, voices: voicesOf(all) }));
  const voices = told.flatMap((event) => event.voices);
  const topics = new Map(yield* each(voices, (voice) => [voice, topicOf(voice)] as const));
  const common = commonLanguage(topics.values());
  const weights = new TermWeights([...topics.values()].map(({ words }) => words));
  const apart = yield* each(told, (event) => eventOf(event.all, event.voices, topics, weights));
  const isPartial = yield* partialityOf(voices);
  const { roots, rivals, sequels } = continued(apart);
  yield;
  const joined = [...Map.groupBy(apart.keys(), (at) => roots[at]!).values()];
  const idOf = storyIds(joined.map((members) => members.flatMap((at) => apart[at]!.all).sort(byAge)));
  const stories: Story[] = [];
  for (const members of joined) {
    const parts = members.map((at) => apart[at]!);
    const [one] = parts as [Event];
    const {
      all,
      voices: speaking,
      sayings,
      centroid,
      ...whole
    } = parts.length === 1
      ? one
      : eventOf(
          parts.flatMap((part) => part.all).sort(byAge),
          parts.flatMap((part) => part.voices).sort(byAge),
          topics,
          weights,
        );
    const after = members.flatMap((at) => sequels[at]!.flatMap((sequel) => apart[sequel]!.sayings));
    const series = after.length > 0 ? new Series([...sayings, ...after]) : whole.series;
    const native = nativeVoices(speaking, topics, common);
    const growth = new Growth(native.length > 1 ? native.map(sayingsOf) : []);
    yield;
    const reports = new Set(native.map(reportOf));
    const copies = all.filter((article) => reports.has(reportOf(article)) && !native.includes(article));
    const others = [series, ...members.flatMap((at) => rivals[at]!.map((rival) => apart[rival]!.series))];
    const lead = leadOf({ native, copies, centroid, growth, series, others, isPartial }, weights, reliability);
    const spokenIn = (voice: BriefingArticle) => (topics.get(voice) ?? topicOf(voice)).language;
    const later = laterFigure(lead, series, isPartial(lead));
    yield;
    const topic = storyTopic(speaking, all);
    const independent = independentSources(all);
    stories.push({
      storyId: idOf.get(all[0]!)!,
      headline: headlineOf(lead) + (later === undefined ? "" : ` (later: ${later})`),
      ...(later !== undefined && { later }),
      lead,
      ...(common !== undefined && spokenIn(lead) !== common && { foreign: spokenIn(lead) }),
      domain: topic.domain,
      topic,
      articles: all,
      voices: speaking,
      native,
      growth,
      series,
      isPartial,
      independent,
      confidence: storyConfidence(speaking, independent),
      centroid,
    });
    yield;
  }
  return { stories: besideGraver(stories), weights };
}
