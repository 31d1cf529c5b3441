/** V8 lets a substring of this many characters or more keep the whole text that it was cut from in memory. */
const SHARED = 13;

/** A copy that keeps no larger text in memory: for values that outlive their text. */
export const ownCopy = (cut: string): string =>
  cut.length < SHARED ? cut : Buffer.from(cut, "utf16le").toString("utf16le");

/** Longer ones are too rare to be worth their memory. */
const LONGEST = 32;

/**
 * The same function of a word with a cache of its answers: a few megabytes. When it is full, the half that was not used
 * since the last time is dropped: frequent words stay, however many rare ones there are.
 */
export function remembering<T>(answer: (word: string) => T, most = 30_000): (word: string) => T {
  let known = new Map<string, T>();
  let earlier = new Map<string, T>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (word.length > LONGEST) return answer(word);
    const before = earlier.get(word);
    const own = ownCopy(word),
      made = before === undefined ? answer(own) : before;
    if (known.size >= most / 2) [earlier, known] = [known, new Map()];
    known.set(own, made);
    return made;
  };
}

/** Values made from recent texts, as long as these have no more than this many characters together. */
export class RecentTexts<T extends object> {
  readonly #known = new Map<string, T>();
  readonly #most: number;
  #characters = 0;

  constructor(mostCharacters: number) {
    this.#most = mostCharacters;
  }

  /** Keyed by the text itself, so that an edited text is another one. */
  of(text: string, make: () => T): T {
    return this.known(text) ?? this.keep(text, make());
  }

  /** What was made from a text, if it is still known; it counts as the most recent one then. */
  known(text: string): T | undefined {
    const known = this.#known.get(text);
    if (!known) return undefined;
    this.#known.delete(text);
    this.#known.set(text, known);
    return known;
  }

  /** Keeps what was made from a text that is not known, and drops the oldest of what is too much. */
  keep(text: string, made: T): T {
    if (!this.#known.has(text)) this.#characters += text.length;
    this.#known.set(text, made);
    for (const oldest of this.#known.keys()) {
      if (this.#characters <= this.#most) break;
      this.#known.delete(oldest);
      this.#characters -= oldest.length;
    }
    return made;
  }
}
