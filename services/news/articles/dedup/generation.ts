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

const FIRST_SLOTS = 64;

/**
 * Traces, found by the bands of their fingerprints, the latest first. Bands stand in an open-addressing table of 32-bit
 * numbers, the traces of a band in a chain: some 300 bytes a trace with its eleven bands, where a Map of lists has
 * twice that.
 */
export class Generation {
  readonly traces: Known[] = [];
  /** 0: free. */
  #bands = new Uint32Array(FIRST_SLOTS);
  /** The last link of each band's chain. */
  #last = new Int32Array(FIRST_SLOTS);
  #used = 0;
  /** Of each link, which trace it is, and the link before it in its chain, -1 at the end. */
  readonly #trace: number[] = [];
  readonly #before: number[] = [];

  add(trace: Known, of: readonly number[]): void {
    const at = this.traces.push(trace) - 1;
    for (const band of of) {
      const slot = this.#slot(band);
      const isNew = this.#bands[slot] === 0;
      this.#before.push(isNew ? -1 : this.#last[slot]!);
      this.#bands[slot] = band;
      this.#last[slot] = this.#trace.push(at) - 1;
      if (isNew && ++this.#used * 2 > this.#bands.length) this.#grow();
    }
  }

  /** Adds to `found` the traces that have one of these bands, until so many are in it. */
  collect(of: readonly number[], found: Set<Known>, most: number): void {
    for (const band of of) {
      const slot = this.#slot(band);
      if (this.#bands[slot] === 0) continue;
      for (let link = this.#last[slot]!; link >= 0; link = this.#before[link]!) {
        if (found.size >= most) return;
        found.add(this.traces[this.#trace[link]!]!);
      }
    }
  }

  #slot(band: number): number {
    const mask = this.#bands.length - 1;
    let slot = (Math.imul(band, 0x9e3779b1) >>> 7) & mask;
    while (this.#bands[slot] !== 0 && this.#bands[slot] !== band) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const bandsBefore = this.#bands,
      lastBefore = this.#last;
    this.#bands = new Uint32Array(bandsBefore.length * 2);
    this.#last = new Int32Array(bandsBefore.length * 2);
    for (let at = 0; at < bandsBefore.length; at++) {
      if (bandsBefore[at] === 0) continue;
      const slot = this.#slot(bandsBefore[at]!);
      this.#bands[slot] = bandsBefore[at]!;
      this.#last[slot] = lastBefore[at]!;
    }
  }
}

/** A text that comes again later than this is another story. */
export const WINDOW_MS = 3 * 86_400_000;

type Seen = Pick<Known, "at" | "fingerprint" | "sourceId">;
export const near = (one: Seen, other: Seen): boolean =>
  Math.abs(one.at - other.at) <= WINDOW_MS &&
  sameStory(one.fingerprint, other.fingerprint, one.sourceId === other.sourceId);
