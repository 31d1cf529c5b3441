import { Readable } from "node:stream";
import type { z } from "zod";
import type { StreamEvent } from "../answer.ts";
import type { PersonNames } from "../person-names.ts";
import type { Actor } from "../../access/access.ts";
import { referencesIn } from "../../access/person-reference.ts";
import { hiderOf } from "../../access/set-reference.ts";
import { isProblem, Problem } from "../../problem.ts";

/** What a stream needs of its service. */
interface Source {
  logger: { error(message: string): void };
  names: PersonNames;
  signal(ctx: { requestID?: string | null }, until?: Promise<unknown>): AbortSignal;
}

/** The last event of a stream that broke; the gateway adds the request's id. */
export const FAILED = "error";
const failureOf = (error: unknown): StreamEvent => ({
  event: FAILED,
  data: isProblem(error)
    ? {
        code: error.type,
        message: error.message,
        ...(error.data?.details !== undefined && { details: error.data.details }),
      }
    : { code: "INTERNAL", message: "An internal error occurred." },
});

/** The last event of a stream that came to its end: one that stops without it was cut off on its way. */
export const DONE = "done";

/** How a stream ends that has not come to its end. */
export const cutOff = (): Problem =>
  new Problem(
    503,
    "STREAM_INTERRUPTED",
    "The stream was cut off before its end; come back after the last event that you have.",
  );

const HUNG_UP = Symbol("hung up");

/**
 * The events of a handler as a stream of objects that travels to the gateway, also from another node, each event held
 * to its schema, with names beside ids of people and without what `actor` may not know of. Ends the iteration, wherever it waits, once the client has
 * hung up. What ends by itself, and nothing else, ends with DONE.
 */
export function streamOf(
  host: Source,
  ctx: { requestID?: string | null },
  events: AsyncIterable<StreamEvent>,
  schemas: Readonly<Record<string, z.ZodType>>,
  actor: Actor | undefined,
): Readable {
  const ended = Promise.withResolvers<void>();
  const signal = host.signal(ctx, ended.promise);
  const hungUp = new Promise<typeof HUNG_UP>((resolve) =>
    signal.addEventListener("abort", () => resolve(HUNG_UP), { once: true }),
  );

  async function* shaped(): AsyncGenerator<StreamEvent> {
    const iterator = events[Symbol.asyncIterator]();
    try {
      while (!signal.aborted) {
        const next = await Promise.race([iterator.next(), hungUp]);
        if (next === HUNG_UP) break;
        if (next.done) return yield { event: DONE, data: {} };
        const { id, event, data } = next.value;
        const schema = schemas[event];
        if (!schema) throw new TypeError(`This stream declares no event ${event}.`);
        const parsed = schema.parse(data);
        const shown = hiderOf(schema)?.(parsed, actor) ?? parsed;
        const named = referencesIn(schema)?.(shown, undefined) ?? [];
        if (actor && named.length) await host.names.complete(named, actor);
        yield { ...(id !== undefined && { id }), event, data: shown };
      }
      yield failureOf(cutOff());
    } catch (error) {
      // An error of the stream itself would overtake the events that are still on their way.
      yield failureOf(error);
      if (!isProblem(error)) host.logger.error(`A stream broke: ${(error as Error)?.stack ?? String(error)}`);
    } finally {
      ended.resolve();
      // Not awaited: the iterator may still be waiting where it was when the client left.
      void iterator.return?.()?.catch(() => {});
    }
  }
  return Readable.from(shaped(), { objectMode: true, highWaterMark: 4 });
}

/**
 * The pieces of a long text as a stream that travels to the gateway, also from another node. Breaks off between two of
 * them once the client has hung up.
 */
export function textStream(host: Source, ctx: { requestID?: string | null }, pieces: AsyncIterable<string>): Readable {
  const ended = Promise.withResolvers<void>();
  const signal = host.signal(ctx, ended.promise);
  async function* heard(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      if (signal.aborted) throw new Error("the client hung up");
      yield piece;
    }
  }
  return Readable.from(heard(), { objectMode: true, highWaterMark: 1 }).once("close", ended.resolve);
}
