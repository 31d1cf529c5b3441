import type { Collection, Doc, Key, Query } from "../documents.ts";
import type { Entity } from "../entity.ts";
import type { Fact } from "../../events/event.ts";
import { conflict, isConflict, overtaken } from "../../problem.ts";

/** Identifies one state of a record: a derived id can come again with other content under the same revision. */
export interface Removal {
  id: Key;
  rev: number;
  createdAt: string;
}

export interface RemovalParts {
  collection: Collection;
  /** Makes facts durable before the removal of a record; they are told only once it is gone. */
  announceRemoval(entity: Entity, record: Removal, facts: readonly Fact[]): Promise<void>;
  /** Told after the removal is durable. */
  removed(entity: Entity, id: Key): void;
}

/** Records that one write removes: a store that works in the event loop must give it back. */
export const MOST_REMOVED = 500;
const ATTEMPTS = 8;

/** Takes records of one entity out of their collection. What a record still had to tell is told with its removal. */
export class Removals {
  readonly #entity: Entity;
  readonly #parts: RemovalParts;

  constructor(entity: Entity, parts: RemovalParts) {
    this.#entity = entity;
    this.#parts = parts;
  }

  /** One record, of which `within` says what else must hold of it. Throws 409 where it changed meanwhile. */
  async take(
    { id, rev, createdAt }: Removal,
    within: (life: Query) => Query,
    facts: readonly Fact[] = [],
  ): Promise<void> {
    const { collection } = this.#parts;
    // A derived id comes again: what another made under it meanwhile, of the same revision, is not what is to be
    // removed.
    const life = { _id: id, rev, createdAt };
    const untold = ((await collection.findOne({ ...life, _pendingSince: { $gt: "" } }))?.["_pending"] ??
      []) as readonly Fact[];
    const told = [...untold, ...facts];
    if (told.length) await this.#parts.announceRemoval(this.#entity, { id, rev, createdAt }, told);
    if (!(await collection.removeMany(within(life)))) throw overtaken(this.#entity.title, { id, rev });
    if (told.length) this.#parts.removed(this.#entity, id);
  }

  /**
   * Everything that fits, in slices (in the order of `by`), `leaving` told of each first; answers how many. Throws 409
   * where others write the same records without end.
   */
  async takeAll(
    fitting: Query,
    { by, leaving }: { by?: string; leaving?: (ids: readonly Key[]) => Promise<void> } = {},
  ): Promise<number> {
    for (let removed = 0, idle = 0; ;) {
      const found = await this.#parts.collection.find({
        query: fitting,
        ...(by && { sort: [by] }),
        limit: MOST_REMOVED,
        fields: ["rev", "createdAt", "_pendingSince"],
      });
      if (found.length) await leaving?.(found.map(({ _id }) => _id));
      const gone = await this.#takeThese((which) => ({ $and: [fitting, which] }), found);
      removed += gone;
      if (gone === found.length && found.length < MOST_REMOVED) return removed;
      // Others are writing the same records: read them again, but not for ever.
      if (gone) idle = 0;
      else if (++idle === ATTEMPTS)
        throw conflict(`Records of the kind ${this.#entity.title} change all the time; try again.`);
    }
  }

  /**
   * Those without facts in one write; one by one those with, whose facts stand in the announcement before they are
   * gone.
   */
  async #takeThese(within: (which: Query) => Query, found: readonly Doc[]): Promise<number> {
    const silent = found.filter((doc) => !doc["_pendingSince"]).map(({ _id }) => _id);
    let gone = silent.length
      ? await this.#parts.collection.removeMany(within({ _id: { $in: silent }, _pendingSince: null }))
      : 0;
    for (const { _id, rev, createdAt, _pendingSince } of found as (Doc & Removal)[]) {
      if (!_pendingSince) continue;
      gone += await this.take({ id: _id, rev, createdAt }, within).then(
        () => 1,
        (error: unknown) => {
          if (isConflict(error)) return 0;
          throw error;
        },
      );
    }
    return gone;
  }
}
