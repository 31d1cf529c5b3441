import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { openDocuments } from "../adapters/documents/index.ts";
import { systemActor, type Actor } from "../core/access/access.ts";
import type { Caller } from "../core/access/caller.ts";
import type { Doc } from "../core/records/documents.ts";
import { entity } from "../core/records/entity.ts";
import { newId } from "../core/ids.ts";
import { Store } from "../core/records/store.ts";
import { median, round } from "./measure.ts";

const RECORDS = 100_000;
const SETS = 10;
const COMPARTMENTS = 20;
const ROUNDS = 9;
const LISTS = 10;

const Note = entity("bench.notes", {
  title: "note",
  fields: { problemSetId: z.string(), compartments: z.array(z.string()), status: z.string(), text: z.string() },
  immutable: ["problemSetId"],
  filter: ["status"],
  barrier: { set: "problemSetId", compartments: "compartments" },
  indexes: [{ fields: ["problemSetId", "-createdAt"] }],
});
const Open = entity("bench.open", {
  title: "note",
  fields: Note.record.shape,
  filter: ["status"],
  indexes: [{ fields: ["problemSetId", "-createdAt"] }],
});

const setId = (n: number): string => `0190${String(n).padStart(4, "0")}-0000-7000-8000-000000000000`;
const compartmentId = (set: number, n: number): string =>
  `0191${String(set).padStart(4, "0")}-0000-7000-8000-${String(n).padStart(12, "0")}`;

/**
 * Nine of ten records lie in the first set, so that one list has close to all; one in five of those lies in one
 * compartment or two.
 */
function record(n: number): Doc {
  const set = n % 10 === 9 ? 1 + (n % (SETS - 1)) : 0;
  const compartments =
    n % 5
      ? []
      : [compartmentId(set, n % COMPARTMENTS), ...(n % 15 ? [] : [compartmentId(set, (n + 5) % COMPARTMENTS)])];
  return {
    _id: newId(),
    problemSetId: setId(set),
    compartments,
    status: "open",
    text: "x".repeat(300),
    rev: 1,
    createdAt: new Date(1.7e12 + n * 1_000).toISOString(),
    updatedAt: new Date(1.7e12 + n * 1_000).toISOString(),
    createdBy: "ann",
  };
}

/** A planner of every second set, read into half the compartments of each. */
const reader: Actor = {
  userId: "ann",
  roles: ["analyst"],
  via: "jwt",
  permits: ["*:read"],
  memberships: Object.fromEntries(
    Array.from({ length: SETS / 2 }, (_, n) => [
      setId(n * 2),
      {
        role: "planner",
        permits: ["*:read"],
        compartments: Array.from({ length: COMPARTMENTS / 2 }, (_, at) => compartmentId(n * 2, at * 2)),
      },
    ]),
  ),
};
const caller = (actor: Actor): Caller => ({ meta: { actor }, locals: {} });

/**
 * Listing 50 of 100,000 records, the total with them, behind barriers and without: by the store that endpoints use,
 * embedded in a file.
 */
export async function barriers(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const documents = openDocuments({ dataDir });
  const clock = { now: () => Date.now() };
  const parts = {
    clock,
    number: () => Promise.resolve(1),
    stored() {},
    announceRemoval: () => Promise.resolve(),
    removed() {},
  };
  const open = async (of: typeof Note | typeof Open) =>
    documents.collection(of.collection, { indexes: [{ fields: ["-createdAt"] }, ...of.indexes] });
  const [behind, free] = [await open(Note), await open(Open)];
  const rows = Array.from({ length: RECORDS }, (_, n) => record(n));
  for (let at = 0; at < RECORDS; at += 5_000) {
    await behind.insertMany(rows.slice(at, at + 5_000));
    await free.insertMany(rows.slice(at, at + 5_000));
  }
  const guarded = new Store(Note, { ...parts, collection: behind });
  const bare = new Store(Open as unknown as typeof Note, { ...parts, collection: free });
  const window = { page: 1, limit: 50 };
  const lists = {
    "one set": {
      with: () => guarded.page(caller(reader), window, { problemSetId: setId(0) }),
      without: () => bare.page(caller(systemActor("bench")), window, { problemSetId: setId(0) }),
    },
    "all of one's sets": {
      with: () => guarded.page(caller(reader), window),
      without: () =>
        bare.page(caller(systemActor("bench")), window, { problemSetId: { $in: Object.keys(reader.memberships!) } }),
    },
  };
  const cost = async (run: () => Promise<unknown>): Promise<number> => {
    const cpu = process.cpuUsage();
    for (let n = 0; n < LISTS; n++) await run();
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / LISTS;
  };
  const lines: string[] = [];
  for (const [name, { with: withBarrier, without }] of Object.entries(lists)) {
    const rounds: { withIt: number; withoutIt: number }[] = [];
    for (let n = 0; n <= ROUNDS; n++) rounds.push({ withIt: await cost(withBarrier), withoutIt: await cost(without) });
    const kept = rounds.slice(1);
    const [total, all] = [(await withBarrier()).meta.total, (await without()).meta.total];
    lines.push(
      `| ${name} | ${total.toLocaleString("en")} of ${all.toLocaleString("en")} | ${Math.round(median(kept.map((one) => one.withIt))).toLocaleString("en")} | ${Math.round(median(kept.map((one) => one.withoutIt))).toLocaleString("en")} | ${round(median(kept.map((one) => one.withIt / one.withoutIt)), 2)} |`,
    );
  }
  await documents.close();
  await rm(dataDir, { recursive: true, force: true });
  return [
    "## Lists behind barriers",
    "",
    `50 of ${RECORDS.toLocaleString("en")} records and the total, one in five of them in compartments; the reader is in half the sets and half the compartments. CPU µs a list, median of ${ROUNDS} rounds in turns.`,
    "",
    "| List | visible | with barriers | without | ratio |",
    "|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

if (import.meta.main) console.log(await barriers());
