import {
  $all,
  $and,
  $eq,
  $exists,
  $gt,
  $gte,
  $in,
  $lt,
  $lte,
  $ne,
  $nin,
  $nor,
  $not,
  $options,
  $or,
  $regex,
  $size,
  MongoQueryParser,
} from "@ucast/mongo";
import { FieldCondition, ITSELF, type Condition, type FieldInstruction } from "@ucast/core";
import type { Query } from "../../core/records/documents.ts";
import { querySegments } from "./paths.ts";
import { describe, isObject, isRegExp, plainCopy } from "./values.ts";

/** ucast treats $or, $and and $nor in here as operators on the element itself. */
const elementMatch: FieldInstruction<Query> = {
  type: "field",
  parse: ({ name }, value, { parse, field }) =>
    new FieldCondition(name, field, concernsElement(value) ? parse(value, { field: ITSELF }) : parse(value)),
};

const parser = new MongoQueryParser({
  $and,
  $or,
  $nor,
  $not,
  $eq,
  $ne,
  $in,
  $nin,
  $all,
  $exists,
  $size,
  $regex,
  $options,
  // ucast compares only numbers, strings and dates; our operands are already checked, and may be null or true.
  $gt: { ...$gt, validate: undefined },
  $gte: { ...$gte, validate: undefined },
  $lt: { ...$lt, validate: undefined },
  $lte: { ...$lte, validate: undefined },
  $elemMatch: elementMatch,
});

/** The syntax tree of a checked query. */
export const parsed = (query: Query): Condition => parser.parse(query);

/**
 * A deep copy of a query with only the port's operators, dates as ISO strings and patterns as `$regex`: what both
 * engines understand alike. @throws TypeError that names the field or operator: an unknown operator, an undefined value
 * (it would match everything on one engine and nothing on the other), an operand of the wrong type, a field name no
 * query can use
 */
export function checkedQuery(query: Query): Query {
  if (!isObject(query)) throw new TypeError(`A query must be an object, not ${describe(query)}.`);
  const copy: Query = {};
  for (const [key, value] of Object.entries(query)) {
    if (key === "$and" || key === "$or" || key === "$nor") copy[key] = alternatives(key, value);
    else if (key.startsWith("$")) throw new TypeError(`Unknown operator ${key} in a query.`);
    else copy[key] = condition(key, value);
  }
  return copy;
}

function alternatives(operator: string, value: unknown): Query[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new TypeError(`${operator} takes a list of at least one query.`);
  return value.map((entry) => checkedQuery(entry as Query));
}

function condition(field: string, value: unknown): unknown {
  querySegments(field);
  if (value === undefined) throw new TypeError(`${field} is undefined in a query: leave it out, or say null.`);
  if (isRegExp(value)) return pattern(field, value, undefined);
  return hasOperators(field, value) ? operators(field, value) : plainCopy(value, field);
}

/** Whether an object consists of operators. One with both operators and names is a mistake or an attack. */
function hasOperators(field: string, value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  const found = keys.filter((key) => key.startsWith("$")).length;
  if (found > 0 && found < keys.length) throw new TypeError(`${field} mixes operators and field names.`);
  return found > 0;
}

function operators(field: string, given: Record<string, unknown>): Query {
  const copy: Query = {};
  for (const [operator, value] of Object.entries(given)) {
    const operand = OPERANDS[operator];
    if (!operand) throw new TypeError(`Unknown operator ${operator} for ${field}.`);
    if (value === undefined) throw new TypeError(`${operator} of ${field} is undefined.`);
    Object.assign(copy, operand(field, operator, value, given));
  }
  if ("$options" in given && !("$regex" in given)) throw new TypeError(`$options of ${field} stands without $regex.`);
  return copy;
}

type Operand = (field: string, operator: string, value: unknown, all: Record<string, unknown>) => Query;

const exactly: Operand = (field, operator, value) => ({ [operator]: plainCopy(value, field) });

const scalar: Operand = (field, operator, value) => {
  const operand = plainCopy(value, field);
  if (typeof operand === "object" && operand !== null)
    throw new TypeError(`${operator} of ${field} takes a number, a string, a boolean or null.`);
  return { [operator]: operand };
};

const list: Operand = (field, operator, value) => {
  if (!Array.isArray(value)) throw new TypeError(`${operator} of ${field} takes a list.`);
  if (isFrozenText(value)) return { [operator]: value };
  return { [operator]: value.map((item) => (isRegExp(item) ? stateless(item) : plainCopy(item ?? null, field))) };
};

const frozenTexts = new WeakSet<readonly unknown[]>();

/** Whether a list is frozen and has only strings: long ones are used in queries repeatedly. */
export function isFrozenText(value: readonly unknown[]): boolean {
  if (frozenTexts.has(value)) return true;
  const isOne = Object.isFrozen(value) && value.every((item) => typeof item === "string");
  if (isOne) frozenTexts.add(value);
  return isOne;
}

/** Without the flags that make a pattern keep its position. */
const stateless = (value: RegExp) => new RegExp(value.source, value.flags.replace(/[gyd]/g, ""));

const nested: Operand = (field, operator, value) => {
  if (isRegExp(value)) return { [operator]: pattern(field, value, undefined) };
  if (!hasOperators(field, value)) throw new TypeError(`${operator} of ${field} takes operators or a pattern.`);
  return { [operator]: operators(field, value) };
};

const element: Operand = (field, operator, value) => {
  if (!isObject(value)) throw new TypeError(`${operator} of ${field} takes an object.`);
  return { [operator]: concernsElement(value) ? operators(field, value) : checkedQuery(value) };
};

/** Whether an `$elemMatch` has operators on the element itself, not a query of its fields. */
function concernsElement(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key in OPERANDS);
}

const OPERANDS: Record<string, Operand> = Object.assign(Object.create(null) as Record<string, Operand>, {
  $eq: exactly,
  $ne: exactly,
  $gt: scalar,
  $gte: scalar,
  $lt: scalar,
  $lte: scalar,
  $in: list,
  $nin: list,
  $all: list,
  $not: nested,
  $elemMatch: element,
  $exists: ((field, operator, value) => {
    if (typeof value !== "boolean") throw new TypeError(`$exists of ${field} takes true or false.`);
    return { [operator]: value };
  }) satisfies Operand,
  $size: ((field, operator, value) => {
    if (!Number.isInteger(value) || (value as number) < 0)
      throw new TypeError(`$size of ${field} takes a whole number from 0.`);
    return { [operator]: value };
  }) satisfies Operand,
  $regex: ((field, _operator, value, all) => pattern(field, value, all["$options"])) satisfies Operand,
  // Handled by $regex beside it.
  $options: (() => ({})) satisfies Operand,
});

function pattern(field: string, value: unknown, options: unknown): Query {
  const source = isRegExp(value) ? value.source : value;
  const flags = options ?? (isRegExp(value) ? stateless(value).flags : "");
  if (typeof source !== "string" || typeof flags !== "string" || !/^[imsu]*$/.test(flags)) {
    throw new TypeError(`$regex of ${field} takes a pattern, with options of i, m, s and u.`);
  }
  try {
    const compiled = new RegExp(source, flags);
    return compiled.flags ? { $regex: source, $options: compiled.flags } : { $regex: source };
  } catch (error) {
    throw new TypeError(`$regex of ${field} is no regular expression: ${(error as Error).message}`, { cause: error });
  }
}
