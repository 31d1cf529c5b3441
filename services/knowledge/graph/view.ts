import { sorted, type Steps } from "../../../core/work/turns.ts";
import type { Judged } from "./judged.ts";
import type { Row } from "./statements/statements.ts";
import { isActorType, type EntityType, type Relation } from "./statements/vocabulary.ts";
import { GrowingView } from "./viewing/growing-view.ts";

/** An entity as a reader sees it: what the statements that they see say of it. */
export interface GraphNode {
  /** Canonical: the oldest of `ids`. */
  id: string;
  /** All that this one is known as; each of them leads here. */
  ids: readonly string[];
  name: string;
  /** Every other writing, the most frequent first. */
  aliases: readonly string[];
  type: EntityType;
  description?: string;
  /** The sources that name it. */
  sources: ReadonlySet<string>;
  /** Those of its sources that are independent of one another. */
  voices: ReadonlySet<string>;
  /** How often it is named. */
  mentions: number;
  /** When it was named first and last, by its sources. */
  since: string;
  last: string;
  /** How many others it is joined with. */
  degree: number;
  /** Its properties. */
  rows: readonly Row[];
}

/** All that one entity is to another in one relation. */
export interface GraphEdge {
  id: string;
  from: string;
  to: string;
  relation: Relation;
  /** -1 hostile … 1 friendly. */
  sign: number;
  /** 1 - the product of what each voice leaves in doubt. */
  confidence: number;
  voices: ReadonlySet<string>;
  since: string;
  last: string;
  rows: readonly Row[];
}

/** The graph of one problem set as one reader sees it; nothing in it tells of what they do not see. */
export interface GraphView {
  problemSetId: string;
  nodes: ReadonlyMap<string, GraphNode>;
  edges: readonly GraphEdge[];
  /** Edges of a node, by its canonical id. */
  edgesOf(id: string): readonly GraphEdge[];
  /** The canonical id of any id; undefined for one that the reader does not see. */
  canonicalOf(id: string): string | undefined;
  statements: number;
  /** It was made of a part of the statements: there are too many. */
  partial?: true;
}

/**
 * The graph that these statements make with these judgements. It depends on nothing else, so that taking statements back
 * takes back what they said and nothing more; and in whatever steps it came about (`GrowingView`), it is the same.
 */
export function* viewOf(problemSetId: string, rows: readonly Row[], judged: readonly Judged[]): Steps<GraphView> {
  const growing = new GrowingView(problemSetId);
  yield* growing.change({ added: rows, judged });
  return yield* growing.frozen();
}

export const isActor = ({ type }: GraphNode): boolean => isActorType(type);

/** At most so much is answered at once. */
export const MOST_NODES = 2_000;
export const MOST_EDGES = 10_000;

export interface Bounded {
  nodes: GraphNode[];
  edges: GraphEdge[];
  truncated: boolean;
}

const byWeight = (one: GraphNode, other: GraphNode): number =>
  other.degree - one.degree || other.mentions - one.mentions || (one.id < other.id ? -1 : 1);
const bySupport = (one: GraphEdge, other: GraphEdge): number =>
  other.voices.size - one.voices.size || other.confidence - one.confidence || (one.id < other.id ? -1 : 1);

const SORTED_AT_ONCE = 2_000;
/** The first of these in that order; of many, some at a time. */
function* first<T>(items: Iterable<T>, most: number, order: (one: T, other: T) => number): Steps<T[]> {
  let kept: T[] = [];
  let more: T[] = [];
  for (const item of items)
    if (more.push(item) >= SORTED_AT_ONCE) {
      kept = [...kept, ...more].sort(order).slice(0, most);
      more = [];
      yield;
    }
  return [...kept, ...more].sort(order).slice(0, most);
}

const LOOKED_AT_ONCE = 256;
/** As `filter`, in steps of a few hundred. */
export function* those<T>(items: Iterable<T>, fits: (item: T) => boolean): Steps<T[]> {
  const found: T[] = [];
  let looked = 0;
  for (const item of items) {
    if (fits(item)) found.push(item);
    if (++looked % LOOKED_AT_ONCE === 0) yield;
  }
  return found;
}

/**
 * One piece of a graph, the best connected first; pieces count from 1. An edge is in the piece of its later end, so that
 * all pieces together have each edge once, as far as the bound on edges goes.
 */
export function* pieceOf(
  view: GraphView,
  among: readonly GraphNode[],
  { piece, nodes, edges }: { piece: number; nodes: number; edges: number },
): Steps<Bounded> {
  const end = piece * nodes;
  const upTo = (yield* sorted(among, byWeight)).slice(0, end);
  const kept = upTo.slice(end - nodes);
  const [known, ids] = [new Set(upTo.map(({ id }) => id)), new Set(kept.map(({ id }) => id))];
  const isHere = ({ from, to }: GraphEdge): boolean =>
    (ids.has(from) && known.has(to)) || (ids.has(to) && known.has(from));
  const inside = yield* those(view.edges, isHere);
  return {
    nodes: kept,
    edges: yield* first(inside, edges, bySupport),
    truncated: view.partial === true || upTo.length < among.length || inside.length > edges,
  };
}

/** The best connected of these nodes, and the best supported of the edges among them. */
export function* bounded(
  view: GraphView,
  { among, nodes = MOST_NODES, edges = MOST_EDGES }: { among?: readonly GraphNode[]; nodes?: number; edges?: number },
): Steps<Bounded> {
  const kept = yield* first(among ?? view.nodes.values(), nodes, byWeight);
  const ids = new Set(kept.map(({ id }) => id));
  const inside = yield* those(view.edges, ({ from, to }) => ids.has(from) && ids.has(to));
  return {
    nodes: kept,
    edges: yield* first(inside, edges, bySupport),
    truncated: view.partial === true || kept.length < (among?.length ?? view.nodes.size) || inside.length > edges,
  };
}
