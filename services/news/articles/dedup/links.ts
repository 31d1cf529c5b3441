import { grown } from "./traces.ts";

/** Which traces have a band, by their places. */
export interface Links {
  /** Adds the places of those that have it, the latest first, until so many are found. */
  collect(band: number, found: Set<number>, most: number): void;
}

const FIRST_LINKS = 64;

/** Links that can still be added to: a hash table with chains in flat memory, some seventeen bytes a link. */
export class OpenLinks implements Links {
  /** The last link of each chain, and one; 0 where there is none. */
  #heads = new Uint32Array(FIRST_LINKS);
  /** Of each link, the band and the trace that it joins, and the link before it in its chain, as in the heads. */
  #bands = new Uint32Array(FIRST_LINKS);
  #trace = new Uint16Array(FIRST_LINKS);
  #before = new Uint32Array(FIRST_LINKS);
  #count = 0;

  add(bands: readonly number[], trace: number): void {
    if (this.#count + bands.length > this.#bands.length) this.#grow(this.#count + bands.length);
    for (const band of bands) {
      const link = this.#count++;
      this.#bands[link] = band;
      this.#trace[link] = trace;
      this.#hang(link);
    }
    if (this.#count > this.#heads.length) this.#rehang();
  }

  collect(band: number, found: Set<number>, most: number): void {
    for (let link = this.#heads[this.#slot(band)]!; link > 0 && found.size < most; link = this.#before[link - 1]!)
      if (this.#bands[link - 1] === band) found.add(this.#trace[link - 1]!);
  }

  /** The same links, sealed: no more can be added. */
  sealed(): Links {
    return new SealedLinks(this.#bands.subarray(0, this.#count), this.#trace);
  }

  #slot(band: number): number {
    return (Math.imul(band, 0x9e3779b1) >>> 7) & (this.#heads.length - 1);
  }

  #hang(link: number): void {
    const slot = this.#slot(this.#bands[link]!);
    this.#before[link] = this.#heads[slot]!;
    this.#heads[slot] = link + 1;
  }

  #grow(least: number): void {
    this.#bands = grown(this.#bands, least);
    this.#trace = grown(this.#trace, this.#bands.length);
    this.#before = grown(this.#before, this.#bands.length);
  }

  #rehang(): void {
    this.#heads = new Uint32Array(2 * this.#heads.length);
    for (let link = 0; link < this.#count; link++) this.#hang(link);
  }
}

const BUCKETS = 2 ** 16;

/** Spreads a band over 32 bits: one half says in which bucket a link lies, the other which link of the bucket it is. */
const spread = (band: number): number => Math.imul(band ^ (band >>> 16), 0x9e3779b1) >>> 0;

/** Links by their bands, bucket after bucket: some six bytes each. */
class SealedLinks implements Links {
  /** Where each bucket begins; the next one's begin is its end. */
  readonly #starts = new Uint32Array(BUCKETS + 1);
  /** In each bucket the latest first. */
  readonly #marks: Uint16Array;
  readonly #trace: Uint16Array;

  constructor(bands: Uint32Array, trace: Uint16Array) {
    this.#marks = new Uint16Array(bands.length);
    this.#trace = new Uint16Array(bands.length);
    for (let link = 0; link < bands.length; link++) this.#starts[spread(bands[link]!) >>> 16]!++;
    for (let bucket = 0, end = 0; bucket <= BUCKETS; bucket++) this.#starts[bucket] = end += this.#starts[bucket]!;
    // Filled from the end of each bucket, so that the last links come first.
    for (let link = 0; link < bands.length; link++) {
      const where = spread(bands[link]!);
      const at = --this.#starts[where >>> 16]!;
      this.#marks[at] = where & 0xffff;
      this.#trace[at] = trace[link]!;
    }
  }

  collect(band: number, found: Set<number>, most: number): void {
    const where = spread(band),
      mark = where & 0xffff,
      end = this.#starts[(where >>> 16) + 1]!;
    for (let at = this.#starts[where >>> 16]!; at < end && found.size < most; at++)
      if (this.#marks[at] === mark) found.add(this.#trace[at]!);
  }
}
