import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "installing-"));
afterAll(() => rmSync(folder, { recursive: true }));

const runs = { "node_modules/undici": { version: "7.0.1" } };
const tests = { "node_modules/jest": { version: "30.0.0", dev: true } };

/** What npm is asked for where these packages are there, by a stand-in that only notes it. */
function asked(present: object | undefined): string {
  rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { ...runs, ...tests } }));
  if (present) {
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages: present }));
  }
  writeFileSync(join(folder, "npm"), `#!/bin/sh\necho "$@" > ${join(folder, "asked")}\n`, { mode: 0o755 });
  const env = { PATH: [folder, process.env["PATH"]].join(delimiter) };
  const { status, stderr } = spawnSync(process.execPath, [resolve("scripts/ensure-installed.mjs")], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  expect([status, stderr.split("\n")[0]]).toEqual([0, expect.stringMatching(/^Installing what /)]);
  return readFileSync(join(folder, "asked"), "utf8");
}

it("an upgrade completes the packages that are there, under a platform that may run on them, and takes none of tests away", () => {
  const older = { "node_modules/undici": { version: "7.0.0" } };
  expect(asked(undefined)).toMatch(/^ci --omit=dev /);
  expect(asked(older)).toMatch(/^install --no-save --omit=dev /);
  expect(asked({ ...older, ...tests })).toMatch(/^install --no-save --include=dev /);
});
