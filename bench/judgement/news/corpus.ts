import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Domain } from "../../../services/news/sources/events.ts";

/**
 * The labelled corpus: made-up articles of made-up outlets on events that never happened (`corpus/*.txt`). In a file:
 *
 * - `# event | domains | hard, soft, rumour or routine | its half`; `none` among the domains: any section will do;
 * - `contradict: keys` whose values exclude each other; `supersede: key values`, oldest first;
 * - `## outlet | -hours:minutes before the moment of reading | title`; an event may go on in another file;
 * - `@post`, `@rumour`, `@loaded words`, `@copy n keep=paragraphs at=place dateline=PLACE`: of the event's nth article;
 * - `~old=>new` changes words of a copy; `{key:value …}` behind a sentence says what it states.
 *
 * `dense/*.txt` are of the same form.
 */
export interface Outlet {
  name: string;
  language: string;
  /** What its source is filed under. */
  domain: Domain;
}

export const OUTLETS: Record<string, Outlet> = {
  wire: { name: "Coastline Wire", language: "en", domain: "geopolitics" },
  union: { name: "Union Press", language: "en", domain: "geopolitics" },
  courier: { name: "Hartfield Courier", language: "en", domain: "geopolitics" },
  observer: { name: "Northern Observer", language: "en", domain: "geopolitics" },
  tribune: { name: "Island Tribune", language: "en", domain: "geopolitics" },
  ledger: { name: "Global Ledger", language: "en", domain: "economics" },
  blast: { name: "Daily Blast", language: "en", domain: "geopolitics" },
  nation: { name: "Free Nation Voice", language: "en", domain: "geopolitics" },
  gazette: { name: "Ministry of Information Gazette", language: "en", domain: "geopolitics" },
  street: { name: "Street Posts", language: "en", domain: "geopolitics" },
  signal: { name: "Circuit Report", language: "en", domain: "technology" },
  frontier: { name: "Frontier Security Review", language: "en", domain: "security" },
  health: { name: "Ward & Clinic", language: "en", domain: "health" },
  grid: { name: "Grid and Fuel", language: "en", domain: "energy" },
  green: { name: "Green Dispatch", language: "en", domain: "environment" },
  lumen: { name: "Lumen Letters", language: "en", domain: "science" },
  abend: { name: "Abendkurier", language: "de", domain: "geopolitics" },
  phare: { name: "Le Phare du Soir", language: "fr", domain: "geopolitics" },
  faro: { name: "El Faro del Sur", language: "es", domain: "geopolitics" },
  corriere: { name: "Corriere di Lucera", language: "it", domain: "geopolitics" },
  manara: { name: "المنارة", language: "ar", domain: "geopolitics" },
  vestnik: { name: "Северный вестник", language: "ru", domain: "geopolitics" },
  cais: { name: "O Cais", language: "pt", domain: "geopolitics" },
  tribuna: { name: "Tribuna da Ribeira", language: "pt", domain: "geopolitics" },
  provincia: { name: "La Provincia Nueva", language: "es", domain: "geopolitics" },
  matin: { name: "Le Matin de Valmont", language: "fr", domain: "geopolitics" },
  bote: { name: "Oberlaufer Bote", language: "de", domain: "geopolitics" },
};

/** The moment of reading, a Sunday: "on Saturday" in the texts is the day before. */
export const NOW = Date.parse("2026-11-22T12:00:00Z");

/** Sets that were written beside the rules; and of strangers, each by another who had seen none (CONTRIBUTING.md). */
const OF_HOUSE = ["tune", "held", "kept", "second", "reserve", "fresh", "unseen"] as const;
export const STRANGERS = [
  "blind",
  "stranger",
  "sealed",
  "outside",
  "delta",
  "epsilon",
  "zeta",
  "sigma",
  "tau",
] as const;
export const HALVES = [...OF_HOUSE, ...STRANGERS];
export type Half = (typeof HALVES)[number];
/** Whoever wrote a set; of dense ones each is an author's of its own. */
export const authorOf = (half: string): string => (OF_HOUSE.some((one) => one === half) ? "house" : half);

export type Facts = ReadonlyMap<string, string>;
/** What the sentence that ends at `end` states. */
export interface Mark {
  end: number;
  facts: Facts;
}

export interface LabelledArticle {
  /** Event and place in it: `quake-serrano/3`. */
  key: string;
  event: string;
  outlet: string;
  /** Milliseconds before the moment of reading. */
  ago: number;
  title: string;
  titleFacts: Facts;
  text: string;
  marks: Mark[];
  /** The key of the article whose words these are: its own where it copies none. */
  root: string;
  post: boolean;
  rumour: boolean;
  /** Words that take a side. */
  loaded: string[];
}

export interface LabelledEvent {
  id: string;
  domains: string[];
  news: "hard" | "soft" | "rumour" | "routine";
  half: Half;
  contradict: string[];
  supersede: { key: string; values: string[] }[];
  articles: LabelledArticle[];
}

const FACTS = /\s*\{([^}]+)\}/;
const factsOf = (inside: string): Facts =>
  new Map(inside.split(/\s+/).map((pair) => [pair.slice(0, pair.indexOf(":")), pair.slice(pair.indexOf(":") + 1)]));

/** Takes the marks out of a text. */
function unmarked(text: string): { text: string; marks: Mark[] } {
  const marks: Mark[] = [];
  let rest = text;
  for (let found = FACTS.exec(rest); found; found = FACTS.exec(rest)) {
    marks.push({ end: found.index, facts: factsOf(found[1]!) });
    rest = rest.slice(0, found.index) + rest.slice(found.index + found[0].length);
  }
  return { text: rest, marks };
}

const DATELINE = /^\p{Lu}[^()\n]{2,40}\([^()]+\) - /u;

/** `1-3,5` as indexes. */
const places = (list: string): number[] =>
  list.split(",").flatMap((part) => {
    const [from, to = from] = part.split("-").map(Number) as [number, number?];
    return Array.from({ length: to! - from + 1 }, (_, at) => from + at - 1);
  });

/** The words of another article as an editor passes them on: cut, in another order, with paragraphs of his own. */
function edited(original: string, order: string, own: readonly string[], changes: readonly string[]): string {
  const option = (name: string) => new RegExp(`${name}=(\\S+)`).exec(order)?.[1];
  const all = original.split("\n\n");
  const keep = option("keep") ? places(option("keep")!) : all.map((_, at) => at);
  const dateline = option("dateline");
  const kept = keep
    .flatMap((at) => all[at] ?? [])
    .map((paragraph) => {
      if (dateline === undefined || !DATELINE.test(paragraph)) return paragraph;
      return dateline === "none" ? paragraph.replace(DATELINE, "") : paragraph.replace(DATELINE, `${dateline} - `);
    });
  kept.splice(option("at") === undefined ? kept.length : Number(option("at")), 0, ...own);
  return changes.reduce((text, change) => {
    const [from, to] = change.split("=>") as [string, string];
    return text.replace(from, to);
  }, kept.join("\n\n"));
}

const MINUTE_MS = 60_000;

function articleOf(block: string, event: LabelledEvent, sources: Map<string, string>): LabelledArticle {
  const [head, ...lines] = block.trimEnd().split("\n") as [string, ...string[]];
  const [outlet, when, ...headline] = head.split(" | ") as [string, string, ...string[]];
  if (!OUTLETS[outlet]) throw new Error(`There is no outlet ${outlet} (${event.id}).`);
  const orders = lines.filter((line) => line.startsWith("@")).join(" ");
  const changes = lines.filter((line) => line.startsWith("~")).map((line) => line.slice(1));
  const own = lines
    .filter((line) => !/^[@~]/.test(line))
    .join("\n")
    .trim();
  const copied = /@copy (\d+)/.exec(orders)?.[1];
  const key = `${event.id}/${event.articles.length + 1}`;
  const root = copied ? `${event.id}/${copied}` : key;
  const source = copied ? edited(sources.get(root)!, orders, own ? own.split("\n\n") : [], changes) : own;
  sources.set(key, source);
  const { text, marks } = unmarked(source);
  const title = unmarked(headline.join(" | "));
  const [hours, minutes] = when.slice(1).split(":").map(Number) as [number, number];
  return {
    key,
    event: event.id,
    outlet,
    ago: (hours * 60 + minutes) * MINUTE_MS,
    title: title.text,
    titleFacts: title.marks[0]?.facts ?? new Map(),
    text,
    marks,
    root: copied ? (event.articles[Number(copied) - 1]?.root ?? root) : root,
    post: orders.includes("@post"),
    rumour: orders.includes("@rumour"),
    loaded: /@loaded ([^@]+)/.exec(orders)?.[1]?.trim().split(/,\s*/) ?? [],
  };
}

function eventOf(head: string): LabelledEvent {
  const [first, ...rules] = head.trim().split("\n") as [string, ...string[]];
  const [id, domains = "none", news = "hard", half = "tune"] = first.split(" | ");
  const rule = (name: string) =>
    rules.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim());
  return {
    id: id!,
    domains: domains.split(","),
    news: news as LabelledEvent["news"],
    half: half as Half,
    contradict: rule("contradict").flatMap((line) => line.split(" ")),
    supersede: rule("supersede").map((line) => ({ key: line.split(" ")[0]!, values: line.split(" ").slice(1) })),
    articles: [],
  };
}

export const languageOf = ({ outlet }: LabelledArticle): string => OUTLETS[outlet]!.language;
export const isEnglish = (article: LabelledArticle): boolean => languageOf(article) === "en";
export const articlesOf = (events: readonly LabelledEvent[]): LabelledArticle[] =>
  events.flatMap(({ articles }) => articles);

/** Whether two statements of an event exclude each other, by its labels: the keys in which they do. */
export const clash = ({ contradict }: LabelledEvent, one: Facts, other: Facts): string[] =>
  contradict.filter((key) => one.has(key) && other.has(key) && one.get(key) !== other.get(key));

/** All events of the corpus, those of one half where it is named. */
export const corpus = (half?: Half): LabelledEvent[] =>
  eventsIn("corpus").filter((event) => half === undefined || event.half === half);

/** Events told in dense articles, nearly every sentence marked: pairs of sentences to learn from, and no day's news. */
export const dense = (): LabelledEvent[] => eventsIn("dense");

function eventsIn(name: string): LabelledEvent[] {
  const folder = join(import.meta.dirname, name);
  const events = new Map<string, LabelledEvent>();
  const blocks = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").split(/^# /m).slice(1))
    // An event is declared in one file; others may add to it.
    .flat()
    .sort((a, b) => Number(b.split("\n")[0]!.includes(" | ")) - Number(a.split("\n")[0]!.includes(" | ")));
  const sources = new Map<string, string>();
  for (const block of blocks) {
    const [head, ...articles] = block.split(/^## /m) as [string, ...string[]];
    const told = eventOf(head);
    const event = events.get(told.id) ?? told;
    events.set(event.id, event);
    for (const article of articles) event.articles.push(articleOf(article, event, sources));
  }
  return [...events.values()];
}

/** What a piece of an article states. */
export function factsIn(article: LabelledArticle, span: { text: string; start: number; end: number }): Facts {
  if (!article.text.includes(span.text)) return article.title.includes(span.text) ? article.titleFacts : new Map();
  const start = article.text.slice(span.start, span.end) === span.text ? span.start : article.text.indexOf(span.text);
  const end = start + span.text.length;
  return new Map(
    article.marks.filter((mark) => mark.end > start && mark.end <= end + 1).flatMap(({ facts }) => [...facts]),
  );
}
