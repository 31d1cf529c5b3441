import { hash } from "node:crypto";
import type { Collection, Doc, Documents } from "../../../core/documents.ts";
import { newId } from "../../../core/ids.ts";
import { addMissing } from "./additions.ts";
import { bands, sameStory } from "./identity.ts";

/** What a story is recognised by. */
export interface Trace { sourceId: number; fingerprint: string; publishedAt: string }
export interface Told extends Trace { id: number; storyId: string }
/** The story of a newcomer. */
export interface Assigned {
  storyId: string;
  /** Another source carries it already. */
  hasEcho: boolean;
  /** Articles that were alone in it until now. */
  wereAlone: Alone[];
}
/** An article that no other source carries, and the trace that says so. */
export interface Alone { articleId: number; traceId: string }
interface Candidate extends Trace { storyId: string; alone: Alone | undefined }

const DAY_MS = 86_400_000;
/** A text that comes again later than this is another story. */
const WINDOW_MS = 3 * DAY_MS;
/** Traces are kept so long after they came in. */
const KEPT_MS = 2 * WINDOW_MS;
const BANDS_A_QUESTION = 250;
/** Each question is answered with so many traces at most: a source that fills its feed with one sentence must not slow down all others. */
const MOST_TRACES = 5_000;

/** Equal texts of one source in one story leave one trace. */
const traceIdOf = ({ storyId, sourceId, fingerprint }: Pick<Told, "storyId" | "sourceId" | "fingerprint">): string => `${storyId}:${sourceId}:${hash("sha256", fingerprint, "base64url").slice(0, 12)}`;

/** Candidates by the bands of their fingerprint: a near-duplicate shares at least one. */
class Bands {
  readonly #byBand = new Map<string, Candidate[]>();

  add(candidate: Candidate, of: readonly string[]): void {
    for (const band of of) {
      const sharing = this.#byBand.get(band);
      if (sharing) sharing.push(candidate);
      else this.#byBand.set(band, [candidate]);
    }
  }

  sharing(of: readonly string[]): Set<Candidate> {
    return new Set(of.flatMap((band) => this.#byBand.get(band) ?? []));
  }
}

const near = (one: Trace, other: Trace): boolean =>
  Math.abs(Date.parse(one.publishedAt) - Date.parse(other.publishedAt)) <= WINDOW_MS && sameStory(one.fingerprint, other.fingerprint);

/**
 * Recognises copies of one report. Each article of the last days leaves a small trace, indexed by the bands of its fingerprint; a
 * newcomer is compared with those alone that share a band. Traces are advice: one that a kill loses costs at most that a copy
 * is taken for a story of its own.
 */
export class Stories {
  readonly #traces: Collection;

  private constructor(traces: Collection) { this.#traces = traces; }

  static async open(documents: Documents): Promise<Stories> {
    return new Stories(await documents.collection("article_traces", { indexes: [{ fields: ["bands"] }, { fields: ["seenAt"] }] }));
  }

  /** The stories of newcomers of one source, in their order; those that belong together among themselves get one. */
  async assign(newcomers: readonly Trace[]): Promise<Assigned[]> {
    const banded = newcomers.map((trace) => bands(trace.fingerprint));
    const known = await this.#candidates(banded.flat());
    return newcomers.map((trace, at) => {
      const own = banded[at]!;
      const copies = [...known.sharing(own)].filter((candidate) => near(trace, candidate));
      const others = copies.filter(({ sourceId }) => sourceId !== trace.sourceId);
      // Ids rise with time: the least is that of the story that was there first.
      const storyId = copies.reduce<string | undefined>((first, copy) => (first === undefined || copy.storyId < first ? copy.storyId : first), undefined) ?? newId();
      known.add({ ...trace, storyId, alone: undefined }, own);
      return { storyId, hasEcho: others.length > 0, wereAlone: others.flatMap(({ alone }) => alone ?? []) };
    });
  }

  async #candidates(wanted: readonly string[]): Promise<Bands> {
    const known = new Bands();
    if (!wanted.length) return known;
    const asked = new Set(wanted);
    for (const { _id, articleId, bands: own, sourceId, fingerprint, publishedAt, storyId, alone } of await this.#sharing([...asked])) {
      const candidate = { sourceId, fingerprint, publishedAt, storyId, alone: alone === true ? { articleId, traceId: String(_id) } : undefined };
      known.add(candidate, (own as string[]).filter((band) => asked.has(band)));
    }
    return known;
  }

  /** Traces with any of these bands, each once; in questions of a moderate size, the cost of which does not grow faster than they do. */
  async #sharing(asked: readonly string[]): Promise<Doc[]> {
    const questions = Array.from({ length: Math.ceil(asked.length / BANDS_A_QUESTION) }, (_, at) => asked.slice(at * BANDS_A_QUESTION, (at + 1) * BANDS_A_QUESTION));
    const answers = await Promise.all(questions.map((some) => this.#traces.find({ query: { bands: { $in: some } }, limit: MOST_TRACES })));
    return [...new Map(answers.flat().map((doc) => [doc._id, doc])).values()];
  }

  /** Leaves the traces of articles; one that is there stays. `alone`: no other source carries the story. */
  async remember(told: readonly (Told & { alone: boolean })[], seenAt: string): Promise<void> {
    const traces = new Map(told.map((one) => {
      const { id: articleId, sourceId, fingerprint, publishedAt, storyId, alone } = one;
      const _id = traceIdOf(one);
      return [_id, { _id, articleId, sourceId, fingerprint, publishedAt, storyId, alone, bands: bands(fingerprint), seenAt }];
    }));
    await addMissing(this.#traces, [...traces.values()]);
  }

  /** These are alone no longer. */
  async joined(traceIds: readonly string[]): Promise<void> {
    if (traceIds.length) await this.#traces.updateMany({ _id: { $in: [...traceIds] } }, { $set: { alone: false } });
  }

  /** Drops traces that no newcomer can be compared with any more. `now` in milliseconds. */
  forget(now: number): Promise<number> {
    return this.#traces.removeMany({ seenAt: { $lt: new Date(now - KEPT_MS).toISOString() } });
  }
}
