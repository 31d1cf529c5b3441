import { languageOf } from "../../../../core/text/language.ts";
import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../core/text/words/phrases.ts";
import { words } from "../../../../core/text/words/words.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import type { Domain } from "../../sources/events.ts";
import { SECTIONS } from "../model.ts";
import { withoutDateline } from "../writing/sentences.ts";
import { spokenOf, TOPICS, type Spoken, type Topic } from "./fields.ts";

const index = lazily(() =>
  phraseIndex<Topic | "grave" | "weighty" | "harm">({
    ...lexicon.topics.topics,
    grave: lexicon.topics.grave,
    weighty: lexicon.topics.weighty,
    harm: lexicon.topics.harm,
  }),
);

/** The title names what it is about, the beginning of the text tells it, what follows wanders. */
const TITLE_POINTS = 2.5;
const LEAD_CHARACTERS = 700;

/** Words that name a field outright count double. */
const telling = lazily(() => new Set<string>(lexicon.topics.telling));

/** What one text speaks of: points by its listed words, all words by their company, and grave and weighty ones. */
interface Reading {
  points: ReadonlyMap<Topic, number>;
  title: Spoken;
  lead: Spoken;
  language: string;
  grave: number;
  weighty: number;
  /** Words for people that were hurt or worse. */
  harm: number;
}

export function topicsOf(title: string, body: string): Reading {
  const points = new Map<Topic, number>();
  const seen = { grave: new Set<string>(), weighty: new Set<string>(), harm: new Set<string>() };
  const lead = withoutDateline(body).slice(0, LEAD_CHARACTERS);
  const language = languageOf(body || title);
  const [ofTitle, ofLead] = [title, lead].map((text, at) => {
    const spoken = words(text);
    const met = new Set<string>();
    for (const { label, term } of index().find(text, spoken)) {
      if (label === "grave" || label === "weighty" || label === "harm") seen[label].add(term);
      else if (!met.has(`${label} ${term}`))
        points.set(label, (points.get(label) ?? 0) + (at === 0 ? TITLE_POINTS : 1) * (telling().has(term) ? 2 : 1));
      met.add(`${label} ${term}`);
    }
    return spokenOf(spoken, language);
  }) as [Spoken, Spoken];
  const { grave, weighty, harm } = seen;
  return {
    points,
    title: ofTitle,
    lead: ofLead,
    language,
    grave: grave.size,
    weighty: weighty.size,
    harm: harm.size,
  };
}

export const NEWS = ["hard", "sport", "soft"] as const;
export type News = (typeof NEWS)[number];

export interface StoryTopic {
  /** The domain it is shown under, or would be if it belonged to one. */
  domain: Domain;
  /** It belongs to none of the domains. */
  elsewhere: boolean;
  /** What weighs, then a cup, or what may be soft, that nobody was harmed by, then soft news: in this order they are told. */
  news: News;
  /** Of soft news, how soft it is: what may be misjudged is told before what is not. */
  softness: number;
  /** How much hangs on it by its words: 0, or more the graver. */
  gravity: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Of what a story's topic is judged. */
export interface TopicEvidence {
  /** By topic, in the order of `TOPICS`: the share of what is said, listed points, and the share of outlets filed so. */
  said: readonly number[];
  listed: readonly number[];
  filed: readonly number[];
  /** How many different words of a text say anything, and of one in English, whose words are known best. */
  words: number;
  english: number;
  gravity: number;
  /** How many words of harm a text has. */
  harm: number;
  /** What speaks for soft news and against: see `softSigns`. */
  soft: readonly number[];
}

/** Two words that say nothing stand beside each text, so that a single one does not decide. */
const BESIDE = 2;

const saidIn = ({ title, lead }: Reading, at: number): number =>
  (TITLE_POINTS * title.shares[at]! + lead.shares[at]!) / (TITLE_POINTS * title.words + lead.words + BESIDE);

const wordsIn = ({ title, lead }: Reading): number => title.words + lead.words;

const DOMAINS = SECTIONS.map((domain) => TOPICS.indexOf(domain));
const [OTHER, SPORT, SOFT] = (["other", "sport", "soft"] as const).map((topic) => TOPICS.indexOf(topic)) as [
  number,
  number,
  number,
];

/** What is soft in the title, animals above all, and in the lead, what is of a domain, what befell somebody, how grave. */
function softSigns(readings: readonly Reading[], gravity: number): number[] {
  const share = (of: (reading: Reading) => Spoken, topics: readonly number[]): number =>
    mean(
      readings.map((reading) => {
        const { shares, words: saying } = of(reading);
        return topics.reduce((sum, at) => sum + shares[at]!, 0) / (saying + 1);
      }),
    );
  const both = (topics: readonly number[]) => share(({ title }) => title, topics) + share(({ lead }) => lead, topics);
  return [
    share(({ title }) => title, [SOFT]),
    mean(readings.map(({ title }) => title.animals / (title.words + 1))),
    share(({ lead }) => lead, [SOFT]),
    both(DOMAINS),
    both([OTHER]),
    Math.log1p(gravity),
  ];
}

/** Reads what a story's voices say, and how the outlets of its articles are filed. */
export function evidenceOf(voices: readonly BriefingArticle[], articles: readonly BriefingArticle[]): TopicEvidence {
  const readings = voices.map(({ title, summary, text }) => topicsOf(title, text || summary));
  const outlets = new Map(articles.map(({ sourceId, domain }) => [sourceId, domain]));
  const gravity = mean(readings.map(({ grave, weighty }) => Math.min(3, grave) + 0.5 * Math.min(3, weighty)));
  const said = TOPICS.map((_, at) => mean(readings.map((reading) => saidIn(reading, at))));
  const all = said.reduce((sum, share) => sum + share, 0);
  return {
    said: said.map((share) => (all > 0 ? share / all : 0)),
    listed: TOPICS.map((topic) => mean(readings.map(({ points }) => points.get(topic) ?? 0))),
    filed: TOPICS.map((topic) => mean([...outlets.values()].map((domain) => Number(domain === topic)))),
    words: mean(readings.map(wordsIn)),
    english: Math.max(0, ...readings.filter((each) => each.language === "en").map(wordsIn)),
    gravity,
    harm: mean(readings.map(({ harm }) => harm)),
    soft: softSigns(readings, gravity),
  };
}

/** Whether a story is about what was asked for, wherever its outlets are filed. */
export const isAsked = (
  { domain, elsewhere }: Pick<StoryTopic, "domain" | "elsewhere">,
  domains: readonly Domain[] = [],
): boolean => domains.length === 0 || domains.length === SECTIONS.length || (domains.includes(domain) && !elsewhere);

/** How the evidence counts; `bench/judgement/news/domains.ts` fits it to labelled events. */
export interface TopicWeights {
  said: number;
  listed: number;
  filed: number;
  /** By topic, in the order of `TOPICS`. */
  topics: readonly number[];
  /** By sign of soft news, and the threshold last. */
  soft: readonly number[];
}

/** Fewer words than this say nothing. */
const LEAST_WORDS = 4;
/** A topic nobody speaks of is not yet excluded. */
const LEAST_SAID = 0.02;

/** Of a foreign text few words are known: where those that are listed are of sport or soft news alone, filing says less. */
const isListedLight = ({ listed, english }: TopicEvidence): boolean =>
  english === 0 && listed[SPORT]! + listed[SOFT]! > 0 && listed.every((points, at) => points === 0 || isLight(at));
const isLight = (at: number): boolean => at === SPORT || at === SOFT;

/** How much speaks for each topic, in the order of `TOPICS`. */
export function topicScores(evidence: TopicEvidence, weights: TopicWeights): number[] {
  const { said, listed, filed, words: saying } = evidence;
  const filing = isListedLight(evidence) ? 0 : weights.filed;
  return said.map(
    (share, at) =>
      (saying < LEAST_WORDS ? 0 : weights.said * Math.log(share + LEAST_SAID) + weights.topics[at]!) +
      weights.listed * Math.log1p(listed[at]!) +
      filing * filed[at]!,
  );
}

/** The signs of soft news, weighed. */
export const softSum = ({ soft }: TopicEvidence, weights: TopicWeights): number =>
  soft.reduce((sum, sign, at) => sum + sign * weights.soft[at]!, weights.soft.at(-1)!);

/** Little that is hard is not soft yet: so far behind the best topic it may stand, and the farther the surer it must be. */
const NEAR_BEST = 1.5;
const BEHIND = 0.8;
/** Of fewer words only a listed one tells that it is soft: what is hard in them may be what is not known. */
const ENOUGH_WORDS = 6;

/** Above 0: soft news, and the softer the more. */
export function softness(evidence: TopicEvidence, scores: readonly number[], weights: TopicWeights): number {
  const best = Math.max(...scores);
  const behind = best - scores[SOFT]!;
  // A domain that is named outright is soft news only where that is named too.
  const isNamed = DOMAINS.some((at) => scores[at] === best && evidence.listed[at]! > 0);
  const isKnown = isNamed ? evidence.listed[SOFT]! > 0 : evidence.english >= ENOUGH_WORDS || evidence.listed[SOFT]! > 0;
  return isKnown && behind < NEAR_BEST ? softSum(evidence, weights) - BEHIND * behind : -Infinity;
}

/** A goal may be an attack, and a striker be hurt: what befell people is told with a word of harm in most texts. */
const HARMED = 0.5;

/**
 * What a story is about, by the words of its voices: those listed for a topic, and all others by the company they keep;
 * how its outlets are filed counts a little.
 */
export function storyTopic(voices: readonly BriefingArticle[], articles: readonly BriefingArticle[]): StoryTopic {
  const evidence = evidenceOf(voices, articles);
  const scores = topicScores(evidence, lexicon.topics.weights);
  // Equals are told apart by the filing of the voice that is believed most, never by their order.
  const believed = voices.toSorted((a, b) => b.confidence - a.confidence || a.id - b.id).map((each) => each.domain);
  const order = [...new Set([...believed, ...TOPICS])].map((topic) => TOPICS.indexOf(topic));
  const best = (among: readonly number[]) =>
    order.filter((at) => among.includes(at)).reduce((one, other) => (scores[other]! > scores[one]! ? other : one));
  const domain = best(DOMAINS);
  const softly = softness(evidence, scores, lexicon.topics.weights);
  const soft = softly > 0;
  const first = best([domain, OTHER, SPORT, SOFT]);
  // What may be soft by a listed word, and is not surely so, stands between.
  const isIdle = first === SPORT || (first === SOFT && evidence.listed[SOFT]! > 0);
  return {
    domain: TOPICS[domain] as Domain,
    elsewhere: soft || first !== domain,
    news: soft ? "soft" : isIdle && evidence.harm < HARMED ? "sport" : "hard",
    softness: Math.max(0, softly),
    gravity: evidence.gravity,
  };
}
