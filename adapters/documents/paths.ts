/**
 * One name of a path in a query, a sort or an index. It reaches SQL text, so only these characters; no quotes, no `$`.
 */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_:@-]*$/;
const LONGEST = 16;

/**
 * Splits `a.b.c` and refuses what may not stand in a query, a sort or an index.
 * @throws TypeError that names the field
 */
export function querySegments(path: string): string[] {
  const segments = writeSegments(path);
  const odd = segments.find((segment) => !NAME.test(segment));
  if (odd !== undefined)
    throw new TypeError(`The field name ${JSON.stringify(path)} has characters that a query cannot use.`);
  return segments;
}

/**
 * Splits the path of an update. Wider than a query's, since it never reaches SQL; still no operators and no way to a
 * prototype.
 * @throws TypeError that names the field
 */
export function writeSegments(path: string): string[] {
  const segments = path.split(".");
  if (segments.length > LONGEST)
    throw new TypeError(`The field name ${JSON.stringify(path.slice(0, 80))} has more than ${LONGEST} parts.`);
  for (const [index, segment] of segments.entries()) assertName(segment, segments[index - 1], path);
  return segments;
}

/**
 * Refuses a key that is an operator, empty, or leads to a prototype; `parent` is the key it stands under.
 * @throws TypeError that names the field
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

/** A sort or index entry: the name, and whether `-` stood in front of it. */
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
 * A sort with its tie-break: `_id` in the direction of the last field, unless it is there already.
 * @throws TypeError for a name a query cannot use
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
