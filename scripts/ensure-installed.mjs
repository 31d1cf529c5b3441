// Runs on whatever Node the machine has, before any script of ours: installs the packages that are missing or do not
// fit the lock file. Node itself is one of them (npm package `node`), so everything after this runs on the pinned one.
// Without an argument those that running needs; with `all`, or where they are there already, those of tests, benches and
// checks too.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const REPORT_MS = 3_000;
const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined);
const present = read("node_modules/.package-lock.json");
const all = process.argv[2] === "all" || Object.values(present?.packages ?? {}).some(({ dev }) => dev);

/** Packages that this machine must have, by their place; what is optional may fit other platforms alone. */
function wanted() {
  const packages = Object.entries(read("package-lock.json")?.packages ?? {});
  const needed = ({ optional, dev, devOptional }) => !optional && (all || !(dev || devOptional));
  return packages.filter(([path, one]) => path !== "" && needed(one));
}

/** Whether every package that is wanted stands in node_modules in the locked version. */
function installed() {
  if (!present || !existsSync("package-lock.json") || !existsSync("node_modules/.bin/node")) return false;
  return wanted().every(([path, { version }]) => present.packages[path]?.version === version);
}

/** Runs npm, and says each few seconds how far it is; what npm has to say comes last, when it failed. */
function npm(...args) {
  const [began, places] = [Date.now(), wanted().map(([path]) => path)];
  const report = setInterval(() => {
    const there = places.filter((path) => existsSync(`${path}/package.json`)).length;
    const how = there < places.length ? `${there} of ${places.length} packages` : "all packages there, npm finishes";
    console.error(`  ${how}, ${Math.round((Date.now() - began) / 1000)} s`);
  }, REPORT_MS);
  const options = { stdio: ["ignore", "inherit", "pipe"], shell: process.platform === "win32" };
  const flags = [all ? "--include=dev" : "--omit=dev", "--no-fund", "--no-audit", "--loglevel=error"];
  const child = spawn("npm", [...args, ...flags], options);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ status: 1, said: `${error.message}\n` }));
    child.once("close", (status) => resolve({ status: status ?? 1, said }));
  }).finally(() => clearInterval(report));
}

if (!installed()) {
  // What is there is completed: `npm ci` would take it away first, under a platform that runs on it too.
  console.error(`Installing ${all ? "what tests and checks need" : "what running needs"} (once)…`);
  // `npm ci` refuses a lock file that lacks another platform's optional packages; `npm install` takes its versions.
  let done = existsSync("package-lock.json") && !present ? await npm("ci") : undefined;
  if (done?.status !== 0) done = await npm("install", "--no-save");
  if (done.status !== 0) {
    process.stderr.write(done.said);
    process.exit(done.status);
  }
}

// Scripts of ours begin with `exec`, so that what is sent to npm reaches the node behind it. cmd.exe knows no such word.
if (process.platform === "win32") writeFileSync("node_modules/.bin/exec.cmd", "@%*\r\n");
