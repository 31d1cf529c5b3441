import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { eventually } from "../mesh.ts";

// The README's tour, word for word: its blocks in their order, in one shell, but for ports and folder.
const shell = ["bash", "curl"].every((name) => spawnSync(name, ["--version"]).status === 0);
const itInShell = shell ? it : it.skip;

const blocks = [...readFileSync("README.md", "utf8").matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block!);
const [START, FEEDS, ...REST] = blocks;

/** What each block must come to show; read again until then, where it only reads. */
const SHOWS = [
  /"roles":\["system_admin"\]/,
  /"created":\[\{"id":1,.*"failed":\[\]/,
  /"outcome":"fetched"[^]*"title":/,
  /Nine <mark>hospitals<\/mark>/,
  /"status":"generating"/,
  /^# Briefing,[^]*## In brief/,
  /claims are confirmed[^]*'Source: Ward Round/,
  /"briefing":"# Briefing,/,
  /"role":"analyst"[^]*"status":"member"/,
  /"name":"Dam safety"[^]*\[ 'Evacuate zone A' \]\n\[.*'Watch the Lipno dam'/,
  /^The blocking assumption .* The decision gate "Evacuation order released" is open\.$/m,
  /event: message\.published[^]*"vehicles":12/,
];
/** Blocks that wait for what goes on behind an answer. */
const READS = new Set([2, 3, 5]);

const folder = mkdtempSync(join(tmpdir(), "signalmesh-tour-"));
const children: ChildProcess[] = [];
const PATH = `${resolve("node_modules/.bin")}:${process.env["PATH"]}`;

/** Runs one of the README's long-lived commands; answers where its line says that it listens. */
async function running(command: string, line: RegExp): Promise<string> {
  const last = command.split("\n").at(-1)!;
  const told = command.replace(last, `exec env ${last}`);
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
  const child = spawn("bash", ["-c", told], { env: { PATH, PORT: "0", HOME: folder }, stdio });
  children.push(child);
  let out = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  return (await eventually(
    () => line.exec(out),
    (found) => found !== null,
    60_000,
  ))![1]!;
}

/** A shell that is told one block after another, and answers what each printed. */
function terminal(): (block: string) => Promise<string> {
  const bash = spawn("bash", { env: { PATH, HOME: folder }, cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  children.push(bash);
  let out = "";
  bash.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  return async (block) => {
    out = "";
    bash.stdin.write(`${block}\necho --told--\n`);
    return (
      await eventually(
        () => out,
        (text) => text.endsWith("--told--\n"),
        60_000,
      )
    ).slice(0, -"--told--\n".length);
  };
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
  "the README's tour can be followed word for word",
  async () => {
    expect(REST).toHaveLength(SHOWS.length);
    const start = START!.replace("./data/tour", `${folder}/data`).replace("npm start", "node scripts/start.ts").trim();
    const serve = FEEDS!.replace("npm run demo -- feeds", "node scripts/demo.ts feeds 0").trim();
    const api = await running(start, /API +(http:\S+)/);
    const feeds = await running(serve, /(http:\S+)\/feeds\.opml/);
    const tell = terminal();
    for (const [at, block] of REST.entries()) {
      const command = block
        .replaceAll("http://127.0.0.1:3000/api", api)
        .replaceAll("http://127.0.0.1:3010", feeds)
        .replace("curl -sN ", "curl -sN --max-time 5 ");
      const shows = SHOWS[at]!;
      const shown = await (READS.has(at)
        ? eventually(
            () => tell(command),
            (text) => shows.test(text),
            60_000,
          )
        : tell(command));
      expect(shown).toMatch(shows);
    }
  },
  300_000,
);
