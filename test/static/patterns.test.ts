import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseSync } from "@swc/core";
import { check, type Parameters } from "recheck";

/** Every regular expression of the house: literals from the syntax trees, composed ones as their modules build them. */
const FOLDERS = "{core,config,edge,mesh,mixins,adapters,services,scripts,console}";
/**
 * No clock and one seed: a verdict hangs neither on how busy the machine is nor on chance. What is tried is bounded by
 * counts.
 */
const DETERMINISTIC: Parameters = {
  randomSeed: 0,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 50_000_000,
};

/** What was found safe before, by which version: a pattern is looked at once. */
const SAFE = ".cache/patterns.json";
const SAVED_EACH = 20;
const CHECKER = JSON.parse(readFileSync("node_modules/recheck/package.json", "utf8")).version as string;

interface Found {
  source: string;
  flags: string;
  file: string;
}

function literals(file: string): Found[] {
  const found: Found[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    const { type, pattern, flags } = node as { type?: string; pattern?: string; flags?: string };
    if (type === "RegExpLiteral") found.push({ source: pattern!, flags: flags!, file });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(readFileSync(file, "utf8"), { syntax: "typescript", tsx: file.endsWith("x"), target: "es2024" }));
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
  const verdict = await check(source, flags, DETERMINISTIC);
  return verdict.status === "safe"
    ? []
    : [
        `${file}: /${source}/${flags} is ${verdict.status}${verdict.status === "vulnerable" ? `, ${verdict.complexity.summary}` : ` (${verdict.error.kind})`}`,
      ];
}

const files = globSync(`${FOLDERS}/**/*.{ts,tsx,mjs}`).sort();

it("no pattern of ours takes more than linear time, whatever it is given", async () => {
  const found = files.flatMap(literals);
  found.push(...(await composed(files.filter((file) => readFileSync(file, "utf8").includes("new RegExp(")))));
  const distinct = [...new Map(found.map((one) => [`${one.flags}/${one.source}`, one])).values()];
  expect(distinct.length).toBeGreaterThan(300);
  const known = new Set<string>(existsSync(SAFE) ? JSON.parse(readFileSync(SAFE, "utf8")) : []);
  const nameOf = ({ source, flags }: Found): string => `${CHECKER} /${source}/${flags}`;
  const complaints: string[] = [];
  // What was looked at before a run was stopped need not be looked at again.
  const save = (): void => {
    mkdirSync(dirname(SAFE), { recursive: true });
    writeFileSync(SAFE, JSON.stringify([...known]));
  };
  for (const one of distinct.filter((one) => !known.has(nameOf(one)))) {
    const found = await complaint(one);
    if (found.length) complaints.push(...found);
    else if (known.add(nameOf(one)).size % SAVED_EACH === 0) save();
  }
  save();
  expect(complaints).toEqual([]);
}, 1_500_000);

it("would be told of one that does", async () => {
  expect(await complaint({ source: "\\s+$", flags: "", file: "here" })).toEqual([
    "here: /\\s+$/ is vulnerable, 2nd degree polynomial",
  ]);
  expect(await complaint({ source: "^(a+)+$", flags: "", file: "here" })).toEqual([
    expect.stringContaining("exponential"),
  ]);
});
