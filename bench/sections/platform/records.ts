import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDocuments } from "../../../adapters/documents/index.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { systemClock } from "../../../core/clock.ts";
import { newId } from "../../../core/ids.ts";
import { Audit } from "../../../core/records/audit.ts";
import { Flood, text } from "../../../test/faults/load/flood.ts";
import { signIn, startNode, type NodeProcess } from "../../../test/process.ts";
import { cpuOf, many, median, round } from "../../measure.ts";

const ROUNDS = many(7);
const SECONDS = many(3);
const CONNECTIONS = 16;
/** Changed in turn: two changes of one are never under way at once. */
const GATES = many(480, 2 * CONNECTIONS);
/** What a write leaves to be told is told by then; it belongs to its cost. */
const TOLD_MS = many(1_000, 100);
const ENTRIES = many(4_000, 160);

type Ask = (method: string, path: string, body?: object) => Promise<any>;
const asking =
  (node: NodeProcess, token: string): Ask =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(node.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return ((await answer.json()) as { data: unknown }).data;
  };

/** Requests on gates in a compartment, by a deputy of the set whom its commander read in. */
async function scene(node: NodeProcess): Promise<[name: string, aim: number, requests: string[]][]> {
  const commander = asking(node, await signIn(node.url));
  const account = { email: "deputy@example.org", password: "correct horse battery staple 43" };
  await commander("POST", "/api/auth/users", { ...account, role: "analyst" });
  const { token } = await commander("POST", "/api/auth/login", account);
  const deputy = asking(node, token);
  const { id: problemSetId } = await commander("POST", "/api/problem-sets", { name: "Bench" });
  const set = `/api/problem-sets/${problemSetId}`;
  const { code } = await commander("POST", `${set}/invite`, { role: "deputy" });
  await deputy("POST", "/api/problem-sets/invite/accept-by-code", { code });
  const { id: compartment } = await commander("POST", `${set}/compartments`, { name: "Bench" });
  const members: { did: string; role: string }[] = await commander("GET", `${set}/members`);
  const { did } = members.find(({ role }) => role === "deputy")!;
  await commander("POST", `${set}/compartments/${compartment}/members`, { did });
  const gate = { problemSetId, compartments: [compartment], tab: "bench", name: "Bench", description: "x".repeat(300) };
  const gates: string[] = [];
  for (let n = 0; n < GATES; n++) gates.push((await deputy("POST", "/api/gates", gate)).id);
  await pause(TOLD_MS);
  return [
    ["read", 120, gates.map((id) => text("GET", `/api/gates/gate/${id}`, token))],
    ["created", 500, [text("POST", "/api/gates", token, gate)]],
    ["changed", 400, gates.map((id, n) => text("PATCH", `/api/gates/${id}/config`, token, { name: `Bench ${n}` }))],
  ];
}

async function throughTheGateway(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const node = await startNode({ DATA_DIR: folder, LOG_LEVEL: "fatal" });
  const flood = new Flood();
  try {
    const asked = await scene(node);
    const costs = new Map(asked.map(([name]): [string, number[]] => [name, []]));
    for (let n = 0; n <= ROUNDS; n++)
      for (const [name, , requests] of asked) {
        const before = cpuOf(node);
        const order = { requests, seconds: SECONDS, connections: CONNECTIONS };
        const { good, afterwards, failed, refused } = await flood.run(node.url, order);
        await pause(TOLD_MS);
        if (refused || Object.keys(failed).length)
          throw new Error(`${name}: ${refused} refused, ${JSON.stringify(failed)}`);
        // The first round meets code that is not compiled yet.
        if (n) costs.get(name)!.push((cpuOf(node) - before) / (good + afterwards));
      }
    return asked.map(([name, aim]) => `| ${name} | ${round(median(costs.get(name)!), 0)} | ${aim} |`);
  } finally {
    flood.end();
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** CPU microseconds of a durable record without and with its entry in the audit log, in turns. */
async function withItsEntry(): Promise<[without: number, withEntry: number]> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const documents = openDocuments({ dataDir });
  const records = await documents.collection("bench", { indexes: [{ fields: ["-createdAt"] }] });
  const audit = new Audit(documents, systemClock, "bench", async () => true);
  await audit.open();
  const caller = {
    meta: { requestId: "bench" },
    locals: {},
    action: { name: "bench.create" },
  } as unknown as Ctx<unknown>;
  const write = async (isAudited: boolean): Promise<void> => {
    const record = { _id: newId(), name: "Bench", createdAt: new Date().toISOString(), text: "x".repeat(300) };
    const stored = records.insert(record);
    await Promise.all([stored, isAudited && audit.append(caller, "ok", { type: "bench", id: record._id })]);
  };
  const round = async (isAudited: boolean): Promise<number> => {
    const before = process.cpuUsage();
    const writer = async (): Promise<void> => {
      for (let n = 0; n < ENTRIES / CONNECTIONS; n++) await write(isAudited);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, writer));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / ENTRIES;
  };
  const costs: [number[], number[]] = [[], []];
  for (let n = 0; n <= ROUNDS; n++)
    for (const [at, isAudited] of [false, true].entries()) {
      const cost = await round(isAudited);
      if (n) costs[at]!.push(cost);
    }
  await documents.close();
  await rm(dataDir, { recursive: true });
  return [median(costs[0]), median(costs[1])];
}

/** A record behind a barrier, through the gateway, and what its entry in the audit log is of it. */
export async function records(): Promise<string> {
  const rows = await throughTheGateway();
  const [without, withEntry] = await withItsEntry();
  return [
    "## A record behind a barrier",
    "",
    `CPU microseconds a request of the whole process, over HTTP from ${CONNECTIONS} connections, each waiting for its answer: a gate in a compartment, by a deputy who is read in. Writes are durable when they are answered, audited, and told to the set's activity; median of ${ROUNDS} rounds of ${SECONDS} s in turns.`,
    "",
    "| A gate is | µs | aim |",
    "|---|---|---|",
    ...rows,
    "",
    `At the store alone, ${CONNECTIONS} writers, in turns: a record ${round(without)} µs, with its entry in the audit log ${round(withEntry)}, so that an entry costs ${round(withEntry - without)}. The aim is 5 % of a request.`,
    "",
  ].join("\n");
}
