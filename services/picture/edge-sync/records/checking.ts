import { demandScope, lackFor, lacking, memberOf, type Actor } from "../../../../core/access/access.ts";
import { modeOf } from "../../../../core/access/training-mode.ts";
import { parse } from "../../../../core/contract/endpoint.ts";
import { isUuid } from "../../../../core/ids.ts";
import { invalid, unprocessable } from "../../../../core/problem.ts";
import { kindsOf, type MergeKind } from "../../../../core/sync/kinds.ts";
import type { Change, Json, Op, RecordState } from "../../../../core/sync/merge.ts";
import { mayOutside, placed, type Place } from "../../place.ts";
import type { SyncedNoun } from "../../synced-nouns.ts";

/** Values of one field that wait for a person; whoever would add another is asked to see those first. */
const MOST_HEADS = 20;
/** What the hub alone says of a record. */
const OWN = new Set(["id", "rev", "did", "problemSetId", "compartments", "audience", "createdAt", "createdBy"]);
const OPS: Readonly<Record<MergeKind, readonly Op[]>> = {
  heads: ["set"],
  last: ["set"],
  counter: ["delta"],
  set: ["add", "remove"],
  fixed: [],
};

const serverOwned = (field: string) =>
  unprocessable("SERVER_OWNED", `${field} is the hub's own; an edge node does not change it.`, [
    { path: field, message: "It is not changed by a sync." },
  ]);
export const notSynced = (what: string) => unprocessable("NOT_SYNCED", `Edge nodes do not carry ${what}.`);

/** Throws 400 or 422 for a field, an operation or a value that does not fit; answers what its role must allow. */
export function demandFitting({ entity, fields, may }: SyncedNoun, { op, field, value = null }: Change): string {
  if (op === "delete" || op === "restore") return may;
  if (field === undefined) {
    if (op !== "set") throw invalid([{ path: "field", message: `${op} names a field.` }]);
    return may;
  }
  if (OWN.has(field)) throw serverOwned(field);
  const kind = (kindsOf(entity) as Record<string, MergeKind | undefined>)[field];
  const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (!kind || !known) throw notSynced(`${field} of a ${entity}`);
  if (kind === "fixed") throw serverOwned(field);
  if (!OPS[kind].includes(op))
    throw unprocessable("NOT_SYNCED", `${field} is changed by ${OPS[kind].join(" and ")}, not by ${op}.`);
  parse(known.schema, value, "value");
  return known.may;
}

/** The place and the first values of a new record. Throws 400, 422. */
export function readNew(
  actor: Actor,
  { entity, fields, later }: SyncedNoun,
  { value, id }: Change,
): { place: Place; values: Record<string, Json> } {
  if (!isUuid(id)) throw invalid([{ path: "id", message: "A new record has a UUID, in lower case." }]);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid([{ path: "value", message: "A new record is an object: its place and its fields." }]);
  const { problemSetId, compartments = [], ...rest } = value as Record<string, Json>;
  const set = parse(placed.problemSetId, problemSetId, "value.problemSetId");
  const place: Place = {
    compartments: parse(placed.compartments, compartments, "value.compartments"),
    ...(set === undefined ? { audience: modeOf(actor) } : { problemSetId: set }),
  };
  if (set === undefined && place.compartments.length)
    throw invalid([{ path: "value.compartments", message: "Compartments lie in a problem set." }]);
  const values = Object.fromEntries(Object.entries(rest).filter(([, one]) => one !== null));
  for (const [field, one] of Object.entries(values)) {
    if (OWN.has(field)) throw serverOwned(field);
    const known = Object.hasOwn(fields, field) && !later.includes(field) ? fields[field] : undefined;
    if (!known) throw notSynced(`${field} of a new ${entity}`);
    const isSet = kindsOf(entity)[field] === "set";
    if (isSet && !Array.isArray(one)) throw invalid([{ path: `value.${field}`, message: "It is an array." }]);
    for (const each of isSet ? (one as Json[]) : [one]) parse(known.schema, each, `value.${field}`);
  }
  return { place, values };
}

/** Throws 403, 404 or 409 where the person may not do this at the hub either. */
export function demandRight(actor: Actor, { domain }: SyncedNoun, place: Place, may: string): void {
  demandScope(actor, domain, true);
  if (place.problemSetId !== undefined) memberOf(actor, place.problemSetId, may, { writes: true });
  else if (!mayOutside(may)(actor, place))
    throw lacking(`Outside of all problem sets this needs the permit ${may}.`, lackFor(actor, may));
}

/** Throws 422 where a field has so many values that nobody could decide on one more. */
export function demandRoom(state: RecordState, { op, field }: Change): void {
  if (op === "set" && field !== undefined && (state.fields[field]?.length ?? 0) > MOST_HEADS)
    throw unprocessable("TOO_MANY_VALUES", `${field} has ${MOST_HEADS} values that wait for a decision.`);
}
