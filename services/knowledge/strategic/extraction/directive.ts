import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import type { Hit } from "../../../../core/text/words/phrases.ts";
import { numeralAt } from "../../../../core/text/statements/figures/numerals.ts";
import { isPastVerb } from "../../../../core/text/words/stem.ts";
import type { Word } from "../../../../core/text/words/words.ts";

const verbs = lazily(() => new Set<string>(lexicon.directives.verbs));
/** Verbs of states and occurrences: nobody can be ordered to do them. */
const states = lazily(() => new Set<string>(lexicon.directives.states));

/** What may stand before the directive of an item. */
const LABEL =
  /^(?:(?:strategic |operational |intermediate )?(?:objective|goal|task|aim|obj|loe|line of effort|phase|priority|target|effect)\s*[\w.-]{0,6}\s*(?:\([^)]{1,30}\)\s*)?[:–—-]\s*)+/i;

/** Where a sentence begins after a label. */
export const afterLabel = (text: string): number => LABEL.exec(text)?.[0].length ?? 0;

/** How a sentence orders something. */
export interface Directive {
  how: "obligation" | "imperative" | "mission";
  verb: Word;
  /** Words before it that name who must do it. */
  owner?: string;
}

const isVerb = (word: Word | undefined): boolean => word !== undefined && verbs().has(word.text);
const ADVERBS = new Set([
  "also",
  "then",
  "immediately",
  "now",
  "first",
  "jointly",
  "fully",
  "rapidly",
  "quickly",
  "continuously",
  "not",
  "therefore",
  "be",
  "have",
  "always",
  "to",
]);

/** The verb of the directive, after adverbs: after an obligation any verb of action. */
function verbFrom(text: string, spoken: readonly Word[], from: number): { verb: Word; isPassive: boolean } | undefined {
  let isPassive = false;
  for (let at = from; at < Math.min(from + 4, spoken.length); at += 1) {
    const word = spoken[at]!;
    if (word.text === "be") isPassive = true;
    else if (isPassive && isPastVerb(word.text)) return { verb: word, isPassive };
    // "Must have twelve buses ready": to have so many of something can be ordered.
    else if (word.text === "have" && numeralAt(text, spoken, at + 1)) return { verb: word, isPassive };
    else if (isPassive || states().has(word.text)) return undefined;
    else if (!ADVERBS.has(word.text) && !word.text.endsWith("ly")) return { verb: word, isPassive };
  }
  return undefined;
}

const NOBODY = new Set([
  "it",
  "this",
  "that",
  "these",
  "those",
  "there",
  "which",
  "who",
  "we",
  "i",
  "you",
  "and",
  "or",
]);

/** Who is named before an obligation; empty for a pronoun, or for the object of a passive. */
function ownerOf(text: string, spoken: readonly Word[], before: number, isPassive: boolean): string | undefined {
  const comma = text.lastIndexOf(", ", spoken[before]!.start);
  const from = comma >= 0 ? spoken.findIndex(({ start }) => start > comma) : 0;
  const subject = spoken.slice(from, before);
  if (isPassive || !subject.length || subject.length > 8 || NOBODY.has(subject[0]!.text)) return undefined;
  return text.slice(subject[0]!.start, subject.at(-1)!.end).replaceAll(/\s+/g, " ");
}

/** The order in a sentence; below a goal's heading, missions may be statements about who does what. */
export const directiveIn = (
  text: string,
  spoken: readonly Word[],
  hits: readonly Hit[],
  isBelowGoal: boolean,
): Directive | undefined => directiveOf(text, spoken, hits) ?? (isBelowGoal ? missionIn(text, spoken) : undefined);

function directiveOf(text: string, spoken: readonly Word[], hits: readonly Hit[]): Directive | undefined {
  for (const { label, first, last } of hits) {
    if (label !== "obligation") continue;
    const found = verbFrom(text, spoken, last + 1);
    if (!found) continue;
    const owner = first > 0 ? ownerOf(text, spoken, first, found.isPassive) : undefined;
    return { how: "obligation", verb: found.verb, ...(owner && { owner }) };
  }
  const label = afterLabel(text);
  const from = spoken.findIndex(({ start }) => start >= label);
  const begins =
    from < 0
      ? undefined
      : spoken[from]!.text === "to" || spoken[from]!.text.endsWith("ly")
        ? spoken[from + 1]
        : spoken[from];
  if (isVerb(begins)) return { how: "imperative", verb: begins! };
  // "NLT 0600, secure the bridge": a deadline may come first.
  const comma = text.indexOf(", ");
  const behind = comma > 0 && comma < 60 ? spoken.find(({ start }) => start > comma) : undefined;
  return isVerb(behind) && /^(?:by|before|no later|not later|nlt|within|on|after|upon)\b/i.test(text.slice(label))
    ? { how: "imperative", verb: behind! }
    : undefined;
}

/** "1st Battalion seizes the bridge": the form of missions. It counts as an objective below a goal's heading only. */
function missionIn(text: string, spoken: readonly Word[]): Directive | undefined {
  const at = spoken.findIndex(
    ({ text: word }, n) =>
      n > 0 && n < 8 && /[^s]s$/.test(word) && (verbs().has(word.slice(0, -1)) || verbs().has(word.replace(/es$/, ""))),
  );
  if (at < 1) return undefined;
  const owner = text.slice(spoken[0]!.start, spoken[at - 1]!.end).replaceAll(/\s+/g, " ");
  return { how: "mission", verb: spoken[at]!, owner };
}
