import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocuments } from "../../../adapters/documents/index.ts";
import { systemActor, type Actor, type Membership } from "../../../core/access/access.ts";
import type { Caller } from "../../../core/access/caller.ts";
import type { Doc, Query } from "../../../core/records/documents.ts";
import { newId } from "../../../core/ids.ts";
import { Store, type Window } from "../../../core/records/store.ts";
import { Gate, GATE_STATES } from "../../../services/workspace/gates/gates.ts";
import { median, round } from "../../measure.ts";

/** The larger is a hundred times the smaller, which holds more than a page of each list. */
const SIZES = [1_000, 100_000];
const COMPARTMENTS = 20;
const ROUNDS = 9;
const LISTS = 10;
const TABS = ["mdmp", "logistics", "medical", "press", "legal"];
const MANY_SETS = 1_000;

const setId = (n: number): string => `0190${String(n).padStart(4, "0")}-0000-7000-8000-000000000000`;
const compartmentId = (set: number, n: number): string =>
  `0191${String(set).padStart(4, "0")}-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** A gate: nine of ten lie in the first set, the others in its child; one in five lies in one compartment or two. */
function gate(n: number): Doc {
  const set = n % 10 === 9 ? 1 : 0;
  const compartments =
    n % 5
      ? []
      : [compartmentId(set, n % COMPARTMENTS), ...(n % 15 ? [] : [compartmentId(set, (n + 5) % COMPARTMENTS)])].sort();
  const at = new Date(1.7e12 + n * 1_000).toISOString();
  return {
    _id: newId(),
    problemSetId: setId(set),
    compartments,
    tab: TABS[n % TABS.length],
    name: `Gate ${(n * 7_919) % 100_003}`,
    description: "x".repeat(300),
    enforcement: n % 3 ? "hard" : "soft",
    onDeadline: "expire",
    status: GATE_STATES[n % GATE_STATES.length],
    decisions: [],
    ...(n % 10 === 0 && { escalatedFrom: { problemSetId: setId(1), gateId: newId() } }),
    rev: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: "ann",
  };
}

const membership = (set: number): Membership => ({
  role: "planner",
  permits: ["*:read"],
  compartments: Array.from({ length: COMPARTMENTS / 2 }, (_, at) => compartmentId(set, at * 2)),
});
/** A planner in so many sets, read into half the compartments of each. */
const reader = (sets: number): Actor => ({
  userId: "ann",
  roles: ["analyst"],
  via: "jwt",
  permits: ["*:read"],
  memberships: Object.fromEntries(Array.from({ length: sets }, (_, n) => [setId(n), membership(n)])),
});
const caller = (actor: Actor): Caller => ({ meta: { actor }, locals: {} });

const inSet = { problemSetId: setId(0) };
/** The lists of gates that the API offers, as their endpoints ask for them. */
const LISTED: Record<string, { window?: Partial<Window>; also: Query }> = {
  "of a set": { also: inSet },
  "by status": { window: { status: "open" }, also: inSet },
  "by enforcement and status": { window: { status: "open", enforcement: "soft" }, also: inSet },
  "of a tab": { also: { ...inSet, tab: "mdmp" } },
  escalated: { also: { ...inSet, escalatedFrom: { $exists: true } } },
  "with those of the child sets": { also: { problemSetId: { $in: [setId(0), setId(1)] } } },
  "by name": { window: { sort: "name" }, also: inSet },
  "by name, of a status": { window: { sort: "name", status: "open" }, also: inSet },
};

type Gates = Store<typeof Gate>;

async function opened(dataDir: string, count: number): Promise<{ gates: Gates; close: () => Promise<void> }> {
  const documents = openDocuments({ dataDir });
  const indexes = [{ fields: ["-createdAt"] }, ...Gate.indexes];
  const collection = await documents.collection(Gate.collection, { indexes });
  if ((await collection.count()) === 0)
    for (let at = 0; at < count; at += 5_000)
      await collection.insertMany(
        Array.from({ length: Math.min(5_000, count - at) }, (_, n) =>
          at + n ? gate(at + n) : { ...gate(0), _id: "0" },
        ),
      );
  const gates = new Store(Gate, {
    collection,
    clock: { now: () => Date.now() },
    number: () => Promise.resolve(1),
    stored() {},
    announceRemoval: () => Promise.resolve(),
    removed() {},
  });
  return { gates, close: () => documents.close() };
}

interface Run {
  (): Promise<unknown>;
  /** Done before each, and not measured. */
  before?: () => Promise<unknown>;
}

async function cost(run: Run): Promise<number> {
  let total = 0;
  for (let n = 0; n < LISTS; n++) {
    await run.before?.();
    const cpu = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(cpu);
    total += user + system;
  }
  return total / LISTS;
}

/** The medians of several costs, measured in turns. */
async function inTurns(runs: readonly Run[]): Promise<number[]> {
  const rounds: number[][] = [];
  for (let n = 0; n <= ROUNDS; n++) {
    const measured: number[] = [];
    for (const run of runs) measured.push(await cost(run));
    if (n > 0) rounds.push(measured);
  }
  return runs.map((_, at) => median(rounds.map((one) => one[at]!)));
}

const figure = (micros: number): string => Math.round(micros).toLocaleString("en");

/**
 * Listing 50 gates and the total, behind barriers, from a thousand and from a hundred thousand: by the store that
 * endpoints use, embedded in a file, opened a second time.
 */
export async function barriers(): Promise<string> {
  const folders = await Promise.all(SIZES.map(() => mkdtemp(join(tmpdir(), "signalmesh-bench-"))));
  for (const [at, folder] of folders.entries()) await (await opened(folder, SIZES[at]!)).close();
  const stores = await Promise.all(folders.map((folder, at) => opened(folder, SIZES[at]!)));
  const [few, many] = stores.map(({ gates }) => gates) as [Gates, Gates];
  const [member, mesh] = [caller(reader(2)), caller(systemActor("bench"))];
  const lines: string[] = [];
  for (const [name, { window, also }] of Object.entries(LISTED)) {
    const list = (gates: Gates, who: Caller) => gates.page(who, { page: 1, limit: 50, ...window }, also);
    const afterWrite: Run = () => list(many, member);
    afterWrite.before = () => many.collection.updateMany({ _id: "0" }, { $set: { reason: "none" } });
    const [small, large, fresh, free] = (await inTurns([
      () => list(few, member),
      () => list(many, member),
      afterWrite,
      () => list(many, mesh),
    ])) as [number, number, number, number];
    const { total, more } = (await list(many, member)).meta as { total: number; more?: true };
    lines.push(
      `| ${name} | ${total.toLocaleString("en")}${more ? " and more" : ""} | ${figure(small)} | ${figure(large)} | ${round(large / small, 2)} | ${figure(fresh)} | ${figure(free)} |`,
    );
  }
  const [id] = (await many.page(member, { page: 1, limit: 1 }, inSet)).data.map((one) => one.id);
  const sizes: string[] = [];
  const [some, thousand] = [caller(reader(2)), caller(reader(MANY_SETS))];
  const reads: Record<string, (who: Caller) => Promise<unknown>> = {
    "reading a gate": (who) => many.get(who, id!),
    "listing 50 of a set": (who) => many.page(who, { page: 1, limit: 50 }, inSet),
  };
  for (const [name, read] of Object.entries(reads)) {
    const [with2, with1000] = (await inTurns([() => read(some), () => read(thousand)])) as [number, number];
    sizes.push(`| ${name} | ${figure(with2)} | ${figure(with1000)} | ${round(with1000 / with2, 2)} |`);
  }
  for (const { close } of stores) await close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  const [least, most] = SIZES.map((size) => size.toLocaleString("en"));
  return [
    "## Lists behind barriers",
    "",
    `50 gates and their total, from ${least} and from ${most}, one in five of them in compartments; the reader is read into half of these. The stores were closed and opened again. CPU µs a list, median of ${ROUNDS} rounds in turns. A count is remembered until something is written; the last columns are a list after each write, and the mesh's own reading, behind no barrier.`,
    "",
    `| Gates | total | from ${least} | from ${most} | ratio | after a write | without barrier |`,
    "|---|---|---|---|---|---|---|",
    ...lines,
    "",
    `By somebody in 2 problem sets and in ${MANY_SETS.toLocaleString("en")}, with ten compartments in each:`,
    "",
    `| | 2 sets | ${MANY_SETS.toLocaleString("en")} sets | ratio |`,
    "|---|---|---|---|",
    ...sizes,
    "",
  ].join("\n");
}

if (import.meta.main) console.log(await barriers());
