/**
 * Keeps the best `most` of the items offered (a heap whose root is the worst of them). `isBetter` is a strict order.
 */
export class Best<T> {
  readonly #most: number;
  readonly #isBetter: (one: T, other: T) => boolean;
  readonly #heap: T[] = [];

  constructor(most: number, isBetter: (one: T, other: T) => boolean) {
    this.#most = most;
    this.#isBetter = isBetter;
  }

  /** What a new item must beat; undefined while there is room. */
  get least(): T | undefined {
    return this.#heap.length < this.#most ? undefined : this.#heap[0];
  }

  offer(one: T): void {
    const heap = this.#heap;
    if (heap.length < this.#most) {
      heap.push(one);
      this.#rise(heap.length - 1);
    } else if (this.#most > 0 && this.#isBetter(one, heap[0]!)) {
      heap[0] = one;
      this.#sink();
    }
  }

  #rise(from: number): void {
    const heap = this.#heap,
      one = heap[from]!;
    let at = from;
    for (let parent = (at - 1) >> 1; at > 0 && this.#isBetter(heap[parent]!, one); parent = (at - 1) >> 1) {
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = one;
  }

  #sink(): void {
    const heap = this.#heap,
      one = heap[0]!;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && this.#isBetter(heap[child]!, heap[child + 1]!)) child++;
      if (!this.#isBetter(one, heap[child]!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = one;
  }

  /** The kept items, best first. */
  sorted(): T[] {
    return [...this.#heap].sort((one, other) => (this.#isBetter(one, other) ? -1 : 1));
  }
}
