import { lazily, lexicon } from "../lexicon.ts";
import { aliasOf } from "./names.ts";
import { baseOf } from "../words/stem.ts";
import { isFunctionWord, isReportingWord } from "../words/stop-words.ts";
import type { Word } from "../words/words.ts";

/** The meaning of a content word or phrase, as far as comparisons need it. */
export interface Sense {
  /**
   * Words of one concept can replace each other: an axis of antonyms, a group of synonyms, a country, or the stem
   * itself.
   */
  concept: string;
  /** Its end of the axis, where the concept is one. */
  pole?: string;
  /** The written form, folded. */
  word: string;
  /** Index of its first word in the sentence. */
  at: number;
  /** How much it identifies: names most, reporting verbs least. */
  weight: number;
}

interface Meaning {
  concept: string;
  pole?: string;
}

const WEIGHT_OF_NAMES = 1.5;
const WEIGHT_OF_REPORTING = 0.2;

const FORMS_OF_BE = ["is", "are", "was", "were", "been"];

const vocabulary = lazily(() => {
  const single = new Map<string, Meaning>();
  const phrases = new Map<string, { stems: string[]; meaning: Meaning }[]>();
  const add = (form: string, meaning: Meaning): void => {
    if (form.startsWith("be ")) for (const be of FORMS_OF_BE) add(`${be}${form.slice(2)}`, meaning);
    const stems = form.split(" ").map(baseOf);
    if (stems.length === 1) {
      if (!single.has(stems[0]!)) single.set(stems[0]!, meaning);
    } else
      phrases.set(
        stems[0]!,
        [...(phrases.get(stems[0]!) ?? []), { stems, meaning }].sort((a, b) => b.stems.length - a.stems.length),
      );
  };
  // The sign separates an axis from a word with the same name ("quality").
  for (const [axis, poles] of Object.entries(lexicon.antonyms.axes)) {
    for (const [pole, forms] of Object.entries(poles as Record<string, string[]>))
      for (const form of forms) add(form, { concept: `±${axis}`, pole });
  }
  for (const group of lexicon.synonyms.groups) for (const form of group) add(form, { concept: group[0]! });
  return { single, phrases };
});

/** Whether the poles of a concept are two different things, rather than opposites: exports and imports. */
export const isApart = (concept: string): boolean =>
  (lexicon.antonyms.apart as readonly string[]).includes(concept.slice(1));

/** Whether the ends of an axis exclude each other for one thing, whatever else is said about it. */
export const isDecisive = (concept: string): boolean =>
  (lexicon.antonyms.decisive as readonly string[]).includes(concept.slice(1));

/** Whether they exclude each other within one event, whatever they are said about: a vote is unanimous, or split. */
export const isAbsolute = (concept: string): boolean =>
  (lexicon.antonyms.absolute as readonly string[]).includes(concept.slice(1));

/** The concept of a stem: the same for synonyms. */
export const conceptOf = (stemmed: string): string => vocabulary().single.get(stemmed)?.concept ?? stemmed;

/** The senses of a sentence's words; numbers, function words and the word indexes in `skipped` (dates) have none. */
export function senses(spoken: readonly Word[], skipped: ReadonlySet<number>): Sense[] {
  const found: Sense[] = [];
  const stems = spoken.map((word) => baseOf(word.text));
  for (let at = 0; at < spoken.length; at += 1) {
    if (skipped.has(at)) continue;
    const phrase = vocabulary()
      .phrases.get(stems[at]!)
      ?.find((candidate) => candidate.stems.every((part, offset) => stems[at + offset] === part));
    if (phrase) {
      found.push({ ...phrase.meaning, word: phrase.stems.join(" "), at, weight: 1 });
      at += phrase.stems.length - 1;
    } else {
      const sense = senseOf(spoken[at]!, stems[at]!, at);
      if (sense) found.push(sense);
    }
  }
  return found;
}

function senseOf({ text, capital }: Word, stemmed: string, at: number): Sense | undefined {
  if (/^\d/.test(text) || text.length < 2) return undefined;
  const country = capital ? aliasOf(text) : undefined;
  if (country) return { concept: country, word: text, at, weight: WEIGHT_OF_NAMES };
  const meaning = vocabulary().single.get(stemmed);
  // "low", "up" and similar words are function words in one list and poles in the other: the pole wins.
  if (meaning) return { ...meaning, word: text, at, weight: 1 };
  if (isFunctionWord(text)) return undefined;
  const weight = isReportingWord(text) ? WEIGHT_OF_REPORTING : capital && at > 0 ? WEIGHT_OF_NAMES : 1;
  return { concept: stemmed, word: text, at, weight };
}
