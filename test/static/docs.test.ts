import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { settingsPage } from "../../scripts/settings.ts";

// Plain JavaScript, as Jest reads it before anything else.
const { tier } = await import("../tiers.js" as string);

const read = (file: string): string => readFileSync(file, "utf8");

const files = globSync(["README.md", "CONTRIBUTING.md", "docs/**/*.md"]).sort();
const pages = files.map((file) => [file, read(file)] as const);
const records = globSync("docs/adr/[0-9]*.md").sort();

const FOLDERS = ".ci adapters bench config core data deploy docs edge k8s mesh mixins scripts services test".split(" ");
const PATH = `(?:${FOLDERS.join("|").replace(".", "\\.")})/[\\w./-]*\\w`;
/**
 * `core/records/store.ts:Store`: a path from the root of the repository, and behind a colon a name that is in the file.
 */
const NAMED = new RegExp(`(?<![\\w/.:@-])(${PATH})/?(?::([A-Za-z_]\\w*))?(?![\\w*<{…])`, "g");
/** Files without a folder, where nothing but their ending tells that they are files. */
const AT_ROOT = /`([\w.-]+\.(?:ts|js|json|md|yaml)|Dockerfile)`/g;
/** A path that is there, or with which names of suites begin (`test/faults/kill`), as commands take it. */
const isThere = (path: string): boolean =>
  existsSync(path) || (path.startsWith("test/") && globSync(`${path}*.test.ts`).length > 0);
const holds = (path: string, symbol: string): boolean => new RegExp(`\\b${symbol}\\b`).test(read(path));

function missing(text: string): string[] {
  const named = [...text.matchAll(NAMED)].map(([whole, path, symbol]) => ({ whole, path: path!, symbol }));
  return named
    .filter(({ path, symbol }) => !isThere(path) || (symbol && !holds(path, symbol)))
    .map(({ whole }) => whole);
}

it.each(pages)("%s names paths, and names in files, that exist", (_file, text) => {
  expect(missing(text)).toEqual([]);
});

it.each(pages.filter(([file]) => !file.startsWith("docs/adr/")))("%s names single files that exist", (_file, text) => {
  const names = [...text.matchAll(AT_ROOT)].map(([, name]) => name!);
  const isSomewhere = (name: string): boolean =>
    existsSync(name) || globSync(`**/${name}`, { exclude: ["node_modules"] }).length > 0;
  expect(names.filter((name) => !isSomewhere(name))).toEqual([]);
});

it.each(pages)("%s links to pages that exist", (file, text) => {
  const linked = [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, path]) => path!);
  expect(linked.filter((path) => !existsSync(join(dirname(file), path)))).toEqual([]);
});

it("would be told of a path, or of a name in a file, that is not there", () => {
  const text =
    "`core/problem.ts:Problem`, core/problem.ts:Solution, `core/nowhere.ts`, /api/docs/x, `services/<area>/`";
  expect(missing(text)).toEqual(["core/problem.ts:Solution", "core/nowhere.ts"]);
});

it("gives each decision record one form: title, status and date, background, decision, consequences", () => {
  const HEAD = /^# \d+\. \S.*\n\nStatus: (?:accepted|superseded by \d+) · \d{4}-\d\d-\d\d\n\n## Background\n\S/;
  const REST = /\n## Background\n\S[^]*\n## Decision\n\S[^]*\n## Consequences\n\S/;
  expect(records.filter((file) => !HEAD.test(read(file)) || !REST.test(read(file)))).toEqual([]);
});

it("lists each decision record with number, title, status and date", () => {
  const rows = records.map((file) => {
    const [, number, title, status, date] = /^# (\d+)\. (.+)\n\nStatus: (.+) · (.+)\n/.exec(read(file))!;
    return `| [${number}](${file.replace("docs/adr/", "")}) | ${title} | ${status} | ${date} |`;
  });
  expect(
    read("docs/adr/README.md")
      .split("\n")
      .filter((line) => /^\| \[/.test(line)),
  ).toEqual(rows);
});

it("has the settings of config/env.ts on their page: `npm run settings` writes it", () => {
  expect(read("docs/settings.md")).toBe(settingsPage());
});

it("names the tiers of tests with their commands and budgets", () => {
  const rows = (["stories", "console", "faults", "mesh", "static"] as const).map((name) => {
    const [, { title, minutes }] = tier(name).reporters.at(-1) as [string, { title: string; minutes: number }];
    return [name, `\`${title}\``, String(minutes)];
  });
  const shown = read("CONTRIBUTING.md").matchAll(/^\| (\w+) \| (`npm [^|]+`) \|.*\| ([\d.]+) \|$/gm);
  expect([...shown].map(([, ...cells]) => cells)).toEqual(rows);
});
