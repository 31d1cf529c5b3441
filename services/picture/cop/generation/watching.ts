import {
  concatMap,
  debounce,
  debounceTime,
  defer,
  from,
  groupBy,
  mergeMap,
  Subject,
  takeUntil,
  tap,
  timer,
  type Observable,
} from "rxjs";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Layer, WATCHED_STATES } from "../layers/layers.ts";
import { inPicture, pictureOf } from "../pictures.ts";
import { make, noteFailure } from "./making.ts";
import { isLinkable, LINKABLE, Pictures } from "./reviewing.ts";
import { featureIdOf, isSingle, recordsOf, LAYER_SOURCES, type LayerSource } from "./sources.ts";
import { LayerWatch } from "./watches.ts";

/** A burst of hints is one: made anew once it is quiet so long, and at the latest after so long. */
const QUIET_MS = 250;
const LATEST_MS = 700;
/** What changed is compared a little later, together. */
const COMPARED_MS = 1_000;
const COMPARED_LATEST_MS = 5_000;
/** Nodes commit late: each look reads again what changed so shortly before the last one. */
const OVERLAP_MS = 10_000;
/** Whoever looked within this time holds the lease of the watch, and follows hints. */
const HELD_MS = 10_000;
const FORGOTTEN_MS = 60_000;
/** Every fifteenth look makes everything anew: lists of changes do not name what was removed. */
const WHOLE_LOOKS = 15;

/** At every 150th look all that layers show is compared: it must equal what was found change by change. */
const COMPARED_LOOKS = 150;
/** A layer with more changes than this is made anew. */
const MOST_PARTS = 1_000;

/** Something that layers of a picture may show has changed. */
export interface Hint {
  picture: string;
  source?: string | undefined;
  recordIds?: readonly string[] | undefined;
  layerId?: string | undefined;
  isMade?: boolean | undefined;
  /** Changed features of the source `layers`, as a layer of layers names them. */
  featureIds?: readonly string[];
}

/** What of layers is to be made anew: some of its features, or all. */
export class ChangedParts {
  readonly #parts = new Map<string, Set<string> | "all">();

  add(layerId: string, featureIds: readonly string[] | undefined): void {
    const before = this.#parts.get(layerId);
    const size = (before === undefined || before === "all" ? 0 : before.size) + (featureIds?.length ?? 0);
    if (!featureIds || before === "all" || size > MOST_PARTS) this.#parts.set(layerId, "all");
    else this.#parts.set(layerId, new Set([...(before ?? []), ...featureIds]));
  }

  /** Of a layer that nothing was said of, all. */
  take(layerId: string): ReadonlySet<string> | undefined {
    const parts = this.#parts.get(layerId) ?? "all";
    this.#parts.delete(layerId);
    return parts === "all" ? undefined : parts;
  }
}

/** Lets the last of a burst through: when it is quiet, and no later than `latestMs` after its first. */
export const settled =
  <T>(quietMs: number, latestMs: number) =>
  (hints: Observable<T>): Observable<T> =>
    defer(() => {
      let since: number | undefined;
      return hints.pipe(
        tap(() => (since ??= performance.now())),
        debounce(() => timer(Math.max(0, Math.min(quietMs, since! + latestMs - performance.now())))),
        tap(() => (since = undefined)),
      );
    });

const mesh = asSystem("cop");

/** The watch over pictures: of all nodes that run it, the one under whose lease the looks are follows hints. */
export class Watching {
  readonly #host: Host;
  readonly #hints = new Subject<Hint>();
  /** Pictures that have changed: they are compared anew. */
  readonly #changes = new Subject<string>();
  readonly #end = new Subject<void>();
  readonly #parts = new ChangedParts();
  readonly #pictures: Pictures;
  /** Drawn layers by the revision that was made: what they show changes by nothing else. */
  readonly #made = new Map<string, number>();
  readonly #cursors = new Map<string, { from: number; seen: Map<string, string> }>();
  readonly #busy = new Set<Promise<unknown>>();
  #lookedAt = -Infinity;
  #looks = 0;

  constructor(host: Host) {
    this.#host = host;
    this.#pictures = new Pictures(host);
    this.#hints
      .pipe(
        mergeMap((hint) => from(this.#concerned(hint)).pipe(mergeMap((ids) => ids))),
        groupBy((layerId) => layerId, { duration: (group) => this.#idle(group) }),
        mergeMap((layer) =>
          layer.pipe(
            settled(QUIET_MS, LATEST_MS),
            concatMap((layerId) => this.#working(() => this.#make(layerId))),
          ),
        ),
        takeUntil(this.#end),
      )
      .subscribe();
    this.#changes
      .pipe(
        groupBy((picture) => picture, { duration: (group) => this.#idle(group) }),
        mergeMap((picture) =>
          picture.pipe(
            settled(COMPARED_MS, COMPARED_LATEST_MS),
            concatMap((picture) => this.#working(() => this.#pictures.compare(picture))),
          ),
        ),
        takeUntil(this.#end),
      )
      .subscribe();
  }

  /** Somebody told of a change. Followed by the node that looks; the others leave it. */
  hint(hint: Hint): void {
    if (performance.now() - this.#lookedAt >= HELD_MS) return;
    if (!hint.isMade) return this.#hints.next(hint);
    this.#pictures.forget(hint.picture);
    this.#made.clear();
  }

  /** What has been quiet for a minute is forgotten. */
  #idle(group: Observable<unknown>): Observable<unknown> {
    return group.pipe(debounceTime(FORGOTTEN_MS), takeUntil(this.#end));
  }

  async close(): Promise<void> {
    this.#end.next();
    await Promise.allSettled(this.#busy);
  }

  /** Looks at every watched picture for what changed since the last look; under the lease of the watch. */
  async look(): Promise<void> {
    // Whoever takes the watch over knows of no changes: it makes all anew, and so misses none.
    const isTaken = performance.now() - this.#lookedAt > HELD_MS;
    const isWhole = isTaken || this.#looks % WHOLE_LOOKS === 0;
    if (isTaken) this.#made.clear();
    if (isTaken || this.#looks % COMPARED_LOOKS === 0) this.#pictures.forget();
    this.#looks++;
    this.#lookedAt = performance.now();
    const watches = await this.#host.store(LayerWatch).find(mesh, { on: true });
    for (const watch of watches) await this.#lookAt(pictureOf(watch), isWhole);
  }

  async #lookAt(picture: string, isWhole: boolean): Promise<void> {
    const { clock } = this.#host.world;
    const now = clock.now();
    const drawn = await this.#host.store(Layer).find(mesh, {
      ...inPicture(picture),
      ...(!isWhole && { updatedAt: { $gte: this.#since(`layers ${picture}`) } }),
    });
    const layers = this.#news(`layers ${picture}`, drawn, now);
    for (const { id, rev, kind } of isWhole ? drawn : layers)
      if (kind === "live" || this.#made.get(id) !== rev) this.#hints.next({ picture, layerId: id });
    const used = await this.#host
      .store(Layer)
      .find(mesh, { ...inPicture(picture), source: { $in: [...LAYER_SOURCES] } }, { fields: ["source", "state"] });
    const shown = used.filter(({ state }) => WATCHED_STATES.includes(state)).map(({ source }) => source!);
    const sources = new Set([...shown, ...LINKABLE]);
    for (const source of sources) await this.#lookAtSource(picture, source, now);
    // What became stale changed by itself.
    if (this.#pictures.isDue(picture)) this.#changes.next(picture);
  }

  async #lookAtSource(picture: string, source: string, now: number): Promise<void> {
    if (source === "layers") return;
    const key = `${source} ${picture}`;
    const records = await recordsOf(this.#host, source as never, { ...inPicture(picture), since: this.#since(key) });
    const isFirst = !this.#cursors.has(key);
    const news = records ? this.#news(key, records, now) : [];
    // What was there before the first look is made with the layers themselves.
    if (!isFirst && news.length) this.#hints.next({ picture, source, recordIds: news.map(({ id }) => id) });
  }

  #since(key: string): string {
    return iso(Math.max(0, (this.#cursors.get(key)?.from ?? 0) - OVERLAP_MS));
  }

  /**
   * The records that were not seen in this state; the cursor moves to now. What moves by telemetry has no new revision.
   */
  #news<R extends { id: string; rev: number; at?: string | undefined }>(
    key: string,
    records: readonly R[],
    now: number,
  ): R[] {
    const seen = this.#cursors.get(key)?.seen;
    const stateOf = ({ rev, at }: R): string => `${rev} ${at}`;
    this.#cursors.set(key, { from: now, seen: new Map(records.map((one) => [one.id, stateOf(one)])) });
    return records.filter((one) => seen?.get(one.id) !== stateOf(one));
  }

  /** The layers that show what changed, and what of them. */
  async #concerned({ picture, source, recordIds, layerId, featureIds }: Hint): Promise<string[]> {
    try {
      const watch = await this.#host.store(LayerWatch).one(mesh, { ...inPicture(picture), on: true });
      if (!watch) return [];
      if (recordIds && isLinkable(source)) {
        this.#pictures.noteRecords(picture, source, recordIds);
        this.#changes.next(picture);
      }
      const query = { ...inPicture(picture), source: source ?? "layers" };
      const showing = await this.#host.store(Layer).find(mesh, query, { fields: ["state"] });
      const named = isSingle(source) ? recordIds?.map((id) => featureIdOf(source as LayerSource, id)) : undefined;
      const parts = named ?? featureIds;
      for (const { id } of showing) this.#parts.add(id, parts);
      if (layerId) this.#parts.add(layerId, undefined);
      return [...(layerId ? [layerId] : []), ...showing.map(({ id }) => id)];
    } catch {
      // The store is away: the next look finds what changed.
      return [];
    }
  }

  /** Waited for when the node stops. What fails is done again with the next change, or the next whole look. */
  async #working(work: () => Promise<unknown>): Promise<void> {
    const task = work()
      .catch((error: Error) => this.#host.logger.warn(`The picture was not made anew: ${error.message}`))
      .finally(() => this.#busy.delete(task));
    this.#busy.add(task);
    await task;
  }

  async #make(layerId: string): Promise<void> {
    const only = this.#parts.take(layerId);
    this.#made.delete(layerId);
    const made = await make(this.#host, layerId, "watch", only).catch(async (error: Error) => {
      // What was to be made is not lost with it: the next making is of all.
      this.#parts.add(layerId, undefined);
      await noteFailure(this.#host, layerId, "watch");
      throw error;
    });
    if (!made) return;
    const { layer, added, updated, removed } = made;
    const picture = pictureOf(layer);
    if (layer.kind === "drawn") this.#made.set(layerId, layer.rev);
    if (added.length + updated.length + removed.length === 0) return;
    // What shows other layers shows this one too.
    const featureIds = [...added, ...updated, ...removed].map(({ featureId }) => `${layerId}:${featureId}`);
    if (layer.source !== "layers") this.#hints.next({ picture, source: "layers", featureIds });
    this.#pictures.noteFeatures(picture, made);
    this.#changes.next(picture);
  }
}
