import type { Doc, Key } from "../../core/records/documents.ts";
import { assertName } from "./paths.ts";

/** MongoDB's own limit on nesting. */
const DEEPEST = 100;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A deep copy of a value as JSON would store it (a Date becomes its ISO string, undefined members disappear), so that
 * both engines store the same and nobody can change a write that waits for its commit. @throws TypeError that names the
 * place, for what JSON cannot represent, for `$` keys and for access to a prototype
 */
export function plainCopy(value: unknown, path: string): Json {
  try {
    return copied(value, undefined, undefined, 0);
  } catch {
    // Places are described only for refused values.
    return copied(value, path, undefined, 0);
  }
}

/**
 * A document ready to be stored, see `plainCopy`.
 * @throws TypeError where `_id` is no key, or a value cannot be stored
 */
export function plainDocument(doc: Doc): Doc {
  assertKey(doc?._id);
  return plainCopy(doc, "") as Doc;
}

/** @throws TypeError where the id is neither a non-empty string nor a number that JSON preserves (to 2^53) */
export function assertKey(id: unknown): asserts id is Key {
  const fine = typeof id === "string" ? id !== "" : typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER;
  if (!fine) throw new TypeError(`_id must be a string or a number up to 2^53, not ${describe(id)}.`);
}

/** A wrong value in words, for an error message. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object")
    return typeof value === "number" ? String(value) : typeof value === "string" ? JSON.stringify(value) : typeof value;
  return Object.prototype.toString.call(value).slice(8, -1).toLowerCase();
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Checks its tag, not its constructor: a test runner has a second set of constructors. */
export const isRegExp = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === "[object RegExp]";

/** The prototype decides for most objects, at less cost. */
const isOrdinary = (value: object): boolean =>
  Object.getPrototypeOf(value) === Object.prototype && !(Symbol.toStringTag in value);

const within = (path: string | undefined, name: string | number): string | undefined =>
  path === undefined ? undefined : path === "" ? String(name) : `${path}.${name}`;

/** `path`: where the value stands, as far as that will be told. */
function copied(value: unknown, path: string | undefined, key: string | undefined, depth: number): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${path || "The value"} is ${value}, which JSON cannot hold.`);
      return value;
    case "object":
      break;
    default:
      throw new TypeError(`${path || "The value"} is of type ${typeof value}, which JSON cannot hold.`);
  }
  if (value === null) return null;
  if (depth > DEEPEST) throw new TypeError(`${path?.slice(0, 80)} is nested more than ${DEEPEST} levels deep.`);
  if (Array.isArray(value))
    return value.map((item, index) =>
      item === undefined ? null : copied(item, within(path, index), undefined, depth + 1),
    );
  if ("toJSON" in value && typeof value.toJSON === "function") return copied(value.toJSON(), path, key, depth + 1);
  if (!isOrdinary(value) && describe(value) !== "object")
    throw new TypeError(`${path || "The value"} is a ${describe(value)}, which JSON cannot hold.`);
  return copiedObject(value as Record<string, unknown>, path, key, depth);
}

const MOST_SET = 12;
function copiedObject(
  value: Record<string, unknown>,
  path: string | undefined,
  parent: string | undefined,
  depth: number,
): Json {
  const keys = Object.keys(value);
  // A dozen keys that are set one after the other are kept in a hash table by V8, which takes longer to be read and to be
  // written as JSON; a spread keeps the form of the original.
  const isLarge = keys.length > MOST_SET && keys.every((key) => value[key] !== undefined);
  const copy = (isLarge ? { ...value } : {}) as { [key: string]: Json };
  for (const key of keys) {
    const item = value[key];
    const place = within(path, key);
    assertName(key, parent, place ?? key);
    if (item !== undefined) copy[key] = copied(item, place, key, depth + 1);
  }
  return copy;
}
