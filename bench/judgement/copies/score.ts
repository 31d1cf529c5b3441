import { readFileSync } from "node:fs";
import { bands, fingerprint, sameStory } from "../../../services/news/articles/dedup/fingerprint.ts";
import type { Wording } from "../../../services/news/articles/dedup/wording.ts";
import { halfOf, type LabelledHalf } from "../halves.ts";

/** Two short items of two outlets: one a copy of the other, or each told by itself in one pattern. */
interface LabelledPair {
  isCopy: boolean;
  trap: string;
  one: Wording;
  other: Wording;
}

function itemOf(block: string): Wording {
  const [title, ...text] = block.trim().split("\n");
  return { title: title!, text: text.join("\n") };
}

const pairsOf = (file: string): LabelledPair[] =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split(/^# /m)
    .slice(1)
    .map((block) => {
      const [head, ...rest] = block.split("\n");
      const [kind, trap] = head!.split(" | ");
      const [one, other] = rest.join("\n").split(/^---$/m).map(itemOf) as [Wording, Wording];
      return { isCopy: kind === "copy", trap: trap!, one, other };
    });

/** Whether the second is found by the index beside the first, and held for the same report. */
function areJoined({ one, other }: LabelledPair): boolean {
  const [a, b] = [fingerprint(one), fingerprint(other)];
  const known = new Set(bands(a));
  return bands(b).some((band) => known.has(band)) && sameStory(a, b);
}

/** Figures of some pairs, by name. */
function scored(pairs: readonly LabelledPair[], isTold: boolean): [string, string][] {
  const judged = pairs.map((pair) => ({ ...pair, isJoined: areJoined(pair) }));
  if (isTold)
    for (const { isCopy, isJoined, trap, one, other } of judged)
      if (isCopy !== isJoined) console.error(`${isCopy ? "missed" : "joined"}: ${trap}: ${one.title} | ${other.title}`);
  const [copies, apart] = [true, false].map((kind) => judged.filter(({ isCopy }) => isCopy === kind));
  return [
    ["copies recognised", `${copies!.filter(({ isJoined }) => isJoined).length} of ${copies!.length}`],
    ["of one pattern, joined all the same", `${apart!.filter(({ isJoined }) => isJoined).length} of ${apart!.length}`],
  ];
}

const keyOf = ({ one, other }: LabelledPair): string => [one, other].map(({ title }) => title).join("\n");

/** Figures of one half. */
export const copiesScore = (half: LabelledHalf): Map<string, string> =>
  new Map(
    scored(
      pairsOf("pairs.txt").filter((pair) => halfOf(keyOf(pair)) === half),
      half === "tune" && process.env["SHOW"] !== undefined,
    ),
  );

/** `node bench/judgement/copies/score.ts`; with SHOW=1 each miss of `tune` is told. */
if (import.meta.main)
  for (const half of ["tune", "held"] as const)
    console.log([half, ...[...copiesScore(half)].map(([name, value]) => `  ${name}: ${value}`)].join("\n"));
