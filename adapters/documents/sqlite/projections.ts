import type { Doc } from "../../../core/records/documents.ts";
import { topLevel } from "../paths.ts";
import { jsonPath } from "./query/columns.ts";

/** How documents are read from rows: whole, or some of their top-level fields. */
export interface Projection {
  names: readonly string[];
  columns: string;
  read: (row: readonly unknown[]) => Doc;
}
const WHOLE: Projection = {
  names: [],
  columns: "json(d.doc)",
  read: ([doc]) => JSON.parse(doc as string) as Doc,
};
const MOST_PROJECTIONS = 500;
const projections = new Map<string, Projection>();

/** Reads all of a document, or some top-level fields of it, without parsing the rest. */
export function projection(fields: readonly string[] | undefined): Projection {
  if (!fields) return WHOLE;
  const key = fields.join("\n");
  let found = projections.get(key);
  if (found) return found;
  // A name with a line break is refused here, so that no two lists share a key.
  found = projectionOf(topLevel(fields));
  if (projections.size >= MOST_PROJECTIONS) projections.clear();
  projections.set(key, found);
  return found;
}

const projectionOf = (names: readonly string[]): Projection => ({
  names,
  columns: names.map((name) => `d.doc -> ${jsonPath(name)}`).join(", "),
  read: (row) => {
    const doc: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      const json = row[index];
      if (json !== null) doc[names[index]!] = JSON.parse(json as string) as unknown;
    }
    return doc as Doc;
  },
});

/** Removes all except these top-level fields from a document. */
export const only = (fields: readonly string[]): ((doc: Doc) => Doc) => {
  const { names } = projection(fields);
  return (doc) => {
    const kept: Record<string, unknown> = {};
    for (const name of names) if (name in doc) kept[name] = doc[name];
    return kept as Doc;
  };
};
