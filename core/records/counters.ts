import { opener, type Collection, type Documents } from "./documents.ts";

interface Draw {
  count: number;
  first: Promise<number>;
}

/**
 * Running numbers, 1, 2, 3 … by counter, each given once over all nodes. What is asked for while a draw is under way is
 * drawn together next, so that many writers at once cost this process one write of the counter after the other, and not
 * one each.
 */
export class Counters {
  readonly #collection: () => Promise<Collection>;
  readonly #next = new Map<string, Draw>();
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(documents: Documents) {
    this.#collection = opener(documents, "counters");
  }

  /** The first of `count` numbers in a row. */
  async take(counter: string, count = 1): Promise<number> {
    const next = this.#next.get(counter);
    const draw: Draw = next ?? { count: 0, first: this.#after(counter) };
    if (!next) this.#next.set(counter, draw);
    const before = draw.count;
    draw.count += count;
    return (await draw.first) + before;
  }

  /** Draws once the draw under way has ended, for whoever asked until then. */
  #after(counter: string): Promise<number> {
    const last = this.#last.get(counter) ?? Promise.resolve();
    const first = last.then(() => this.#draw(counter));
    this.#last.set(
      counter,
      first.catch(() => {}),
    );
    return first;
  }

  async #draw(counter: string): Promise<number> {
    const { count } = this.#next.get(counter)!;
    this.#next.delete(counter);
    const collection = await this.#collection();
    const drawn = await collection.claim({ _id: counter }, { $inc: { value: count } }, { upsert: true });
    return (drawn!["value"] as number) - count + 1;
  }
}
