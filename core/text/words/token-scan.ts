/**
 * Finds where words with given tokens may stand in a text, without splitting it into words: by searching for the
 * letters with which such words must begin, which the engine does many characters at a time. So a snippet costs a few
 * words, not the whole text.
 */
const SPACE = 32,
  LAST_ASCII = 127,
  DIGIT_0 = 48,
  DIGIT_9 = 57;
const isAlphanumeric = (code: number): boolean => (code >= 97 && code <= 122) || (code >= DIGIT_0 && code <= DIGIT_9);
const NOT_ASCII = /[^\x00-\x7f]/g;

/** The next place from `from` on in a lower-case text; Infinity where there is none. */
type Finder = (lower: string, from: number) => number;

/**
 * The beginnings of words with this token: a stem has its word's letters except perhaps the last ("relate" of
 * "relational"), apart from "die", "lie" and "tie" of "dying" and the like. Cut at non-ASCII.
 */
export function beginnings(token: string): string[] {
  const start = /^[\x00-\x7f]*/.exec(token)![0].slice(0, Math.max(2, token.length - 1));
  return start.endsWith("i") ? [start, `${start.slice(0, -1)}y`] : start === "" ? [] : [start];
}

/** Finds words with this beginning that no letter or digit precedes. */
const beginningWith =
  (start: string): Finder =>
  (lower, from) => {
    let at = lower.indexOf(start, from);
    while (at > 0 && isAlphanumeric(lower.charCodeAt(at - 1))) at = lower.indexOf(start, at + 1);
    return at < 0 ? Infinity : at;
  };

/** Finds signs inside words, since "u.s" is folded to "us" and "1,000" to "1000". */
const signInside =
  (sign: string): Finder =>
  (lower, from) => {
    let at = lower.indexOf(sign, from);
    while (at >= 0 && !isAlphanumeric(lower.charCodeAt(at + 1))) at = lower.indexOf(sign, at + 1);
    return at < 0 ? Infinity : at;
  };

/** Non-ASCII characters may fold to anything, so each is checked. */
const notAscii: Finder = (lower, from) => {
  NOT_ASCII.lastIndex = from;
  return NOT_ASCII.test(lower) ? NOT_ASCII.lastIndex - 1 : Infinity;
};

export class TokenScan {
  readonly #finders: Finder[];
  /** The ASCII characters with which relevant words begin. */
  readonly #firsts = new Uint8Array(LAST_ASCII + 1);

  /** `tokens`: folded words, their stems, or beginnings of either. */
  constructor(tokens: readonly string[]) {
    const starts = new Set(tokens.flatMap(beginnings));
    this.#finders = [
      ...Array.from(starts, beginningWith),
      signInside("."),
      ...(tokens.some((token) => /\d/.test(token)) ? [signInside(",")] : []),
    ];
    for (const start of starts) for (const first of [start, start.toUpperCase()]) this.#firsts[first.charCodeAt(0)] = 1;
  }

  /** Whether the word at `start` may have one of the tokens, by its first character alone. */
  mayBegin(text: string, start: number): boolean {
    const code = text.charCodeAt(start);
    return code > LAST_ASCII || this.#firsts[code] === 1;
  }

  /**
   * Calls `visit` for each part between two blanks that may contain a word with one of the tokens, in order: no word
   * contains a blank.
   */
  eachStretch(text: string, visit: (begin: number, end: number) => void): void {
    const lower = text.toLowerCase();
    // A dotted capital I becomes two characters.
    if (lower.length !== text.length) return visit(0, text.length);
    const finders = Buffer.byteLength(text) === text.length ? this.#finders : [...this.#finders, notAscii];
    const next = finders.map((find) => find(lower, 0));
    for (let at = Math.min(...next); at < text.length; at = Math.min(...next)) {
      let begin = at,
        end = at;
      while (begin > 0 && text.charCodeAt(begin - 1) > SPACE) begin--;
      while (end < text.length && text.charCodeAt(end) > SPACE) end++;
      visit(begin, end);
      for (let one = 0; one < next.length; one++) if (next[one]! < end) next[one] = finders[one]!(lower, end);
    }
  }
}
