import { bands, sameStory } from "./fingerprint.ts";

/** What a stored article is recognised by, as it is held in memory. */
export interface Known {
  articleId: number;
  sourceId: number;
  fingerprint: string;
  /** When it was published, milliseconds since the epoch. */
  at: number;
  /** The event it tells of. */
  storyId: string;
  /** The report it is a copy of, or is. */
  reportId: string;
  /** No other source tells of the event in words of its own. */
  alone: boolean;
}

/** Bands as numbers; two that fall together cost a comparison, for what shares a band is compared whole. */
export const bandNumbers = (fingerprint: string): number[] =>
  bands(fingerprint).map(
    (band) => (band.startsWith("k") ? Number.parseInt(band.slice(1), 16) >>> 1 : Number.parseInt(band, 16)) + 1,
  );

const FIRST_LINKS = 64;
/** Growing by doubling would leave a third of the memory empty on average. */
const GROWTH = 1.25;
/** Traces of one generation at most: the links tell them by 16 bits. */
const MOST_TRACES = 2 ** 16;

function grown<T extends Uint32Array | Int32Array | Uint16Array>(numbers: T, length: number): T {
  const larger = new (numbers.constructor as new (length: number) => T)(length);
  larger.set(numbers);
  return larger;
}

/**
 * Traces, found by the bands of their fingerprints, the latest first: a hash table with chains, whose links lie in flat
 * memory. Some 200 bytes a trace with its fourteen bands, where a Map of lists has five times that.
 */
export class Generation {
  readonly traces: Known[] = [];
  /** The last link of each chain, and one; 0 where there is none. */
  #heads = new Uint32Array(FIRST_LINKS);
  /** Of each link, the band and the trace that it joins, and the link before it in its chain, as in the heads. */
  #bands = new Uint32Array(FIRST_LINKS);
  #trace = new Uint16Array(FIRST_LINKS);
  #before = new Uint32Array(FIRST_LINKS);
  #links = 0;

  /** @throws RangeError where it holds 65,536 already. */
  add(trace: Known, of: readonly number[]): void {
    if (this.traces.length === MOST_TRACES) throw new RangeError("A generation holds no more traces.");
    const at = this.traces.push(trace) - 1;
    if (this.#links + of.length > this.#bands.length) this.#grow(this.#links + of.length);
    for (const band of of) {
      const link = this.#links++;
      this.#bands[link] = band;
      this.#trace[link] = at;
      this.#hang(link);
    }
    if (this.#links > this.#heads.length) this.#rehang();
  }

  /** Adds to `found` the traces that have one of these bands, until so many are in it. */
  collect(of: readonly number[], found: Set<Known>, most: number): void {
    for (const band of of)
      for (let link = this.#heads[this.#slot(band)]!; link > 0; link = this.#before[link - 1]!) {
        if (this.#bands[link - 1] !== band) continue;
        if (found.size >= most) return;
        found.add(this.traces[this.#trace[link - 1]!]!);
      }
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
    const length = Math.max(least, Math.ceil(this.#bands.length * GROWTH));
    this.#bands = grown(this.#bands, length);
    this.#trace = grown(this.#trace, length);
    this.#before = grown(this.#before, length);
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
