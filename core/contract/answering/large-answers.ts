import { setImmediate as nextTurn } from "node:timers/promises";
import type { z } from "zod";
import { inTurns, type Steps } from "../../work/turns.ts";

/** What has more parts than this is shaped in turns of the loop: that many take a few milliseconds. */
const MOST_AT_ONCE = 300;

/** How many parts of an answer are looked at, at most, to tell whether it is large. */
function parts(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null || most < 0) return 0;
  let count = 1;
  if (Array.isArray(value)) {
    count += value.length;
    for (let at = 0; at < value.length && count <= most; at++) count += parts(value[at], most - count);
  } else if (Object.getPrototypeOf(value) === Object.prototype) {
    for (const key in value) {
      if (count > most) break;
      count += parts((value as Record<string, unknown>)[key], most - count);
    }
  }
  return count;
}

export const isLarge = (value: unknown): boolean => parts(value, MOST_AT_ONCE) > MOST_AT_ONCE;

type Def = {
  type: string;
  checks?: readonly unknown[];
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
};

/** Schemas that take an answer as it is, whatever is in it: shaping costs nothing, and looking for its size much. */
const AS_IT_IS = new Set(["custom", "any", "unknown"]);
export const isShaping = (schema: z.ZodType): boolean => !AS_IT_IS.has(schema._zod.def.type);

/** As `schema.parse`, with a step for each element of what is large in it. */
function* shapedInSteps(schema: z.ZodType, value: unknown): Steps<unknown> {
  const def = schema._zod.def as unknown as Def;
  if (def.checks?.length || !isLarge(value)) return schema.parse(value);
  if (def.type === "array" && Array.isArray(value)) {
    const shaped: unknown[] = [];
    for (const item of value) {
      shaped.push(yield* shapedInSteps(def.element!, item));
      yield;
    }
    return shaped;
  }
  if (def.type !== "object" || def.catchall || Array.isArray(value)) return schema.parse(value);
  const given = value as Record<string, unknown>;
  const shaped: Record<string, unknown> = {};
  for (const key in def.shape!) {
    const field = yield* shapedInSteps(def.shape[key]!, given[key]);
    if (field !== undefined || key in given) shaped[key] = field;
  }
  return shaped;
}

/** As `schema.parse` for what is large, in turns of its own: apart from its making and from its being written out. */
export async function shapedInTurns(schema: z.ZodType, value: unknown): Promise<unknown> {
  await nextTurn();
  const shaped = await inTurns(shapedInSteps(schema, value));
  await nextTurn();
  return shaped;
}

/** So many characters are made bytes at a time. */
const CHUNK = 65_536;

function* writtenInSteps(value: unknown, put: (text: string) => void): Steps<void> {
  if (!isLarge(value)) return put(JSON.stringify(value) ?? "null");
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      put(at ? "," : "[");
      yield* writtenInSteps(item, put);
      yield;
    }
    return put("]");
  }
  let mark = "{";
  for (const [key, field] of Object.entries(value as object)) {
    if (field === undefined) continue;
    put(`${mark}${JSON.stringify(key)}:`);
    yield* writtenInSteps(field, put);
    mark = ",";
  }
  return put(mark === "{" ? "{}" : "}");
}

/** The JSON text of what is large, in UTF-8, made in turns. */
export async function jsonInTurns(value: unknown): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let text = "";
  const flush = (): void => {
    chunks.push(Buffer.from(text));
    text = "";
  };
  await inTurns(
    writtenInSteps(value, (more) => {
      text += more;
      if (text.length > CHUNK) flush();
    }),
  );
  flush();
  return Buffer.concat(chunks);
}
