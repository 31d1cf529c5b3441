import { readInto } from "../../../../core/access/barrier.ts";
import { modeOf, type Mode } from "../../../../core/access/training-mode.ts";
import { type Actor } from "../../../../core/access/access.ts";
import { Sealer } from "../../../../core/access/sealed.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { badRequest, Problem, unprocessable } from "../../../../core/problem.ts";
import { kindsOf } from "../../../../core/sync/kinds.ts";
import { conflictsOf, isDeleted } from "../../../../core/sync/merge.ts";
import { acting, type Acting } from "../nodes/acting.ts";
import { EdgeNode } from "../nodes/nodes.ts";
import { MESH } from "../records/carrying.ts";
import { follow, takeUp, tooOld } from "../records/following.ts";
import { PlaceEntry, scopeKeyOf, SyncPlace } from "../records/places.ts";
import { syncState, SyncRecord } from "../records/records.ts";

/** Records of one page at the most. */
export const MOST_RECORDS = 1_000;
/** It fits into an address. */
export const LONGEST_CURSOR = 4_500;

/** How far a node has come: by place, the number of the last change it was told of. */
interface Reached {
  at: number;
  places: Record<string, number>;
}

const sealerOf = (host: Host): Sealer => new Sealer(host.world, "edge cursors");

/** Throws 400 for what is no cursor of this node, 410 for one that is older than tombstones are kept. */
function read(host: Host, nodeId: string, cursor: string): Reached {
  let reached: Reached;
  try {
    const [at, ...pairs] = sealerOf(host).open(cursor, nodeId).toString().split(" ");
    const places = pairs.map((pair) => pair.split(":").map((part) => Number.parseInt(part, 36)));
    reached = { at: Number.parseInt(at!, 36), places: Object.fromEntries(places) };
  } catch {
    throw badRequest("cursor: this is not a cursor that this node was given.");
  }
  if (reached.at < tooOld(host.world.clock.now()))
    throw new Problem(
      410,
      "CURSOR_EXPIRED",
      "This cursor is too old: begin without one, and keep what you have not sent.",
    );
  return reached;
}

function write(host: Host, nodeId: string, { at, places }: Reached): string {
  const pairs = Object.entries(places).map(([place, number]) => `${Number(place).toString(36)}:${number.toString(36)}`);
  const cursor = sealerOf(host).seal(Buffer.from([at.toString(36), ...pairs].join(" ")), nodeId);
  if (cursor.length > LONGEST_CURSOR)
    throw unprocessable("TOO_MANY_PLACES", "You see too many places for one node: enrol it for some problem sets.");
  return cursor;
}

/** The scopes that a node carries: of those that its person sees, the ones it was enrolled for and is not cut off from. */
function scopesOf({ node, actor, cutOff }: Acting): ({ problemSetId: string } | { audience: Mode })[] {
  const sets = Object.keys(actor.memberships ?? {}).filter(
    (id) => !cutOff.includes(id) && (node.problemSetIds?.includes(id) ?? true),
  );
  return [
    ...sets.sort().map((problemSetId) => ({ problemSetId })),
    ...(node.problemSetIds ? [] : [{ audience: modeOf(actor) }]),
  ];
}

async function placesOf(host: Host, actor: Actor, scopes: readonly string[]): Promise<number[]> {
  const found: SyncPlace[] = [];
  for await (const slice of host.store(SyncPlace).slices(MESH, { scope: { $in: [...scopes] } })) found.push(...slice);
  return found
    .filter(({ compartments }) => readInto(actor, compartments))
    .map(({ id }) => id as number)
    .sort((one, other) => one - other);
}

interface Page {
  records: SyncRecord[];
  places: Record<string, number>;
  isWhole: boolean;
}

/** What the log has of these places after what was told, at most so much. */
async function pageOf(
  host: Host,
  actor: Actor,
  places: readonly number[],
  told: Record<string, number>,
  most: number,
): Promise<Page> {
  const entries = host.store(PlaceEntry);
  const reached: Record<string, number> = {};
  const ids = new Set<string>();
  let isWhole = true;
  for (const place of places) {
    reached[place] = told[place] ?? 0;
    const room = most - ids.size;
    if (!isWhole || room <= 0) {
      isWhole = false;
      continue;
    }
    const query = { place, number: { $gt: reached[place] } };
    const found = await entries.find(MESH, query, { sort: ["number"], limit: room + 1 });
    for (const { record } of found.slice(0, room)) ids.add(record);
    reached[place] = found[Math.min(found.length, room) - 1]?.number ?? reached[place];
    isWhole = found.length <= room;
  }
  // Through the barrier once more, as the person themselves.
  const caller: Caller = { meta: { actor }, locals: {} };
  return { records: await host.store(SyncRecord).many(caller, [...ids]), places: reached, isWhole };
}

/** What a node is told: what changed where it may look, and what it must let go of. */
export async function delta(
  host: Host,
  caller: Caller,
  asked: { node: string; cursor?: string | undefined; limit: number },
) {
  const who = await acting(host, caller, asked.node);
  const { node, actor } = who;
  const told = asked.cursor === undefined ? { at: 0, places: {} } : read(host, node.id, asked.cursor);
  const scopes = scopesOf(who);
  let isAll = true;
  for (const scope of scopes) isAll = (await takeUp(host, scope)) && isAll;
  isAll = (await follow(host)) && isAll;
  const places = await placesOf(
    host,
    actor,
    scopes.map((scope) => scopeKeyOf(scope)),
  );
  const page = await pageOf(host, actor, places, told.places, Math.min(asked.limit, MOST_RECORDS));
  // Looked at again: what was taken from the person while this was read is not told.
  const after = await acting(host, caller, asked.node);
  const stillTheirs = new Set(
    await placesOf(
      host,
      after.actor,
      scopesOf(after).map((scope) => scopeKeyOf(scope)),
    ),
  );
  const records = page.records.filter(({ place }) => stillTheirs.has(place));
  const now = host.world.clock.now();
  const kept = Object.fromEntries(Object.entries(page.places).filter(([place]) => stillTheirs.has(Number(place))));
  const [gone, there] = [records.filter(isTombstone), records.filter((record) => !isTombstone(record))];
  await host.store(EdgeNode).collection.updateMany({ _id: node.id }, { $set: { syncedAt: iso(now) } });
  return {
    reset: asked.cursor === undefined,
    records: there.map(({ entity, recordId: id, place, problemSetId, compartments, state }) => ({
      ...{ entity, id, place, compartments, state },
      ...(problemSetId !== undefined && { problemSetId }),
    })),
    tombstones: gone.map(({ entity, recordId: id, place, state: { vector } }) => ({ entity, id, place, vector })),
    purge: Object.keys(told.places)
      .map(Number)
      .filter((place) => !stillTheirs.has(place)),
    cursor: write(host, node.id, { at: now, places: kept }),
    upToDate: page.isWhole && isAll,
    time: iso(now),
  };
}

/** Deleted, and nobody's edit waits in it. */
const isTombstone = (record: SyncRecord): boolean =>
  isDeleted(syncState(record)) && !conflictsOf(syncState(record), kindsOf(record.entity)).length;
