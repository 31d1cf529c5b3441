const FIRST_SLOTS = 2 ** 12;
/** Of a slot: a hash, and how often it was met. Side by side, since most are not in the processor's cache. */
const SLOT = 2;

/**
 * How often each of many hashes was met, in flat memory: eight bytes a slot, at most half of them taken, where a Map has
 * five times that. A count of 0 marks a slot that is free.
 */
export class Frequencies {
  #slots = new Uint32Array(SLOT * FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  of(hash: number): number {
    return this.#slots[this.#slot(hash) + 1]!;
  }

  count(hash: number): void {
    const slot = this.#slot(hash);
    this.#slots[slot] = hash;
    if (this.#slots[slot + 1]!++ === 0 && ++this.#size * 2 * SLOT > this.#slots.length)
      this.#rebuild(this.#slots.length * 2, 0);
  }

  /** Halves all counts; hashes met once are dropped. */
  halve(): void {
    this.#rebuild(this.#slots.length, 1);
  }

  /** Where the slot of a hash begins. */
  #slot(hash: number): number {
    const slots = this.#slots,
      mask = slots.length - 1;
    let slot = (SLOT * (Math.imul(hash, 0x9e3779b1) >>> 7)) & mask;
    while (slots[slot + 1] !== 0 && slots[slot] !== hash) slot = (slot + SLOT) & mask;
    return slot;
  }

  #rebuild(length: number, halvings: 0 | 1): void {
    const slots = this.#slots;
    this.#slots = new Uint32Array(length);
    this.#size = 0;
    for (let at = 0; at < slots.length; at += SLOT) {
      const left = slots[at + 1]! >>> halvings;
      if (left === 0) continue;
      const slot = this.#slot(slots[at]!);
      this.#slots[slot] = slots[at]!;
      this.#slots[slot + 1] = left;
      this.#size++;
    }
  }
}
