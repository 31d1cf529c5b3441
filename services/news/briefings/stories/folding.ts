import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import type { Figure } from "../figures/figures.ts";
import type { Sayings } from "../figures/growth.ts";
import { GROWING, isCount, type Series, type Told } from "../figures/series.ts";
import { figuresTold } from "../figures/tolls.ts";
import { headlineOf } from "./headlines.ts";
import { isScant } from "./texts.ts";
import { dot, type Vector } from "./vectors.ts";

/** What one event is compared with others by. */
export interface Profile extends Named {
  /** Of each voice, oldest first. */
  sayings: readonly Sayings[];
  series: Series;
  centroid: Vector;
}

/** Two reports of one event are at least so near. */
const NEAR = 0.12;
/** A name that so many events have in their headlines is a country or an office, and identifies no event. */
const MOST_NAMED = 6;
const CAPITAL = /(?<!\p{L})\p{Lu}\p{L}{2,}/gu;

/** What an event calls who and where. */
interface Named {
  /** Whole counts of all titles with when they were given: of copies each has a title of its own. */
  counts: readonly { at: string; figure: Figure }[];
  /** Words of the titles that are written with a capital wherever the event's reports have them; posts spare capitals. */
  names: ReadonlySet<string>;
  /** All that its texts write with a capital. */
  mentions: ReadonlySet<string>;
}

/** Reads the names of an event from its articles, and the sentences of its voices. */
export function namedIn(all: readonly BriefingArticle[], sayings: readonly Sayings[]): Named {
  const titles = all.map((article) => ({ at: article.publishedAt, text: headlineOf(article) }));
  const counts = titles.flatMap(({ at, text }) => figuresTold(text).map((figure) => ({ at, figure })));
  const said = sayings.flatMap(({ texts }) => texts);
  const reports = sayings.filter(({ article }) => !isScant(article));
  const spoken = new Set(reports.flatMap(({ texts }) => texts.flatMap((text) => text.match(LOWER) ?? [])));
  const capitals = (texts: readonly string[]): string[] => texts.flatMap((text) => text.match(CAPITAL) ?? []);
  const titled = capitals(titles.map(({ text }) => text));
  return {
    counts: counts.filter(({ figure }) => isCount(figure) && Number.isInteger(figure.value)),
    names: new Set(titled.filter((name) => !spoken.has(name.toLowerCase()) && numbersIn(name).length === 0)),
    mentions: new Set([...titled, ...capitals(said)]),
  };
}
const LOWER = /(?<!\p{L})\p{Ll}{3,}/gu;

/** An aftershock or a further attack has counts of its own. */
const ANOTHER =
  /(?<!\p{L})(?:aftershocks?|(?:second|another|new|fresh|renewed) (?:attack|strike|blast|explosion|quake|earthquake|tremor|shock|wave|raid|shooting)|nachbeben|répliques?|réplicas?|scossa di assestamento|афтершок\p{L}*)(?!\p{L})|هزة ارتدادية/iu;

/** Whether an event is told as one that came after another, by the headlines of its voices. */
export const isAnother = (headlines: readonly string[]): boolean =>
  2 * headlines.filter((headline) => ANOTHER.test(headline)).length >= headlines.length;

/** What the other tells of a count that a headline of one event gives, where it has moved on. */
const laterCounts = ({ counts }: Profile, { series }: Profile): Told[] =>
  counts.flatMap(({ at, figure }) => series.laterThan(figure, at) ?? []);

/** Of two trains that crashed each has its toll, and both grow. */
const areBeside = ({ series }: Profile, other: Profile): boolean =>
  series.isBeside(other.series) || other.series.isBeside(series);

/** What is named in the title of whoever tells a count, and in the sentence. */
function namesBeside({ article, place }: Told, { sayings }: Profile): string[] {
  const { texts } = sayings.find((each) => each.article === article)!;
  return [texts[0]!, texts[place]!].flatMap((text) => text.match(CAPITAL) ?? []);
}

/** How events hang together. */
export interface Folding {
  /** Of each event the first of its group. */
  roots: number[];
  /** Those that share a name with its headlines. */
  rivals: readonly number[][];
  /** Those that tell on its count and are held apart: an aftershock has its own dead, and knows of the earthquake's. */
  sequels: readonly number[][];
}

/**
 * Which events go on in which: one's headline gives a count that the other has moved on, and their headlines share a
 * name; where only the sentence with the later count has the name, they stay two, and the first is told with it.
 * Grouping holds such reports apart where their words have changed; the reader would be told the old count beside the
 * new.
 */
export function continued(profiles: readonly Profile[]): Folding {
  const roots = profiles.map((_, at) => at);
  const rivals = profiles.map((): number[] => []);
  const sequels = profiles.map((): number[] => []);
  const another = profiles.map(({ sayings }) => isAnother(sayings.map(({ texts: [headline] }) => headline!)));
  const rootOf = (at: number): number => (roots[at] === at ? at : rootOf(roots[at]!));
  const areNear = (one: number, other: number): boolean =>
    rootOf(one) !== rootOf(other) && dot(profiles[one]!.centroid, profiles[other]!.centroid) >= NEAR;
  for (const together of placesOf(profiles.map(({ names }) => names)).values()) {
    if (together.length > MOST_NAMED) continue;
    for (const one of together)
      for (const other of together) {
        if (one === other) continue;
        rivals[one]!.push(other);
        if (!areNear(one, other) || laterCounts(profiles[one]!, profiles[other]!).length === 0) continue;
        if (areBeside(profiles[one]!, profiles[other]!)) continue;
        const [first, second] = [rootOf(one), rootOf(other)];
        if (another[one] === another[other]) roots[Math.max(first, second)] = Math.min(first, second);
        else if (another[other]) sequels[one]!.push(other);
      }
  }
  const mentioned = placesOf(profiles.map(({ mentions }) => mentions));
  for (const [one, profile] of profiles.entries()) {
    const own = new Set([...profile.names].filter((name) => mentioned.get(name)!.length <= MOST_NAMED));
    for (const other of new Set([...own].flatMap((name) => mentioned.get(name)!))) {
      if (!areNear(one, other) || sequels[one]!.includes(other) || (another[one] && !another[other])) continue;
      if (tellsOn(profile, profiles[other]!, own)) sequels[one]!.push(other);
    }
  }
  return { roots: roots.map((_, at) => rootOf(at)), rivals, sequels };
}

/** Whether the other tells on a toll, and names whom or what the headlines of the first do where it tells it. */
const tellsOn = (one: Profile, other: Profile, names: ReadonlySet<string>): boolean =>
  laterCounts(one, other).some(
    (told) => GROWING.has(told.figure.subject) && namesBeside(told, other).some((name) => names.has(name)),
  );

/** By name the events that have it. */
function placesOf(names: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, each] of names.entries())
    for (const name of each) {
      const places = found.get(name);
      if (places) places.push(at);
      else found.set(name, [at]);
    }
  return found;
}
