import { asFarAs, behind, sees } from "../access/barrier.ts";
import type { Caller } from "../access/caller.ts";
import { iso } from "../clock.ts";
import { Creation, duplicate, type StoreParts, type WithFacts } from "./creation.ts";
import { DuplicateKey, type BulkWrite, type Doc, type Key, type Query, type Update } from "./documents.ts";
import type { Entity, IdOf, Item } from "./entity.ts";
import type { Fact } from "../events/event.ts";
import { overtaken, stale } from "../problem.ts";
import { retryOnConflict } from "./conflict-retry.ts";
import { demandFit } from "./fitting.ts";
import { Removals, type Removal } from "./keeping/removals.ts";
import { both, changes, isVoid, outward, pending } from "./stored-form.ts";

export type { StoreParts } from "./creation.ts";
export type { Feed, Records, Rows, Total, Window } from "./reading/reads.ts";

/**
 * What becomes of a record as it is now: `undefined` leaves a field, `null` clears it. Null alone: nothing is to be
 * done.
 */
type Deciding<E extends Entity> = (item: Item<E>) => Record<string, unknown> | null;
/**
 * Reads and writes of one entity. Every one takes the caller, so that no code path can forget the barrier or the audit.
 */
export class Store<E extends Entity> extends Creation<E> {
  readonly #removals: Removals;

  constructor(entity: E, parts: StoreParts) {
    super(entity, parts);
    this.#removals = new Removals(entity, parts);
  }

  /** As `within`, for a record in hand: never wider, and only as long as that record's place needs. */
  #around(caller: Caller, item: Record<string, unknown>, query: Query): Query {
    const { barrier } = this.entity;
    if (!barrier || item[barrier.set] === undefined) return this.within(caller, query);
    return both(query, behind(barrier, asFarAs(barrier, caller.meta.actor, item), query));
  }

  /** A carried-out change is made from the revision that its author decided on, or not at all. */
  #demandCarried(caller: Caller, id: Key, rev: number): void {
    const { carries } = caller.locals;
    if (this.entity.traced && carries && carries.rev !== rev) throw stale(this.entity.title, id);
  }

  /**
   * Changes a record by compare-and-set on `rev`: two people cannot silently overwrite one another (409). What is set or
   * added fits the record's schema, or nothing is written (`Misfit`). An edit that leaves everything as it is makes no
   * revision, and none of its facts are told.
   */
  async revise(
    caller: Caller,
    item: Item<E>,
    change: Record<string, unknown>,
    {
      facts,
      where,
      ...operators
    }: WithFacts & { where?: Query } & Pick<Update, "$push" | "$pull" | "$addToSet" | "$inc"> = {},
  ): Promise<Item<E>> {
    const { id, rev, createdAt } = item as unknown as Removal & { id: IdOf<E> };
    this.#demandCarried(caller, id, rev);
    const { edits, carries } = caller.locals;
    if (edits && !carries && !where && isVoid(item as object, change, operators)) return item;
    const at = iso(this.parts.clock.now());
    const { $set, $unset } = changes(change);
    if (this.entity.barrier?.compartments && this.entity.barrier.compartments in change)
      this.refuseBeyond(caller, { ...(item as object), ...$set });
    demandFit(this.entity, item as object as Doc, { ...operators, $set });
    const after: Doc = { ...(item as object as Doc), ...$set, rev: rev + 1 };
    // Cleared: what is told of it afterwards must not be told of what it was.
    for (const name of Object.keys($unset ?? {})) delete after[name];
    const told = typeof facts === "function" ? facts(after) : facts;
    const news = pending(told, at);
    caller.locals.trail?.({ type: this.entity.name, id });
    const doc = await this.collection
      .claim(this.#around(caller, item as object as Doc, { ...where, _id: id, rev, ...(createdAt && { createdAt }) }), {
        ...operators,
        $set: {
          ...$set,
          ...this.marks(caller, rev + 1),
          updatedAt: at,
          ...(news && { _pendingSince: news._pendingSince }),
        },
        ...($unset && { $unset }),
        $inc: { ...operators.$inc, rev: 1 },
        ...(news && { $push: { ...operators.$push, _pending: { $each: news._pending } } }),
      })
      .catch((error: unknown) => {
        throw error instanceof DuplicateKey ? duplicate(this.entity, error) : error;
      });
    if (!doc) throw overtaken(this.entity.title, { id, rev });
    if (told?.length) this.parts.stored(this.entity, id, doc["_pending"] as Fact[]);
    const now = outward(doc);
    this.parts.written?.([item as object, now]);
    return now;
  }

  /**
   * Reads, decides, compares and sets, again when somebody else was first. Answers null where nothing is to be done.
   * `seen`: the record as it was just read, which is then not read a second time.
   */
  amend(
    caller: Caller,
    id: Key,
    decide: Deciding<E>,
    { seen, ...told }: WithFacts & { seen?: Item<E> | undefined } = {},
  ): Promise<Item<E> | null> {
    return retryOnConflict(async (attempt) => {
      const known =
        attempt === 1 && seen && sees(this.entity.barrier, caller.meta.actor, seen as Record<string, unknown>);
      const item = known ? seen : await this.get(caller, id);
      const wanted = decide(item);
      return wanted && this.revise(caller, item, wanted, told);
    });
  }

  /** As `amend`, and answers the record as it then is, changed or not. */
  async change(
    caller: Caller,
    id: Key,
    decide: Deciding<E>,
    how: WithFacts & { seen?: Item<E> | undefined } = {},
  ): Promise<Item<E>> {
    let read: Item<E>;
    return (await this.amend(caller, id, (item) => decide((read = item)), how)) ?? read!;
  }

  /**
   * Takes another record for a witness of a rule such as "one is always left": finds one and raises its revision in one
   * atomic step; false where there is none. Whoever takes something away reads that record first, then calls a witness,
   * then writes by the revision read. So two who would take from each other cannot both succeed, on whatever nodes: the
   * later witness call undid the revision that the earlier one read.
   */
  async witness(caller: Caller, query: Query): Promise<boolean> {
    return (await this.collection.claim(this.within(caller, query), { $inc: { rev: 1 } })) !== null;
  }

  /** Many independent changes in one durable write, without revisions or facts: bookkeeping fields only. */
  bulk(writes: readonly BulkWrite[]): Promise<{ counts: number[] }> {
    return this.collection.bulk(writes);
  }

  /** Removes a record by compare-and-set on `rev` (409). What it still had to tell is told with the removal. */
  async remove(caller: Caller, item: Item<E>, { facts }: WithFacts = {}): Promise<void> {
    const removal = item as unknown as Removal;
    this.#demandCarried(caller, removal.id, removal.rev);
    caller.locals.trail?.({ type: this.entity.name, id: removal.id });
    await this.#removals.take(
      removal,
      (life) => this.#around(caller, item as object as Doc, life),
      (typeof facts === "function" ? facts(item) : facts) ?? [],
    );
    this.parts.written?.([item as object]);
  }

  /**
   * Removes everything that fits, without compare-and-set, in slices (in the order of `by`, which an index must have);
   * answers how many. What a record still had to tell is told with its removal. May be repeated after a kill; what
   * ceased to fit meanwhile stays. `leaving` is told of each slice first.
   */
  removeAll(
    caller: Caller,
    query: Query,
    how: { by?: string; leaving?: (ids: readonly Key[]) => Promise<void> } = {},
  ): Promise<number> {
    return this.#removals.takeAll(this.within(caller, query), how);
  }
}
