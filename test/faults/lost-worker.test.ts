import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { execFile } from "node:child_process";

const ROOT = join(import.meta.dirname, "../..");

/** A suite that ends its own process: at its first run, or at each. */
const dying = (folder: string, when: "once" | "always"): string => `
const { existsSync, writeFileSync } = require("node:fs");
it("lives", () => {
  const mark = ${JSON.stringify(join(folder, "died"))};
  if (${when === "once"} && existsSync(mark)) return;
  writeFileSync(mark, "");
  process.kill(process.pid, "SIGSEGV");
});`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalmesh-lost-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs suites as our tiers run them, and tells how that ended. */
async function runOf(suites: Record<string, string>): Promise<{ code: number; said: string }> {
  for (const [name, text] of Object.entries(suites)) await writeFile(join(folder, `${name}.test.js`), text);
  const config = { rootDir: folder, runner: join(ROOT, "test/runs.js"), transform: {}, maxWorkers: 2 };
  const args = [join(ROOT, "node_modules/jest/bin/jest.js"), "--config", JSON.stringify(config)];
  return promisify(execFile)(process.execPath, args, { cwd: ROOT }).then(
    ({ stderr }) => ({ code: 0, said: stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  );
}

const FINE = 'it("is fine", () => {});';

it("runs a suite once more whose worker crashed, and says so", async () => {
  const { code, said } = await runOf({ lost: dying(folder, "once"), fine: FINE });
  expect(said).toMatch(/Once more, since their worker crashed: .*lost\.test\.js/);
  expect(said).toMatch(/Tests: +2 passed, 2 total/);
  expect(code).toBe(0);
});

it("fails a suite whose worker crashes again, and one that fails by itself", async () => {
  const { code, said } = await runOf({
    lost: dying(folder, "always"),
    wrong: 'it("is wrong", () => { throw new Error("wrong"); });',
  });
  expect(said).toMatch(/FAIL .*lost\.test\.js/);
  expect(said).toMatch(/Test Suites: 2 failed, 2 total/);
  expect(code).toBe(1);
});
