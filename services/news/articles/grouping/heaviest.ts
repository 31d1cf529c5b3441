/**
 * Keeps the heaviest of the numbers offered, heaviest first, and of equals the first offered. Its memory is reused for
 * the next choice.
 */
export class Heaviest {
  readonly #most: number;
  readonly numbers: Int32Array;
  readonly weights: Float64Array;
  size = 0;

  /** Keeps so many at most. */
  constructor(most: number) {
    this.#most = most;
    this.numbers = new Int32Array(most);
    this.weights = new Float64Array(most);
  }

  begin(): void {
    this.size = 0;
  }

  offer(number: number, weight: number): void {
    const { numbers, weights } = this;
    if (this.size === this.#most && weight <= weights[this.size - 1]!) return;
    if (this.size < this.#most) this.size++;
    let at = this.size - 1;
    for (; at > 0 && weights[at - 1]! < weight; at--) {
      numbers[at] = numbers[at - 1]!;
      weights[at] = weights[at - 1]!;
    }
    numbers[at] = number;
    weights[at] = weight;
  }
}
