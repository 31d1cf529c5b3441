import { spawn } from "node:child_process";
import { readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { many, median } from "../../measure.ts";

const STARTS = many(7);
/** The kernel counts a process's time in hundredths of a second. */
const TICK_MS = 10;

interface Start {
  ms: number;
  cpuMs: number;
  mb: number;
}

/** From the start of the process until it says that it is ready, on both clocks; its memory two seconds later. */
async function once(dataDir: string, flags: readonly string[]): Promise<Start> {
  const began = performance.now();
  const env = { ...process.env, PORT: "0", DATA_DIR: dataDir, INGEST_INTERVAL_MINUTES: "10000" };
  const child = spawn(process.execPath, ["scripts/start.ts", ...flags], { stdio: ["ignore", "pipe", "inherit"], env });
  const about = (file: string) => readFile(`/proc/${child.pid}/${file}`, "utf8").catch(() => "");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const ms = await new Promise<number>((resolve, reject) => {
    void ended.then(() => reject(new Error("the node did not start")));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.includes("is ready")) resolve(performance.now() - began);
    });
  });
  const [user, system] = (await about("stat")).split(") ")[1]?.split(" ").slice(11, 13).map(Number) ?? [];
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const status = await about("status");
  child.kill("SIGTERM");
  await ended;
  const kb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN);
  return { ms, cpuMs: ((user ?? Number.NaN) + (system ?? Number.NaN)) * TICK_MS, mb: kb / 1_024 };
}

export async function startup(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  const [bundle, sources]: [Start[], Start[]] = [[], []];
  // The first of each makes the bundle and compiles, and is not counted.
  for (let n = 0; n <= STARTS; n++) {
    for (const [runs, flags] of [
      [bundle, []],
      [sources, ["--sources"]],
    ] as const) {
      const run = await once(dataDir, flags);
      if (n > 0) runs.push(run);
    }
  }
  await rm(dataDir, { recursive: true, force: true });
  const row = (what: string, of: (run: Start) => number, unit: string) =>
    `| ${what} | ${[bundle, sources].map((runs) => `${Math.round(median(runs.map(of)))} ${unit}`).join(" | ")} |`;
  type Locked = Record<string, { optional?: true; dev?: true; devOptional?: true }>;
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as { packages: Locked };
  const all = Object.entries(packages)
    .filter(([path, { optional }]) => path && !optional)
    .map(([, one]) => one);
  const toRun = all.filter(({ dev, devOptional }) => !dev && !devOptional);
  return [
    "## Start and memory",
    "",
    `Median of ${STARTS} starts of the whole platform in one process, in turns, on data that is there.`,
    "",
    "| What | as `npm start` does, from the bundle | from the sources |",
    "|---|---|---|",
    row("ready after", ({ ms }) => ms, "ms"),
    row("processor time until ready", ({ cpuMs }) => cpuMs, "ms"),
    row("memory at rest", ({ mb }) => mb, "MB"),
    "",
    "The aims are 1.5 s and 250 MB with the whole catalogue.",
    "",
    `\`npm start\` needs ${toRun.length} packages, \`npm test\` ${all.length}; without those of single platforms.`,
    "",
  ].join("\n");
}

if (import.meta.main) console.log(await startup());
