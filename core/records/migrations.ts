import { iso, type Clock } from "../clock.ts";
import { insertOnce, type Collection, type Documents } from "./documents.ts";
import type { Hold } from "../work/hold.ts";
import type { Leases } from "../work/schedule.ts";
import { StartRefused } from "../start-refused.ts";

/**
 * One step of the stored form. It only adds (fields, collections, indexes: what the code of the step before passes
 * over), so that nodes of both versions run side by side while a release rolls out; what is no longer read is removed
 * by a later step, once no node of that version is left. It runs at least once, again after a kill: it must bear that.
 */
export interface Migration {
  /** 1, 2, 3 … without a gap; released ones never change. */
  version: number;
  name: string;
  run(documents: Documents, step: { signal: AbortSignal }): Promise<void>;
  /**
   * The oldest version whose code can work on what this step leaves; absent: as before. Nodes of older code do not
   * start.
   */
  readableFrom?: number;
}

/** The store is of a version that this code cannot work on, or no node brought it to this code's in time. */
export class SchemaMismatch extends StartRefused {
  constructor(message: string) {
    super(message);
    this.name = "SchemaMismatch";
  }
}

export interface Migrating {
  documents: Documents;
  leases: Leases;
  clock: Clock;
  node: string;
  log?: (line: string) => void;
  /** How often those who wait look; 250 ms by default. */
  lookMs?: number;
  /** How long they wait for the others' work; ten minutes by default. */
  patienceMs?: number;
}

const LEASE = "migrations";
const TERM_MS = 30_000;
const SCHEMA = "schema";

interface State {
  version: number;
  readableFrom: number;
}

/**
 * Brings the store to the version of this code: one node of the mesh under a lease, step by step, while the others wait
 * for it. Resolves when the store is at this version or a newer one that this code can work on. Throws SchemaMismatch
 * otherwise.
 */
export async function migrate(migrations: readonly Migration[], at: Migrating): Promise<State> {
  const wanted = inOrder(migrations);
  const schema = await at.documents.collection(SCHEMA);
  const deadline = performance.now() + (at.patienceMs ?? 600_000);
  for (;;) {
    const state = await stateOf(schema);
    if (state.readableFrom > wanted)
      throw new SchemaMismatch(
        `The store is of version ${state.version}, which code from version ${state.readableFrom} on can ` +
          `read; this code is of version ${wanted}.`,
      );
    if (state.version >= wanted) return state;
    if (await at.leases.under(LEASE, TERM_MS, (hold, fence) => stepOn(migrations, schema, at, hold, fence))) continue;
    if (performance.now() > deadline)
      throw new SchemaMismatch(
        `The store is still of version ${state.version}, not ${wanted}: the node that migrates it did not ` +
          "come to an end.",
      );
    await new Promise((resolve) => setTimeout(resolve, at.lookMs ?? 250));
  }
}

function inOrder(migrations: readonly Migration[]): number {
  for (const [index, { version, name }] of migrations.entries())
    if (version !== index + 1)
      throw new TypeError(
        `Migration ${version} (${name}) stands at place ${index + 1}: versions are 1, 2, 3 … without a gap.`,
      );
  return migrations.length;
}

async function stateOf(schema: Collection): Promise<State> {
  const found = await schema.findById(SCHEMA);
  return { version: found?.["version"] ?? 0, readableFrom: found?.["readableFrom"] ?? 0 };
}

/** Every step that is missing; a lost lease ends it, and whoever holds it then goes on. */
async function stepOn(
  migrations: readonly Migration[],
  schema: Collection,
  { documents, leases, clock, node, log }: Migrating,
  { signal }: Hold,
  fence: number,
): Promise<void> {
  try {
    // Another node may have finished the step between the look and the lease.
    for (const { version, name, run, readableFrom } of migrations.slice((await stateOf(schema)).version)) {
      log?.(`Migration ${version}: ${name}`);
      await run(documents, { signal });
      signal.throwIfAborted();
      await record(schema, version, { name, node, at: iso(clock.now()), fence }, readableFrom);
    }
  } finally {
    await leases.release(LEASE);
  }
}

/** Moves by exactly one version: a late holder of the lease writes nothing. */
async function record(
  schema: Collection,
  version: number,
  done: Record<string, unknown>,
  readableFrom: number | undefined,
): Promise<void> {
  const line = { version, ...done };
  if (version === 1) {
    await insertOnce(schema, { _id: SCHEMA, version, readableFrom: readableFrom ?? 0, steps: [line] });
    return;
  }
  await schema.updateMany(
    { _id: SCHEMA, version: version - 1 },
    { $set: { version, ...(readableFrom !== undefined && { readableFrom }) }, $push: { steps: line } },
  );
}
