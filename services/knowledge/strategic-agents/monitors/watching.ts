import {
  auditTime,
  concatMap,
  exhaustMap,
  from,
  groupBy,
  lastValueFrom,
  mergeMap,
  Subject,
  takeUntil,
  toArray,
} from "rxjs";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { isUnserved, nullIf } from "../../../../core/problem.ts";
import { each, inTurns } from "../../../../core/work/turns.ts";
import type { Leases } from "../../../../core/work/schedule.ts";
import {
  articlesArrived,
  articlesArrivedLate,
  contentsOfStory,
  reportOf,
  type Content,
} from "../../../news/articles/client.ts";
import { closeOf, closeOver, countRate, raiseStories, type Sighting } from "./alerting.ts";
import { Cursor, fits, meets, Monitor, watchedArticle, windowOf } from "./monitors.ts";

const MESH = asSystem("strategic-agents");
const LEASE = "strategic-agents.threats";
const TERM_MS = 20_000;
const QUIET_MS = 200;
/** Articles a step, and monitors that are read. */
const BATCH = 100;
const MOST_MONITORS = 10_000;
/** Nodes store late: each look reads again what came so shortly before the newest that was read. */
const OVERLAP_MS = 10_000;
const MOST_SEEN = 5_000;
const CURSOR = derivedId("how far monitors have read the news");
/** Articles of a story that tell how many reports it has. */
const MOST_OF_STORY = 100;

/** The watch of all monitors over the news: one node of the mesh has it, and goes on from the cursor of the last. */
export class ThreatWatch {
  readonly #host: Host;
  readonly #leases: Leases;
  readonly #hints = new Subject<void>();
  readonly #end = new Subject<void>();
  /** The window up to which each rate was counted here. */
  readonly #rolled = new Map<string, number>();
  #looking: Promise<unknown> = Promise.resolve();

  constructor(host: Host, leases: Leases) {
    this.#host = host;
    this.#leases = leases;
    this.#hints
      .pipe(
        auditTime(QUIET_MS),
        exhaustMap(() =>
          from(this.look().catch((error: Error) => this.#host.logger.warn(`Monitors: ${error.message}`))),
        ),
        takeUntil(this.#end),
      )
      .subscribe();
  }

  /** The news have changed. */
  hint(): void {
    this.#hints.next();
  }

  async close(): Promise<void> {
    this.#end.next();
    await this.#looking.catch(() => {});
    await this.#leases.release(LEASE);
  }

  /** Reads on from the cursor, where this node has the lease; one look at a time. */
  look(): Promise<unknown> {
    const lookNext = (): Promise<unknown> => this.#leases.under(LEASE, TERM_MS, () => this.#look());
    const looking = this.#looking.then(lookNext, lookNext);
    this.#looking = looking;
    return looking;
  }

  async #look(): Promise<void> {
    await closeOver(this.#host);
    await this.#endOver();
    const store = this.#host.store(Monitor);
    const [first] = await store.find(MESH, { status: "active" }, { sort: ["createdAt"], limit: 1 });
    if (!first) return;
    for (let more = true; more;) more = await this.#step(first);
    await this.#late();
    await this.#roll();
  }

  /** Whose end has come are ended. */
  async #endOver(): Promise<void> {
    const store = this.#host.store(Monitor);
    const now = iso(this.#host.world.clock.now());
    const over = await store.find(MESH, { status: "active", endsAt: { $lte: now } }, { sort: ["endsAt"] });
    for (const { id } of over) {
      await closeOf(this.#host, id);
      await store.amend(MESH, id, ({ status }) => (status === "active" ? { status: "ended" } : null));
    }
  }

  /** How far the news were read; never behind the first monitor that watches. */
  async #cursor({ createdAt }: Monitor): Promise<Cursor> {
    const cursors = this.#host.store(Cursor);
    const known =
      (await cursors.one(MESH, { _id: CURSOR })) ??
      (await cursors.createOnce(MESH, { id: CURSOR, at: createdAt, last: 0, seen: [] })).record;
    return known.at < createdAt ? { ...known, at: createdAt, last: 0 } : known;
  }

  /** The next articles, given to all monitors, then the cursor; answers whether there may be more. */
  async #step(first: Monitor): Promise<boolean> {
    const cursor = await this.#cursor(first);
    const { at, last: id } = cursor;
    const articles = await articlesArrived(this.#host, { at, id, limit: BATCH }).catch(nullIf(isUnserved));
    const newest = articles?.at(-1);
    if (!newest) return false;
    await this.#give(articles!);
    await this.#save(cursor, articles!, { at: newest.createdAt, last: newest.id });
    return articles!.length === BATCH;
  }

  /** What was stored behind the cursor's back. */
  async #late(): Promise<void> {
    const cursor = await this.#host.store(Cursor).one(MESH, { _id: CURSOR });
    if (!cursor) return;
    const asked = {
      from: iso(Date.parse(cursor.at) - OVERLAP_MS),
      to: cursor.at,
      known: cursor.seen.map(({ id }) => id),
    };
    const articles = await articlesArrivedLate(this.#host, asked).catch(nullIf(isUnserved));
    if (!articles?.length) return;
    await this.#give(articles);
    await this.#save(cursor, articles, {});
  }

  async #save(cursor: Cursor, articles: readonly Content[], to: { at?: string; last?: number }): Promise<void> {
    const since = iso(Date.parse(to.at ?? cursor.at) - OVERLAP_MS);
    const seen = [...cursor.seen, ...articles.map(({ id, createdAt: at }) => ({ id, at }))];
    const near = seen.filter(({ at }) => at >= since).slice(-MOST_SEEN);
    await this.#host.store(Cursor).revise(MESH, cursor, { ...to, seen: near });
  }

  /** Rates whose window is over: what did not come counts too. */
  async #roll(): Promise<void> {
    const rates = await this.#host
      .store(Monitor)
      .find(MESH, { status: "active", kind: "rate" }, { limit: MOST_MONITORS });
    for (const monitor of rates) {
      const [window] = windowOf(monitor, this.#host.world.clock.now());
      if (this.#rolled.get(monitor.id) === window) continue;
      await countRate(this.#host, monitor, []);
      this.#rolled.set(monitor.id, window);
    }
  }

  /** Each monitor gets what fits it, in the order in which it came. */
  async #give(articles: readonly Content[]): Promise<void> {
    // Asked after the articles were: whoever began to watch before one came is among them.
    const monitors = await this.#host.store(Monitor).find(MESH, { status: "active" }, { limit: MOST_MONITORS });
    await lastValueFrom(
      from(articles).pipe(
        concatMap((article) => this.#fitting(monitors, article)),
        mergeMap((found) => found),
        groupBy(({ monitor }) => monitor.id),
        mergeMap((of) => of.pipe(toArray())),
        concatMap((found) =>
          this.#apply(
            found[0]!.monitor,
            found.map(({ article }) => article),
          ),
        ),
      ),
      { defaultValue: undefined },
    );
  }

  /** The monitors that an article fits, in turns of the loop: there may be thousands. */
  async #fitting(monitors: readonly Monitor[], article: Content): Promise<{ monitor: Monitor; article: Content }[]> {
    const one = watchedArticle(article);
    const watching = monitors.filter(({ createdAt }) => article.createdAt >= createdAt);
    const found = await inTurns(each(watching, (monitor) => fits(monitor, one)));
    return watching.filter((_, at) => found[at]).map((monitor) => ({ monitor, article }));
  }

  async #apply(monitor: Monitor, articles: readonly Content[]): Promise<void> {
    const sightings = articles.map(sightingOf);
    if (monitor.kind === "rate") return countRate(this.#host, monitor, sightings);
    if (monitor.kind === "keyword") return raiseStories(this.#host, monitor, sightings);
    const isMet = await Promise.all(articles.map((article) => this.#meets(monitor, article)));
    await raiseStories(
      this.#host,
      monitor,
      sightings.filter((_, at) => isMet[at]),
    );
  }

  async #meets(monitor: Monitor, article: Content): Promise<boolean> {
    if (!meets(monitor, article, Infinity)) return false;
    if (monitor.rule?.minReports === undefined) return true;
    const story = await contentsOfStory(this.#host, article.storyId, MOST_OF_STORY);
    return meets(monitor, article, new Set(story.map(reportOf)).size);
  }
}

const sightingOf = ({ id, storyId, title, createdAt }: Content): Sighting => ({ id, storyId, title, at: createdAt });
