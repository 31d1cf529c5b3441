// Arguments that a tool wants repeated in headers, for intermediaries that route by them (2026-07-28, `x-mcp-header`).

const MARK = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const KINDS: readonly unknown[] = ["string", "integer", "boolean"];

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A header value: plain, or as Base64 where it is not printable ASCII. */
export const headerValue = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;

interface Marked {
  path: readonly string[];
  name: string;
  type: unknown;
}
/** Marked arguments, reached through properties of objects alone. */
function markedIn(schema: Fields, path: readonly string[] = []): Marked[] {
  const { properties } = schema;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([field, one]) => {
    if (!isObject(one)) return [];
    const at = [...path, field];
    const own = Object.hasOwn(one, MARK) ? [{ path: at, name: String(one[MARK]), type: one["type"] }] : [];
    return [...own, ...markedIn(one, at)];
  });
}

/** How many marks a schema has; a property of that name is no mark. */
function marksIn(value: unknown, isNames = false): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + marksIn(one), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, one]) => sum + (key === MARK && !isNames ? 1 : marksIn(one, key === "properties" && !isNames)),
    0,
  );
}

/** Whether a tool's marks follow the revision; a tool with invalid marks is treated as not listed. */
export function isMirrorable(schema: Fields): boolean {
  const marked = markedIn(schema);
  const names = new Set(marked.map(({ name }) => name.toLowerCase()));
  return (
    marked.length === marksIn(schema) &&
    names.size === marked.length &&
    marked.every(({ name, type }) => TOKEN.test(name) && KINDS.includes(type))
  );
}

/** The headers in which arguments are repeated. */
export function mirrored(schema: Fields, given: Fields): Record<string, string> {
  const valueAt = (path: readonly string[]): unknown =>
    path.reduce<unknown>((at, field) => (isObject(at) && Object.hasOwn(at, field) ? at[field] : undefined), given);
  return Object.fromEntries(
    markedIn(schema).flatMap(({ path, name }) => {
      const value = valueAt(path);
      return value === undefined || value === null
        ? []
        : [[`mcp-param-${name.toLowerCase()}`, headerValue(String(value))]];
    }),
  );
}
