const FIRST_SLOTS = 2 ** 12;

/**
 * How often each of many hashes was met, in flat memory: eight bytes a slot, at most half of them taken, where a Map has
 * five times that. A count of 0 marks a slot that is free.
 */
export class Frequencies {
  #hashes = new Uint32Array(FIRST_SLOTS);
  #counts = new Uint32Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  of(hash: number): number {
    return this.#counts[this.#slot(hash)]!;
  }

  count(hash: number): void {
    const slot = this.#slot(hash);
    this.#hashes[slot] = hash;
    if (this.#counts[slot]!++ === 0 && ++this.#size * 2 > this.#hashes.length)
      this.#rebuild(this.#hashes.length * 2, 0);
  }

  /** Halves all counts; hashes met once are dropped. */
  halve(): void {
    this.#rebuild(this.#hashes.length, 1);
  }

  #slot(hash: number): number {
    const mask = this.#hashes.length - 1;
    let slot = (Math.imul(hash, 0x9e3779b1) >>> 7) & mask;
    while (this.#counts[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #rebuild(slots: number, halvings: 0 | 1): void {
    const [hashes, counts] = [this.#hashes, this.#counts];
    this.#hashes = new Uint32Array(slots);
    this.#counts = new Uint32Array(slots);
    this.#size = 0;
    for (let at = 0; at < hashes.length; at++) {
      const left = counts[at]! >>> halvings;
      if (left === 0) continue;
      const slot = this.#slot(hashes[at]!);
      this.#hashes[slot] = hashes[at]!;
      this.#counts[slot] = left;
      this.#size++;
    }
  }
}
