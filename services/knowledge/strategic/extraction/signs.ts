import { dates } from "../../../../core/text/dates.ts";
import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex, type Hit } from "../../../../core/text/phrases.ts";
import { polarity } from "../../../../core/text/polarity.ts";
import { quantities, type Quantity } from "../../../../core/text/quantities.ts";
import { isPastVerb } from "../../../../core/text/stem.ts";
import { isContractedNot, words, type Span, type Word } from "../../../../core/text/words.ts";
import { deadlinesIn, type Deadline } from "./deadline.ts";

const index = lazily(() => {
  const { obligations, foreign, reported, guesses, conditions, past, dropped, tentative, openLimits, machine } =
    lexicon.directives;
  const addressed = [...machine, ...lexicon.checkWorthiness.machine];
  return phraseIndex({
    obligation: obligations,
    foreign,
    reported,
    guess: guesses,
    condition: conditions,
    past,
    dropped,
    tentative,
    limit: openLimits,
    machine: addressed,
  });
});
const verbs = lazily(() => new Set<string>(lexicon.directives.verbs));
/** Verbs that say how something is, or what comes to it: nobody is told to do them. */
const states = lazily(() => new Set<string>(lexicon.directives.states));
const papers = lazily(() => new Set<string>(lexicon.directives.papers));

/** Braces, tags, frames of chat templates, addresses: data or markup, where prose should stand. */
const MARKUP = /[{}]|<\/?\w[^<>]*>|<\||\|>|<<<|\[\/?INST\]|\\n|```|https?:\/\//i;
const PLACEHOLDER =
  /\b(?:TBD|TBC|TBA|XX+|to be (?:determined|confirmed|announced))\b|\[(?:insert|name|date|unit)[^[\]]{0,60}\]|_{3,}|\?{2,}/i;
const DONE =
  /[✓✔☑]|^\s*\[x\]|\((?:done|achieved|completed?|met|accomplished)\b|\b(?:status|result): (?:done|achieved|complete)/i;
const OWNER = /\b(?:responsible|lead|owner|OPR|OCR|action|by whom)\s*[:–-]\s*(?<who>[^.;)\]\n]{2,80})/i;
/** What an item may begin with before it says what is to be done. */
const LABEL =
  /^(?:(?:strategic |operational |intermediate )?(?:objective|goal|task|aim|obj|loe|line of effort|phase|priority|target|effect)\s*[\w.-]{0,6}\s*(?:\([^)]{1,30}\)\s*)?[:–—-]\s*)+/i;

/** How a sentence says that something is to be done. */
export interface Directive {
  how: "obligation" | "imperative" | "mission";
  verb: Word;
  /** Words before it that say who is to do it. */
  owner?: string;
}

/** What a sentence shows of an objective, and what speaks against its being one. */
export interface Signs {
  words: readonly Word[];
  directive?: Directive;
  deadlines: readonly Deadline[];
  measures: readonly Quantity[];
  owner?: string;
  isTentative: boolean;
  hasPlaceholder: boolean;
  /** Why it is none, however much it looks like one. */
  against?:
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
}

/** Whether a text speaks to programs instead of readers. */
export const addressesMachines = (text: string): boolean =>
  MARKUP.test(text) ||
  index()
    .find(text, words(text))
    .some(({ label }) => label === "machine");

/** Spans between quotation marks. */
const quotedIn = (text: string): Span[] =>
  [...text.matchAll(/"[^"]{2,}(?:"|$)|“[^”]{2,}(?:”|$)|„[^“”]{2,}(?:[“”]|$)|«[^»]{2,}(?:»|$)/g)].map(
    ({ index: start, 0: { length } }) => ({
      start,
      end: start + length,
    }),
  );
const inside = (spans: readonly Span[], at: number): boolean => spans.some(({ start, end }) => at >= start && at < end);

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

/**
 * The word from a place on that says what is to be done, past adverbs: after an obligation any verb that says what
 * somebody does.
 */
function verbFrom(spoken: readonly Word[], from: number): { verb: Word; isPassive: boolean } | undefined {
  let isPassive = false;
  for (let at = from; at < Math.min(from + 4, spoken.length); at += 1) {
    const word = spoken[at]!;
    if (word.text === "be") isPassive = true;
    else if (isPassive && isPastVerb(word.text)) return { verb: word, isPassive };
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

/** Who is named before an obligation; nobody where it is a pronoun, or a thing that has it done to it. */
function ownerOf(text: string, spoken: readonly Word[], before: number, isPassive: boolean): string | undefined {
  const first = spoken.findIndex(({ start }, at) => at === before || !/^[\s\S]*,\s*$/.test(text.slice(0, start)));
  const comma = text.lastIndexOf(", ", spoken[before]!.start);
  const from = comma >= 0 ? spoken.findIndex(({ start }) => start > comma) : Math.max(0, first);
  const subject = spoken.slice(from, before);
  if (isPassive || !subject.length || subject.length > 8 || NOBODY.has(subject[0]!.text)) return undefined;
  return text.slice(subject[0]!.start, subject.at(-1)!.end).replaceAll(/\s+/g, " ");
}

function directiveOf(text: string, spoken: readonly Word[], hits: readonly Hit[]): Directive | undefined {
  for (const { label, first, last } of hits) {
    if (label !== "obligation") continue;
    const found = verbFrom(spoken, last + 1);
    if (!found) continue;
    const owner = first > 0 ? ownerOf(text, spoken, first, found.isPassive) : undefined;
    return { how: "obligation", verb: found.verb, ...(owner && { owner }) };
  }
  const label = LABEL.exec(text)?.[0].length ?? 0;
  const from = spoken.findIndex(({ start }) => start >= label);
  const begins =
    from < 0
      ? undefined
      : spoken[from]!.text === "to" || spoken[from]!.text.endsWith("ly")
        ? spoken[from + 1]
        : spoken[from];
  if (isVerb(begins)) return { how: "imperative", verb: begins! };
  // "NLT 0600, secure the bridge": a limit of time may stand first.
  const comma = text.indexOf(", ");
  const behind = comma > 0 && comma < 60 ? spoken.find(({ start }) => start > comma) : undefined;
  return isVerb(behind) && /^(?:by|before|no later|not later|nlt|within|on|after|upon)\b/i.test(text.slice(label))
    ? { how: "imperative", verb: behind! }
    : undefined;
}

/** "1st Battalion seizes the bridge": how missions are put. It tells an objective below a goal's heading only. */
function missionIn(text: string, spoken: readonly Word[]): Directive | undefined {
  const at = spoken.findIndex(
    ({ text: word }, n) =>
      n > 0 && n < 8 && /[^s]s$/.test(word) && (verbs().has(word.slice(0, -1)) || verbs().has(word.replace(/es$/, ""))),
  );
  if (at < 1) return undefined;
  const owner = text.slice(spoken[0]!.start, spoken[at - 1]!.end).replaceAll(/\s+/g, " ");
  return { how: "mission", verb: spoken[at]!, owner };
}

/** Whether the verb is denied: "will not seize"; what only bounds a figure ("no later than") denies nothing. */
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

/** Said of what was, not of what is to be. */
function isPast(
  text: string,
  spoken: readonly Word[],
  directive: Directive | undefined,
  hits: readonly Hit[],
): boolean {
  if (DONE.test(text)) return true;
  const obligation = directive?.how === "obligation" ? directive.verb.start : -1;
  if (hits.some(({ label, end }) => label === "past" && (obligation < 0 || end <= obligation))) return true;
  if (directive) return false;
  const label = LABEL.exec(text)?.[0].length ?? 0;
  const [first, second] = spoken.filter(({ start }) => start >= label);
  // "Need for ...", "Improved by ...": no verb of the past.
  if (!first || !isPastVerb(first.text) || ["need", "proceed", "speed", "seed"].includes(first.text)) return false;
  return second === undefined || second.text !== "of";
}

/** Whoever is spoken of is not one of ours, or nobody's to command. */
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

function objection(
  text: string,
  spoken: readonly Word[],
  directive: Directive | undefined,
  hits: readonly Hit[],
): Signs["against"] {
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

/** Reads the signs of one sentence; below a goal's heading more counts as a directive. */
export function signsOf(text: string, isBelowGoal = false): Signs {
  const spoken = words(text);
  const hits = index().find(text, spoken);
  const directive = directiveOf(text, spoken, hits) ?? (isBelowGoal ? missionIn(text, spoken) : undefined);
  const deadlines = deadlinesIn(text);
  const against = spoken.length ? objection(text, spoken, directive, hits) : undefined;
  const measures = quantities(text, spoken, [...deadlines, ...dates(text)]).filter(
    ({ unit, of }) => unit !== "number" && (unit !== "count" || of.length),
  );
  const owner = OWNER.exec(text)?.groups?.["who"]?.trim() ?? directive?.owner;
  return {
    words: spoken,
    ...(directive && { directive }),
    deadlines,
    measures,
    ...(owner && { owner }),
    isTentative: hits.some(({ label }) => label === "tentative"),
    hasPlaceholder: PLACEHOLDER.test(text),
    ...(against && { against }),
  };
}

/** Where what a sentence says begins, behind a label. */
export const afterLabel = (text: string): number => LABEL.exec(text)?.[0].length ?? 0;
