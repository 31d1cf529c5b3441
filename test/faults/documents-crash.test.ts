import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  acknowledged,
  directory,
  examined,
  freshPath,
  order,
  ran,
  refused,
  UNHURT,
  withDirectories,
} from "../adapters/documents/durability.ts";
import { cuts, seeded, steps, TRACE } from "../adapters/documents/power-cut.ts";

/** How often a writer is killed, and how often the power is cut; the claims are 200 and 200. */
const KILL_CYCLES = Number(process.env["KILL_CYCLES"] ?? 10);
const POWER_CUTS = Number(process.env["POWER_CUTS"] ?? 60);

jest.setTimeout(60_000 + KILL_CYCLES * 3_000 + POWER_CUTS * 500);
withDirectories();

describe(`kill -9, ${KILL_CYCLES} times (KILL_CYCLES)`, () => {
  it("loses nothing acknowledged, tears nothing", async () => {
    const random = seeded(1);
    let dataDir = "";
    let all: string[] = [];
    for (let cycle = 0; cycle < KILL_CYCLES; cycle++) {
      // The file lives through ten kills; looking through an ever larger one would take most of the time.
      if (cycle % 10 === 0) [dataDir, all] = [directory(), []];
      const killAfter = 1 + Math.floor(random() * 600);
      const orders = { prefix: `c${cycle}-`, writers: 1 + Math.floor(random() * 32) };
      const said = await killed(
        spawn(process.execPath, order(dataDir, orders), { stdio: ["ignore", "pipe", "inherit"] }),
        killAfter,
      );
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

const hasStrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
const traced = hasStrace ? describe : describe.skip;

traced(`under strace${hasStrace ? "" : ": not installed, or not allowed to trace"}`, () => {
  const record = async (more: { careless?: boolean } = {}): Promise<string> => {
    const trace = freshPath();
    const orders = { prefix: "p", writes: 250, writers: 4, pragmas: "pragma wal_autocheckpoint = 60", ...more };
    await ran(
      spawn("strace", [...TRACE, "-o", trace, process.execPath, ...order(directory(), orders)], {
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    return trace;
  };

  /** Cuts the power at random moments of a recorded run; answers how many cuts lost or tore something acknowledged. */
  async function hurt(trace: string, count: number): Promise<number> {
    const random = seeded(7);
    const all = steps(trace);
    const ready = all.findIndex((step) => step.kind === "said");
    const at = new Set(
      Array.from({ length: count }, () => ready + 1 + Math.floor(random() * (all.length - ready - 1))),
    );
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
    expect(await hurt(await record(), POWER_CUTS)).toBe(0);
  });

  it("would lose it if nobody brought the log to the disk: the cuts do cut", async () => {
    expect(await hurt(await record({ careless: true }), 15)).toBeGreaterThan(0);
  });

  const FAULTS = ["fdatasync,fsync:error=EIO", "pwrite64:error=EIO", "pwrite64:error=ENOSPC"];
  it.each(FAULTS)("never acknowledges falsely when the disk fails now and then (%s)", async (fault) => {
    const dataDir = directory();
    const log = freshPath();
    // So many that a dozen syncs fail: of two or three each may have been a checkpoint's, which refuses no write.
    const writes = 1_200;
    const orders = { prefix: "f", writes, writers: 4, pragmas: "pragma wal_autocheckpoint = 60" };
    const inject = ["-f", "-qq", "-o", log, "-e", `inject=${fault}:when=60+23`];
    const said = await ran(
      spawn("strace", [...inject, process.execPath, ...order(dataDir, orders)], { stdio: ["ignore", "pipe", "pipe"] }),
    );
    expect(readFileSync(log, "utf8")).toContain("(INJECTED)");
    expect(refused(said).length).toBeGreaterThan(0);
    expect(acknowledged(said).length + refused(said).length).toBe(writes);
    // It goes on after a fault.
    expect(said).toMatch(/^-[^]*^\+/m);
    expect(await examined(dataDir, acknowledged(said))).toEqual(UNHURT);
  });
});
