type Json = Record<string, unknown>;
const isObject = (node: unknown): node is Json => typeof node === "object" && node !== null && !Array.isArray(node);
/** Deeper than any schema of ours, references followed: beyond it everything is taken for there. */
const DEEPEST = 64;

/** What `#/…` leads to in a schema (RFC 6901). */
const target = (root: unknown, reference: string): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (node, part) => (isObject(node) ? node[part.replaceAll("~1", "/").replaceAll("~0", "~")] : {}),
      root,
    );

/** How many parts of a path a value of this schema may have; all of them where the schema says nothing. */
function reach(root: unknown, schema: unknown, path: readonly string[], depth: number): number {
  if (!path.length || depth > DEEPEST || !isObject(schema)) return schema === false ? 0 : path.length;
  if (typeof schema["$ref"] === "string") return reach(root, target(root, schema["$ref"]), path, depth + 1);
  for (const either of ["anyOf", "oneOf"])
    if (Array.isArray(schema[either]))
      return Math.max(...schema[either].map((one: unknown) => reach(root, one, path, depth + 1)));
  if (Array.isArray(schema["allOf"]))
    return Math.max(...schema["allOf"].map((one: unknown) => reach(root, one, path, depth + 1)));
  return within(root, schema, path, depth);
}

function within(root: unknown, schema: Json, path: readonly string[], depth: number): number {
  const { type, properties, additionalProperties = true, items = true, prefixItems } = schema;
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? ["object", "array"] : [type];
  const [name = "", ...rest] = path;
  const step = (into: unknown): number => (into === false ? 0 : 1 + reach(root, into, rest, depth + 1));
  const asList = types.includes("array") && /^(?:0|[1-9]\d*)$/.test(name);
  const asObject = !types.includes("object")
    ? 0
    : isObject(properties) && Object.hasOwn(properties, name)
      ? step(properties[name])
      : step(additionalProperties);
  const inPlace = Array.isArray(prefixItems) ? prefixItems[Number(name)] : undefined;
  return Math.max(asObject, asList ? step(inPlace ?? items) : 0);
}

/**
 * The part of a path into a value that no value of its JSON Schema has; undefined where one may have them all. What the
 * schema leaves open may be there.
 */
export function strayIn(schema: unknown, path: readonly string[]): string | undefined {
  return path[reach(schema, schema, path, 0)];
}
