import { fold } from "../../../core/text/words.ts";
import { each, type Steps } from "../../../core/work/turns.ts";
import type { Judged } from "./judged.ts";
import { canonicalIds, type Mentioned } from "./linking.ts";
import type { Row } from "./statements/statements.ts";
import { isActorType, isRelation, RELATIONS, type EntityType, type Relation } from "./statements/vocabulary.ts";

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
  /** Of its sources, those that are independent of one another. */
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

interface Draft {
  id: string;
  since: string;
  rows: Row[];
  types: Map<EntityType, number>;
  keys: Set<string>;
  identifiers: Set<string>;
  context: Set<string>;
}

/** A step for each row would cost more than the rows: one for so many. */
const ROWS_OF_A_STEP = 64;
function* inSteps(rows: readonly Row[], work: (row: Row) => void): Steps<void> {
  for (let from = 0; from < rows.length; from += ROWS_OF_A_STEP) {
    const end = Math.min(from + ROWS_OF_A_STEP, rows.length);
    for (let at = from; at < end; at += 1) work(rows[at]!);
    yield;
  }
}

const isName = ({ predicate }: Row): boolean => predicate === "name" || predicate === "alias";

/** The statements by what they are about. */
function* drafted(rows: readonly Row[]): Steps<Map<string, Draft>> {
  const drafts = new Map<string, Draft>();
  yield* inSteps(rows, (row) => {
    if (isRelation(row.predicate)) return;
    let draft = drafts.get(row.subject);
    if (!draft) {
      const empty = { rows: [], types: new Map(), keys: new Set<string>(), identifiers: new Set<string>() };
      drafts.set(row.subject, (draft = { id: row.subject, since: row.createdAt, context: new Set(), ...empty }));
    }
    draft.rows.push(row);
    if (row.createdAt < draft.since) draft.since = row.createdAt;
    if (row.predicate === "type") {
      const type = row.value as EntityType;
      draft.types.set(type, (draft.types.get(type) ?? 0) + row.confidence);
    } else if (row.predicate === "identifier") draft.identifiers.add(row.value!);
    else if (isName(row)) draft.keys.add(fold(row.value!));
  });
  // Without a name there is nothing to show: a type or a role of somebody whose name lies out of sight.
  for (const [id, { keys }] of drafts) {
    if (!keys.size) drafts.delete(id);
    yield;
  }
  return drafts;
}

/** What stands in one sentence of a source with each, and what it is related to. */
function* inContext(rows: readonly Row[], drafts: ReadonlyMap<string, Draft>): Steps<void> {
  const together = new Map<string, Set<Draft>>();
  yield* inSteps(rows, (row) => {
    const draft = drafts.get(row.subject);
    if (draft && isName(row))
      for (const passage of row.passages) {
        const key = `${row.source} ${passage}`;
        const there = together.get(key);
        if (there) there.add(draft);
        else together.set(key, new Set([draft]));
      }
    const other = row.object && drafts.get(row.object);
    if (draft && other) {
      for (const key of other.keys) draft.context.add(key);
      for (const key of draft.keys) other.context.add(key);
    }
  });
  for (const [, there] of together) {
    for (const one of there)
      for (const other of there) if (one !== other) for (const key of other.keys) one.context.add(key);
    yield;
  }
}

/** The first by weight, the same whatever order they come in. */
function heaviest<T extends string>(weights: ReadonlyMap<T, number>): T[] {
  return [...weights].sort(([one, left], [other, right]) => right - left || (one < other ? -1 : 1)).map(([key]) => key);
}

const typeIn = (weights: ReadonlyMap<EntityType, number>): EntityType => heaviest(weights)[0] ?? "other";

/** Full names say more than parts of them, and acronyms. */
const nameWeight = ({ value, times, predicate }: Row): number =>
  times * (value!.includes(" ") ? 3 : 1) * (predicate === "name" ? 2 : 1);

function nodeOf(id: string, drafts: readonly Draft[]): GraphNode {
  const rows = drafts.flatMap((draft) => draft.rows);
  const types = new Map<EntityType, number>();
  const names = new Map<string, number>();
  for (const draft of drafts)
    for (const [type, weight] of draft.types) types.set(type, (types.get(type) ?? 0) + weight);
  const named = rows.filter(isName);
  for (const row of named) names.set(row.value!, (names.get(row.value!) ?? 0) + nameWeight(row));
  const [name, ...aliases] = heaviest(names);
  const description = rows.filter(({ predicate }) => predicate === "description").map(({ value }) => value!);
  const seen = rows.map(({ observedAt }) => observedAt).sort();
  return {
    id,
    ids: drafts
      .toSorted((one, other) => (one.since < other.since || (one.since === other.since && one.id < other.id) ? -1 : 1))
      .map((draft) => draft.id),
    name: name!,
    aliases,
    type: typeIn(types),
    ...(description.length && { description: description.sort()[0]! }),
    sources: new Set(rows.map(({ source }) => source)),
    voices: new Set(rows.map(({ voice }) => voice)),
    mentions: named.reduce((sum, { times }) => sum + times, 0),
    since: seen[0]!,
    last: seen.at(-1)!,
    degree: 0,
    rows,
  };
}

/** One voice says a thing once, however often it is printed. */
function confidenceOf(rows: readonly Row[]): number {
  const voices = new Map<string, number>();
  for (const { voice, confidence } of rows) voices.set(voice, Math.max(voices.get(voice) ?? 0, confidence));
  let doubt = 1;
  for (const confidence of voices.values()) doubt *= 1 - confidence;
  return Math.round((1 - doubt) * 1_000) / 1_000;
}

function edgeOf(id: string, from: string, to: string, rows: readonly Row[]): GraphEdge {
  const relation = rows[0]!.predicate as Relation;
  const seen = rows.map(({ observedAt }) => observedAt).sort();
  return {
    ...{ id, from, to, relation, rows },
    sign: RELATIONS[relation].sign,
    confidence: confidenceOf(rows),
    voices: new Set(rows.map(({ voice }) => voice)),
    since: seen[0]!,
    last: seen.at(-1)!,
  };
}

function* edgesAmong(rows: readonly Row[], canonicalOf: (id: string) => string | undefined): Steps<GraphEdge[]> {
  const held = new Map<string, { from: string; to: string; rows: Row[] }>();
  yield* inSteps(rows, (row) => {
    if (!isRelation(row.predicate)) return;
    let [from, to] = [canonicalOf(row.subject), canonicalOf(row.object!)];
    if (from === undefined || to === undefined || from === to) return;
    if (RELATIONS[row.predicate].symmetric && from > to) [from, to] = [to, from];
    const id = `${from}~${row.predicate}~${to}`;
    const known = held.get(id);
    if (known) known.rows.push(row);
    else held.set(id, { from, to, rows: [row] });
  });
  const edges: GraphEdge[] = [];
  for (const [id, { from, to, rows: own }] of held) {
    edges.push(edgeOf(id, from, to, own));
    yield;
  }
  return edges;
}

/**
 * The graph that these statements make with these judgements. It depends on nothing else, so that taking statements back
 * takes back what they said and nothing more.
 */
export function* viewOf(problemSetId: string, given: readonly Row[], judged: readonly Judged[]): Steps<GraphView> {
  // In one order, so that all that is added up comes out the same to the last digit.
  const rows = given.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  yield;
  const drafts = yield* drafted(rows);
  yield* inContext(rows, drafts);
  const mentioned: Mentioned[] = yield* each(
    drafts.values(),
    ({ id, since, keys, identifiers, context, types, rows: own }) => ({
      ...{ id, since, keys, identifiers, context, type: typeIn(types) },
      source: own[0]!.source,
    }),
  );
  const canonical = yield* canonicalIds(mentioned, judged);
  const canonicalOf = (id: string) => (drafts.has(id) ? (canonical.get(id) ?? id) : undefined);
  const members = new Map<string, Draft[]>();
  for (const draft of drafts.values()) {
    const id = canonicalOf(draft.id)!;
    const known = members.get(id);
    if (known) known.push(draft);
    else members.set(id, [draft]);
    yield;
  }
  const nodes = new Map<string, GraphNode>();
  for (const [id, own] of members) {
    nodes.set(id, nodeOf(id, own));
    yield;
  }
  const edges = yield* edgesAmong(rows, canonicalOf);
  const around = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    for (const end of [edge.from, edge.to]) {
      const known = around.get(end);
      if (known) known.push(edge);
      else around.set(end, [edge]);
    }
    yield;
  }
  for (const [id, own] of around) {
    const others = new Set(own.map(({ from, to }) => (from === id ? to : from)));
    nodes.get(id)!.degree = others.size;
    yield;
  }
  return {
    problemSetId,
    nodes,
    edges,
    edgesOf: (id) => around.get(id) ?? [],
    canonicalOf,
    statements: rows.length,
  };
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

/** Of these nodes the best connected, and of the edges among them the best supported. */
export function bounded(
  view: GraphView,
  { among = [...view.nodes.values()], nodes = MOST_NODES, edges = MOST_EDGES } = {} as {
    among?: readonly GraphNode[];
    nodes?: number;
    edges?: number;
  },
): Bounded {
  const kept = among.toSorted(byWeight).slice(0, nodes);
  const ids = new Set(kept.map(({ id }) => id));
  const inside = view.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)).sort(bySupport);
  return {
    nodes: kept,
    edges: inside.slice(0, edges),
    truncated: view.partial === true || kept.length < among.length || inside.length > edges,
  };
}
