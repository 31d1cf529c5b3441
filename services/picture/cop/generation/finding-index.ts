/** What is said of features that changed, and all that was said of them until now. */
export interface FeatureFindings<F> {
  findings: F[];
  concerned: Set<string>;
}

/** What was found between things, by either of them: so that what ceased is known without looking at the others. */
export class FindingIndex {
  readonly #by = new Map<string, Set<string>>();
  readonly #between = new Map<string, readonly string[]>();

  add(id: string, between: readonly string[]): void {
    this.#between.set(id, between);
    for (const one of between) {
      const known = this.#by.get(one);
      if (known) known.add(id);
      else this.#by.set(one, new Set([id]));
    }
  }

  /** Answers what was found of these, and forgets it. */
  take(things: Iterable<string>): Set<string> {
    const taken = new Set<string>();
    for (const thing of things) for (const id of this.#by.get(thing) ?? []) taken.add(id);
    for (const id of taken) {
      for (const one of this.#between.get(id)!) {
        const known = this.#by.get(one)!;
        known.delete(id);
        if (!known.size) this.#by.delete(one);
      }
      this.#between.delete(id);
    }
    return taken;
  }
}
