import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { entryId, GENESIS, entryHash, Recomputation, type Entry } from "../../core/records/audit.ts";
import { checkpointHolds } from "../../services/platform/audit/audit.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
  const log = await at.commons("audit").world.documents.collection("audit");
  await log.insertMany([...chainOf("old-node@1", 3_000), ...chainOf("other@2", 700)]);
});
afterAll(() => at.stop());

function chainOf(chain: string, entries: number): Entry[] {
  let prev = GENESIS;
  return Array.from({ length: entries }, (_, n) => {
    const draft = {
      _id: entryId(chain, n + 1),
      chain,
      seq: n + 1,
      time: new Date(1.7e12 + n).toISOString(),
      actor: "ann",
      via: "jwt",
      action: "sources.create",
      outcome: "ok" as const,
      requestId: `r${n}`,
      prev,
    };
    const entry = { ...draft, hash: entryHash(draft) };
    prev = entry.hash;
    return entry;
  });
}

const collect = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};

it("is recomputed in slices: what was read is let go before more is read, however long a chain is", async () => {
  const log = await at.commons("audit").world.documents.collection("audit");
  const read: WeakRef<object>[][] = [];
  const { find } = log;
  const held: number[] = [];
  log.find = async (asked) => {
    // Two turns later nothing but its reader can hold a slice.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    collect();
    held.push(
      read
        .slice(0, -1)
        .flat()
        .filter((row) => row.deref()).length,
    );
    const rows = await find.call(log, asked);
    read.push(rows.map((row) => new WeakRef(row)));
    return rows;
  };
  try {
    const { data } = (await at.http("GET", "/api/audit/verify")).body;
    expect(data).toMatchObject({ ok: true, chains: 3, faults: [] });
    expect(data.entries).toBeGreaterThanOrEqual(3_700);
  } finally {
    Reflect.deleteProperty(log, "find");
  }
  expect(read.length).toBeGreaterThan(5);
  expect(Math.max(...held)).toBe(0);
});

it("is exported slice by slice while it is read, every chain whole", async () => {
  const log = await at.commons("audit").world.documents.collection("audit");
  const { find } = log;
  let slices = 0,
    most = 0;
  log.find = async (asked) => {
    const rows = await find.call(log, asked);
    slices++;
    most = Math.max(most, rows.length);
    return rows;
  };
  const reply = await at.http("GET", "/api/audit/export");
  Reflect.deleteProperty(log, "find");
  expect(reply.headers.get("content-type")).toBe("application/x-ndjson");
  expect(reply.headers.get("content-length")).toBeNull();
  expect([slices > 7, most]).toEqual([true, 500]);
  const found = new Recomputation();
  for (const line of reply.text.trimEnd().split("\n")) found.take(JSON.parse(line) as Entry);
  expect(found).toMatchObject({ chains: 3, faults: [] });
  expect(found.entries).toBeGreaterThanOrEqual(3_700);
  expect((await at.http("GET", "/api/audit/export", { as: "analyst" })).status).toBe(403);
});

it("is verified offline, from an export and a checkpoint that was kept elsewhere", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signalmesh-audit-"));
  const log = (await at.http("GET", "/api/audit/export")).text;
  const lines = log.trim().split("\n");
  const put = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const checkpoint = await put("checkpoint.json", (await at.http("GET", "/api/audit/checkpoint")).text);
  const verified = async (name: string, text: string) => {
    const args = ["scripts/store/audit-verify.ts", await put(name, text), checkpoint];
    return await promisify(execFile)(process.execPath, args).then(
      ({ stdout }) => [0, stdout],
      ({ code, stdout }: { code: number; stdout: string }) => [code, stdout],
    );
  };
  const [whole, edited, without, cut] = await Promise.all([
    verified("whole", log),
    verified("edited", log.replace('"outcome":"ok"', '"outcome":"refused"')),
    verified("without", [...lines.slice(0, 1), ...lines.slice(2)].join("\n")),
    verified("cut", lines.slice(0, -1).join("\n")),
  ]);
  expect(whole).toEqual([0, expect.stringMatching(/^\d+ entries in \d+ chains hold against the checkpoint\.\n$/)]);
  for (const changed of [edited, without, cut])
    expect(changed).toEqual([1, expect.stringMatching(/ entry \d+: .+\nThe log was changed\.\n$/)]);
  // What is missing in between cuts nothing off at the end.
  expect(without[1]).toMatch(/^\S+ entry 2: expected entry 2, found 3\nThe log was changed\.\n$/);
  await rm(folder, { recursive: true });
});

it("an export ends at its source once the client has hung up", async () => {
  const {
    world: { documents },
    abandonments,
  } = at.commons("audit");
  const log = await documents.collection("audit");
  const { find } = log;
  const third = Promise.withResolvers<void>();
  let slices = 0;
  log.find = async (asked) => {
    if (++slices === 3) await third.promise;
    return find.call(log, asked);
  };
  const hangUp = new AbortController();
  const reply = await fetch(`${at.url}/api/audit/export`, {
    headers: { authorization: `Bearer ${await at.tokenOf("admin")}` },
    signal: hangUp.signal,
  });
  expect(reply.status).toBe(200);
  await eventually(
    () => slices,
    (count) => count === 3,
  );
  hangUp.abort();
  const abandoned = (): boolean => [...abandonments.values()].some(({ signal }) => signal.aborted);
  await eventually(abandoned, Boolean);
  third.resolve();
  await eventually(abandoned, (isKept) => !isKept);
  Reflect.deleteProperty(log, "find");
  expect(slices).toBe(3);
});

it("an export that fails before its first piece is refused, later it breaks off", async () => {
  const log = await at.commons("audit").world.documents.collection("audit");
  const { find } = log;
  for (const fails of [0, 2]) {
    let slices = 0;
    log.find = async (asked) => {
      if (slices++ === fails) throw new Error("the disk burns");
      return find.call(log, asked);
    };
    const asked = at.http("GET", "/api/audit/export");
    if (fails) await expect(asked).rejects.toThrow("other side closed");
    else expect(await asked).toMatchObject({ status: 500, body: { error: { code: "INTERNAL" } } });
    Reflect.deleteProperty(log, "find");
  }
});

it("gives a checkpoint of the last entries without reading what lies before them", async () => {
  const log = await at.commons("audit").world.documents.collection("audit");
  let rows = 0;
  const { find } = log;
  log.find = async (asked) => {
    const found = await find.call(log, asked);
    rows += found.length;
    return found;
  };
  const { data } = (await at.http("GET", "/api/audit/checkpoint")).body;
  Reflect.deleteProperty(log, "find");
  expect(checkpointHolds(data)).toBe(true);
  expect(data.heads.map(({ chain, seq }: { chain: string; seq: number }) => `${chain} ${seq}`)).toEqual(
    expect.arrayContaining(["old-node@1 3000", "other@2 700"]),
  );
  expect(data.heads).toHaveLength(3);
  expect(rows).toBe(3);
});

it("names the entry that was changed, and goes on with the other chains", async () => {
  const log = await at.commons("audit").world.documents.collection("audit");
  await log.updateMany({ _id: entryId("old-node@1", 1_234) }, { $set: { actor: "somebody else" } });
  await log.removeMany({ _id: entryId("other@2", 500) });
  const { data } = (await at.http("GET", "/api/audit/verify")).body;
  expect(data).toMatchObject({
    ok: false,
    faults: [
      { chain: "old-node@1", seq: 1_234, what: "the entry was changed after it was written" },
      { chain: "other@2", seq: 500, what: "expected entry 500, found 501" },
    ],
  });
});
