import { sentences } from "./words/sentences.ts";
import { words } from "./words/words.ts";
import type { Steps } from "../work/turns.ts";
import { causesOf } from "./statements/causes.ts";
import { dates } from "./statements/dates.ts";
import { erratumOf, takenBack } from "./statements/speech/errata.ts";
import { measuresOf } from "./statements/figures/measures.ts";
import { quantities } from "./statements/figures/quantities.ts";
import { kindsIn, waysIn } from "./statements/kinds.ts";
import { senses } from "./statements/meaning.ts";
import { names } from "./statements/names.ts";
import { polarity } from "./statements/polarity.ts";
import { matterOf, statementOf, type Statement } from "./statements/statement.ts";

const EXAMPLE =
  "Some 14 people were not hurt in Veldoria on 3 May 2026 because a fire at a refinery cost $2.5 million, police said.";
const BY = { sourceId: 0, sourceName: "The Example", publishedAt: "2026-05-04T00:00:00Z" };
const CORRECTION = {
  title: "Correction: Fire at a refinery",
  text: "An earlier version of this article misstated the number of people hurt. It was 14, not 40.",
  ...BY,
};
const RETRACTION = {
  title: "Retraction: Fire at a refinery",
  text: "The Example withdraws its report about a fire at a refinery. It was wrong.",
  ...BY,
};

/**
 * What the first sentence of a process is read with, a part a step: lists are built and patterns compiled on first use,
 * 20 to 40 ms in all.
 */
export function* preparing(): Steps<void> {
  if (isPrepared) return;
  for (const use of firstUses()) {
    use();
    yield;
  }
  isPrepared = true;
}
let isPrepared = false;

function firstUses(): (() => unknown)[] {
  const spoken = words(EXAMPLE);
  let stated: Statement | undefined;
  const whole = (): Statement => (stated ??= statementOf(EXAMPLE));
  return [
    () => sentences(EXAMPLE),
    () => senses(spoken, new Set()),
    () => names(EXAMPLE, spoken),
    () => dates(EXAMPLE, 0),
    () => quantities(EXAMPLE, spoken, []),
    () => polarity(EXAMPLE, spoken),
    () => matterOf(whole()),
    () => measuresOf(whole()),
    () => causesOf(whole()),
    () => erratumOf(CORRECTION),
    () => erratumOf(RETRACTION),
    () => takenBack(sentences(CORRECTION.text).map(({ text }) => text)),
    () => kindsIn(spoken),
    () => waysIn(spoken),
  ];
}
