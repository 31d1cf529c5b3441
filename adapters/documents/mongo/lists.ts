import { FieldCondition, type Condition } from "@ucast/core";
import type { Index, Query } from "../../../core/records/documents.ts";
import { direction, type SortField } from "../paths.ts";
import { parsed } from "../queries.ts";
import { STRING } from "../sqlite/query/kinds.ts";
import {
  hidesBy,
  planBy,
  saidBy,
  wayOn,
  type ListIndex,
  type ListPlan,
  type QueryConditions,
} from "../sqlite/index/plans.ts";
import { allConjuncts } from "../sqlite/query/syntax.ts";

/**
 * The server merges up to this many ranges of an index in order; with more it sorts the results
 * (`internalQueryMaxScansToExplode`, 200 by default).
 */
const MOST_STRETCHES = 200;

type Value = string | number | boolean | null;

/** An index of the server, as lists use it. */
export interface ServerIndex {
  /** Its declaration, in the form that the engines share. */
  declared: Index;
  fields: readonly string[];
  /** The values of fields that a list may leave open. */
  values: Readonly<Record<string, readonly Value[]>>;
}

const subsets = (all: readonly string[]): string[][] =>
  all.reduce<string[][]>((found, one) => [...found, ...found.map((set) => [...set, one])], [[]]);

/**
 * The server's indexes for a declared one. The array of the barrier is left out: the server would index each of its
 * elements, and nothing after it would be in order. Open fields are scanned by their declared values; where these are
 * unknown, or too many together, there are indexes both with and without the field.
 */
export function serverIndexes(declared: Index): ServerIndex[] {
  const { fields, unique, values = {}, hiddenBy } = declared;
  const left = fields.filter((field) => field !== hiddenBy);
  const leaving = unique || left.length === 1 ? [] : leftOut(declared);
  return subsets(leaving)
    .map((without) => left.filter((field) => !without.includes(field)))
    .filter(({ length }) => length > 0)
    .map((kept) => ({ declared, fields: kept, values }));
}

/** The open fields of an index that the server cannot scan together with the others. */
function leftOut({ enumerated = [], values = {} }: Index): string[] {
  const leaving = enumerated.filter((field) => !values[field]);
  const known = enumerated
    .flatMap((field) => (values[field] ? [{ field, count: values[field].length }] : []))
    .sort((one, other) => other.count - one.count);
  while (known.reduce((product, { count }) => product * count, 1) > MOST_STRETCHES) leaving.push(known.shift()!.field);
  return leaving;
}

/** The index of a list by name, and an equal query that names the values of its open fields. */
export interface Hinted {
  hint: string;
  query: Query;
}

interface Candidate {
  list: ListIndex;
  values: ServerIndex["values"];
}

/** Chooses the index of each list, so that neither statistics nor trials of the server decide. */
export class Hints {
  readonly #candidates: Candidate[] = [];
  readonly #hidden = new Set<string>();

  /** Adds an index of the server, under its name there. */
  add(index: ServerIndex, name: string): void {
    const { declared, fields, values } = index;
    if (declared.unique || this.#candidates.some(({ list }) => list.name === name)) return;
    if (declared.hiddenBy) this.#hidden.add(declared.hiddenBy);
    const columns = fields.map(direction);
    if (!columns.some(({ path }) => path === "_id"))
      columns.push({ path: "_id", descending: columns.at(-1)!.descending });
    const having = declared.sparse ? columns[0]!.path : declared.having;
    this.#candidates.push({ list: { name, columns, enumerated: new Set(Object.keys(values)), having }, values });
  }

  /**
   * @param order with its tie-break; empty for a count
   * @returns undefined where no index has all of the query but the barrier, and the order
   */
  of(query: Query, order: readonly SortField[]): Hinted | undefined {
    const said = this.#saidBy(query);
    if (!said) return undefined;
    const found = this.#candidates.flatMap((candidate) => reading(candidate, said, order) ?? []);
    const [best] = found.sort((one, other) => one.stretches - other.stretches || one.width - other.width);
    if (!best) return undefined;
    const also = [...said.also, ...best.also];
    return { hint: best.name, query: also.length ? { $and: [query, ...also] } : query };
  }

  /** What a query says about indexed fields; the barrier is checked on each document. */
  #saidBy(query: Query): { said: QueryConditions; also: Query[] } | undefined {
    const also: Query[] = [];
    const parts: Condition[] = [];
    for (const part of allConjuncts(parsed(query))) {
      const hidden = hidesBy(part);
      if (hidden !== undefined && this.#hidden.has(hidden)) continue;
      const on = wayOn(part);
      // The server starts reading at the cursor by a bound on the field alone.
      if (on) also.push({ [on.field]: { [on.operator === "lt" ? "$lte" : "$gte"]: on.value } });
      parts.push(on ? new FieldCondition(on.operator === "lt" ? "lte" : "gte", on.field, on.value) : part);
    }
    const said = saidBy(parts, () => ({ kinds: STRING, elements: undefined, kept: false }));
    return said && { said, also };
  }
}

interface Reading {
  name: string;
  also: Query[];
  stretches: number;
  width: number;
}

function reading(
  { list, values }: Candidate,
  { said }: { said: QueryConditions },
  order: readonly SortField[],
): Reading | undefined {
  const plan = planBy(list, said, order);
  if (!plan) return undefined;
  const open = plan.steps.flatMap(({ path, admits }) =>
    admits ? [{ path, held: values[path]!.filter((one) => admits(typeof one === "boolean" ? Number(one) : one)) }] : [],
  );
  const stretches = stretchesOf(plan) * open.reduce((product, { held }) => product * held.length, 1);
  if (stretches > MOST_STRETCHES && order.length > 0) return undefined;
  const also: Query[] = open.map(({ path, held }) => ({ [path]: { $in: held } }));
  if (list.having !== undefined) also.push({ [list.having]: { $exists: true } });
  return { name: list.name, also, stretches, width: list.columns.length };
}

const stretchesOf = ({ steps }: ListPlan): number =>
  steps.reduce((product, { values }) => product * (values?.length ?? 1), 1);
