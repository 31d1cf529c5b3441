import { writeFileSync } from "node:fs";
import { corpus, HALVES, type Half } from "./corpus.ts";
import { read } from "./reading.ts";
import { rowsOf } from "./rows.ts";

/**
 * Feeds the labelled corpus through the product and tells what a reader may believe: for the part that weights may be
 * chosen by, and for the parts that are kept apart. `keep` takes each half's briefing.
 */
export async function judged(
  halves: readonly Half[] = HALVES,
  keep: (half: Half, content: string) => void = () => {},
): Promise<string> {
  const columns: [Half, Map<string, string>][] = [];
  for (const half of halves) {
    const result = await read(corpus(half));
    columns.push([half, rowsOf(result)]);
    keep(half, result.content);
  }
  const names = [...columns[0]![1].keys()];
  return [
    `| What | ${columns.map(([half]) => half).join(" | ")} |`,
    `|---|${columns.map(() => "---").join("|")}|`,
    ...names.map((name) => `| ${name} | ${columns.map(([, rows]) => rows.get(name)).join(" | ")} |`),
  ].join("\n");
}

/** The section of bench/results.md. */
export const judgement = async (): Promise<string> =>
  [
    "## Judged on a corpus",
    "",
    "Made-up articles with planted copies, contradictions, superseded figures, look-alikes, rumours and loaded wording (`bench/judgement/news`), through a node on embedded stores without a model.",
    "",
    await judged(),
    "",
  ].join("\n");

/** `node bench/judgement/news/score.ts [half…] [--briefing file]`; with SHOW=1 each miss is told. */
if (import.meta.main) {
  const wanted = process.argv.slice(2);
  const file = wanted.includes("--briefing") ? wanted[wanted.indexOf("--briefing") + 1] : undefined;
  const named = HALVES.filter((half) => wanted.includes(half));
  console.log(
    await judged(named.length ? named : HALVES, (half, content) => {
      if (file) writeFileSync(`${file}.${half}.md`, content);
    }),
  );
  process.exit(0);
}
