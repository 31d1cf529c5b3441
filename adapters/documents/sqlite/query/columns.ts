import { querySegments, type SortField } from "../../paths.ts";
import type { Knowledge } from "./narrowing.ts";
import { quoted } from "./sql.ts";

/** A path inside of a JSON value as an SQL literal: `'$."a"."b"'`. Its names were checked: none holds a quote. */
export const jsonPath = (path: string): string =>
  `'$.${querySegments(path)
    .map((segment) => `"${segment}"`)
    .join(".")}'`;

/** A field's value in the document `doc`: that of a column, and of an index on what has none. */
export const extracted = (doc: string, path: string): string => `${doc} ->> ${jsonPath(path)}`;

/** The column that holds an indexed field; no field of our own columns begins so. */
export const keptColumn = (path: string): string => quoted(`$.${path}`);

/**
 * A field of the collection's table (alias `d`) as SQL. Indexes and queries share it exactly: SQLite uses an index on
 * an expression only for the same expression.
 */
export const column = (path: string, known: Knowledge): string =>
  path === "_id" ? "d.id" : known(path)?.kept ? `d.${keptColumn(path)}` : `(${extracted("d.doc", path)})`;

/** As `column`, in an index definition, where no alias may stand. */
export const indexedColumn = (path: string, isKept: (path: string) => boolean): string =>
  path === "_id" ? "id" : isKept(path) ? keptColumn(path) : `(${extracted("doc", path)})`;

export function orderBy(order: readonly SortField[], known: Knowledge): string {
  const fields = order.map(({ path, descending }) => column(path, known) + (descending ? " desc" : ""));
  return `order by ${fields.join(", ")}`;
}
