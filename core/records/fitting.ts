import { z } from "zod";
import type { Update } from "./documents.ts";
import type { Entity } from "./entity.ts";

type Schema = z.core.$ZodType;

/**
 * A change of ours that the record could not be read with again: nothing is written. It names the field and what is
 * wrong with it, never what it would have held, which may be somebody's secret.
 */
export class Misfit extends Error {
  constructor(entity: string, field: string, wrong: string) {
    super(`${entity}.${field} would not fit its schema: ${wrong}.`);
    this.name = "Misfit";
  }
}

const OUTER = [z.ZodOptional, z.ZodNullable, z.ZodDefault] as const;
/** The list that a field holds, whether or not it may be lacking. */
function listIn(field: Schema | undefined): z.ZodArray | undefined {
  if (field instanceof z.ZodArray) return field;
  const outer = OUTER.find((kind) => field instanceof kind);
  return outer && listIn((field as z.ZodOptional).unwrap());
}

function demand(entity: Entity, path: string, schema: Schema | undefined, value: unknown): void {
  const issue = schema && z.safeParse(schema, value).error?.issues[0];
  if (issue) throw new Misfit(entity.name, [path, ...issue.path.map(String)].join("."), issue.code);
}

const demandEach = (entity: Entity, field: string, element: Schema | undefined, added: Iterable<unknown>): void => {
  for (const one of added) demand(entity, field, element, one);
};

/** A field as it is set; of a list that was there, and that only its elements are bound by, those that were not in it. */
function demandSet(entity: Entity, field: string, value: unknown, before: unknown): void {
  const schema = entity.record.shape[field];
  const list = Array.isArray(value) && Array.isArray(before) ? listIn(schema) : undefined;
  if (!list || list.def.checks?.length) return demand(entity, field, schema, value);
  const known = new Set<unknown>(before as readonly unknown[]);
  demandEach(
    entity,
    field,
    list.element,
    (value as unknown[]).filter((one) => !known.has(one)),
  );
}

/** What an operator adds to a list: one element, or each of several. */
const added = (given: unknown): readonly unknown[] =>
  (given as { $each?: readonly unknown[] } | null)?.$each ?? [given];

/**
 * Throws `Misfit` for what the schema of the record does not take: of a change as it is set beside what the record
 * holds, and of what is added to its lists, how long these become aside. What a change leaves as it is was judged when
 * it was written, and is left alone.
 */
export function demandFit(
  entity: Entity,
  before: Record<string, unknown>,
  { $set, $push, $addToSet }: Pick<Update, "$set" | "$push" | "$addToSet">,
): void {
  for (const field in $set) if ($set[field] !== before[field]) demandSet(entity, field, $set[field], before[field]);
  for (const adding of [$push, $addToSet])
    for (const field in adding)
      demandEach(entity, field, listIn(entity.record.shape[field])?.element, added(adding[field]));
}
