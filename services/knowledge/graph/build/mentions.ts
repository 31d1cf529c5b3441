import { aliasOf, isCountry, names } from "../../../../core/text/statements/names.ts";
import { currencyOf } from "../../../../core/text/statements/figures/units.ts";
import { wholeEnd } from "../../../../core/text/cutting.ts";
import { sentences, type Sentence } from "../../../../core/text/words/sentences.ts";
import { isFunctionWord } from "../../../../core/text/words/stop-words.ts";
import { languagesListing } from "../../../../core/text/language.ts";
import { fold, words, type Span } from "../../../../core/text/words/words.ts";
import type { Steps } from "../../../../core/work/turns.ts";
import { spansIn } from "./spans.ts";
import { isCollective } from "./relating/tokens.ts";
import { isCalledSo } from "./typing/surroundings.ts";
import { headType, isFirstName, isGeneric, isLeading, knownNames } from "./typing/cues.ts";
import type { Sign } from "./typing/signs.ts";
import { signsOf, typeBy } from "./typing/typing.ts";

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
  foreign: "Its text is in a language that the rules do not read, and the name itself does not tell what it is.",
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

/** "Carlos Vega keeps", "United Airlines cancelled": what begins a sentence and is a name by its first or last word. */
function openingWith(text: string, spoken: Sentence["words"]): string[] {
  // "Skanova, a telecoms group, has": said to be something.
  if (spoken[1] && isCalledSo(text.slice(spoken[0]!.end, spoken[0]!.end + 60)) && !isFunctionWord(spoken[0]!.text))
    return spoken[0]!.capital ? [spoken[0]!.text] : [];
  let last = 0;
  while (spoken[last + 1]?.capital && spoken[last + 1]!.start === spoken[last]!.end + 1 && last < MOST_WORDS) last += 1;
  if (last === 0 || !spoken[0]!.capital) return [];
  const whole = spoken
    .slice(0, last + 1)
    .map(({ text }) => text)
    .join(" ");
  if (isLeading(spoken[0]!.text)) return [whole];
  // "Claus Weselsky", no "Rebels": a name may end as plurals do.
  if (spoken[0]!.text.endsWith("s") && last < 4 && !isCollective(spoken[0]!.text) && !isFunctionWord(spoken[0]!.text))
    return [whole];
  if (isFirstName(spoken[0]!.text)) return last < 4 ? [whole, spoken[last]!.text] : [];
  return headType(spoken[last]!.text) === "organisation" && !isGeneric(spoken[0]!.text) && !LATER.has(spoken[0]!.text)
    ? [whole]
    : [];
}
const LATER = new Set("former new old senior acting visiting striking outgoing incoming leading".split(" "));

/** What is known as a name at the head of a sentence too: as it stands elsewhere, or the last word of such a one. */
function* knownIn(text: string, all: readonly Sentence[]): Steps<Set<string>> {
  const known = new Set(knownNames());
  for (const { words: spoken } of all) {
    for (const { key, start } of names(text, spoken))
      if (spoken[0] && start > spoken[0].start)
        for (const one of [key, ...key.split(" of ").map((part) => part.slice(part.lastIndexOf(" ") + 1))])
          if (one.length > 2) known.add(one);
    for (const one of openingWith(text, spoken)) known.add(one);
    yield;
  }
  return known;
}

export interface ReadText {
  sentences: Sentence[];
  mentions: Mention[];
  leftOut: LeftOut[];
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

/** "the towns of Krsno and Brezje": what is named in one breath is of one type, where nothing else tells. */
function nameTogether(text: string, mentions: readonly Mention[]): void {
  for (const [at, one] of mentions.entries()) {
    const next = mentions[at + 1];
    if (!next || next.sentence !== one.sentence || one.signs.length > 0 === next.signs.length > 0) continue;
    if (!/^,? (?:and|or) (?:the )?$/.test(text.slice(one.end, next.start))) continue;
    const [bare, told] = one.signs.length === 0 ? [one, next] : [next, one];
    const { type } = typeBy(told.signs);
    if (type !== "other" && type !== "person") bare.signs.push({ type, weight: 0.8, reason: "named together" });
  }
}

/** Without the article before it: "Die Firma Hansen". */
function withoutArticle(text: string, { start, end }: Span): Span {
  const first = /^\p{L}+(?= )/u.exec(text.slice(start, end))?.[0];
  return first && languagesListing(fold(first)).length ? { start: start + first.length + 1, end } : { start, end };
}

/** Whether nothing but capitals speaks for what it is: with them other languages write common words, too. */
const isByForm = ({ signs }: Mention): boolean => signs.length > 0 && typeBy(signs).reason === "form";

/**
 * All names of a text with what speaks for their types; `skipped` are parts that are no running text. Of a foreign text
 * only those that tell by themselves what they are.
 */
export function* mentionsIn(text: string, skipped: readonly Span[] = [], isForeign = false): Steps<ReadText> {
  const all = yield* sentencesOf(text);
  const small = smallWords(all);
  const known = yield* knownIn(text, all);
  const mentions: Mention[] = [];
  const leftOut: LeftOut[] = [];
  for (const [at, sentence] of all.entries()) {
    yield;
    const isHeading = isShouted(sentence.text);
    const isSkipped = skipped.some(({ start, end }) => sentence.start >= start && sentence.start < end);
    for (const found of spansIn(text, sentence, known)) {
      const span = isForeign ? withoutArticle(text, found) : found;
      const mention = mentionAt(text, span, sentence, at);
      if (!mention.key) continue;
      const unread = isSkipped ? "running-head" : isHeading ? "heading" : undefined;
      const reason =
        unread ?? refusal(mention, sentence, small) ?? (isForeign && isByForm(mention) ? "foreign" : undefined);
      if (reason) leftOut.push({ ...span, text: mention.text, reason, times: 1 });
      else mentions.push(mention);
    }
  }
  nameTogether(text, mentions);
  return { sentences: all, mentions, leftOut };
}
