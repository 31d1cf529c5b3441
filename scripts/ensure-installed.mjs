// Runs on whatever Node the machine has, before any script of ours: installs the dependencies when they are missing or do not
// fit the lock file. Node itself is one of them (npm package `node`), so that everything after this runs on the pinned one.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined);

/** Whether every package that the lock file names for this platform stands in node_modules in that version. */
function installed() {
  const lock = read("package-lock.json");
  const present = read("node_modules/.package-lock.json");
  if (!lock || !present || !existsSync("node_modules/.bin/node")) return false;
  return Object.entries(lock.packages).every(([path, wanted]) => path === "" || wanted.optional || present.packages[path]?.version === wanted.version);
}

if (!installed()) {
  console.error("Installing dependencies (once)…");
  const npm = (...args) => spawnSync("npm", [...args, "--no-fund", "--no-audit", "--loglevel=error"], { stdio: ["ignore", "inherit", "pipe"], shell: process.platform === "win32" });
  // `npm ci` refuses a lock file that lacks another platform's optional packages; `npm install` takes the locked versions all the same.
  let done = existsSync("package-lock.json") ? npm("ci") : undefined;
  if (done?.status !== 0) done = npm("install", "--no-save");
  if (done.status !== 0) {
    process.stderr.write(done.stderr);
    process.exit(done.status ?? 1);
  }
}
