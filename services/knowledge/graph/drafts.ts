import { fold } from "../../../core/text/words/words.ts";
import type { Row } from "./statements/statements.ts";
import { isEntityType, type EntityType } from "./statements/vocabulary.ts";

/** What is said of one entity of one source, before it is joined with others. */
export interface EntityDraft {
  readonly id: string;
  /** When its oldest statement was stored. */
  readonly since: string;
  readonly source: string;
  readonly type: EntityType;
  /** Folded names and aliases that may stand for it elsewhere. */
  readonly keys: readonly string[];
  readonly identifiers: readonly string[];
  /** Sentences of sources that name it. */
  readonly passages: readonly string[];
}

export const isName = ({ predicate }: Row): boolean => predicate === "name" || predicate === "alias";

/** The first by weight, the same whatever order they come in. */
export function heaviest<T extends string>(weights: ReadonlyMap<T, number>): T[] {
  return [...weights].sort(([one, left], [other, right]) => right - left || (one < other ? -1 : 1)).map(([key]) => key);
}

export const typeIn = (weights: ReadonlyMap<EntityType, number>): EntityType => heaviest(weights)[0] ?? "other";

/**
 * Weights of the types that are said; `rows` in one order, so that sums come out the same to the last digit. Imports of
 * before said whatever types the bundles had.
 */
export function addTypes(weights: Map<EntityType, number>, rows: readonly Row[]): void {
  for (const { predicate, value, confidence } of rows)
    if (predicate === "type" && isEntityType(value)) weights.set(value, (weights.get(value) ?? 0) + confidence);
}

const NONE: readonly string[] = Object.freeze([]);
const once = (texts: readonly string[]): readonly string[] => (texts.length ? [...new Set(texts)].sort() : NONE);

/**
 * The draft of an entity by its properties, in the order of their ids; none without a name: a type or a role of
 * somebody whose name lies out of sight shows nobody.
 */
export function draftOf(id: string, rows: readonly Row[]): EntityDraft | undefined {
  const named = rows.filter(isName);
  if (!named.length) return undefined;
  const types = new Map<EntityType, number>();
  addTypes(types, rows);
  return {
    id,
    since: rows.reduce((since, { createdAt }) => (createdAt < since ? createdAt : since), rows[0]!.createdAt),
    source: rows[0]!.source,
    type: typeIn(types),
    keys: once(named.map(({ value }) => fold(value!))),
    identifiers: once(rows.filter(({ predicate }) => predicate === "identifier").map(({ value }) => value!)),
    passages: once(named.flatMap(({ source, passages }) => passages.map((passage) => `${source} ${passage}`))),
  };
}
