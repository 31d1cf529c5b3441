import { writeFileSync } from "node:fs";
import { judgedBy } from "../../../services/news/verification/references/pairs/judge.ts";
import { examples, LEARNED, RELATIONS, type Example } from "./pairs.ts";
import { draws, fitted, type Row } from "./trees.ts";

const FILE = new URL("../../../data/lexicons/pairs.json", import.meta.url);

/** What was made counts little; and what the house wrote less than what strangers did: the rules were made by it. */
const WEIGHTS = { labelled: 1, "look-alike": 0.3, alone: 0.3, figure: 0.15, negation: 0.1 } as const;
const OF_HOUSE = 0.5;
/** Dense sets are many, and no articles as they are published. */
const OF_DENSE = 0.3;
const ofAuthor = (author: string): number => (author === "house" ? OF_HOUSE : LEARNED.includes(author) ? 1 : OF_DENSE);

const weightOf = ({ author, making, relation }: Example): number =>
  WEIGHTS[making] * ofAuthor(author) * (relation === "succeed" ? 0.5 : 1);

/** Most pairs have nothing to do with each other: a share of those stands for all. */
const SHARE_OF_NEITHER = 0.3;
const SEED = 5;

/** The judge's trees, as these examples teach them. */
export function learned(from: readonly Example[]) {
  const features = Object.keys(from[0]!.values);
  const draw = draws(SEED);
  const rows = from
    .filter(({ relation }) => relation !== "neither" || draw() < SHARE_OF_NEITHER)
    .map((example): Row => ({
      values: features.map((name) => example.values[name]!),
      kind: RELATIONS.indexOf(example.relation),
      weight: weightOf(example) / (example.relation === "neither" ? SHARE_OF_NEITHER : 1),
    }));
  return fitted(features, rows);
}

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

/** By authors whose sets were left out of the learning: right among those shown, and found among those there. */
function leftOut(all: readonly Example[]): string {
  const rows = LEARNED.flatMap((author) => {
    const model = learned(all.filter((example) => example.author !== author));
    const own = all
      .filter((example) => example.author === author && example.making === "labelled" && example.isClaim)
      .map((example) => ({ ...example, ...judgedBy(model, example.values) }));
    const there = new Set(own.flatMap(({ keys }) => keys)).size;
    const agreeing = own.filter(({ relation }) => relation === "agree").length;
    const cells = THRESHOLDS.map((least) => {
      const shown = own.filter(({ exclude, relation }) => exclude >= least && relation !== "succeed");
      const right = shown.filter(({ relation }) => relation === "exclude");
      return `${right.length} of ${shown.length}, ${new Set(right.flatMap(({ keys }) => keys)).size} of ${there}`;
    });
    const agreed = THRESHOLDS.map((least) => {
      const shown = own.filter(({ agree }) => agree >= least);
      const right = shown.filter(({ relation }) => relation === "agree").length;
      return `${right} of ${shown.length}, ${right} of ${agreeing}`;
    });
    return [`| ${author}, exclude | ${cells.join(" | ")} |`, `| ${author}, agree | ${agreed.join(" | ")} |`];
  });
  return [`| left out | ${THRESHOLDS.join(" | ")} |`, `|---|${THRESHOLDS.map(() => "---|").join("")}`, ...rows].join(
    "\n",
  );
}

/**
 * `node bench/judgement/verification/train.ts` learns from all labelled corpora and writes the judge's trees;
 * `… left-out` only tells what the judge makes of each author whose sets it had not learned from; `… without sealed`
 * writes what was learned from all others.
 */
if (import.meta.main) {
  const [what, author] = process.argv.slice(2);
  const all = [...examples()];
  if (what === "left-out") console.log(leftOut(all));
  else {
    const model = learned(all.filter((example) => example.author !== author));
    const about = {
      version: "1.0.0",
      language: "en",
      description:
        "How likely two sentences of one story agree, exclude each other or succeed one another: trees by features of both, learned from the labelled corpora (bench/judgement/verification/train.ts).",
    };
    writeFileSync(FILE, `${JSON.stringify({ ...about, ...model })}\n`);
  }
}
