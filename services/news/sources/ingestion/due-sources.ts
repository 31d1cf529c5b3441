import { iso, type Clock } from "../../../../core/clock.ts";
import type { Doc } from "../../../../core/records/documents.ts";
import { newId } from "../../../../core/ids.ts";
import type { Records } from "../../../../core/records/store.ts";
import { releasing } from "./settlement.ts";
import type { Source } from "../sources.ts";

/**
 * As many fetches of one host at a time as the HTTP client allows; more would only wait there, and hold up other hosts.
 */
const PER_HOST = 2;
/** Longer than the longest fetch. What is claimed and not settled by then is due again. */
export const CLAIM_MS = 5 * 60_000;
/** After a look that found all that is due nobody looks again for so long. */
const FOUND_ALL_MS = 250;

/** Claimed by a round, and not out of turn. */
const IN_HAND = { claimedBy: { $exists: true } };

interface Candidate {
  id: number;
  host: string;
}
/** A source in hand; `leave` gives its host's place back, and `end` the source itself too, once each. */
export interface ClaimedSource {
  source: Source;
  leave(): void;
  end(): void;
}

/** Its server tells what it knows already: most visits bring nothing, and so have nothing to store but that. */
const isConditional = ({ etag, lastModified }: Source): boolean => etag !== undefined || lastModified !== undefined;

/** The source as long as nobody has claimed, fetched or readdressed it since it was read. */
export const untouched = ({ id, claim, dueAt }: Source) =>
  claim === undefined ? { _id: id, claim: null, dueAt } : { _id: id, claim };

const sourceOf = ({ _id, ...fields }: Doc): Source => ({ id: _id, ...fields }) as unknown as Source;

/**
 * The sources that are due, as a queue that lives in the store. A source is taken only when there is a free hand for it,
 * so that nothing is lost with a process, and by an atomic claim, so that two nodes never have the same one. Where the
 * visit will most likely bring nothing the claim waits for what it brings: rounds are one node's at a time, and who
 * comes between by another way has the source.
 */
export class DueSources {
  readonly #sources: Records;
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #batch: number;
  #candidates: Candidate[] = [];
  #looking: Promise<void> | undefined;
  /** Fetches under way here, by host. */
  readonly #hosts = new Map<string, number>();
  /** Taken here without a claim. */
  readonly #unclaimed = new Set<number>();
  #taken = 0;
  /** Until when, by the process's own clock, no further source is looked for. */
  #foundAll = 0;

  /** `holder` names this process, for who looks into a record; `hands` is how many sources it works on at once. */
  constructor(sources: Records, clock: Clock, holder: string, hands: number) {
    this.#sources = sources;
    this.#clock = clock;
    this.#holder = holder;
    this.#batch = hands * 4;
  }

  /** How many were taken and not given back. */
  get taken(): number {
    return this.#taken;
  }

  /** Looks in any case, when it is asked next. */
  afresh(): void {
    this.#foundAll = 0;
  }

  /** Whether any is due; what is found is at hand for who takes next. */
  async any(): Promise<boolean> {
    await this.#look();
    return this.#candidates.length > 0;
  }

  /** How many were found and are not taken yet. */
  get waiting(): number {
    return this.#candidates.length;
  }

  /** Takes the one that is due longest and whose host has a free place; undefined where there is none. */
  async take(): Promise<ClaimedSource | undefined> {
    for (;;) {
      const candidate = this.#pick() ?? (await this.#pickAnew());
      if (!candidate) return undefined;
      const { id, host } = candidate;
      const leave = this.#enter(host);
      const end = (): void => {
        leave();
        this.#unclaimed.delete(id);
      };
      this.#unclaimed.add(id);
      try {
        const source = await this.#own(id);
        if (source) return { source, leave, end };
      } catch (error) {
        end();
        throw error;
      }
      end(); // another process was first
    }
  }

  async #own(id: number): Promise<Source | undefined> {
    const query = { _id: id, ...this.#due() };
    const found = await this.#sources.findOne(query);
    if (!found) return undefined;
    const source = sourceOf(found);
    if (source.claim === undefined && isConditional(source)) return source;
    const claimed = await this.#claim(query, { claimedBy: this.#holder });
    if (claimed) this.#unclaimed.delete(id);
    return claimed;
  }

  /** Claims what was taken without; undefined where somebody else has it by now, or it is another feed's. */
  async secure(source: Source): Promise<Source | undefined> {
    return source.claim === undefined ? this.#claim(untouched(source), { claimedBy: this.#holder }) : source;
  }

  /** Claims one out of turn, due or not, unless it is off or being fetched; its back-off ends. */
  async takeNow(id: number): Promise<Source | undefined> {
    if (this.#unclaimed.has(id)) return undefined;
    const free = { $or: [{ claim: null }, this.#due()] };
    return this.#claim({ _id: id, active: true, ...free }, { failures: 0 });
  }

  async #claim(query: Record<string, unknown>, also: Record<string, unknown>): Promise<Source | undefined> {
    const claimed = await this.#sources.claim(query, {
      $set: { ...also, claim: newId(), dueAt: iso(this.#clock.now() + CLAIM_MS) },
      $inc: { claims: 1 },
    });
    return claimed ? sourceOf(claimed) : undefined;
  }

  /** Gives a claimed source back unsettled. */
  async release(source: Source, afterMs: number): Promise<void> {
    if (source.claim === undefined && afterMs === 0) return;
    await this.#sources.updateMany(untouched(source), releasing(this.#clock.now(), afterMs));
  }

  /** Whether a round has sources in hand, here or elsewhere, or left some when its process died. */
  async anyInHand(): Promise<boolean> {
    return (await this.#sources.find({ query: IN_HAND, limit: 1, fields: ["_id"] })).length > 0;
  }

  /**
   * What rounds have in hand is due at once: for who has the lease and begins a round, and so knows that no other one
   * goes on. Answers how many.
   */
  recover(): Promise<number> {
    return this.#sources.updateMany(IN_HAND, releasing(this.#clock.now(), 0));
  }

  #due(): { dueAt: { $lte: string } } {
    return { dueAt: { $lte: iso(this.#clock.now()) } };
  }

  #enter(host: string): () => void {
    this.#taken += 1;
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#taken -= 1;
      const left = this.#hosts.get(host)! - 1;
      if (left > 0) this.#hosts.set(host, left);
      else this.#hosts.delete(host);
    };
  }

  #pick(): Candidate | undefined {
    const at = this.#candidates.findIndex(
      ({ id, host }) => !this.#unclaimed.has(id) && (this.#hosts.get(host) ?? 0) < PER_HOST,
    );
    return at < 0 ? undefined : this.#candidates.splice(at, 1)[0];
  }

  async #pickAnew(): Promise<Candidate | undefined> {
    if (performance.now() < this.#foundAll) return undefined;
    await this.#look();
    return this.#pick();
  }

  /**
   * One look for all hands that ask at the same moment. Hosts without a free place are passed over: their queue must
   * not hide others.
   */
  #look(): Promise<void> {
    return (this.#looking ??= this.#find().finally(() => {
      this.#looking = undefined;
    }));
  }

  async #find(): Promise<void> {
    const full = [...this.#hosts].filter(([, count]) => count >= PER_HOST).map(([host]) => host);
    const query = {
      ...this.#due(),
      ...(full.length && { host: { $nin: full } }),
      ...(this.#unclaimed.size && { _id: { $nin: [...this.#unclaimed] } }),
    };
    const found = await this.#sources.find({ query, sort: ["dueAt"], limit: this.#batch, fields: ["host"] });
    this.#foundAll = found.length < this.#batch && full.length === 0 ? performance.now() + FOUND_ALL_MS : 0;
    this.#candidates = found.map(({ _id, host }) => ({ id: _id as number, host: host as string }));
  }
}
