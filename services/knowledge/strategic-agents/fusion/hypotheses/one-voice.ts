import type { Reference } from "../../../../news/verification/client.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { baseOf } from "../../../../../core/text/words/stem.ts";
import { words } from "../../../../../core/text/words/words.ts";
import { reportOf } from "../../../../news/articles/client.ts";

/** Words beside the hypothesis' own that two reports must have, and the share of the shorter's that the other has too. */
const FEWEST = 5;
const SAME = 0.72;
/** The longer one may not tell much more: two who tell of the same do so at different lengths. */
const LONGEST = 2.5;

const contentOf = (text: string, own: ReadonlySet<string>): Set<string> =>
  new Set(
    words(text)
      .filter(({ text: word }) => !isFunctionWord(word))
      .map(({ text: word }) => baseOf(word))
      .filter((word) => !own.has(word)),
  );

/** Whether one report repeats the other in nearly the same words: a notice printed twice, one spokeswoman quoted by two. */
function areOne(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [short, long] = one.size <= other.size ? [one, other] : [other, one];
  if (short.size < FEWEST || long.size > LONGEST * short.size) return false;
  return [...short].filter((word) => long.has(word)).length >= SAME * short.size;
}

/** Reports that say the same in nearly the same words get one report's id: they are one voice. */
export function withOneVoice(
  hypothesis: string,
  found: readonly Reference[],
  textOf: (one: Reference) => string,
): Reference[] {
  const own = new Set(words(hypothesis).map(({ text }) => baseOf(text)));
  const known: { stance: string; content: Set<string>; reportId: string }[] = [];
  return found.map((one) => {
    const content = contentOf(textOf(one), own);
    const same = known.find((other) => other.stance === one.stance && areOne(other.content, content));
    if (same) return { ...one, reportId: same.reportId };
    known.push({ stance: one.stance, content, reportId: reportOf(one) });
    return one;
  });
}
