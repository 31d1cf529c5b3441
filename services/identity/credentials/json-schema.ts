import { Validator, type Schema } from "@cfworker/json-schema";

/**
 * Keywords of a foreign schema that we do not carry out: expressions could take for ever, references lead to other documents.
 * The validator interprets schemas; none is compiled to code.
 */
const NOT_TAKEN = new Set(["pattern", "patternProperties", "$dynamicRef", "$recursiveRef"]);
const MOST_NODES = 5_000;

/** The first keyword of a foreign schema that is not carried out here, or undefined. */
export function untaken(schema: unknown): string | undefined {
  let nodes = 0;
  const walk = (node: unknown): string | undefined => {
    if (++nodes > MOST_NODES) return "more than can be read";
    if (typeof node !== "object" || node === null) return undefined;
    for (const [key, value] of Object.entries(node)) {
      if (NOT_TAKEN.has(key) || (key === "$ref" && !(typeof value === "string" && value.startsWith("#")))) return key;
      const found = walk(value);
      if (found) return found;
    }
    return undefined;
  };
  return walk(schema);
}

/** Complaints about an instance, each with its place; none when it fits. */
export function complaints(schema: Record<string, unknown> | boolean, instance: unknown): string[] {
  const { valid, errors } = new Validator(schema as Schema | boolean, "2020-12", false).validate(instance);
  if (valid) return [];
  // The deepest places say what is wrong; the ones above only that something below is.
  const deepest = errors.filter(({ instanceLocation, keyword }) => keyword !== "properties" && keyword !== "$ref" && instanceLocation !== undefined);
  return [...new Set((deepest.length ? deepest : errors).map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`))].slice(0, 10);
}
