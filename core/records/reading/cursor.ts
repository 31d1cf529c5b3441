import type { Doc, Key, Query } from "../documents.ts";
import { badRequest } from "../../problem.ts";

/** Where a feed goes on: the last row's value of the field that orders it, and its id. */
type Position = readonly [value: string | number, id: Key];

/**
 * The query for what follows a cursor, in falling (or rising) order of a field, ties by id. Throws 400 for a text that
 * no feed gave.
 */
export function afterCursor(cursor: string, field: string, falling: boolean): Query {
  const [value, id] = readCursor(cursor),
    op = falling ? "$lt" : "$gt";
  return { $or: [{ [field]: { [op]: value } }, { [field]: value, _id: { [op]: id } }] };
}

/** The cursor of a row. */
export const cursorAt = (doc: Doc, field: string): string =>
  Buffer.from(JSON.stringify([doc[field], doc._id])).toString("base64url");

function readCursor(cursor: string): Position {
  try {
    const at = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const scalar = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
    if (Array.isArray(at) && at.length === 2 && at.every(scalar)) return at as unknown as Position;
  } catch {
    /* falls through to the one answer for every cursor that is not ours */
  }
  throw badRequest("cursor: this is not a cursor that a list of this server gave.");
}

/** Rows of several queries in one order, ties by id, each once. */
export function merged(docs: readonly Doc[], field: string, falling: boolean): Doc[] {
  const less = (one: any, other: any): number => (one < other ? -1 : one > other ? 1 : 0);
  const rising = [...new Map(docs.map((doc) => [doc._id, doc])).values()].sort(
    (one, other) => less(one[field], other[field]) || less(one._id, other._id),
  );
  return falling ? rising.reverse() : rising;
}
