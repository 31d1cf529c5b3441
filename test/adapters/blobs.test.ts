import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { backUp, examine, unpack } from "../../adapters/documents/backup.ts";
import { openDocuments } from "../../adapters/documents/index.ts";
import { openBlobs } from "../../adapters/blobs/index.ts";
import { readWhole, type Blobs } from "../../core/records/blobs.ts";

/** The port's behaviour, on every store at hand: in memory, in a folder, and in GridFS where MONGO_URL names a server. */
const { MONGO_URL } = process.env;
const stores = ["memory", "folder", ...(MONGO_URL ? ["mongo"] : [])] as Blobs["kind"][];

async function* from(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
async function* breaking(): AsyncGenerator<Uint8Array> {
  yield randomBytes(700_000);
  throw new Error("the client hung up");
}
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
async function idsOf(blobs: Blobs, owner: string, before = Date.now() + 60_000): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of blobs.list(owner, before)) found.push(id);
  return found.sort();
}

describe.each(stores)("blobs in %s", (kind) => {
  const folder = mkdtempSync(join(tmpdir(), "blobs-"));
  const url = MONGO_URL?.replace(/\/[^/]*$/, `/blobs${process.pid}`);
  const open = (): Blobs =>
    kind === "mongo"
      ? openBlobs({ mongoUrl: url, dataDir: folder })
      : openBlobs({ dataDir: kind === "memory" ? ":memory:" : folder });
  let blobs: Blobs;
  beforeAll(() => {
    blobs = open();
  });
  afterAll(async () => {
    for (const id of await idsOf(blobs, "tests")) await blobs.remove(id);
    await blobs.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("keeps bytes as they came, counted and hashed, and gives all of them or a part", async () => {
    expect(blobs.kind).toBe(kind);
    const parts = [randomBytes(300_000), randomBytes(1), randomBytes(600_000)];
    const whole = Buffer.concat(parts);
    expect(await blobs.put("tests/whole", from(...parts))).toEqual({ bytes: whole.length, sha256: hashOf(whole) });
    expect((await readWhole(blobs, "tests/whole"))!.equals(whole)).toBe(true);
    const range = { start: 299_990, end: 300_020 };
    expect((await readWhole(blobs, "tests/whole", range))!.equals(whole.subarray(299_990, 300_020))).toBe(true);
    expect(await readWhole(blobs, "tests/whole", { start: 5, end: 5 })).toEqual(Buffer.alloc(0));
  });

  it("keeps a blob without a byte", async () => {
    expect(await blobs.put("tests/empty", from())).toEqual({ bytes: 0, sha256: hashOf(Buffer.alloc(0)) });
    expect(await readWhole(blobs, "tests/empty")).toEqual(Buffer.alloc(0));
  });

  it("gives null for what is not there, and removing it is harmless", async () => {
    expect(await blobs.read("tests/nothing")).toBeNull();
    await blobs.remove("tests/nothing");
  });

  it("has nothing of a put whose source broke, and keeps what was there before", async () => {
    await expect(blobs.put("tests/broken", breaking())).rejects.toThrow("hung up");
    expect(await blobs.read("tests/broken")).toBeNull();
    await blobs.put("tests/kept", from(Buffer.from("before")));
    await expect(blobs.put("tests/kept", breaking())).rejects.toThrow("hung up");
    expect(String(await readWhole(blobs, "tests/kept"))).toBe("before");
  });

  it("replaces what had the id", async () => {
    await blobs.put("tests/again", from(Buffer.from("one")));
    await blobs.put("tests/again", from(Buffer.from("two")));
    expect(String(await readWhole(blobs, "tests/again"))).toBe("two");
  });

  it("lists an owner's blobs by age, and nobody else's", async () => {
    await blobs.put("testsother/one", from(Buffer.from("x")));
    expect(await idsOf(blobs, "tests")).toEqual(
      expect.arrayContaining(["tests/whole", "tests/empty", "tests/kept", "tests/again"]),
    );
    expect(await idsOf(blobs, "tests")).not.toContain("testsother/one");
    expect(await idsOf(blobs, "tests", Date.now() - 60_000)).toEqual([]);
    await blobs.remove("testsother/one");
    expect(await idsOf(blobs, "testsother")).toEqual([]);
  });

  it.each(["../../etc/passwd", "tests/../x", "tests/", "/x", "tests/a/b", "_drafts/x"])(
    "takes no id that could be a path: %s",
    async (id) => {
      await expect(blobs.put(id, from())).rejects.toThrow(TypeError);
      await expect(blobs.read(id)).rejects.toThrow(TypeError);
      await expect(blobs.remove(id)).rejects.toThrow(TypeError);
    },
  );

  if (kind === "memory") return;

  it("is the same store for whoever opens it again", async () => {
    await blobs.put("tests/shared", from(Buffer.from("shared")));
    const other = open();
    expect(String(await readWhole(other, "tests/shared"))).toBe("shared");
    await other.close();
  });
});

it("takes away drafts of processes that were killed, and leaves those of others alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "blobs-"));
  const blobs = openBlobs({ dataDir: folder });
  await blobs.put("tests/one", from(Buffer.from("one")));
  const drafts = join(folder, "blobs", "_drafts");
  for (const [name, age] of [
    ["old", 7_200],
    ["new", 0],
  ] as const) {
    writeFileSync(join(drafts, name), "half");
    const at = Date.now() / 1_000 - age;
    utimesSync(join(drafts, name), at, at);
  }
  expect(await idsOf(blobs, "tests", Date.now() - 3_600_000)).toEqual([]);
  expect(readdirSync(drafts)).toEqual(["new"]);
  rmSync(folder, { recursive: true, force: true });
});

describe("a backup", () => {
  const root = mkdtempSync(join(tmpdir(), "blobs-backup-"));
  const [data, file] = [join(root, "data"), join(root, "copy.backup")];
  const about = { version: "0", madeAt: new Date(0).toISOString(), fingerprint: "0".repeat(16) };
  const bytes = randomBytes(2_500_000);
  beforeAll(async () => {
    mkdirSync(data);
    const documents = openDocuments({ dataDir: data });
    await (await documents.collection("plans")).insert({ _id: 1 });
    const blobs = openBlobs({ dataDir: data });
    await blobs.put("tests/large", from(bytes));
    await blobs.put("tests/empty", from());
    await backUp(join(data, "signalmesh.db"), file, about);
    await documents.close();
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("takes the blobs along, and gives them back as they were", async () => {
    const { manifest, faults } = await examine(file);
    expect({ faults, blobs: manifest.blobs }).toEqual({ faults: [], blobs: { count: 2, bytes: bytes.length } });
    const restored = join(root, "restored");
    mkdirSync(restored);
    await unpack(file, join(restored, "signalmesh.db"));
    const blobs = openBlobs({ dataDir: restored });
    expect((await readWhole(blobs, "tests/large"))!.equals(bytes)).toBe(true);
    expect(await readWhole(blobs, "tests/empty")).toEqual(Buffer.alloc(0));
    expect(statSync(join(restored, "signalmesh.db")).size).toBeLessThan(bytes.length / 2);
    await expect(unpack(file, join(restored, "other.db"))).rejects.toThrow("exists");
  });

  it("names a blob whose bytes are not those that were stored", async () => {
    const backup = new DatabaseSync(file);
    backup.exec("update _blob_pieces set piece = zeroblob(length(piece)) where n = 1");
    backup.close();
    expect((await examine(file)).faults).toEqual(["blob tests/large: its bytes are not those that were stored"]);
  });
});
