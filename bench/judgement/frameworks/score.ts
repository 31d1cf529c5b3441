import { readFileSync } from "node:fs";
import { join } from "node:path";
import { categorise } from "../../../services/knowledge/strategic-tools/categorising.ts";
import { lexiconNamed, type FrameworkId } from "../../../services/knowledge/strategic-tools/frameworks.ts";

export interface Row {
  half: string;
  trap: string;
  text: string;
  wanted: Record<FrameworkId, string[]>;
}
const listed = (field: string): string[] => field.split(",").filter(Boolean);
const linesOf = (file: string): string[][] =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));
const rowOf = (half: string, trap: string, [midlife, pmesii, text]: string[]): Row => ({
  half,
  trap,
  text: text!,
  wanted: { midlife: listed(midlife!), "pmesii-pt": listed(pmesii!) },
});
/** Written by people who knew no list: misses of `stranger` were read, of `second` nobody's. */
const STRANGERS = ["stranger", "second"];
export const rows: readonly Row[] = [
  ...linesOf("texts.tsv").map(([half, trap, ...rest]) => rowOf(half!, trap!, rest)),
  ...STRANGERS.flatMap((set) => linesOf(`${set}.tsv`).map((cells) => rowOf(set, "-", cells))),
];

export interface Figures {
  texts: number;
  precision: number;
  recall: number;
  f1: number;
  /** Texts that belong nowhere and were put nowhere. */
  left: string;
  /** The highest category is one of those wanted. */
  first: number;
}

/** How texts of a half are sorted; `told` hears of each that is sorted otherwise. */
export function figures(half: string, framework: FrameworkId, told?: (row: Row, found: string[]) => void): Figures {
  const lexicon = lexiconNamed(framework);
  const counts = { right: 0, found: 0, wanted: 0, none: 0, left: 0, some: 0, first: 0 };
  const these = rows.filter((row) => row.half === half);
  for (const row of these) {
    const { categories } = categorise(row.text, lexicon);
    const found = categories.map(({ category }) => category);
    const wanted = row.wanted[framework];
    counts.found += found.length;
    counts.wanted += wanted.length;
    counts.right += found.filter((one) => wanted.includes(one)).length;
    if (wanted.length) {
      counts.some += 1;
      if (wanted.includes(found[0]!)) counts.first += 1;
    } else {
      counts.none += 1;
      if (!found.length) counts.left += 1;
    }
    if (found.toSorted().join() !== wanted.toSorted().join())
      told?.(
        row,
        categories.map(({ category, score }) => `${category} ${score}`),
      );
  }
  const [precision, recall] = [counts.right / counts.found, counts.right / counts.wanted];
  return {
    texts: these.length,
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    left: `${counts.left} of ${counts.none}`,
    first: counts.first / counts.some,
  };
}

if (process.argv[1] === import.meta.filename)
  for (const half of process.argv[2] ? [process.argv[2]] : ["tune", "held", ...STRANGERS])
    for (const framework of ["midlife", "pmesii-pt"] as const)
      console.log(
        half,
        framework,
        figures(half, framework, (row, found) => {
          if (process.env["SHOW"] === half)
            console.log(` ${row.trap}: ${row.wanted[framework].join() || "-"} | ${found.join()} | ${row.text}`);
        }),
      );
