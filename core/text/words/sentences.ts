import { lazily, lexicon } from "../lexicon.ts";
import { isFunctionWord } from "./stop-words.ts";
import { fold, words, type Span, type Word } from "./words.ts";

/** A sentence with its place: `text.slice(start, end)`. */
export interface Sentence extends Span {
  text: string;
  /** Its words, offsets into the whole text. */
  words: readonly Word[];
}

const lists = lazily(() => {
  const { titles, numbered, months, closing, either, starters } = lexicon.sentences;
  return {
    titles: new Set(titles),
    numbered: new Set([...numbered, ...months]),
    closing: new Set(closing),
    either: new Set(either),
    starters: new Set(starters),
    calendar: new Set(lexicon.names.calendar),
  };
});

/**
 * No real sentence is that long; a text without full stops is cut, so that work that is quadratic in a sentence's
 * length stays small.
 */
const MOST_WORDS = 200;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * The bounds of a text's sentences: by Unicode's rules (UAX #29, from ICU), corrected where they split wrongly:
 * abbreviations ("Dr. Smith", "No. 5", "the U.S. economy"), initials, and lines wrapped in the middle of a sentence; and
 * ended where they see no end, before a number.
 */
export function* sentenceSpans(text: string): Generator<Span> {
  let from = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    for (const end of boundsIn(segment, index)) {
      if (end < text.length && !ends(text, from, end)) continue;
      const span = trimmed(text, from, end);
      if (span) yield span;
      from = end;
    }
  }
}

/** Unicode's rules see no end before a number that a lower-case word follows: "The dyke holds. 120 people left." */
const BEFORE_NUMBER = /(?<!\p{L})(\p{L}{2,})\.["'”’)\]]* (?=\d)/gu;
function boundsIn(segment: string, index: number): number[] {
  const end = index + segment.length;
  if (!WITH_NUMBER.test(segment)) return [end];
  const bounds: number[] = [];
  for (const { 0: stop, 1: word = "", index: at } of segment.matchAll(BEFORE_NUMBER))
    if (word.length > 2 || isFunctionWord(fold(word))) bounds.push(index + at + stop.length);
  return [...bounds, end];
}
const WITH_NUMBER = /[.)"'”’\]] \d/;

/** The sentences of a text with their words; `spoken` are the words of the whole text. */
export const sentences = (text: string, spoken: readonly Word[] = words(text)): Sentence[] => [
  ...eachSentence(text, spoken),
];

/** The text of the first sentence, without splitting the rest; empty where there is none. */
export function firstSentence(text: string): string {
  const span = plainSpan(text) ?? sentenceSpans(text).next().value;
  const first = span ? text.slice(span.start, span.end) : "";
  const isWhole = first.length < 2 * MOST_WORDS && SPACED.test(first);
  return isWhole ? first : (eachSentence(text, words(text)).next().value?.text ?? "");
}
/**
 * By Unicode's rules too, an ASCII sentence ends at the first lower-case letter, full stop, blank and capital in a row.
 * Most sentences do, and asking the segmenter for one costs more than everything else.
 */
const PLAIN_END = /^[^.!?\r\n\x80-\uffff]*[a-z]\. (?=[A-Z])/;
function plainSpan(text: string): Span | undefined {
  const end = PLAIN_END.exec(text)?.[0].length ?? 0;
  return end > 0 && ends(text, 0, end) ? trimmed(text, 0, end) : undefined;
}

/** Scripts and signs with at least two characters a word, separators included. */
const SPACED = /^[\0-\u0dff\u2010-\u206f]*$/;

function* eachSentence(text: string, spoken: readonly Word[]): Generator<Sentence, undefined> {
  let word = 0;
  for (const { start, end } of sentenceSpans(text)) {
    const last = wordsBefore(spoken, word, end);
    let from = start;
    for (let first = word; first === word || first < last; first += MOST_WORDS) {
      const to = first + MOST_WORDS < last ? spoken[first + MOST_WORDS]!.start : end;
      const piece = trimmed(text, from, to);
      if (piece)
        yield {
          text: text.slice(piece.start, piece.end),
          ...piece,
          words: spoken.slice(first, Math.min(last, first + MOST_WORDS)),
        };
      from = to;
    }
    word = last;
  }
  return undefined;
}

function wordsBefore(spoken: readonly Word[], from: number, end: number): number {
  let at = from;
  while (at < spoken.length && spoken[at]!.start < end) at += 1;
  return at;
}

function trimmed(text: string, from: number, to: number): Span | undefined {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end > start ? { start, end } : undefined;
}

const isSpace = (code: number) =>
  code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x2028 || code === 0x2029;

/** Whether a boundary that Unicode sees at `end` is the end of a sentence. */
function ends(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(start, end - 40), end);
  const [, after = "", second = ""] = /^[\s"'“‘([]*(\S*)\s*(\S?)/.exec(text.slice(end, end + 40)) ?? [];
  const told = before.trimEnd();
  const gap = before.slice(told.length).replace(/\r\n?|[\u2028\u2029]/g, "\n");
  if (gap.indexOf("\n") !== gap.lastIndexOf("\n")) return true;
  // “Stop!” she said.
  if (/[!?…]["'”’)\]]*$/.test(told)) return !/^\p{Ll}\p{Ll}/u.test(after);
  // A single line break in running text: the sentence continues if the next line begins in lower case.
  if (gap.includes("\n") && told !== "" && !told.endsWith(".")) return !/^\p{Ll}/u.test(after);
  const abbreviation = beforeFullStop(told);
  return abbreviation === undefined || endsAfter(abbreviation, told, after, second);
}

/**
 * The word before a final full stop, with the initials that belong to it: "Dr", "e.g", "U.S"; undefined where that is
 * no word.
 */
function beforeFullStop(told: string): string | undefined {
  if (!told.endsWith(".")) return undefined;
  const parts = told
    .slice(0, -1)
    .split(/[^\p{L}.]/u)
    .at(-1)!
    .split(".");
  const torn = parts.findLastIndex((part, at) => at < parts.length - 1 && !/^\p{L}$/u.test(part));
  return parts.slice(torn + 1).join(".") || undefined;
}

/** Whether a sentence ends with an abbreviation, by the next word and the first character of the one after. */
function endsAfter(written: string, told: string, after: string, second: string): boolean {
  const abbreviation = fold(written);
  const next = fold(/^.*\p{L}/su.exec(after)?.[0] ?? "");
  if (lists().titles.has(abbreviation) && /\p{Lu}/u.test(written)) return false;
  if (lists().numbered.has(abbreviation) && /^\d/.test(after)) return false;
  // An initial: "J. Smith", but not the "I" that ends "so did I.".
  if (abbreviation.length === 1 && abbreviation !== "i" && /(?:^|\s)\p{Lu}\.$/u.test(told)) return false;
  const isClosing = lists().closing.has(abbreviation);
  if (!isClosing && !lists().either.has(abbreviation) && !/^(?:\p{L}\.)+\p{L}$/u.test(abbreviation)) return true;
  if (after === "" || lists().starters.has(next)) return true;
  // "... of Acme Inc. Nobody came", but not "Acme Inc. Chief Executive" and "at 6 a.m. Friday".
  return isClosing && /^\p{Lu}/u.test(after) && /^\p{Ll}/u.test(second) && !lists().calendar.has(next);
}
