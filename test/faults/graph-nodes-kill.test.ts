import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { identity, relationship } from "../knowledge/graph/stix.ts";
import { eventually } from "../mesh.ts";
import { askNode, signIn, startNode, type NodeProcess } from "../process.ts";

// Two processes over one embedded store, which know of each other by it alone. One is killed (-9) between saying that it
// changes a graph and saying that it has; the other held a view of it: both then answer what a view made anew says.

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 2);
/** A bundle of two slices. */
const PEOPLE = 250;
const MOST_TRIES = 12;

let folder: string, keeps: NodeProcess, dies: NodeProcess, store: DatabaseSync;
const settings = { SECRET: "00".repeat(32), LOG_LEVEL: "warn" };
const tokens = new Map<NodeProcess, string>();

/** The other's folder has the same store in it, and everything else of its own. */
const startOther = (): Promise<NodeProcess> => startNode({ ...settings, DATA_DIR: join(folder, "dies") });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalmesh-graph-kill-"));
  keeps = await startNode({ ...settings, DATA_DIR: join(folder, "keeps") });
  await mkdir(join(folder, "dies"));
  for (const end of ["", "-wal", "-shm"])
    await symlink(join(folder, "keeps", `signalmesh.db${end}`), join(folder, "dies", `signalmesh.db${end}`));
  dies = await startOther();
  store = new DatabaseSync(join(folder, "keeps", "signalmesh.db"), { readOnly: true });
}, 180_000);
afterAll(async () => {
  store?.close();
  await dies?.stop();
  await keeps?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function ask(node: NodeProcess, method: string, path: string, body?: object): Promise<any> {
  if (!tokens.has(node)) tokens.set(node, await signIn(node.url));
  return askNode(node, tokens.get(node)!, method, path, body);
}

/** What is being changed in a graph right now, as it is stored. */
function openIn(set: string): unknown[] {
  const row = store.prepare("select json(doc) as doc from graph_marks where id = ?").get(set);
  return row ? (JSON.parse(String(row["doc"])) as { open: unknown[] }).open : [];
}

/** All that a node answers of a graph. */
const told = async (node: NodeProcess, set: string): Promise<string> =>
  JSON.stringify(
    await Promise.all(["", "/stix", "/actors"].map((path) => ask(node, "GET", `/graph${path}?problemSetId=${set}`))),
  );

/** How much was ever stored of what views are made of. */
const stored = (): string =>
  ["graph_statements", "graph_judgements"]
    .map((table) => store.prepare(`select max(n) as n from ${table}`).get()!["n"])
    .join();

/** No such name is a part of another. */
const twin = (nth: number): string => `Twin${String.fromCharCode(97 + nth)}x`;

type Moment = "said" | "stored";
/**
 * Kills the other as soon as it has said what it is about to change, or as soon as that is stored; at which of the two
 * moments it then was, if at any.
 */
async function killWhen(moment: Moment, work: () => Promise<unknown>, set: string): Promise<Moment | undefined> {
  const before = stored();
  const state = { ended: false };
  const going = work()
    .catch(() => undefined)
    .finally(() => (state.ended = true));
  const hasCome = () => openIn(set).length > 0 && (moment === "said" || stored() !== before);
  while (!state.ended && !hasCome()) await nextTurn();
  await dies.kill();
  await going;
  if (!openIn(set).length) return undefined;
  return stored() === before ? "said" : "stored";
}

it("both answer the same view, equal to one made anew, after the other was killed amid a change", async () => {
  const { data: set } = await ask(keeps, "POST", "/problem-sets", { name: "Kill" });
  const port = identity("organization", "Harwick Port Authority");
  const bring = (node: NodeProcess, objects: readonly object[]) =>
    ask(node, "POST", "/graph/stix", { problemSetId: set.id, bundle: { type: "bundle", objects } });
  const twins = Array.from({ length: 2 * MOST_TRIES }, (_, at) =>
    identity("individual", `${twin(at >> 1)} Of${at % 2}`),
  );
  await bring(keeps, [port, ...twins]);
  const kills = { said: 0, stored: 0 };
  for (let cycle = 0; Math.min(kills.said, kills.stored) < CYCLES && cycle < MOST_TRIES; cycle++) {
    // Both hold the view.
    expect(await told(dies, set.id)).toBe(await told(keeps, set.id));
    const people = Array.from({ length: PEOPLE }, (_, at) => identity("individual", `Person${cycle} Of${at}`));
    const bundle = [...people, ...people.map((one) => relationship(one, "works-for", port))];
    const { nodes } = (await ask(keeps, "GET", `/graph/?problemSetId=${set.id}&q=${twin(cycle)}`)).data;
    const entityIds = nodes.map(({ id }: { id: string }) => id);
    const merge = () => ask(dies, "POST", "/graph/resolution/merge", { problemSetId: set.id, entityIds });
    const work = cycle % 2 ? merge : () => bring(dies, bundle);
    const moment = await killWhen(kills.said > kills.stored ? "stored" : "said", work, set.id);
    if (moment) kills[moment]++;
    const kept = await told(keeps, set.id);
    // Whoever starts has no view yet: it makes one of what is stored.
    dies = await startOther();
    expect(await told(dies, set.id)).toBe(kept);
    expect(await told(keeps, set.id)).toBe(kept);
    if (cycle % 2) continue;
    await bring(dies, bundle);
    const { data: last } = await ask(keeps, "GET", `/graph/?problemSetId=${set.id}&q=Person${cycle}`);
    expect(last.nodes.length).toBeGreaterThan(0);
    expect(await told(keeps, set.id)).toBe(await told(dies, set.id));
  }
  expect(Math.min(kills.said, kills.stored)).toBe(CYCLES);
  // After a minute whoever comes by closes what was left open, as a change that happened.
  const before = await told(keeps, set.id);
  await eventually(
    async () => (await ask(keeps, "GET", `/graph/?problemSetId=${set.id}`), openIn(set.id)),
    ({ length }) => length === 0,
    90_000,
  );
  expect(await told(keeps, set.id)).toBe(before);
}, 600_000);
