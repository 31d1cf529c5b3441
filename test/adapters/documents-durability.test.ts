import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import { cuts, seeded, steps, TRACE } from "./documents/power-cut.ts";
import { vouched, type Orders } from "./documents/vouched.ts";

/** How often a writer is killed; the claim is 200. */
const KILL_CYCLES = Number(process.env["KILL_CYCLES"] ?? 10);
const POWER_CUTS = Number(process.env["POWER_CUTS"] ?? 60);

jest.setTimeout(60_000 + KILL_CYCLES * 3_000 + POWER_CUTS * 500);

let root: string;
let serial = 0;
beforeAll(() => { root = mkdtempSync(join(tmpdir(), "durability-")); });
afterAll(() => rmSync(root, { recursive: true, force: true }));

const directory = (): string => {
  const path = join(root, String(++serial));
  mkdirSync(path);
  return path;
};
const WRITER = join(__dirname, "documents", "writer.ts");
const order = (dataDir: string, orders: Orders): string[] => [WRITER, dataDir, JSON.stringify(orders)];
const acknowledged = (said: string): string[] => [...said.matchAll(/^\+(.+)\n/gm)].map(([, id]) => id!);
const refused = (said: string): string[] => [...said.matchAll(/^-(.+)\n/gm)].map(([, id]) => id!);

/** Runs a writer to its end. */
async function ran(child: ChildProcess): Promise<string> {
  let said = "";
  let complaints = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => { said += text; });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => { complaints += text; });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`The writer ended with ${code}: ${complaints.slice(-2000)}`);
  return said;
}

/** Which of the ids are missing or torn in the store of a directory, and whether SQLite finds its file sound. */
async function examined(dataDir: string, ids: readonly string[]): Promise<{ missing: string[]; torn: string[]; sound: unknown }> {
  const store = new EmbeddedDocuments(dataDir);
  const documents = await store.collection("documents", { indexes: [{ fields: ["tags"] }] });
  const held = new Map((await documents.find()).map((doc) => [doc._id, doc]));
  const tagged = await Promise.all([0, 1, 2, 3, 4].map((n) => documents.count({ query: { tags: `t${n}` } })));
  const sound = await store.read((database) => database.prepare("pragma integrity_check").get());
  await store.close();
  return {
    missing: ids.filter((id) => !held.has(id)),
    torn: [...held.values()].filter((doc) => doc["sum"] !== undefined && JSON.stringify(doc) !== JSON.stringify(vouched(String(doc._id)))).map(({ _id }) => String(_id)),
    sound: { ...(sound as object), tagged: tagged.reduce((sum, count) => sum + count, 0) - [...held.values()].filter(({ tags }) => tags).length },
  };
}
const UNHURT = { missing: [], torn: [], sound: { integrity_check: "ok", tagged: 0 } };

describe("group commit", () => {
  it("runs on a write-ahead log with synchronous=FULL", async () => {
    const store = new EmbeddedDocuments(directory());
    await store.collection("any");
    const pragma = (name: string) => store.read((database) => Object.values(database.prepare(`pragma ${name}`).get()!)[0]);
    expect(await pragma("journal_mode")).toBe("wal");
    expect(await pragma("synchronous")).toBe(2);
    expect(await pragma("fullfsync")).toBe(1);
    await store.close();
  });

  it("puts all writes of one turn into one transaction, and answers after it", async () => {
    const dataDir = directory();
    const store = new EmbeddedDocuments(dataDir);
    const other = new EmbeddedDocuments(dataDir);
    const documents = await store.collection("documents");
    const seen = await other.collection("documents");
    const said: string[] = [];
    await store.read((database) => {
      const exec = database.exec.bind(database);
      database.exec = (sql) => { said.push(sql); exec(sql); };
    });
    const counts = await Promise.all(Array.from({ length: 64 }, async (_, _id) => {
      await documents.insert({ _id });
      return seen.count();
    }));
    expect(said).toEqual(["begin immediate", "commit"]);
    expect(new Set(counts)).toEqual(new Set([64]));
    await documents.insert({ _id: 64 });
    expect(said).toHaveLength(4);
    await Promise.all([store.close(), other.close()]);
  });

  it("waits for another process that writes, without holding up this one", async () => {
    const dataDir = directory();
    const store = new EmbeddedDocuments(dataDir);
    const documents = await store.collection("documents");
    const other = new EmbeddedDocuments(dataDir);
    await other.collection("documents");
    await other.read((database) => database.exec("begin immediate"));
    let done = false;
    const writes = Promise.all([documents.insert({ _id: 1 }), documents.insert({ _id: 2 })]).then(() => { done = true; });
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(done).toBe(false);
    expect(await documents.count()).toBe(0);
    await other.read((database) => database.exec("commit"));
    await writes;
    expect(await documents.count()).toBe(2);
    await Promise.all([store.close(), other.close()]);
  });

  it("runs what shares its file in its transactions: all of it or nothing", async () => {
    const store = new EmbeddedDocuments(directory());
    const documents = await store.collection("documents");
    await store.write((database) => database.exec("create table shared (a text)"));
    const outcomes = await Promise.allSettled([
      store.write((database) => database.prepare("insert into shared values (?)").run("kept")),
      store.write((database) => {
        database.prepare("insert into shared values (?)").run("undone");
        throw new Error("half-way");
      }),
      documents.insert({ _id: 1 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await store.read((database) => database.prepare("select a from shared").all().map((row) => ({ ...row })))).toEqual([{ a: "kept" }]);
    await store.close();
  });

  it("copies the file while it is written to", async () => {
    const store = new EmbeddedDocuments(directory());
    const documents = await store.collection("documents", { indexes: [{ fields: ["tags"] }] });
    await documents.insertMany(Array.from({ length: 2000 }, (_, n) => vouched(`a${n}`)));
    const copyDir = directory();
    const writing = Promise.all(Array.from({ length: 200 }, (_, n) => documents.insert(vouched(`b${n}`))));
    await store.backup(join(copyDir, "signalmesh.db"));
    await writing;
    await store.close();
    expect(await examined(copyDir, Array.from({ length: 2000 }, (_, n) => `a${n}`))).toEqual(UNHURT);
  });

  it("says in words when it cannot write", async () => {
    const store = new EmbeddedDocuments(directory());
    const documents = await store.collection("documents");
    await store.read((database) => database.exec("pragma query_only = on"));
    await expect(store.ping()).rejects.toThrow("The document store cannot write now: attempt to write a readonly database.");
    await expect(documents.insert({ _id: 1 })).rejects.toThrow("cannot write now");
    await store.read((database) => database.exec("pragma query_only = off"));
    await store.ping();
    expect(await documents.count()).toBe(0);
    await store.close();
    await expect(store.ping()).rejects.toThrow("closed");
  });

  it("refuses a file of a newer layout, and leaves it alone", async () => {
    const dataDir = directory();
    const store = new EmbeddedDocuments(dataDir);
    await store.write((database) => database.exec("pragma user_version = 99"));
    await store.close();
    const later = new EmbeddedDocuments(dataDir);
    await expect(later.collection("any")).rejects.toThrow("newer version");
  });
});

describe("two processes on one file", () => {
  it("lose no write and count exactly", async () => {
    const dataDir = directory();
    const said = await Promise.all(["a", "b"].map((prefix) => ran(spawn(process.execPath, order(dataDir, { prefix, writes: 400, writers: 16, counter: "count" }), { stdio: ["ignore", "pipe", "pipe"] }))));
    expect(said.map((text) => acknowledged(text).length)).toEqual([400, 400]);
    expect(await examined(dataDir, said.flatMap(acknowledged))).toEqual(UNHURT);
    const store = new EmbeddedDocuments(dataDir);
    expect(await (await store.collection("documents")).findById("count")).toEqual({ _id: "count", value: 800 });
    await store.close();
  });
});

describe(`kill -9, ${KILL_CYCLES} times (KILL_CYCLES)`, () => {
  it("loses nothing acknowledged, tears nothing", async () => {
    const random = seeded(1);
    let dataDir = "";
    let all: string[] = [];
    for (let cycle = 0; cycle < KILL_CYCLES; cycle++) {
      // The file lives through ten kills; looking through an ever larger one would take most of the time.
      if (cycle % 10 === 0) [dataDir, all] = [directory(), []];
      const killAfter = 1 + Math.floor(random() * 600);
      const said = await killed(spawn(process.execPath, order(dataDir, { prefix: `c${cycle}-`, writers: 1 + Math.floor(random() * 32) }), { stdio: ["ignore", "pipe", "inherit"] }), killAfter);
      const ids = acknowledged(said);
      expect(ids.length).toBeGreaterThanOrEqual(killAfter);
      expect(refused(said)).toEqual([]);
      all.push(...ids);
      expect(await examined(dataDir, all)).toEqual(UNHURT);
    }
  });

  /** Kills a writer that has been acknowledged so many writes, wherever it then is; answers all it said. */
  function killed(child: ChildProcess, after: number): Promise<string> {
    let said = "";
    let count = -1;
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      count += text.split("\n").length - 1;
      if (count >= after) child.kill("SIGKILL");
    });
    return new Promise((resolve) => child.once("close", () => resolve(said)));
  }
});

describe("a full disk", () => {
  it("is never answered with success, and is over when there is room again (the engine's own limit)", async () => {
    const dataDir = directory();
    const store = new EmbeddedDocuments(dataDir);
    const documents = await store.collection("documents", { indexes: [{ fields: ["tags"] }] });
    await documents.insert(vouched("first0"));
    const pages = await store.read((database) => Number(Object.values(database.prepare("pragma page_count").get()!)[0]));
    await store.read((database) => database.exec(`pragma max_page_count = ${pages + 40}`));
    const kept: string[] = ["first0"];
    const lost: string[] = [];
    for (let batch = 0; batch < 20; batch++) {
      const ids = Array.from({ length: 20 }, (_, n) => `full${batch}x${n}`);
      const outcomes = await Promise.allSettled(ids.map((id) => documents.insert(vouched(id))));
      const failed = outcomes.filter(({ status }) => status === "rejected");
      // One transaction: all of a batch or none of it.
      expect([0, ids.length]).toContain(failed.length);
      if (failed.length > 0) expect((failed[0] as PromiseRejectedResult).reason.message).toContain("database or disk is full");
      (failed.length > 0 ? lost : kept).push(...ids);
    }
    expect(lost.length).toBeGreaterThan(0);
    expect(await documents.count()).toBe(kept.length);
    await store.read((database) => database.exec(`pragma max_page_count = ${2 ** 30}`));
    await documents.insert(vouched("after0"));
    await expect(store.ping()).resolves.toBeUndefined();
    await store.close();
    expect(await examined(dataDir, [...kept, "after0"])).toEqual(UNHURT);
  });

  const mounted = (): string | undefined => {
    const path = mkdtempSync(join(tmpdir(), "small-disk-"));
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1500k", "tmpfs", path]).status === 0) return path;
    rmSync(path, { recursive: true });
    return undefined;
  };
  const disk = mounted();
  afterAll(() => {
    if (!disk) return;
    spawnSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  (disk ? it : it.skip)(`is never answered with success, and is over when there is room again (a small tmpfs${disk ? "" : ": cannot mount one here"})`, async () => {
    const ballast = join(disk!, "ballast");
    writeFileSync(ballast, Buffer.alloc(300_000));
    const store = new EmbeddedDocuments(disk!);
    const documents = await store.collection("documents", { indexes: [{ fields: ["tags"] }] });
    const kept: string[] = [];
    let failures = 0;
    for (let n = 0; failures < 3; n++) {
      const written = await documents.insert(vouched(`disk${n}`)).then(() => true, () => false);
      if (written) kept.push(`disk${n}`);
      else failures += 1;
    }
    expect(await documents.count()).toBe(kept.length);
    rmSync(ballast);
    await expect(store.ping()).resolves.toBeUndefined();
    await documents.insert(vouched("after0"));
    await store.close();
    expect(await examined(disk!, [...kept, "after0"])).toEqual(UNHURT);
  });
});

const hasStrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
const traced = hasStrace ? describe : describe.skip;

traced(`under strace${hasStrace ? "" : ": not installed, or not allowed to trace"}`, () => {
  const record = async (pragmas: string): Promise<string> => {
    const trace = join(root, `trace-${++serial}`);
    await ran(spawn("strace", [...TRACE, "-o", trace, process.execPath, ...order(directory(), { prefix: "p", writes: 250, writers: 4, pragmas: `pragma wal_autocheckpoint = 60; ${pragmas}` })], { stdio: ["ignore", "pipe", "pipe"] }));
    return trace;
  };

  /** Cuts the power at random moments of a recorded run; answers how many cuts lost or tore something acknowledged. */
  async function hurt(trace: string, count: number): Promise<number> {
    const random = seeded(7);
    const all = steps(trace);
    const ready = all.findIndex((step) => step.kind === "said");
    const at = new Set(Array.from({ length: count }, () => ready + 1 + Math.floor(random() * (all.length - ready - 1))));
    let bad = 0;
    for (const { files, said } of cuts(all, at, random)) {
      const dataDir = directory();
      for (const [name, bytes] of files) writeFileSync(join(dataDir, name), bytes);
      const found = await examined(dataDir, acknowledged(said)).catch((error: unknown) => error);
      if (JSON.stringify(found) !== JSON.stringify(UNHURT)) bad += 1;
      rmSync(dataDir, { recursive: true });
    }
    return bad;
  }

  it(`loses nothing acknowledged in ${POWER_CUTS} power cuts (POWER_CUTS)`, async () => {
    expect(await hurt(await record(""), POWER_CUTS)).toBe(0);
  });

  it("would lose it with synchronous=NORMAL: the cuts do cut", async () => {
    expect(await hurt(await record("pragma synchronous = normal"), 15)).toBeGreaterThan(0);
  });

  it.each(["fdatasync,fsync:error=EIO", "pwrite64:error=EIO", "pwrite64:error=ENOSPC"])("never acknowledges falsely when the disk fails now and then (%s)", async (fault) => {
    const dataDir = directory();
    await (await new EmbeddedDocuments(dataDir).collection("documents"));
    const log = join(root, `inject-${++serial}`);
    const said = await ran(spawn("strace", ["-qq", "-o", log, "-e", `inject=${fault}:when=60+17`, process.execPath, ...order(dataDir, { prefix: "f", writes: 300, writers: 4, pragmas: "pragma wal_autocheckpoint = 60" })], { stdio: ["ignore", "pipe", "pipe"] }));
    expect(readFileSync(log, "utf8")).toContain("(INJECTED)");
    expect(refused(said).length).toBeGreaterThan(0);
    expect(acknowledged(said).length + refused(said).length).toBe(300);
    expect(acknowledged(said).length).toBeGreaterThan(100);
    expect(await examined(dataDir, acknowledged(said))).toEqual(UNHURT);
  });
});
