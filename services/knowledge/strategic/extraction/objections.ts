import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import type { Hit } from "../../../../core/text/words/phrases.ts";
import { polarity } from "../../../../core/text/statements/polarity.ts";
import { isPastVerb } from "../../../../core/text/words/stem.ts";
import { isContractedNot, words, type Span, type Word } from "../../../../core/text/words/words.ts";
import { cuesIn } from "./cues.ts";
import { isWeak, type Directive } from "./directives/directive.ts";
import { afterLabel } from "./directives/labels.ts";
import { namesActor } from "./directives/subjects.ts";
import { isProcedure, isThirdPerson, isVerb } from "./directives/verbs.ts";

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

/** "Will not enter the port": not to be done, whoever is told so. */
const FORBIDDEN = /\b(?:will|shall|must|should|are to|is to) (?:not|never)\b|\bwon['’]t\b/i;

/** Whether the verb is denied: "will not seize"; a bound of a figure ("no later than") denies nothing. */
function isDenied(
  text: string,
  spoken: readonly Word[],
  directive: Directive | undefined,
  hits: readonly Hit[],
): boolean {
  const limits = hits.filter(({ label }) => label === "limit");
  if (/^(?:do not|don['’]t|never|avoid\b|refrain|cease )/i.test(text)) return true;
  if (!directive) return FORBIDDEN.test(text);
  if (directive.how === "mission") return false;
  if (directive.how === "outcome" && !/\bnot\b|n['’]t\b/.test(text.slice(directive.from, directive.verb.end)))
    return false;
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
  // "We will have built", "must have been trained", "it was agreed that": between the words of the order.
  const from = directive?.isResolved ? 0 : (directive?.from ?? verb);
  if (hits.some(({ label, start, end }) => label === "past" && end <= verb && start < from)) return true;
  if (directive) return false;
  const label = afterLabel(text);
  const [first, second] = spoken.filter(({ start }) => start >= label);
  // "Need for ...", "Improved by ...": no past verb.
  if (!first || !isPastVerb(first.text) || ["need", "proceed", "speed", "seed"].includes(first.text)) return false;
  return second === undefined || second.text !== "of";
}

/** Whether the directive is for somebody outside, whom we do not command. */
function isForeign(
  text: string,
  spoken: readonly Word[],
  directive: Directive | undefined,
  hits: readonly Hit[],
): boolean {
  if (directive?.how === "imperative" || directive?.isResolved) return false;
  const at = directive ? spoken.findIndex(({ start }) => start >= directive.from) : spoken.length;
  const subject = directive && directive.how !== "mission" ? at : Math.min(at, 6);
  const among = (wanted: string): boolean =>
    hits.some(({ label, first }) => label === wanted && first < subject && first < 6);
  if (among("enemy")) return true;
  if (directive && (directive.isOrder || isWeak(text, directive)) && among("outside")) return true;
  if (directive && INTENDED.test(text.slice(directive.from)) && !directive.isOrder)
    return !namesActor(text, spoken, hits, at);
  if (!directive) return hits.some((hit) => hit.label === "foreign" && hit.first < 6 && hasVerb(spoken, hit));
  // Things do what they do, but they can be acted on; "the water board" and "the flood team" are none.
  return among("foreign") && !among("body") && !(directive?.isPassive && !isWeak(text, directive));
}
const AUXILIARY = new Set(["is", "are", "will", "has", "have", "can", "cannot", "must", "shall", "does", "do"]);
/** "The river stands", "temperatures drop", and not "water for 500 families". */
function hasVerb(spoken: readonly Word[], { last }: Hit): boolean {
  const next = spoken[last + 1];
  if (!next) return false;
  return AUXILIARY.has(next.text) || (spoken[last]!.text.endsWith("s") ? isVerb(next) : isThirdPerson(next.text));
}
const INTENDED = /^(?:intends?|plans?|aims?) to\b/i;

/** "The regulator's aim is to ...": whose aim it is. */
const WHOSE =
  /['’]s? (?:own |stated |main |long-term |declared )?(?:aim|goal|target|objective|ambition|priority|purpose|intention|intent)s?\b/iu;
const LONGEST_WORD = 30;
const OURS =
  /^(?:project|programme|program|plan|strategy|operation|mission|commander|company|team|campaign|trust|unit|department|council|city|partnership|committee|board|group|year|quarter|phase)$/i;
function isOthersAim(text: string, { from, how }: Directive): boolean {
  const told = text.slice(0, from + 40);
  const at = how === "obligation" ? told.search(WHOSE) : -1;
  const whose = at < 0 ? "" : (words(told.slice(Math.max(0, at - LONGEST_WORD), at)).at(-1)?.text ?? "");
  return whose !== "" && !OURS.test(whose);
}

const TO_READERS = new Set([
  "send",
  "tell",
  "inform",
  "write",
  "let",
  "call",
  "meet",
  "keep",
  "contact",
  "answer",
  "find",
]);
const FORMS = new Set(["form", "forms", "questionnaire", "register", "receipts", "receipt", "signature", "template"]);
const FILLED = new Set(["fill", "sign", "keep", "return", "submit", "complete", "send", "attach", "use"]);
const POINTING = new Set(["this", "the", "these", "next", "our", "a", "all", "each"]);
/** "This order will be reviewed", "Return this form by Friday", "See Annex B". */
function isAboutPaper(spoken: readonly Word[], directive: Directive | undefined): boolean {
  if (/^(?:see|refer|read|note|acknowledge|compare|cf)$/.test(spoken[0]!.text)) return true;
  // "That the letter be noted", "to receive the accounts": how a meeting deals with papers.
  const deed =
    spoken[0]!.text === "that" ? spoken.find(({ text }, at) => spoken[at - 1]?.text === "be" && text) : spoken[1];
  if (/^(?:that|to)$/.test(spoken[0]!.text) && deed && isProcedure(deed)) return true;
  if (!directive) return false;
  const subject = spoken.slice(0, 3).find(({ text }) => !POINTING.has(text));
  if (directive.how === "obligation" && POINTING.has(spoken[0]!.text) && papers().has(subject?.text ?? "")) return true;
  const [first, second, ...more] = spoken.slice(spoken.indexOf(directive.verb) + 1).map(({ text }) => text);
  if (first === "you" && TO_READERS.has(directive.verb.text)) return true;
  if (first === "to" && second === "you") return true;
  if ((first === "this" || first === "these") && papers().has(second ?? "")) return true;
  return [first, second, more[0]].some((word) => FORMS.has(word ?? "")) && FILLED.has(directive.verb.text);
}

/** "We want to ...": nobody else reports it. */
const isOwnAim = (directive: Directive | undefined, hits: readonly Hit[]): boolean =>
  directive?.isResolved === true || hits.some(({ label, start }) => label === "aim" && start === directive?.from);
/** "Has been told to board": told as an order, not reported. */
const isReported = (directive: Directive | undefined, hits: readonly Hit[]): boolean =>
  hits.some(
    ({ label, start, end }) =>
      label === "reported" && !(directive && start >= directive.from && end <= directive.verb.start),
  );

const POSSIBLE = /^(?:if|where) (?:possible|necessary|needed|required|practicable|at all)\b/i;
/** What is done only if something happens: said before the order, or behind it. */
const isConditional = (text: string, directive: Directive | undefined, hits: readonly Hit[]): boolean =>
  hits.some(
    ({ label, first, start }) =>
      label === "condition" &&
      !POSSIBLE.test(text.slice(start, start + 20)) &&
      (first === 0 ||
        (directive !== undefined && directive.how !== "imperative") ||
        /[:–—-]\s*$/.test(text.slice(0, start))),
  );

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
  if (isReported(directive, hits) && !(directive?.how === "imperative" || isOwnAim(directive, hits))) return "reported";
  if (has("dropped")) return "dropped";
  if (isDenied(text, spoken, directive, hits)) return "negated";
  if (isPast(text, spoken, directive, hits)) return "past";
  if (isConditional(text, directive, hits)) return "condition";
  if (
    hits.some(
      ({ label, first, end }) =>
        label === "guess" && !(spoken[first]!.capital && first > 0) && !(directive?.isResolved && end <= verbAt),
    )
  )
    return "guess";
  if (isForeign(text, spoken, directive, hits) || (directive && isOthersAim(text, directive))) return "foreign";
  return isAboutPaper(spoken, directive) ? "paper" : undefined;
}
