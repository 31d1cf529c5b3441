import type { Query } from "../../../../core/records/documents.ts";
import { checkedQuery } from "../../queries.ts";
import { looksLikeJsonText, writtenList } from "./sites.ts";
import type { Bound, Sql } from "./sql.ts";

/**
 * What the SQL of a query depends on, `key`, apart from what is known of fields; and the values bound in it. Queries
 * with one key differ only in these values, so that one compilation serves all.
 */
export class QueryShape {
  readonly key: string;
  readonly values: readonly Bound[];
  /** A checked query with this key, with marks in place of values. */
  readonly marked: Query;

  constructor(key: string, values: readonly Bound[], marked: Query) {
    this.key = key;
    this.values = values;
    this.marked = marked;
  }
}
/** A query to run: its shape, or where that is not enough the checked query itself. */
export type ShapedQuery = QueryShape | Query;

/** Compiled SQL: for each question mark the place of its value, or the value itself. */
export interface Template {
  readonly text: string;
  readonly args: readonly ({ at: number } | { is: Bound })[];
}

const MARK = "\u0001mark ";
const MARKED_NUMBER = 770_000_000_000;
const STRAY = /mark \d|7700000\d{5}/;
const MOST_KEPT = 4_000;
const kept = new Map<string, Query>();
/** Field names in keys that are already checked. */
const names = new Set<string>();
const NAME = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;

type Holder = Record<string, unknown>;

const isPlain = (value: unknown): value is Holder =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function isName(name: string): boolean {
  if (names.has(name)) return true;
  if (!NAME.test(name)) return false;
  if (names.size < MOST_KEPT) names.add(name);
  return true;
}

/** Splits a query into a key and values, and stops where it is of another kind; `marks` replaces values by marks. */
class Reading {
  key = "";
  readonly values: Bound[] = [];
  readonly #marks: boolean;

  constructor(marks = false) {
    this.#marks = marks;
  }

  query(query: unknown): boolean {
    if (!isPlain(query)) return false;
    this.key += "{";
    for (const name of Object.keys(query)) {
      const isRead = name === "$and" || name === "$or" ? this.#parts(name, query[name]) : this.#field(query, name);
      if (!isRead) return false;
    }
    this.key += "}";
    return true;
  }

  #parts(operator: string, parts: unknown): boolean {
    if (!Array.isArray(parts) || parts.length === 0) return false;
    this.key += `${operator}[`;
    for (const part of parts) if (!this.query(part)) return false;
    this.key += "]";
    return true;
  }

  #field(query: Holder, name: string): boolean {
    if (!isName(name)) return false;
    this.key += `${name}:`;
    return isPlain(query[name]) ? this.#operators(query[name]) : this.#scalar(query, name);
  }

  #operators(given: Holder): boolean {
    const found = Object.keys(given);
    if (found.length === 0) return false;
    this.key += "(";
    for (const operator of found) {
      this.key += operator;
      if (!this.#operand(given, operator)) return false;
    }
    this.key += ")";
    return true;
  }

  #operand(given: Holder, operator: string): boolean {
    const value = given[operator];
    switch (operator) {
      case "$eq":
      case "$ne":
      case "$gt":
      case "$gte":
      case "$lt":
      case "$lte":
        return this.#scalar(given, operator);
      case "$in":
      case "$nin":
        return this.#list(given, operator);
      case "$all":
        return Array.isArray(value) && this.#each(value);
      case "$exists":
        return typeof value === "boolean" && this.#word(value);
      case "$size":
        return Number.isSafeInteger(value) && (value as number) >= 0 && this.#word(value as number);
      case "$not":
        return isPlain(value) && this.#operators(value);
      case "$elemMatch":
        return isPlain(value) && (isOfElement(value) ? this.#operators(value) : this.query(value));
      default:
        return false;
    }
  }

  /** Values that become part of the SQL itself. */
  #word(value: number | boolean | null): boolean {
    this.key += `=${value} `;
    return true;
  }

  /** A repeated value keeps its first place: whether two are equal may decide how a list is read. */
  #slot(holder: Holder, name: string | number, kind: "s" | "n", value: Bound): boolean {
    const before = this.values.indexOf(value);
    this.key += before < 0 ? `${kind} ` : `${kind}${before} `;
    if (this.#marks)
      (holder as Record<string | number, unknown>)[name] = markOf(kind, before < 0 ? this.values.length : before);
    if (before < 0) this.values.push(value);
    return true;
  }

  #scalar(holder: Holder, name: string | number): boolean {
    const value = (holder as Record<string | number, unknown>)[name];
    if (typeof value === "string") return !looksLikeJsonText(value) && this.#slot(holder, name, "s", value);
    // Where a field may have booleans, 1 and 0 need other SQL.
    if (value === null || typeof value === "boolean" || value === 0 || value === 1) return this.#word(value);
    return Number.isSafeInteger(value) && this.#slot(holder, name, "n", value as number);
  }

  #each(list: unknown[]): boolean {
    this.key += `${list.length}[`;
    for (let at = 0; at < list.length; at++) if (!this.#scalar(list as never, at)) return false;
    this.key += "]";
    return true;
  }

  /** A list is bound as one JSON text, from two values on. */
  #list(given: Holder, operator: string): boolean {
    const list = given[operator];
    if (!Array.isArray(list)) return false;
    if (list.length < 2) return this.#each(list);
    const isText = typeof list[0] === "string";
    if (!isText || !(Object.isFrozen(list) || list.every((one) => typeof one === "string"))) return false;
    const { json, isLikeJson, isText: isAllText } = writtenList(list);
    if (isLikeJson || !isAllText) return false;
    this.key += "* ";
    if (this.#marks) given[operator] = marksOf(this.values.length);
    this.values.push(json);
    return true;
  }
}

const isOfElement = (value: Holder): boolean => {
  const found = Object.keys(value);
  return found.length > 0 && found.every((name) => name.startsWith("$") && name !== "$and" && name !== "$or");
};

const markOf = (kind: "s" | "n", at: number): string | number => (kind === "s" ? `${MARK}${at}` : MARKED_NUMBER + at);
const marksOf = (at: number): string[] => [`${MARK}${at}`, `${MARK}${at} too`];

/** The shape of a query, before it is checked; undefined where its SQL depends on more than the kinds of its values. */
export function shapeOf(query: Query): QueryShape | undefined {
  const reading = new Reading();
  if (!reading.query(query)) return undefined;
  const { key, values } = reading;
  let marked = kept.get(key);
  if (!marked) {
    const copy = structuredClone(query);
    new Reading(true).query(copy);
    marked = checkedQuery(copy);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, marked);
  }
  return new QueryShape(key, values, marked);
}

/** The SQL of a marked query with the places of its values; undefined where a mark is used in another way. */
export function templateOf({ text, args }: Sql, count: number): Template | undefined {
  const places = new Map<Bound, number>();
  for (let at = 0; at < count; at++) {
    for (const mark of [markOf("s", at), markOf("n", at), JSON.stringify(marksOf(at))]) places.set(mark, at);
  }
  const placed = args.map((arg) => (places.has(arg) ? { at: places.get(arg)! } : { is: arg }));
  const isStray = placed.some((arg) => "is" in arg && typeof arg.is === "string" && STRAY.test(arg.is));
  return isStray ? undefined : { text, args: placed };
}

/** A query for later use: changes to the object until then have no effect. */
export const shapedQuery = (query: Query): ShapedQuery => shapeOf(query) ?? checkedQuery(query);

export const filled = ({ text, args }: Template, values: readonly Bound[]): Sql => ({
  text,
  args: args.map((arg) => ("at" in arg ? values[arg.at]! : arg.is)),
});
