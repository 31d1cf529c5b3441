import { isDeepStrictEqual } from "node:util";
import { readInto, sees } from "../../../../core/access/barrier.ts";
import { type Actor } from "../../../../core/access/access.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { conflict, isNotFound, isOvertaken, isProblem, notFound, Problem } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { capped } from "../../../../core/sync/hlc.ts";
import { kindsOf, type SyncedEntity } from "../../../../core/sync/kinds.ts";
import {
  emptyState,
  HUB,
  isDeleted,
  merge,
  outcomeIn,
  shownOf,
  type Change,
  type Json,
  type MergeOutcome,
} from "../../../../core/sync/merge.ts";
import { factsInSet } from "../../place.ts";
import { EdgeChangeRefused } from "../events.ts";
import { EdgeNode } from "../nodes/nodes.ts";
import type { SyncedNoun, Traced } from "../../synced-nouns.ts";
import { ended, inStep, MESH, NOUNS, settled } from "./carrying.ts";
import { demandFitting, demandRight, demandRoom, notSynced, readNew } from "./checking.ts";
import { placeNumber } from "./places.ts";
import { syncState, syncId, SyncRecord, type Intent } from "./records.ts";

/** Whose changes these are: the node's name in dots, and the person with what they may do now. */
export interface Author {
  by: string;
  actor: Actor;
  /** Problem sets that the node was cut off from. */
  cutOff?: readonly string[];
}

const STALE = 412;
const isMoved = (error: unknown): boolean =>
  isOvertaken(error) || (error as { code?: unknown }).code === STALE || isNotFound(error);
const MOST_TRIES = 20;

/**
 * Takes one change in, as its person could make it at the hub: what the domain refuses is thrown, and nothing is kept of
 * it. Where the change is shown, the domain carries it out; where another value is shown, it waits beside that one.
 */
export function apply(host: Host, author: Author, given: Change): Promise<MergeOutcome> {
  const noun = Object.hasOwn(NOUNS, given.entity) ? NOUNS[given.entity as SyncedEntity] : undefined;
  if (!noun) throw notSynced(given.entity);
  const may = demandFitting(noun, given);
  const change = { ...given, hlc: capped(given.hlc, host.world.clock.now()) };
  return retryOnConflict(
    () =>
      change.op === "set" && change.field === undefined
        ? make(host, author, noun, change)
        : edit(host, author, noun, change, may),
    { when: isAgain, attempts: MOST_TRIES },
  );
}

/** The domain's record went on between the decision and the write: it is decided anew. */
class Again extends Error {}
const isAgain = (error: unknown): boolean => error instanceof Again || isOvertaken(error);

async function make(
  host: Host,
  { by, actor, cutOff }: Author,
  noun: SyncedNoun,
  change: Change,
): Promise<MergeOutcome> {
  const { place, values } = readNew(actor, noun, change);
  const { record: before, traced } = await inStep(host, noun, change.id);
  if (before && change.seq <= (syncState(before).vector[by] ?? 0)) return "duplicate";
  demandReach(cutOff, place.problemSetId);
  demandRight(actor, noun, place, noun.may);
  const closed = place.compartments.find((id) => !readInto(actor, [id]));
  if (closed !== undefined) throw notFound("compartment", closed);
  // Whoever does not see it learns that its id is taken, which they had, and not whether it is there still.
  if (before && isDeleted(syncState(before)) && sees(SyncRecord.barrier, actor, before))
    throw new Problem(410, "GONE", "This record was deleted.");
  if (before || traced) throw new Problem(409, "EXISTS", "There is a record with this id.");
  const intent: Intent = {
    ...{ by, userId: actor.userId, rev: 0, kind: "make" },
    change: { ...change, value: values as Json },
  };
  const { record } = await host.store(SyncRecord).createOnce(MESH, {
    id: syncId(noun.entity, change.id),
    ...place,
    ...{ entity: noun.entity, recordId: change.id, name: String(values["name"] ?? change.id).slice(0, 200) },
    place: await placeNumber(host, place),
    state: emptyState(),
    seen: { rev: 0, values: {} },
    intent,
  });
  return end(host, record, actor, by, change);
}

async function edit(
  host: Host,
  { by, actor, cutOff }: Author,
  noun: SyncedNoun,
  given: Change,
  may: string,
): Promise<MergeOutcome> {
  const { record, traced } = await inStep(host, noun, given.id);
  if (!record || !sees(SyncRecord.barrier, actor, record)) throw notFound(noun.entity, given.id);
  const before = syncState(record);
  const change = by === HUB ? { ...given, seq: (before.vector[HUB] ?? 0) + 1 } : given;
  if (change.seq <= (before.vector[by] ?? 0)) return "duplicate";
  demandReach(cutOff, record.problemSetId);
  demandRight(actor, noun, record, may);
  demandRoom(before, change);
  const { state, outcome } = merge(before, kindsOf(noun.entity), by, change);
  const kind = carriedAs(record, traced, change, shownOf(state));
  if (!kind) {
    await settled(host, record, state, { by: actor.userId });
    return outcome;
  }
  const intent: Intent = { by, change, userId: actor.userId, rev: traced?.rev ?? 0, kind };
  const begun = await host.store(SyncRecord).revise(MESH, record, { intent, dueAt: record.dueAt ?? record.updatedAt });
  return end(host, begun, actor, by, change);
}

/** What the domain must do that its record shows what the change leaves; nothing, where it shows that already. */
function carriedAs(
  { state, seen }: SyncRecord,
  traced: Traced | null,
  { op, field, value }: Change,
  shown: Record<string, Json>,
): Intent["kind"] | null {
  if (op === "restore") return "make";
  if (op === "delete") return traced ? "remove" : null;
  if (!traced || isDeleted(state as never)) return null;
  if (op === "delta") return value === 0 ? null : "change";
  return isDeepStrictEqual(shown[field!] ?? null, seen.values[field!] ?? null) ? null : "change";
}

async function end(host: Host, begun: SyncRecord, actor: Actor, by: string, change: Change): Promise<MergeOutcome> {
  const { seq, field } = change;
  const { record, refusal } = await ended(host, begun, actor);
  if (refusal !== undefined) {
    if (isMoved(refusal) && record) throw new Again();
    if (record && by !== HUB && isProblem(refusal)) await tellRefused(host, record, { by, actor }, change, refusal);
    throw refusal;
  }
  if (!record || (syncState(record).vector[by] ?? 0) < seq) throw new Again();
  return outcomeIn(syncState(record), kindsOf(record.entity), field);
}

/** Tells those who see the record here: at the node they read it anyway. */
async function tellRefused(
  host: Host,
  record: SyncRecord,
  { by, actor }: Author,
  { op, field, value }: Change,
  { message }: Problem,
): Promise<void> {
  const node = await host.store(EdgeNode).one(MESH, { _id: by });
  const delta = op === "delta" && typeof value === "number" ? value : undefined;
  const told = { node: node?.name ?? "an edge node", field, delta, why: message };
  await host.store(SyncRecord).amend(MESH, record.id, () => ({}), {
    facts: factsInSet(EdgeChangeRefused, record, actor.userId, told),
  });
}

function demandReach(cutOff: readonly string[] | undefined, problemSetId: string | undefined): void {
  if (problemSetId !== undefined && cutOff?.includes(problemSetId))
    throw new Problem(403, "CUT_OFF", "This node was cut off from the problem set by an emergency disconnect.");
}

/** Throws 409 for whoever decides without having seen all there is by now. */
export function demandSeen(all: readonly string[], seen: readonly string[]): void {
  const unseen = all.filter((dot) => !seen.includes(dot));
  if (unseen.length) throw conflict("There are values that you have not seen: read it again.", { unseen });
}
