import type { Steps } from "../../../../core/work/turns.ts";
import type { Row } from "../statements/statements.ts";
import { RELATIONS, type Relation } from "../statements/vocabulary.ts";
import type { GraphEdge } from "../view.ts";
import { edgeOf } from "./nodes.ts";
import { ShardedMap } from "./sharded.ts";
import type { Singletons } from "./singletons.ts";

/** What an edge loses and gains. */
interface Touch {
  from: string;
  to: string;
  dropped?: Set<string>;
  added: Row[];
}

interface FrozenEdges {
  all(): readonly GraphEdge[];
  of(id: string): readonly GraphEdge[];
}

type CanonicalOf = (id: string) => string | undefined;
const NONE: readonly GraphEdge[] = Object.freeze([]);
const NO_ROWS: readonly Row[] = Object.freeze([]);
const byId = (one: { id: string }, other: { id: string }): number =>
  one.id < other.id ? -1 : one.id > other.id ? 1 : 0;

/** All that entities of a view are to one another, kept up by what changes. */
export class Edges {
  readonly #edges = new ShardedMap<GraphEdge>();
  readonly #around = new ShardedMap<readonly GraphEdge[]>();
  readonly #touched = new Map<string, Touch>();
  readonly #only: Singletons;

  constructor(only: Singletons) {
    this.#only = only;
  }

  degreeOf(id: string): number {
    return new Set((this.#around.get(id) ?? NONE).map(({ from, to }) => (from === id ? to : from))).size;
  }

  begin(): void {
    this.#touched.clear();
  }

  #touch({ subject, object, predicate }: Row, canonicalOf: CanonicalOf): Touch | undefined {
    let [from, to] = [canonicalOf(subject), canonicalOf(object!)];
    if (from === undefined || to === undefined || from === to) return undefined;
    if (RELATIONS[predicate as Relation].symmetric && from > to) [from, to] = [to, from];
    const id = `${from}~${predicate}~${to}`;
    let touch = this.#touched.get(id);
    if (!touch) this.#touched.set(id, (touch = { from, to, added: [] }));
    return touch;
  }

  /** A statement is no longer between those whom its ends were. */
  drop(row: Row, canonicalOf: CanonicalOf): void {
    const touch = this.#touch(row, canonicalOf);
    if (touch) (touch.dropped ??= new Set()).add(row.id);
  }
  put(row: Row, canonicalOf: CanonicalOf): void {
    this.#touch(row, canonicalOf)?.added.push(row);
  }

  /** Makes anew what was touched; answers the ends of it. */
  *renewed(): Steps<Iterable<string>> {
    const ends = new Map<string, GraphEdge[]>();
    for (const [id, { from, to, dropped, added }] of this.#touched) {
      const before = this.#edges.get(id)?.rows ?? NO_ROWS;
      const kept = dropped ? before.filter((row) => !dropped.has(row.id)) : before;
      const rows = [...kept, ...added].sort(byId);
      for (const end of [from, to]) if (!ends.has(end)) ends.set(end, []);
      if (rows.length) {
        const edge = edgeOf(id, from, to, rows, this.#only);
        this.#edges.set(id, edge);
        for (const end of [from, to]) ends.get(end)!.push(edge);
      } else this.#edges.delete(id);
      yield;
    }
    for (const [end, now] of ends) {
      const kept = (this.#around.get(end) ?? NONE).filter(({ id }) => !this.#touched.has(id));
      const all = [...kept, ...now].sort(byId);
      if (all.length) this.#around.set(end, all);
      else this.#around.delete(end);
      yield;
    }
    this.#touched.clear();
    return ends.keys();
  }

  *frozen(): Steps<FrozenEdges> {
    const edges = yield* this.#edges.frozen();
    const around = yield* this.#around.frozen();
    let all: readonly GraphEdge[] | undefined;
    return { all: () => (all ??= [...edges.values()]), of: (id) => around.get(id) ?? NONE };
  }
}
