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
