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
import type { ParsedItem } from "../../../../adapters/feeds/feed.ts";
import { iso, type Clock } from "../../../../core/clock.ts";
import { DuplicateKey, type Collection } from "../../../../core/records/documents.ts";
import { isAway } from "../../../../core/problem.ts";
import { LeaseLost } from "../../../../core/work/hold.ts";
import type { Records } from "../../../../core/records/store.ts";
import { DueSources, untouched, type Taken } from "./due-sources.ts";
import { keeping, unkeeping, type Fetch, type Kept } from "./fetches.ts";
import { remembered } from "../health.ts";
import { DAY_MS } from "./fetch-interval.ts";
import { moved, settlement, type Yield } from "./settlement.ts";
import type { Source } from "../sources.ts";
import { visit, type Visit, type Visitor } from "./fetcher.ts";

/** What the articles' service takes in one call. */
export interface ArticleBatch {
  source: { id: number; name: string; domain: string; fullText: boolean; successRate: number };
  items: ParsedItem[];
  fetchedAt: string;
}
export interface ArticleCounts {
  created: number;
  updated: number;
  unchanged: number;
}

/** What ingestion stands on. */
export interface Ground {
  sources: Records;
  fetches: Collection;
  visitor: Visitor;
  clock: Clock;
  intervalMs: number;
  /** Sources fetched at once. */
  concurrency: number;
  /** This process, as it is named in its claims. */
  holder: string;
  /** Stores one batch, durably and idempotently. */
  storeArticles(batch: ArticleBatch): Promise<ArticleCounts>;
  countArticles(sourceId: number): Promise<number>;
  /** Told of each fetch that ended. */
  ended(source: Source, fetch: Fetch): void;
  /** Told of what is no fault of the feed. */
  troubled(source: Source, error: unknown): void;
  /** Chance, 0..1. */
  random(): number;
}

/** Items of one call: a kill costs at most so many to be stored again. */
const BATCH = 200;
/** How long a hand without work waits before it looks again, while others still have some. */
const IDLE_MS = 250;
/** After a failure of our own. */
const AGAIN_MS = 60_000;

/** So often articles that cannot be stored are tried again at once, where nothing that storing needs is away. */
const TRIES = 3;
const LATER = "The articles could not be stored at the moment; the source is fetched again in a minute.";
const NEVER = "The articles of this feed could not be stored, time and again, for a fault of ours.";
const ours = (message: string) => ({ kind: "internal", message });
const shareOfSuccess = (recent: readonly boolean[]): number => recent.filter(Boolean).length / recent.length;
const NOTHING: Yield = { created: 0, updated: 0 };

/** Entries of the history that could not be written; more are not worth their memory. */
const MOST_UNWRITTEN = 200;

/** One of those that fetch side by side, and the source that it took while it settled the one before. */
interface Hand {
  next?: Promise<Taken | undefined> | undefined;
}

/** `more`: what it took is in its hand, and another hand is wanted beside it. */
type Step = Fetch | "more" | "idle" | "done";
const isFetch = (step: Step): step is Fetch => typeof step === "object";

/**
 * Fetches sources and hands their articles on. The order of its writes is what makes it safe: claim, articles,
 * validators. A kill between any two repeats work that is idempotent, and never skips any.
 */
export class Ingestion {
  readonly due: DueSources;
  readonly #ground: Ground;
  readonly #abort = new AbortController();
  readonly #end = new Subject<void>();
  readonly #busy = new Set<Promise<unknown>>();
  readonly #hands = new Set<Hand>();
  /** The last hand of a round that was not called for a source: when it takes one, another is called. */
  #spare: Hand | undefined;
  readonly #resting = new Set<() => void>();
  /** Written with the settlement of each fetch, so that both cost one commit; what could not be written waits here. */
  #history: Kept[] = [];

  constructor(ground: Ground) {
    this.#ground = ground;
    this.due = new DueSources(ground.sources, ground.clock, ground.holder, ground.concurrency);
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
    return Math.min(this.#ground.concurrency, this.due.waiting + 1);
  }

  /** Fetches one source at once, whenever it is due; undefined where it is being fetched at this moment, or is off. */
  async refresh(id: number): Promise<{ ended: Promise<Fetch | undefined> } | undefined> {
    const source = await this.due.takeNow(id);
    return source && { ended: this.#track(this.#fetch(source, true).finally(() => this.#keep())) };
  }

  /** Cuts off what is under way, gives it back, and waits for that. */
  async stop(): Promise<void> {
    this.#end.next();
    this.#abort.abort(new Error("the node is stopping"));
    await this.settled();
    await this.#keep();
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
    if (taken && this.#spare === hand && this.#hands.size < this.#ground.concurrency) {
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
      const fetch = await this.#track(this.#fetch(taken.source, false, settling).finally(taken.end));
      if (!fetch) await this.#giveBack(hand);
      return fetch ?? "done";
    }
    await this.#keep();
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

  /** Writes what is to be kept of settled fetches. What cannot be written now comes with the next. */
  async #keep(): Promise<void> {
    const entries = this.#history.splice(0);
    if (!entries.length) return;
    await this.#ground.fetches.bulk(entries).catch(() => {
      this.#history = [...entries, ...this.#history].slice(-MOST_UNWRITTEN);
    });
  }

  /** Takes a fetch that was not settled off the history again, and the whole of it where the source is gone. */
  async #forget(sourceId: number, own: Kept): Promise<void> {
    const { sources, fetches } = this.#ground;
    this.#history = this.#history.filter((one) => one !== own);
    await fetches.updateMany({ _id: sourceId }, unkeeping(own)).catch(() => {});
    const isThere = await sources.findOne({ _id: sourceId }).catch(() => true);
    if (!isThere) await fetches.removeById(sourceId).catch(() => {});
  }

  /**
   * Never rejects, so that one source cannot stop another; undefined where the node stops, or has lost the lease that
   * it fetches under.
   */
  async #fetch(taken: Source, manual: boolean, settling?: () => void): Promise<Fetch | undefined> {
    const began = performance.now();
    const { signal } = this.#abort;
    let source = taken;
    try {
      const visited = await this.#visit(source, manual, signal);
      // What a visit brings is stored under a claim, which counts how often that was tried.
      const secured = visited.outcome === "fetched" ? await this.due.secure(source) : source;
      if (!secured) return this.#tell(source, this.#entry(visited, NOTHING, manual, began));
      source = secured;
      const stored = await this.#store(source, visited);
      return await this.#settle(source, visited, stored, manual, began, settling);
    } catch (error) {
      const over = signal.aborted || error instanceof LeaseLost;
      if (!over) this.#ground.troubled(source, error);
      // A source whose articles bring our store down must not be tried each minute for ever, and look sound.
      if (!over && source.claims >= TRIES && !isAway(error)) {
        const settled = await this.#settle(source, unstored(source, NEVER), NOTHING, manual, began).catch(() => {});
        if (settled) return settled;
      }
      await this.due.release(source, signal.aborted ? 0 : AGAIN_MS).catch(() => {});
      return over ? undefined : this.#tell(source, this.#entry(unstored(source, LATER), NOTHING, manual, began));
    }
  }

  /** A feed that turns out to be another source's is not fetched twice. */
  async #visit(source: Source, manual: boolean, signal: AbortSignal): Promise<Visit> {
    const discover = manual || !source.recent.includes(true);
    const visited = await visit(this.#ground.visitor, source, { manual, discover, signal });
    if (visited.outcome === "failed" && visited.refusal.kind === "defect")
      this.#ground.troubled(source, new Error(visited.refusal.message));
    const { feedKey, urlKey } = moved(source, visited);
    if (feedKey === undefined) return visited;
    const taken = [{ feedKey }, ...(urlKey === undefined ? [] : [{ urlKey }])];
    const other = await this.#ground.sources.findOne({ _id: { $ne: source.id }, $or: taken });
    return other ? duplicated(visited, `the source ${other._id} (${String(other["name"])})`) : visited;
  }

  async #store(source: Source, visited: Visit): Promise<Yield> {
    const { id, name, domain, fullText, claims, countedAt, recent } = source;
    const { clock, storeArticles, countArticles } = this.#ground;
    const sum = { created: 0, updated: 0 };
    const items = visited.outcome === "fetched" ? visited.feed.items : [];
    const successRate = shareOfSuccess(remembered(recent, true));
    for (let at = 0; at < items.length; at += BATCH) {
      const { created, updated } = await storeArticles({
        source: { id, name, domain, fullText, successRate },
        items: items.slice(at, at + BATCH),
        fetchedAt: iso(clock.now()),
      });
      sum.created += created;
      sum.updated += updated;
    }
    // Adding up goes wrong where a fetch was cut off after its articles, and where articles are removed: counted anew
    // then, and daily.
    const stale = claims > 1 || countedAt === undefined || Date.parse(countedAt) + DAY_MS <= clock.now();
    return stale && visited.outcome !== "failed" ? { ...sum, counted: await countArticles(id) } : sum;
  }

  async #settle(
    source: Source,
    visited: Visit,
    stored: Yield,
    manual: boolean,
    began: number,
    settling?: () => void,
  ): Promise<Fetch> {
    const { sources, clock, intervalMs, random } = this.#ground;
    const entry = this.#entry(visited, stored, manual, began);
    const update = settlement(source, visited, stored, { now: clock.now(), intervalMs, spread: random() });
    const own = keeping(source.id, entry);
    this.#history.push(own);
    let kept: Promise<void> | undefined;
    try {
      const settled = sources.claim(untouched(source), update);
      kept = this.#keep();
      settling?.();
      const isSettled = await settled;
      await kept;
      if (!isSettled) await this.#forget(source.id, own);
    } catch (error) {
      await kept;
      await this.#forget(source.id, own);
      if (!(error instanceof DuplicateKey)) throw error;
      // Another source came to that address since it was looked for.
      return this.#settle(source, duplicated(visited, "another source"), stored, manual, began);
    }
    return this.#tell(source, entry);
  }

  #tell(source: Source, entry: Fetch): Fetch {
    this.#ground.ended(source, entry);
    return entry;
  }

  #entry(visited: Visit, { created, updated }: Yield, manual: boolean, began: number): Fetch {
    const { outcome, status = null, url, bytes, notes } = visited;
    const refusal = visited.outcome === "failed" ? visited.refusal : undefined;
    return {
      at: iso(this.#ground.clock.now()),
      outcome,
      manual,
      status,
      url,
      created,
      updated,
      bytes,
      milliseconds: Math.round(performance.now() - began),
      kind: refusal?.kind ?? null,
      error: refusal?.message ?? null,
      notes,
    };
  }
}

const unstored = ({ feedUrl }: Source, message: string): Visit => ({
  outcome: "failed",
  url: feedUrl,
  bytes: 0,
  notes: [],
  refusal: ours(message),
  gone: false,
});

const duplicated = (visited: Visit, owner: string): Visit => {
  const { status, url, bytes, retryAfterMs, freshMs } = visited;
  const at = visited.outcome === "failed" ? url : visited.feedUrl;
  return {
    status,
    url,
    bytes,
    retryAfterMs,
    freshMs,
    notes: [],
    outcome: "failed",
    gone: false,
    refusal: { kind: "duplicate", message: `The feed at ${at} is that of ${owner} already.` },
  };
};
