import { iso, SKEW_MS, type Clock } from "../clock.ts";
import { type Collection, type Documents, insertOnce, opener } from "../records/documents.ts";
import { Hold, stopwatch } from "./hold.ts";

/** Something one node of the mesh does again and again. */
export interface Schedule {
  /**
   * Milliseconds between the end of one run and the start of the next, on whichever node; a function is asked anew each
   * time.
   */
  everyMs: number | ((host: any) => number);
  /** Before the first run, where the mesh never had one; defaults to one interval. */
  firstMs?: number;
  run(this: any): Promise<unknown>;
  /** Runs on every node that has the service, without a lease. */
  everywhere?: true;
}

/**
 * Leases: at most one holder of a name at a time, over all nodes. A holder renews before the term ends; a dead one's
 * lease falls to whoever asks next. The number handed out rises with each holder, to tell a late one's writes
 * (fencing).
 */
export class Leases {
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #collection: () => Promise<Collection>;
  /** Those that were taken here of late: when, by the clock and by how much went by since, and under which number. */
  readonly #taken = new Map<string, { fence: number; at: number; since: () => number }>();

  constructor(documents: Documents, clock: Clock, holder: string) {
    this.#clock = clock;
    this.#holder = holder;
    this.#collection = opener(documents, "leases");
  }

  /**
   * Takes or renews the lease for so many milliseconds; answers its fencing number, or null while another node holds
   * it.
   */
  async take(name: string, forMs: number): Promise<number | null> {
    const now = this.#clock.now();
    const leases = await this.#collection();
    const until = iso(now + forMs);
    const mine = await leases.claim({ _id: name, holder: this.#holder }, { $set: { until } });
    if (mine) return mine["fence"];
    const lapsed = await leases.claim(
      { _id: name, until: { $lte: iso(now) } },
      { $set: { holder: this.#holder, until }, $inc: { fence: 1 } },
    );
    if (lapsed) return lapsed["fence"];
    if (await this.#found(name, { holder: forMs, rest: Infinity })) return null;
    return (await insertOnce(leases, { _id: name, holder: this.#holder, until, fence: 1 })) ? 1 : null;
  }

  /** Ends all leases, for a process that has the store to itself and has not begun: whoever held them is gone. */
  async lapse(): Promise<void> {
    const until = iso(this.#clock.now());
    await (await this.#collection()).updateMany({ until: { $gt: until } }, { $set: { until } });
  }

  /**
   * Does work under a lease, which is prolonged meanwhile, and kept afterwards until its term ends or it is released;
   * null, and nothing done, while another node holds it. Within the first third of the term it is relied on without
   * being asked for again: what runs each second would write each second.
   */
  async under<T>(
    name: string,
    termMs: number,
    work: (hold: Hold, fence: number) => Promise<T>,
  ): Promise<{ done: T } | null> {
    const taken = this.#recent(name, termMs) ?? (await this.#renewed(name, termMs));
    if (!taken) return null;
    const hold = new Hold(
      name,
      termMs,
      async () => (await this.#renewed(name, termMs))?.fence === taken.fence,
      taken.since,
    );
    return { done: await hold.run(() => work(hold, taken.fence)) };
  }

  #recent(name: string, termMs: number) {
    const taken = this.#taken.get(name);
    return taken && taken.since() < termMs / 3 && Math.abs(this.#clock.now() - taken.at) < termMs / 3
      ? taken
      : undefined;
  }

  async #renewed(name: string, termMs: number) {
    const since = stopwatch(),
      at = this.#clock.now();
    this.#taken.delete(name);
    const fence = await this.take(name, termMs);
    if (fence === null) return undefined;
    const taken = { fence, at, since };
    this.#taken.set(name, taken);
    return taken;
  }

  /**
   * Milliseconds until it may be taken by whoever asks, 0 for now, null where nobody ever took it. `most` says for how
   * many it is held, and rests, at the most.
   */
  async wait(name: string, most: { holder: number; rest: number }): Promise<number | null> {
    const until = await this.#found(name, most);
    return until === undefined ? null : Math.max(0, until - this.#clock.now());
  }

  /**
   * When it ends; undefined where nobody ever took it. An end that lies further ahead than it may is brought there: the
   * interval has become shorter since, or the clock was set back. Whoever holds it and lives prolongs it before it
   * comes.
   */
  async #found(name: string, most: { holder: number; rest: number }): Promise<number | undefined> {
    const leases = await this.#collection();
    const lease = await leases.findById(name);
    if (!lease) return undefined;
    const { holder, until } = lease as unknown as { holder: string | null; until: string };
    const latest = this.#clock.now() + (holder === null ? most.rest : most.holder);
    if (Date.parse(until) <= latest + SKEW_MS) return Date.parse(until);
    await leases.updateMany({ _id: name, holder, until }, { $set: { until: iso(latest) } });
    return latest;
  }

  /** Gives it back, to be nobody's for so many milliseconds and then whoever's asks first. */
  async rest(name: string, forMs: number): Promise<void> {
    this.#taken.delete(name);
    await (
      await this.#collection()
    ).updateMany(
      { _id: name, holder: this.#holder },
      { $set: { holder: null, until: iso(this.#clock.now() + forMs) } },
    );
  }

  /** Never rejects: where the store takes nothing, the lease ends by itself, only later. */
  async release(name: string): Promise<void> {
    this.#taken.delete(name);
    await this.#collection()
      .then((leases) =>
        leases.updateMany({ _id: name, holder: this.#holder }, { $set: { until: iso(this.#clock.now()) } }),
      )
      .catch(() => {});
  }
}
