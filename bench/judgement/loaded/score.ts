import { readFileSync } from "node:fs";
import { join } from "node:path";
import { analyseBias } from "../../../services/news/verification/bias/bias.ts";
import { NOTICEABLE } from "../../../services/news/verification/bias/summary.ts";

/** Misses of `stranger` were read, of `second` nobody's. */
export const SETS = ["stranger", "second"] as const;
export type LoadedSet = (typeof SETS)[number];

export interface Figures {
  /** How often a loaded passage scores above a sober one. */
  area: number;
  /** Of those that the summary says show bias, the share that is loaded; and of the loaded, the share said to. */
  right: number;
  found: number;
  /** Words that are told as the writer's own loaded ones: in sober passages, and loaded passages with one or more. */
  sober: number;
  named: number;
}

const passages = (set: LoadedSet): { loaded: boolean; text: string }[] =>
  readFileSync(join(import.meta.dirname, `${set}.tsv`), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))
    .map(([loaded, text]) => ({ loaded: loaded === "1", text: text! }));

export function figures(set: LoadedSet, told?: (line: string) => void): Figures {
  const judged = passages(set).map(({ loaded, text }) => {
    const { overallBiasScore: score, indicators, contributions } = analyseBias({ contentId: 1, title: "", text });
    const words = indicators.loadedLanguage.filter(({ quoted }) => !quoted).map((span) => span.text);
    const why = contributions.map(({ label, points }) => `${label} ${points}`).join(", ");
    told?.(`${loaded ? "loaded" : "sober"} ${score}: [${words.join(", ")}] (${why}) ${text}`);
    return { loaded, score, words: words.length };
  });
  const [loud, sober] = [judged.filter(({ loaded }) => loaded), judged.filter(({ loaded }) => !loaded)];
  const above = loud.flatMap(({ score }) =>
    sober.map((one): number => (score > one.score ? 1 : score === one.score ? 0.5 : 0)),
  );
  const called = judged.filter(({ score }) => score >= NOTICEABLE);
  const right = called.filter(({ loaded }) => loaded).length;
  return {
    area: above.reduce((sum, one) => sum + one, 0) / above.length,
    right: right / called.length,
    found: right / loud.length,
    sober: sober.reduce((sum, { words }) => sum + words, 0),
    named: loud.filter(({ words }) => words > 0).length,
  };
}

if (process.argv[1] === import.meta.filename)
  for (const set of SETS)
    console.log(
      set,
      figures(set, (line) => {
        if (process.env["SHOW"] === set) console.log(line);
      }),
    );
