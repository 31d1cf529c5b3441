import { atOnce, type Steps } from "../../work/turns.ts";
import { words, type Span, type Word } from "./words.ts";

/** A lexicon's hit in a text; `label` is the list it comes from, `first` and `last` are indexes of words. */
export interface Hit<Label extends string = string> extends Span {
  label: Label;
  term: string;
  first: number;
  last: number;
}

/**
 * A folded word; with `open`, any word with this beginning; with `after`, up to this many other words may stand before
 * it.
 */
interface Part {
  text: string;
  open: boolean;
  after: number;
}

interface Pattern<Label extends string> {
  label: Label;
  term: string;
  parts: readonly Part[];
  /** The phrase must be followed by a colon. */
  colon: boolean;
}

export interface PhraseIndex<Label extends string> {
  find(text: string, spoken: readonly Word[]): Hit<Label>[];
}

const PREFIX_KEY = 3;
const GAP = "…";
const WIDEST_GAP = 4;

/**
 * Finds every phrase of many word lists in one pass over a text's words; the cost does not grow with the length of the
 * lists. A term is words, each optionally with `*` for any ending, `…` for up to four words between two; a colon at its
 * end must stand in the text. Where terms of one list overlap, the longest at the leftmost place wins.
 */
export const phraseIndex = <Label extends string>(
  lists: Readonly<Record<Label, readonly string[]>>,
): PhraseIndex<Label> => atOnce(indexing(lists));

/**
 * Terms by their beginnings. Most terms of long lists never occur: only those looked up are kept compiled, the others
 * as they are written.
 */
class Beginnings<Label extends string> {
  /** For each beginning, the number of its last term, or all its terms, compiled. */
  readonly #found = new Map<string, number | readonly Pattern<Label>[]>();
  readonly #terms: string[] = [];
  readonly #labels: Label[] = [];
  /** For each term, the number of the previous term with the same beginning; -1 for the first. */
  readonly #before: number[] = [];
  readonly #parts: Parts = new Map();

  add(beginning: string, label: Label, term: string): void {
    this.#before.push((this.#found.get(beginning) as number | undefined) ?? -1);
    this.#labels.push(label);
    this.#found.set(beginning, this.#terms.push(term) - 1);
  }

  of(beginning: string): readonly Pattern<Label>[] | undefined {
    const found = this.#found.get(beginning);
    return typeof found === "number" ? this.#compiled(beginning, found) : found;
  }

  #compiled(beginning: string, last: number): readonly Pattern<Label>[] {
    const patterns: Pattern<Label>[] = [];
    for (let at = last; at >= 0; at = this.#before[at]!)
      patterns.push(compile(this.#labels[at]!, this.#terms[at]!, this.#parts));
    this.#found.set(beginning, patterns.reverse());
    return patterns;
  }
}

/** The same for lists that take long: one list a step. */
export function* indexing<Label extends string>(
  lists: Readonly<Record<Label, readonly string[]>>,
): Steps<PhraseIndex<Label>> {
  const known: Parts = new Map();
  const exact = new Beginnings<Label>();
  const open = new Beginnings<Label>();
  for (const [label, terms] of Object.entries(lists) as [Label, readonly string[]][]) {
    for (const term of terms) {
      const { parts } = compile(label, term, known);
      const [first] = parts;
      if (!first) throw new TypeError(`${label}: "${term}" holds no word`);
      if (first.open && first.text.length < PREFIX_KEY)
        throw new TypeError(`${label}: "${term}" is too short to be open`);
      if (first.open) open.add(first.text.slice(0, PREFIX_KEY), label, term);
      else exact.add(keyOf(parts), label, term);
    }
    yield;
  }

  return phrasesBy(exact, open);
}

function phrasesBy<Label extends string>(exact: Beginnings<Label>, open: Beginnings<Label>): PhraseIndex<Label> {
  return {
    find(text, spoken) {
      const hits: Hit<Label>[] = [];
      const covered = new Map<Label, number>();
      for (let at = 0; at < spoken.length; at += 1) {
        const word = spoken[at]!.text;
        const next = spoken[at + 1]?.text;
        const followed = next === undefined ? undefined : exact.of(`${word} ${next}`);
        const candidates = exact.of(word);
        const prefixed = word.length >= PREFIX_KEY ? open.of(word.slice(0, PREFIX_KEY)) : undefined;
        if (followed) consider(followed, at);
        if (candidates) consider(candidates, at);
        if (prefixed) consider(prefixed, at);
      }
      return hits;

      function consider(candidates: readonly Pattern<Label>[], at: number) {
        for (const pattern of candidates) {
          if (at < (covered.get(pattern.label) ?? -1)) continue;
          const last = lastOf(pattern, text, spoken, at);
          if (last < 0 || isPartOfLonger(pattern, candidates, text, spoken, at)) continue;
          covered.set(pattern.label, last + 1);
          const { start } = spoken[at]!,
            { end } = spoken[last]!;
          hits.push({ label: pattern.label, term: pattern.term, start, end, first: at, last });
        }
      }
    },
  };
}

/** Whether a longer term of the same list stands at the same place. */
const isPartOfLonger = <Label extends string>(
  { label, parts }: Pattern<Label>,
  candidates: readonly Pattern<Label>[],
  text: string,
  spoken: readonly Word[],
  at: number,
): boolean =>
  candidates.some(
    (other) => other.label === label && other.parts.length > parts.length && lastOf(other, text, spoken, at) >= 0,
  );

/** The first word of a term, and the second if it is fixed: few terms are checked for each word of a text. */
const keyOf = ([first, second]: readonly Part[]): string =>
  second && !second.open && second.after === 0 ? `${first!.text} ${second.text}` : first!.text;

/** Parts by their written form: long lists repeat few words. */
type Parts = Map<string, Part>;

function compile<Label extends string>(label: Label, term: string, known: Parts): Pattern<Label> {
  const parts = term.split(GAP).flatMap((piece, at) => partsOf(piece, at > 0 ? WIDEST_GAP : 0, known));
  return { label, term, parts, colon: term.endsWith(":") };
}

/** Lower-case ASCII letters need no folding. */
const PLAIN = /^ ?[a-z]+\*?(?:[ -][a-z]+\*?)* ?$/;

function partsOf(term: string, after: number, known: Parts): Part[] {
  const written = PLAIN.test(term) ? term.trim().split(/[ -]/) : writtenIn(term);
  return written.map((word, at) => {
    const gap = at === 0 ? after : 0;
    const key = gap ? `${GAP}${word}` : word;
    let part = known.get(key);
    if (!part) {
      const open = word.endsWith("*");
      known.set(key, (part = { text: open ? word.slice(0, -1) : word, open, after: gap }));
    }
    return part;
  });
}

function writtenIn(term: string): string[] {
  let stars = 0;
  // Offsets in the term without stars; a star after a word stands directly at its end once earlier stars are counted
  // again.
  return words(term.replace(/\*/g, "")).map(({ text, end }) => {
    const isOpen = term[end + stars] === "*";
    if (isOpen) stars += 1;
    return isOpen ? `${text}*` : text;
  });
}

/** The index of the last word of a term that begins at a word; -1 where it does not match there. */
function lastOf({ parts, colon }: Pattern<string>, text: string, spoken: readonly Word[], from: number): number {
  let at = from;
  for (const [part, wanted] of parts.entries()) {
    let left = wanted.after;
    while (!isPart(wanted, spoken[at]) && left > 0 && spoken[at] && !isBroken(text, spoken, at)) {
      at += 1;
      left -= 1;
    }
    if (!isPart(wanted, spoken[at]) || (part > 0 && isBroken(text, spoken, at))) return -1;
    at += 1;
  }
  return !colon || text[spoken[at - 1]!.end] === ":" ? at - 1 : -1;
}

const isPart = ({ text, open }: Part, word: Word | undefined): boolean =>
  word !== undefined && (open ? word.text.startsWith(text) : word.text === text);

/** A phrase does not cross the end of a sentence. */
const isBroken = (text: string, spoken: readonly Word[], at: number): boolean =>
  /[.!?;]\s/.test(text.slice(spoken[at - 1]!.end, spoken[at]!.start));
