/** A run of signs without a space that is longer than this is no prose, and nobody's link. */
const MOST_RUN = 1_000;
const LEFT_OUT = "[link removed]";

/** A character at which a link ends at the latest, so that what stands before it can be judged. */
const ENDS_RUN = /[\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
/** Marks that hide words from people, or turn them round; joiners, which writing needs, stay. */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}]/gu;
/** Whatever a reader's page could make a link of: with a scheme, with two slashes, by its name alone, an address. */
const LINK =
  /(?:[a-z][a-z0-9+.-]{0,30}:\/\/|\/\/|\bwww\.|\b(?:javascript|data|vbscript|file|blob|mailto|tel):|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\/|[\w.+-]+@[\w-]+\.)[^\s<>"']*/gi;

/** What ends a sentence or a bracket behind a link is no part of it. */
const TRAILING = /[)\].,;:!?]+$/;

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

  #judged(): string {
    const run = this.#run.replace(INVISIBLE, "");
    this.#run = "";
    return run
      .replace(LINK, (found) => {
        const link = found.replace(TRAILING, "");
        return (this.#allowed.has(link) ? link : LEFT_OUT) + found.slice(link.length);
      })
      .replace(/!(?=\[)/g, "")
      .replace(/\](?=[(:])/g, "] ")
      .replace(/<(?=[a-z/!?])/gi, "‹")
      .replace(/\[(\d{1,3})\]/g, (mark, n: string) => (this.#sources.has(Number(n)) ? mark : ""));
  }
}

/** Numbers of the sources that a text names, each once, in its order. */
export const named = (text: string): number[] => [
  ...new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n))),
];
