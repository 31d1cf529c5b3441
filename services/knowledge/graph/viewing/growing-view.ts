import type { Steps } from "../../../../core/work/turns.ts";
import { draftOf, type EntityDraft } from "../drafts.ts";
import type { Judged } from "../judged.ts";
import type { Row } from "../statements/statements.ts";
import { isRelation } from "../statements/vocabulary.ts";
import type { GraphNode, GraphView } from "../view.ts";
import { Clusters } from "./clusters.ts";
import { Edges } from "./edges.ts";
import { Links } from "./links.ts";
import { nodeOf } from "./nodes.ts";
import { Singletons } from "./singletons.ts";
import { ShardedMap } from "./sharded.ts";

const NONE: readonly Row[] = Object.freeze([]);
const byId = (one: Row, other: Row): number => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
/** A step for each row would cost more than the rows. */
const ROWS_OF_A_STEP = 64;

export interface ViewChange {
  added?: readonly Row[];
  /** Rows that it holds, by their ids. */
  removed?: readonly Row[];
  /** All judgements as they are now, the oldest first; none: they are as they were. */
  judged?: readonly Judged[];
}

/** What comes to one entity and goes from it. */
interface Touch {
  added: Row[];
  removed?: Set<string>;
}

function merged(before: readonly Row[], { added, removed }: Touch): readonly Row[] {
  const kept = removed ? before.filter(({ id }) => !removed.has(id)) : before;
  if (!kept.length) return added.length ? added.sort(byId) : NONE;
  return added.length ? [...kept, ...added].sort(byId) : kept;
}

function* touches(
  { added = NONE, removed = NONE }: ViewChange,
  endsOf: (row: Row) => readonly string[],
): Steps<Map<string, Touch>> {
  const found = new Map<string, Touch>();
  const of = (id: string): Touch => {
    let touch = found.get(id);
    if (!touch) found.set(id, (touch = { added: [] }));
    return touch;
  };
  for (const [at, row] of removed.entries()) {
    for (const id of endsOf(row)) (of(id).removed ??= new Set()).add(row.id);
    if (at % ROWS_OF_A_STEP === 0) yield;
  }
  for (const [at, row] of added.entries()) {
    for (const id of endsOf(row)) of(id).added.push(row);
    if (at % ROWS_OF_A_STEP === 0) yield;
  }
  return found;
}

const propertyOf = ({ predicate, subject }: Row): string[] => (isRelation(predicate) ? [] : [subject]);
const relationOf = ({ predicate, subject, object }: Row): string[] =>
  isRelation(predicate) ? [...new Set([subject, object!])] : [];

const isSame = (one: EntityDraft | undefined, other: EntityDraft | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * A view that takes up what changes, at a cost of what changed and what hangs together with it. What it comes to is a
 * function of the statements and judgements that it holds, whatever they came about by.
 */
export class GrowingView {
  readonly #problemSetId: string;
  /** What is said of each entity, and the relations that it is an end of. */
  readonly #properties = new Map<string, readonly Row[]>();
  readonly #relations = new Map<string, readonly Row[]>();
  readonly #links = new Links((id) => this.#relatedTo(id));
  readonly #clusters = new Clusters(this.#links);
  readonly #nodes = new ShardedMap<GraphNode>();
  readonly #only = new Singletons();
  readonly #edges = new Edges(this.#only);
  #statements = 0;

  constructor(problemSetId: string) {
    this.#problemSetId = problemSetId;
  }

  *#relatedTo(id: string): Generator<string> {
    for (const { subject, object } of this.#relations.get(id) ?? NONE) yield subject === id ? object! : subject;
  }

  *change(change: ViewChange): Steps<void> {
    this.#statements += (change.added?.length ?? 0) - (change.removed?.length ?? 0);
    const tied = yield* touches(change, relationOf);
    yield* this.#put(this.#relations, tied);
    const said = yield* touches(change, propertyOf);
    yield* this.#put(this.#properties, said);
    const drafts = new Map<string, EntityDraft | undefined>();
    for (const id of said.keys()) {
      const rows = this.#properties.get(id);
      const draft = rows && draftOf(id, rows);
      if (!isSame(draft, this.#links.drafts.get(id))) drafts.set(id, draft);
      yield;
    }
    const affected = yield* this.#links.take(drafts, tied.keys());
    for (const id of drafts.keys()) {
      affected.add(id);
      yield;
    }
    if (change.judged) for (const id of yield* this.#clusters.judge(change.judged)) affected.add(id);
    const was = yield* this.#clusters.regroup(affected);
    yield* this.#renewNodes(said.keys(), was);
    yield* this.#renewEdges(change, was);
  }

  *#put(held: Map<string, readonly Row[]>, touched: ReadonlyMap<string, Touch>): Steps<void> {
    for (const [id, touch] of touched) {
      const rows = merged(held.get(id) ?? NONE, touch);
      if (rows.length) held.set(id, rows);
      else held.delete(id);
      yield;
    }
  }

  *#renewNodes(said: Iterable<string>, was: ReadonlyMap<string, string | undefined>): Steps<void> {
    const { canonical } = this.#clusters;
    const old = new Set<string>();
    for (const id of said) {
      old.add(canonical.get(id) ?? id);
      yield;
    }
    for (const [id, before] of was) {
      old.add(canonical.get(id) ?? id);
      if (before !== undefined) old.add(before);
      yield;
    }
    for (const id of old) {
      if (canonical.get(id) !== id) this.#nodes.delete(id);
      else {
        const members = this.#clusters.membersOf(id);
        const rows = members.length === 1 ? this.#properties.get(id)! : yield* this.#rowsOf(members);
        this.#nodes.set(id, nodeOf(members, rows, this.#edges.degreeOf(id), this.#only));
      }
      yield;
    }
  }

  *#rowsOf(members: readonly string[]): Steps<Row[]> {
    const rows: Row[] = [];
    for (const id of members) {
      rows.push(...this.#properties.get(id)!);
      yield;
    }
    return rows;
  }

  *#renewEdges(
    { added = NONE, removed = NONE }: ViewChange,
    was: ReadonlyMap<string, string | undefined>,
  ): Steps<void> {
    const { canonical } = this.#clusters;
    const before = (id: string) => (was.has(id) ? was.get(id) : canonical.get(id));
    const now = (id: string) => canonical.get(id);
    this.#edges.begin();
    const moved = new Map<string, Row>();
    for (const id of was.keys()) {
      for (const row of this.#relations.get(id) ?? NONE) moved.set(row.id, row);
      yield;
    }
    const fresh = new Set<string>();
    for (const [at, row] of removed.entries()) {
      if (isRelation(row.predicate)) this.#edges.drop(row, before);
      if (at % ROWS_OF_A_STEP === 0) yield;
    }
    for (const [at, row] of added.entries()) {
      if (isRelation(row.predicate)) {
        fresh.add(row.id);
        this.#edges.put(row, now);
      }
      if (at % ROWS_OF_A_STEP === 0) yield;
    }
    let looked = 0;
    for (const [id, row] of moved) {
      if (++looked % ROWS_OF_A_STEP === 0) yield;
      if (fresh.has(id)) continue;
      this.#edges.drop(row, before);
      this.#edges.put(row, now);
    }
    for (const id of yield* this.#edges.renewed()) {
      const node = this.#nodes.get(id);
      const degree = this.#edges.degreeOf(id);
      if (node && node.degree !== degree) this.#nodes.set(id, { ...node, degree });
      yield;
    }
  }

  /** The view as it is now; it stays so while this one grows. */
  *frozen(): Steps<GraphView> {
    const nodes = yield* this.#nodes.frozen();
    const canonical = yield* this.#clusters.canonical.frozen();
    const edges = yield* this.#edges.frozen();
    return {
      ...{ problemSetId: this.#problemSetId, nodes, statements: this.#statements },
      get edges() {
        return edges.all();
      },
      edgesOf: edges.of,
      canonicalOf: (id) => canonical.get(id),
    };
  }
}
