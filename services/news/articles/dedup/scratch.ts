/** For a long article; larger ones are given back after use. */
const KEPT = 2 ** 12;

/** Memory of 32-bit numbers for working on one text, used again for the next: its content holds until the next use. */
export class Scratch {
  readonly #numbers = new Uint32Array(KEPT);

  /** The first so many numbers, with what was left in them. */
  of(count: number): Uint32Array {
    return count > KEPT ? new Uint32Array(count) : this.#numbers.subarray(0, count);
  }
}
