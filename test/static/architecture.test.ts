import { existsSync, globSync, readFileSync } from "node:fs";
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
  [
    /^mesh\//,
    /^(core|config|mesh|mixins|adapters)\/|^services\/(index|migrations|gateway\/(http\/connections|pages\/health))\.ts$/,
  ],
  [/^adapters\//, /^(core|config|adapters|mesh\/private)\//],
  // It runs in browsers, and knows of the server what the API says.
  [/^console\//, /^console\/|^data\/(graph|starter)\//],
  // The other side of a line: it knows of the hub what the protocol says.
  [/^edge\//, /^(core|config|adapters|edge)\//],
  [/^services\/index\.ts$/, /^(core|config)\//],
  [/^services\/gateway\//, /^(core|config|mixins|adapters|mesh\/private)\/|^services\/gateway\/(?!.*\.service\.ts)/],
  [/^services\/.*(\.service|\.actions)\.ts$/, /^(core|config|mixins|adapters)\/|^services\/(?!.*\.service\.ts)/],
  [
    /^services\//,
    /^(core|config|adapters|data\/(frameworks|graph|mdmp|resources|scenarios))\/|^services\/(?!.*\.service\.ts)/,
  ],
];

const files = globSync("{core,config,console,edge,mesh,mixins,adapters,services}/**/*.{ts,tsx}")
  .sort()
  .map((file) => [file, readFileSync(file, "utf8")] as const);

/** What a file imports from within the house, types too. */
const inwardOf = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map(([, path]) =>
    normalize(join(dirname(file), path!)),
  );

/** What a file has to load before it can run: types are gone by then. */
const valuesFrom = (file: string, text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\s+(?!type\b)([^;"]*?)\s*from\s+"(\.[^"]+)";/gm)]
    .filter(([, names]) => !/^\{(?:\s*type\s[^,}]*,?)*\s*\}$/.test(names!))
    .map(([, , path]) => normalize(join(dirname(file), path!)));

it.each(files)("%s imports only what its folder may", (file, text) => {
  const rule = MAY_IMPORT.find(([where]) => where.test(file))![1];
  expect(inwardOf(file, text).filter((path) => !rule.test(path))).toEqual([]);
});

/** The domain that a file belongs to; the gateway is one. Undefined for what lies above them all. */
const domainOf = (path: string): string | undefined => /^services\/(gateway|[^/]+\/[^/]+)\//.exec(path)?.[1];
interface Crossing {
  file: string;
  path: string;
  from: string;
  to: string;
}
const crossing = files.flatMap(([file, text]) =>
  inwardOf(file, text).flatMap((path): Crossing[] => {
    const from = domainOf(file),
      to = domainOf(path);
    return from && to && from !== to ? [{ file, path, from, to }] : [];
  }),
);

/**
 * The arrows on circles and between them: what stays when those from and to loose ends are taken away, again and again.
 */
function circles(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  const went = new Set(arrows.map(([from]) => from)),
    came = new Set(arrows.map(([, to]) => to));
  const left = arrows.filter(([from, to]) => from !== to && came.has(from) && went.has(to));
  return left.length < arrows.length ? circles(left) : [...new Set(left.map((arrow) => arrow.join(" -> ")))].sort();
}

describe("walls between domains", () => {
  it("are passed at the public face alone: events and client", () => {
    const faces = ({ to }: Crossing): string[] => ["events.ts", "client.ts"].map((face) => `services/${to}/${face}`);
    const inner = crossing.filter((one) => !faces(one).includes(one.path));
    expect(inner.map(({ file, path }) => `${file} imports ${path}`)).toEqual([]);
  });

  it("have no circles between domains, nor between areas", () => {
    expect(
      circles([
        ["a", "b"],
        ["b", "c"],
        ["c", "b"],
        ["c", "d"],
      ]),
    ).toEqual(["b -> c", "c -> b"]);
    expect(circles(crossing.map(({ from, to }) => [from, to] as const))).toEqual([]);
    expect(circles(crossing.map(({ from, to }) => [from.split("/")[0]!, to.split("/")[0]!] as const))).toEqual([]);
  });

  it("have no circles between files: whichever is loaded first, what it needs is there", () => {
    const arrows = files.flatMap(([file, text]) => valuesFrom(file, text).map((path) => [file, path] as const));
    expect(circles(arrows)).toEqual([]);
  });

  it("show faces that somebody looks at", () => {
    const faces = files.map(([file]) => file).filter((file) => /^services\/[^/]+\/[^/]+\/client\.ts$/.test(file));
    expect(faces.filter((face) => !crossing.some(({ path }) => path === face))).toEqual([]);
  });

  it("hold no more than 15 files side by side", () => {
    const paths = files.map(([file]) => file);
    const full = [...Map.groupBy(paths, (file) => dirname(file))].filter(([, inside]) => inside.length > 15);
    expect(full.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([]);
  });
});

it.each(files.filter(([file]) => file.endsWith(".service.ts")))("%s is named after its place", (file, text) => {
  const domain = file.split("/").at(-1)!.replace(".service.ts", "");
  expect(file).toMatch(new RegExp(`^services/[a-z]+/(${domain}/)?${domain}\\.service\\.ts$`));
  expect(text).toMatch(new RegExp(`name: "${domain}"`));
});

it("only the settings module reads the environment", () => {
  expect(
    files.filter(([file, text]) => file !== "config/env.ts" && /process\.env/.test(text)).map(([file]) => file),
  ).toEqual([]);
});

it("says one version everywhere", () => {
  expect(JSON.parse(readFileSync("package.json", "utf8")).version).toBe(VERSION);
});

it("explains each word of the glossary once, by places that exist", () => {
  const rows = readFileSync("docs/glossary.md", "utf8")
    .split("\n")
    .filter((line) => /^\| (?!term|-)/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  expect(rows.filter(({ length }) => length !== 4)).toEqual([]);
  const terms = rows.map(([term]) => term);
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
  const places = rows.flatMap(([, , , place]) =>
    [...place!.matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, path]) => path!),
  );
  expect(places.filter((path) => !existsSync(path))).toEqual([]);
});

it("numbers decision records once each, as their titles do", () => {
  const records = globSync("docs/adr/[0-9]*.md").sort();
  const numbers = records.map((file) => /(\d{4})-/.exec(file)![1]!);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  expect(records.filter((file, at) => !readFileSync(file, "utf8").startsWith(`# ${Number(numbers[at])}. `))).toEqual(
    [],
  );
});

it("reaches what other packages do not promise in mesh/private alone", () => {
  const parts =
    /\._(?:sender|socket|handle)\b|\b(?:writeBuffer|pendingRequests|removePendingRequest|regenerateLocalRawInfo|checkRemoteNodes|startHrTime|localServiceChanged|PROTOCOL_VERSION)\b/;
  expect(
    files.filter(([file, text]) => !file.startsWith("mesh/private/") && parts.test(text)).map(([file]) => file),
  ).toEqual([]);
});
