/** Where two prints of one report differ in a figure: copies are one voice, and yet one of them is wrong. */
import { areFarApart, DIFFERENT } from "../../../../../core/text/statements/comparison.ts";
import { comparable, sameValue, type Quantity } from "../../../../../core/text/statements/figures/quantities.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { words } from "../../../../../core/text/words/words.ts";
import { repeats } from "../independence.ts";
import { OF_A_COPY } from "../outcome/conclusion.ts";
import type { Stance } from "../outcome/verdicts.ts";
import type { ReadArticle } from "../readings.ts";

const CLEAR = 100;
/** Sentences that two prints share stand near the same place. */
const PLACES_APART = 3;
/** "Some 400", "more than 400": how a figure is hedged is no other sentence. */
const HEDGES = new Set("about some around nearly almost over under than more least at roughly".split(" "));
const FIGURE = "figure";

/** A sentence's words, its figures made equal. */
function patternOf({ text, start, quantities }: Statement): string {
  let [pattern, at] = ["", 0];
  for (const figure of quantities) {
    pattern += `${text.slice(at, figure.start - start)} ${FIGURE} `;
    at = figure.end - start;
  }
  return words(pattern + text.slice(at))
    .flatMap(({ text: word }) => (HEDGES.has(word) ? [] : [word]))
    .join(" ");
}

const isCopied = (one: string, other: string): boolean => one === other || repeats(one, other);

const differs = (one: Quantity, other: Quantity): boolean =>
  comparable(one, other) && sameValue(one, other) === "differ";

/**
 * The sentence of another print of the report that has the claim's words with another figure, in the same place of it;
 * `at`: the claim's place in its article. `hours`: how much later the other was published; a figure that may have been
 * brought up to date is no difference.
 */
export function otherFigureIn(claim: Statement, at: number, copy: ReadArticle, hours: number): Stance | undefined {
  if (at < 0 || claim.quantities.length === 0) return undefined;
  const pattern = patternOf(claim);
  for (let place = Math.max(0, at - PLACES_APART); place <= at + PLACES_APART; place++) {
    const sentence = copy.sentences[place];
    if (!sentence) break;
    const told = copy.statement(place);
    if (told.quantities.length !== claim.quantities.length || !isCopied(patternOf(told), pattern)) continue;
    const apart = claim.quantities.flatMap((mine, which) => {
      const theirs = told.quantities[which]!;
      return differs(mine, theirs) && (hours === 0 || areFarApart(mine.value, theirs.value))
        ? [[mine, theirs] as const]
        : [];
    });
    if (apart.length === 0) continue;
    return {
      stance: "contradict",
      score: CLEAR,
      evidence: { text: sentence.text, start: sentence.start, end: sentence.end },
      reasons: [...apart.map(([mine, theirs]) => `${DIFFERENT}: ${mine.text} against ${theirs.text}`), OF_A_COPY],
    };
  }
  return undefined;
}
