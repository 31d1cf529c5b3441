import {
  defer,
  EMPTY,
  expand,
  filter,
  finalize,
  mergeMap,
  range,
  repeat,
  Subject,
  takeUntil,
  takeWhile,
  type Observable,
} from "rxjs";
import { DueSources, type ClaimedSource } from "./due-sources.ts";
import type { Fetch } from "./fetches.ts";
import { Fetching, type Ground } from "./fetching.ts";

/** How long a hand without work waits before it looks again, while others still have some. */
const IDLE_MS = 250;

/** One of those that fetch side by side, and the source that it took while it settled the one before. */
interface Hand {
  next?: Promise<ClaimedSource | undefined> | undefined;
}

/** `more`: what it took is in its hand, and another hand is wanted beside it. */
type Step = Fetch | "more" | "idle" | "done";
const isFetch = (step: Step): step is Fetch => typeof step === "object";

/** Fetches sources that are due, so many side by side, and single ones when they are asked for. */
export class Ingestion {
  readonly due: DueSources;
  readonly #concurrency: number;
  readonly #fetching: Fetching;
  readonly #abort = new AbortController();
  readonly #end = new Subject<void>();
  readonly #busy = new Set<Promise<unknown>>();
  readonly #hands = new Set<Hand>();
  /** The last hand of a round that was not called for a source: when it takes one, another is called. */
  #spare: Hand | undefined;
  readonly #resting = new Set<() => void>();

  constructor(ground: Ground) {
    this.#concurrency = ground.concurrency;
    this.due = new DueSources(ground.sources, ground.clock, ground.holder, ground.concurrency);
    this.#fetching = new Fetching(ground, this.due, this.#abort.signal);
  }

  /**
   * Fetches what is due until nothing is. Hands work side by side, as many as find work and one that looks for more,
   * and each claims a source only when it is done with the one before: the queue stays in the store, and memory holds
   * what is in hand.
   */
  run(): Observable<Fetch> {
    const hand = (): Observable<Step> => {
      const one: Hand = {};
      this.#hands.add(one);
      this.#spare = one;
      return defer(() => this.#step(one)).pipe(
        repeat(),
        takeWhile((step) => step !== "done"),
        finalize(() => this.#letGo(one)),
      );
    };
    return defer(() => this.#handsWanted()).pipe(
      mergeMap((count) => range(0, count)),
      mergeMap(hand),
      expand((step) => (step === "more" ? hand() : EMPTY)),
      filter(isFetch),
      takeUntil(this.#end),
    );
  }

  async #handsWanted(): Promise<number> {
    if (!this.due.waiting) await this.due.any();
    return Math.min(this.#concurrency, this.due.waiting + 1);
  }

  /** Fetches one source at once, whenever it is due; undefined where it is being fetched at this moment, or is off. */
  async refresh(id: number): Promise<{ ended: Promise<Fetch | undefined> } | undefined> {
    const source = await this.due.takeNow(id);
    return source && { ended: this.#track(this.#fetching.fetch(source, true).finally(() => this.#fetching.keep())) };
  }

  /** Cuts off what is under way, gives it back, and waits for that. */
  async stop(): Promise<void> {
    this.#end.next();
    this.#abort.abort(new Error("the node is stopping"));
    await this.settled();
    await this.#fetching.keep();
  }

  /** Resolves when what is under way has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#busy);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#busy.delete(tracked));
    this.#busy.add(tracked);
    return tracked;
  }

  async #step(hand: Hand): Promise<Step> {
    if (this.#abort.signal.aborted) return "done";
    const { next } = hand;
    hand.next = undefined;
    const taken = await (next ?? this.due.take());
    if (taken && this.#spare === hand && this.#hands.size < this.#concurrency) {
      this.#spare = undefined;
      hand.next = Promise.resolve(taken);
      return "more";
    }
    if (taken) {
      // Its place is free, and the next is taken, in the turn in which this one is settled.
      const settling = (): void => {
        taken.leave();
        if (this.#abort.signal.aborted || !this.#hands.has(hand)) return;
        hand.next = this.due.take();
        hand.next.catch(() => {});
      };
      const fetch = await this.#track(this.#fetching.fetch(taken.source, false, settling).finally(taken.end));
      if (!fetch) await this.#giveBack(hand);
      return fetch ?? "done";
    }
    await this.#fetching.keep();
    if (this.due.taken > 0) await this.#rest();
    if (this.due.taken > 0) return "idle";
    for (const wake of this.#resting) wake();
    return "done";
  }

  /** A hand without work waits for a while, or until the last of the others has none. */
  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#resting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, IDLE_MS);
      this.#resting.add(wake);
    });
  }

  /** A round that ends, by whatever, takes nothing along. */
  #letGo(hand: Hand): void {
    this.#hands.delete(hand);
    void this.#track(this.#giveBack(hand));
  }

  /** What a hand has taken and does not fetch. Under a lease that is lost it stays, for the next round to recover. */
  async #giveBack(hand: Hand): Promise<void> {
    const taken = await hand.next?.catch(() => undefined);
    hand.next = undefined;
    if (!taken) return;
    taken.end();
    await this.due.release(taken.source, 0).catch(() => {});
  }
}
