import { writeFileSync } from "node:fs";
import { corpus, type Half } from "./corpus.ts";
import { read } from "./reading.ts";
import { rowsOf } from "./rows.ts";

/**
 * `node bench/judgement/news/score.ts [tune|held] [--briefing file]`: feeds the labelled corpus through the product and
 * prints what a reader may believe, for the half that weights may be chosen by and for the half that is kept apart.
 */
const wanted = process.argv.slice(2);
const halves = (["tune", "held"] as const).filter((half) => !wanted.includes(half === "tune" ? "held" : "tune"));
const file = wanted[wanted.indexOf("--briefing") + 1];

const columns: [Half, Map<string, string>][] = [];
for (const half of halves) {
  const result = await read(corpus(half));
  columns.push([half, rowsOf(result)]);
  if (wanted.includes("--briefing") && file) writeFileSync(`${file}.${half}.md`, result.content);
}
const names = [...columns[0]![1].keys()];
console.log(`| What | ${columns.map(([half]) => half).join(" | ")} |`);
console.log(`|---|${columns.map(() => "---").join("|")}|`);
for (const name of names) console.log(`| ${name} | ${columns.map(([, rows]) => rows.get(name)).join(" | ")} |`);
process.exit(0);
