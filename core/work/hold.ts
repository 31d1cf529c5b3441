import { AsyncLocalStorage } from "node:async_hooks";
import { WRITES, type Collection, type Documents } from "../records/documents.ts";

/** Thrown by what is done in the name of a lease that is another's by now, or of which nobody can say whose it is. */
export class LeaseLost extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`The lease ${name} is not held here any longer.`, options);
    this.name = "LeaseLost";
  }
}

/** The last quarter of a term is left to what is on its way when it is begun. */
const SURE = 0.75;

/**
 * Milliseconds that went by since this was made, by whichever clock says more: one stops while the machine sleeps, the
 * other can be set back.
 */
export function stopwatch(): () => number {
  const monotonic = performance.now(),
    wall = Date.now();
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}

const held = new AsyncLocalStorage<Hold>();

/**
 * A holder's side of a lease: how long it may be relied on without asking, and whether it was lost. Work done under it
 * (`run`) carries it along through every await; each write to the store and each call of an action looks at it first,
 * so that a process which was cut off or stopped for longer than the term writes nothing as if it were still the
 * holder. What leaves in the last moment meets the fencing number in the lease's own record, and the revision in every
 * other.
 */
export class Hold {
  readonly name: string;
  readonly #termMs: number;
  readonly #ask: () => Promise<boolean>;
  readonly #end = new AbortController();
  #since: () => number;
  #asking: Promise<void> | undefined;
  #isLost = false;
  #isOver = false;

  /**
   * `ask` prolongs the lease, and answers whether it still was this holder's. `since` runs from before the lease was
   * taken.
   */
  constructor(name: string, termMs: number, ask: () => Promise<boolean>, since = stopwatch()) {
    this.name = name;
    this.#termMs = termMs;
    this.#ask = ask;
    this.#since = since;
  }

  /** Aborts when the lease is known to be lost, or when the work is to end. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Whether the store said that it is another's. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether the term certainly still runs. */
  get isSure(): boolean {
    return !this.#isLost && this.#since() < this.#termMs * SURE;
  }

  /** Prolongs it; one question serves all who ask meanwhile. Rejects where the store does not answer. */
  renew(): Promise<void> {
    return this.#asking ?? this.save(this.#ask);
  }

  /** Prolongs it by a write of the caller's, after those before it. */
  save(ask: () => Promise<boolean>): Promise<void> {
    const before = this.#asking?.catch(() => {}) ?? Promise.resolve();
    const asking: Promise<void> = before
      .then(() => beyondHolds(() => this.#renew(ask)))
      .finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      });
    this.#asking = asking;
    return asking;
  }

  async #renew(ask: () => Promise<boolean>): Promise<void> {
    // Counted from before the question: never believed for longer than the store believes it.
    const since = stopwatch();
    if (await ask()) this.#since = since;
    else {
      this.#isLost = true;
      this.stop(new LeaseLost(this.name));
    }
  }

  /** Tells the work to end; what it still writes is written. */
  stop(reason: Error): void {
    this.#end.abort(reason);
  }

  /**
   * Undefined where the term certainly runs, or the work is over; otherwise the store is asked. Rejects with LeaseLost.
   */
  assure(): Promise<void> | undefined {
    if (this.#isOver || this.isSure) return undefined;
    if (this.#isLost) return Promise.reject(new LeaseLost(this.name));
    return this.renew().then(
      () => {
        if (this.#isLost) throw new LeaseLost(this.name);
      },
      (cause: unknown) => {
        throw new LeaseLost(this.name, { cause });
      },
    );
  }

  /**
   * Does work under the lease, which is prolonged meanwhile. What the work has set going, and goes on after it, is no
   * longer bound by it.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const renewal = setInterval(() => void this.renew().catch(() => {}), this.#termMs / 3);
    renewal.unref();
    try {
      return await held.run(this, work);
    } finally {
      clearInterval(renewal);
      this.#isOver = true;
    }
  }
}

/** The name of the lease that the caller works under, if any. */
export const holdInHand = (): string | undefined => held.getStore()?.name;

/** Does what is not done in the name of the lease under which it was asked for: machinery that works for all. */
export const beyondHolds = <T>(work: () => T): T => held.exit(work);

/** Does something in the name of the lease that the caller works under, if any, as long as it is held. */
export function whileHeld<T>(act: () => Promise<T>): Promise<T> {
  const assured = held.getStore()?.assure();
  return assured ? assured.then(act) : act();
}

/** The same store, in which nothing is written in the name of a lease that was lost. */
export const heedingHolds = (documents: Documents): Documents => aroundWrites(documents, (write) => whileHeld(write));

/** The same store, in which nothing is written at all: each try rejects with what `why` answers. */
export const withoutWrites = (documents: Documents, why: () => Error): Documents =>
  aroundWrites(documents, () => Promise.reject(why()));

type Write = () => Promise<unknown>;
function aroundWrites(documents: Documents, around: (write: Write) => Promise<unknown>): Documents {
  const known = new WeakSet<Collection>();
  const open = documents.collection.bind(documents);
  documents.collection = async (name, options) => {
    const collection = await open(name, options);
    if (known.has(collection)) return collection;
    known.add(collection);
    const own = collection as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    for (const method of WRITES) {
      const write = own[method]!.bind(collection);
      own[method] = async (...given) => around(() => write(...given));
    }
    return collection;
  };
  return documents;
}
