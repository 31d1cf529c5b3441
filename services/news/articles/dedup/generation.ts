import { bands, sameStory } from "./fingerprint.ts";
import { grown, Traces, type Known, type Trace } from "./traces.ts";

/** Bands as numbers; two that fall together cost a comparison, for what shares a band is compared whole. */
export const bandNumbers = (fingerprint: string): number[] =>
  bands(fingerprint).map(
    (band) => (band.startsWith("k") ? Number.parseInt(band.slice(1), 16) >>> 1 : Number.parseInt(band, 16)) + 1,
  );

const FIRST_LINKS = 64;
/** Traces of one generation at most: the links tell them by 16 bits. */
const MOST_TRACES = 2 ** 16;

/**
 * Traces, found by the bands of their fingerprints, the latest first: a hash table with chains, whose links lie in flat
 * memory. Some 200 bytes a trace with its fourteen bands, where a Map of lists has five times that.
 */
export class Generation {
  /** The number of its first trace; those of the others follow. */
  readonly first: number;
  readonly traces = new Traces();
  /** The last link of each chain, and one; 0 where there is none. */
  #heads = new Uint32Array(FIRST_LINKS);
  /** Of each link, the band and the trace that it joins, and the link before it in its chain, as in the heads. */
  #bands = new Uint32Array(FIRST_LINKS);
  #trace = new Uint16Array(FIRST_LINKS);
  #before = new Uint32Array(FIRST_LINKS);
  #links = 0;

  constructor(first = 0) {
    this.first = first;
  }

  /** The number after its last trace. */
  get end(): number {
    return this.first + this.traces.size;
  }

  /** Keeps a copy; answers its number. @throws RangeError where it holds 65,536 already. */
  add(trace: Known, of: readonly number[]): number {
    if (this.traces.size === MOST_TRACES) throw new RangeError("A generation holds no more traces.");
    const at = this.traces.keep(trace);
    if (this.#links + of.length > this.#bands.length) this.#grow(this.#links + of.length);
    for (const band of of) {
      const link = this.#links++;
      this.#bands[link] = band;
      this.#trace[link] = at;
      this.#hang(link);
    }
    if (this.#links > this.#heads.length) this.#rehang();
    return this.first + at;
  }

  /** The traces that have one of these bands, so many at most. */
  sharing(of: readonly number[], most: number): Trace[] {
    const found = new Set<number>();
    for (const band of of)
      for (let link = this.#heads[this.#slot(band)]!; link > 0 && found.size < most; link = this.#before[link - 1]!)
        if (this.#bands[link - 1] === band) found.add(this.#trace[link - 1]!);
    return Array.from(found, (place) => this.traces.at(place));
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
    for (let link = 0; link < this.#links; link++) this.#hang(link);
  }
}

/** A text that comes again later than this is another story. */
export const WINDOW_MS = 3 * 86_400_000;

type Seen = Pick<Known, "at" | "fingerprint" | "sourceId">;
export const near = (one: Seen, other: Seen): boolean =>
  Math.abs(one.at - other.at) <= WINDOW_MS &&
  sameStory(one.fingerprint, other.fingerprint, one.sourceId === other.sourceId);
