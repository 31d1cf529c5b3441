import {
  countsOf,
  suggest,
  type Example,
  type KeptOutDocument,
} from "../../../services/knowledge/strategic/suggestions/scoring.ts";
import { ASKED, CONTAINERS, PLACED, REFUSED } from "./corpus.ts";

/** `node bench/judgement/containers/score.ts`: how well containers are suggested. `SHOW=1` lists each miss. */
export interface Figures {
  /** Of papers that belong somewhere: a right container first, and among three. */
  top1: number;
  top3: number;
  /** Of papers that belong nowhere: nothing was suggested. */
  none: number;
  misses: string[];
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
  const some = judged.filter((one) => one.in.length > 0);
  const isAmong = (most: number) => (one: (typeof judged)[number]) =>
    one.found.slice(0, most).some(({ containerId }) => one.in.includes(containerId));
  const isRight = (one: (typeof judged)[number]) => (one.in.length ? isAmong(1)(one) : one.found.length === 0);
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
}
