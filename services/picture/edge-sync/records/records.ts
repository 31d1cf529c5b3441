import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { liveType } from "../../../../core/contract/live.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { hlcAt, tick, type Hlc } from "../../../../core/sync/hlc.ts";
import { ENTITIES, kindsOf, type SyncedEntity } from "../../../../core/sync/kinds.ts";
import {
  conflictsOf,
  dotOf,
  headOf,
  HUB,
  isDeleted,
  merge,
  shownOf,
  type Change,
  type Json,
  type RecordState,
} from "../../../../core/sync/merge.ts";
import { JsonValue, StateText } from "../../../../core/sync/wire.ts";
import { outsideIndexes, placed, reach, type Place } from "../../place.ts";
import type { Traced } from "../../synced-nouns.ts";

/** A change that is about to be carried out in the domain that the record belongs to; kept first, so that a kill in between neither loses nor doubles it. */
const Intent = z.object({
  by: z.string(),
  change: z.custom<Change>((value) => typeof value === "object" && value !== null),
  userId: z.string(),
  /** The revision that it is carried out from. */
  rev: z.int(),
  kind: z.enum(["make", "change", "remove"]),
});
export type Intent = z.output<typeof Intent>;

/** What edge sync knows of one record of another domain: all values that nobody has decided on, and who has seen what. */
export const SyncRecord = entity("edge-sync.records", {
  title: "synced record",
  fields: {
    ...placed,
    entity: z.enum(ENTITIES),
    recordId: TextId,
    name: z.string(),
    place: z.int(),
    state: StateText,
    /** The record as its domain had it when both were in step. */
    seen: z.object({
      rev: z.int(),
      values: z.record(z.string(), JsonValue),
      /** What is not carried, and comes back with a record that is restored. */
      besides: z.record(z.string(), JsonValue).optional(),
    }),
    intent: Intent.optional(),
    /** Taken up, and not looked at since: what was removed and told of meanwhile would stay here for ever. */
    isUnproved: z.literal(true).optional(),
    /** Since when it is to be told to nodes. */
    dueAt: Instant.optional(),
    /** The number under which it was told last. */
    number: z.int().optional(),
    conflictedAt: Instant.optional(),
    deletedAt: Instant.optional(),
  },
  readonly: ["audience"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience"],
  filter: ["problemSetId", "entity"],
  sort: ["conflictedAt"],
  barrier: reach,
  lists: [{ by: ["problemSetId"], having: "conflictedAt", sort: ["-conflictedAt"] }],
  indexes: [
    ...outsideIndexes,
    { fields: ["audience", "-conflictedAt"], sparse: true },
    { fields: ["dueAt"], sparse: true },
    { fields: ["deletedAt"], sparse: true },
  ],
});
export type SyncRecord = Item<typeof SyncRecord>;

/** A record of a domain has one beside it. */
export const syncId = (entity: SyncedEntity, id: string): string => derivedId(`edge sync of ${entity} ${id}`);

export const seenOf = ({ rev, values, besides }: Traced): SyncRecord["seen"] => ({
  rev,
  values,
  ...(besides && { besides }),
});

export const syncState = ({ state }: Pick<SyncRecord, "state">): RecordState => state as RecordState;

export const given = (values: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** What of a record follows from its state. */
export function syncFields(
  entity: SyncedEntity,
  state: RecordState,
  before: { conflictedAt?: string | undefined; deletedAt?: string | undefined },
  at: string,
) {
  const { name } = shownOf(state);
  return {
    state,
    ...(typeof name === "string" && { name }),
    conflictedAt: conflictsOf(state, kindsOf(entity)).length ? (before.conflictedAt ?? at) : null,
    deletedAt: isDeleted(state) ? (before.deletedAt ?? at) : null,
  };
}

/** A record that the hub made, as its first change. */
export const stateOfNew = (entity: SyncedEntity, { values, updatedAt }: Traced): RecordState =>
  merge(undefined, kindsOf(entity), HUB, {
    ...{ seq: 1, entity, id: "", op: "set", value: given(values as Record<string, Json>) },
    hlc: hlcAt(Date.parse(updatedAt)),
  }).state;

/** The dots of what the hub shows of a record: who works there has seen these, and no others. */
const shownDots = (state: RecordState): string[] => [
  ...Object.keys(state.fields).flatMap((field) => headOf(state, field)?.dot ?? []),
  ...Object.values(state.counters).flatMap(({ dots }) => Object.entries(dots).map(([by, seq]) => dotOf(by, seq))),
  ...Object.values(state.sets).flatMap((entries) => entries.flatMap(({ dots }) => dots)),
];

type Hubs = Omit<Change, "seq" | "entity" | "id">;

/** What was done at the hub since both were in step, as changes of its own node. */
function* editsOf(
  entity: SyncedEntity,
  state: RecordState,
  seen: Record<string, Json>,
  now: Record<string, Json>,
  at: number,
): Generator<Hubs> {
  for (const [field, kind] of Object.entries(kindsOf(entity))) {
    const [before = null, after = null] = [seen[field], now[field]];
    if (kind === "fixed" || isDeepStrictEqual(before, after)) continue;
    const head = headOf(state, field);
    const hlc: Hlc = tick(head?.hlc, at);
    if (kind === "counter") yield { op: "delta", field, value: (after as number) - (before as number), hlc };
    else if (kind !== "set") yield { op: "set", field, value: after, bases: head ? [head.dot] : [], hlc };
    else yield* editsOfSet(state, field, (before ?? []) as string[], (after ?? []) as string[], hlc);
  }
}

function* editsOfSet(
  state: RecordState,
  field: string,
  before: readonly string[],
  after: readonly string[],
  hlc: Hlc,
): Generator<Hubs> {
  for (const value of after) if (!before.includes(value)) yield { op: "add", field, value, hlc };
  for (const value of before) {
    const bases = state.sets[field]?.find((entry) => entry.value === value)?.dots ?? [];
    if (!after.includes(value)) yield { op: "remove", field, value, bases, hlc };
  }
}

/** The state with one more change of the hub's. */
const byHub = (entity: SyncedEntity, state: RecordState, change: Hubs): RecordState =>
  merge(state, kindsOf(entity), HUB, { ...change, entity, id: "", seq: (state.vector[HUB] ?? 0) + 1 }).state;

/** The state of a record after what was done with it at the hub; `traced` is null where it was removed there. */
export function followed(
  { entity, state: before, seen }: Pick<SyncRecord, "entity" | "state" | "seen">,
  traced: Traced | null,
  now: number,
): RecordState {
  let state = before as RecordState;
  if (!traced) return byHub(entity, state, { op: "delete", bases: shownDots(state), hlc: hlcAt(now) });
  const [was, is] = [seen.values, traced.values] as Record<string, Json>[];
  for (const edit of editsOf(entity, state, was!, is!, Date.parse(traced.updatedAt)))
    state = byHub(entity, state, edit);
  return state;
}

export const placeOfRecord = ({ problemSetId, compartments, audience }: Place): Place => ({
  compartments,
  ...(problemSetId !== undefined && { problemSetId }),
  ...(audience && { audience }),
});

export const EdgeConflictChanged = liveType("edge-conflict.changed", {
  domain: "edge-sync",
  summary:
    "A record that several changed at once waits for a decision, or waits no more; in a problem set, or outside " +
    "of all (topic `edge-sync`)",
  permit: "edge-sync:read",
  may: "edge-sync:read",
  topics: ["edge-sync"],
  payload: z.object({
    conflictId: z.string(),
    entity: z.enum(ENTITIES),
    recordId: z.string(),
    fields: z.array(z.string()).describe("Empty: it waits no more. An empty name: a delete against edits."),
  }),
});
