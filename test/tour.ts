import { spawn, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { eventually } from "./mesh.ts";

/**
 * The platform of the README's tour, `npm run demo -- serve`, on a free port with its data below `folder`; answers its
 * process and what it says of where it is.
 */
export async function serveDemo(
  folder: string,
  env: NodeJS.ProcessEnv = { PATH: process.env["PATH"] },
): Promise<{ child: ChildProcess; api: string; home: string }> {
  const options = { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] as ["ignore", "pipe", "inherit"] };
  const child = spawn("node", [resolve("scripts/demo.ts"), "serve", "0"], options);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  const said = (what: string) => new RegExp(`${what} +(http:\\S+)`).exec(out)?.[1];
  const found = await eventually(
    () => said("Browser"),
    (at) => at !== undefined || child.exitCode !== null,
  ).catch(() => undefined);
  if (!found) {
    child.kill();
    throw new Error(`The demo did not get ready: ${out}`);
  }
  return { child, api: said("API")!, home: said("Browser")! };
}
