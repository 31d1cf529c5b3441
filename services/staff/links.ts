import { withoutTrailing } from "../../core/text/plain.ts";

/** A run of signs without a space that is longer than this is no prose, and nobody's link. */
const MOST_RUN = 1_000;
const LEFT_OUT = "[link removed]";

/** A character at which a link ends at the latest, so that what stands before it can be judged. */
const ENDS_RUN = /[\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
/** Marks that hide words from people, or turn them round; joiners, which writing needs, stay. */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]/gu;
/**
 * Where a page could make a link of what stands there: two slashes, a scheme, a name with a path, an address. A word
 * before a colon (`profile:`, `the data:`) is prose.
 */
const MARK = /\/\/|www\.|\b(?:javascript|data|vbscript|file|blob|mailto|tel):(?=[^\])}.,;:!?])|\.[a-z]{2,63}\/|@[\w-]/i;
/** What may stand before such a mark, and belongs to it: a scheme, a name. */
const BEFORE = /[\w+.:-]/;
/** What ends a sentence or a bracket behind a link is no part of it. */
const AFTER = new Set(")].,;:!?");

/** The link in a part without spaces, if there is one: it goes on to the part's end. */
function linkIn(part: string): { start: number; end: number } | undefined {
  const mark = MARK.exec(part);
  if (!mark) return undefined;
  let start = mark.index;
  while (start > 0 && BEFORE.test(part[start - 1]!)) start -= 1;
  let end = part.length;
  while (end > start && AFTER.has(part[end - 1]!)) end -= 1;
  return { start, end };
}

/**
 * Lets through what a model writes, piece by piece, as plain text: of links those to `allowed` addresses, word for
 * word; images, HTML and every other address never. Of `[n]` those that name a source. Pieces may be cut anywhere: the
 * text that comes out is the same.
 */
export class PlainText {
  readonly #allowed: ReadonlySet<string>;
  readonly #sources: ReadonlySet<number>;
  /** Since the last space: not judged yet. */
  #run = "";
  #isSkipping = false;

  constructor(allowed: Iterable<string>, sources: Iterable<number>) {
    this.#allowed = new Set(allowed);
    this.#sources = new Set(sources);
  }

  push(piece: string): string {
    let out = "";
    for (const character of piece) {
      if (!ENDS_RUN.test(character)) {
        if (!this.#isSkipping) this.#run += character;
        if (this.#run.length > MOST_RUN) {
          this.#run = "";
          this.#isSkipping = true;
          out += "[…]";
        }
        continue;
      }
      out += this.#judged() + character.replace(INVISIBLE, "");
      this.#isSkipping = false;
    }
    return out;
  }

  /** What is left at the end. */
  end(): string {
    this.#isSkipping = false;
    return this.#judged();
  }

  #checked(part: string): string {
    const found = linkIn(part);
    if (!found) return part;
    const link = part.slice(found.start, found.end);
    return part.slice(0, found.start) + (this.#allowed.has(link) ? link : LEFT_OUT) + part.slice(found.end);
  }

  #judged(): string {
    const run = this.#run.replace(INVISIBLE, "");
    this.#run = "";
    return (
      run
        // First, so that what it parted is judged together.
        .replace(/\[(\d{1,3})\]/g, (mark, n: string) => (this.#sources.has(Number(n)) ? mark : ""))
        .split(/([<>"'])/)
        .map((part) => this.#checked(part))
        .join("")
        .split("[")
        .map((part, at, { length }) => (at < length - 1 ? withoutTrailing(part, "!") : part))
        .join("[")
        .replace(/\](?=[(:])/g, "] ")
        .replace(/<(?=[a-z/!?])/gi, "‹")
    );
  }
}

/** Numbers of the sources that a text names, each once, in its order. */
export const citedNumbers = (text: string): number[] => [
  ...new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n))),
];
