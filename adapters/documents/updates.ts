import type { Doc, Query, Update } from "../../core/records/documents.ts";
import { writeSegments } from "./paths.ts";
import { checkedQuery } from "./queries.ts";
import { matcher } from "./recheck.ts";
import { describe, isObject, plainCopy } from "./values.ts";

const OPERATORS = ["$set", "$unset", "$inc", "$push", "$addToSet", "$pull", "$setOnInsert"] as const;
type Operator = (typeof OPERATORS)[number];
const MODIFIERS: Partial<Record<Operator, readonly string[]>> = {
  $push: ["$each", "$slice", "$position"],
  $addToSet: ["$each"],
};

/**
 * A deep copy of an update with only the port's operators. @throws TypeError that names the field or operator: an
 * unknown operator, a change of `_id`, two operators on one path, an operand of the wrong type, a value that cannot be
 * stored
 */
export function checkedUpdate(update: Update): Update {
  if (!isObject(update)) throw new TypeError(`An update must be an object, not ${describe(update)}.`);
  const copy: Record<string, Record<string, unknown>> = {};
  const paths: string[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    if (!OPERATORS.includes(operator as Operator)) throw new TypeError(`Unknown operator ${operator} in an update.`);
    if (fields === undefined) continue;
    if (!isObject(fields)) throw new TypeError(`${operator} takes an object of fields.`);
    const checked = checkedFields(operator as Operator, fields);
    paths.push(...Object.keys(checked));
    copy[operator] = checked;
  }
  if (Object.keys(copy).length === 0) throw new TypeError(`An update must have one of ${OPERATORS.join(", ")}.`);
  assertApart(paths);
  return copy;
}

function checkedFields(operator: Operator, fields: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(fields)) {
    writeSegments(path);
    if (value === undefined) continue;
    if (path === "_id" && operator !== "$setOnInsert") throw new TypeError("_id cannot be changed by an update.");
    copy[path] = checkedOperand(operator, path, value);
  }
  return copy;
}

function checkedOperand(operator: Operator, path: string, value: unknown): unknown {
  if (operator === "$unset") return "";
  if (operator === "$inc") {
    if (typeof value !== "number" || !Number.isFinite(value))
      throw new TypeError(`$inc of ${path} takes a number, not ${describe(value)}.`);
    return value;
  }
  if (operator === "$pull") return isObject(value) ? pullCondition(value) : plainCopy(value, path);
  const modifiers = MODIFIERS[operator];
  if (modifiers && isObject(value) && "$each" in value) return checkedModifiers(operator, path, value, modifiers);
  return plainCopy(value, path);
}

function checkedModifiers(
  operator: Operator,
  path: string,
  value: Record<string, unknown>,
  known: readonly string[],
): Query {
  const { $each: items, ...numbers } = value;
  if (!Array.isArray(items)) throw new TypeError(`$each of ${operator} ${path} takes a list.`);
  for (const [modifier, number] of Object.entries(numbers)) {
    if (!known.includes(modifier)) throw new TypeError(`Unknown modifier ${modifier} of ${operator} ${path}.`);
    if (!Number.isInteger(number)) throw new TypeError(`${modifier} of ${operator} ${path} takes a whole number.`);
  }
  return { $each: plainCopy(items, path), ...numbers };
}

/** Operators test the element itself; names test an element that is an object. */
function pullCondition(value: Record<string, unknown>): Query {
  const ofElement = Object.keys(value).some((key) => key.startsWith("$"));
  return ofElement ? (checkedQuery({ item: value })["item"] as Query) : checkedQuery(value);
}

/** MongoDB refuses such an update too (code 40), since their order would be arbitrary. */
function assertApart(paths: readonly string[]): void {
  const seen = new Set(paths);
  if (seen.size < paths.length)
    throw new TypeError(`The update changes ${paths.find((path, index) => paths.indexOf(path) < index)} twice.`);
  for (const path of paths) {
    for (let dot = path.indexOf("."); dot > 0; dot = path.indexOf(".", dot + 1)) {
      if (seen.has(path.slice(0, dot)))
        throw new TypeError(`The update changes ${path.slice(0, dot)} and ${path}, which is inside of it.`);
    }
  }
}

/**
 * Applies a checked update to a document in place, as MongoDB's update operators do.
 * @throws TypeError that names the field where the document's value does not suit the operator
 */
export function apply(doc: Doc, update: Update, inserting = false): Doc {
  if (inserting) eachField(update.$setOnInsert, (path, value) => assign(doc, path, () => value));
  eachField(update.$set, (path, value) => assign(doc, path, () => value));
  eachField(update.$unset, (path) => remove(doc, path));
  eachField(update.$inc, (path, value) => assign(doc, path, (current) => sum(path, current, value as number)));
  eachField(update.$push, (path, value) =>
    assign(doc, path, (current) => pushed(arrayAt("$push", path, current), value)),
  );
  eachField(update.$addToSet, (path, value) =>
    assign(doc, path, (current) => united(arrayAt("$addToSet", path, current), value)),
  );
  eachField(update.$pull, (path, value) => pull(doc, path, value));
  return doc;
}

/**
 * The document an upsert begins with: the query's equalities (at its top and inside of `$and`), as MongoDB takes them.
 */
export function seed(query: Query): Record<string, unknown> {
  const doc: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(query)) {
    if (key === "$and") for (const part of value as Query[]) Object.assign(doc, seed(part));
    else if (key.startsWith("$")) continue;
    else if (!isObject(value) || !Object.keys(value).some((name) => name.startsWith("$")))
      assign(doc, key, () => value);
    else if ("$eq" in value) assign(doc, key, () => value["$eq"]);
  }
  return doc;
}

function eachField(fields: Record<string, unknown> | undefined, visit: (path: string, value: unknown) => void): void {
  if (fields) for (const path of Object.keys(fields)) visit(path, fields[path]);
}

type Container = Record<string, unknown>;
const own = (container: Container, name: string): unknown =>
  Object.hasOwn(container, name) ? container[name] : undefined;

function assign(doc: Container, path: string, next: (current: unknown) => unknown): void {
  const segments = path.split(".");
  const last = segments.pop()!;
  let container = doc;
  for (const [index, segment] of segments.entries()) {
    const child = own(container, segment);
    if (child === undefined) put(container, segment, {}, path);
    else if (typeof child !== "object" || child === null) {
      throw new TypeError(`Cannot create ${path}: ${segments.slice(0, index + 1).join(".")} is ${describe(child)}.`);
    }
    container = own(container, segment) as Container;
  }
  put(container, last, next(own(container, last)), path);
}

function put(container: Container, name: string, value: unknown, path: string): void {
  if (Array.isArray(container) && !(/^\d{1,6}$/.test(name) && Number(name) <= container.length)) {
    throw new TypeError(`Cannot create ${path}: ${name} is no place in an array of ${container.length}.`);
  }
  container[name] = value;
}

function find(doc: Container, path: string): { container: Container; last: string } | undefined {
  const segments = path.split(".");
  const last = segments.pop()!;
  let container: unknown = doc;
  for (const segment of segments) {
    if (typeof container !== "object" || container === null) return undefined;
    container = own(container as Container, segment);
  }
  return typeof container === "object" && container !== null && Object.hasOwn(container, last)
    ? { container: container as Container, last }
    : undefined;
}

function remove(doc: Container, path: string): void {
  const place = find(doc, path);
  if (!place) return;
  // Removing an element would move the others: it becomes null, as in MongoDB.
  if (Array.isArray(place.container)) place.container[Number(place.last)] = null;
  else delete place.container[place.last];
}

function sum(path: string, current: unknown, by: number): number {
  if (current === undefined) return by;
  if (typeof current !== "number") throw new TypeError(`Cannot $inc ${path}: it is ${describe(current)}.`);
  const total = current + by;
  if (!Number.isFinite(total)) throw new TypeError(`Cannot $inc ${path}: the sum is ${total}.`);
  return total;
}

function arrayAt(operator: string, path: string, current: unknown): unknown[] {
  if (current === undefined) return [];
  if (!Array.isArray(current)) throw new TypeError(`Cannot ${operator} to ${path}: it is ${describe(current)}.`);
  return current;
}

interface Modifiers {
  $each: unknown[];
  $slice?: number;
  $position?: number;
}
const hasEach = (value: unknown): value is Modifiers => isObject(value) && Array.isArray(value["$each"]);

function pushed(array: unknown[], value: unknown): unknown[] {
  if (!hasEach(value)) return [...array, value];
  const at = value.$position ?? array.length;
  const whole = [...array.slice(0, at), ...value.$each, ...array.slice(at)];
  if (value.$slice === undefined) return whole;
  return value.$slice < 0 ? whole.slice(value.$slice) : whole.slice(0, value.$slice);
}

/** Equal as JSON, including the order of names, as MongoDB compares embedded documents. */
const sameJson = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));

function united(array: unknown[], value: unknown): unknown[] {
  const whole = [...array];
  for (const item of hasEach(value) ? value.$each : [value]) {
    if (!whole.some((held) => sameJson(held, item))) whole.push(item);
  }
  return whole;
}

function pull(doc: Container, path: string, value: unknown): void {
  const place = find(doc, path);
  if (!place) return;
  const array = place.container[place.last];
  if (!Array.isArray(array)) throw new TypeError(`Cannot $pull from ${path}: it is ${describe(array)}.`);
  const doomed = pullTest(value);
  place.container[place.last] = array.filter((item) => !doomed(item));
}

function pullTest(value: unknown): (item: unknown) => boolean {
  if (!isObject(value)) return (item) => sameJson(item, value);
  if (Object.keys(value).some((key) => key.startsWith("$") && key !== "$and" && key !== "$or" && key !== "$nor")) {
    const test = matcher({ item: value });
    return (item) => test({ item });
  }
  const test = matcher(value);
  return (item) => isObject(item) && test(item);
}
