import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocuments } from "../../adapters/documents/index.ts";
import { openReadings } from "../../adapters/readings/index.ts";
import { form } from "../knowledge/documents.requests.ts";
import { signIn, startNode } from "../process.ts";

// Claim 3: a node on a disk that becomes full, by records, readings and files at once. Nothing is answered 2xx that is
// not there after kill -9, and the node goes on as soon as there is room.

const SIZE = "48m";
const MORE = "96m";
const REFUSALS = 5;
const disk = mkdtempSync(join(tmpdir(), "signalmesh-small-disk-"));
const mounted = (options: string): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]).status === 0;
const canMount = mounted(`size=${SIZE}`);
afterAll(async () => {
  if (canMount) spawnSync("umount", ["--lazy", disk]);
  await rm(disk, { recursive: true, force: true });
});

(canMount ? it : it.skip)(
  `loses nothing that it acknowledged${canMount ? "" : ": skipped, no disk can be mounted here"}`,
  async () => {
    let node = await startNode({ DATA_DIR: join(disk, "data"), LOG_LEVEL: "fatal", SECRET: "00".repeat(32) });
    try {
      let token = await signIn(node.url);
      const ask = async (
        method: string,
        path: string,
        body?: object,
      ): Promise<{ status: number; body: any; text: string }> => {
        const isForm = body instanceof FormData;
        const answer = await fetch(`${node.url}/api${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, ...(body && !isForm && { "content-type": "application/json" }) },
          ...(body && { body: isForm ? body : JSON.stringify(body) }),
        });
        const text = await answer.text();
        const isJson = /json/.test(answer.headers.get("content-type") ?? "");
        return { status: answer.status, body: isJson ? JSON.parse(text) : undefined, text };
      };
      const problemSetId = (await ask("POST", "/problem-sets", { name: "Full" })).body.data.id;
      const resourceId = (await ask("POST", "/resources", { problemSetId, name: "Gauge" })).body.data.id;

      const lists = new Map<number, string>();
      const files = new Map<string, string>();
      const readings = new Map<number, number>();
      const start = Date.now() - 86_400_000;
      const told = new Set<number>();
      /** Writes until it was refused so many times; what was acknowledged is noted. */
      const until = async (write: (n: number) => Promise<number>): Promise<void> => {
        for (let refused = 0, n = 0; refused < REFUSALS; n++) {
          const status = await write(n);
          told.add(status);
          if (status !== 201) refused++;
        }
      };
      const list = async (n: number): Promise<number> => {
        const { status, body } = await ask("POST", "/sources/lists", {
          name: `List ${n}`.padEnd(200, "."),
          sourceIds: [],
        });
        if (status === 201) lists.set(body.data.id, body.data.name);
        return status;
      };
      const file = async (n: number): Promise<number> => {
        const text = `Plan ${n}. ${randomBytes(60_000).toString("hex")}`;
        const { status, body } = await ask(
          "POST",
          "/documents/upload",
          form(Buffer.from(text), `plan ${n}.txt`, { problemSetId }),
        );
        if (status === 201) files.set(body.data.id, text);
        return status;
      };
      const reading = async (n: number): Promise<number> => {
        const pairs = Array.from({ length: 500 }, (_, at): [number, number] => [start + n * 500 + at, n * 500 + at]);
        const { status, body } = await ask("POST", "/resources/telemetry", { resourceId, series: { level: pairs } });
        if (status === 201 && body.data.failed.length === 0)
          for (const [at, value] of pairs) readings.set(at * 1_000, value);
        return status;
      };
      await Promise.all([until(list), until(file), until(reading)]);
      expect([...told].sort()).toEqual([201, 507]);
      expect((await ask("GET", "/sources/lists")).status).toBe(200);

      await node.kill();
      expect(mounted(`remount,size=${MORE}`)).toBe(true);
      node = await startNode({ DATA_DIR: join(disk, "data"), LOG_LEVEL: "fatal", SECRET: "00".repeat(32) });
      token = await signIn(node.url);
      for (const [id, name] of lists)
        expect((await ask("GET", `/sources/lists/${id}`)).body.data).toMatchObject({ id, name });
      for (const [id, text] of files)
        expect([id, (await ask("GET", `/documents/${id}/file`)).text === text]).toEqual([id, true]);
      expect([lists.size > 10, files.size > 10, readings.size > 1_000]).toEqual([true, true, true]);
      for (const write of [list, file, reading]) expect(await write(1_000_000)).toBe(201);
      expect((await ask("GET", "/audit/verify")).body.data).toMatchObject({ ok: true });
      await node.stop();
      const documents = openDocuments({ dataDir: join(disk, "data") });
      const range = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000_000 };
      const found = new Map(
        (await openReadings(documents).range(resourceId, "level", range)).map(({ at, value }) => [at, value]),
      );
      await documents.close();
      expect([...readings].filter(([at, value]) => found.get(at) !== value)).toEqual([]);
    } finally {
      await node.kill();
    }
  },
  180_000,
);
