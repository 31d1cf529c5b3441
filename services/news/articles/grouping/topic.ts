import { LANGUAGES, languageBy } from "../../../../core/text/language.ts";
import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { isStopWord } from "../../../../core/text/words/stop-words.ts";
import { remembering } from "../../../../core/text/words/remembered.ts";
import { firstSentence } from "../../../../core/text/words/sentences.ts";
import { soundOf } from "../../../../core/text/words/sound.ts";
import { termIds, type TermIds } from "../../../../core/text/words/term-ids.ts";
import { namesIn, terms } from "../../../../core/text/words/terms.ts";
import { hashOf } from "../../../../core/text/words/token-hashes.ts";
import { fold } from "../../../../core/text/words/words.ts";

export interface Subject {
  title: string;
  summary: string;
  text: string;
}

/** What an article is about, as far as events are told apart by it. */
export interface Topic {
  language: string;
  /** Hashes of its heaviest terms, ascending, and how much each is said: names and numbers count more. */
  terms: Uint32Array;
  weights: Float32Array;
  /** Of each term, 1 where it is a name that the headline or the first sentence brings: who and where. */
  leading: Uint8Array;
  /**
   * Hashes of names by their sound, which are even, and of numbers, which are odd: what a report in another language
   * has too. Ascending.
   */
  anchors: Uint32Array;
}

/** The event is told at the beginning; further down texts wander. */
const LEAD_CHARACTERS = 700;
const OPENING_CHARACTERS = 300;
const OPENING_COUNTS = 2;
const TITLE_COUNTS = 3;
/** What tells two events of one kind apart is who and where: two central banks decide on rates in the same words. */
const NAME_EMPHASIS = 1.75;
const NUMBER_EMPHASIS = 1.25;
export const MOST_TERMS = 48;
export const MOST_ANCHORS = 32;

export function topicOf({ title, summary, text }: Subject): Topic {
  const lead = withoutCredit((text.trim() === "" ? summary : text).slice(0, LEAD_CHARACTERS));
  const reader = termIds();
  // Terms by their ids; numbers, which are no terms, below zero.
  const counts = new Map<number, number>();
  const count = (term: number, times: number) => counts.set(term, (counts.get(term) ?? 0) + times);
  const firsts = new Set<number>();
  const told = reader.read(lead, (term, end) => count(term, end > OPENING_CHARACTERS ? 1 : OPENING_COUNTS));
  const toldLanguage = told && languageBy(lead, told);
  const titled = reader.read(title, (term) => {
    count(term, TITLE_COUNTS);
    firsts.add(term);
  });
  const language = toldLanguage ?? languageBy(lead || title, titled ?? NO_WORDS);
  reader.read(firstSentence(lead), (term) => void firsts.add(term));
  const names = namedIn(`${lead} ${title}`, reader);
  const numbers = [...new Set(numbersIn(`${title}\n${lead}`))];
  for (let at = 0; at < numbers.length; at++) count(-1 - at, 1);
  const emphasis = (term: number) => (term < 0 ? NUMBER_EMPHASIS : names.has(term) ? NAME_EMPHASIS : 1);
  const heaviest = Array.from(counts, ([term, times]) => ({ term, weight: (1 + Math.log(times)) * emphasis(term) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_TERMS)
    .map(({ term, weight }) => ({
      hash: hashOf(term < 0 ? numbers[-1 - term]! : reader.vocabulary.terms[term]!),
      weight,
      leads: names.has(term) && firsts.has(term) ? 1 : 0,
    }))
    .sort((a, b) => a.hash - b.hash);
  return {
    language,
    terms: Uint32Array.from(heaviest, ({ hash }) => hash),
    weights: Float32Array.from(heaviest, ({ weight }) => weight),
    leading: Uint8Array.from(heaviest, ({ leads }) => leads),
    anchors: anchorsOf(`${title}. ${lead}`, numbers),
  };
}

/** "VELM, Nov 21 (Coastline Wire) - ": an agency's name is no part of the event. */
const CREDIT = /^(\p{Lu}[\p{L}\p{M} .'’-]{1,40})(?:,[^()\n]{0,30})?\([^()\n]{2,40}\)\s?[-–—:]\s/u;
const withoutCredit = (lead: string): string => lead.replace(CREDIT, "");

const NO_WORDS = new Uint32Array(LANGUAGES);

/** Terms that are names; a day is none. */
function namedIn(text: string, reader: TermIds): Set<number> {
  const found = new Set<number>();
  for (const name of namesIn(text))
    reader.read(name, (term) => {
      if (!calendarTerms().has(reader.vocabulary.terms[term]!)) found.add(term);
    });
  return found;
}
const calendarTerms = lazily(() => new Set(terms(lexicon.names.calendar.join(" "))));

/** Capitals begin names; scripts without them are looked through word by word. */
const NAME = /\p{Lu}[\p{L}\p{M}]{2,}|\p{Lo}{3,}/gu;
const ARTICLE = /^(?:و|ب|ل|ك)?ال/u;

/** What a name is known by in whatever language, empty for a word that is none. */
const anchorOf = remembering((name) => {
  const sound = isCommon(fold(name)) ? "" : soundOf(name.replace(ARTICLE, ""));
  return sound.length > 3 ? sound.replace(/s$/, "") : sound;
}, 20_000);

function anchorsOf(text: string, numbers: readonly string[]): Uint32Array {
  const found = new Set<string>(numbers);
  for (const name of text.match(NAME) ?? []) {
    const anchor = anchorOf(name);
    if (anchor) found.add(anchor);
  }
  return Uint32Array.from([...found].slice(0, MOST_ANCHORS), anchorHash).sort();
}

/** The lowest bit tells numbers from names. */
const anchorHash = (anchor: string): number =>
  anchor.startsWith("#") ? (hashOf(anchor) | 1) >>> 0 : (hashOf(anchor) & ~1) >>> 0;
export const isNumber = (anchor: number): boolean => (anchor & 1) === 1;

const calendar = lazily(() => new Set<string>(lexicon.names.calendar));
/** A capital at the head of a sentence, or a day's, is no name. */
const isCommon = (word: string): boolean => isStopWord(word) || calendar().has(word);

const NUMBER = /(?<![\p{L}\p{Nd}.,:-])\p{Nd}+(?:[.,:]\p{Nd}+)*(?!\p{L})/gu;

/** Numbers that an event may be known by, in whatever language: of two digits at least, and no year. */
const numbersIn = (text: string): string[] =>
  (text.match(NUMBER) ?? [])
    .map((number) => number.replace(/[.,](?=\p{Nd}{3}(?!\p{Nd}))/gu, "").replace(/[,:]/g, "."))
    .filter((number) => number.length > 1 && !/^(?:19|20)\d\d$/.test(number))
    .map((number) => `#${number}`);

/** Weights are below four times a name's emphasis. */
const WEIGHT_STEPS = 32;

/** A topic as it is stored with an article's trace. */
export function packed({ language, terms, weights, leading, anchors }: Topic): string {
  const coarse = Uint8Array.from(weights, (weight) => Math.min(255, Math.round(weight * WEIGHT_STEPS)));
  return [language, ...[terms, coarse, anchors, leading].map(base64Of)].join(" ");
}

export function unpacked(text: string): Topic {
  const [language, hashes, weights, anchors, leading] = text.split(" ");
  const terms = wordsIn(hashes!);
  return {
    language: language!,
    terms,
    weights: Float32Array.from(Buffer.from(weights!, "base64"), (weight) => weight / WEIGHT_STEPS),
    // Traces of earlier releases do not tell.
    leading: leading ? new Uint8Array(Buffer.from(leading, "base64")) : new Uint8Array(terms.length),
    anchors: wordsIn(anchors!),
  };
}

const base64Of = ({ buffer, byteOffset, byteLength }: Uint32Array | Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");
const wordsIn = (text: string): Uint32Array => {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  return new Uint32Array(bytes.buffer, 0, bytes.byteLength >> 2);
};
