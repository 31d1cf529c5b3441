import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Flood, text } from "../../../test/faults/load/flood.ts";
import { signIn, startNode, type NodeProcess } from "../../../test/process.ts";
import { startPocketBase, VERSION } from "../../contenders/pocketbase.ts";
import { cpuOf, many, median, round } from "../../measure.ts";

const ROUNDS = many(7);
const SECONDS = many(3);
const CONNECTIONS = 16;
/** People who open sets in turns, so that each is in few. */
const PEOPLE = many(48, 2);
const PASSWORD = "correct horse battery staple 43";
const PROPOSALS = many(2_400, 8 * CONNECTIONS);
/** What a write leaves to be told is told by then; it belongs to its cost. */
const TOLD_MS = many(1_000, 100);

/** What is written, and the requests that write it, under the token of whoever may. */
export async function scene(node: NodeProcess): Promise<[name: string, requests: string[]][]> {
  const token = await signIn(node.url);
  const made = async (path: string, body: object): Promise<{ id: string; token: string }> => {
    const answer = await fetch(node.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: string; token: string } }).data;
  };
  const { id: problemSetId } = await made("/api/problem-sets", { name: "Bench" });
  const { id: dao } = await made("/api/dao", { problemSetId, name: "Bench", config: { changeable: true } });
  // Votes on more proposals than there are connections, since a voter may change their mind about each a hundred times.
  const proposals: string[] = [];
  for (let n = 0; n < PROPOSALS; n++)
    proposals.push((await made(`/api/dao/${dao}/proposals`, { title: `Bench ${n}` })).id);
  const people: string[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const email = `person-${n}@example.org`;
    await made("/api/auth/users", { email, password: PASSWORD, name: `Person ${n}`, role: "analyst" });
    people.push((await made("/api/auth/login", { email, password: PASSWORD })).token);
  }
  await pause(200);
  const message = { channel: "bench", problemSetId, type: "rows.row.made", payload: { text: "x".repeat(100) } };
  return [
    ["a message", [text("POST", "/api/messages", token, message)]],
    [
      "a vote, changed",
      proposals.map((id) => text("POST", `/api/dao/${dao}/proposals/${id}/vote`, token, { choice: "for" })),
    ],
    ["a problem set", [text("POST", "/api/problem-sets", token, { name: "Bench" })]],
    ["a problem set, of people in few", people.map((one) => text("POST", "/api/problem-sets", one, { name: "Bench" }))],
    ["a source list", [text("POST", "/api/sources/lists", token, { name: "Bench", sourceIds: [] })]],
  ];
}

/** CPU of durable writes through the gateway, with all that they set off: audit entry, facts, activity, watches. */
export async function writes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const node = await startNode({ DATA_DIR: folder, LOG_LEVEL: "fatal" });
  const flood = new Flood();
  const peer = await startPocketBase();
  try {
    const asked: [name: string, requests: string[], of: { pid: number; url: string }][] = [];
    for (const [name, requests] of await scene(node)) asked.push([name, requests, node]);
    if (peer) asked.push([`a record in PocketBase ${VERSION}`, [peer.request], peer]);
    const costs = new Map(asked.map(([name]): [string, number[]] => [name, []]));
    for (let n = 0; n <= ROUNDS; n++) {
      for (const [name, requests, of] of asked) {
        const before = cpuOf(of);
        const { good, afterwards, failed, refused } = await flood.run(of.url, {
          requests,
          seconds: SECONDS,
          connections: CONNECTIONS,
        });
        await pause(TOLD_MS);
        if (refused || Object.keys(failed).some((status) => status !== "409"))
          throw new Error(`${name}: ${refused} refused, ${JSON.stringify(failed)}`);
        const tried = good + afterwards + (failed["409"] ?? 0);
        // The first round meets code that is not compiled yet.
        if (n) costs.get(name)!.push((cpuOf(of) - before) / tried);
      }
    }
    return [
      "## Writes",
      "",
      `CPU microseconds a durable write of the whole process, over HTTP from ${CONNECTIONS} connections, each waiting for its answer: fsync, audit entry, facts and what hears them included; median of ${ROUNDS} rounds of ${SECONDS} s in turns.`,
      "",
      "| What | µs |",
      "|---|---|",
      ...[...costs].map(([name, figures]) => `| ${name} | ${round(median(figures), 0)} |`),
      "",
      peer
        ? "PocketBase is built from its Go module with its own settings: SQLite in WAL with `synchronous=NORMAL`, so that what it has answered can be lost with the power, where ours is synced to the disk first. Its rule asks for a token; there is no audit chain, no outbox, no barrier."
        : "PocketBase was not measured: Go is missing, or its module could not be fetched.",
      "",
      "The aims are 400 for a message, 700 for a vote, 1,200 for a problem set. One person opens thousands of sets; those in few open them in turns, so that each is asked for anew alone.",
      "",
    ].join("\n");
  } finally {
    flood.end();
    await peer?.end();
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  console.log(await writes());
  process.exit(0);
}
