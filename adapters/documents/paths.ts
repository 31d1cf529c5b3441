/**
 * One name of a path in a query, a sort or an index. It becomes SQL text, so only these characters are allowed; no
 * quotes, no `$`.
 */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_:@-]*$/;
const LONGEST = 16;

/**
 * Splits `a.b.c` and refuses what is not allowed in a query, a sort or an index. @throws TypeError that names the field
 */
export function querySegments(path: string): string[] {
  const segments = writeSegments(path);
  const odd = segments.find((segment) => !NAME.test(segment));
  if (odd !== undefined)
    throw new TypeError(`The field name ${JSON.stringify(path)} has characters that a query cannot use.`);
  return segments;
}

/**
 * Splits the path of an update. Less strict than for queries, since it never becomes SQL; still no operators and no
 * access to a prototype. @throws TypeError that names the field
 */
export function writeSegments(path: string): string[] {
  const segments = path.split(".");
  if (segments.length > LONGEST)
    throw new TypeError(`The field name ${JSON.stringify(path.slice(0, 80))} has more than ${LONGEST} parts.`);
  for (const [index, segment] of segments.entries()) assertName(segment, segments[index - 1], path);
  return segments;
}

/**
 * Refuses a key that is an operator, empty, or gives access to a prototype; `parent` is the key above it. @throws
 * TypeError that names the field
 */
export function assertName(name: string, parent: string | undefined, path: string): void {
  if (name === "" || name.includes("\0"))
    throw new TypeError(`The field name ${JSON.stringify(path)} has an empty part or a NUL character.`);
  if (name.startsWith("$"))
    throw new TypeError(`The field name ${JSON.stringify(path)} begins with $, which is kept for operators.`);
  if (name === "__proto__" || (name === "prototype" && parent === "constructor")) {
    throw new TypeError(`The field name ${JSON.stringify(path)} leads to a prototype.`);
  }
}

/** An entry of a sort or an index: the name, and whether `-` precedes it. */
export interface SortField {
  path: string;
  descending: boolean;
}

/**
 * Reads `-createdAt` or `name`.
 * @throws TypeError for a name a query cannot use
 */
export function direction(entry: string): SortField {
  const descending = entry.startsWith("-");
  const path = descending ? entry.slice(1) : entry;
  querySegments(path);
  return { path, descending };
}

/**
 * A sort with its tie-break: `_id` in the direction of the last field, unless it is included already. @throws TypeError
 * for a name a query cannot use
 */
export function totalOrder(entries: readonly string[]): SortField[] {
  const order = entries.map(direction);
  if (order.some(({ path }) => path === "_id")) return order;
  return [...order, { path: "_id", descending: order.at(-1)?.descending ?? false }];
}

/**
 * The names of a projection, `_id` among them.
 * @throws TypeError for a path into a field or a name no query can use
 */
export function topLevel(fields: readonly string[]): string[] {
  for (const field of fields) {
    if (querySegments(field).length > 1) throw new TypeError(`${field} in fields is not a top-level field.`);
  }
  return [...new Set(["_id", ...fields])];
}
