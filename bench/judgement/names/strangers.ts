import { readFileSync } from "node:fs";
import { compareNames, SAME } from "../../../core/text/names/compare.ts";
import { nameKindOf, prepareName } from "../../../core/text/names/prepared.ts";
import { ALIKE, nameLikeness } from "../../../services/picture/cop/linkages/matching.ts";

/**
 * `node bench/judgement/names/strangers.ts [stranger|second]`: pairs of names as they stand on maps, in lists of
 * resources and in logs, written and labelled by people who knew no rule, held against the graph's comparison and the
 * picture's. `SHOW=1` tells each miss; `second` is for figures alone.
 */
export interface LabelledNames {
  same: boolean;
  kind: string;
  one: string;
  other: string;
}

export const namesOf = (set: "stranger" | "second" | "third" | "fourth"): LabelledNames[] =>
  readFileSync(new URL(`${set}.tsv`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))
    .map(([same, kind, one, other]) => ({ same: same === "1", kind: kind!, one: one!, other: other! }));

type Judge = (pair: LabelledNames) => boolean;

export const JUDGES = {
  graph: ({ kind, one, other }) => {
    const as = nameKindOf(kind);
    return compareNames(prepareName(one, as), prepareName(other, as)).score >= SAME[as];
  },
  picture: ({ kind, one, other }) => nameLikeness(one, other, nameKindOf(kind)) >= ALIKE,
} satisfies Record<string, Judge>;

/** Of the pairs of a set: how many are told as one, how many of those are, and how many there are. */
export function figuresOf(pairs: readonly LabelledNames[], judge: Judge): { right: number; told: number; all: number } {
  const told = pairs.filter(judge);
  return {
    right: told.filter(({ same }) => same).length,
    told: told.length,
    all: pairs.filter(({ same }) => same).length,
  };
}

if (import.meta.main)
  for (const set of ["stranger", "second", "third", "fourth"] as const) {
    if (process.argv[2] && process.argv[2] !== set) continue;
    for (const [name, judge] of Object.entries(JUDGES)) {
      const pairs = namesOf(set);
      const { right, told, all } = figuresOf(pairs, judge);
      console.log(`${set}, ${name}: right ${right} of ${told} told as one, found ${right} of ${all}`);
      if (process.env["SHOW"])
        for (const pair of pairs)
          if (judge(pair) !== pair.same)
            console.log(pair.same ? "  missed" : "  wrong ", pair.kind, "|", pair.one, "|", pair.other);
    }
  }
