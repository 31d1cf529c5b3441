import type { Update } from "../../../core/records/documents.ts";
import { isObject } from "../values.ts";
import { jsonPath } from "./query/columns.ts";
import { bind, sql, type Sql } from "./query/sql.ts";

const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/** A change that SQL makes in documents (alias `d`) without reading them. */
export interface InPlace {
  doc: Sql;
  /** Documents to which it applies; all others are read, changed and written whole. */
  fits: string;
}

/** The top-level fields that an update removes, where it does nothing else. */
export function onlyRemoved(update: Update): string[] | undefined {
  for (const operator in update) if (operator !== "$unset") return undefined;
  return update.$unset && Object.keys(update.$unset);
}

/** The document without these fields, if their names suffice for SQL. */
export const without = (names: readonly string[], mayGo: (name: string) => boolean): string | undefined =>
  names.every((name) => PLAIN_NAME.test(name) && mayGo(name))
    ? `jsonb_remove(d.doc, ${names.map(jsonPath).join(", ")})`
    : undefined;

/** One value pushed to a list with a maximum length, such as a history: its other values are not parsed. */
export function pushedOut({ $push, ...others }: Update, isFree: (name: string) => boolean): InPlace | undefined {
  const [[name, value] = ["", undefined], ...more] = Object.entries($push ?? {});
  if (Object.keys(others).length > 0 || more.length > 0 || !PLAIN_NAME.test(name) || !isFree(name)) return undefined;
  const { $each, $slice, ...modifiers } = isObject(value) ? value : {};
  if (!Array.isArray($each) || $each.length !== 1 || typeof $slice !== "number" || $slice >= 0) return undefined;
  if (Object.keys(modifiers).length > 0) return undefined;
  const list = jsonPath(name),
    most = String(-$slice),
    at = (place: string): string => `${list.slice(0, -1)}[${place}]'`;
  const held = `case when json_array_length(d.doc, ${list}) = ${most} then jsonb_remove(d.doc, ${at("0")}) else d.doc end`;
  return {
    doc: sql`jsonb_insert(${held}, ${at("#")}, jsonb(${bind(JSON.stringify($each[0]))}))`,
    fits: `(json_type(d.doc, ${list}) = 'array' and json_array_length(d.doc, ${list}) <= ${most})`,
  };
}
