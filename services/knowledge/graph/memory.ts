import { behind } from "../../../core/access/access.ts";
import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { inTurns } from "../../../core/work/turns.ts";
import type { World } from "../../../core/world.ts";
import { judgedFor } from "./judged.ts";
import { changesOf } from "./statements/keeping.ts";
import { heldAt, ROW_FIELDS, Statement, type Row } from "./statements/statements.ts";
import { viewOf, type GraphView } from "./view.ts";

/** Views that a process keeps, the statements of them all, and how long one is believed though a mark was lost. */
const MOST_VIEWS = 100;
const MOST_KEPT = 600_000;
const BELIEVED_MS = 60_000;
const SLICE = 2_000;
/** A view is made of so many statements; of a set with more it says that it is partial. */
const MOST_ROWS_READ = 500_000;

interface Kept {
  changes: number;
  until: number;
  view: Promise<GraphView>;
  /** How many statements it holds; 0 while it is being made. */
  statements: number;
}
const kept = new WeakMap<World, Map<string, Kept>>();

/** Readers with the same of it see the same graph. */
const sightIn = (caller: Caller, problemSetId: string): string =>
  JSON.stringify(behind(Statement.barrier, caller.meta.actor, { problemSetId }));

async function rowsOf(host: Host, caller: Caller, problemSetId: string): Promise<Row[]> {
  const rows: Row[] = [];
  const slices = host.store(Statement).slices(caller, { problemSetId }, { fields: ROW_FIELDS, size: SLICE });
  for await (const slice of slices) {
    rows.push(...(slice as Row[]));
    if (rows.length > MOST_ROWS_READ) break;
  }
  return rows;
}

async function made(host: Host, caller: Caller, problemSetId: string, at: string | undefined): Promise<GraphView> {
  const [rows, judged] = await Promise.all([rowsOf(host, caller, problemSetId), judgedFor(host, caller, problemSetId)]);
  const held = at === undefined ? rows : rows.filter((row) => heldAt(row, at));
  const view = await inTurns(viewOf(problemSetId, held.slice(0, MOST_ROWS_READ), judged));
  return rows.length > MOST_ROWS_READ ? { ...view, partial: true } : view;
}

/** Lets the views go that were asked for longest ago, the last one never. */
function forget(views: Map<string, Kept>): void {
  let held = [...views.values()].reduce((sum, { statements }) => sum + statements, 0);
  for (const [key, { statements }] of views) {
    if (views.size === 1 || (views.size <= MOST_VIEWS && held <= MOST_KEPT)) return;
    views.delete(key);
    held -= statements;
  }
}

/**
 * The graph of a problem set as the caller sees it, at a moment where one is given. Made when somebody asks for it
 * first, and anew after its statements or judgements changed (`mark`). Whether the caller is a member is asked before.
 */
export async function graphOf(
  host: Host,
  caller: Caller,
  { problemSetId, at }: { problemSetId: string; at?: string | undefined },
): Promise<GraphView> {
  const views = kept.get(host.world) ?? new Map<string, Kept>();
  kept.set(host.world, views);
  const key = JSON.stringify([problemSetId, at, sightIn(caller, problemSetId)]);
  const changes = await changesOf(host, problemSetId);
  const now = host.world.clock.now();
  let known = views.get(key);
  if (!known || known.changes !== changes || known.until < now || known.until > now + BELIEVED_MS) {
    known = { changes, until: now + BELIEVED_MS, view: made(host, caller, problemSetId, at), statements: 0 };
    const one = known;
    one.view.then(
      ({ statements }) => (one.statements = statements),
      () => views.get(key) === one && views.delete(key),
    );
  }
  // The one asked for last is forgotten last.
  views.delete(key);
  views.set(key, known);
  forget(views);
  return known.view;
}
