import { iso, type Clock } from "./clock.ts";
import { type Collection, type Documents, insertOnce, opener } from "./documents.ts";
import { Hold } from "./hold.ts";

/** Something one node of the mesh does again and again. */
export interface Schedule {
  /** Milliseconds between the end of one run and the start of the next; a function is asked anew each time. */
  everyMs: number | ((host: any) => number);
  /** Before the first run; defaults to one interval. */
  firstMs?: number;
  run(this: any): Promise<unknown>;
  /** Runs on every node that has the service, without a lease. */
  everywhere?: true;
}

/**
 * Leases: at most one holder of a name at a time, over all nodes. A holder renews before the term ends; a dead one's lease
 * falls to whoever asks next. The number handed out rises with each holder, to tell a late one's writes (fencing).
 */
export class Leases {
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #collection: () => Promise<Collection>;

  constructor(documents: Documents, clock: Clock, holder: string) {
    this.#clock = clock;
    this.#holder = holder;
    this.#collection = opener(documents, "leases");
  }

  /** Takes or renews the lease for so many milliseconds; answers its fencing number, or null while another node holds it. */
  async take(name: string, forMs: number): Promise<number | null> {
    const now = this.#clock.now();
    const leases = await this.#collection();
    const until = iso(now + forMs);
    const mine = await leases.claim({ _id: name, holder: this.#holder }, { $set: { until } });
    if (mine) return mine["fence"];
    const lapsed = await leases.claim({ _id: name, until: { $lte: iso(now) } }, { $set: { holder: this.#holder, until }, $inc: { fence: 1 } });
    if (lapsed) return lapsed["fence"];
    if (await leases.findById(name)) return null;
    return (await insertOnce(leases, { _id: name, holder: this.#holder, until, fence: 1 })) ? 1 : null;
  }

  /** Does work under a lease, which is prolonged meanwhile, and kept afterwards until its term ends or it is released; null, and nothing done, while another node holds it. */
  async under<T>(name: string, termMs: number, work: (hold: Hold) => Promise<T>): Promise<{ done: T } | null> {
    let fence: number | null = null;
    const hold = new Hold(name, termMs, async () => (await this.take(name, termMs)) === fence);
    fence = await this.take(name, termMs);
    return fence === null ? null : { done: await hold.run(() => work(hold)) };
  }

  async release(name: string): Promise<void> {
    await (await this.#collection()).updateMany({ _id: name, holder: this.#holder }, { $set: { until: iso(this.#clock.now()) } });
  }
}
