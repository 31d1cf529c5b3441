import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { AREAS } from "../config/env.ts";
import { filesOf, nounOf, permitOf, withNoun } from "./noun.ts";

/**
 * `npm run new workspace/patrols`, or `workspace/command/patrols` for a noun of a domain: writes the noun, its service,
 * its events with the words of the activity, the requests and planted records for the claims, a story and its permit;
 * says what is left.
 */
const [place = ""] = process.argv.slice(2);
const [area = "", ...path] = place.split("/");
const [domain = "", noun = domain] = path;
const plural = /^[a-z][a-z0-9]*(-[a-z0-9]+)*s$/;
if (!AREAS.includes(area as never) || path.length > 2 || !plural.test(noun) || !/^[a-z][a-z0-9-]*$/.test(domain)) {
  console.error(
    `usage: npm run new <area>/<plural-noun> or <area>/<domain>/<plural-noun>, with an area of ${AREAS.join(", ")}`,
  );
  process.exit(2);
}
const home = `services/${area}/${domain}`;
const service = `${home}/${domain}.service.ts`;
const known = existsSync(service);
const inFolders = known && readdirSync(home, { withFileTypes: true }).some((entry) => entry.isDirectory());
const one = nounOf(area, domain, noun, inFolders ? "folder" : "flat");

const files = filesOf(one, { service: !known });
const taken = Object.keys(files).find((file) => existsSync(file)) ?? (known && !one.shared ? service : undefined);
if (taken) {
  console.error(`${taken} exists already.`);
  process.exit(1);
}
for (const [file, text] of Object.entries(files)) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(`wrote ${file}`);
}

const left: string[] = [];
/** Changes a file that stands already; where its form is not the expected one it stays, and the line is left to do. */
async function change(file: string, line: string, edit: (text: string) => string | undefined): Promise<void> {
  const text = await readFile(file, "utf8");
  const changed = edit(text);
  if (changed === undefined) left.push(`${file}: add ${line}`);
  else if (changed !== text) {
    await writeFile(file, changed);
    console.log(`changed ${file}`);
  }
}
const { variable, type } = one;
const parts = `${type} to \`entities\`, eventsIn(${variable}Noun) to \`tells\`, ...${variable}Actions to \`actions\``;
if (known) await change(service, parts, (text) => withNoun(text, one));
const permit = permitOf(one);
await change(permit.file, permit.line.trim(), permit.grant);

left.push(
  `${permit.file}: look whether the right roles hold "${noun}:edit"`,
  `${one.folder}/${noun}.ts: give it its own fields`,
  ...(known ? [] : [`${service}: say in \`metadata.description\` what the domain is for`]),
  "test/claims/access.md: UPDATE_ACCESS=1 npm test -- test/claims/access.test.ts, then read the difference",
  "npm run format, then npm run check",
);
console.log(`\nLeft to do:\n${left.map((line) => `- ${line}`).join("\n")}`);
