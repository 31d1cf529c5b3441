import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { KINDS, type SyncedEntity } from "../core/sync/kinds.ts";
import { conflictsOf, isDeleted, shownOf, withUnsent } from "../core/sync/merge.ts";
import type { Change, Head, RecordState } from "../core/sync/merge.ts";
import type { RecordKey } from "./store.ts";

/** A record as the hub told it last, and where it lies. */
export interface HeldRecord {
  place: number;
  problemSetId?: string | null;
  compartments?: string[];
  state: RecordState;
}

/** A record as its person sees it at the node: what the hub told, with what the hub was not told yet on it. */
export interface LocalRecord {
  entity: string;
  id: string;
  problemSetId?: string | null;
  compartments: string[];
  deleted: boolean;
  fields: Record<string, unknown>;
  /** What a person must decide: the values of a field; a field `""` is a delete against what it had not seen. */
  conflicts: { field: string; heads: readonly Head[] }[];
  /** How many changes of this node the hub has not given back yet. */
  unsettled: number;
  /** Another one after each change: `If-Match` names it. */
  etag: string;
}

/**
 * What a record is at the node, undefined where it is not: neither told by the hub nor made here. A change alone does
 * not make one, where its record was taken away meanwhile.
 */
export function recordStateOf(
  { entity }: RecordKey,
  held: HeldRecord | undefined,
  changes: readonly Change[],
  by: string,
): RecordState | undefined {
  const isMadeHere = changes.some(({ op, field }) => op === "set" && field === undefined);
  if (!held && !isMadeHere) return undefined;
  return withUnsent(held?.state, KINDS[entity as SyncedEntity], by, changes);
}

export function recordView(
  { entity, id }: RecordKey,
  held: HeldRecord | undefined,
  changes: readonly Change[],
  by: string,
): LocalRecord | undefined {
  const state = recordStateOf({ entity, id }, held, changes, by);
  if (!state) return undefined;
  const made = changes.find(({ op, field }) => op === "set" && field === undefined)?.value;
  const { problemSetId, compartments } = held ?? ((made ?? {}) as Partial<HeldRecord>);
  return {
    entity,
    id,
    ...(problemSetId !== undefined && { problemSetId }),
    compartments: compartments ?? [],
    deleted: isDeleted(state),
    fields: shownOf(state),
    conflicts: conflictsOf(state, KINDS[entity as SyncedEntity]).map((field) => ({
      field,
      heads: state.fields[field] ?? [],
    })),
    unsettled: changes.length,
    etag: `"${hash("sha256", canonicalize(state)!, "base64url").slice(0, 16)}"`,
  };
}

/** The latest stamp in a record: whoever changes it after having seen it comes later. */
export const latestStamp = ({ fields, deletes }: RecordState): string =>
  [...Object.values(fields).flat(), ...deletes].reduce((last, { hlc }) => (hlc > last ? hlc : last), "");
