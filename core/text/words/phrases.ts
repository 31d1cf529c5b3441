import { words, type Span, type Word } from "./words.ts";

/** A lexicon's hit in a text; `label` is the list it comes from, `first` and `last` are indexes of words. */
export interface Hit<Label extends string = string> extends Span {
  label: Label;
  term: string;
  first: number;
  last: number;
}

interface Pattern<Label extends string> {
  label: Label;
  term: string;
  /** Folded words; with `open`, a word begins so and may go on. */
  parts: { text: string; open: boolean }[];
  /** The phrase must be followed by a colon. */
  colon: boolean;
}

export interface PhraseIndex<Label extends string> {
  find(text: string, spoken: readonly Word[]): Hit<Label>[];
}

const PREFIX_KEY = 3;

/**
 * Finds every phrase of many word lists in one pass over a text's words; the cost does not grow with the length of the
 * lists. A term is words, each optionally with `*` for any ending; a colon at its end must stand in the text. Where
 * terms of one list overlap, the longest at the leftmost place wins.
 */
export function phraseIndex<Label extends string>(
  lists: Readonly<Record<Label, readonly string[]>>,
): PhraseIndex<Label> {
  const exact = new Map<string, Pattern<Label>[]>();
  const open = new Map<string, Pattern<Label>[]>();
  for (const [label, terms] of Object.entries(lists) as [Label, readonly string[]][]) {
    for (const term of terms) {
      const pattern = compile(label, term);
      const [first] = pattern.parts;
      if (!first) throw new TypeError(`${label}: "${term}" holds no word`);
      if (first.open && first.text.length < PREFIX_KEY)
        throw new TypeError(`${label}: "${term}" is too short to be open`);
      const [map, key] = first.open
        ? ([open, first.text.slice(0, PREFIX_KEY)] as const)
        : ([exact, first.text] as const);
      map.set(key, [...(map.get(key) ?? []), pattern]);
    }
  }

  return {
    find(text, spoken) {
      const hits: Hit<Label>[] = [];
      const covered = new Map<Label, number>();
      for (let at = 0; at < spoken.length; at += 1) {
        const word = spoken[at]!.text;
        const candidates = exact.get(word);
        const prefixed = word.length >= PREFIX_KEY ? open.get(word.slice(0, PREFIX_KEY)) : undefined;
        if (candidates) consider(candidates, at);
        if (prefixed) consider(prefixed, at);
      }
      return hits;

      function consider(candidates: readonly Pattern<Label>[], at: number) {
        for (const pattern of candidates) {
          const last = at + pattern.parts.length - 1;
          if (at < (covered.get(pattern.label) ?? -1) || !matches(pattern, text, spoken, at)) continue;
          const longer = candidates.some(
            (other) =>
              other.label === pattern.label &&
              other.parts.length > pattern.parts.length &&
              matches(other, text, spoken, at),
          );
          if (longer) continue;
          covered.set(pattern.label, last + 1);
          hits.push({
            label: pattern.label,
            term: pattern.term,
            start: spoken[at]!.start,
            end: spoken[last]!.end,
            first: at,
            last,
          });
        }
      }
    },
  };
}

function compile<Label extends string>(label: Label, term: string): Pattern<Label> {
  const parts = words(term.replace(/\*/g, "")).map(({ text, end }) => ({ text, end }));
  let stars = 0;
  // Offsets in the term without stars; a star behind a word stands right at its end once earlier stars are put back.
  const opened = parts.map(({ text, end }) => {
    const open = term[end + stars] === "*";
    if (open) stars += 1;
    return { text, open };
  });
  return { label, term, parts: opened, colon: term.endsWith(":") };
}

function matches(pattern: Pattern<string>, text: string, spoken: readonly Word[], at: number): boolean {
  for (let part = 0; part < pattern.parts.length; part += 1) {
    const word = spoken[at + part];
    const wanted = pattern.parts[part]!;
    if (!word || (wanted.open ? !word.text.startsWith(wanted.text) : word.text !== wanted.text)) return false;
    // A phrase does not reach over the end of a sentence.
    if (part > 0 && /[.!?;]\s/.test(text.slice(spoken[at + part - 1]!.end, word.start))) return false;
  }
  return !pattern.colon || text[spoken[at + pattern.parts.length - 1]!.end] === ":";
}
