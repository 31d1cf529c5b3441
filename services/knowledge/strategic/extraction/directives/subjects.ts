import type { Hit } from "../../../../../core/text/words/phrases.ts";
import type { Word } from "../../../../../core/text/words/words.ts";

const NOBODY = new Set("it this that these those there which who we i you and or".split(" "));
const FARTHEST = 8;

/** Who is named before an obligation; empty for a pronoun, or for the object of a passive. */
export function ownerOf(text: string, spoken: readonly Word[], before: number, isPassive: boolean): string | undefined {
  const subject = spoken.slice(clauseOf(text, spoken, before), before);
  if (isPassive || !subject.length || subject.length > FARTHEST || NOBODY.has(subject[0]!.text)) return undefined;
  return text.slice(subject[0]!.start, subject.at(-1)!.end).replaceAll(/\s+/g, " ");
}

/** The first word of the clause in which a word stands. */
function clauseOf(text: string, spoken: readonly Word[], before: number): number {
  const comma = text.lastIndexOf(", ", spoken[before]!.start);
  return comma < 0
    ? 0
    : Math.max(
        0,
        spoken.findIndex(({ start }) => start > comma),
      );
}

const LEADING = new Set(["the", "our", "my"]);
const DETERMINERS = new Set(["the", "our", "each", "every", "all"]);

/** "CQMS", "S4", "G3 Ops": how staffs are written. */
const ABBREVIATED = /^(?:the )?[A-Z\d]{2,8}(?: [A-Z][a-z]{1,4})?\s*$/;
const TITLES = new Set(
  "mr mrs ms miss dr prof professor cllr councillor sir lord lady rev father cpl sgt ssgt wo lt capt maj col cdr adm gen".split(
    " ",
  ),
);

/** Words that name who is meant, or what it is: a body of ours, a person by name, or ourselves. */
export function namesActor(text: string, spoken: readonly Word[], hits: readonly Hit[], to: number): boolean {
  // "At the end of the operation the battalion", "to that end my officials": the last words are the subject.
  const article = spoken.slice(0, to).findLastIndex(({ text: word }) => LEADING.has(word));
  const clause = clauseOf(text, spoken, to);
  const from = to - clause > 4 && article > clause && to - article <= 5 ? article : clause;
  const [first] = spoken.slice(from, to);
  if (!first || to - from > FARTHEST) return false;
  if (spoken.slice(from, to).some(({ text: word }) => word === "we")) return true;
  const has = (label: string): boolean => hits.some((hit) => hit.label === label && hit.first >= from && hit.last < to);
  if (has("outside") || has("enemy")) return false;
  const isNamed =
    first.capital &&
    (DETERMINERS.has(first.text) || spoken.slice(from, to).some(({ capital }, at) => at > 0 && capital));
  if (ABBREVIATED.test(text.slice(first.start, spoken[to]!.start)) || (first.capital && TITLES.has(first.text)))
    return true;
  return has("body") && (isNamed || LEADING.has(first.text) || /^\d/.test(first.text) || to - from <= 3);
}

/** "Ms Orr", "HN", "2Lt Dacre": only names, initials and ranks. */
export const isNameOnly = (text: string, spoken: readonly Word[], to: number): boolean =>
  to > 0 &&
  to <= 5 &&
  (to > 1 || /^(?:\p{Lu}|\d){2,8}\b/u.test(text.slice(spoken[0]!.start))) &&
  spoken.slice(0, to).every(({ capital, text: word }) => capital || /^\d|^(?:and|the|of)$/.test(word)) &&
  !/[.:;]\s/.test(text.slice(spoken[0]!.end + 2, spoken[to]!.start));

/** How many or which of a whole: "every site", "nine in ten of our graduates", "no child". */
const SHARE =
  /\b(?:every|each|all|no|none|nobody|everyone|everybody|at least|at most|fewer than|no more than|(?:one|two|three|four|five|six|seven|eight|nine|\d{1,3}) (?:in|of|out of) (?:every )?(?:two|three|four|five|six|seven|eight|nine|ten|twenty|our|the|\d{1,3})|two thirds|three quarters|a (?:third|quarter)|per cent|percent|half|most of|our)\b|%/i;
export const isShare = (subject: string): boolean => SHARE.test(subject);
