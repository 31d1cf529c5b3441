import { Frequencies } from "./frequencies.ts";
import type { Topic } from "./topics/topic.ts";

/** Articles that are taken for read, in which none of the terms stood: the first that come have no company to go by. */
const PRIOR = 300;
/** Hashes of terms that are counted; of more all counts are halved, and the rarest go. */
const MOST_COUNTED = 400_000;

/** How rare terms are among the articles that came: inverse document frequency (Spärck Jones 1972), learned as they come. */
export class Rarities {
  readonly #frequency = new Frequencies();
  #articles = 0;

  /** Counts an article's terms. */
  learn({ terms, anchors }: Topic): void {
    this.#articles++;
    for (let at = 0; at < terms.length; at++) this.#frequency.count(terms[at]!);
    for (let at = 0; at < anchors.length; at++) this.#frequency.count(anchors[at]!);
    if (this.#frequency.size <= MOST_COUNTED) return;
    this.#articles >>= 1;
    this.#frequency.halve();
  }

  /** What a term tells that no article has yet: the unit of what others tell. */
  get unit(): number {
    return Math.log(PRIOR + this.#articles);
  }

  /** How many of the articles have the term of this hash. */
  count(hash: number): number {
    return this.#frequency.of(hash);
  }

  /** What the term of this hash tells: the logarithm of how many articles there are for one that has it. */
  of(hash: number): number {
    return Math.log((PRIOR + this.#articles) / (1 + this.#frequency.of(hash)));
  }
}
