import { isFrozenText } from "../../queries.ts";
import { ARRAY, BOOLEAN, NUMBER, OBJECT } from "./kinds.ts";
import { bind, joinSql, sql, type Bound, type Sql } from "./sql.ts";

/**
 * One value inside a document, as SQL sees it. `value` is SQLite's `->>`: text, number, NULL for null and missing, 1
 * and 0 for true and false, JSON text for objects and arrays; where `kinds` leaves these ambiguous, predicates also
 * check `type`.
 */
export interface Site {
  readonly value: string;
  /** json_type: text, integer, real, true, false, null, object, array; NULL where missing. */
  readonly type: string;
  /** Arguments of json_each that walk it where it is an array. */
  readonly walk: string;
  readonly kinds: number;
  /** In a table of elements true and false are blobs. */
  readonly blobs?: boolean;
}

/** A predicate on one value alone. It may yield NULL for false. */
export type Predicate = (site: Site) => Sql;
export type Scalar = string | number | boolean | null;

export const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";

const isNull: Predicate = (site) => sql`${site.value} is null`;

const may = (site: Site, kinds: number): boolean => (site.kinds & kinds) !== 0;
const isText = (site: Site): Sql => sql`${site.type} = 'text'`;
const isNumber = (site: Site): Sql => sql`${site.type} in ('integer', 'real')`;

/** A string that JSON text of an object or an array could equal. */
const looksLikeJson = (site: Site, value: string): boolean =>
  (value.startsWith("{") && may(site, OBJECT)) || (value.startsWith("[") && may(site, ARRAY));
export const looksLikeJsonText = (value: string): boolean => value.startsWith("{") || value.startsWith("[");
const looksLikeBoolean = (site: Site, value: number): boolean =>
  !site.blobs && (value === 0 || value === 1) && may(site, BOOLEAN);

/** Equality with one scalar. */
export function equals(value: Scalar): Predicate {
  return (site) => {
    if (value === null) return isNull(site);
    if (typeof value === "boolean") return isBoolean(site, value);
    const same = sql`${site.value} = ${bind(value)}`;
    if (typeof value === "string") return looksLikeJson(site, value) ? sql`(${same} and ${isText(site)})` : same;
    return looksLikeBoolean(site, value) ? sql`(${same} and ${isNumber(site)})` : same;
  };
}

function isBoolean(site: Site, value: boolean): Sql {
  if (site.blobs) return value ? sql`${site.value} = x'01'` : sql`${site.value} = x'00'`;
  const same = value ? sql`${site.value} = 1` : sql`${site.value} = 0`;
  return may(site, NUMBER) ? sql`(${same} and ${site.type} = ${value ? "'true'" : "'false'"})` : same;
}

/**
 * Equality with one of a list, or a match of one of its patterns. The list is bound as one JSON value: the SQL is the
 * same for all lengths.
 */
export function oneOf(list: readonly (Scalar | RegExp)[]): Predicate {
  const isPlain = (item: Scalar | RegExp): item is string | number =>
    typeof item === "string" || typeof item === "number";
  const isText = isFrozenText(list);
  const plain = isText ? (list as readonly string[]) : list.filter(isPlain);
  const others = isText ? [] : list.filter((item): item is boolean | null | RegExp => !isPlain(item));
  return (site) => {
    const pieces = others.map((item) =>
      item instanceof RegExp || (typeof item === "object" && item !== null)
        ? matchesPattern(item)(site)
        : equals(item)(site),
    );
    if (plain.length === 1) pieces.push(equals(plain[0]!)(site));
    if (plain.length > 1) pieces.push(amongPlain(site, plain));
    return joinSql(pieces, " or ", "0");
  };
}

interface WrittenList {
  json: string;
  isLikeJson: boolean;
  isText: boolean;
}
const written = new WeakMap<readonly unknown[], WrittenList>();

/** A list as it is bound; cached for a frozen list. */
export function writtenList(list: readonly (string | number)[]): WrittenList {
  let found = written.get(list);
  if (!found) {
    const isLikeJson = list.some((item) => typeof item === "string" && looksLikeJsonText(item));
    found = { json: JSON.stringify(list), isLikeJson, isText: list.every((item) => typeof item === "string") };
    if (Object.isFrozen(list)) written.set(list, found);
  }
  return found;
}

function amongPlain(site: Site, list: readonly (string | number)[]): Sql {
  const { json, isLikeJson } = writtenList(list);
  const among = sql`${site.value} in (select value from json_each(${bind(json)}))`;
  const doubtful =
    (isLikeJson && may(site, OBJECT | ARRAY)) ||
    list.some((item) => typeof item === "number" && looksLikeBoolean(site, item));
  return doubtful ? sql`(${among} and ${site.type} in ('text', 'integer', 'real'))` : among;
}

export type Comparator = "gt" | "gte" | "lt" | "lte";
const SIGNS: Record<Comparator, string> = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

/**
 * Order within the operand's own type only. SQLite sorts all numbers before all text: the other end of the type is an
 * extra bound, unless the query has one there (`closed`), since the planner uses only one bound for each end of an
 * index range.
 */
export function compares(comparison: Comparator, operand: Scalar, closed = false): Predicate {
  const upward = comparison === "gt" || comparison === "gte";
  if (operand === null) return comparison === "gte" || comparison === "lte" ? isNull : () => sql`0`;
  if (typeof operand === "boolean")
    return oneOf([false, true].filter((value) => holds(comparison, Number(value) - Number(operand))));
  return (site) => {
    const pieces = [sql`${site.value} ${SIGNS[comparison]} ${bind(operand)}`];
    if (typeof operand === "number") {
      if (upward && !closed) pieces.push(sql`${site.value} < ''`);
      if (!site.blobs && may(site, BOOLEAN)) pieces.push(isNumber(site));
    } else {
      if (!upward && !closed) pieces.push(sql`${site.value} >= ''`);
      if (upward && site.blobs) pieces.push(sql`${site.value} < x''`);
      if (may(site, OBJECT | ARRAY)) pieces.push(isText(site));
    }
    return joinSql(pieces, " and ", "1");
  };
}

function holds(comparison: Comparator, difference: number): boolean {
  if (difference === 0) return comparison === "gte" || comparison === "lte";
  return difference > 0 === (comparison === "gt" || comparison === "gte");
}

/** A string that a regular expression matches; `regexp` is a function of ours, see functions.ts. */
export function matchesPattern(pattern: RegExp): Predicate {
  const bound: Bound = `${pattern.flags}/${pattern.source}`;
  return (site) => {
    const match = sql`${site.value} regexp ${bind(bound)}`;
    return may(site, NUMBER | BOOLEAN | OBJECT | ARRAY) ? sql`(${isText(site)} and ${match})` : match;
  };
}
