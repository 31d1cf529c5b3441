import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";

// `npm run new` in a copy of the tree: what it writes fits the types, the lint, its own story and the claims over all
// operations.

const ROOT = resolve(import.meta.dirname, "../..");
const LEFT_OUT = ["node_modules", ".git", ".cache", "coverage"];
const JEST = "node_modules/jest/bin/jest.js";
let tree: string;

/** Runs one of the tree's commands; throws with all that it said where it fails. */
async function run(file: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const asked = promisify(execFile)(file, args, { cwd: tree, maxBuffer: 1 << 26, env: { ...process.env, ...env } });
  const { stdout } = await asked.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${file} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

const node = (...args: string[]): Promise<string> => run(process.execPath, args);
const jest = (...args: string[]): Promise<string> => node(JEST, "--runInBand", "--forceExit", ...args);

beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), "new-noun-"));
  cpSync(ROOT, tree, { recursive: true, filter: (file) => !LEFT_OUT.includes(relative(ROOT, file)) });
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
  for (const place of ["workspace/patrols", "workspace/command/patrol-routes", "news/feed-notes"])
    await node("scripts/new.ts", place);
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

it("writes what the types and the lint accept", async () => {
  await node("node_modules/typescript/bin/tsc", "-p", "tsconfig.json");
  await run(join(ROOT, "node_modules/.bin/oxlint"), ["--deny-warnings"]);
  await jest("--config", "test/static/jest.config.js", "test/static/architecture");
}, 300_000);

it("tells its own story, and keeps the contract that holds for all", async () => {
  await jest("test/workspace/patrols", "test/workspace/command-patrol-routes", "test/news/feed-notes", "test/contract");
}, 600_000);

it("brings requests that the claim of idempotency takes, and needs a row of access that one command writes", async () => {
  await jest("test/claims/idempotency", "-t", "every POST|patrol|feed-notes");
  await run(process.execPath, [JEST, "--runInBand", "--forceExit", "test/claims/access", "-t", "gives each caller"], {
    UPDATE_ACCESS: "1",
  });
  const rows = readFileSync(join(tree, "test/claims/access.md"), "utf8").split("\n");
  const before = readFileSync(join(ROOT, "test/claims/access.md"), "utf8").split("\n");
  const added = rows.filter((row) => !before.includes(row)).map((row) => row.split(" | ")[0]);
  expect(added).toHaveLength(15);
  expect(before.filter((row) => !rows.includes(row))).toEqual([]);
}, 600_000);
