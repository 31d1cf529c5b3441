import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocuments } from "../../adapters/documents/index.ts";
import { openReadings } from "../../adapters/readings/index.ts";
import { signIn, startNode } from "../process.ts";

// kill -9 amid readings: what was answered 201 is there, once and as it was, and thresholds raise each alarm once.

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 5);
const WRITERS = 6;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-telemetry-kill-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

type Say = (method: string, path: string, body?: unknown) => Promise<{ status: number; data: any } | undefined>;
const speaker =
  (url: string, token: string): Say =>
  async (method, path, body) => {
    try {
      const answer = await fetch(`${url}/api${path}`, {
        method,
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, data: (text ? JSON.parse(text) : {}).data };
    } catch {
      return undefined;
    }
  };

it(
  `loses nothing that it acknowledged through ${CYCLES} kills, and stores nothing twice`,
  async () => {
    const start = Date.now() - 3_600_000;
    const acknowledged = new Map<string, Map<number, number>>();
    let node = await startNode({ DATA_DIR: dataDir });
    let say = speaker(node.url, await signIn(node.url));
    const { data: set } = (await say("POST", "/problem-sets", { name: "Killed" }))!;
    const thresholds = [{ id: "high", key: "w0", when: "above", raise: 0 }];
    const { id } = (await say("POST", "/resources", { problemSetId: set.id, name: "Gauge", thresholds }))!.data;
    const next = Array.from({ length: WRITERS }, () => 0);
    /** Sends batches of one to forty until the node goes; one without an answer is sent again to the next node. */
    const write = async (writer: number): Promise<void> => {
      const key = `w${writer}`;
      const known = acknowledged.get(key) ?? new Map<number, number>();
      acknowledged.set(key, known);
      for (;;) {
        const from = next[writer]!;
        const size = 1 + ((from * 7 + writer) % 40);
        const pairs = Array.from({ length: size }, (_, n): [number, number] => [start + from + n, from + n]);
        const answer = await say("POST", "/resources/telemetry", { resourceId: id, series: { [key]: pairs } });
        if (!answer) return;
        expect([answer.status, answer.data?.failed]).toEqual([201, []]);
        expect(answer.data.accepted + answer.data.duplicates).toBe(size);
        for (const [at, value] of pairs) known.set(at * 1_000, value);
        next[writer] = from + size;
      }
    };
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer));
      await new Promise((resolve) => setTimeout(resolve, 200 + ((cycle * 137) % 600)));
      await node.kill();
      await Promise.all(writing);
      node = await startNode({ DATA_DIR: dataDir });
      say = speaker(node.url, await signIn(node.url));
    }
    await node.kill();
    const documents = openDocuments({ dataDir });
    const readings = openReadings(documents);
    let count = 0;
    for (const [key, known] of acknowledged) {
      const found = new Map(
        (await readings.range(id, key, { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000_000 })).map(
          ({ at, value }) => [at, value],
        ),
      );
      const lost = [...known].filter(([at, value]) => found.get(at) !== value);
      expect(lost).toEqual([]);
      count += known.size;
    }
    const alarms = await (await documents.collection("resources_alarms")).find();
    expect(alarms.map(({ why, clearedAt }) => [why, clearedAt])).toEqual([["value", undefined]]);
    await documents.close();
    expect(count).toBeGreaterThan(CYCLES * 20);
    console.log(`${count} readings acknowledged, ${CYCLES} kills, 0 lost`);
  },
  60_000 + CYCLES * 12_000,
);

it(
  `of the store alone loses nothing through ${Math.max(20, CYCLES)} kills, each at another moment`,
  async () => {
    const folder = join(dataDir, "store");
    const known = new Map<string, number>();
    let next = 1;
    for (let cycle = 0; cycle < Math.max(20, CYCLES); cycle++) {
      const file = join(import.meta.dirname, "../adapters/readings/writer.ts");
      const writer = spawn(process.execPath, [file, folder, String(next)], { stdio: ["ignore", "pipe", "inherit"] });
      let said = "";
      writer.stdout.on("data", (chunk: Buffer) => (said += chunk));
      await once(writer.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, (cycle * 37) % 150));
      writer.kill("SIGKILL");
      await once(writer, "close");
      for (const line of said.split("\n").slice(0, -1)) {
        const [series, from, size] = line.split(" ").map(Number) as [number, number, number];
        for (let n = 0; n < size; n++) known.set(`w${series} ${from + n}`, (from + n) / 2);
        next = Math.max(next, from + size);
      }
      // Some that were killed unanswered are sent again, as a device would.
      next = Math.max(1, next - 50);
    }
    const documents = openDocuments({ dataDir: folder });
    const readings = openReadings(documents);
    const found = new Map<string, unknown>();
    for (let writer = 0; writer < 8; writer++)
      for (const { at, value } of await readings.range("r", `w${writer}`, { from: 0, to: 2 ** 50, limit: 1e8 }))
        found.set(`w${writer} ${at}`, value);
    expect([...known].filter(([name, value]) => found.get(name) !== value)).toEqual([]);
    await documents.close();
    console.log(`${known.size} readings acknowledged by the store, ${Math.max(20, CYCLES)} kills, 0 lost`);
  },
  60_000 + Math.max(20, CYCLES) * 12_000,
);
