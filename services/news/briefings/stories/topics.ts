import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../core/text/words/phrases.ts";
import { words } from "../../../../core/text/words/words.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import type { Domain } from "../../sources/events.ts";
import { SECTIONS } from "../model.ts";

/** What a text can be about: a domain, what lies in none (an accident, a trial), or soft news. */
export type Topic = keyof typeof lexicon.topics.topics;
const TOPICS = Object.keys(lexicon.topics.topics) as Topic[];

const index = lazily(() =>
  phraseIndex<Topic | "grave" | "weighty">({
    ...lexicon.topics.topics,
    grave: lexicon.topics.grave,
    weighty: lexicon.topics.weighty,
  }),
);

/** The title names what it is about, the beginning of the text tells it, what follows wanders. */
const TITLE_POINTS = 2.5;
const LEAD_CHARACTERS = 700;

/** Words that name a field outright count double. */
const telling = lazily(() => new Set<string>(lexicon.topics.telling));

/** What one text speaks of: points by its distinct words, and how many grave and weighty ones there are. */
interface Reading {
  points: ReadonlyMap<Topic, number>;
  grave: number;
  weighty: number;
}

export function topicsOf(title: string, body: string): Reading {
  const points = new Map<Topic, number>();
  const seen = { grave: new Set<string>(), weighty: new Set<string>() };
  for (const [text, worth] of [
    [title, TITLE_POINTS],
    [body.slice(0, LEAD_CHARACTERS), 1],
  ] as const) {
    const met = new Set<string>();
    for (const { label, term } of index().find(text, words(text))) {
      if (label === "grave" || label === "weighty") seen[label].add(term);
      else if (!met.has(`${label} ${term}`))
        points.set(label, (points.get(label) ?? 0) + worth * (telling().has(term) ? 2 : 1));
      met.add(`${label} ${term}`);
    }
  }
  return { points, grave: seen.grave.size, weighty: seen.weighty.size };
}

/** What the outlets' filing is worth beside the words of the texts, if all file it alike: less than one word. */
const FILING_POINTS = 0.8;
/** Fewer points than this for soft news, or for no domain, are a turn of phrase. */
const LEAST_POINTS = 2;

export interface StoryTopic {
  /** The domain it is shown under, or would be if it belonged to one. */
  domain: Domain;
  /** It belongs to none of the domains. */
  elsewhere: boolean;
  soft: boolean;
  /** Nothing hangs on it by its words, and it is of no domain: it stands behind what is. */
  light: boolean;
  /** How much hangs on it by its words: 0, or more the graver. */
  gravity: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/**
 * What a story is about, by the words of its voices; how its outlets are filed counts a little, and decides where the
 * words say nothing.
 */
export function storyTopic(voices: readonly BriefingArticle[], articles: readonly BriefingArticle[]): StoryTopic {
  const readings = voices.map(({ title, summary, text }) => topicsOf(title, text || summary));
  const filed = Map.groupBy(new Map(articles.map((each) => [each.sourceId, each.domain])), ([, domain]) => domain);
  const outlets = new Set(articles.map(({ sourceId }) => sourceId)).size;
  const said = new Map(
    TOPICS.map((topic) => [topic, mean(readings.map(({ points }) => points.get(topic) ?? 0))] as const),
  );
  const score = (topic: Topic): number =>
    said.get(topic)! + (FILING_POINTS * (filed.get(topic as Domain)?.length ?? 0)) / Math.max(1, outlets);
  const most = Math.max(...SECTIONS.map(score));
  const equal = SECTIONS.filter((domain) => score(domain) === most);
  // Equals are told apart by the filing of the voice that is believed most, never by their order.
  const believed = [...voices].sort((a, b) => b.confidence - a.confidence || a.id - b.id).map(({ domain }) => domain);
  const best = believed.find((domain) => equal.includes(domain)) ?? equal.at(-1)!;
  const outside = said.get("soft")! >= said.get("other")! ? "soft" : "other";
  const gravity = mean(readings.map(({ grave, weighty }) => Math.min(3, grave) + 0.5 * Math.min(3, weighty)));
  const elsewhere = said.get(outside)! >= LEAST_POINTS && said.get(outside)! > said.get(best)!;
  return {
    domain: best,
    elsewhere,
    soft: elsewhere && outside === "soft",
    light: gravity === 0 && elsewhere,
    gravity,
  };
}
