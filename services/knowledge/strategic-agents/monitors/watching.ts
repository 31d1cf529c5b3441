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
import { articlesArrived, contentsOfStory, reportOf, type Content } from "../../../news/articles/client.ts";
import { closeOf, closeOver, countRate, raiseStories, type Sighting } from "./alerting.ts";
import { Cursor, fits, meets, Monitor, read } from "./monitors.ts";

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
    await this.#leases.release(LEASE).catch(() => {});
  }

  /** Reads on from the cursor, where this node has the lease; one look at a time. */
  look(): Promise<unknown> {
    const lookNext = (): Promise<unknown> => this.#leases.under(LEASE, TERM_MS, () => this.#look());
    const looking = this.#looking.then(lookNext, lookNext);
    this.#looking = looking;
    return looking;
  }

  async #look(): Promise<void> {
    const monitors = await this.#active();
    await closeOver(this.#host);
    if (!monitors.length) return;
    for (let more = true; more;) more = await this.#step(monitors);
    for (const monitor of monitors) if (monitor.kind === "rate") await countRate(this.#host, monitor, []);
  }

  /** Those that watch; whose end has come are ended. */
  async #active(): Promise<Monitor[]> {
    const store = this.#host.store(Monitor);
    const now = iso(this.#host.world.clock.now());
    const all = await store.find(MESH, { status: "active" }, { sort: ["endsAt"], limit: MOST_MONITORS });
    for (const { id, endsAt } of all) {
      if (endsAt > now) break;
      await closeOf(this.#host, id);
      await store.amend(MESH, id, ({ status }) => (status === "active" ? { status: "ended" } : null));
    }
    return all.filter(({ endsAt }) => endsAt > now);
  }

  /** The next articles, given to all monitors, then the cursor; answers whether there may be more. */
  async #step(monitors: readonly Monitor[]): Promise<boolean> {
    const cursors = this.#host.store(Cursor);
    const began = monitors.map(({ createdAt }) => createdAt).sort()[0]!;
    const cursor =
      (await cursors.one(MESH, { _id: CURSOR })) ??
      (await cursors.createOnce(MESH, { id: CURSOR, at: began, seen: [] })).record;
    const at = cursor.at > began ? cursor.at : began;
    const since = iso(Date.parse(at) - OVERLAP_MS);
    const known = cursor.seen.slice(-MOST_SEEN);
    const articles = await articlesArrived(this.#host, { since, known, limit: BATCH }).catch(nullIf(isUnserved));
    if (!articles?.length) return false;
    await this.#give(monitors, articles);
    const newest = articles.at(-1)!.createdAt;
    await cursors.revise(MESH, cursor, {
      at: newest > at ? newest : at,
      seen: [...known, ...articles.map(({ id }) => id)].slice(-MOST_SEEN),
    });
    return articles.length === BATCH;
  }

  /** Each monitor gets what fits it, in the order in which it came. */
  async #give(monitors: readonly Monitor[], articles: readonly Content[]): Promise<void> {
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
    const one = read(article);
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
