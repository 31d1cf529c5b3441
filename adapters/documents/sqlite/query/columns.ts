import { querySegments, type SortField } from "../../paths.ts";

/** A path inside of a JSON value as an SQL literal: `'$."a"."b"'`. Its names were checked: none holds a quote. */
export const jsonPath = (path: string): string =>
  `'$.${querySegments(path)
    .map((segment) => `"${segment}"`)
    .join(".")}'`;

/**
 * A field of the collection's table (alias `d`) as SQL. Indexes and queries share it exactly: SQLite uses an index on
 * an expression only for the same expression.
 */
export const column = (path: string): string => (path === "_id" ? "d.id" : `(d.doc ->> ${jsonPath(path)})`);

/** As `column`, in an index definition, where no alias may stand. */
export const indexedColumn = (path: string): string => (path === "_id" ? "id" : `(doc ->> ${jsonPath(path)})`);

export function orderBy(order: readonly SortField[]): string {
  return `order by ${order.map(({ path, descending }) => column(path) + (descending ? " desc" : "")).join(", ")}`;
}
