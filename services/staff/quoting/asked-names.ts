import { stem } from "../../../core/text/words/stem.ts";
import { isFunctionWord } from "../../../core/text/words/stop-words.ts";
import { isWord, placeOf } from "../../../core/text/words/vectors.ts";
import type { Word } from "../../../core/text/words/words.ts";
import { toldIn } from "./concepts.ts";

// What of a question is a name, or a number that is part of one.

/** What stands before a number that is a bound: "before 30 November". */
export const BOUND: ReadonlySet<string> = new Set(
  "before after by since until between over under above below than least most within".split(" "),
);
/** Whether a number of a question names something: "field 7", "flight 212". */
export function isDesignation(at: number, spoken: readonly Word[]): boolean {
  const [before, next] = [spoken[at - 1], spoken[at + 1]];
  if (!before || !/^\d{1,4}$/.test(spoken[at]!.text) || (next && !isFunctionWord(next.text))) return false;
  return !isFunctionWord(before.text) && !/^\d/.test(before.text) && !BOUND.has(before.text);
}

/** Whether a word of a question is a name: a capital within it, or a word that no dictionary has. */
export function isNamed({ text, capital }: Word, at: number, spoken: readonly Word[]): boolean {
  // "Sector C" and "B Company", but not "a" or "I".
  if (text.length === 1)
    return (
      capital &&
      !["a", "i"].includes(text) &&
      (at > 0 || spoken[1]?.capital === true) &&
      (spoken[at + 1]?.capital === true || !isFunctionWord(spoken[at - 1]?.text ?? "a"))
    );
  if (capital && at > 0 && text === "may") return true;
  if (/^\d/.test(text) || isFunctionWord(text)) return false;
  const isKnown = isWord(placeOf(stem(text)));
  // A whole question in capitals names nothing by them.
  const isShouted = spoken.every((word) => word.capital || /^\d/.test(word.text));
  // Of "Vallot Bridge", the bridge may be called otherwise; of "North Gate" nothing else is a name.
  const isBesideName = [spoken[at - 1], spoken[at + 1]].some(
    (other) => other?.capital && !isFunctionWord(other.text) && !isWord(placeOf(stem(other.text))),
  );
  if (capital && at > 0) return isKnown ? !isShouted && !isBesideName : true;
  return capital && !isKnown && !toldIn([spoken[at]!])[0]?.groups.length;
}
