import { spawn } from "node:child_process";

/** Runs a demo as `npm run demo -- <name>` does; answers its exit code and what it printed. */
export function demo(...named: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ["scripts/demo.ts", ...named], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"]! },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => {
    child.once("close", (code) => resolve({ code, out, err }));
  });
}
