import { z } from "zod";
import { parse } from "../core/contract/input/input.ts";
import { invalid } from "../core/problem.ts";
import type { Kinds } from "../core/sync/kinds.ts";
import type { ChangeDraft } from "./edits.ts";

/** What the hub says of the values of one kind of record; each field by JSON Schema. */
export interface EntityValues {
  fields: Record<string, Record<string, unknown>>;
  needs: readonly string[];
  later: readonly string[];
}
/** By entity; what the hub did not speak of is judged there alone. */
export type Values = Record<string, EntityValues>;

/** Where a record lies is the hub's to judge. */
const PLACE = ["problemSetId", "compartments"];

const refused = (path: string, message: string) => invalid([{ path, message }]);

function demand({ fields }: EntityValues, field: string, value: unknown, path: string): void {
  if (Object.hasOwn(fields, field)) parse(z.fromJSONSchema(fields[field]!), value, path);
}

/** Throws 400 for a change that the hub would refuse for its value, with the words that it would say. */
export function demandValues(values: EntityValues | undefined, kinds: Kinds, { op, field, value }: ChangeDraft): void {
  if (!values || op === "delete" || op === "remove") return;
  if (field !== undefined) return demand(values, field, value, op === "set" ? field : "value");
  const given = Object.entries((value ?? {}) as Record<string, unknown>).filter(([, one]) => one !== null);
  const missing = values.needs.find((name) => !given.some(([one]) => one === name));
  if (missing !== undefined) throw refused(missing, "Is required.");
  for (const [name, one] of given.filter(([each]) => !PLACE.includes(each))) {
    if (values.later.includes(name)) throw refused(name, "It is set once the record is there.");
    if (kinds[name] !== "set") demand(values, name, one, name);
    else if (!Array.isArray(one)) throw refused(name, "It is an array.");
    else for (const each of one) demand(values, name, each, name);
  }
}
