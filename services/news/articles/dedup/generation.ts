import { sameStory } from "./fingerprint.ts";
import { OpenLinks, type Links } from "./links.ts";
import { Traces, type ArticleTrace, type Trace } from "./traces.ts";

/** Most traces of a generation: links name them by 16 bits. */
const MOST_TRACES = 2 ** 16;

/**
 * Traces, found by the bands of their fingerprints, the latest first. Their links lie in flat memory, some ninety bytes
 * a trace with its fourteen bands once it is sealed, where a Map of lists has ten times that.
 */
export class Generation {
  /** The number of its first trace; those of the others follow. */
  readonly first: number;
  readonly traces = new Traces();
  #open: OpenLinks | undefined = new OpenLinks();
  #links: Links = this.#open!;

  constructor(first = 0) {
    this.first = first;
  }

  /** The number after its last trace. */
  get end(): number {
    return this.first + this.traces.size;
  }

  /** Keeps a copy; answers its number. @throws RangeError where it is sealed, or holds 65,536 already. */
  add(trace: ArticleTrace, of: readonly number[]): number {
    if (!this.#open) throw new RangeError("A generation that is sealed takes no more traces.");
    if (this.traces.size === MOST_TRACES) throw new RangeError("A generation holds no more traces.");
    const at = this.traces.keep(trace);
    this.#open.add(of, at);
    return this.first + at;
  }

  /** No trace follows: what it holds is laid out in less memory. */
  seal(): void {
    if (!this.#open) return;
    this.#links = this.#open.sealed();
    this.#open = undefined;
    this.traces.trim();
  }

  /** The traces that have one of these bands, so many at most. */
  sharing(of: readonly number[], most: number): Trace[] {
    const found = new Set<number>();
    for (const band of of) this.#links.collect(band, found, most);
    return Array.from(found, (place) => this.traces.at(place));
  }
}

/** A text that comes again after more than this is a new story. */
export const WINDOW_MS = 3 * 86_400_000;

type Seen = Pick<ArticleTrace, "at" | "fingerprint" | "sourceId">;
export const near = (one: Seen, other: Seen): boolean =>
  Math.abs(one.at - other.at) <= WINDOW_MS &&
  sameStory(one.fingerprint, other.fingerprint, one.sourceId === other.sourceId);
