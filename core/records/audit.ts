import { isConfirmed, type Actor, type AgentMark } from "../access/access.ts";
import { actorOf, requestNameOf, type Ctx } from "../access/caller.ts";
import { canonicalJson } from "../canonical-json.ts";
import { iso, type Clock } from "../clock.ts";
import { DuplicateKey, opener, type Collection, type Documents } from "./documents.ts";
import { sha256 } from "../ids.ts";
import { beyondHolds } from "../work/hold.ts";
import { isProblem, type Problem } from "../problem.ts";

/**
 * The audit log: hash-linked chains, one for each run of a process, so that nodes append without waiting for one
 * another. An entry is keyed by chain and number, holds the hash of the one before, and is durable before the write it
 * tells of is acknowledged. A checkpoint signs the heads of all chains; whoever keeps one finds any later edit,
 * deletion, insertion, reordering or truncation (Crosby & Wallach 2009 describe the attack model; a linear chain is
 * enough at our sizes).
 */
export interface Entry {
  /** `<chain>:<seq, ten digits>`, so that keys sort as the chain runs. */
  _id: string;
  chain: string;
  seq: number;
  time: string;
  actor: string;
  via: string;
  /** Of what an agent did for the actor. */
  agent?: AgentMark;
  action: string;
  object?: { type: string; id: string | number };
  /** Of writes that are listed apart as well: in which book, and what they say of themselves there. */
  book?: string;
  said?: Record<string, unknown>;
  outcome: "ok" | "refused" | "failed";
  /** Error code of what did not succeed. */
  code?: string;
  requestId: string;
  prev: string;
  hash: string;
}

export const GENESIS = "0".repeat(64);

/** SHA-256 over the JCS form (RFC 8785) of the entry without its hash. */
export function entryHash(entry: Omit<Entry, "hash">): string {
  const { hash: _hash, ...rest } = entry as Entry;
  return sha256(canonicalJson(rest)!);
}

export interface ChainHead {
  chain: string;
  seq: number;
  hash: string;
}
export interface Fault {
  chain: string;
  seq: number;
  what: string;
}

/** Recomputes a log entry by entry, in the order of its keys; memory holds only the head of the current chain. */
export class Recomputation {
  chains = 0;
  entries = 0;
  /** The first fault of each chain. */
  readonly faults: Fault[] = [];
  #at = { chain: "", seq: 0, prev: GENESIS, faulty: false };

  take(entry: Entry): void {
    if (!this.entries++ || entry.chain !== this.#at.chain) {
      this.chains++;
      this.#at = { chain: entry.chain, seq: 0, prev: GENESIS, faulty: false };
    }
    const { chain, prev, faulty } = this.#at;
    const seq = ++this.#at.seq;
    this.#at.prev = entry.hash;
    const what = faulty ? undefined : faultOf(entry, seq, prev);
    if (what === undefined) return;
    this.#at.faulty = true;
    this.faults.push({ chain, seq, what });
  }
}

function faultOf(entry: Entry, seq: number, prev: string): string | undefined {
  if (entry.seq !== seq) return `expected entry ${seq}, found ${entry.seq}`;
  if (entry._id !== entryId(entry.chain, seq)) return "the entry's key does not fit its chain and number";
  if (entry.prev !== prev) return "the link to the entry before is broken";
  return entry.hash === entryHash(entry) ? undefined : "the entry was changed after it was written";
}

/**
 * Holds recomputed heads against a checkpoint's: a chain that became shorter, went missing or was rewritten is a fault.
 */
export function againstCheckpoint(chains: ReadonlyMap<string, readonly Entry[]>, heads: readonly ChainHead[]): Fault[] {
  return heads.flatMap(({ chain, seq, hash }) => {
    // By its number: where one before it is missing, its place is another.
    const entry = chains.get(chain)?.findLast((one) => one.seq === seq);
    if (!entry) return [{ chain, seq, what: "the log ends before the checkpoint" }];
    return entry.hash === hash ? [] : [{ chain, seq, what: "the entry differs from the checkpoint's" }];
  });
}

export const entryId = (chain: string, seq: number): string => `${chain}:${String(seq).padStart(10, "0")}`;

const MOST_UNWRITTEN = 200;

/**
 * Whether one more refusal of somebody who has no confirmed account is written down, by the address that it comes from.
 */
export type RoomForRefusals = (address: string | undefined) => Promise<boolean>;

/** The appending end, one a process. */
export class Audit {
  readonly #clock: Clock;
  readonly #collection: () => Promise<Collection>;
  readonly #chain: string;
  readonly #hasRoom: RoomForRefusals;
  #seq = 0;
  #prev = GENESIS;
  /** Entries waiting to be stored; those come first that failed before, on a full disk or while the store was away. */
  #queue: Entry[] = [];
  /** The write under way, and how many entries it has. */
  readonly #storing = new Map<Promise<void>, number>();
  #flush: Promise<void> | undefined;

  constructor(documents: Documents, clock: Clock, chain: string, hasRoom: RoomForRefusals) {
    this.#hasRoom = hasRoom;
    this.#clock = clock;
    this.#chain = chain;
    this.#collection = opener(documents, "audit", { indexes: AUDIT_INDEXES });
  }

  /** Opens the log before the first request, so that an entry and the write it tells of are queued in one turn. */
  async open(): Promise<void> {
    await this.#collection();
  }

  /**
   * Adds one entry; resolves when it is durable. Queued at once, so that a write queued in the same turn shares its
   * commit.
   */
  append(caller: Ctx<unknown>, outcome: Entry["outcome"], object?: Entry["object"], code?: string): Promise<void> {
    const seq = ++this.#seq;
    const draft: Omit<Entry, "hash"> = {
      _id: entryId(this.#chain, seq),
      chain: this.#chain,
      seq,
      time: iso(this.#clock.now()),
      actor: caller.locals.signedIn ?? actorOf(caller),
      via: caller.meta.actor?.via ?? "none",
      ...(caller.meta.actor?.agent && { agent: caller.meta.actor.agent }),
      action: caller.action?.name ?? "?",
      ...(object && { object }),
      ...(caller.locals.book && { book: caller.locals.book }),
      ...(caller.locals.book && caller.locals.said && { said: caller.locals.said }),
      outcome,
      ...(code && { code }),
      requestId: requestNameOf(caller),
      prev: this.#prev,
    };
    const entry: Entry = { ...draft, hash: entryHash(draft) };
    this.#prev = entry.hash;
    this.#queue.push(entry);
    // The first caller writes for all of them, so that the write must not run under its lease alone.
    return this.#soon();
  }

  #soon(): Promise<void> {
    return (this.#flush ??= Promise.resolve().then(() => beyondHolds(() => this.#write())));
  }

  async #write(): Promise<void> {
    const entries = this.#queue;
    this.#queue = [];
    this.#flush = undefined;
    const storing = this.#store(entries);
    this.#storing.set(storing, entries.length);
    try {
      await storing;
    } catch (error) {
      // A chain must not have a hole: an entry that could not be stored is tried again before any later one is
      // acknowledged.
      this.#queue.unshift(...entries);
      throw error;
    } finally {
      this.#storing.delete(storing);
    }
  }

  /** Nobody else writes to this chain: what is there already was stored by an earlier attempt whose answer was lost. */
  async #store(entries: readonly Entry[]): Promise<void> {
    const collection = await this.#collection();
    try {
      await collection.insertMany(entries);
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      const there = new Set((await collection.findByIds(entries.map(({ _id }) => _id))).map(({ _id }) => _id));
      await collection.insertMany(entries.filter(({ _id }) => !there.has(_id)));
    }
  }

  get #isBehind(): boolean {
    let unwritten = this.#queue.length;
    for (const count of this.#storing.values()) unwritten += count;
    return unwritten >= MOST_UNWRITTEN;
  }

  /**
   * While entries cannot be stored, nothing is begun that would need one: entries in memory are no log. Throws what
   * storing threw.
   */
  async #caughtUp(): Promise<void> {
    while (this.#isBehind) await (this.#queue.length ? this.#soon() : Promise.all(this.#storing.keys()));
  }

  /**
   * Runs a write and makes its audit entry durable before it is acknowledged; the store's first write carries it along.
   */
  async around<T>(ctx: Ctx<unknown>, object: Entry["object"] | undefined, run: () => Promise<T>): Promise<T> {
    if (this.#isBehind) await this.#caughtUp();
    let entry: Promise<void> | undefined;
    const {
      locals: { trail: before },
      meta: { actor, address },
    } = ctx;
    ctx.locals.trail = (written) => {
      entry ??= this.append(ctx, "ok", object ?? written);
      entry.catch(() => {});
    };
    try {
      const value = await run();
      await (entry ?? this.append(ctx, "ok", object));
      return value;
    } catch (error) {
      if (entry || (await this.#isTold(error, actor, address)))
        await this.append(
          ctx,
          isProblem(error) && error.code < 500 ? "refused" : "failed",
          object,
          (error as { type?: string }).type,
        );
      throw error;
    } finally {
      ctx.locals.trail = before;
    }
  }

  /** A request over its limit was never tried, and clients without a confirmed account must not fill the log. */
  async #isTold(error: unknown, actor: Actor | undefined, address: string | undefined): Promise<boolean> {
    if (isProblem(error) && error.code === 429) return false;
    return (actor !== undefined && isConfirmed(actor)) || this.#hasRoom(address);
  }

  async refusal(ctx: Ctx<unknown>, problem: Problem): Promise<void> {
    if (!(await this.#isTold(problem, ctx.meta.actor, ctx.meta.address))) return;
    if (this.#isBehind) await this.#caughtUp();
    return this.append(ctx, "refused", undefined, problem.type);
  }

  get head(): ChainHead {
    return { chain: this.#chain, seq: this.#seq, hash: this.#prev };
  }
}

export const AUDIT_INDEXES = [
  { fields: ["chain", "seq"], unique: true },
  { fields: ["-time"] },
  { fields: ["actor", "-time"] },
  { fields: ["book", "-time"], having: "book" },
] as const;
