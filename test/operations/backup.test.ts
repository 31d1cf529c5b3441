import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { eventually } from "../mesh.ts";
import { signIn, startNode } from "../process.ts";

// The embedded store is backed up while writers write, and comes back whole: every write that was acknowledged before
// the backup began is in it, what is encrypted opens, the audit log verifies, search finds.

const WRITERS = 8;
let dir: string, feeds: Server;
const at = (name: string): string => join(dir, name);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "signalmesh-backup-"));
  const feed = `<rss version="2.0"><channel><title>Harbour</title><item><title>Ferry returns to the northern quay</title><link>http://127.0.0.1/ferry</link><guid>1</guid><pubDate>${new Date().toUTCString()}</pubDate></item></channel></rss>`;
  feeds = createServer((_req, res) => res.writeHead(200, { "content-type": "application/rss+xml" }).end(feed)).listen(
    0,
    "127.0.0.1",
  );
  await once(feeds, "listening");
});
afterAll(async () => {
  feeds.close();
  await rm(dir, { recursive: true, force: true });
});

async function run(script: string, args: string[], dataDir: string): Promise<{ code: number; out: string }> {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { PATH: process.env["PATH"]!, DATA_DIR: dataDir },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      out += chunk;
    });
  const [code] = (await once(child, "close")) as [number];
  return { code, out };
}

const client =
  (url: string, token: string) =>
  async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.status === 204 ? undefined : answer.json();
  };

it("holds every write that was acknowledged before it began, under eight writers", async () => {
  const node = await startNode({ DATA_DIR: at("data") });
  const call = client(node.url, await signIn(node.url));
  const acknowledged: string[] = [];
  const enough = new AbortController();
  try {
    await call("POST", "/api/sources", {
      name: "Harbour",
      url: `http://127.0.0.1:${(feeds.address() as AddressInfo).port}/feed.xml`,
      domain: "economics",
    });
    await eventually(
      () => call("GET", "/api/articles"),
      ({ meta }) => meta.total === 1,
    );
    const writing = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; !enough.signal.aborted; n++) {
        const { data } = await call("POST", "/api/sources/lists", { name: `list ${writer}.${n}`, sourceIds: [] });
        acknowledged.push(data.name);
      }
    });
    await eventually(
      () => acknowledged.length,
      (count) => count > 100,
    );
    const before = [...acknowledged];
    const { code, out } = await run("store/backup", [at("first.backup")], at("data"));
    const meanwhile = acknowledged.length - before.length;
    enough.abort();
    await Promise.all(writing);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining("whole: pages, counts and audit chains hold"),
    });
    expect(meanwhile).toBeGreaterThan(0);
    expect((await stat(at("first.backup"))).mode & 0o777).toBe(0o600);

    const restored = await run("store/restore", [at("first.backup")], at("restored"));
    expect(restored).toEqual({ code: 0, out: expect.stringContaining("Restored to") });
    const again = await startNode({ DATA_DIR: at("restored") });
    try {
      // The token was signed by a key of the same root secret.
      const asked = client(again.url, await signIn(again.url));
      const found = new Set<string>();
      for (let page = 1, total = 1; (page - 1) * 100 < total; page++) {
        const { data, meta } = await asked("GET", `/api/sources/lists?limit=100&page=${page}`);
        total = meta.total;
        for (const { name } of data) found.add(name);
      }
      expect(before.filter((name) => !found.has(name))).toEqual([]);
      expect([...found].filter((name) => !acknowledged.includes(name)).length).toBeLessThanOrEqual(WRITERS);
      expect((await asked("GET", "/api/audit/verify")).data).toMatchObject({ ok: true, faults: [] });
      await eventually(
        () => asked("GET", "/api/search?q=ferry"),
        ({ meta }) => meta.total === 1,
      );
      // It goes on where it stopped: numbers are not given out twice.
      const { data } = await asked("POST", "/api/sources/lists", { name: "after", sourceIds: [] });
      expect(data.id).toBeGreaterThan(before.length);
    } finally {
      await again.stop();
    }
  } finally {
    enough.abort();
    await node.stop();
  }
}, 120_000);

it("refuses to replace a store unless told, and one in use at all", async () => {
  expect(await run("store/restore", [at("first.backup")], at("restored"))).toEqual({
    code: 1,
    out: expect.stringContaining("--replace keeps it aside"),
  });
  const node = await startNode({ DATA_DIR: at("restored") });
  try {
    expect(await run("store/restore", [at("first.backup"), "--replace"], at("restored"))).toEqual({
      code: 1,
      out: expect.stringContaining("is in use: stop every node"),
    });
    expect(await fetch(`${node.url}/health/ready`)).toMatchObject({ status: 200 });
  } finally {
    await node.stop();
  }
  expect((await run("store/restore", [at("first.backup"), "--replace"], at("restored"))).code).toBe(0);
  expect((await readdir(at("restored"))).filter((name) => name.includes(".before-")).length).toBeGreaterThan(0);
  expect((await readdir(at("restored"))).filter((name) => name.startsWith("search"))).toEqual([]);
}, 60_000);

it("leaves what was there as it was, where the new store cannot be made to its end", async () => {
  expect((await run("store/restore", [at("first.backup")], at("kept"))).code).toBe(0);
  const before = await readdir(at("kept"), { recursive: true });
  const store = await readFile(at("kept/signalmesh.db"));
  // Where the new store is to be written lies something else.
  await mkdir(at("kept/signalmesh.db.partial"));
  expect(await run("store/restore", [at("first.backup"), "--replace"], at("kept"))).toEqual({
    code: 1,
    out: expect.stringMatching(/Nothing was restored to .*kept, and what was there is as before: /),
  });
  expect((await readdir(at("kept"), { recursive: true })).sort()).toEqual(before.sort());
  expect((await readFile(at("kept/signalmesh.db"))).equals(store)).toBe(true);
}, 60_000);

it("leaves no folder behind that it made for a store which could not be made to its end", async () => {
  await mkdir(at("there"));
  for (const folder of [at("new/data"), at("there/data")]) {
    // No file may become longer than 50 KB, as on a disk that is nearly full.
    const command = `ulimit -f 100; exec "${process.execPath}" scripts/store/restore.ts "${at("first.backup")}"`;
    const { status, stderr } = spawnSync("sh", ["-c", command], {
      env: { PATH: process.env["PATH"]!, DATA_DIR: folder },
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Nothing was restored to /)]);
  }
  expect([existsSync(at("new")), await readdir(at("there"))]).toEqual([false, []]);
}, 60_000);

it("counts documents alone in what it tells, not the elements of arrays that its indexes keep", async () => {
  const store = new DatabaseSync(at("data/signalmesh.db"), { readOnly: true });
  const tables = store.prepare("select name from sqlite_schema where type = 'table'").all();
  const collections = tables.map(({ name }) => name as string).filter((name) => /^(?!sqlite_)\w+$/.test(name));
  const kept = collections.filter((name) => !name.startsWith("_"));
  const count = (name: string): number => Number(store.prepare(`select count(*) as n from "${name}"`).get()!["n"]);
  const documents = kept.reduce((sum, name) => sum + count(name), 0);
  store.close();
  expect(tables.some(({ name }) => String(name).includes("|elements|"))).toBe(true);
  await run("store/backup", [at("counted.backup")], at("data"));
  const { out } = await run("store/restore", [at("counted.backup"), "--check"], at("data"));
  expect(out).toContain(`  ${documents} documents in ${kept.length} collections\n`);
}, 60_000);

it("says what is missing where a backup cannot be put, and leaves nothing of it, where a disk can be mounted", async () => {
  expect(await run("store/backup", [at("nowhere/a.backup")], at("data"))).toEqual({
    code: 1,
    out: expect.stringMatching(/^There is no folder for .*a\.backup: make it, or name another place\.\n$/),
  });
  await mkdir(at("small"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", at("small")]).status !== 0) return;
  try {
    expect(await run("store/backup", [at("small/a.backup")], at("data"))).toEqual({
      code: 1,
      out: expect.stringMatching(/^The disk of .*a\.backup has no room for a backup, of which nothing is left there/),
    });
    expect(await readdir(at("small"))).toEqual([]);
  } finally {
    spawnSync("umount", [at("small")]);
  }
}, 60_000);

it("answers a flag that there is not with its usage", async () => {
  for (const [command, usage] of [
    ["store/backup", "npm run backup -- FILE [--without-secret]"],
    ["store/restore", "npm run restore -- FILE [--replace] [--check]"],
  ] as const)
    expect(await run(command, ["--help"], at("data"))).toEqual({ code: 2, out: `usage: ${usage}\n` });
}, 60_000);

it("replaces a store that is damaged, and takes nothing of its log into the new one", async () => {
  expect((await run("store/restore", [at("first.backup")], at("mended"))).code).toBe(0);
  for (const side of ["", "-wal"]) await writeFile(at(`mended/signalmesh.db${side}`), "Dear diary, ".repeat(1_000));
  expect(await run("start", [], at("mended"))).toEqual({
    code: 1,
    out: expect.stringContaining("npm run restore -- FILE --replace"),
  });
  expect((await run("store/restore", [at("first.backup"), "--replace"], at("mended"))).code).toBe(0);
  expect(existsSync(at("mended/signalmesh.db-wal"))).toBe(false);
  expect((await run("store/backup", [at("again.backup")], at("mended"))).out).toContain(
    "whole: pages, counts and audit chains hold",
  );
}, 60_000);

it("is not made under a root secret that is not the store's", async () => {
  const kept = await readFile(at("data/secret"), "utf8");
  for (const [text, why] of [
    ["22".repeat(32), "under another root secret"],
    ["none", "holds no root secret"],
  ] as const) {
    await writeFile(at("data/secret"), text);
    expect(await run("store/backup", [at("wrong.backup")], at("data"))).toEqual({
      code: 1,
      out: expect.stringContaining(why),
    });
  }
  await writeFile(at("data/secret"), kept);
  expect((await readdir(dir)).filter((name) => name.startsWith("wrong"))).toEqual([]);
});

it("keeps the root secret out of the restored store, and of a backup when told", async () => {
  const secret = (await readFile(at("data/secret"), "utf8")).trim();
  const holds = async (name: string): Promise<boolean> => (await readFile(at(name))).includes(secret);
  expect(await holds("first.backup")).toBe(true);
  expect(await holds("restored/signalmesh.db")).toBe(false);
  expect((await readFile(at("restored/secret"), "utf8")).trim()).toBe(secret);
  expect((await run("store/backup", [at("bare.backup"), "--without-secret"], at("data"))).code).toBe(0);
  expect(await holds("bare.backup")).toBe(false);
  expect(await run("store/restore", [at("bare.backup")], at("elsewhere"))).toEqual({
    code: 1,
    out: expect.stringContaining("give it as SECRET"),
  });
  expect((await run("store/restore", [at("bare.backup"), "--check"], at("data"))).code).toBe(0);
});

it("does not restore what is damaged, shortened, or was changed", async () => {
  const copy = async (name: string, change: (bytes: Buffer) => Buffer): Promise<string> => {
    const handle = await open(at(name), "w");
    await handle.write(change(await readFile(at("first.backup"))));
    await handle.close();
    return at(name);
  };
  const shortened = await copy("short.backup", (bytes) => bytes.subarray(0, bytes.length - 40_960));
  const damaged = await copy("damaged.backup", (bytes) =>
    Buffer.concat([bytes.subarray(0, 8_192), Buffer.alloc(40_960, 7), bytes.subarray(49_152)]),
  );
  const forged = await copy("forged.backup", (bytes) => bytes);
  const database = new DatabaseSync(forged);
  database.exec("update audit set doc = jsonb_set(doc, '$.actor', 'nobody') where n = (select max(n) from audit)");
  database.close();
  for (const [file, why] of [
    [shortened, /short\.backup.*(damaged: .*malformed|[^]*NOT WHOLE)/],
    [damaged, /damaged\.backup.*(damaged: .*malformed|[^]*NOT WHOLE)/],
    [forged, /audit, .*: the entry was changed after it was written/],
  ] as const) {
    expect(await run("store/restore", [file], at("none"))).toEqual({ code: 1, out: expect.stringMatching(why) });
  }
  await expect(stat(at("none/signalmesh.db"))).rejects.toThrow("ENOENT");
  expect((await run("store/backup", [at("first.backup")], at("data"))).out).toContain(
    "a backup does not replace another",
  );
  expect((await run("store/backup", [at("x.backup")], at("nowhere"))).code).toBe(2);
});
