import { spawn } from "node:child_process";
import { readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { median } from "./measure.ts";

const STARTS = 7;

/** From the start of the process to the line that says it is ready, and its memory at rest two seconds later. */
async function once(dataDir: string): Promise<{ ms: number; mb: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, ["scripts/start.ts"], { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, PORT: "0", DATA_DIR: dataDir, INGEST_INTERVAL_MINUTES: "10000" } });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const ms = await new Promise<number>((resolve, reject) => {
    void ended.then(() => reject(new Error("the node did not start")));
    createInterface({ input: child.stdout }).on("line", (line) => { if (line.includes("is ready")) resolve(performance.now() - began); });
  });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
  child.kill("SIGTERM");
  await ended;
  return { ms, mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_024 };
}

export async function startup(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "signalmesh-bench-"));
  await once(dataDir);
  const runs = [];
  for (let n = 0; n < STARTS; n++) runs.push(await once(dataDir));
  await rm(dataDir, { recursive: true, force: true });
  return ["## Start and memory", "", `Median of ${STARTS} starts of the whole platform in one process.`, "", "| What | |", "|---|---|", `| ready after | ${Math.round(median(runs.map(({ ms }) => ms)))} ms |`, `| memory at rest | ${Math.round(median(runs.map(({ mb }) => mb)))} MB |`, ""].join("\n");
}

if (import.meta.main) console.log(await startup());
