/** Of a long article; more is not kept. */
const KEPT = 2 ** 12;

/** Whole numbers of 32 bits that one text is worked out in, and the next again: the next use overwrites them. */
export class Scratch {
  readonly #numbers = new Uint32Array(KEPT);

  /** So many, as they were left. */
  of(count: number): Uint32Array {
    return count > KEPT ? new Uint32Array(count) : this.#numbers.subarray(0, count);
  }
}
