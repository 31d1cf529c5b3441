import { z } from "zod";
import type { Barrier } from "../access/barrier.ts";
import type { Index } from "./documents.ts";

/** Counts behind a barrier are answered from it: the store sees which combinations of compartments occur in a set. */
export const barrierIndex = (barrier: Barrier | undefined): Index[] =>
  barrier?.compartments && barrier.set !== "id"
    ? [{ fields: [barrier.set, barrier.compartments], enumerated: [barrier.compartments] }]
    : [];

/** A list of an entity's records: those alike in these fields. */
export interface ListDeclaration {
  by: readonly string[];
  /** Only those that have this field. */
  having?: string;
  /** Filters that hold few values among those alike in the fields before them, though they may hold anything. */
  few?: readonly string[];
  /** Instead of the entity's. */
  filter?: readonly string[];
  /** Its orders, the usual one first; instead of the entity's. */
  sort?: readonly string[];
}

/** The values of a field that has few of them; a record of before there was the field has none. */
function valuesOf(field: z.core.$ZodType | undefined): Value[] | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return valuesOf(field.unwrap());
  if (field instanceof z.ZodEnum) return [...(field.options as Value[]), null];
  if (field instanceof z.ZodLiteral) return [...(field.values as Set<Value>), null];
  return field instanceof z.ZodBoolean ? [true, false, null] : undefined;
}
type Value = string | number | boolean | null;

/** Whether a field holds a text or nothing. */
export function mayLackText(field: z.core.$ZodType | undefined): boolean {
  if (field instanceof z.ZodDefault) return mayLackText(field.unwrap());
  if (!(field instanceof z.ZodOptional || field instanceof z.ZodNullable)) return false;
  const inner = field.unwrap();
  return inner instanceof z.ZodOptional || inner instanceof z.ZodNullable
    ? mayLackText(inner)
    : !(inner instanceof z.ZodNumber);
}

const subsets = (all: readonly string[]): string[][] =>
  all.reduce<string[][]>((found, one) => [...found, ...found.map((set) => [...set, one])], [[]]);

/**
 * The indexes of a list: in each order, for each choice of the filters that may hold anything. Filters of few values
 * stand in all of them, since a store looks through these; the usual order has one without them too.
 */
export function listIndexes(
  { by, having, few = [], filter, sort }: ListDeclaration,
  { fields, barrier }: { fields: z.ZodRawShape; barrier?: Barrier | undefined },
  usual: { filter: readonly string[]; sort: readonly string[] },
): Index[] {
  const filters = (filter ?? usual.filter).filter((field) => !by.includes(field) && field !== barrier?.set);
  const known = Object.fromEntries(
    filters.flatMap((field) => {
      const values = valuesOf(fields[field]);
      return values ? [[field, values]] : [];
    }),
  );
  const enumerated = [...few, ...filters.filter((field) => !few.includes(field) && known[field])];
  const hiddenBy = barrier?.compartments;
  const index = (equal: readonly string[], looked: readonly string[], order: string): Index => ({
    fields: [...equal, ...looked, ...(hiddenBy ? [hiddenBy] : []), order],
    ...(looked.length && { enumerated: looked, values: known }),
    ...(hiddenBy && { hiddenBy }),
    ...(having && { having }),
  });
  const orders = sort ?? usual.sort;
  return subsets(filters.filter((field) => !enumerated.includes(field))).flatMap((some) => [
    ...(enumerated.length ? [index([...by, ...some], [], orders[0]!)] : []),
    ...orders.map((order) => index([...by, ...some], enumerated, order)),
  ]);
}
