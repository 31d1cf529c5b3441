import type { Index } from "../../../../core/records/documents.ts";
import { direction, type SortField } from "../../paths.ts";
import { INSIDE, LEADING, LEADING_UNIQUE, type Role } from "./fields.ts";
import { indexedColumn } from "../query/columns.ts";
import { quoted } from "../query/sql.ts";

/** One `create index` statement, by the name it has in the file. */
interface Definition {
  name: string;
  statement: string;
}

/**
 * The statements that create a declared index. A plain one ends with the id, so that it also serves the tie-break of a
 * sort. A unique one has a companion with just the documents where a field is null or missing: MongoDB allows null
 * once, SQL any number of times. @throws TypeError for an index without fields or a name no query can use
 */
export function definitions(collection: string, index: Index, isKept: (path: string) => boolean): Definition[] {
  const fields = directions(index);
  const columns = fields.map(({ path, descending }) => indexedColumn(path, isKept) + (descending ? " desc" : ""));
  const bare = fields.map(({ path }) => indexedColumn(path, isKept));
  const present = index.sparse ? `${bare[0]} is not null` : undefined;
  const name = (kind: string) => indexName(collection, kind, index);
  if (!index.unique) {
    const condition = index.having === undefined ? present : `${indexedColumn(index.having, isKept)} is not null`;
    const withId = fields.some(({ path }) => path === "_id")
      ? columns
      : [...columns, fields.at(-1)!.descending ? "id desc" : "id"];
    return [definition(collection, plainIndexName(collection, index), "index", withId, condition)];
  }
  const unique = definition(
    collection,
    name(index.sparse ? "unique-sparse" : "unique"),
    "unique index",
    columns,
    present,
  );
  const nullable = index.sparse ? bare.slice(1) : bare;
  if (nullable.length === 0) return [unique];
  const someNull = `(${nullable.map((column) => `${column} is null`).join(" or ")})`;
  // An empty blob stands for null: no JSON value is one.
  const marked = bare.map((column) => `ifnull(${column}, x'')`);
  const kind = index.sparse ? "unique-sparse-null" : "unique-null";
  return [
    unique,
    definition(collection, name(kind), "unique index", marked, present ? `${present} and ${someNull}` : someNull),
  ];
}

/** The name of an index that is not unique. */
export const plainIndexName = (collection: string, index: Index): string =>
  indexName(collection, index.sparse ? "sparse" : "plain", index) + (index.having ? `|${index.having}` : "");

/** The index's fields, and the role of each. */
export function roles(index: Index): Map<string, Role> {
  const fields = directions(index);
  const found = new Map<string, Role>(
    fields.map(({ path }, at) => [
      path,
      at > 0 ? INSIDE : index.unique && fields.length === 1 ? LEADING_UNIQUE : LEADING,
    ]),
  );
  if (index.having !== undefined && !found.has(index.having)) found.set(index.having, INSIDE);
  return found;
}

/** The declared fields of the index, columns or table of elements named in a "UNIQUE constraint failed" message. */
export function violatedFields(message: string): string[] {
  const index = /index '([^']+)'/.exec(message)?.[1]?.split("|")[2];
  if (index) return index.split(",").map((field) => field.replace(/^-/, ""));
  const columns = [...message.matchAll(/\.\$\.([^,]+)/g)].map(([, path]) => path!);
  if (columns.length > 0) return message.endsWith(".id") ? [...columns, "_id"] : columns;
  const elements = /\|elements\|([^|]+)\.value/.exec(message)?.[1];
  return [elements ?? "_id"];
}

function directions(index: Index): SortField[] {
  if (!Array.isArray(index.fields) || index.fields.length === 0)
    throw new TypeError("An index must name at least one field.");
  return index.fields.map(direction);
}

const indexName = (collection: string, kind: string, { fields }: Index): string =>
  `${collection}|${kind}|${fields.join(",")}`;

function definition(
  collection: string,
  name: string,
  what: string,
  columns: readonly string[],
  condition: string | undefined,
): Definition {
  const statement = `create ${what} ${quoted(name)} on ${quoted(collection)} (${columns.join(", ")})`;
  return { name, statement: condition ? `${statement} where ${condition}` : statement };
}
