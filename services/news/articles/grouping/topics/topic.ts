import { LANGUAGES, languageBy } from "../../../../../core/text/language.ts";
import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { firstSentence } from "../../../../../core/text/words/sentences.ts";
import { isWord, placeOfHash } from "../../../../../core/text/words/vectors.ts";
import { termIds, TermNumbers, type TermIds } from "../../../../../core/text/words/term-ids.ts";
import { namesIn, terms } from "../../../../../core/text/words/terms.ts";
import { hashOf } from "../../../../../core/text/words/token-hashes.ts";
import type { Vocabulary } from "../../../../../core/text/words/vocabulary.ts";
import { Heaviest } from "../heaviest.ts";
import { anchoringNumbers, anchorsOf } from "./anchors.ts";
import { marksOf } from "./apart.ts";
import { daysIn } from "./days.ts";
import { FIRST, HEAD, NAMED, SMALL, Tally } from "./tally.ts";
import { translated } from "./translations.ts";

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
  /** Of each term whether it is a name: `LEADING` where the headline or the first sentence brings it (who and where). */
  naming: Uint8Array;
  /**
   * Hashes of names by their sound, which are even, and of numbers, which are odd: what a report in another language
   * has too. Ascending.
   */
  anchors: Uint32Array;
  /** Days of the week on which something happened, by its headline and first sentence: bits, Monday's the lowest. */
  days: number;
  /** Whose match or race it is, by the same, as bits: `WOMEN`, `MEN`; which rate; and by its headline `AFTERSHOCK`. */
  sexes: number;
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

export function topicOf({ title, summary, text }: Subject): Topic {
  const lead = withoutCredit((text.trim() === "" ? summary : text).slice(0, LEAD_CHARACTERS));
  const reader = termIds(),
    first = firstSentence(lead),
    firstEnd = isBeginning(first, lead) ? first.length : 0;
  tally.begin();
  const told = reader.read(lead, (term, end, start) => {
    tally.count(term, end > OPENING_CHARACTERS ? 1 : OPENING_COUNTS);
    if (end <= firstEnd) tally.note(term, FIRST);
    noteCase(lead, term, start);
  });
  const toldLanguage = told && languageBy(lead, told);
  const titled = reader.read(title, (term, _, start) => {
    tally.count(term, TITLE_COUNTS);
    tally.note(term, FIRST);
    noteCase(title, term, start);
  });
  const language = toldLanguage ?? languageBy(lead || title, titled ?? NO_WORDS);
  if (firstEnd === 0) reader.read(first, (term) => tally.note(term, FIRST));
  noteNames(`${lead} ${title}`, reader);
  if (language === "en") noteFirstNames(reader);
  const numbers = [...new Set(anchoringNumbers(`${title}\n${lead}`))];
  choose(numbers);
  const head = `${title}. ${first}`;
  const found = vectors(
    numbers,
    reader,
    anchorsOf(`${title}. ${lead}`, numbers),
    translated(language, reader.vocabulary),
  );
  return {
    language,
    ...found,
    days: daysIn(head),
    sexes: marksOf(title, head),
  };
}

/** Whether a text begins with these words, so that it is read as they are alone: no word goes on beyond a blank. */
const isBeginning = (first: string, text: string): boolean =>
  text.startsWith(first) && (first.length === text.length || isBlank(text.charCodeAt(first.length)));

/** Used again for each article. */
const tally = new Tally();
const heaviest = new Heaviest(MOST_TERMS);

/** Chooses the heaviest of the terms that are counted, and of numbers, which are no terms: below zero. */
function choose(numbers: readonly string[]): void {
  heaviest.begin();
  for (let at = 0; at < tally.size; at++) {
    const emphasis = tally.notes[at]! & NAMED ? NAME_EMPHASIS : 1;
    heaviest.offer(at, (1 + Math.log(tally.times[at]!)) * emphasis);
  }
  for (let at = 0; at < numbers.length; at++) heaviest.offer(-1 - at, NUMBER_EMPHASIS);
}

/** What was chosen, by hash, in one piece of memory: one of its own for each list costs more than what is in it. */
function vectors(
  numbers: readonly string[],
  reader: TermIds,
  anchored: Uint32Array,
  meanings = reader.hashes,
): Vectors {
  const { size } = heaviest;
  const memory = new ArrayBuffer(9 * size + 4 * anchored.length);
  const terms = new Uint32Array(memory, 0, size),
    weights = new Float32Array(memory, 4 * size, size),
    anchors = new Uint32Array(memory, 8 * size, anchored.length),
    naming = new Uint8Array(memory, 8 * size + 4 * anchored.length, size);
  anchors.set(anchored);
  for (let next = 0; next < size; next++) {
    const number = heaviest.numbers[next]!;
    const hash =
      number < 0 ? hashOf(numbers[-1 - number]!) : known(tally.terms[number]!, tally.notes[number]!, reader, meanings);
    const ordered = hash * ORDERED + next;
    let at = next;
    for (; at > 0 && order[at - 1]! > ordered; at--) order[at] = order[at - 1]!;
    order[at] = ordered;
  }
  let count = 0;
  for (let at = 0; at < size; at++) {
    const hash = Math.floor(order[at]! / ORDERED),
      next = order[at]! % ORDERED,
      number = heaviest.numbers[next]!;
    // Two words may have one translation, and two names one place: the heavier stands, which comes first.
    if (count > 0 && terms[count - 1] === hash) continue;
    terms[count] = hash;
    weights[count] = heaviest.weights[next]!;
    naming[count++] = number >= 0 ? namingOf(tally.notes[number]!) : 0;
  }
  return {
    terms: terms.subarray(0, count),
    weights: weights.subarray(0, count),
    naming: naming.subarray(0, count),
    anchors,
  };
}
/** Hashes with the places of their terms among the heaviest below them, which are fewer than `ORDERED`. */
const order = new Float64Array(MOST_TERMS);
const ORDERED = 64;
/** By what a term is known to others: its translation, of a name the place. */
function known(term: number, notes: number, { hashes, vocabulary }: TermIds, meanings: TermNumbers): number {
  const meaning = meanings.of(term);
  return meaning === hashes.of(term) && notes & NAMED ? ofNames(vocabulary).placed.of(term) : meaning;
}

/** What is known of the terms of a vocabulary as names: the place each is of, and 1 for those of the calendar. */
function ofNames(known: Vocabulary): { placed: TermNumbers; calendar: TermNumbers } {
  if (names?.placed.vocabulary !== known)
    names = {
      placed: new TermNumbers(known, placed),
      calendar: new TermNumbers(known, (term) => (calendarTerms().has(term) ? 1 : 0)),
    };
  return names;
}
let names: ReturnType<typeof ofNames> | undefined;
type Vectors = Pick<Topic, "terms" | "weights" | "naming" | "anchors">;
/** What `naming` says of a term: it is a name of the headline or the first sentence; or one that stands further down. */
export const LEADING = 1,
  FOLLOWING = 2;

const namingOf = (notes: number): number => ((notes & NAMED) === 0 ? 0 : (notes & FIRST) === 0 ? FOLLOWING : LEADING);

/** "VELM, Nov 21 (Coastline Wire) - ": an agency's name is no part of the event; where it happened is, and is put last. */
const CREDIT = /^(\p{Lu}[\p{L}\p{M} .'’-]{1,40})(?:,[^()\n]{0,30})?\([^()\n]{2,40}\)\s?[-–—:]\s/u;
function withoutCredit(lead: string): string {
  const credit = CREDIT.exec(lead);
  if (!credit) return lead;
  const place = credit[1]!.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return `${lead.slice(credit[0].length)}, ${place}`;
}

const NO_WORDS = new Uint32Array(LANGUAGES);

const isSmall = (sign: number): boolean => sign >= 97 && sign <= 122;

function noteCase(text: string, term: number, start: number): void {
  const sign = text.charCodeAt(start);
  if (isSmall(sign)) tally.note(term, SMALL);
  else if (isCapital(sign) && beginsSentence(text, start)) tally.note(term, HEAD);
}

/** Notes the terms that are names; a day is none, nor is what stands there in small letters too ("the Bank", "the bank"). */
function noteNames(text: string, reader: TermIds): void {
  const { calendar } = ofNames(reader.vocabulary);
  for (const name of namesIn(text))
    reader.read(name, (term) => {
      if (!tally.has(term, SMALL) && calendar.of(term) === 0) tally.note(term, NAMED);
    });
}
/** Where a capital tells nothing: at the beginning of a text, a sentence or a quotation. */
function beginsSentence(text: string, at: number): boolean {
  let before = at - 1;
  if (isQuote(text.charCodeAt(before))) return true;
  if (before >= 0 && !isBlank(text.charCodeAt(before))) return false;
  while (isBlank(text.charCodeAt(before)) || isQuote(text.charCodeAt(before))) before--;
  return before < 0 || ".!?:".includes(text[before]!);
}
const isBlank = (sign: number): boolean => sign === 32 || sign === 10;
const isQuote = (sign: number): boolean => sign === 34 || (sign >= 0x2018 && sign <= 0x201d);
const isCapital = (sign: number): boolean => sign >= 65 && sign <= 90;

/** At the head of a sentence what no dictionary has in small letters is a name. */
function noteFirstNames(reader: TermIds): void {
  const { calendar } = ofNames(reader.vocabulary);
  for (let at = 0; at < tally.size; at++) {
    if ((tally.notes[at]! & (HEAD | SMALL | NAMED)) !== HEAD) continue;
    const term = tally.terms[at]!;
    if (!isWord(placeOfHash(reader.hashes.of(term))) && calendar.of(term) === 0) tally.notes[at]! |= NAMED;
  }
}
/** "Kestrian" and "Kestria", "Iraqi" and "Iraq": who is of a place is named by it. */
const OF_PLACE = /(?:[ie]?an|[ie]a|a|i|es|ish)$/;
const SHORTEST_PLACE = 4;
function placed(name: string): number {
  const place = name.replace(OF_PLACE, "");
  return hashOf(place.length < SHORTEST_PLACE ? name : place);
}
const calendarTerms = lazily(() => new Set(terms(lexicon.names.calendar.join(" "))));
