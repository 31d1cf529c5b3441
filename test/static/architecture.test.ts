import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { VERSION } from "../../config/version.ts";

/** Folder → what it may import from within the house. Arrows point to core; nobody imports a service. */
const MAY_IMPORT: [RegExp, RegExp][] = [
  // The only reader of the word lists.
  [/^core\/text\/lexicon\.ts$/, /^data\/lexicons\//],
  [/^core\//, /^core\//],
  [/^config\//, /^(core|config)\//],
  [/^mixins\//, /^(core|config|mixins)\//],
  // What other packages have and do not promise is reached through these functions alone.
  [/^mesh\/private\//, /^mesh\/private\//],
  [/^mesh\//, /^(core|config|mesh|mixins|adapters)\/|^services\/(index|migrations|gateway\/(http\/connections|pages\/health))\.ts$/],
  [/^adapters\//, /^(core|config|adapters|mesh\/private)\//],
  [/^services\/index\.ts$/, /^(core|config)\//],
  [/^services\/gateway\//, /^(core|config|mixins|adapters|mesh\/private)\/|^services\/gateway\/(?!.*\.service\.ts)/],
  [/^services\/.*(\.service|\.actions)\.ts$/, /^(core|config|mixins|adapters)\/|^services\/(?!.*\.service\.ts)/],
  [/^services\//, /^(core|config|adapters|data\/scenarios)\/|^services\/(?!.*\.service\.ts)/],
];

const files = globSync("{core,config,mesh,mixins,adapters,services}/**/*.ts").sort().map((file) => [file, readFileSync(file, "utf8")] as const);

it.each(files)("%s imports only what its folder may", (file, text) => {
  const rule = MAY_IMPORT.find(([where]) => where.test(file))![1];
  const inward = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, path]) => normalize(join(dirname(file), path!)));
  expect(inward.filter((path) => !rule.test(path))).toEqual([]);
});

it.each(files.filter(([file]) => file.endsWith(".service.ts")))("%s is named after its place", (file, text) => {
  const domain = file.split("/").at(-1)!.replace(".service.ts", "");
  expect(file).toMatch(new RegExp(`^services/[a-z]+/(${domain}/)?${domain}\\.service\\.ts$`));
  expect(text).toMatch(new RegExp(`name: "${domain}"`));
});

it("only the settings module reads the environment", () => {
  expect(files.filter(([file, text]) => file !== "config/env.ts" && /process\.env/.test(text)).map(([file]) => file)).toEqual([]);
});

it("says one version everywhere", () => {
  expect(JSON.parse(readFileSync("package.json", "utf8")).version).toBe(VERSION);
});

it("numbers decision records once each, as their titles do", () => {
  const records = globSync("docs/adr/*.md").sort();
  const numbers = records.map((file) => /(\d{4})-/.exec(file)![1]!);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  expect(records.filter((file, at) => !readFileSync(file, "utf8").startsWith(`# ${Number(numbers[at])}. `))).toEqual([]);
});

it("reaches what other packages do not promise in mesh/private alone", () => {
  const parts = /\._(?:sender|socket|handle)\b|\b(?:writeBuffer|pendingRequests|removePendingRequest|regenerateLocalRawInfo|checkRemoteNodes|startHrTime|localServiceChanged|PROTOCOL_VERSION)\b/;
  expect(files.filter(([file, text]) => !file.startsWith("mesh/private/") && parts.test(text)).map(([file]) => file)).toEqual([]);
});
