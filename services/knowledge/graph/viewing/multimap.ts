const NONE: readonly string[] = Object.freeze([]);

/** Several texts by a text; of most keys there is one, which costs no set of its own. */
export class Multimap {
  readonly #held = new Map<string, string | Set<string>>();

  add(key: string, text: string): void {
    const known = this.#held.get(key);
    if (known === undefined) this.#held.set(key, text);
    else if (typeof known !== "string") known.add(text);
    else if (known !== text) this.#held.set(key, new Set([known, text]));
  }

  delete(key: string, text: string): void {
    const known = this.#held.get(key);
    if (known === text) this.#held.delete(key);
    else if (typeof known === "object" && known.delete(text) && !known.size) this.#held.delete(key);
  }

  of(key: string): Iterable<string> {
    const known = this.#held.get(key);
    return known === undefined ? NONE : typeof known === "string" ? [known] : known;
  }
}
