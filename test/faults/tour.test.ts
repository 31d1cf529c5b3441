import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serveDemo } from "../tour.ts";
import { eventually } from "../mesh.ts";

// The README's tour, word for word: its commands in their order, in one shell, show what it says that they show.

const shell = ["bash", "curl"].every((name) => spawnSync(name, ["--version"]).status === 0);
const itInShell = shell ? it : it.skip;

interface Step {
  command: string;
  shows: string[];
}
const README = readFileSync("README.md", "utf8");
/** Each block of commands, with the lines of the block of text that follows it. */
const [START, ...STEPS] = [...README.matchAll(/^```sh\n([^]*?)^```\n(?:```text\n([^]*?)^```\n)?/gm)].map(
  ([, command, text = ""]): Step => ({ command: command!.trim(), shows: text.split("\n").filter(Boolean) }),
);

const folder = mkdtempSync(join(tmpdir(), "signalmesh-tour-"));
const children: ChildProcess[] = [];
const env = { PATH: `${resolve("node_modules/.bin")}:${process.env["PATH"]}`, HOME: folder };

/** Runs the first command of the tour, on a free port; answers where the API is. */
async function platform(): Promise<string> {
  const [npm, run, name, dashes, ...args] = START!.command.split(" ");
  expect([npm, run, name, dashes]).toEqual(["npm", "run", "demo", "--"]);
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const script = resolve(scripts["demo"]!.replace("exec node ", ""));
  expect([script, ...args]).toEqual([resolve("scripts/demo.ts"), "serve"]);
  const { child, api } = await serveDemo(folder, env);
  children.push(child);
  return api;
}

/** A shell that is told one block after another, and answers what each printed. */
function terminal(): (block: string) => Promise<string> {
  const bash = spawn("bash", { env, cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  children.push(bash);
  let out = "";
  bash.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  return async (block) => {
    out = "";
    bash.stdin.write(`${block}\necho --told--\n`);
    const told = await eventually(
      () => out,
      (text) => text.endsWith("--told--\n"),
      60_000,
    );
    return told.slice(0, -"--told--\n".length);
  };
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The lines that are told and were not shown, in their order; `…` stands for anything. */
function missing(shows: readonly string[], shown: string): string[] {
  const lines = shown.split("\n");
  let at = 0;
  return shows.filter((line) => {
    const pattern = new RegExp(`^${line.split("…").map(literally).join(".*")}$`);
    const found = lines.findIndex((one, index) => index >= at && pattern.test(one));
    if (found >= 0) at = found + 1;
    return found < 0;
  });
}

afterAll(async () => {
  const ended = children
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    .map(async (child) => {
      const exit = once(child, "exit");
      child.kill();
      await exit;
    });
  await Promise.all(ended);
  rmSync(folder, { recursive: true, force: true });
});

itInShell(
  "the README's tour can be followed word for word, and shows what it says",
  async () => {
    expect(STEPS.length).toBeGreaterThan(10);
    expect(STEPS.filter(({ shows }) => !shows.length)).toEqual([]);
    const api = await platform();
    const tell = terminal();
    for (const { command, shows } of STEPS) {
      const shown = await tell(
        command.replaceAll("http://127.0.0.1:3000/api", api).replace("curl -sN ", "curl -sN --max-time 5 "),
      );
      expect({ command, missing: missing(shows, shown), shown }).toEqual({ command, missing: [], shown });
    }
  },
  300_000,
);
