import { z } from "zod";
import midlife from "../../../data/frameworks/midlife.json" with { type: "json" };
import privateLife from "../../../data/frameworks/private-life.json" with { type: "json" };
import pmesii from "../../../data/frameworks/pmesii-pt.json" with { type: "json" };
import { lazily } from "../../../core/text/lexicon.ts";
import { indexing, type PhraseIndex } from "../../../core/text/words/phrases.ts";
import { atOnce, type Steps } from "../../../core/work/turns.ts";

const Category = z.object({
  id: z.string(),
  name: z.string(),
  definition: z.string(),
  /** Words that hardly stand for anything else. */
  telling: z.array(z.string()),
  terms: z.array(z.string()),
});
const Framework = z.object({
  id: z.string(),
  version: z.string(),
  title: z.string(),
  description: z.string(),
  categories: z.array(Category),
  /** Phrases in which such words mean something else. */
  spared: z.array(z.string()),
  /** Categories of the other framework that this one has no place for: a text may be about those all the same. */
  beside: z.array(z.string()),
});
export type Framework = z.output<typeof Framework>;

export const FRAMEWORK_IDS = ["midlife", "pmesii-pt"] as const;
export type FrameworkId = (typeof FRAMEWORK_IDS)[number];

const Words = z.object({ telling: z.array(z.string()), terms: z.array(z.string()) });

const TELLING = 2;
/** Before the name of what a text may be about, too, that is no category of the framework. */
const BESIDE = "beside ";
/** Private life: it takes a text for itself, whatever words of war or power it borrows. */
export const PRIVATE_LIFE = `${BESIDE}private-life`;
export const isBeside = (category: string): boolean => category.startsWith(BESIDE);

const frameworks: Readonly<Record<FrameworkId, () => Framework>> = {
  midlife: lazily(() => Framework.parse(midlife)),
  "pmesii-pt": lazily(() => Framework.parse(pmesii)),
};
export const frameworkNamed = (id: FrameworkId): Framework => frameworks[id]();

/** A framework made ready to find its words. */
export interface Lexicon {
  index: PhraseIndex<string>;
  /** What a hit under a label of the index is worth, and to which category; spared phrases have none. */
  worth: ReadonlyMap<string, { category: string; weight: number }>;
  /** How well a term tells categories apart, 0..1: by how many of them have it. */
  idf(term: string): number;
}

function* making(id: FrameworkId): Steps<Lexicon> {
  const framework = frameworkNamed(id);
  yield;
  const beside = FRAMEWORK_IDS.filter((other) => other !== id)
    .flatMap((other) => frameworkNamed(other).categories)
    .filter((category) => framework.beside.includes(category.id))
    .map((category) => ({ ...category, id: `${BESIDE}${category.id}` }));
  yield;
  const { categories, spared } = framework;
  const lists: Record<string, string[]> = { spared };
  const worth = new Map<string, { category: string; weight: number }>();
  const holders = new Map<string, Set<string>>();
  for (const { id, telling, terms } of [...categories, ...beside, { id: PRIVATE_LIFE, ...Words.parse(privateLife) }]) {
    lists[`${id}/telling`] = telling;
    lists[`${id}/terms`] = terms;
    worth.set(`${id}/telling`, { category: id, weight: TELLING });
    worth.set(`${id}/terms`, { category: id, weight: 1 });
    for (const term of [...telling, ...terms]) holders.set(term, (holders.get(term) ?? new Set()).add(id));
    yield;
  }
  const all = Math.log(categories.length + 1);
  return {
    index: yield* indexing(lists),
    worth,
    idf: (term) => Math.log((categories.length + 1) / (holders.get(term)?.size ?? 1)) / all,
  };
}

const made = new Map<FrameworkId, Lexicon>();

/** The lexicon of a framework, built on first use: some 25 ms, too long for one turn of the event loop. */
export function* lexiconIn(id: FrameworkId): Steps<Lexicon> {
  const lexicon = made.get(id) ?? (yield* making(id));
  made.set(id, lexicon);
  return lexicon;
}
export const lexiconNamed = (id: FrameworkId): Lexicon => atOnce(lexiconIn(id));
