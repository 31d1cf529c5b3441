import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Mode } from "../../../../core/access/training-mode.ts";
import { iso } from "../../../../core/clock.ts";
import { isConflict, nullIf } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import type { SyncedEntity } from "../../../../core/sync/kinds.ts";
import type { SyncedNoun, Traced } from "../../synced-nouns.ts";
import { adoptAll, inStep, isAsSeen, MESH, NOUN_LIST, NOUNS, traces } from "./carrying.ts";
import { enter, PlaceEntry, Scope, scopeId, scopeKeyOf } from "./places.ts";
import { isDeleted } from "../../../../core/sync/merge.ts";
import { syncState, syncId, SyncRecord } from "./records.ts";

const SLICE = 500;
/** Records that one look takes up, or enters into the log: whoever asks waits for no more. */
const MOST_A_LOOK = 500;
/** So long a change that was begun is left to whoever began it. */
const BEGUN_MS = 5_000;

/** Brings records that changed into step, those that somebody carries; what is new is taken up in one write. */
async function followAll(host: Host, noun: SyncedNoun, changed: readonly Traced[]): Promise<void> {
  const ids = changed.map(({ id }) => syncId(noun.entity, id));
  const scopeIds = changed.map((traced) => scopeId(scopeKeyOf(traced)));
  const [records, scopes] = await Promise.all([
    host.store(SyncRecord).many(MESH, ids),
    host.store(Scope).many(MESH, [...new Set(scopeIds)]),
  ]);
  const known = new Map(records.map((one) => [one.id, one]));
  const followed = new Set(scopes.map(({ id }) => id));
  const isNew = (at: number): boolean => !known.has(ids[at]!) && followed.has(scopeIds[at]!);
  await adoptAll(
    host,
    noun,
    changed.filter((_traced, at) => isNew(at)),
  );
  for (const [at, traced] of changed.entries()) {
    const record = known.get(ids[at]!);
    if (record && !isAsItWas(record, traced)) await inStep(host, noun, traced.id);
  }
}

/** Whether a record is there at the hub as it was when both were in step, and nothing is under way. */
const isAsItWas = (record: SyncRecord, traced: Traced | undefined): boolean =>
  !record.intent &&
  traced !== undefined &&
  traced.goneAt === undefined &&
  isAsSeen(record, traced) &&
  !isDeleted(syncState(record));

/** Brings what changed in a domain into step; answers whether that was all. */
async function followNoun(host: Host, noun: SyncedNoun): Promise<boolean> {
  for (let taken = 0; taken < MOST_A_LOOK; taken += SLICE) {
    const changed = await traces(host, noun, { limit: SLICE });
    await followAll(host, noun, changed);
    const seen = changed.map(({ id, rev, updatedAt }) => ({ id, rev, updatedAt }));
    if (seen.length) await host.ask(`${noun.domain}.${noun.at}traces.clear`, { seen });
    if (changed.length < SLICE) return true;
  }
  return false;
}

/** A record that its domain removed; whoever looks next would see it too. */
export async function noteGone(host: Host, entity: SyncedEntity, id: string): Promise<void> {
  const record = await host.store(SyncRecord).one(MESH, { _id: syncId(entity, id) });
  if (record) await inStep(host, NOUNS[entity], id, { adopt: false, isHeard: true });
}

/**
 * Of records that were taken up, looked at once more before anybody is told of them, those that are still there: its
 * domain may have removed one, and told of that, just before it was noted here.
 */
async function proved(host: Host, records: readonly SyncRecord[]): Promise<SyncRecord[]> {
  const ready: SyncRecord[] = [];
  for (const [entity, all] of Map.groupBy(records, (record) => record.entity)) {
    const found = await traces(host, NOUNS[entity], { ids: all.map(({ recordId }) => recordId) });
    const byId = new Map(found.map((traced) => [traced.id, traced]));
    const others: SyncRecord[] = [];
    for (const record of all) (isAsItWas(record, byId.get(record.recordId)) ? ready : others).push(record);
    ready.push(...(await Promise.all(others.map((record) => provedAlone(host, record)))).flat());
  }
  return ready;
}

/** None where it is told of already, or a change of it is under way. */
const provedAlone = (host: Host, record: SyncRecord): Promise<SyncRecord[]> =>
  retryOnConflict(async () => {
    const { record: now } = await inStep(host, NOUNS[record.entity], record.recordId, { adopt: false });
    return now?.dueAt && !now.intent ? [now] : [];
  });

/** Enters into the log what became of records since they were told last; answers whether that was all. */
async function tell(host: Host): Promise<boolean> {
  const store = host.store(SyncRecord);
  const now = host.world.clock.now();
  for (let taken = 0; taken < MOST_A_LOOK; taken += SLICE) {
    const due = await store.find(MESH, { dueAt: { $gte: "" } }, { sort: ["dueAt"], limit: SLICE });
    const ready = await proved(
      host,
      due.filter((record) => record.isUnproved),
    );
    for (const record of due) {
      if (record.isUnproved) continue;
      if (!record.intent) ready.push(record);
      else if (Date.parse(record.updatedAt) <= now - BEGUN_MS)
        await inStep(host, NOUNS[record.entity], record.recordId).catch(nullIf(isConflict));
    }
    for (const [place, records] of Map.groupBy(ready, (record) => record.place)) {
      const last = await enter(
        host,
        place,
        records.map(({ id }) => id),
      );
      await store.bulk(
        records.map(({ id, rev }, at) => ({
          update: { _id: id, rev },
          with: { $set: { number: last - records.length + 1 + at }, $unset: { dueAt: 1, isUnproved: 1 } },
        })),
      );
    }
    if (due.length < SLICE || !ready.length) return due.length < SLICE;
  }
  return false;
}

/** Brings everything into step that changed, and enters it into the log; answers whether that was all. */
export async function follow(host: Host): Promise<boolean> {
  let isAll = true;
  for (const noun of NOUN_LIST) isAll = (await followNoun(host, noun)) && isAll;
  return (await tell(host)) && isAll;
}

/**
 * Takes a problem set, or what lies outside of all in a mode, into what is followed: first it is said so, then what was
 * there before is taken up. Answers whether that was all.
 */
export async function takeUp(host: Host, place: { problemSetId: string } | { audience: Mode }): Promise<boolean> {
  const store = host.store(Scope);
  const scope = scopeKeyOf(place);
  const id = scopeId(scope);
  const known =
    (await store.one(MESH, { _id: id })) ??
    (await store.createOnce(MESH, { id, scope, reached: {}, complete: false })).record;
  if (known.complete) return true;
  const reached = { ...known.reached };
  let taken = 0;
  for (const noun of NOUN_LIST) {
    for (; ; taken += SLICE) {
      if (taken >= MOST_A_LOOK) {
        await store.change(MESH, id, () => ({ reached }));
        return false;
      }
      const found = await traces(host, noun, { ...place, after: reached[noun.entity] ?? "", limit: SLICE });
      await adoptAll(host, noun, found);
      const last = found.at(-1);
      if (last) reached[noun.entity] = last.id;
      if (found.length < SLICE) break;
    }
  }
  await store.change(MESH, id, () => ({ reached, complete: true }));
  return true;
}

const TOMBSTONE_DAYS = 90;
const DAY_MS = 86_400_000;

/** When a cursor or a tombstone is too old. */
export const tooOld = (now: number): number => now - TOMBSTONE_DAYS * DAY_MS;

/** Lets go of deleted records whose tombstones are too old, and of what the log repeats. The last of a place stays. */
export async function forget(this: Host): Promise<void> {
  const before = iso(tooOld(this.world.clock.now()));
  const gone = { deletedAt: { $lt: before }, conflictedAt: { $exists: false } };
  await this.store(SyncRecord).removeAll(MESH, gone, { by: "deletedAt" });

  const store = this.store(PlaceEntry);
  const records = this.store(SyncRecord);
  for await (const slice of store.slices(MESH, { createdAt: { $lt: before } }, { size: SLICE })) {
    const known = new Map(
      (
        await records.many(
          MESH,
          slice.map((one) => one.record),
        )
      ).map((one) => [one.id, one]),
    );
    const heads = new Map<number, number>();
    for (const { place } of slice)
      if (!heads.has(place))
        heads.set(place, (await store.find(MESH, { place }, { sort: ["-number"], limit: 1 }))[0]!.number);
    const repeated = slice.filter(
      ({ place, number, record }) => number < heads.get(place)! && (known.get(record)?.number ?? Infinity) > number,
    );
    await store.removeAll(MESH, { _id: { $in: repeated.map(({ id }) => id) } });
  }
}
