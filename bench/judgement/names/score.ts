import { readFileSync } from "node:fs";
import { sha256 } from "../../../core/ids.ts";
import { compareNames, SAME } from "../../../core/text/names/compare.ts";
import { prepareName, type NameKind } from "../../../core/text/names/prepared.ts";

/** Two names as people judge them, and which trap they hold. */
export interface LabelledPair {
  kind: NameKind;
  same: boolean;
  one: string;
  other: string;
  trap: string;
}

const PAIRS: readonly LabelledPair[] = readFileSync(new URL("pairs.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map(([kind, same, one, other, trap]) => ({
    ...{ kind: kind as NameKind, one: one!, other: other!, trap: trap! },
    same: same === "yes",
  }));

const halfOf = (text: string): "tune" | "held" =>
  Number.parseInt(sha256(text).slice(0, 2), 16) % 2 === 0 ? "tune" : "held";

/**
 * Pairs of organisations, labelled before anything was run on them. Which half a pair is in follows from its text; rules
 * are chosen by misses of `tune` alone, and of `held` only the figures are looked at.
 */
export function organisationPairs(half: "tune" | "held"): LabelledPair[] {
  const lines = readFileSync(new URL("organisations.tsv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1);
  return lines
    .filter((line) => halfOf(line) === half)
    .map((line) => line.split("\t"))
    .map(([same, one, other, trap]) => ({
      ...{ kind: "organisation" as const, one: one!, other: other!, trap: trap! },
      same: same === "yes",
    }));
}

/** Pairs of the table that nomenklatura ships (`contrib/name_bench/cases.csv`), which is not ours and stays where it is. */
function publicPairs(file: string): LabelledPair[] {
  const rows = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((cell) =>
        (cell[1] ?? cell[2] ?? "").replaceAll('""', '"'),
      ),
    );
  return rows.map(([, schema, one, other, same, , trap]) => ({
    ...{ kind: schema === "Person" ? ("person" as const) : ("organisation" as const), one: one!, other: other! },
    ...{ same: same === "true", trap: trap! },
  }));
}

const score = ({ kind, one, other }: LabelledPair): number =>
  compareNames(prepareName(one, kind), prepareName(other, kind)).score;

export interface Figures {
  pairs: number;
  precision: number;
  recall: number;
  f1: number;
  missed: LabelledPair[];
}

export function figuresOf(pairs: readonly LabelledPair[] = PAIRS, kind?: NameKind): Figures {
  const among = pairs.filter((pair) => !kind || pair.kind === kind);
  const judged = among.map((pair) => ({ pair, says: score(pair) >= SAME[pair.kind] }));
  const count = (says: boolean, same: boolean) =>
    judged.filter((one) => one.says === says && one.pair.same === same).length;
  const [hits, wrong, missing] = [count(true, true), count(true, false), count(false, true)];
  return {
    pairs: among.length,
    precision: hits / (hits + wrong),
    recall: hits / (hits + missing),
    f1: (2 * hits) / (2 * hits + wrong + missing),
    missed: judged.filter(({ pair, says }) => pair.same !== says).map(({ pair }) => pair),
  };
}

function tell(name: string, pairs: readonly LabelledPair[]): void {
  for (const kind of [undefined, "person", "organisation"] as const) {
    const { missed, ...figures } = figuresOf(pairs, kind);
    console.log(name, kind ?? "all", figures);
    if (process.env["SHOW"] && !kind) for (const pair of missed) console.log(pair.same ? "missed" : "wrong", pair);
  }
  const prepared = pairs.map(({ kind, one, other }) => [prepareName(one, kind), prepareName(other, kind)] as const);
  const times = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage();
    for (const [one, other] of prepared) compareNames(one, other);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / prepared.length;
  });
  console.log(name, "microseconds of CPU a pair, median of 9:", times.sort((a, b) => a - b)[4]!.toFixed(1));
}

/** Two of one name whose numbers differ ("Fund V", "Fund VI") are apart here, whatever the table says. */
const isOneByNumbers = ({ kind, same, one, other }: LabelledPair): boolean =>
  same && compareNames(prepareName(one, kind), prepareName(other, kind)).numbersDiffer;

function tellPublic(pairs: readonly LabelledPair[]): void {
  tell("public", pairs);
  for (const half of ["tune", "held"] as const) {
    const own = pairs.filter((pair) => pair.kind === "organisation" && halfOf(`${pair.one}|${pair.other}`) === half);
    const { missed: _all, ...all } = figuresOf(own);
    const { missed: _apart, ...apart } = figuresOf(own.filter((pair) => !isOneByNumbers(pair)));
    console.log("public organisations,", half, all, "without those that differ in numbers alone", apart);
  }
}

if (import.meta.main) {
  tell("own", PAIRS);
  tell("organisations, tune", organisationPairs("tune"));
  const { missed: _unseen, ...held } = figuresOf(organisationPairs("held"));
  console.log("organisations, held", held);
  if (process.argv[2]) tellPublic(publicPairs(process.argv[2]));
}
