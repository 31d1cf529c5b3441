import { aliasOf, isCountry, names } from "../../../../core/text/statements/names.ts";
import { currencyOf } from "../../../../core/text/statements/figures/units.ts";
import { wholeEnd } from "../../../../core/text/cutting.ts";
import { sentences, type Sentence } from "../../../../core/text/words/sentences.ts";
import { fold, words, type Span } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { headType, isGeneric, isTitle, knownNames, personOf, signsOf, type Sign } from "./typing.ts";

/** A name in a text, with what speaks for its type there. */
export interface Mention extends Span {
  text: string;
  key: string;
  /** Which sentence of the text it stands in. */
  sentence: number;
  signs: Sign[];
  /** Words of its sentence before and behind it. */
  before: string;
  after: string;
}

export const REASONS = {
  generic: "It is a word of headings, dates or pages, not a name.",
  heading: "It stands in a line of capitals, where nothing tells a name.",
  "common-word": "The text writes it small elsewhere: a word at the head of a sentence, or in capitals.",
  "too-long": "No name is that long: a run of capitalised words.",
  "not-known": "Named once, or at the head of sentences alone, and nothing tells what it is.",
  "too-many": "The text names more than is taken in; the least named ones are left out.",
  "running-head": "It stands in what is repeated on each page.",
} as const;
export type LeftOutReason = keyof typeof REASONS;

/** What was seen and is not in the graph, and why. */
export interface LeftOut extends Span {
  text: string;
  reason: LeftOutReason;
  times: number;
}

const LONGEST_NAME = 100;
const MOST_WORDS = 9;
const CONTEXT = 120;

/** A text in pieces that a reader takes in at once, cut between paragraphs where there are any. */
const PIECE = 40_000;
function* piecesOf(text: string): Generator<Span> {
  for (let start = 0; start < text.length;) {
    let end = wholeEnd(text, Math.min(start + PIECE, text.length));
    if (end < text.length) {
      const cut = Math.max(text.lastIndexOf("\n", end), text.lastIndexOf(". ", end) + 1);
      if (cut > start + PIECE / 2) end = cut;
    }
    yield { start, end };
    start = end;
  }
}

const isShouted = (text: string): boolean => {
  const letters = text.replace(/[^\p{L}]/gu, "");
  return letters.length > 12 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
};

/** The sentences of a text of any length, with offsets into all of it. */
export function* sentencesOf(text: string): Steps<Sentence[]> {
  const all: Sentence[] = [];
  for (const { start, end } of piecesOf(text)) {
    for (const one of sentences(text.slice(start, end)))
      all.push({
        text: one.text,
        start: one.start + start,
        end: one.end + start,
        words: one.words.map((word) => ({ ...word, start: word.start + start, end: word.end + start })),
      });
    yield;
  }
  return all;
}

/** Words that the text writes small, and how often: a name is seldom among them. */
function smallWords(all: readonly Sentence[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { words: spoken } of all)
    for (const word of spoken) if (!word.capital) counts.set(word.text, (counts.get(word.text) ?? 0) + 1);
  return counts;
}

function refusal(
  { text, key, start, before, after }: Mention,
  sentence: Sentence,
  small: ReadonlyMap<string, number>,
): LeftOutReason | undefined {
  if (text.length > LONGEST_NAME || key.split(" ").length > MOST_WORDS) return "too-long";
  if (isGeneric(key)) return "generic";
  // "EUR 48,000", "48,000 EUR".
  if (currencyOf(key) !== undefined && (/^\s?\d/.test(after) || /\d\s?$/.test(before))) return "generic";
  if (key.includes(" ")) return undefined;
  const isFirst = start === sentence.words[0]?.start || text === text.toUpperCase();
  if (isFirst && !isCountry(key) && aliasOf(key) === undefined && small.has(key)) return "common-word";
  return undefined;
}

/** "Foreign Minister", "Deputy Director": words that go before a title. */
const QUALIFIERS = new Set("foreign interior finance defence defense prime vice deputy chief former acting".split(" "));

/** What stands before a name and is none of it: an article, titles. */
function leadIn(text: string): number {
  let at = /^(?:the|The) /.exec(text)?.[0].length ?? 0;
  for (;;) {
    const word = /^(\p{L}+)\.? (?=\p{Lu})/u.exec(text.slice(at));
    if (!word) return at;
    if (isGeneric(fold(word[1]!))) {
      at += word[0].length;
      continue;
    }
    const next = /^\p{L}+/u.exec(text.slice(at + word[0].length))?.[0] ?? "";
    const isOffice = QUALIFIERS.has(fold(word[1]!)) && isTitle(fold(next));
    if (!isTitle(fold(word[1]!)) && !isOffice) return at;
    at += word[0].length;
  }
}

/** Whether a name may begin with this word and an "of": "Bank of England", "Republic of Oru". */
const isHead = (word: string): boolean => headType(word) !== undefined || isCountry(word) || HEADS.has(word);
const HEADS = new Set(["republic", "kingdom", "union", "state", "states", "house", "isle", "duke", "gulf", "bay"]);
const NUMBER = /\b\d{1,4}(?:st|nd|rd|th)? $/;
const MODEL = /(?<![\w-])[A-Z]{1,4}-\d{1,3}[A-Z]{0,2}(?![\w-])/g;

/** The names in what the reader of names takes for one: without titles, with its number, apart where two are joined. */
function* partsOf(text: string, { start, end }: Span, from: number): Generator<Span> {
  let first = start + leadIn(text.slice(start, end));
  // "Rebels of the Front": a sentence begins large.
  const opener = start === from ? /^(\p{L}+) of (?:the )?(?=\p{Lu})/u.exec(text.slice(start, end)) : null;
  if (opener && !isHead(fold(opener[1]!))) first = start + opener[0].length;
  const written = text.slice(first, end);
  const two = personOf(written, text.slice(from, first));
  if (two) {
    yield { start: first, end: first + two.length };
    yield { start: first + two.rest, end };
    return;
  }
  const number = NUMBER.exec(text.slice(Math.max(from, first - 8), first));
  if (
    number &&
    fold(written)
      .split(" ")
      .some((word) => headType(word) === "unit")
  )
    first -= number[0].length;
  if (first < end) yield { start: first, end };
}

/** What is known as a name at the head of a sentence too: as it stands elsewhere, or the last word of such a one. */
function* knownIn(text: string, all: readonly Sentence[]): Steps<Set<string>> {
  const known = new Set(knownNames());
  for (const { words: spoken } of all) {
    for (const { key, start } of names(text, spoken))
      if (spoken[0] && start > spoken[0].start)
        for (const one of [key, ...key.split(" of ").map((part) => part.slice(part.lastIndexOf(" ") + 1))])
          if (one.length > 2) known.add(one);
    yield;
  }
  return known;
}

export interface ReadText {
  sentences: Sentence[];
  mentions: Mention[];
  leftOut: LeftOut[];
}

/** The names of one sentence; `known` are those that count at its head. */
function spansIn(text: string, sentence: Sentence, known: ReadonlySet<string>): Span[] {
  const named = names(text, sentence.words, known).flatMap((name) => [...partsOf(text, name, sentence.start)]);
  for (const { 0: model, index } of sentence.text.matchAll(MODEL)) {
    const start = sentence.start + index;
    const end = start + model.length;
    if (!named.some((name) => name.start < end && name.end > start)) named.push({ start, end });
  }
  return named.sort((one, other) => one.start - other.start);
}

const keyOf = (written: string): string => {
  const folded = words(written)
    .map((word) => word.text)
    .join(" ");
  return aliasOf(folded) ?? folded;
};

/** A name where it stands, with what speaks for its type there. */
export function mentionAt(text: string, { start, end }: Span, sentence: Sentence, which: number): Mention {
  const written = text.slice(start, end);
  const key = keyOf(written);
  const before = text.slice(Math.max(sentence.start, start - CONTEXT), start);
  const after = text.slice(end, Math.min(sentence.end, end + CONTEXT));
  return {
    text: written,
    key,
    start,
    end,
    sentence: which,
    before,
    after,
    signs: signsOf({ text: written, key, before, after }),
  };
}

/** All names of a text with what speaks for their types; `skipped` are parts that are no running text. */
export function* mentionsIn(text: string, skipped: readonly Span[] = []): Steps<ReadText> {
  const all = yield* sentencesOf(text);
  const small = smallWords(all);
  const known = yield* knownIn(text, all);
  const mentions: Mention[] = [];
  const leftOut: LeftOut[] = [];
  for (const [at, sentence] of all.entries()) {
    yield;
    const isHeading = isShouted(sentence.text);
    const isSkipped = skipped.some(({ start, end }) => sentence.start >= start && sentence.start < end);
    for (const span of spansIn(text, sentence, known)) {
      const mention = mentionAt(text, span, sentence, at);
      if (!mention.key) continue;
      const unread = isSkipped ? "running-head" : isHeading ? "heading" : undefined;
      const reason = unread ?? refusal(mention, sentence, small);
      if (reason) leftOut.push({ ...span, text: mention.text, reason, times: 1 });
      else mentions.push(mention);
    }
  }
  return { sentences: all, mentions, leftOut };
}
