import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import type { Hit } from "../../../../core/text/words/phrases.ts";
import { polarity } from "../../../../core/text/statements/polarity.ts";
import { isPastVerb } from "../../../../core/text/words/stem.ts";
import { isContractedNot, words, type Span, type Word } from "../../../../core/text/words/words.ts";
import { cuesIn } from "./cues.ts";
import { afterLabel, type Directive } from "./directive.ts";

export type Objection =
  | "quoted"
  | "negated"
  | "past"
  | "reported"
  | "guess"
  | "condition"
  | "question"
  | "foreign"
  | "machine"
  | "paper"
  | "dropped";

const papers = lazily(() => new Set<string>(lexicon.directives.papers));

/** Braces, tags, frames of chat templates, addresses: data or markup in place of prose. */
const MARKUP = /[{}]|<\/?\w[^<>]*>|<\||\|>|<<<|\[\/?INST\]|\\n|```|https?:\/\//i;
const TICKED = /[✓✔☑]|^ {0,9}\[x\]/i;
const DONE = /\((?:done|achieved|completed?|met|accomplished)\b/i;
const RESULT = /\b(?:status|result): (?:done|achieved|complete)/i;

/** Whether a text addresses programs instead of readers. */
export const addressesMachines = (text: string): boolean =>
  MARKUP.test(text) || cuesIn(text, words(text)).some(({ label }) => label === "machine");

/** Spans between quotation marks. */
const quotedIn = (text: string): Span[] =>
  [...text.matchAll(/"[^"]{2,}(?:"|$)|“[^”]{2,}(?:”|$)|„[^“”]{2,}(?:[“”]|$)|«[^»]{2,}(?:»|$)/g)].map(
    ({ index: start, 0: { length } }) => ({
      start,
      end: start + length,
    }),
  );
const inside = (spans: readonly Span[], at: number): boolean => spans.some(({ start, end }) => at >= start && at < end);

/** Whether the verb is denied: "will not seize"; a bound of a figure ("no later than") denies nothing. */
function isDenied(
  text: string,
  spoken: readonly Word[],
  directive: Directive | undefined,
  hits: readonly Hit[],
): boolean {
  const limits = hits.filter(({ label }) => label === "limit");
  if (/^(?:do not|don['’]t|never|avoid\b|refrain|cease|stop )/i.test(text)) return true;
  if (!directive || directive.how === "mission") return false;
  const verb = spoken.indexOf(directive.verb);
  if (
    spoken
      .slice(Math.max(0, verb - 3), verb)
      .some((word) => word.text === "not" || word.text === "never" || isContractedNot(text, word))
  )
    return !limits.some(({ last }) => last >= verb - 3 && last < verb);
  return polarity(text, spoken).negations.some(
    ({ at, from, to }) =>
      verb >= from && verb <= to && !limits.some(({ first, last }) => at >= first && at <= last) && at < verb,
  );
}

/** About the past, not the future. */
function isPast(
  text: string,
  spoken: readonly Word[],
  directive: Directive | undefined,
  hits: readonly Hit[],
): boolean {
  if ([TICKED, DONE, RESULT].some((sign) => sign.test(text))) return true;
  const verb = directive?.verb.start ?? text.length;
  if (hits.some(({ label, end }) => label === "past" && end <= verb)) return true;
  if (directive) return false;
  const label = afterLabel(text);
  const [first, second] = spoken.filter(({ start }) => start >= label);
  // "Need for ...", "Improved by ...": no past verb.
  if (!first || !isPastVerb(first.text) || ["need", "proceed", "speed", "seed"].includes(first.text)) return false;
  return second === undefined || second.text !== "of";
}

/** Whether the directive is for somebody outside, whom we do not command. */
function isForeign(spoken: readonly Word[], directive: Directive | undefined, hits: readonly Hit[]): boolean {
  if (directive?.how === "imperative") return false;
  const verb = directive ? spoken.indexOf(directive.verb) : spoken.length;
  const subject = hits.find(({ label, last }) => label === "obligation" && last < verb)?.first ?? Math.min(verb, 6);
  return hits.some(({ label, first }) => label === "foreign" && first < subject && first < 6);
}

const isAboutPaper = (spoken: readonly Word[], directive: Directive | undefined): boolean =>
  /^(?:see|refer|read|note|acknowledge|compare|cf)$/.test(spoken[0]!.text) ||
  (directive?.how === "obligation" &&
    papers().has(spoken[1]?.text ?? "") &&
    ["this", "the", "these"].includes(spoken[0]!.text));

/** Why a sentence is no objective, although it looks like one. */
export function objection(
  text: string,
  spoken: readonly Word[],
  directive: Directive | undefined,
  hits: readonly Hit[],
): Objection | undefined {
  const has = (label: string): boolean => hits.some((hit) => hit.label === label);
  const verbAt = directive?.verb.start ?? 0;
  if (addressesMachines(text)) return "machine";
  if (text.trimEnd().endsWith("?")) return "question";
  if (inside(quotedIn(text), verbAt)) return "quoted";
  if (has("reported") && !(directive?.how === "imperative")) return "reported";
  if (has("dropped")) return "dropped";
  if (isDenied(text, spoken, directive, hits)) return "negated";
  if (isPast(text, spoken, directive, hits)) return "past";
  if (hits.some(({ label, first }) => label === "condition" && first === 0)) return "condition";
  if (hits.some(({ label, first }) => label === "guess" && !(spoken[first]!.capital && first > 0))) return "guess";
  if (isForeign(spoken, directive, hits)) return "foreign";
  return isAboutPaper(spoken, directive) ? "paper" : undefined;
}
