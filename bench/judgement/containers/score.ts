import { readFileSync } from "node:fs";
import {
  suggest,
  type ContainerCandidate,
  type Example,
  type KeptOutDocument,
  type Suggestion,
} from "../../../services/knowledge/strategic/suggestions/scoring.ts";
import { countsOf } from "../../../services/knowledge/strategic/suggestions/stems.ts";
import { ASKED, CONTAINERS, PLACED, REFUSED } from "./corpus.ts";

/**
 * `node bench/judgement/containers/score.ts`: how well containers are suggested, on our own papers and on those of ten
 * staffs that somebody wrote who knew no rule (`stranger.json`, and `second.json`, for figures alone). `SHOW=1` lists
 * each miss.
 */
export interface Figures {
  /** Of papers that belong somewhere: a right container first, and among three. */
  top1: number;
  top3: number;
  /** Of papers that belong nowhere: nothing was suggested. */
  none: number;
  misses: string[];
}

interface Judged {
  text: string;
  in: readonly string[];
  found: readonly Suggestion[];
}

const examples: Example[] = PLACED.map(({ text, in: containerIds }, at) => ({
  documentId: `placed ${at}`,
  containerIds,
  words: countsOf(text),
}));
const refused: KeptOutDocument[] = REFUSED.map(({ text, not }, at) => ({
  documentId: `refused ${at}`,
  containerId: not,
  words: countsOf(text),
  isSaid: true,
}));

const share = (all: readonly boolean[]): number => all.filter(Boolean).length / (all.length || 1);

/** `placed` and `refusals`: whether it learns from them. */
export function figuresOf(half: keyof typeof ASKED, { placed = true, refusals = true } = {}): Figures {
  const judged = ASKED[half].map((paper, at) => {
    const found = suggest(
      { id: `asked ${at}`, words: countsOf(paper.text) },
      CONTAINERS,
      placed ? examples : [],
      refusals ? refused : [],
    );
    return { ...paper, found };
  });
  return tallied(judged);
}

function tallied(judged: readonly Judged[]): Figures {
  const some = judged.filter((one) => one.in.length > 0);
  const isAmong = (most: number) => (one: Judged) =>
    one.found.slice(0, most).some(({ containerId }) => one.in.includes(containerId));
  const isRight = (one: Judged) => (one.in.length ? isAmong(1)(one) : one.found.length === 0);
  return {
    top1: share(some.map(isAmong(1))),
    top3: share(some.map(isAmong(3))),
    none: share(judged.filter((one) => !one.in.length).map(({ found }) => found.length === 0)),
    misses: judged
      .filter((one) => !isRight(one))
      .map(({ text, in: right, found }) => {
        const told = found.slice(0, 3).map(({ containerId, score }) => `${containerId} ${score}`);
        return `${right.join("+") || "none"} <- ${told.join(", ") || "none"}: ${text}`;
      }),
  };
}

interface Environment {
  containers: readonly ContainerCandidate[];
  placed: readonly { text: string; in: readonly string[] }[];
  asked: readonly { text: string; in: readonly string[] }[];
}

/** The same of staffs whose papers strangers wrote; `placed`: whether it learns from what they placed before. */
export function figuresOfStrangers(set: "stranger" | "second", { placed = true } = {}): Figures {
  const { environments } = JSON.parse(readFileSync(new URL(`${set}.json`, import.meta.url), "utf8")) as {
    environments: readonly Environment[];
  };
  const judged = environments.flatMap((one) => {
    const known: Example[] = one.placed.map(({ text, in: containerIds }, at) => ({
      documentId: `placed ${at}`,
      containerIds,
      words: countsOf(text),
    }));
    return one.asked.map((paper, at) => ({
      ...paper,
      found: suggest({ id: `asked ${at}`, words: countsOf(paper.text) }, one.containers, placed ? known : [], []),
    }));
  });
  return tallied(judged);
}

if (import.meta.main) {
  const ways = [
    ["names and descriptions alone", { placed: false, refusals: false }],
    ["with past placements", { refusals: false }],
    ["with refusals too", {}],
  ] as const;
  process.stdout.write("| | tune: first, of three, none | held out |\n|---|---|---|\n");
  for (const [name, way] of ways) {
    const told = (half: keyof typeof ASKED) => {
      const { top1, top3, none, misses } = figuresOf(half, way);
      if (process.env["SHOW"] && name === "with refusals too") process.stderr.write(`${half}\n${misses.join("\n")}\n`);
      return [top1, top3, none].map((figure) => figure.toFixed(3)).join(", ");
    };
    process.stdout.write(`| ${name} | ${told("tune")} | ${told("held")} |\n`);
  }
  process.stdout.write("\n| strangers | first | of three | none |\n|---|---|---|---|\n");
  for (const set of ["stranger", "second"] as const)
    for (const placed of [false, true]) {
      const { top1, top3, none, misses } = figuresOfStrangers(set, { placed });
      const figures = [top1, top3, none].map((figure) => figure.toFixed(3)).join(" | ");
      process.stdout.write(`| ${set}${placed ? ", with past placements" : ""} | ${figures} |\n`);
      if (process.env["SHOW"] && placed && set === "stranger") process.stderr.write(`${misses.join("\n")}\n`);
    }
}
