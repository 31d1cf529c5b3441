import { Validator, type Schema } from "@cfworker/json-schema";

/**
 * Keywords of a foreign schema that we do not carry out: expressions could take for ever, references lead to other
 * documents, uniqueness is asked of every pair. The validator interprets schemas; none is compiled to code.
 */
const NOT_TAKEN = new Set(["pattern", "patternProperties", "$dynamicRef", "$recursiveRef", "uniqueItems"]);
/** Values, in which nothing is a keyword. */
const VALUES = new Set(["const", "enum", "default", "examples"]);
const TOO_MUCH = "more than can be read";
const MOST_NODES = 5_000;
/** Nodes of the schema, references followed, times nodes of the instance: about a tenth of a second. */
const MOST_WORK = 500_000;

type Json = Record<string, unknown>;
const isObject = (node: unknown): node is Json => typeof node === "object" && node !== null;

/** What a reference inside the document (`#` or `#/…`, RFC 6901) leads to; undefined where to nothing. */
function target(root: unknown, reference: string): unknown {
  return reference
    .slice(1)
    .split("/")
    .slice(1)
    .reduce<unknown>((node, part) => {
      const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
      return isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
    }, root);
}

/**
 * How many nodes a schema has when each reference stands for what it leads to: references to references multiply.
 * Infinity where one leads back to itself.
 */
function expanded(root: unknown): number {
  const sizes = new Map<unknown, number>();
  const size = (node: unknown): number => {
    if (!isObject(node)) return 1;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    sizes.set(node, Infinity); // until it is known: whoever asks meanwhile came around a circle
    let sum = 1;
    for (const [key, value] of Object.entries(node)) {
      // Definitions cost nothing where they stand.
      if (key !== "$defs" && key !== "definitions")
        sum += key === "$ref" ? size(target(root, value as string)) : size(value);
    }
    sizes.set(node, sum);
    return sum;
  };
  return size(root);
}

function nodesOf(instance: unknown): number {
  let nodes = 0;
  for (const open = [instance]; open.length; nodes++) {
    const node = open.pop();
    if (isObject(node)) for (const inner of Object.values(node)) open.push(inner);
  }
  return nodes;
}

/**
 * The first keyword of a foreign schema that is not carried out here, or that it is too much work for this instance;
 * else undefined.
 */
export function untaken(schema: unknown, instance: unknown = {}): string | undefined {
  let nodes = 0;
  const walk = (node: unknown, root: boolean): string | undefined => {
    if (++nodes > MOST_NODES) return TOO_MUCH;
    if (!isObject(node)) return undefined;
    for (const [key, value] of Object.entries(node)) {
      const named = !root && (key === "$id" || key === "id") && typeof value === "string";
      if (
        NOT_TAKEN.has(key) ||
        named ||
        (key === "$ref" && !(typeof value === "string" && /^#(?:\/[^%]*)?$/.test(value)))
      )
        return key;
      const found = VALUES.has(key) ? undefined : walk(value, false);
      if (found) return found;
    }
    return undefined;
  };
  return walk(schema, true) ?? (expanded(schema) * nodesOf(instance) > MOST_WORK ? TOO_MUCH : undefined);
}

/** Complaints about an instance, each with its place; none when it fits. */
export function complaints(schema: Record<string, unknown> | boolean, instance: unknown): string[] {
  const { valid, errors } = new Validator(schema as Schema | boolean, "2020-12", false).validate(instance);
  if (valid) return [];
  // The deepest places say what is wrong; the ones above only that something below is.
  const deepest = errors.filter(
    ({ instanceLocation, keyword }) => keyword !== "properties" && keyword !== "$ref" && instanceLocation !== undefined,
  );
  return [
    ...new Set(
      (deepest.length ? deepest : errors).map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`),
    ),
  ].slice(0, 10);
}
