import { z } from "zod";
import { PageMeta } from "../records/entity.ts";

/**
 * What an endpoint answers: the value its handler returns (and a caller inside the mesh gets), and the envelope the
 * gateway puts around it. Document 1 has four envelopes, Document 2 one; see "Envelopes and errors" of the decisions.
 */
export interface Answer<V extends z.ZodType = z.ZodType> {
  value: V;
  /** The HTTP body's schema; absent where there is no JSON body. */
  body?: z.ZodType;
  wrap(value: unknown): unknown;
  contentType: string;
  /** Events that follow one another over an open answer, by name; see `stream`. */
  events?: Readonly<Record<string, z.ZodType>>;
  /** The value comes piece by piece, and is passed on so. */
  pieces?: true;
  /** The value names a stored file, which the gateway sends from the store of blobs. */
  stored?: true;
  /** Which error shape belongs to it: `success` is `{success: false, error, code, requestId}`. */
  errors: "error" | "success";
}

const JSON_TYPE = "application/json; charset=utf-8";

/** `{data}` */
export const data = <V extends z.ZodType>(value: V): Answer<V> => ({
  value,
  body: z.object({ data: value }),
  wrap: (given) => ({ data: given }),
  contentType: JSON_TYPE,
  errors: "error",
});

/** `{data: [...], meta}`; the handler returns both. */
export const list = <V extends z.ZodType, M extends z.ZodType = typeof PageMeta>(
  row: V,
  meta: M = PageMeta as unknown as M,
) => {
  const value = z.object({ data: z.array(row), meta });
  return {
    value,
    body: value,
    wrap: (given: unknown) => given,
    contentType: JSON_TYPE,
    errors: "error",
  } satisfies Answer<typeof value>;
};

/** `{success: true, data}`: verification. */
export const success = <V extends z.ZodType>(value: V): Answer<V> => ({
  value,
  body: z.object({ success: z.literal(true), data: value }),
  wrap: (given) => ({ success: true, data: given }),
  contentType: JSON_TYPE,
  errors: "success",
});

/** `{success: true, data, message}`: keys; the handler returns `{data, message}`. */
export const successWithMessage = <V extends z.ZodType>(row: V) => {
  const value = z.object({ data: row, message: z.string() });
  return {
    value,
    body: z.object({ success: z.literal(true), data: row, message: z.string() }),
    wrap: (given: unknown) => ({ success: true, ...(given as object) }),
    contentType: JSON_TYPE,
    errors: "success",
  } satisfies Answer<typeof value>;
};

/** The value itself, without an envelope: `/api/v1`, health. */
export const bare = <V extends z.ZodType>(value: V): Answer<V> => ({
  value,
  body: value,
  wrap: (given) => given,
  contentType: JSON_TYPE,
  errors: "error",
});

const isIterable = (given: unknown): boolean =>
  typeof (given as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === "function";

/** 204, no body. */
export const nothing = (): Answer<z.ZodNull> => ({
  value: z.null(),
  wrap: () => null,
  contentType: JSON_TYPE,
  errors: "error",
});

/** A document of another type, as text or bytes. */
export const file = (contentType: string): Answer<z.ZodType<string | Uint8Array>> => ({
  value: z.custom<string | Uint8Array>((given) => typeof given === "string" || given instanceof Uint8Array),
  wrap: (given) => given,
  contentType,
  errors: "error",
});

/** A file that is sent from the store of blobs: what its bytes are, and what whoever keeps it may call it. */
export const StoredFile = z.object({ blob: z.string(), name: z.string(), bytes: z.int(), sha256: z.string() });

/**
 * A stored file of any size: the handler returns which. It is sent as an attachment without a type of its own, so that
 * no browser shows or runs what strangers wrote.
 */
export const download = (): Answer<typeof StoredFile> => ({
  value: StoredFile,
  wrap: (given) => given,
  contentType: "application/octet-stream",
  errors: "error",
  stored: true,
});

/**
 * A text of any length, made piece by piece while the client reads it: the handler returns an async iterable. What
 * fails before the first piece is answered as ever; afterwards the connection breaks off, so that nobody takes a part
 * for the whole.
 */
export const pieces = (contentType: string): Answer<z.ZodType<AsyncIterable<string>>> => ({
  value: z.custom<AsyncIterable<string>>(isIterable),
  wrap: (given) => given,
  contentType,
  errors: "error",
  pieces: true,
});

/** One event of a stream; whoever comes back with its `id` as `Last-Event-ID` wants what follows it. */
export interface StreamEvent {
  id?: string;
  event: string;
  data: unknown;
}

/**
 * Server-sent events (WHATWG HTML §9.2): the handler returns an async iterable of events of these names. The gateway
 * writes them with a comment each 15 seconds, ends with `done` or `error`, and stops the iteration when the client
 * hangs up. When the caller's access changes the action is called anew, as whoever they are then, with the last id they
 * had: so a handler starts after `ctx.meta.lastEventId`, and checks at its beginning what it always checks.
 */
export const stream = (events: Readonly<Record<string, z.ZodType>>): Answer<z.ZodType<AsyncIterable<StreamEvent>>> => ({
  value: z.custom<AsyncIterable<StreamEvent>>(isIterable),
  wrap: (given) => given,
  contentType: "text/event-stream; charset=utf-8",
  errors: "error",
  events,
});
