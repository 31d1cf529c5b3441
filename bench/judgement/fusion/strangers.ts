/**
 * Hypotheses and reports by people who had seen none of the rules: `stranger.json` was
 * read while rules were mended, the others were only scored; `third.json` was never opened. `SHOW=fourth` prints what of that set came out otherwise.
 */
import { readFileSync } from "node:fs";
import { judge } from "../../../services/knowledge/strategic-agents/fusion/fusing.ts";
import { reportsOf, SIGNS, type Case } from "./cases.ts";

type Sign = "+" | "-" | "0";

const NAMES = ["stranger", "second", "fourth", "third"] as const;
export type StrangersSet = (typeof NAMES)[number];

export interface StrangersFigures {
  cases: number;
  reports: number;
  /** Signs that are right. */
  right: number;
  /** Of those told as + or -, how many are; of those that are, how many are told. */
  told: Record<"+" | "-", { told: number; right: number; wanted: number }>;
  /** + told as -, or the other way. */
  reversed: number;
  /** 0 told as + or -. */
  invented: number;
  /** Cases whose number of voices is right. */
  voices: number;
  /** Of cases where one side has more voices: the likelihood lies on its side of .5, on the other, or at .5. */
  side: { cases: number; right: number; wrong: number };
  misses: string[];
}

/** Of the reports with a sign, how many there are of each: the side that has more reports and thereby more voices. */
function prevailing(stances: string): 1 | -1 | 0 {
  const count = (sign: Sign): number => [...stances].filter((one) => one === sign).length;
  // Copies of one text lie on one side: a lead of one may be a copy's, and says nothing.
  const lead = count("+") - count("-");
  return Math.abs(lead) < 2 && count("+") > 0 && count("-") > 0 ? 0 : lead > 0 ? 1 : lead < 0 ? -1 : 0;
}

const casesOf = (name: StrangersSet): Case[] =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8")) as Case[];

export async function strangersFigures(name: StrangersSet): Promise<StrangersFigures> {
  const figures: StrangersFigures = {
    ...{ cases: 0, reports: 0, right: 0, reversed: 0, invented: 0, voices: 0, misses: [] },
    told: { "+": { told: 0, right: 0, wanted: 0 }, "-": { told: 0, right: 0, wanted: 0 } },
    side: { cases: 0, right: 0, wrong: 0 },
  };
  for (const one of casesOf(name)) {
    const { weighed, found } = await judge(reportsOf(one), one.hypothesis);
    figures.cases++;
    const missed: string[] = [];
    for (const [n, text] of one.reports.entries()) {
      const said = found.find(({ articleId }) => articleId === n + 1);
      const got: Sign = SIGNS[said?.stance ?? "unrelated"];
      const wanted = one.stances[n] as Sign;
      figures.reports++;
      if (got !== "0") figures.told[got].told++;
      if (wanted !== "0") figures.told[wanted].wanted++;
      if (got !== "0" && got === wanted) figures.told[got].right++;
      if (got === wanted) figures.right++;
      else if (got !== "0") figures[wanted === "0" ? "invented" : "reversed"]++;
      if (got !== wanted)
        missed.push(
          `  ${wanted} told ${got}: ${text}${said ? `\n      (${said.reasons.join("; ")}: ${said.evidence.text})` : ""}`,
        );
    }
    if (weighed.parts.length === one.voices) figures.voices++;
    const side = prevailing(one.stances);
    if (side !== 0) {
      figures.side.cases++;
      if ((weighed.likelihood - 0.5) * side > 0) figures.side.right++;
      if ((weighed.likelihood - 0.5) * side < 0) figures.side.wrong++;
    }
    if (missed.length || weighed.parts.length !== one.voices)
      figures.misses.push(
        [`${one.hypothesis} (${weighed.parts.length} of ${one.voices} voices)`, ...missed].join("\n"),
      );
  }
  return figures;
}

if (import.meta.main)
  for (const name of NAMES.filter((one) => process.argv.length < 3 || process.argv.includes(one))) {
    const { told, misses, side, ...all } = await strangersFigures(name);
    console.log(
      `${name}: ${all.cases} cases, signs right ${all.right} of ${all.reports}; ` +
        (["+", "-"] as const)
          .map((sign) => `${sign} ${told[sign].right} of ${told[sign].wanted} found, ${told[sign].told} told`)
          .join("; ") +
        `; reversed ${all.reversed}, 0 told as a sign ${all.invented}; voices right ${all.voices}; ` +
        `likelihood on the side that prevails ${side.right} of ${side.cases}, on the other ${side.wrong}`,
    );
    if (process.env.SHOW === name) console.log(misses.join("\n"));
  }
