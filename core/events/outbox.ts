import { setImmediate as nextTurn } from "node:timers/promises";
import { iso, SKEW_MS, steadily, type Clock } from "../clock.ts";
import { opener, type Collection, type Doc, type Documents, type Key, type Query } from "../records/documents.ts";
import type { Entity } from "../records/entity.ts";
import type { Fact } from "./event.ts";
import { beyondHolds } from "../work/hold.ts";
import { newId } from "../ids.ts";
import type { Removal } from "../records/keeping/removals.ts";

/** Tells one subscriber of one fact; resolves when the subscriber has it. */
export type Tell = (action: string, fact: Fact) => Promise<unknown>;

/** How long a fact may lie before a sweep takes it for left behind by a dead node. */
const LEFT_MS = 5_000;
const SWEEP_BATCH = 200;
const REMOVALS = "outbox";
/** Collections swept in one turn of the loop. */
const TOGETHER = 16;
/** For this long after this process began, or another one was lost, every look sweeps all collections. */
const ALERT_MS = 15_000;
/** After that only every tenth look does: what this process owes itself it knows. */
const LOOKS = 10;
const TOLD = { $unset: { _pending: 1, _pendingSince: 1 } };
const NOTHING = { _pending: { $size: 0 } };

/**
 * The transactional outbox. Facts are stored inside the record they tell of, by the same atomic write (a removal's
 * stand in a collection of their own, stored before it), then told to every subscriber by an acknowledged call, and
 * only then taken off. A kill at any point means telling again, never not telling. No multi-document transaction is
 * needed, so it holds on every store.
 */
export class Outbox {
  readonly #clock: Clock;
  readonly #tell: Tell;
  readonly #subscribers: ReadonlyMap<string, readonly string[]>;
  readonly #collections = new Map<string, Collection>();
  readonly #removals: () => Promise<Collection>;
  readonly #busy = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  /** Collections in which something could not be told from here, and since when. */
  readonly #owing = new Map<string, number>();
  #alertUntil = performance.now() + ALERT_MS;
  #looks = 0;
  onError: (error: unknown, fact: Fact, action: string) => void = () => {};

  /**
   * `subscribers`: event type → actions of the services that hear it, over the whole mesh. `tell` may put off a fact
   * to tell it with others.
   */
  constructor(documents: Documents, clock: Clock, subscribers: ReadonlyMap<string, readonly string[]>, tell: Tell) {
    this.#clock = clock;
    this.#subscribers = subscribers;
    this.#tell = tell;
    this.#removals = opener(documents, REMOVALS, { indexes: [{ fields: ["since"] }, { fields: ["of", "id"] }] });
  }

  /** Looks after this entity's facts from now on. */
  attend(entity: Entity, collection: Collection): void {
    this.#collections.set(entity.collection, collection);
  }

  /** Starts telling a record's facts, `pending` where they are known to be all of them; returns at once. */
  kick(entity: Entity, id: Key, pending?: readonly Fact[]): void {
    const key = `${entity.collection}/${id}`;
    if (this.#busy.has(key)) {
      this.#again.add(key);
      return;
    }
    // A stored fact is true even if the lease under which it was written has been lost.
    const task = beyondHolds(() => this.#drain(this.#collections.get(entity.collection)!, id, pending))
      .catch(() => this.#owe(entity.collection))
      .finally(() => {
        this.#busy.delete(key);
        if (this.#again.delete(key)) this.kick(entity, id);
      });
    this.#busy.set(key, task);
  }

  async #drain(collection: Collection, id: Key, pending?: readonly Fact[]): Promise<void> {
    const facts = pending ?? (await pendingOf(collection, id));
    if (!facts) return;
    for (const fact of facts) await this.#deliver(fact);
    const ids = facts.map((fact) => fact.id);
    // The common case in one write: these and no others are there.
    const same = ids.length ? { _pending: { $size: ids.length }, "_pending.id": { $all: ids } } : NOTHING;
    if (await collection.updateMany({ _id: id, ...same }, TOLD)) return;
    await collection.updateMany({ _id: id }, { $pull: { _pending: { id: { $in: ids } } } });
    // Another node may have told what was added.
    await collection.updateMany({ _id: id, ...NOTHING }, TOLD);
  }

  /** Tells every subscriber; throws when one could not be told, so that the fact stays. */
  async #deliver(fact: Fact): Promise<void> {
    const actions = this.#subscribers.get(fact.type) ?? [];
    const told = await Promise.allSettled(actions.map((action) => this.#tell(action, fact)));
    const failed = told.findIndex((one) => one.status === "rejected");
    if (failed < 0) return;
    const { reason } = told[failed] as PromiseRejectedResult;
    this.onError(reason, fact, actions[failed]!);
    throw reason;
  }

  async announceRemoval(entity: Entity, { id, rev, createdAt }: Removal, facts: readonly Fact[]): Promise<void> {
    await (
      await this.#removals()
    ).insert({
      _id: newId(),
      of: entity.collection,
      id,
      rev,
      createdAt,
      since: iso(this.#clock.now()),
      facts: facts.map((fact) => ({ ...fact })),
    });
  }

  /** Those of these records whose removal was announced and not told to everybody yet, and since when. */
  async leaving(entity: Entity, ids: readonly Key[]): Promise<{ id: Key; since: string }[]> {
    const found = await (await this.#removals()).find({ query: { of: entity.collection, id: { $in: [...ids] } } });
    return found.map((entry) => ({ id: entry["id"] as Key, since: entry["since"] as string }));
  }

  /** After the removal: tells its facts. */
  removed(entity: Entity, id: Key): void {
    void this.#tellRemovals({ of: entity.collection, id }).catch(() => this.#owe(REMOVALS));
  }

  async #tellRemovals(query: Query): Promise<number> {
    const removals = await this.#removals();
    const left = await removals.find({ query, sort: ["since"], limit: SWEEP_BATCH });
    for (const entry of left) {
      const collection = this.#collections.get(entry["of"]);
      if (!collection) continue;
      if (await hasHappened(collection, entry)) for (const fact of entry["facts"] as Fact[]) await this.#deliver(fact);
      await removals.removeById(entry._id);
    }
    return left.length;
  }

  #owe(collection: string): void {
    this.#owing.set(collection, steadily(this.#clock));
  }

  /** Another process was lost: look at once for what it left behind. */
  alert(): void {
    this.#alertUntil = performance.now() + ALERT_MS;
  }

  /**
   * Call it every few seconds. Tells again what could not be told from here and, now and then, whatever else is left.
   * Answers how many records it found.
   */
  look(): Promise<number> {
    if (performance.now() < this.#alertUntil || ++this.#looks % LOOKS === 0) return this.sweep();
    return this.#owing.size ? this.#sweep([...this.#owing.keys()]) : Promise.resolve(0);
  }

  /** Tells what dead nodes or absent subscribers left, wherever that is. Answers how many records it found. */
  sweep(): Promise<number> {
    return this.#sweep([...this.#collections.keys(), REMOVALS]);
  }

  async #sweep(names: readonly string[]): Promise<number> {
    const now = this.#clock.now(),
      before = steadily(this.#clock) - LEFT_MS;
    // A time in the future was written before the clock was set back.
    const old = [{ $lte: iso(now - LEFT_MS) }, { $gt: iso(now + SKEW_MS) }];
    let found = 0;
    for (const [at, name] of names.entries()) {
      // An embedded store answers within the turn: awaiting it would give nobody else a turn.
      if (at % TOGETHER === TOGETHER - 1) await nextTurn();
      let left = 0;
      for (const since of old) {
        left += await (name === REMOVALS
          ? this.#tellRemovals({ since }).catch(() => 1)
          : this.#sweepOf(this.#collections.get(name)!, since));
      }
      found += left;
      // What was owed is old enough for the sweep to have found it.
      if (!left && (this.#owing.get(name) ?? Infinity) < before) this.#owing.delete(name);
    }
    return found;
  }

  async #sweepOf(collection: Collection, since: Query): Promise<number> {
    const left: Doc[] = await collection.find({
      query: { _pendingSince: since },
      sort: ["_pendingSince"],
      limit: SWEEP_BATCH,
      fields: ["_id"],
    });
    for (const { _id } of left) await this.#drain(collection, _id).catch(() => {});
    return left.length;
  }

  /** How many records, over all nodes, still have facts to tell; of the entities that this process sweeps. */
  async depth(): Promise<number> {
    let depth = 0;
    for (const [at, collection] of [...this.#collections.values()].entries()) {
      if (at % TOGETHER === TOGETHER - 1) await nextTurn();
      depth += await collection.count({ query: { _pendingSince: { $gt: "" } } });
    }
    return depth;
  }

  /** Waits until everything that was started here has been told, or given up for now. */
  async settle(): Promise<void> {
    while (this.#busy.size) await Promise.allSettled(this.#busy.values());
  }
}

/** What a record has to tell; undefined where it is done. */
async function pendingOf(collection: Collection, id: Key): Promise<readonly Fact[] | undefined> {
  const doc = await collection.findById(id);
  return doc?.["_pendingSince"] ? ((doc["_pending"] ?? []) as Fact[]) : undefined;
}

/**
 * Whether an announced removal happened. Where the record is still there, it was refused, or its node died or stands
 * still before it: the record's revision is raised, so that it cannot happen any more, and nothing is to be told.
 */
async function hasHappened(collection: Collection, entry: Doc): Promise<boolean> {
  const { id, rev, createdAt } = entry as Doc & Removal;
  for (;;) {
    const now = await collection.findById(id);
    if (isGone(entry, now)) return true;
    if (now!["rev"] > rev || (await collection.claim({ _id: id, rev, createdAt }, { $inc: { rev: 1 } }))) return false;
  }
}

/** Whether what was to be removed is gone; another life of the same id may be there. */
const isGone = (entry: Doc, now: Doc | null): boolean =>
  !now || now["createdAt"] !== entry["createdAt"] || now["rev"] < entry["rev"];
