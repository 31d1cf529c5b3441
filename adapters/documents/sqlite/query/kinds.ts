import { isObject } from "../../values.ts";

/**
 * The kinds of values that a field ever had, as bits. Recorded for indexed fields (like MongoDB's "multikey" mark),
 * they let a query skip what cannot occur: a field that never had an array needs no look into arrays, and its plain
 * index suffices.
 */
export const NUMBER = 1;
export const STRING = 2;
export const BOOLEAN = 4;
export const OBJECT = 8;
/** An array at the field or on the way to it. */
export const ARRAY = 16;
/** A written null, not a missing field. */
export const NULL = 32;
/** Nothing: the field is missing. */
export const NOTHING = 64;
export const ANYTHING = NUMBER | STRING | BOOLEAN | OBJECT | ARRAY | NULL;

/** The kinds in one document at one path. */
export function kindsAt(value: unknown, segments: readonly string[], from = 0): number {
  if (Array.isArray(value)) return ARRAY;
  if (from < segments.length)
    return isObject(value) ? kindsAt(own(value, segments[from]!), segments, from + 1) : NOTHING;
  switch (typeof value) {
    case "number":
      return NUMBER;
    case "string":
      return STRING;
    case "boolean":
      return BOOLEAN;
    case "undefined":
      return NOTHING;
    default:
      return value === null ? NULL : OBJECT;
  }
}

/** An entry of an element index: booleans are blobs, so that true is not 1. */
export type ElementKey = string | number | Uint8Array;
const booleanKey = (value: boolean): Uint8Array => Uint8Array.of(value ? 1 : 0);

/**
 * The distinct strings, numbers and booleans at a path, through arrays and into them: the entries of an element index,
 * as in MongoDB's multikey index.
 */
export function elementsAt(doc: unknown, segments: readonly string[]): Set<string | number | boolean> {
  const found = new Set<string | number | boolean>();
  collect(doc, segments, 0, found);
  return found;
}

export const elementKey = (value: string | number | boolean): ElementKey =>
  typeof value === "boolean" ? booleanKey(value) : value;

function collect(
  value: unknown,
  segments: readonly string[],
  from: number,
  found: Set<string | number | boolean>,
): void {
  const atLeaf = from === segments.length;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (atLeaf ? !Array.isArray(item) : isObject(item)) collect(item, segments, from, found);
    }
  } else if (!atLeaf) {
    if (isObject(value)) collect(own(value, segments[from]!), segments, from + 1, found);
  } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") found.add(value);
}

const own = (value: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;
