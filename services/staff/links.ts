import { withoutTrailing } from "../../core/text/plain.ts";

/** A longer run of characters without a space is no prose, and no link. */
const MOST_RUN = 1_000;
const LEFT_OUT = "[link removed]";

/** A link ends at the latest at such a character, so that the text before it can be judged. */
const ENDS_RUN = /[\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
/** Marks that hide or reverse text; joiners, which scripts need, stay. */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]/gu;
/**
 * Where a page could make a link of the text: two slashes, a scheme, a host with a path, an address. A word before a
 * colon (`profile:`, `the data:`) is prose.
 */
const MARK = /\/\/|www\.|\b(?:javascript|data|vbscript|file|blob|mailto|tel):(?=[^\])}.,;:!?])|\.[a-z]{2,63}\/|@[\w-]/i;
/** Characters before such a mark that belong to it: a scheme, a name. */
const BEFORE = /[\w+.:-]/;
/** Punctuation after a link that is not part of it. */
const AFTER = new Set(")].,;:!?");

/** The link in a part without spaces, if any: it extends to the part's end. */
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
 * Lets a model's text through, piece by piece, as plain text: of links only those to `allowed` addresses, unchanged;
 * never images, HTML or other addresses. Of `[n]` only those that name a source. Pieces may be cut anywhere: the
 * resulting text is the same.
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

  /** The rest at the end. */
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
        // First, so that the parts that it separated are judged together.
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

/** Numbers of the sources that a text cites, each once, in order of citation. */
export const citedNumbers = (text: string): number[] => [
  ...new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n))),
];
