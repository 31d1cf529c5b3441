/** What is noted of a term, as bits: it stands in small letters too, at the beginning, in a name, at a sentence's head. */
export const SMALL = 1,
  FIRST = 2,
  NAMED = 4,
  HEAD = 8;

const FIRST_IDS = 2 ** 12,
  FIRST_TERMS = 2 ** 8;

/**
 * How often each term of a text is said, by the ids of terms and in the order in which they came first. Its memory
 * serves the next text again.
 */
export class Tally {
  /** By id the place of a term and one; 0 where it was not met. */
  #places = new Int32Array(FIRST_IDS);
  /** By place. */
  terms = new Int32Array(FIRST_TERMS);
  times = new Int32Array(FIRST_TERMS);
  notes = new Uint8Array(FIRST_TERMS);
  size = 0;

  begin(): void {
    for (let at = 0; at < this.size; at++) this.#places[this.terms[at]!] = 0;
    this.size = 0;
  }

  count(term: number, times: number): void {
    if (term >= this.#places.length) this.#places = grown(this.#places, term + 1);
    const place = this.#places[term]! || this.#enter(term);
    this.times[place - 1]! += times;
  }

  /** Notes something of a term; one that was not counted is not of the text, and is passed over. */
  note(term: number, what: number): void {
    const place = this.#places[term] ?? 0;
    if (place > 0) this.notes[place - 1]! |= what;
  }

  has(term: number, what: number): boolean {
    const place = this.#places[term] ?? 0;
    return place > 0 && (this.notes[place - 1]! & what) !== 0;
  }

  #enter(term: number): number {
    const at = this.size++;
    if (at === this.terms.length) {
      this.terms = grown(this.terms, this.size);
      this.times = grown(this.times, this.size);
      this.notes = grown(this.notes, this.size);
    }
    this.terms[at] = term;
    this.times[at] = this.notes[at] = 0;
    return (this.#places[term] = at + 1);
  }
}

function grown<T extends Int32Array | Uint8Array>(numbers: T, least: number): T {
  const larger = new (numbers.constructor as new (length: number) => T)(Math.max(least, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}
