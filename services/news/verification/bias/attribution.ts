import { isQuoted, type Reading } from "../../../../core/text/reading.ts";
import type { Span } from "../../../../core/text/words/words.ts";

/** Verbs by which somebody is said to give a thing a name: "called him a traitor", "denounced it as a sham". */
const NAMING =
  /(?<![\p{L}-])(?:call(?:ed|s|ing)(?! (?:for|on|off|up|in|out|back|into|at)\b)|brand(?:ed|s|ing)|labell?(?:ed|ing)|dubbed|termed|describ(?:ed|es|ing)|denounc(?:ed|es|ing)|condemn(?:ed|s|ing)|dismiss(?:ed|es|ing)|decri(?:ed|es)|accus(?:ed|es|ing)|liken(?:ed|s|ing)|compar(?:ed|es|ing)|criticis(?:ed|es|ing)|criticiz(?:ed|es|ing)|sp(?:oke|eaks|eaking) of|complain(?:ed|s|ing)|warn(?:ed|s|ing) of)(?!\p{L})/gu;
/** Verbs by which somebody is reported: what follows is theirs, and what stands before where the sentence ends so. */
const SAYING =
  /(?<![\p{L}-])(?:said|says|told|argu(?:ed|es)|claim(?:ed|s)|insist(?:ed|s)|maintain(?:ed|s)|alleg(?:ed|es)|warn(?:ed|s)|add(?:ed|s)|wrote|writes|repli(?:ed|es)|declar(?:ed|es)|stat(?:ed|es)|assert(?:ed|s))(?!\p{L})/gu;
/** Whoever speaks for oneself is no other. */
const OWN = /(?<!\p{L})(?:I|we|you|let us|let's)(?: \p{L}+)? $/iu;
/** Behind these the writer may go on in his own voice. */
const BREAK = /[;!?]|,? (?:but|while|although|though|whereas|which|who) /u;
const LAST_WORDS = 60;

/** Where a writer passes on, without quotation marks, in what words somebody else calls a thing or a person. */
export function attributed({ sentences }: Reading): Span[] {
  return sentences.flatMap(({ text, start, end }) => {
    const spans: Span[] = [];
    for (const pattern of [NAMING, SAYING])
      for (const { index, 0: verb } of text.matchAll(pattern)) {
        const before = text.slice(0, index);
        if (before.trim() === "" || OWN.test(before)) continue;
        const after = text.slice(index + verb.length);
        const broken = BREAK.exec(after)?.index ?? after.length;
        spans.push({ start: start + index + verb.length, end: start + index + verb.length + broken });
        const comma = before.lastIndexOf(",");
        if (pattern === SAYING && comma > 0 && after.length < LAST_WORDS) spans.push({ start, end: start + comma });
      }
    return spans.filter((span) => span.end <= end);
  });
}

/** Whether a place in a text is in somebody else's words, by quotation marks or as they are passed on. */
export const speaksFor =
  (body: Reading, passedOn: readonly Span[] = attributed(body)) =>
  (at: number): boolean =>
    isQuoted(body, at) || isWithin(passedOn, at);

export const isWithin = (spans: readonly Span[], at: number): boolean =>
  spans.some(({ start, end }) => at >= start && at < end);
