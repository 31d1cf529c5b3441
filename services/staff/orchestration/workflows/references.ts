/** What values and conditions of a step may refer to. */
export interface ReferenceScope {
  input: unknown;
  steps: Readonly<Record<string, { output: unknown }>>;
  item?: unknown;
  index?: number;
}

/** A value that stands for another: a JSON pointer (RFC 6901) into the scope, and a default where nothing is there. */
interface Reference {
  $ref: string;
  default?: unknown;
}
export const isReference = (value: unknown): value is Reference =>
  value !== null && typeof value === "object" && Object.hasOwn(value, "$ref");

/** The parts of a JSON pointer; null for an invalid one. */
export const pointerOf = (pointer: unknown): string[] | null =>
  typeof pointer === "string" && pointer.startsWith("/") && !/~(?![01])/.test(pointer)
    ? pointer
        .slice(1)
        .split("/")
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    : null;

export interface FoundReference {
  path: string;
  reference: Reference;
}
/** All references in a value, with their positions. */
export function referencesIn(value: unknown, path: string): FoundReference[] {
  if (isReference(value)) return [{ path, reference: value }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, one]) => referencesIn(one, `${path}.${name}`));
}

/** A reference to nothing. */
export class Missing extends Error {}

function followed(scope: ReferenceScope, { $ref, ...otherwise }: Reference): unknown {
  let at: unknown = scope;
  for (const part of pointerOf($ref) ?? []) {
    if (at === null || typeof at !== "object" || !Object.hasOwn(at, part)) {
      if ("default" in otherwise) return otherwise.default;
      throw new Missing(`${$ref} leads to nothing: there is no ${part}.`);
    }
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

/** A value with all its references resolved. Throws Missing. */
export function resolved(value: unknown, scope: ReferenceScope): unknown {
  if (isReference(value)) return followed(scope, value);
  if (Array.isArray(value)) return value.map((one) => resolved(one, scope));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, scope)]));
}
