import { isDeepStrictEqual } from "node:util";
import { systemActor, type Actor } from "../../../../core/access/access.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { newRequestId } from "../../../../core/ids.ts";
import { isProblem } from "../../../../core/problem.ts";
import { DuplicateKey } from "../../../../core/records/documents.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { msOf } from "../../../../core/sync/hlc.ts";
import { kindsOf, type SyncedEntity } from "../../../../core/sync/kinds.ts";
import {
  conflictsOf,
  dotOf,
  isDeleted,
  merge,
  shownOf,
  withDefaults,
  type Json,
  type RecordState,
} from "../../../../core/sync/merge.ts";
import { audienceOf } from "../../place.ts";
import { syncedConsumables, syncedResources } from "../../resources/client.ts";
import { syncedSensors } from "../../sensors/client.ts";
import type { SyncedNoun, Traced } from "../../synced-nouns.ts";
import { EdgeConflictFound, EdgeConflictResolved } from "../events.ts";
import { placeNumber } from "./places.ts";
import {
  EdgeConflictChanged,
  followed,
  given,
  placeOfRecord,
  seenOf,
  syncFields,
  syncState,
  stateOfNew,
  syncId,
  SyncRecord,
  type Intent,
} from "./records.ts";

export const MESH = asSystem("edge-sync");

export const NOUNS: Readonly<Record<SyncedEntity, SyncedNoun>> = {
  resource: syncedResources,
  consumable: syncedConsumables,
  sensor: syncedSensors,
};
export const NOUN_LIST = Object.values(NOUNS);

export const traces = (host: Host, { domain, at }: SyncedNoun, asked: object): Promise<Traced[]> =>
  host.ask<Traced[]>(`${domain}.${at}traces`, asked);
/** A record as its domain has it; one that was removed, and when, as long as that was not told here. */
async function lookAt(
  host: Host,
  noun: SyncedNoun,
  id: string,
): Promise<{ traced: Traced | null; goneAt: string | undefined }> {
  const found = await traces(host, noun, { ids: [id] });
  const traced = found.find(({ goneAt }) => goneAt === undefined) ?? null;
  return {
    traced,
    goneAt: traced
      ? undefined
      : found
          .map(({ goneAt }) => goneAt!)
          .sort()
          .at(-1),
  };
}

/** Whether a record was made and removed again before that was noted here: what is not there is made once. */
function wasMade(record: SyncRecord, goneAt: string | undefined, isHeard: boolean): boolean {
  if (record.intent!.kind !== "make") return false;
  if (isDeleted(syncState(record))) return goneAt !== undefined && goneAt > record.updatedAt;
  return isHeard || goneAt !== undefined;
}

const nameOf = ({ by, change: { seq } }: Intent): string => dotOf(by, seq);

/** Writes what became of a record, and tells of a conflict that begins or ends. Throws 409 where another was first. */
export async function settled(
  host: Host,
  record: SyncRecord,
  state: RecordState,
  { by, ...more }: { by: string; seen?: SyncRecord["seen"]; intent?: null },
): Promise<SyncRecord> {
  const at = iso(host.world.clock.now());
  const { conflictedAt, ...rest } = syncFields(record.entity, state, record, at);
  const [was, is] = [record.conflictedAt !== undefined, conflictedAt !== null];
  const after = await host.store(SyncRecord).revise(
    MESH,
    record,
    { ...more, ...rest, conflictedAt, dueAt: at },
    {
      facts: ({ id, problemSetId, compartments, name }: SyncRecord) =>
        was === is || problemSetId === undefined
          ? []
          : [(is ? EdgeConflictFound : EdgeConflictResolved).fact(id, { id, problemSetId, compartments, name, by })],
    },
  );
  const before = conflictsOf(syncState(record), kindsOf(record.entity));
  const fields = conflictsOf(state, kindsOf(record.entity));
  if (!isDeepStrictEqual(before, fields))
    await live(host, {
      event: EdgeConflictChanged,
      to: audienceOf("edge-sync", after),
      data: { conflictId: after.id, entity: after.entity, recordId: after.recordId, fields },
    });
  return after;
}

async function draftOf(host: Host, noun: SyncedNoun, traced: Traced) {
  const place = placeOfRecord(traced);
  return {
    id: syncId(noun.entity, traced.id),
    ...place,
    ...{ entity: noun.entity, recordId: traced.id, name: String(traced.values["name"]) },
    place: await placeNumber(host, place),
    state: stateOfNew(noun.entity, traced),
    seen: seenOf(traced),
    isUnproved: true,
    dueAt: iso(host.world.clock.now()),
  };
}

/** The record beside one that was made at the hub. */
export async function adopted(host: Host, noun: SyncedNoun, traced: Traced): Promise<SyncRecord> {
  return (await host.store(SyncRecord).createOnce(MESH, await draftOf(host, noun, traced))).record;
}

/** The records beside many, those that are not there yet, in one write. */
export async function adoptAll(host: Host, noun: SyncedNoun, all: readonly Traced[]): Promise<void> {
  const store = host.store(SyncRecord);
  const ids = all.map(({ id }) => syncId(noun.entity, id));
  const known = new Set((await store.many(MESH, ids)).map(({ id }) => id));
  const fresh = all.filter((_traced, at) => !known.has(ids[at]!));
  if (!fresh.length) return;
  const drafts = await Promise.all(fresh.map((traced) => draftOf(host, noun, traced)));
  try {
    await store.createMany(MESH, drafts);
  } catch (error) {
    // Another node takes the same up just now: each by itself then, whoever is first.
    if (!(error instanceof DuplicateKey)) throw error;
    for (const traced of fresh) await adopted(host, noun, traced);
  }
}

/** The call by which a domain carries out a change, as the person whose change it is. */
async function carryOutChange(host: Host, record: SyncRecord, intent: Intent, actor?: Actor): Promise<void> {
  const noun = NOUNS[record.entity];
  const { change, rev, kind, userId, by } = intent;
  const { state } = merge(syncState(record), kindsOf(record.entity), by, change);
  const values = shownOf(state);
  const field = change.field ?? "";
  const begins = given(Object.fromEntries(Object.entries(values).filter(([name]) => !noun.later.includes(name))));
  const value = change.op === "delta" ? change.value! : values[field]!;
  const at = iso(msOf(change.hlc));
  const call =
    kind === "make"
      ? noun.makes({ ...(change.op === "restore" && record.seen.besides), ...begins, ...inPlace(record) }, at)
      : kind === "remove"
        ? noun.removes(record.recordId)
        : noun.changes(record.recordId, field, value, at);
  await host.broker.call(call.action, call.params, {
    requestID: newRequestId(),
    meta: {
      actor: actor ?? { ...systemActor("edge-sync"), userId },
      carries: { name: nameOf(intent), rev, ...(kind === "make" && { makes: record.recordId }) },
    },
  });
}

const inPlace = ({ problemSetId, compartments }: SyncRecord): Record<string, Json> =>
  problemSetId === undefined ? {} : { problemSetId, compartments };

/** Whether the domain's record says that a change was carried out on it. */
const isDone = (intent: Intent, traced: Traced | null): boolean =>
  intent.kind === "remove" ? traced === null : traced?.carried === nameOf(intent);

/** The record with a change in it that its domain has carried out. */
function finished(host: Host, record: SyncRecord, intent: Intent, traced: Traced | null): Promise<SyncRecord> {
  const { by, userId, kind, rev, change } = intent;
  const { field, op } = change;
  const values = (traced?.values ?? {}) as Record<string, Json>;
  const { state: bare } = merge(syncState(record), kindsOf(record.entity), by, change);
  const state =
    kind === "make" ? withDefaults(bare, kindsOf(record.entity), by, given(values) as Json, change.hlc) : bare;
  const seen = record.seen.values as Record<string, Json>;
  const expected = op === "delta" ? (seen[field!] as number) + (change.value as number) : shownOf(state)[field ?? ""];
  // What else is in a later revision was done at the hub, after this: it is followed from here.
  const made =
    kind === "make" ? { ...values, ...(change.value as object) } : { ...seen, [field ?? ""]: expected ?? null };
  const now =
    kind === "remove"
      ? record.seen
      : {
          ...record.seen,
          ...(traced && seenOf(traced)),
          ...{ rev: rev + 1, values: traced?.rev === rev + 1 ? values : (made as Record<string, Json>) },
        };
  return settled(host, record, state, { by: userId, intent: null, seen: now });
}

/** Lets go of a change that was not carried out; null where nothing is left of its record. */
export async function letGo(host: Host, record: SyncRecord): Promise<SyncRecord | null> {
  const store = host.store(SyncRecord);
  if (record.intent!.kind !== "make" || isDeleted(syncState(record)))
    return store.revise(MESH, record, { intent: null });
  await store.remove(MESH, record);
  return null;
}

/**
 * Ends a change that was begun: carried out as far as its domain can say, or let go of where the domain's record went on
 * or refuses it. `actor`: whose change it is, where they are there.
 */
export async function ended(
  host: Host,
  record: SyncRecord,
  actor?: Actor,
  isHeard = false,
): Promise<{ record: SyncRecord | null; refusal?: unknown }> {
  const noun = NOUNS[record.entity];
  const intent = record.intent!;
  const { traced: before, goneAt } = await lookAt(host, noun, record.recordId);
  let traced = before;
  if (!traced && wasMade(record, goneAt, isHeard)) return { record: await finished(host, record, intent, null) };
  let refusal: unknown;
  if (!isDone(intent, traced) && (traced?.rev ?? 0) === intent.rev) {
    try {
      await carryOutChange(host, record, intent, actor);
    } catch (error) {
      if (!isProblem(error) || Number(error.code) >= 500) throw error;
      refusal = error;
    }
    ({ traced } = await lookAt(host, noun, record.recordId));
  }
  if (isDone(intent, traced)) return { record: await finished(host, record, intent, traced) };
  return { record: await letGo(host, record), ...(refusal !== undefined && { refusal }) };
}

/** Readings move what they tell the place of without a revision, and that is later than what a node saw before. */
export const isAsSeen = ({ seen }: SyncRecord, traced: Traced): boolean => isDeepStrictEqual(seen, seenOf(traced));

/**
 * A record and what its domain has of it, in step: what was begun is ended, and what was done at the hub meanwhile is in
 * the state as changes of the hub's own.
 */
export function inStep(
  host: Host,
  noun: SyncedNoun,
  id: string,
  { adopt = true, isHeard = false } = {},
): Promise<{ record: SyncRecord | null; traced: Traced | null }> {
  return retryOnConflict(async () => {
    // In this order: what the domain has is as new as what is known of it, or newer, and then the write here says so.
    let record = await host.store(SyncRecord).one(MESH, { _id: syncId(noun.entity, id) });
    if (record?.intent) ({ record } = await ended(host, record, undefined, isHeard));
    const { traced } = await lookAt(host, noun, id);
    if (!record) return { record: traced && adopt ? await adopted(host, noun, traced) : null, traced };
    const state = syncState(record);
    const isSame = isDeleted(state) || (traced !== null && isAsSeen(record, traced));
    if (isSame) return { record, traced };
    const after = followed(record, traced, host.world.clock.now());
    const seen = traced ? seenOf(traced) : record.seen;
    const isNew = !isDeepStrictEqual(after, state);
    return {
      record: isNew
        ? await settled(host, record, after, { by: "system:edge-sync", seen })
        : await host.store(SyncRecord).revise(MESH, record, { seen }),
      traced,
    };
  });
}
