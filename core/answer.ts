import { z } from "zod";
import { PageMeta } from "./entity.ts";

/**
 * What an endpoint answers: the value its handler returns (and a caller inside the mesh gets), and the envelope the gateway
 * puts around it. Document 1 has four envelopes, Document 2 one; see "Envelopes and errors" of the decisions.
 */
export interface Answer<V extends z.ZodType = z.ZodType> {
  value: V;
  /** The HTTP body's schema; absent where there is no JSON body. */
  body?: z.ZodType;
  wrap(value: unknown): unknown;
  contentType: string;
  /** Which error shape belongs to it: `success` is `{success: false, error, code, requestId}`. */
  errors: "error" | "success";
}

const JSON_TYPE = "application/json; charset=utf-8";

/** `{data}` */
export const data = <V extends z.ZodType>(value: V): Answer<V> =>
  ({ value, body: z.object({ data: value }), wrap: (given) => ({ data: given }), contentType: JSON_TYPE, errors: "error" });

/** `{data: [...], meta}`; the handler returns both. */
export const list = <V extends z.ZodType, M extends z.ZodType = typeof PageMeta>(row: V, meta: M = PageMeta as unknown as M) => {
  const value = z.object({ data: z.array(row), meta });
  return { value, body: value, wrap: (given: unknown) => given, contentType: JSON_TYPE, errors: "error" } satisfies Answer<typeof value>;
};

/** `{success: true, data}`: verification. */
export const success = <V extends z.ZodType>(value: V): Answer<V> =>
  ({ value, body: z.object({ success: z.literal(true), data: value }), wrap: (given) => ({ success: true, data: given }), contentType: JSON_TYPE, errors: "success" });

/** `{success: true, data, message}`: keys; the handler returns `{data, message}`. */
export const successWithMessage = <V extends z.ZodType>(row: V) => {
  const value = z.object({ data: row, message: z.string() });
  return {
    value, body: z.object({ success: z.literal(true), data: row, message: z.string() }),
    wrap: (given: unknown) => ({ success: true, ...(given as object) }), contentType: JSON_TYPE, errors: "success",
  } satisfies Answer<typeof value>;
};

/** The value itself, without an envelope: `/api/v1`, health. */
export const bare = <V extends z.ZodType>(value: V): Answer<V> => ({ value, body: value, wrap: (given) => given, contentType: JSON_TYPE, errors: "error" });

/** 204, no body. */
export const nothing = (): Answer<z.ZodNull> => ({ value: z.null(), wrap: () => null, contentType: JSON_TYPE, errors: "error" });

/** A document of another type, as text or bytes. */
export const file = (contentType: string): Answer<z.ZodType<string | Uint8Array>> =>
  ({ value: z.custom<string | Uint8Array>((given) => typeof given === "string" || given instanceof Uint8Array), wrap: (given) => given, contentType, errors: "error" });
