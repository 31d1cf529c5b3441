import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { MongoClient } from "mongodb";
import { examineIndex, openWorld } from "../adapters/world.ts";
import { readEnv } from "../config/env.ts";
import { derivedId } from "../core/ids.ts";
import { StartRefused } from "../core/start-refused.ts";
import { JobRecords } from "../core/work/job-records.ts";
import { Leases } from "../core/work/schedule.ts";
import type { World } from "../core/world.ts";
import { itInside, world } from "./mesh.ts";
import { signIn, startNode } from "./process.ts";

// What a start finds where its stores should be is sound and its own, or it does not start, and says why not and what
// decides.

type Settings = Record<string, string>;

const OLD = "11".repeat(32),
  NEW = "22".repeat(32),
  OTHER = "33".repeat(32);
const NOBODY = 65_534;
let root: string,
  folders = 0;
const folder = (): string => join(root, `folder${++folders}`);
const inStore = (dir: string, side = ""): string => join(dir, `signalmesh.db${side}`);

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "signalmesh-start-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Opens the stores as a start does, and closes them again. */
async function opened<T>(settings: Settings, look: (at: World) => T | Promise<T>): Promise<T> {
  const at = await openWorld(readEnv(settings));
  try {
    await examineIndex(at.search, at.env.DATA_DIR);
    return await look(at);
  } finally {
    await at.close();
  }
}

const ready = (settings: Settings): Promise<void> => opened(settings, () => undefined);

/** Why it is not opened, in one line. */
async function refusal(settings: Settings): Promise<string> {
  const why: unknown = await ready(settings).catch((error: unknown) => error);
  expect(why).toBeInstanceOf(StartRefused);
  expect((why as Error).message).not.toContain("\n");
  return (why as Error).message;
}

/** A folder with a store of some pages, as a node leaves it. */
async function used(): Promise<string> {
  const DATA_DIR = folder(),
    template = join(root, "template");
  if (!existsSync(template)) await fill(template);
  cpSync(template, DATA_DIR, { recursive: true });
  return DATA_DIR;
}

async function fill(DATA_DIR: string): Promise<void> {
  await opened({ DATA_DIR }, async ({ documents }) => {
    const things = await documents.collection("things", { indexes: [{ fields: ["size"] }] });
    const text = "x".repeat(300);
    await things.insertMany(Array.from({ length: 2_000 }, (_, size) => ({ _id: `thing${size}`, size, text })));
  });
}

const things = (DATA_DIR: string, settings: Settings = {}): Promise<number> =>
  opened({ DATA_DIR, ...settings }, async ({ documents }) => (await documents.collection("things")).count());

describe("the root secret", () => {
  it.each([
    ["empty", ""],
    ["blank", "\n"],
    ["short", "ab".repeat(31)],
    ["long", "ab".repeat(33)],
    ["not hexadecimal", "g".repeat(64)],
  ])("is refused where its file is %s", async (_, text) => {
    const dir = await used();
    writeFileSync(join(dir, "secret"), text);
    expect(await refusal({ DATA_DIR: dir })).toContain("holds no root secret, which is 64 hexadecimal characters");
    expect(await refusal({ DATA_DIR: dir })).not.toContain("abab");
  });

  it("is refused where its file is none", async () => {
    const dir = await used();
    rmSync(join(dir, "secret"));
    mkdirSync(join(dir, "secret"));
    expect(await refusal({ DATA_DIR: dir })).toContain("is no file");
  });

  it.each(["", " ", "ab", "g".repeat(64), `${OLD}0`])("is refused where SECRET or SECRET_PREVIOUS is %j", (text) => {
    expect(() => readEnv({ SECRET: text })).toThrow(/SECRET: .*64 hexadecimal/);
    if (text.trim())
      expect(() => readEnv({ SECRET: NEW, SECRET_PREVIOUS: text })).toThrow(/SECRET_PREVIOUS: .*64 hexadecimal/);
  });

  it("that is not there beside a store is asked for; where it is lost the operator says so, once", async () => {
    const dir = await used();
    const before = readFileSync(join(dir, "secret"), "utf8");
    rmSync(join(dir, "secret"));
    const why = await refusal({ DATA_DIR: dir });
    expect(why).toMatch(/There is a store in .*, and no root secret: neither .*secret nor SECRET/);
    expect(existsSync(join(dir, "secret"))).toBe(false);
    const [said, print] = /SECRET_LOST=([0-9a-f]{16})/.exec(why)!;
    expect(await refusal({ DATA_DIR: dir, SECRET_LOST: "0".repeat(16) })).toContain(said);
    expect(await things(dir, { SECRET_LOST: print! })).toBe(2_000);
    expect(await things(dir, { SECRET_LOST: print! })).toBe(2_000);
    expect(await things(dir)).toBe(2_000);
    expect(readFileSync(join(dir, "secret"), "utf8")).not.toBe(before);
    writeFileSync(join(dir, "secret"), before);
    expect(await refusal({ DATA_DIR: dir })).toContain("The store is under another root secret");
  });

  it("that is there without a store is not taken for a new one", async () => {
    const dir = await used();
    for (const side of ["", "-wal", "-shm"]) rmSync(inStore(dir, side), { force: true });
    for (const empty of [false, true]) {
      if (empty) writeFileSync(inStore(dir), "");
      const words = /There is a root secret .*, and no store beside it.*to begin anew, move the secret away/;
      expect(await refusal({ DATA_DIR: dir })).toMatch(words);
    }
    renameSync(join(dir, "secret"), join(dir, "secret.kept"));
    expect(await things(dir)).toBe(0);
  });

  it("of a store made before stores kept its fingerprint is asked for too, and learnt where it is there", async () => {
    const dir = await used();
    const forget = (): void => {
      const database = new DatabaseSync(inStore(dir));
      database.exec("drop table root_secret");
      database.close();
    };
    forget();
    expect(await things(dir)).toBe(2_000);
    expect(await refusal({ DATA_DIR: dir, SECRET: NEW })).toContain("another root secret");
    forget();
    rmSync(join(dir, "secret"));
    expect(await refusal({ DATA_DIR: dir })).toContain("SECRET_LOST=unknown");
    expect(await things(dir, { SECRET_LOST: "unknown" })).toBe(2_000);
    expect(await things(dir)).toBe(2_000);
  });

  it("of a first start that was killed is neither lost nor asked for", async () => {
    const dir = folder();
    mkdirSync(dir);
    writeFileSync(join(dir, "secret.begun"), `${OTHER}\n`);
    const secret = await opened({ DATA_DIR: dir }, (at) => at.secret.toString("hex"));
    expect(secret).not.toBe(OTHER);
    // The store knew it, and its file did not have its name yet.
    renameSync(join(dir, "secret"), join(dir, "secret.begun"));
    expect(await opened({ DATA_DIR: dir }, (at) => at.secret.toString("hex"))).toBe(secret);
    expect(statSync(join(dir, "secret")).mode & 0o777).toBe(0o600);
    expect(existsSync(join(dir, "secret.begun"))).toBe(false);
  });

  it("is noticed where it is another's, on either store; one that was changed names the one before", async () => {
    const database = `signalmesh_root_${process.pid}`;
    const server = process.env["MONGO_URL"]?.replace(/\/[^/]*$/, "");
    const mongo: Settings = server ? { MONGO_URL: `${server}/${database}` } : {};
    const at = { DATA_DIR: folder(), ...mongo };
    try {
      await ready({ ...at, SECRET: OLD });
      const why = await refusal({ ...at, SECRET: NEW });
      expect(why).toMatch(
        /another root secret \(fingerprint [0-9a-f]{16}\) than that of SECRET \([0-9a-f]{16}\).*SECRET_PREVIOUS/,
      );
      expect(why).not.toContain(OLD.slice(0, 8));
      expect(await refusal({ ...at, SECRET: NEW, SECRET_PREVIOUS: OTHER })).toContain("another root secret");
      await ready({ ...at, SECRET: NEW, SECRET_PREVIOUS: `${OTHER},!${OLD}` });
      await ready({ ...at, SECRET: NEW });
      const [, print] = /SECRET_LOST=([0-9a-f]{16})/.exec(await refusal({ ...at, SECRET: OTHER }))!;
      await ready({ ...at, SECRET: OTHER, SECRET_LOST: print! });
      expect(await refusal({ ...at, SECRET: NEW, SECRET_LOST: print! })).toContain("another root secret");
    } finally {
      if (mongo["MONGO_URL"]) {
        const client = await MongoClient.connect(mongo["MONGO_URL"]);
        await client.db().dropDatabase();
        await client.close();
      }
    }
  });

  it("that gave way is missed until it is named again or given up, and the log says what it takes along", async () => {
    const at = { DATA_DIR: folder() };
    const missed = (settings: Settings) => opened({ ...at, ...settings }, (world) => world.missingSecrets);
    expect(await missed({ SECRET: OLD })).toEqual([]);
    expect(await missed({ SECRET: NEW, SECRET_PREVIOUS: `!${OLD}` })).toEqual([]);
    const [print] = await missed({ SECRET: NEW });
    expect(await missed({ SECRET: OTHER, SECRET_PREVIOUS: `${NEW},${OLD}` })).toEqual([]);
    expect(await missed({ SECRET: OTHER })).toEqual([print, expect.stringMatching(/^[0-9a-f]{16}$/)]);
    const node = await startNode({ ...at, SECRET: OTHER, SECRET_PREVIOUS: NEW });
    await node.stop();
    expect(node.log.match(/SECRET_PREVIOUS lacks a former root secret \(fingerprint [0-9a-f]{16}\)/g)).toHaveLength(1);
    expect(node.log).toContain(`SECRET_LOST=${print} gives it up.`);
    expect(await missed({ SECRET: OTHER, SECRET_PREVIOUS: NEW, SECRET_LOST: print! })).toEqual([]);
    expect(await missed({ SECRET: OTHER, SECRET_PREVIOUS: NEW })).toEqual([]);
  }, 60_000);

  it("of several nodes at their first start is one", async () => {
    const DATA_DIR = folder();
    const under = (SECRET: string): Promise<string> =>
      opened({ DATA_DIR, SECRET }, () => SECRET).catch((error: Error) => error.message);
    const secrets = await Promise.all([OLD, NEW].map(under));
    expect(secrets.filter((one) => [OLD, NEW].includes(one))).toHaveLength(1);
    expect(secrets.filter((one) => one.includes("another root secret"))).toHaveLength(1);
  });
});

describe("a store", () => {
  const damaged = (change: (dir: string, file: string) => void) => async (): Promise<string> => {
    const dir = await used();
    change(dir, inStore(dir));
    return refusal({ DATA_DIR: dir });
  };
  const overwrite = (file: string, at: number, bytes: Buffer): void => {
    const handle = openSync(file, "r+");
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
  };
  /** The page where a table begins, counted from 1. */
  const rootOf = (file: string, table: string): number => {
    const database = new DatabaseSync(file, { readOnly: true });
    const { rootpage } = database.prepare("select rootpage from sqlite_schema where name = ?").get(table)!;
    database.close();
    return Number(rootpage);
  };
  const run = (file: string, sql: string): void => {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  };
  const inItsPlace = (file: string): void => {
    rmSync(file);
    mkdirSync(file);
  };
  const NOT_WHOLE = /signalmesh\.db is (damaged|not whole).*npm run restore/,
    DAMAGED = /signalmesh\.db is damaged/;
  const DIARY = "Dear diary, ".repeat(1_000),
    NOISE = Buffer.alloc(12, 0xee);
  const OF_INDEX = /The search index in .* cannot be used.*Move search\*\.db away/;

  it.each([
    [
      "half of it is there",
      damaged((_, file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)),
      NOT_WHOLE,
    ],
    [
      "half of a page is missing too",
      damaged((_, file) => truncateSync(file, (statSync(file).size >> 1) + 77)),
      NOT_WHOLE,
    ],
    ["it is a text", damaged((_, file) => writeFileSync(file, DIARY)), /signalmesh\.db is no store.*Is DATA_DIR right/],
    ["it is a short text", damaged((_, file) => writeFileSync(file, "no")), /signalmesh\.db is no store/],
    ["it is a folder", damaged((_, file) => inItsPlace(file)), /signalmesh\.db is no file/],
    ["its header is overwritten", damaged((_, file) => overwrite(file, 100, NOISE)), DAMAGED],
    [
      "the root of a collection is overwritten",
      damaged((_, file) => overwrite(file, (rootOf(file, "things") - 1) * 4096, NOISE)),
      DAMAGED,
    ],
    [
      "it is of a newer version",
      damaged((_, file) => run(file, "pragma user_version = 99")),
      /written by a newer version/,
    ],
    [
      "it is gone, and its log is there",
      damaged((_, file) => renameSync(file, `${file}-wal`)),
      /lost or empty, and its log is there/,
    ],
    ["its search index is a folder", damaged((dir) => inItsPlace(join(dir, "search.db"))), OF_INDEX],
    ["its search index is a text", damaged((dir) => writeFileSync(join(dir, "search.db"), DIARY)), OF_INDEX],
  ])("is refused where %s", async (_, why, words) => {
    expect(await why()).toMatch(words);
  });

  it("of a killed process is looked through where it is small: what lies deeper is found", async () => {
    const dir = await used(),
      file = inStore(dir),
      copy = folder();
    const database = new DatabaseSync(file);
    database.exec("update _pings set pings = pings + 1");
    mkdirSync(copy);
    // The log is still there, as of a process that was killed, and a page in the middle is not what it was.
    for (const side of ["", "-wal"]) copyFileSync(`${file}${side}`, inStore(copy, side));
    copyFileSync(join(dir, "secret"), join(copy, "secret"));
    database.close();
    expect(await things(dir)).toBe(2_000);
    overwrite(inStore(copy), 4096 * Math.floor(statSync(file).size / 8192), Buffer.alloc(4096, 0xee));
    expect(await refusal({ DATA_DIR: copy })).toMatch(/signalmesh\.db is damaged: /);
  });
});

describe("a folder", () => {
  it("that cannot be made is refused, below /proc too, where Node's own way never comes back", async () => {
    writeFileSync(join(root, "file"), "");
    expect(await refusal({ DATA_DIR: join(root, "file", "below") })).toMatch(/cannot be a folder: .*file is a file/);
    expect(await refusal({ DATA_DIR: "/proc/signalmesh/data" })).toMatch(
      /The folder \/proc\/signalmesh\/data cannot be made \(E\w+\)/,
    );
  });

  it.each([
    [
      "that can only be read",
      "",
      0o555,
      /^Signalmesh did not start: The folder .* cannot be written to by this process \(EACCES\)/,
    ],
    [
      "whose secret is another's",
      "secret",
      0o000,
      /^Signalmesh did not start: The root secret .*secret cannot be read \(EACCES\)/,
    ],
  ])("%s is refused in one line, with exit 1", async (_, name, mode, words) => {
    const dir = await used();
    // Who may do everything is not kept out by the mode of a file.
    // Started from the sources: nobody may not write the bundle either, and that would be a line more.
    const nobody = process.getuid!() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    chmodSync(root, 0o755);
    if (nobody.uid) for (const each of ["", ...readdirSync(dir)]) chownSync(join(dir, each), NOBODY, NOBODY);
    chmodSync(join(dir, name), mode);
    const options = { env: { PATH: process.env["PATH"]!, PORT: "0", DATA_DIR: dir }, timeout: 60_000, ...nobody };
    const ended = promisify(execFile)(process.execPath, ["scripts/start.ts", "--sources"], options).then(() => ({
      code: 0,
      stderr: "",
    }));
    const { code, stderr } = await ended.catch((error: { code: number; stderr: string }) => error);
    expect([code, stderr.trim().split("\n").length, stderr]).toEqual([1, 1, expect.stringMatching(words)]);
    chmodSync(dir, 0o755);
  });

  it("is one process's at a time: the second names the first, a console works beside it, and a kill gives it back", async () => {
    const DATA_DIR = folder();
    const node = await startNode({ DATA_DIR });
    try {
      expect(await refusal({ DATA_DIR })).toMatch(new RegExp(`is in use by process ${node.pid} on \\S+: .*DATA_DIR`));
      const guest = await openWorld(readEnv({ DATA_DIR }), { guest: true });
      await guest.documents.ping();
      await guest.close();
      expect(await signIn(node.url)).toEqual(expect.any(String));
      expect(await refusal({ DATA_DIR })).toContain(`process ${node.pid}`);
    } finally {
      await node.kill();
    }
    await opened({ DATA_DIR }, async (first) => {
      // Nodes of one process share it.
      await opened({ DATA_DIR }, (second) => expect(second.secret).toEqual(first.secret));
      await first.documents.ping();
    });
  });
});

itInside(
  "the first administrator's id cannot be known beforehand, and two nodes at their first start make one",
  async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), "signalmesh-first-"));
    const [one, two] = await Promise.all(["one", "two"].map((NODE_ID) => world({ DATA_DIR, NODE_ID })));
    try {
      const asked = [one!, two!].map(async (at) => (await at.http("GET", "/api/auth/me")).body.data.userId as string);
      const [first, second] = await Promise.all(asked);
      expect(second).toBe(first);
      expect(first).not.toBe(derivedId("first administrator"));
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    } finally {
      await two!.stop({ keep: true });
      await one!.stop();
    }
  },
);

it("work and leases of the process before are free at once, but not of one that has the folder as well", async () => {
  const settings = { DATA_DIR: folder() };
  const jobsOf = ({ documents, clock }: World, node: string) => new JobRecords(documents, clock, node, 3_600_000);
  const leasesOf = ({ documents, clock }: World, node: string) => new Leases(documents, clock, node);
  await opened(settings, async (at) => {
    for (const [kind, id] of [
      ["news.a", "first"],
      ["news.b", "second"],
    ] as const) {
      await jobsOf(at, "before").add(kind, {}, { by: "ann", id });
      expect(await jobsOf(at, "before").claim(kind, [])).toMatchObject({ id, fence: 1 });
    }
    expect(await leasesOf(at, "before").take("sweep", 3_600_000)).toBe(1);
    // Another node of this process: what the first does is its own.
    await opened(settings, async (beside) => {
      expect(await jobsOf(beside, "beside").claim("news.a", [])).toBeNull();
      expect(await leasesOf(beside, "beside").take("sweep", 3_600_000)).toBeNull();
    });
  });
  await opened(settings, async (at) => {
    for (const [kind, id] of [
      ["news.a", "first"],
      ["news.b", "second"],
    ] as const)
      expect(await jobsOf(at, "after").claim(kind, [])).toMatchObject({ id, status: "running", fence: 2, attempts: 2 });
    expect(await leasesOf(at, "after").take("sweep", 3_600_000)).toBe(2);
  });
});
