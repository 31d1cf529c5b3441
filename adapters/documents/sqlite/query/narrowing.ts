import { FieldCondition, type CompoundCondition, type Condition } from "@ucast/core";
import { ARRAY } from "./kinds.ts";
import { isScalar } from "./sites.ts";
import { allConjuncts, conjuncts, isExpressible, mentionsItself } from "./syntax.ts";

/** What is known of a field of the collection, see kinds.ts. */
export interface FieldFacts {
  kinds: number;
  /** The table of its elements (value, n), where it is an array that leads an index. */
  elements: string | undefined;
  /** Whether it has a column of its own. */
  kept: boolean;
}
export type Knowledge = (path: string) => FieldFacts | undefined;

/** Whether an index begins with these two fields, in this order. */
export type Paired = (lead: string, second: string) => boolean;
/** For counts: the table, and the pairs of fields that begin its indexes. */
export interface Pairs {
  table: string;
  paired: Paired;
}

/**
 * Whether the query fixes a field to one value, so that sorting by it has no effect. SQLite recognises that for
 * columns, but not for expressions, and would sort what its index has in order.
 */
export function isFixed(query: Condition, path: string, known: Knowledge): boolean {
  const held = known(path);
  if (path !== "_id" && (held === undefined || held.kinds & ARRAY)) return false;
  return conjuncts(query).some(
    (part) => part instanceof FieldCondition && part.field === path && part.operator === "eq" && isScalar(part.value),
  );
}

/**
 * A condition that an array has no element of some kind, where an index has the array after a field whose values the
 * query names.
 */
export interface Narrowing {
  table: string;
  lead: string;
  values: readonly string[];
  match: FieldCondition<Condition>;
}

/**
 * Arrays are otherwise checked one by one. But where few distinct arrays occur, as with the compartments of records, an
 * index of (lead, array) lists them all with one look-up each (a loose index scan): each is checked once, and the index
 * counts the documents without reading one.
 */
export function narrowings(query: Condition, known: Knowledge, { table, paired }: Pairs): Map<Condition, Narrowing> {
  const parts = allConjuncts(query);
  const found = new Map<Condition, Narrowing>();
  for (const part of parts) {
    const match = withoutElement(part);
    if (!match || known(match.field)?.kinds !== ARRAY) continue;
    const lead = leadAmong(parts, known, (path) => paired(path, match.field));
    if (lead) found.set(part, { table, ...lead, match });
  }
  return found;
}

interface Lead {
  lead: string;
  values: readonly string[];
}

/** The field, never an array, that the query fixes to the fewest strings, among suitable ones. */
function leadAmong(parts: readonly Condition[], known: Knowledge, willDo: (path: string) => boolean): Lead | undefined {
  const leads = parts.flatMap((part): Lead[] => {
    const values =
      part instanceof FieldCondition && willDo(part.field) && !((known(part.field)?.kinds ?? ARRAY) & ARRAY)
        ? textsOf(part)
        : undefined;
    return values ? [{ lead: (part as FieldCondition).field, values: [...new Set(values)] }] : [];
  });
  return leads.sort((one, other) => one.values.length - other.values.length)[0];
}

/**
 * The field that a query fixes to several values and that precedes the sort field in an index. SQLite would read and
 * sort all documents of all these values; but the first few of each value, in order, include the first few of all.
 */
export function spreadOver(query: Condition, sortedBy: string, known: Knowledge, paired: Paired): Lead | undefined {
  const lead = leadAmong(allConjuncts(query), known, (path) => paired(path, sortedBy));
  return lead && lead.values.length > 1 ? lead : undefined;
}

/** The `$elemMatch` on elements themselves that is all a `$not` contains. */
function withoutElement(node: Condition): FieldCondition<Condition> | undefined {
  if (node instanceof FieldCondition || node.operator !== "not") return undefined;
  const [part, ...others] = (node as CompoundCondition).value;
  const fits =
    part instanceof FieldCondition &&
    others.length === 0 &&
    part.operator === "elemMatch" &&
    isExpressible(part) &&
    mentionsItself(part.value as Condition);
  return fits ? (part as FieldCondition<Condition>) : undefined;
}

/** The strings to which a condition fixes its field. */
function textsOf({ operator, value }: FieldCondition): readonly string[] | undefined {
  const values = operator === "eq" ? [value] : operator === "in" ? (value as unknown[]) : undefined;
  return values?.every((one) => typeof one === "string") ? values : undefined;
}
