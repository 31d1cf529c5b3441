import { LeaseLost, whileHeld } from "../../../core/work/hold.ts";
import type { SearchDocument, SearchIndex } from "../../../core/records/reading/search.ts";
import type { IndexBatch, Confirmed, Marked } from "../articles/client.ts";

export interface FeedParts {
  index: Pick<SearchIndex, "put" | "remove" | "ping">;
  /** What the index lacks, oldest first; empty at the end. Changes nothing. */
  pull(): Promise<IndexBatch>;
  /** Clears the marks that are still the same; puts refused documents off. */
  confirm(confirmed: Confirmed): Promise<void>;
  /** Does work under the lease that one node of the mesh has, and gives it back; does nothing while another has it. */
  held(work: () => Promise<void>): Promise<unknown>;
  onError(error: unknown): void;
  /** Without it no hint waits for others. */
  pace?: FeedPace;
}

/** How long hints of few articles wait, so that a stream goes in passes of many. */
export interface FeedPace {
  /** This many articles make a pass at once, and wait for nobody. */
  full: number;
  /** Milliseconds from the end of the drain before, for each document of it, and at most. */
  eachMs: number;
  mostMs: number;
}

const isEmpty = (batch: IndexBatch): boolean => batch.marks.length === 0 && batch.removals.length === 0;

/**
 * Brings the index after the store. Every write that search should show leaves a mark in its record by the same atomic
 * write; here the marked records are put into the index, and only then is the mark cleared, if it is still the same. A
 * kill at any point means putting again, never not putting; putting again is harmless, because the index keeps the
 * newer revision. What was removed since it was read is another matter: the index forgets removals, so they are told
 * again after a minute, and a node that lost its lease meanwhile puts nothing.
 */
export class IndexFeed {
  readonly #parts: FeedParts;
  #running: Promise<void> | undefined;
  #again = false;
  #stopping = false;
  /** Articles that hints told of and no pull has looked for since. */
  #told = 0;
  /** Nobody waits for more: somebody asked for all there is. */
  #atOnce = false;
  #hurry: (() => void) | undefined;
  /** When the last drain ended, and how many documents it brought. */
  #last = { ended: -Infinity, documents: 0 };

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /**
   * Starts draining, or soon, where many came just before: a pass of many costs little more than one of few. Returns at
   * once. `articles`: of how many the hint tells.
   */
  wake(articles = 0): void {
    this.#told += articles;
    if (this.#isFull) this.#hurry?.();
    void this.#begin();
  }

  /** Drains until nothing is marked; resolves when done, or when it is given up for now. Never rejects. */
  drain(): Promise<void> {
    this.#atOnce = true;
    this.#hurry?.();
    return this.#begin();
  }

  #begin(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#hurry?.();
    await this.#running;
  }

  get #isFull(): boolean {
    return this.#told >= (this.#parts.pace?.full ?? 0);
  }

  /** Waits for a full pass, for as long as the drain before tells. */
  async #gathered(): Promise<void> {
    const { ended, documents } = this.#last;
    const { eachMs, mostMs } = this.#parts.pace ?? { eachMs: 0, mostMs: 0 };
    const left = ended + Math.min(mostMs, eachMs * documents) - performance.now();
    if (left <= 0 || this.#atOnce || this.#isFull || this.#stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#hurry = undefined;
  }

  async #run(): Promise<void> {
    try {
      do {
        await this.#gathered();
        this.#again = this.#atOnce = false;
        this.#last.documents = 0;
        await this.#drainAll();
        this.#last.ended = performance.now();
      } while (this.#again && !this.#stopping);
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  async #drainAll(): Promise<void> {
    // Looking costs a read, holding a write: a node that was told of nothing only looks. What was read without the
    // hold may be stale and is read again.
    const told = this.#told;
    this.#told = 0;
    if (told === 0 && isEmpty(await this.#parts.pull())) return;
    await this.#parts.held(() => this.#passes());
  }

  async #passes(): Promise<void> {
    while (!this.#stopping) {
      this.#told = 0;
      const batch = await this.#parts.pull();
      if (isEmpty(batch)) return;
      this.#last.documents += batch.documents.length;
      await this.#pass(batch);
      // What came meanwhile is gathered.
      if (this.#again && !this.#atOnce && !this.#isFull) return;
    }
  }

  async #pass({ documents, marks, removed, removals }: IndexBatch): Promise<void> {
    const { index, confirm } = this.#parts;
    const refused = documents.length ? await this.#put(documents) : new Set<number>();
    if (removed.length) await whileHeld(() => index.remove(removed));
    const isRefused = ({ id }: Marked) => refused.has(id as number);
    await confirm({ marks: marks.filter((mark) => !isRefused(mark)), refused: marks.filter(isRefused), removals });
  }

  /**
   * Puts documents; answers the ids of those that the index refuses for what they are. One such document must not hold
   * up all others. Where the index takes none of them it is the index that is ill: throws, and all are tried again
   * later.
   */
  async #put(documents: readonly SearchDocument[]): Promise<ReadonlySet<number>> {
    const { index } = this.#parts;
    try {
      await whileHeld(() => index.put(documents));
      return new Set();
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      await index.ping();
      const refused = new Set<number>();
      for (const document of documents)
        await whileHeld(() => index.put([document])).catch(() => refused.add(document.id));
      if (refused.size === documents.length) throw error;
      this.#parts.onError(error);
      return refused;
    }
  }
}
