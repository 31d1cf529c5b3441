import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { figuresOf, ratio, type Figures, type Readers, type Share } from "./figures.ts";

/**
 * `node bench/judgement/feeds/score.ts [--wrong] [folder]`: how well feeds, encodings and pages are read, by the
 * adapters of this checkout or of another one. `--wrong` lists what was read wrong.
 */
const given = process.argv.slice(2);
const folder = resolve(given.find((word) => !word.startsWith("--")) ?? join(import.meta.dirname, "../../.."));
/** Where a reader lies in this checkout, else where it lay in older ones. */
const load = async (...names: string[]): Promise<Partial<Readers>> => {
  const files = names.map((name) => join(folder, "adapters/feeds", name));
  return (await import(pathToFileURL(files.find(existsSync) ?? files[0]!).href)) as Partial<Readers>;
};
const say = (...words: unknown[]) => void process.stdout.write(`  ${words.join(" | ")}\n`);
const readers = {
  ...(await load("parse.ts")),
  ...(await load("charset.ts")),
  ...(await load("html/article.ts", "article.ts")),
  ...(given.includes("--wrong") && { say }),
} as Readers;

const told = (share: Share) => `${ratio(share).toFixed(3)} (${share.right} of ${share.all})`;
const ROWS: [name: string, of: (figures: Figures) => string][] = [
  ["feeds read whole", ({ feeds }) => told(feeds)],
  ["titles", ({ titles }) => told(titles)],
  ["encodings without a declaration", ({ encodings }) => told(encodings)],
  ["of these not Unicode", ({ legacy }) => told(legacy)],
  [
    "full text: F1 (precision, recall)",
    ({ fullText: { f1, precision, recall } }) =>
      f1 === 0 ? "none" : `${f1.toFixed(3)} (${precision.toFixed(3)}, ${recall.toFixed(3)})`,
  ],
];
const [tune, held, fresh] = (["tune", "held", "fresh"] as const).map((part) => figuresOf(readers, part));
process.stdout.write("| | tune | held out | written last |\n|---|---|---|---|\n");
for (const [name, of] of ROWS) process.stdout.write(`| ${name} | ${of(tune!)} | ${of(held!)} | ${of(fresh!)} |\n`);
