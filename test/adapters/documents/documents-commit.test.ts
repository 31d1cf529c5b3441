import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EmbeddedDocuments } from "../../../adapters/documents/embedded.ts";
import { GroupCommit } from "../../../adapters/documents/sqlite/group-commit.ts";
import { acknowledged, directory, examined, order, ran, UNHURT, withDirectories } from "./durability.ts";
import { vouched } from "./vouched.ts";

withDirectories();

describe("group commit", () => {
  it("runs on a write-ahead log, which it brings to the disk itself", async () => {
    const store = new EmbeddedDocuments(directory());
    await store.collection("any");
    const pragma = (name: string) =>
      store.read((database) => Object.values(database.prepare(`pragma ${name}`).get()!)[0]);
    expect(await pragma("journal_mode")).toBe("wal");
    expect(await pragma("synchronous")).toBe(1);
    expect(await pragma("fullfsync")).toBe(1);
    await store.close();
  });

  it("overwrites what is removed or changed: nothing of it is left in the file", async () => {
    const dataDir = directory();
    const store = new EmbeddedDocuments(dataDir);
    const people = await store.collection("people", { indexes: [{ fields: ["email"] }] });
    const person = (n: number) => ({
      _id: n,
      email: `removed${n}@example.org`,
      about: `removed ${n} `.repeat(n % 900),
    });
    await people.insertMany(Array.from({ length: 2_000 }, (_, n) => person(n)));
    await people.updateMany({ _id: { $lt: 500 } }, { $set: { email: "changed", about: "changed" } });
    await people.removeMany({ _id: { $gte: 500 } });
    await store.close();
    const left = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), "latin1").match(/removed ?\d+/g));
    expect(left.flatMap((found) => found ?? [])).toEqual([]);
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
      database.exec = (sql) => {
        said.push(sql);
        exec(sql);
      };
    });
    const counts = await Promise.all(
      Array.from({ length: 64 }, async (_, _id) => {
        await documents.insert({ _id });
        return seen.count();
      }),
    );
    expect(said).toEqual(["begin immediate", "commit"]);
    expect(new Set(counts)).toEqual(new Set([64]));
    await documents.insert({ _id: 64 });
    expect(said).toHaveLength(4);
    await Promise.all([store.close(), other.close()]);
  });

  it("ends a batch that takes long, so that others have a turn, and keeps the order of its writes", async () => {
    const store = new EmbeddedDocuments(directory());
    const documents = await store.collection("documents", { indexes: [{ fields: ["name"] }] });
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const settled: { first: number; turn: number }[] = [];
    await Promise.all(
      Array.from({ length: 40 }, async (_, batch) => {
        const docs = Array.from({ length: 500 }, (__, n) => ({ _id: 500 * batch + n, name: `n${n}` }));
        await documents.insertMany(docs);
        settled.push({ first: batch, turn: turns });
      }),
    );
    clearInterval(counting);
    expect(settled.map(({ first }) => first)).toEqual(Array.from({ length: 40 }, (_, batch) => batch));
    expect(new Set(settled.map(({ turn }) => turn)).size).toBeGreaterThan(1);
    expect(await documents.count()).toBe(20_000);
    await store.close();
  });

  it("waits for another process that writes, without holding up this one", async () => {
    const dataDir = directory();
    const store = new EmbeddedDocuments(dataDir);
    const documents = await store.collection("documents");
    const other = new EmbeddedDocuments(dataDir);
    await other.collection("documents");
    await other.read((database) => database.exec("begin immediate"));
    let done = false;
    const writes = Promise.all([documents.insert({ _id: 1 }), documents.insert({ _id: 2 })]).finally(() => {
      done = true;
    });
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
    expect(
      await store.read((database) =>
        database
          .prepare("select a from shared")
          .all()
          .map((row) => ({ ...row })),
      ),
    ).toEqual([{ a: "kept" }]);
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
    expect(
      await examined(
        copyDir,
        Array.from({ length: 2000 }, (_, n) => `a${n}`),
      ),
    ).toEqual(UNHURT);
  });

  it("says in words when it cannot write", async () => {
    const store = new EmbeddedDocuments(directory());
    const documents = await store.collection("documents");
    await store.read((database) => database.exec("pragma query_only = on"));
    await expect(store.ping()).rejects.toThrow(
      "The document store cannot write now: attempt to write a readonly database.",
    );
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
    await expect(later.collection("any")).rejects.toThrow(/newer version.*restore the backup/);
  });

  it("says once that records get columns and indexes, and how long it took; of an empty store nothing", async () => {
    const dataDir = directory();
    const before = new EmbeddedDocuments(dataDir);
    const [some, many] = [await before.collection("some"), await before.collection("many")];
    await some.insert({ _id: 1, name: "a" });
    await many.bulk(Array.from({ length: 10_000 }, (_, id) => ({ insert: { _id: id, name: "b" } })));
    await before.close();
    const store = new EmbeddedDocuments(dataDir);
    const told: string[] = [];
    store.told = (line) => told.push(line);
    const indexes = [{ fields: ["name"] }];
    for (const _ of [1, 2])
      await Promise.all(["some", "many", "fresh"].map((name) => store.collection(name, { indexes })));
    expect(told).toEqual([
      expect.stringMatching(/written by another version.*nothing but its health is answered until it is done/),
      "Columns and indexes of many, which has 10000 records …",
      expect.stringMatching(/^The store has them after \d+\.\d s\.$/),
    ]);
    await store.close();
  });
});

describe("a disk that takes its time", () => {
  /** A group commit whose disk is steered. */
  const steered = () => {
    const database = new DatabaseSync(":memory:");
    database.exec("create table said (word text)");
    const disk: PromiseWithResolvers<void>[] = [];
    let mends = true;
    const commit = new GroupCommit(database, {
      began() {},
      undone() {},
      hasRoom: () => true,
      sync() {
        const next = Promise.withResolvers<void>();
        disk.push(next);
        return next.promise;
      },
      mend: () => mends,
    });
    const told: string[] = [];
    const say = (word: string): Promise<void> =>
      commit
        .write(
          () => database.prepare("insert into said values (?)").run(word),
          () => false,
        )
        .then(
          () => void told.push(word),
          (error: Error) => void told.push(`${word}: ${error.message}`),
        );
    const turns = async () => {
      for (let n = 0; n < 12; n++) await new Promise((resolve) => setImmediate(resolve));
    };
    return { commit, disk, told, say, turns, mendable: (is: boolean) => (mends = is) };
  };

  it("is waited for without holding up the loop; what is written meanwhile goes together, and answers wait for it", async () => {
    const { commit, disk, told, say, turns } = steered();
    void say("a");
    await turns();
    void say("b");
    await turns();
    void say("c");
    await turns();
    expect([told, disk.length]).toEqual([[], 1]);
    let answered = false;
    void commit.settled!.then(() => (answered = true));
    disk[0]!.resolve();
    await turns();
    expect([told, answered, disk.length]).toEqual([["a"], true, 2]);
    let drained = false;
    void commit.drained().then(() => (drained = true));
    await turns();
    expect(drained).toBe(false);
    disk[1]!.resolve();
    await turns();
    expect([told, drained, commit.settled]).toEqual([["a", "b", "c"], true, undefined]);
  });

  it("is not believed after it failed, until the log was mended", async () => {
    const { disk, told, say, turns, mendable } = steered();
    mendable(false);
    void say("a");
    await turns();
    void say("b");
    disk[0]!.reject(new Error("EIO"));
    await turns();
    void say("c");
    await turns();
    const why = "The document store cannot write now: its log did not come to the disk (EIO).";
    expect([told, disk.length]).toEqual([[`a: ${why}`, `b: ${why}`, `c: ${why}`], 1]);
    mendable(true);
    void say("d");
    await turns();
    disk[1]!.resolve();
    await turns();
    expect(told.at(-1)).toBe("d");
  });
});

describe("two processes on one file", () => {
  it("lose no write and count exactly", async () => {
    const dataDir = directory();
    const said = await Promise.all(
      ["a", "b"].map((prefix) => {
        const orders = { prefix, writes: 400, writers: 16, counter: "count" };
        return ran(spawn(process.execPath, order(dataDir, orders), { stdio: ["ignore", "pipe", "pipe"] }));
      }),
    );
    expect(said.map((text) => acknowledged(text).length)).toEqual([400, 400]);
    expect(await examined(dataDir, said.flatMap(acknowledged))).toEqual(UNHURT);
    const store = new EmbeddedDocuments(dataDir);
    expect(await (await store.collection("documents")).findById("count")).toEqual({ _id: "count", value: 800 });
    await store.close();
  });
});

describe("a full disk", () => {
  it("is never answered with success, and is over when there is room again", async () => {
    const dataDir = directory();
    const store = new EmbeddedDocuments(dataDir);
    const documents = await store.collection("documents", { indexes: [{ fields: ["tags"] }] });
    await documents.insert(vouched("first0"));
    const pages = await store.read((database) =>
      Number(Object.values(database.prepare("pragma page_count").get()!)[0]),
    );
    await store.read((database) => database.exec(`pragma max_page_count = ${pages + 40}`));
    const kept: string[] = ["first0"];
    const lost: string[] = [];
    for (let batch = 0; batch < 20; batch++) {
      const ids = Array.from({ length: 20 }, (_, n) => `full${batch}x${n}`);
      const outcomes = await Promise.allSettled(ids.map((id) => documents.insert(vouched(id))));
      const failed = outcomes.filter(({ status }) => status === "rejected");
      // One transaction: all of a batch or none of it.
      expect([0, ids.length]).toContain(failed.length);
      if (failed.length > 0)
        expect((failed[0] as PromiseRejectedResult).reason).toMatchObject({
          code: 507,
          cause: { message: "database or disk is full" },
        });
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

  const mount = (path: string): boolean =>
    spawnSync("mount", ["-t", "tmpfs", "-o", "size=1500k", "tmpfs", path]).status === 0;
  const unmount = (path: string): void => {
    spawnSync("umount", ["--lazy", path]);
  };
  const canMount = ((): boolean => {
    const path = mkdtempSync(join(tmpdir(), "small-disk-"));
    const mounted = mount(path);
    if (mounted) unmount(path);
    rmSync(path, { recursive: true });
    return mounted;
  })();

  const onSmallDisk = canMount ? it : it.skip;
  onSmallDisk(`the same on a small tmpfs${canMount ? "" : ": cannot mount one here"}`, async () => {
    const disk = directory();
    mount(disk);
    try {
      await overflown(disk);
    } finally {
      unmount(disk);
    }
  });

  async function overflown(disk: string): Promise<void> {
    const ballast = join(disk, "ballast");
    writeFileSync(ballast, Buffer.alloc(300_000));
    const store = new EmbeddedDocuments(disk);
    const documents = await store.collection("documents", { indexes: [{ fields: ["tags"] }] });
    const kept: string[] = [];
    let failures = 0;
    for (let n = 0; failures < 3; n++) {
      const written = await documents.insert(vouched(`disk${n}`)).then(
        () => true,
        () => false,
      );
      if (written) kept.push(`disk${n}`);
      else failures += 1;
    }
    expect(await documents.count()).toBe(kept.length);
    rmSync(ballast);
    await expect(store.ping()).resolves.toBeUndefined();
    await documents.insert(vouched("after0"));
    await store.close();
    expect(await examined(disk, [...kept, "after0"])).toEqual(UNHURT);
  }
});
