import { isDeepStrictEqual } from "node:util";
import type { Doc, Query, Update } from "./documents.ts";
import type { Fact } from "../events/event.ts";
import { PLACE } from "./keeping/quota.ts";
import { CARRIED, TRACE } from "../events/traces.ts";

// A record and the document that it is stored as.

/** With fields of the store's own beside it. */
export const beside = ({ id, ...rest }: any, own: Record<string, unknown>): Doc => ({ _id: id, ...rest, ...own });
export const inward = (record: any): Doc => beside(record, {});
/** Fields of the store's own, beside the record; all of them begin with an underscore. */
export const OWN = new Set(["_id", "_pending", "_pendingSince", "_idem", PLACE, TRACE, CARRIED]);
const UNDERSCORE = 95;
export const outward = (doc: Doc): any => {
  const record: Record<string, unknown> = { id: doc._id };
  for (const key in doc) if (key.charCodeAt(0) !== UNDERSCORE || !OWN.has(key)) record[key] = doc[key];
  return record;
};

/** Without a barrier the query stays as it is, so that an id alone is still a look-up. */
export const both = (query: Query, held: Query): Query => (Object.keys(held).length ? { $and: [query, held] } : query);

/** `undefined` leaves, `null` clears. */
export function changes(change: Record<string, unknown>): Pick<Update, "$set" | "$unset"> {
  const $set: Record<string, unknown> = {},
    $unset: Record<string, 1> = {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) $unset[key] = 1;
    else if (value !== undefined) $set[key] = value;
  }
  return { $set, ...(Object.keys($unset).length && { $unset }) };
}

/** Who edited a record last is no change of it. */
const isOfEditing = (field: string): boolean => field === "updatedBy";

/** Whether a change would leave a record as it is. */
export const isVoid = (item: object, change: Record<string, unknown>, operators: Update = {}): boolean =>
  !Object.keys(operators).length &&
  Object.entries(change).every(
    ([field, value]) =>
      value === undefined ||
      isOfEditing(field) ||
      isDeepStrictEqual((item as Doc)[field] ?? undefined, value ?? undefined),
  );

/** Facts as they are stored with a record, which waits for them to be told. */
export const pending = (facts: readonly Fact[] | undefined, at: string) =>
  facts?.length ? { _pending: facts.map((fact) => ({ ...fact, time: at })), _pendingSince: at } : undefined;
