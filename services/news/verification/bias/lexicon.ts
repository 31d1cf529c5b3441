import { asMeant } from "../../../../core/text/as-meant.ts";
import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex, type Hit } from "../../../../core/text/words/phrases.ts";
import type { Word } from "../../../../core/text/words/words.ts";

const { checkWorthiness, loadedLanguage, politicalFraming, rhetoric, sensationalism } = lexicon;

export type LoadedGroup = keyof typeof loadedLanguage.groups;
export type BiasLabel =
  | `loaded-language/${LoadedGroup}`
  | "political-framing/left"
  | "political-framing/right"
  | "sensationalism/superlatives"
  | "sensationalism/clickbait"
  | "sensationalism/intensifiers"
  | `rhetoric/${Exclude<keyof typeof rhetoric, "version" | "language" | "description">}`
  | "check-worthiness/attribution"
  | "spared";
export type BiasHit = Hit<BiasLabel>;

const listed = (file: string, lists: Record<string, unknown>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([name, terms]) =>
      Array.isArray(terms) ? [[`${file}/${name}`, terms as string[]]] : [],
    ),
  );

/** All word lists of bias and of the pattern check, searched in one pass. */
const biasIndex = lazily(() =>
  phraseIndex({
    ...Object.fromEntries(
      Object.entries(loadedLanguage.groups).map(([group, { terms }]) => [`loaded-language/${group}`, terms]),
    ),
    ...listed("political-framing", politicalFraming),
    ...listed("sensationalism", sensationalism),
    ...listed("rhetoric", rhetoric),
    "check-worthiness/attribution": checkWorthiness.attribution,
    spared: loadedLanguage.spared,
  } as Record<BiasLabel, string[]>),
);

const MEANT = { spared: "spared", exact: (label: BiasLabel) => loadedWeight(label) > 0 } as const;

/** What the lists find in a text, as they mean it; a loaded word is told once, by the longest term that it is part of. */
export function biasHits({ text, words }: { text: string; words: readonly Word[] }): BiasHit[] {
  const hits = asMeant(biasIndex().find(text, words), text, words, MEANT);
  const loaded = hits
    .filter(({ label }) => loadedWeight(label) > 0)
    .sort((a, b) => b.last - b.first - (a.last - a.first) || loadedWeight(b.label) - loadedWeight(a.label));
  const told = new Set<BiasHit>();
  const taken = new Set<number>();
  for (const hit of loaded) {
    const places = Array.from({ length: hit.last - hit.first + 1 }, (_, at) => hit.first + at);
    if (places.some((at) => taken.has(at))) continue;
    for (const at of places) taken.add(at);
    told.add(hit);
  }
  return hits.filter((hit) => loadedWeight(hit.label) === 0 || told.has(hit));
}

/** How strongly a loaded word colours its sentence, 1..3; 0 for labels of other lists. */
export function loadedWeight(label: BiasLabel): number {
  const group = label.startsWith("loaded-language/")
    ? (label.slice("loaded-language/".length) as LoadedGroup)
    : undefined;
  return group ? loadedLanguage.groups[group].weight : 0;
}

/** Identifies the versions of all lists: only the same versions reproduce an analysis. */
export const lexiconVersion =
  `loaded-language@${loadedLanguage.version} political-framing@${politicalFraming.version} ` +
  `sensationalism@${sensationalism.version} rhetoric@${rhetoric.version}`;
