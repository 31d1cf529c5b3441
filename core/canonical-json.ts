import canonicalize from "canonicalize";

const MOST_DEEP = 50;
/** Such names come first in an object, whatever they were put after. */
const isIndex = (name: string): boolean => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57;

class NotPlain extends Error {}
const notPlain = new NotPlain();

/** A copy with its names in order; throws where JSON.stringify could write it otherwise than RFC 8785. */
function inOrder(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
      if (!value.isWellFormed()) throw notPlain;
      return value;
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw notPlain;
      return value;
    case "object":
      break;
    default:
      throw notPlain;
  }
  if (value === null) return null;
  if (depth > MOST_DEEP) throw notPlain;
  if (Array.isArray(value)) return value.map((one) => inOrder(one, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || "toJSON" in value) throw notPlain;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const one = (value as Record<string, unknown>)[name];
    if (isIndex(name) || name === "__proto__" || !name.isWellFormed()) throw notPlain;
    if (one !== undefined) copy[name] = inOrder(one, depth + 1);
  }
  return copy;
}

/**
 * Whether the JSON of plain data is longer than so many bytes for certain; looked at no further than it takes to know.
 * What is let pass may be longer all the same: only the least is counted, a byte for each UTF-16 unit.
 */
export function isCertainlyLonger(value: unknown, bytes: number): boolean {
  const open: object[] = [];
  let least = 0;
  const take = (one: unknown, before: number): boolean => {
    if (one === undefined) return false;
    least += before + (typeof one === "string" ? one.length + 2 : 1);
    if (typeof one === "object" && one !== null) open.push(one);
    return least > bytes;
  };
  if (take(value, 0)) return true;
  for (let at = open.pop(); at; at = open.pop()) {
    // A member of a list has a comma; one of an object has its name in quotation marks and a colon as well.
    if (Array.isArray(at)) {
      for (const one of at) if (take(one, 1)) return true;
    } else for (const name in at) if (take((at as Record<string, unknown>)[name], name.length + 4)) return true;
  }
  return false;
}

/**
 * The canonical JSON of a value (RFC 8785), by one pass of JSON.stringify over a copy in order: a third of the cost of
 * writing it piece by piece. What is no plain JSON goes the longer way, and throws there what canonicalize throws.
 */
export function canonicalJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(inOrder(value, 0));
  } catch (error) {
    if (error !== notPlain) throw error;
    return canonicalize(value);
  }
}
