import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../mesh.ts";
import { signIn, startNode } from "../process.ts";

// Claim 1: what was answered 2xx is there after kill -9, whole; and SIGTERM fails nothing that was accepted.

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 5);
const WRITERS = 8;
let dataDir: string;
beforeAll(async () => { dataDir = await mkdtemp(join(tmpdir(), "signalmesh-kill-")); });
afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Acknowledged { id: number; name: string }

/** Writes without a pause until the node goes; answers what was acknowledged. */
async function write(url: string, token: string, cycle: number, writer: number, acknowledged: Acknowledged[]): Promise<number> {
  for (let n = 0; ; n++) {
    const name = `list ${cycle}.${writer}.${n}`;
    try {
      const answer = await fetch(`${url}/api/sources/lists`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${token}` }, body: JSON.stringify({ name, sourceIds: [] }) });
      const { data } = (await answer.json()) as { data: Acknowledged };
      if (answer.status !== 201) return answer.status;
      acknowledged.push({ id: data.id, name });
    } catch {
      return 0;
    }
  }
}

it(`loses and tears nothing in ${CYCLES} kills under ${WRITERS} writers`, async () => {
  const acknowledged: Acknowledged[] = [];
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const node = await startNode({ DATA_DIR: dataDir });
    const token = await signIn(node.url);
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(node.url, token, cycle, writer, acknowledged));
    const before = acknowledged.length;
    await eventually(() => acknowledged.length, (count) => count >= before + 12);
    await new Promise((resolve) => setTimeout(resolve, (cycle * 97) % 300));
    await node.kill();
    await Promise.all(writing);
  }
  const node = await startNode({ DATA_DIR: dataDir });
  const token = await signIn(node.url);
  const headers = { authorization: `Bearer ${token}` };
  const found = new Map<number, string>();
  for (let page = 1, total = 1; (page - 1) * 100 < total; page++) {
    const body = (await (await fetch(`${node.url}/api/sources/lists?limit=100&page=${page}`, { headers })).json()) as { data: Acknowledged[]; meta: { total: number } };
    total = body.meta.total;
    for (const { id, name } of body.data) found.set(id, name);
  }
  expect(acknowledged.length).toBeGreaterThan(CYCLES * 10);
  expect(acknowledged.filter(({ id, name }) => found.get(id) !== name)).toEqual([]);
  const audit = (await (await fetch(`${node.url}/api/audit/verify`, { headers })).json()) as { data: { ok: boolean; entries: number } };
  expect(audit.data).toMatchObject({ ok: true });
  expect(audit.data.entries).toBeGreaterThanOrEqual(acknowledged.length);
  expect(await node.stop()).toBe(0);
}, 60_000 + CYCLES * 10_000);

it("goes on with a briefing whose node was killed", async () => {
  const node = await startNode({ DATA_DIR: dataDir });
  const token = await signIn(node.url);
  const call = async (url: string, path: string, body?: unknown): Promise<any> => (await fetch(url + path, { method: body ? "POST" : "GET", headers: { "content-type": "application/json", authorization: `Bearer ${token}` }, body: body ? JSON.stringify(body) : undefined })).json();
  const ordered = await Promise.all(Array.from({ length: 6 }, () => call(node.url, "/api/briefings/generate", { hours: 24 })));
  await node.kill();
  const next = await startNode({ DATA_DIR: dataDir });
  try {
    for (const { data: { id } } of ordered) await eventually(() => call(next.url, `/api/briefings/${id}`), ({ data }) => data?.status === "completed" && typeof data.content === "string", 60_000);
  } finally {
    await next.stop();
  }
}, 120_000);

it("finishes on SIGTERM what it accepted, and says where it is going", async () => {
  const node = await startNode({ DATA_DIR: dataDir });
  const token = await signIn(node.url);
  const acknowledged: Acknowledged[] = [];
  const writing = Array.from({ length: WRITERS }, (_, writer) => write(node.url, token, 1_000, writer, acknowledged));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const code = await node.stop();
  const ends = await Promise.all(writing);
  expect(code).toBe(0);
  // Each writer ended because no new connection was taken, never because an accepted request failed.
  expect(ends.every((end) => end === 0)).toBe(true);
  expect(acknowledged.length).toBeGreaterThan(0);
}, 60_000);
