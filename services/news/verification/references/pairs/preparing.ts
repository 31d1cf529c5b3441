import { preparing as readingOne } from "../../../../../core/text/preparing.ts";
import { preparing as readingEnds } from "../../../../../core/text/statements/ends.ts";
import { areOfTwoIncidents } from "../../../../../core/text/statements/kinds.ts";
import type { Steps } from "../../../../../core/work/turns.ts";
import { bearing } from "../alignment.ts";
import { Readings, type ReadArticle } from "../readings.ts";
import { deniedFilling, FILLINGS } from "../slots/slots.ts";
import { stance } from "../stance.ts";
import type { Between } from "./between.ts";
import { featuresOf, type Two } from "./features.ts";
import { areJudged, judged, reasonsOf } from "./judge.ts";
import { oppositeFeatures } from "./opposites.ts";

/** Two reports of one event; between them they speak of all that is compared by patterns of its own. */
const EXAMPLES = [
  "The council of Veldoria approved the sale of the Harrow refinery by seven votes to five. " +
    "The refinery was sold to Norvik Energy for $400 million, the mayor said on Monday at 9 am. " +
    "A blast killed 14 workers and injured 32 people, and 120 people were on board. " +
    "The driver, Anna Berg, 34, was arrested and was not charged. A spark caused the fire. The bridge is open.",
  "The council of Veldoria unanimously rejected the sale of the Harrow refinery. " +
    "The refinery was sold to Ostmark for $300 million, the governor said on Tuesday at 11 am. " +
    "A blast killed 19 workers and injured 40 people, and 90 people were on board. " +
    "The driver, Paul Ender, 51, escaped and was charged. Arson caused the fire. The bridge is closed.",
] as const;

/**
 * What the first two sentences of a process are compared with, a part a step. Indexes, patterns and trees are built on
 * first use, some 200 ms in all: whoever compares does this first, so that it holds up nobody.
 */
export function* preparing(): Steps<void> {
  if (isPrepared) return;
  yield* readingOne();
  yield* readingEnds();
  const readings = new Readings();
  const reports: ReadArticle[] = [];
  for (const text of EXAMPLES) {
    reports.push(readings.of(text));
    yield;
    for (let at = 0; at < reports.at(-1)!.sentences.length; at++) {
      reports.at(-1)!.statement(at);
      yield;
    }
  }
  const between = readings.between(reports[0]!, reports[1]!);
  yield;
  for (const at of between.matters[0].keys()) yield* comparing(between, at);
  isPrepared = true;
}
let isPrepared = false;

function* comparing(between: Between, at: number): Steps<void> {
  const [mine, theirs] = between.matters;
  const [one, other] = [mine[at]!, theirs[at]!];
  const found = bearing(one, other, { event: "same" });
  for (const use of firstUses({ one, other, bearing: found, between, at, there: at, later: 0 })) {
    use();
    yield;
  }
}

const firstUses = (two: Two): (() => unknown)[] => [
  () => two.bearing.figures,
  () => [two.bearing.names, two.bearing.when],
  () => two.bearing.opposition,
  ...FILLINGS.map((filling) => () => filling(two.one, two.other, two.bearing.shared.pairs, 0, two.between)),
  () => deniedFilling(two.one, two.other, 0, two.between),
  () => areOfTwoIncidents(two.one.words, two.other.words),
  () => areJudged(two.one, two.other),
  () => oppositeFeatures(two),
  () => featuresOf(two),
  () => judged(two),
  () => reasonsOf(two, "exclude", 1),
  () => stance(two.one, two.other, { event: "same", held: two }),
  () => stance(two.one, two.other),
];
