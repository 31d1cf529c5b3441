import type { ParsedItem } from "../../../../adapters/feeds/feed.ts";
import { iso, type Clock } from "../../../../core/clock.ts";
import { isAway } from "../../../../core/problem.ts";
import { DuplicateKey, type Collection } from "../../../../core/records/documents.ts";
import type { Records } from "../../../../core/records/store.ts";
import { LeaseLost } from "../../../../core/work/hold.ts";
import { remembered } from "../health.ts";
import type { Source } from "../sources.ts";
import { untouched, type DueSources } from "./due-sources.ts";
import { DAY_MS } from "./fetch-interval.ts";
import { visit, type Visit, type Visitor } from "./fetcher.ts";
import { historyEntry, unkeeping, unreadInWords, type Fetch, type Kept } from "./fetches.ts";
import { movedFeed, settlement, type Yield } from "./settlement.ts";

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

/** Pages that could not be read, and one of them. */
export interface UnreadPages {
  count: number;
  example?: { url: string; why: string };
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
  /** Pages of a source's articles that could not be read since a moment. */
  unreadPages(sourceId: number, since: string): Promise<UnreadPages>;
  /** Told of each fetch that ended. */
  ended(source: Source, fetch: Fetch): void;
  /** Told of what is no fault of the feed. */
  troubled(source: Source, error: unknown): void;
  /** Chance, 0..1. */
  random(): number;
}

/** Items of one call: a kill costs at most so many to be stored again. */
const BATCH = 200;
/** After a failure of our own. */
const AGAIN_MS = 60_000;

/** How often articles that cannot be stored are tried again at once, where nothing that storing needs is away. */
const TRIES = 3;
const LATER = "The articles could not be stored at the moment; the source is fetched again in a minute.";
const NEVER = "The articles of this feed could not be stored, time and again, for a fault of ours.";
const ours = (message: string) => ({ kind: "internal", message });
const shareOfSuccess = (recent: readonly boolean[]): number => recent.filter(Boolean).length / recent.length;
const NOTHING: Yield = { created: 0, updated: 0 };

/** Entries of the history that could not be written; more are not worth their memory. */
const MOST_UNWRITTEN = 200;

/**
 * Fetches one source and hands its articles on. The order of its writes is what makes it safe: claim, articles,
 * validators. A kill between any two repeats work that is idempotent, and never skips any.
 */
export class Fetching {
  readonly #ground: Ground;
  readonly #due: DueSources;
  readonly #signal: AbortSignal;
  /** Written with the settlement of each fetch, so that both cost one commit; what could not be written waits here. */
  #history: Kept[] = [];

  /** `signal`: the node stops. */
  constructor(ground: Ground, due: DueSources, signal: AbortSignal) {
    this.#ground = ground;
    this.#due = due;
    this.#signal = signal;
  }

  /** Writes what is to be kept of settled fetches. What cannot be written now comes with the next. */
  async keep(): Promise<void> {
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
  async fetch(taken: Source, manual: boolean, settling?: () => void): Promise<Fetch | undefined> {
    const began = performance.now();
    const signal = this.#signal;
    let source = taken;
    try {
      const feed = await this.#visit(source, manual, signal);
      const visited = { ...feed, notes: [...feed.notes, ...(await this.#unread(source))] };
      // What a visit brings is stored under a claim, which counts how often that was tried.
      const secured = visited.outcome === "fetched" ? await this.#due.secure(source) : source;
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
      await this.#due.release(source, signal.aborted ? 0 : AGAIN_MS).catch(() => {});
      return over ? undefined : this.#tell(source, this.#entry(unstored(source, LATER), NOTHING, manual, began));
    }
  }

  /** A feed that turns out to be another source's is not fetched twice. */
  async #visit(source: Source, manual: boolean, signal: AbortSignal): Promise<Visit> {
    const discover = manual || !source.recent.includes(true);
    const visited = await visit(this.#ground.visitor, source, { manual, discover, signal });
    if (visited.outcome === "failed" && visited.refusal.kind === "defect")
      this.#ground.troubled(source, new Error(visited.refusal.message));
    const { feedKey, urlKey } = movedFeed(source, visited);
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

  /** Pages are fetched after the feed: a fetch tells of those since the one before. */
  async #unread({ id, fullText, lastFetch }: Source): Promise<string[]> {
    if (!fullText || !lastFetch) return [];
    return unreadInWords(await this.#ground.unreadPages(id, lastFetch));
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
    const own = historyEntry(source.id, entry);
    this.#history.push(own);
    let kept: Promise<void> | undefined;
    try {
      const settled = sources.claim(untouched(source), update);
      kept = this.keep();
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
