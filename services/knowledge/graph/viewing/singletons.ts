import type { Row } from "../statements/statements.ts";

/** Texts that are gone leave their sets here: past so many all are made anew. */
const MOST = 100_000;

/**
 * Sets of one text, which most entities and edges have for their sources and voices, once for each text: what lives as
 * long as a view is copied while it is young, and holds the loop meanwhile.
 */
export class Singletons {
  readonly #known = new Map<string, ReadonlySet<string>>();

  #only(text: string): ReadonlySet<string> {
    let known = this.#known.get(text);
    if (known) return known;
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(text, (known = new Set([text])));
    return known;
  }

  /** What these rows say, each once. */
  setOf(rows: readonly Row[], textOf: (row: Row) => string): ReadonlySet<string> {
    const first = textOf(rows[0]!);
    if (rows.every((row) => textOf(row) === first)) return this.#only(first);
    return new Set(rows.map(textOf));
  }
}
