/** A sparse vector: term → weight. Those made here have length 1, so that their dot product is the cosine. */
export type Vector = ReadonlyMap<string, number>;

export function dot(a: Vector, b: Vector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0);
  return sum;
}

export function unit(weights: Iterable<readonly [string, number]>): Vector {
  const vector = new Map(weights);
  let square = 0;
  for (const weight of vector.values()) square += weight * weight;
  if (square === 0) return new Map();
  const length = Math.sqrt(square);
  for (const [term, weight] of vector) vector.set(term, weight / length);
  return vector;
}

export function add(sum: Map<string, number>, vector: Vector): void {
  for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight);
}

/**
 * Inverse document frequency over a set of texts, smoothed and never below 1: ln((1 + n) / (1 + df)) + 1. What half the
 * texts speak of still counts.
 */
export class TermWeights {
  readonly #frequency = new Map<string, number>();
  readonly #texts: number;

  constructor(texts: Iterable<readonly string[]>) {
    let count = 0;
    for (const words of texts) {
      count++;
      for (const term of new Set(words)) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1);
    }
    this.#texts = count;
  }

  /** In how many texts the term occurs. */
  frequency(term: string): number {
    return this.#frequency.get(term) ?? 0;
  }

  idf(term: string): number {
    return Math.log((1 + this.#texts) / (1 + this.frequency(term))) + 1;
  }

  /**
   * The unit TF-IDF vector of a bag of terms, term counts dampened: (1 + ln tf) · idf; `emphasis` multiplies the weight
   * of a term.
   */
  vector(words: readonly string[], emphasis: (term: string) => number = () => 1): Vector {
    const counts = new Map<string, number>();
    for (const term of words) counts.set(term, (counts.get(term) ?? 0) + 1);
    return unit(
      Array.from(counts, ([term, count]) => [term, (1 + Math.log(count)) * this.idf(term) * emphasis(term)] as const),
    );
  }
}

/** The heaviest terms first, ties in the order of the alphabet. */
export const heaviest = (vector: Vector, most: number): [string, number][] =>
  Array.from(vector)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most);
