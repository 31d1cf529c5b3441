import { z } from "zod";
import { describeNames } from "../../access/person-reference.ts";

export type Json = Record<string, unknown>;

const errorSchemas = {
  Error: {
    type: "object",
    required: ["error"],
    additionalProperties: false,
    properties: {
      error: {
        type: "object",
        required: ["code", "message", "requestId"],
        additionalProperties: false,
        properties: {
          code: { type: "string", examples: ["VALIDATION_ERROR", "NOT_FOUND"] },
          message: { type: "string" },
          requestId: { type: "string" },
          details: { description: "More about it; for VALIDATION_ERROR a list of `{path, message}`." },
        },
      },
    },
  },
  Failure: {
    type: "object",
    required: ["success", "error", "code", "requestId"],
    additionalProperties: false,
    properties: {
      success: { const: false },
      error: { type: "string" },
      code: { type: "string" },
      requestId: { type: "string" },
      details: {},
    },
  },
  RateLimited: {
    type: "object",
    required: ["success", "error", "retryAfter"],
    additionalProperties: false,
    properties: {
      success: { const: false },
      error: { const: "Rate limit exceeded" },
      retryAfter: { type: "number", description: "Seconds." },
    },
  },
};

export const SECURITY = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "From `POST /api/auth/login`; valid for 7 days.",
  },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-sid",
    description: "Passkey or magic link; `sid` on loopback without TLS.",
  },
};

/** Schemas that carry `.meta({ id })` become components; everything else stands in place. */
export class Components {
  readonly schemas: Json = { ...errorSchemas };
  /** Refusals that many endpoints have in common. */
  readonly responses: Json = {};
  readonly #named: boolean;

  /** `named`: answers come with the names of persons. */
  constructor({ named = false } = {}) {
    this.#named = named;
  }

  of(schema: z.ZodType, io: "input" | "output"): Json {
    const {
      $schema: _dialect,
      $defs,
      ...rest
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      reused: "inline",
      ...(this.#named && io === "output" && { override: describeNames }),
    }) as Json;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Json))
      this.schemas[name] ??= relocate({ ...(definition as Json), id: undefined, $id: undefined });
    return relocate(rest) as Json;
  }
}

/** Our messages for wrong numbers are better than JSON Schema's largest safe integer in every description. */
const isSafeBound = (key: string, value: unknown): boolean =>
  (key === "minimum" && value === -Number.MAX_SAFE_INTEGER) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER);

/** Nothing stands behind the last place of a pair, as `maxItems` says too: many readers know no schema that is `false`. */
const isEndOfPlaces = (key: string, value: unknown, node: object): boolean =>
  key === "items" && value === false && "maxItems" in node;

/** `#/$defs/X` → `#/components/schemas/X`, no bounds of safe integers, and no schema that is `false`, throughout. */
function relocate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(relocate);
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => value !== undefined && !isSafeBound(key, value) && !isEndOfPlaces(key, value, node))
      .map(([key, value]) =>
        key === "$ref" && typeof value === "string"
          ? [key, value.replace("#/$defs/", "#/components/schemas/")]
          : [key, relocate(value)],
      ),
  );
}
