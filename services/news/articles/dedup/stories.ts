import { setImmediate as breathe } from "node:timers/promises";
import { iso, type Clock } from "../../../../core/clock.ts";
import type { Collection, Doc, Documents } from "../../../../core/records/documents.ts";
import { newId } from "../../../../core/ids.ts";
import { each, inTurns } from "../../../../core/work/turns.ts";
import { Events } from "../grouping/events.ts";
import { packTopic, unpackTopic } from "../grouping/topics/packed-topic.ts";
import type { Topic } from "../grouping/topics/topic.ts";
import { bands } from "./fingerprint.ts";
import { Generation, near, WINDOW_MS } from "./generation.ts";
import type { ArticleTrace, Trace as Held } from "./traces.ts";

/** What a report is recognised by. */
export interface Trace {
  sourceId: number;
  fingerprint: string;
  publishedAt: string;
}
/** A new article: what event it tells of is seen by its topic. */
export interface Newcomer extends Trace {
  topic: Topic;
}
export interface StoryMember extends Trace {
  id: number;
  storyId: string;
  reportId?: string | undefined;
  /** Of a report in words of its own; copies have none. */
  topic?: Topic | undefined;
}
/** An article whose event no other source tells of, and the number of its trace. */
export interface Alone {
  articleId: number;
  trace: number;
}
/** The event that a newcomer belongs to, and its report. */
export interface Assigned {
  storyId: string;
  reportId: string;
  /** The topic as given; absent for a copy. */
  topic: Topic | undefined;
  /** Another source tells of the event already, in words of its own. */
  hasEcho: boolean;
  /** Articles that were alone in telling of it until now. */
  wereAlone: Alone[];
}

/** Traces are kept so long after they came in. */
const KEPT_MS = 2 * WINDOW_MS;
/**
 * A newcomer is compared with so many at most: a source that fills its feed with one sentence must not slow down all
 * others.
 */
const MOST_COMPARED = 500;
/** Traces held in memory, some 700 bytes each; of more the oldest go. */
const MOST_HELD = 120_000;
/** So many traces are taken up and forgotten together. */
const GENERATION = 10_000;
/** How far back other nodes' traces are looked for: their clocks may differ, and a write takes time. */
const OVERLAP_MS = 30_000;
const SLICE = 50;

/**
 * As a trace is stored: article, source, fingerprint, time of publication, story, 1 where no other source tells of it,
 * the report where it is not the story's first, and its topic where it is no copy.
 */
type Packed = [
  articleId: number,
  sourceId: number,
  fingerprint: string,
  publishedAt: string,
  storyId: string,
  alone: 0 | 1,
  reportId?: string,
  topic?: string,
];
/**
 * The traces of one batch are one record; `by` is the process that wrote it, `joined` the articles that are alone no
 * longer.
 */
interface Row extends Doc {
  seenAt: string;
  by: string;
  traces: Packed[];
  joined: number[];
}

const unpacked = ([articleId, sourceId, fingerprint, publishedAt, storyId, alone, reportId]: Packed): ArticleTrace => ({
  articleId,
  sourceId,
  fingerprint,
  at: Date.parse(publishedAt),
  storyId,
  reportId: reportId || storyId,
  alone: alone === 1,
});
/** Release 0.1.0 stored a record for each trace; what is left of those is of its last days. */
const tracesOf = (row: Doc): Packed[] =>
  Array.isArray(row["traces"])
    ? (row as Row).traces
    : [
        [
          row["articleId"],
          row["sourceId"],
          row["fingerprint"],
          row["publishedAt"],
          row["storyId"],
          row["alone"] ? 1 : 0,
        ],
      ];

const same = (one: ArticleTrace, other: ArticleTrace): boolean =>
  one.reportId === other.reportId && one.sourceId === other.sourceId && one.fingerprint === other.fingerprint;

/**
 * Recognises events and copies of one report. Each article of the last days leaves a small trace; a newcomer is compared with
 * those alone that share a band of its fingerprint. Every process that takes articles in holds the traces in memory,
 * found by band: bands are spread by chance, so that an index of them on disk would have a page of its own to write for
 * each. A batch leaves one record beside its articles, from which the others, and whoever starts again, learn. Traces
 * are advice: one that a kill loses costs at most that a copy is taken for a story of its own.
 */
export class Stories {
  readonly #rows: Collection;
  readonly #clock: Clock;
  readonly #by = newId();
  readonly #events = new Events();
  /** Numbers of the traces of each event; most have one. */
  readonly #tellers = new Map<string, number | number[]>();
  #generations: { until: number; of: Generation }[] = [];
  #held = 0;
  /** The number of the next trace; none is given twice. */
  #next = 0;
  /** When other processes' traces were looked for last, and which of those since then are known. */
  #followed: number | undefined;
  #known = new Map<string, string>();

  private constructor(rows: Collection, clock: Clock) {
    this.#rows = rows;
    this.#clock = clock;
  }

  static async open(documents: Documents, clock: Clock): Promise<Stories> {
    return new Stories(
      await documents.collection("article_traces", { indexes: [{ fields: ["seenAt", "by"] }] }),
      clock,
    );
  }

  /** Events and reports of newcomers of one source, in their order; those that belong together get one. */
  async assign(newcomers: readonly Newcomer[]): Promise<Assigned[]> {
    await this.#follow();
    for (const { topic } of newcomers) this.#events.learn(topic);
    const batch = new Generation();
    const assigned = each(newcomers, ({ sourceId, fingerprint, publishedAt, topic }): Assigned => {
      const own = bands(fingerprint),
        at = Date.parse(publishedAt);
      const copies = this.#sharing(own, batch).filter((candidate) => near({ sourceId, fingerprint, at }, candidate));
      // Ids rise with time: the least is that of the report that was there first.
      const first = copies.reduce<ArticleTrace | undefined>(
        (before, copy) => (before === undefined || copy.reportId < before.reportId ? copy : before),
        undefined,
      );
      const storyId = first?.storyId ?? this.#events.nearest(topic, at);
      const reportId = first?.reportId ?? newId();
      const found = storyId ?? reportId;
      if (!first) this.#events.add(found, topic, at);
      const others = this.#tellersOf(found).filter(
        ({ held }) => held.sourceId !== sourceId && held.reportId !== reportId,
      );
      batch.add({ articleId: 0, sourceId, fingerprint, at, storyId: found, reportId, alone: false }, own);
      return {
        storyId: found,
        reportId,
        topic: first ? undefined : topic,
        hasEcho: others.length > 0,
        wereAlone: others.flatMap(({ trace, held }) => (held.alone ? { trace, articleId: held.articleId } : [])),
      };
    });
    return inTurns(assigned);
  }

  /** Other events that an article of the event `own` most likely tells of too. */
  async kindred(own: string, topic: Topic, publishedAt: string): Promise<string[]> {
    if (this.#followed === undefined || this.#clock.now() - this.#followed > OVERLAP_MS) await this.#follow();
    return this.#events.kindred(own, topic, Date.parse(publishedAt));
  }

  /** The traces with any of these bands, the latest first. */
  #sharing(own: readonly number[], batch?: Generation): Held[] {
    const found = batch?.sharing(own, MOST_COMPARED) ?? [];
    for (let at = this.#generations.length - 1; at >= 0 && found.length < MOST_COMPARED; at--)
      found.push(...this.#generations[at]!.of.sharing(own, MOST_COMPARED - found.length));
    return found;
  }

  #tellersOf(storyId: string): { trace: number; held: Held }[] {
    const numbers = this.#tellers.get(storyId) ?? [];
    return (typeof numbers === "number" ? [numbers] : numbers).flatMap((trace) => {
      const of = this.#holding(trace);
      return of ? { trace, held: of.traces.at(trace - of.first) } : [];
    });
  }

  /** The generation of a trace; undefined where it was forgotten. */
  #holding(trace: number): Generation | undefined {
    return this.#generations.findLast(({ of }) => of.first <= trace && trace < of.end)?.of;
  }

  /**
   * Leaves the traces of articles, and notes those that are alone no longer. `alone`: no other source tells of the
   * event.
   */
  async remember(
    told: readonly (StoryMember & { alone: boolean })[],
    joined: readonly Alone[],
    seenAt: string,
  ): Promise<void> {
    for (const { trace } of joined) {
      const of = this.#holding(trace);
      of?.traces.join(trace - of.first);
    }
    const traces = told
      .map(({ id, sourceId, fingerprint, publishedAt, storyId, reportId = storyId, alone, topic }): Packed => [
        id,
        sourceId,
        fingerprint,
        publishedAt,
        storyId,
        alone ? 1 : 0,
        reportId === storyId ? "" : reportId,
        topic ? packTopic(topic) : "",
      ])
      .filter((packed) => this.#learn(unpacked(packed), Date.parse(seenAt)));
    if (traces.length || joined.length)
      await this.#rows.insert({
        _id: newId(),
        by: this.#by,
        seenAt,
        traces,
        joined: joined.map(({ articleId }) => articleId),
      });
  }

  /** Takes a trace up; false where it is there: equal texts of one source in one story leave one. */
  #learn(trace: ArticleTrace, seenAt: number): boolean {
    const own = bands(trace.fingerprint);
    if (this.#sharing(own.slice(0, 1)).some((other) => same(trace, other))) return false;
    let last = this.#generations.at(-1);
    if (!last || last.of.traces.size >= GENERATION) {
      last?.of.seal();
      this.#generations.push((last = { until: seenAt, of: new Generation(this.#next) }));
    }
    const number = last.of.add(trace, own);
    this.#next = number + 1;
    const tellers = this.#tellers.get(trace.storyId);
    if (tellers === undefined) this.#tellers.set(trace.storyId, number);
    else if (typeof tellers === "number") this.#tellers.set(trace.storyId, [tellers, number]);
    else if (tellers.length < MOST_COMPARED) tellers.push(number);
    last.until = Math.max(last.until, seenAt);
    if (++this.#held > MOST_HELD) this.#drop(1);
    return true;
  }

  /** The same for a trace of another process, with its topic. */
  #learnStored(stored: Packed, seenAt: number): void {
    const trace = unpacked(stored);
    if (!this.#learn(trace, seenAt) || !stored[7]) return;
    const topic = unpackTopic(stored[7]);
    this.#events.learn(topic);
    this.#events.add(trace.storyId, topic, trace.at);
  }

  #drop(oldest: number): void {
    for (const { of } of this.#generations.splice(0, oldest)) {
      this.#held -= of.traces.size;
      for (const storyId of of.traces.stories) this.#tellers.delete(storyId);
    }
  }

  /** Learns what other processes stored, and at first what is there. */
  async #follow(): Promise<void> {
    const now = this.#clock.now();
    const since = iso(this.#followed === undefined ? now - KEPT_MS : this.#followed - OVERLAP_MS);
    const rows = await this.#rows.find({
      query: { seenAt: { $gte: since }, by: { $ne: this.#by } },
      sort: ["seenAt"],
      fields: ["seenAt"],
    });
    const strange = rows.filter(({ _id }) => !this.#known.has(String(_id)));
    const joined = new Set<number>();
    for (let at = 0; at < strange.length; at += SLICE) {
      const ids = strange.slice(at, at + SLICE).map(({ _id }) => _id);
      for (const row of await this.#rows.findByIds(ids)) {
        for (const trace of tracesOf(row)) this.#learnStored(trace, Date.parse(row["seenAt"]));
        for (const articleId of (row as Row).joined ?? []) joined.add(articleId);
      }
      if (strange.length > SLICE) await breathe();
    }
    if (joined.size) for (const { of } of this.#generations) of.traces.joinAll(joined);
    this.#followed = now;
    this.#known = new Map(
      rows.filter(({ seenAt }) => seenAt >= iso(now - OVERLAP_MS)).map(({ _id, seenAt }) => [String(_id), seenAt]),
    );
  }

  /** Drops traces that no newcomer can be compared with any more. `now` in milliseconds. */
  forget(now: number): Promise<number> {
    this.#drop(this.#generations.filter(({ until }) => until < now - KEPT_MS).length);
    return this.#rows.removeMany({ seenAt: { $lt: iso(now - KEPT_MS) } });
  }
}
