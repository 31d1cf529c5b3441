import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync } from "@swc/core";
import { check } from "recheck";

/** Every regular expression of the house: literals from the syntax trees, composed ones as their modules build them. */
const FOLDERS = "{core,config,mixins,adapters,services,scripts}";
/** Far more than any pattern takes alone: a verdict must not hang on how busy the machine is. */
const LONGEST_CHECK_MS = 60_000;

interface Found { source: string; flags: string; file: string }

function literals(file: string): Found[] {
  const found: Found[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    const { type, pattern, flags } = node as { type?: string; pattern?: string; flags?: string };
    if (type === "RegExpLiteral") found.push({ source: pattern!, flags: flags!, file });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(readFileSync(file, "utf8"), { syntax: "typescript", target: "es2024" }));
  return found;
}

/** What modules compose while they load: `new RegExp` tells who called it. */
async function composed(modules: readonly string[]): Promise<Found[]> {
  const found: Found[] = [];
  const plain = globalThis.RegExp;
  globalThis.RegExp = new Proxy(plain, {
    construct(target, given, newTarget) {
      const made = Reflect.construct(target, given, newTarget) as RegExp;
      const caller = new Error().stack!.split("\n")[2]!;
      const file = modules.find((module) => caller.includes(resolve(module)));
      if (file) found.push({ source: made.source, flags: made.flags, file });
      return made;
    },
  });
  try {
    for (const module of modules) await import(resolve(module));
  } finally {
    globalThis.RegExp = plain;
  }
  return found;
}

async function complaint({ source, flags, file }: Found): Promise<string[]> {
  const verdict = await check(source, flags, { timeout: LONGEST_CHECK_MS });
  return verdict.status === "safe" ? [] : [`${file}: /${source}/${flags} is ${verdict.status}${verdict.status === "vulnerable" ? `, ${verdict.complexity.summary}` : ` (${verdict.error.kind})`}`];
}

const files = globSync(`${FOLDERS}/**/*.{ts,mjs}`).sort();

it("no pattern of ours takes more than linear time, whatever it is given", async () => {
  const found = files.flatMap(literals);
  found.push(...(await composed(files.filter((file) => readFileSync(file, "utf8").includes("new RegExp(")))));
  const distinct = [...new Map(found.map((one) => [`${one.flags}/${one.source}`, one])).values()];
  expect(distinct.length).toBeGreaterThan(300);
  const complaints: string[] = [];
  for (const one of distinct) complaints.push(...(await complaint(one)));
  expect(complaints).toEqual([]);
}, 600_000);

it("would be told of one that does", async () => {
  expect(await complaint({ source: "\\s+$", flags: "", file: "here" })).toEqual(["here: /\\s+$/ is vulnerable, 2nd degree polynomial"]);
  expect(await complaint({ source: "^(a+)+$", flags: "", file: "here" })).toEqual([expect.stringContaining("exponential")]);
});
