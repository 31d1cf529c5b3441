import { CompoundCondition, FieldCondition, ITSELF, type Condition } from "@ucast/core";
import type { Index } from "../../../../core/records/documents.ts";
import { direction, type SortField } from "../../paths.ts";
import type { Knowledge } from "../query/narrowing.ts";
import { plainIndexName } from "./indexes.ts";
import { ARRAY, BOOLEAN, NOTHING, NULL, NUMBER, OBJECT, STRING } from "../query/kinds.ts";
import { isScalar, type Scalar } from "../query/sites.ts";
import { allConjuncts, isExpressible } from "../query/syntax.ts";

/** A plain index, as lists use it. */
export interface ListIndex {
  name: string;
  columns: readonly SortField[];
  enumerated: ReadonlySet<string>;
  having: string | undefined;
}

/** A field of the index, in its order: fixed to values by the query, or scanned for those it admits. */
export type IndexStep =
  | { path: string; values: readonly Scalar[]; admits?: undefined }
  | { path: string; values?: undefined; admits: (value: unknown) => boolean };

/**
 * How a list is read, without statistics: from one index, whose first fields are fixed or scanned, and whose next field
 * has the sort order. No condition is left to check on rows, so that each row visited is one found.
 */
export interface ListPlan {
  index: ListIndex;
  steps: readonly IndexStep[];
  /** Conditions on the field that follows the steps, and on those held to several values. */
  ranges: readonly Condition[];
  /** Without fields that are fixed to one value: SQLite would sort by them. */
  order: readonly SortField[];
  /** Whether other queries of the same shape have the same plan, except for values. */
  isOfShape: boolean;
}

export function listIndex(collection: string, index: Index): ListIndex | undefined {
  const { fields, unique, sparse, enumerated = [], hiddenBy } = index;
  if (unique) return undefined;
  const columns = fields.map(direction);
  const having = sparse ? columns[0]!.path : index.having;
  const last = columns.at(-1)!;
  if (!columns.some(({ path }) => path === "_id")) columns.push({ path: "_id", descending: last.descending });
  return {
    name: plainIndexName(collection, index),
    columns,
    enumerated: new Set([...enumerated, ...(hiddenBy ? [hiddenBy] : [])]),
    having,
  };
}

/** What a query says about each field, if a plan can cover everything it says. */
export interface QueryConditions {
  values: Map<string, readonly Scalar[]>;
  ranges: Map<string, Condition[]>;
  filters: Map<string, ((value: unknown) => boolean)[]>;
  /** Whether it has values that a shape does not show: those of a filter, and the length of a list. */
  isBound: boolean;
}

const RANGES = new Set(["gt", "gte", "lt", "lte"]);
const yes = (): boolean => true;
const isPresent = (value: unknown): boolean => value !== null;

/** @returns undefined where a part is of another kind, or concerns a field that may have any kind of value */
export function saidBy(parts: readonly Condition[], known: Knowledge): QueryConditions | undefined {
  const said: QueryConditions = { values: new Map(), ranges: new Map(), filters: new Map(), isBound: false };
  for (const part of parts) {
    if (!say(part, known, said)) return undefined;
  }
  return said;
}

const add = <T>(map: Map<string, T[]>, path: string, one: T): void => {
  const there = map.get(path);
  if (there) there.push(one);
  else map.set(path, [one]);
};

function say(part: Condition, known: Knowledge, said: QueryConditions): boolean {
  const hidden = allAmong(part);
  if (hidden) {
    // An index compares an array by its JSON text, so no other kind of value may have the same text.
    if ((known(hidden.path)?.kinds ?? STRING) & ~(ARRAY | NULL | NOTHING)) return false;
    add(said.filters, hidden.path, isWithin(hidden.held));
    said.isBound = true;
    return true;
  }
  if (!(part instanceof FieldCondition) || !isExpressible(part)) return false;
  const { field: path, operator, value } = part;
  const kinds = path === "_id" ? NUMBER | STRING : known(path)?.kinds;
  if (kinds === undefined || kinds & ARRAY) return false;
  const values = operator === "eq" ? [value] : operator === "in" ? (value as unknown[]) : undefined;
  if (values) {
    if (!values.every((one) => isPlainlyHeld(one, kinds))) return false;
    const before = said.values.get(path);
    const distinct = [...new Set(values as Scalar[])];
    said.isBound ||= values.length > 1;
    said.values.set(path, before ? before.filter((one) => distinct.includes(one)) : distinct);
    return true;
  }
  if (RANGES.has(operator) && (typeof value === "string" || typeof value === "number")) {
    if (kinds & (BOOLEAN | OBJECT)) return false;
    add(said.ranges, path, part);
    return true;
  }
  if (operator === "ne" && value !== null && isPlainlyHeld(value, kinds)) {
    add(said.filters, path, (one) => one !== inIndex(value as Scalar));
    said.isBound = true;
    return true;
  }
  if (operator === "exists" && value === true && !(kinds & NULL)) {
    add(said.filters, path, isPresent);
    return true;
  }
  return false;
}

/** A value as an index holds it. */
const inIndex = (value: Scalar): string | number | null => (typeof value === "boolean" ? Number(value) : value);

/** Whether an SQL equality expresses it completely: no value of another kind looks the same. */
function isPlainlyHeld(value: unknown, kinds: number): value is Scalar {
  if (!isScalar(value)) return false;
  switch (typeof value) {
    case "string":
      return !(kinds & OBJECT);
    case "number":
      return Number.isSafeInteger(value) ? !(kinds & BOOLEAN) : !(kinds & BOOLEAN) && Number.isFinite(value);
    case "boolean":
      return !(kinds & NUMBER);
    default:
      return true;
  }
}

/** The array field by which documents are hidden, where a part says so. */
export const hidesBy = (part: Condition): string | undefined => allAmong(part)?.path;

/** The list, where a part requires all elements of an array of strings to be in it. */
function allAmong(part: Condition): { path: string; held: ReadonlySet<unknown> } | undefined {
  if (!(part instanceof CompoundCondition) || part.operator !== "not" || part.value.length !== 1) return undefined;
  const [match] = part.value as Condition[];
  if (!(match instanceof FieldCondition) || match.operator !== "elemMatch") return undefined;
  const inner = match.value as Condition;
  if (!(inner instanceof FieldCondition) || inner.field !== ITSELF || inner.operator !== "nin") return undefined;
  const held = textsOf(inner.value as unknown[]);
  return held && { path: match.field, held };
}

const texts = new WeakMap<readonly unknown[], ReadonlySet<unknown> | undefined>();

/** The values of a list, if all are strings; cached for a frozen list. */
function textsOf(list: readonly unknown[]): ReadonlySet<unknown> | undefined {
  if (texts.has(list)) return texts.get(list);
  const held = list.every((one) => typeof one === "string") ? new Set(list) : undefined;
  if (Object.isFrozen(list)) texts.set(list, held);
  return held;
}

function isWithin(held: ReadonlySet<unknown>): (whole: unknown) => boolean {
  return (whole) => whole === null || (JSON.parse(whole as string) as unknown[]).every((one) => held.has(one));
}

/**
 * The plans whose rows together answer a query, or its count, each by its best index; undefined where no index covers a
 * part.
 */
export function listPlans(
  query: Condition,
  order: readonly SortField[],
  indexes: readonly ListIndex[],
  known: Knowledge,
): ListPlan[] | undefined {
  const plans: ListPlan[] = [];
  for (const parts of alternatives(allConjuncts(query))) {
    const said = saidBy(parts, known);
    const plan = said && best(indexes.flatMap((index) => planBy(index, said, order) ?? []));
    if (!plan) return undefined;
    plans.push(plan);
  }
  return plans;
}

const best = (plans: ListPlan[]): ListPlan | undefined =>
  plans.sort((one, other) => looked(one) - looked(other) || width(one) - width(other))[0];

/** A feed continues with `{$or: [{at: {$lt: x}}, {at: x, _id: {$lt: y}}]}`: no row matches both, so each is a list. */
function alternatives(parts: readonly Condition[]): (readonly Condition[])[] {
  const at = parts.findIndex((part) => part instanceof CompoundCondition && part.operator === "or");
  if (at < 0 || !wayOn(parts[at]!)) return [parts];
  const ways = (parts[at] as CompoundCondition<Condition>).value.map(allConjuncts);
  return ways.map((way) => [...parts.toSpliced(at, 1), ...way]);
}

/** The bound after which a feed continues, where a part has one. */
export function wayOn(part: Condition): FieldCondition | undefined {
  if (!(part instanceof CompoundCondition) || part.operator !== "or") return undefined;
  const ways = (part.value as Condition[]).map(allConjuncts);
  const [[beyond] = [], [same] = []] = ways;
  const isApart =
    ways.length === 2 &&
    ways[0]!.length === 1 &&
    beyond instanceof FieldCondition &&
    same instanceof FieldCondition &&
    (beyond.operator === "lt" || beyond.operator === "gt") &&
    same.operator === "eq" &&
    same.field === beyond.field &&
    same.value === beyond.value;
  return isApart ? beyond : undefined;
}

const looked = ({ steps }: ListPlan): number => steps.filter(({ admits }) => admits).length;
const width = ({ index }: ListPlan): number => index.columns.length;

/** The plan of a query on one index, in this order; undefined where the index does not cover it. */
export function planBy(
  index: ListIndex,
  { values, ranges, filters, isBound }: QueryConditions,
  wanted: readonly SortField[],
): ListPlan | undefined {
  const lead = index.columns[0]!.path;
  if (!values.has(lead) && !index.enumerated.has(lead) && values.size > 0 && wanted[0]?.path !== lead) return undefined;
  const open = new Set([...values.keys(), ...ranges.keys(), ...filters.keys()]);
  if (index.having !== undefined) {
    const isHeld = values.get(index.having)?.every((value) => value !== null) || ranges.has(index.having);
    const isAsked = !isHeld && filters.get(index.having)?.every((admits) => admits === isPresent);
    if (!isHeld && !isAsked) return undefined;
    if (isAsked) open.delete(index.having);
  }
  const order = wanted.filter(({ path }) => values.get(path)?.length !== 1);
  const admits = (path: string) => admitting(filters.get(path));
  const steps: IndexStep[] = [];
  const bounds: Condition[] = [];
  for (const { path } of index.columns) {
    const isHeld = values.has(path);
    if (!isHeld && (path === order[0]?.path || (order.length === 0 && open.size === 0))) break;
    if (isHeld) steps.push({ path, values: values.get(path)!.filter((one) => admits(path)(inIndex(one))) });
    else if (index.enumerated.has(path) && !ranges.has(path)) steps.push({ path, admits: admits(path) });
    else break;
    open.delete(path);
    // A field fixed to one value is in a range for all rows, or for none.
    bounds.push(...(ranges.get(path) ?? []));
  }
  const rest = index.columns.slice(steps.length);
  if (!continues(rest, order)) return undefined;
  const next = rest[0]?.path;
  if (next !== undefined && ranges.has(next) && !filters.has(next)) {
    open.delete(next);
    bounds.push(...ranges.get(next)!);
  }
  if (open.size > 0) return undefined;
  return { index, steps, ranges: bounds, order, isOfShape: !isBound && steps.every((step) => step.values) };
}

const admitting = (filters: readonly ((value: unknown) => boolean)[] | undefined): ((value: unknown) => boolean) =>
  filters ? (value) => filters.every((admits) => admits(value)) : yes;

/** Whether the fields of an index have this order, forwards or backwards. */
function continues(columns: readonly SortField[], order: readonly SortField[]): boolean {
  const isReversed = order.length > 0 && columns[0]?.descending !== order[0]!.descending;
  return order.every(
    ({ path, descending }, at) => columns[at]?.path === path && (columns[at].descending !== descending) === isReversed,
  );
}
