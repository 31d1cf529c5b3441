/**
 * Keeps the newest of a stream of items: at most `limit`, in the order they came. Those without a date count as oldest,
 * and among equals the first wins, since feeds begin with the newest. Holds never more than twice the limit.
 */
export class Newest<T extends { published?: number; updated?: number }> {
  readonly #limit: number;
  #kept: { item: T; at: number; order: number }[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(item: T): void {
    this.#kept.push({ item, at: item.published ?? item.updated ?? -Infinity, order: this.#count++ });
    if (this.#kept.length >= this.#limit * 2) this.#prune();
  }

  /** How many came. */
  get count(): number {
    return this.#count;
  }

  items(): T[] {
    this.#prune();
    return this.#kept.map(({ item }) => item);
  }

  #prune(): void {
    if (this.#kept.length <= this.#limit) return;
    // Two undated ones differ by NaN, which is not a number of order.
    const newest = this.#kept.sort((a, b) => (a.at === b.at ? a.order - b.order : b.at - a.at)).slice(0, this.#limit);
    this.#kept = newest.sort((a, b) => a.order - b.order);
  }
}
