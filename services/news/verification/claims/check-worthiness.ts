import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { clockTimes } from "../../../../core/text/statements/dates.ts";
import { isChecked } from "../../../../core/text/statements/speech/checked.ts";
import { takesBack } from "../../../../core/text/statements/speech/errata.ts";
import { phraseIndex } from "../../../../core/text/words/phrases.ts";
import type { Sentence } from "../../../../core/text/words/sentences.ts";
import { statement, type Statement } from "../../../../core/text/statements/statement.ts";
import { baseOf, isPastVerb, stem } from "../../../../core/text/words/stem.ts";
import { words } from "../../../../core/text/words/words.ts";

/** From this score on, a sentence is a claim. */
export const CHECK_WORTHY = 50;

const index = lazily(() => {
  const { version: _version, language: _language, description: _description, ...phrases } = lexicon.checkWorthiness;
  return phraseIndex(phrases);
});

/**
 * Full Fact's published criteria for choosing what to check, as weights: specific, measurable, about many people; not
 * opinion, prediction or personal experience. The weights that apply are added to `START`.
 */
const WEIGHTS = {
  machine: -90,
  boilerplate: -70,
  opinion: -40,
  prediction: -45,
  announcement: -45,
  experience: -45,
  evaluative: -15,
  attribution: 14,
  many: 6,
  event: 20,
  comparison: 8,
} as const;
const WORDS_OF: Record<keyof typeof WEIGHTS, string> = {
  machine: "addressed to a machine, not to readers",
  boilerplate: "page furniture",
  opinion: "an opinion",
  prediction: "a prediction",
  announcement: "what is to come",
  experience: "personal experience",
  evaluative: "a value judgement",
  attribution: "attributed to somebody",
  many: "about many people",
  event: "tells an event or a change",
  comparison: "compares or ranks",
};
const START = 20;
const FIGURE = 30;
const FURTHER_FIGURE = 4;
const NAME = 14;
const FURTHER_NAME = 4;
const TIME = 8;
/** A past verb that is in no list of events; verbs like "tripled" contain a figure. */
const PAST = 16;
const ANNOUNCED = 10;
const DENIED = 14;
const FACTOR = 14;
/** A short sentence that states one thing outright: readers take it for a fact. */
const OUTRIGHT = 16;
const SHORT = 22;

/** How check-worthy a statement is, 0..100, and why. */
export function checkWorthiness(text: string, one: Statement): { score: number; reasons: string[] } {
  const reasons: string[] = [];
  let score = START;
  const add = (points: number, reason: string) => {
    score += points;
    reasons.push(`${points > 0 ? "+" : "−"}${Math.abs(points)} ${reason}`);
  };

  const signs = signsIn(text, one);
  // An announcement with a time or a figure is a decision that was taken or not: another outlet can confirm it.
  const isSettled =
    signs.has("announcement") &&
    !signs.has("prediction") &&
    one.hedges.length === 0 &&
    (one.dates.length > 0 || one.quantities.length > 0 || (signs.has("attribution") && one.words.length <= SHORT));
  for (const sign of Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[])
    if (signs.has(sign) && !(sign === "announcement" && (isSettled || signs.has("prediction"))))
      add(WEIGHTS[sign], WORDS_OF[sign]);
  if (isSettled) add(ANNOUNCED, "announces what is settled");
  const outright = isOutright(one, signs);
  if (one.negations.length > 0 && (signs.has("attribution") || outright) && one.hedges.length === 0)
    add(DENIED, "somebody denies it");
  if (!signs.has("event") && tellsPast(one)) add(PAST, "tells what happened");
  else if (!signs.has("event") && outright && HOLDS.test(one.text)) add(PAST, "tells what holds now");
  if (one.words.some((word) => FACTORS.has(baseOf(word.text)))) add(FACTOR, "says how many times");
  const figures = one.quantities.length;
  if (figures > 0)
    add(
      FIGURE + FURTHER_FIGURE * Math.min(2, figures - 1),
      `${figures === 1 ? "a figure" : "figures"}: ${one.quantities[0]!.text}`,
    );
  if (outright && figures === 0) add(OUTRIGHT, "tells one thing outright");
  const names = one.entities.length;
  if (names > 0) add(NAME + FURTHER_NAME * Math.min(2, names - 1), `names ${one.entities[0]!.text}`);
  if (one.dates.length > 0) add(TIME, `gives a time: ${one.dates[0]!.text}`);
  else if (clockTimes(one.text).length > 0) add(TIME, "gives the time of day");
  if (outright && one.dates.length > 0 && figures === 0 && !tellsPast(one)) add(ANNOUNCED, "announces what is settled");
  form(one, outright, add);
  return { score: Math.min(100, Math.max(0, score)), reasons };
}

const NO_FACTS = ["machine", "boilerplate", "opinion", "prediction", "experience", "evaluative"] as const;
const STATES = /^(?:was|were|had)$/;
/** "The rule is lifted": holds now or always. */
const NOW = /\b(?:is|are|be) (?:\p{L}+ly )?\p{L}+ed\b/u;
/** Participles too short to be recognised by their form. */
const SHORT_PAST = /\b(?:is|are|was|were|been|be) (?:put|cut|hit|let|set|led|met|won|fed)\b/;
const PRONOUNS = /^(?:he|she|they|it|we|there|this|that)$/;
/** "Is in custody", "are working": holds at the time of writing. */
const HOLDS =
  /\b(?:is|are) (?:still |now |again |no longer )?(?:\p{L}+ing(?! to\b)|in (?:custody|hospital|prison|jail|force|power|office)|out of|under|on strike|closed|open|down|back|free|missing|intact|dead|alive|safe)\b|\b(?:has|have) been (?:down|out|shut|closed|off|open|missing|in)\b|\bremains? (?:closed|open|shut|in|on|at|missing|unclear|under|suspended)\b/u;
/** "Nobody died", "there were no casualties": short, but what everybody wants to know. */
const NONE =
  /^(?:nobody|no ?one|none|there (?:is|are|was|were|has been|have been|had been) (?:still |again )?no|there (?:is|are) still no)\b/i;
/** "Clearly, the world has changed": the writer's comment. */
const COMMENT = /^\p{L}+ly,/u;

const tellsPast = ({ words: spoken, text }: Statement): boolean =>
  spoken.some((word) => isPastVerb(word.text)) || SHORT_PAST.test(text);

/**
 * Whether a sentence is short and states an act, a state or a time as a fact. A statement about "him" or "it" must be
 * an event, denied, dated, or attributed.
 */
function isOutright(one: Statement, signs: ReadonlySet<keyof typeof WEIGHTS>): boolean {
  const { words: spoken, hedges, dates, negations, text } = one;
  const isShort = spoken.length < SHORTEST_OUTRIGHT && !NONE.test(text);
  if (isShort || spoken.length > SHORT || hedges.length > 0 || COMMENT.test(text)) return false;
  if (NO_FACTS.some((sign) => signs.has(sign)) || (signs.has("announcement") && dates.length === 0)) return false;
  if (spoken.some((word) => FIRST_PERSON.has(word.text) || word.text === "you")) return false;
  if (signs.has("event") || dates.length > 0 || NONE.test(text) || clockTimes(text).length > 0) return true;
  if (PRONOUNS.test(spoken[0]!.text)) return (negations.length > 0 || signs.has("attribution")) && tellsPast(one);
  return (tellsPast(one) && !NOW.test(text)) || HOLDS.test(text) || spoken.some(({ text: word }) => STATES.test(word));
}

const FACTORS = new Set(["double", "triple", "quadruple", "halve"].map(stem));
const SHORTEST = 5;
const SHORTEST_OUTRIGHT = 3;
const LONGEST = 60;
const FIRST_PERSON = new Set(["i", "we", "my", "our", "me", "us"]);
const IMPERATIVES =
  /^(?:please|let|imagine|consider|share|read|click|sign|subscribe|ignore|disregard|forget|remember|note that you|you must|watch|follow)\b/i;

function form(
  { text, words: spoken, hedges, quantities }: Statement,
  outright: boolean,
  add: (points: number, reason: string) => void,
): void {
  if (MARKUP.test(text)) add(-70, "data or markup, not prose");
  if (/\?["'”’)]*$/.test(text)) add(-60, "a question");
  if (/^["“].*["”]?$/.test(text) && spoken.length < 12) add(-20, "a bare quotation");
  if (/!["'”’)]*$/.test(text)) add(-25, "an exclamation");
  if (takesBack(text)) add(-70, "takes back what was said before");
  if (isChecked(text)) add(-70, "repeats what it checks");
  if (IMPERATIVES.test(text)) add(-60, "an order or an appeal");
  if (spoken.length < SHORTEST && quantities.length === 0 && !outright) add(-30, "too short to be specific");
  if (spoken.length > LONGEST) add(-10, "very long");
  if (spoken.slice(0, 4).some((word) => FIRST_PERSON.has(word.text)) && !/^["“]/.test(text))
    add(-20, "in the first person");
  if (hedges.length > 0) add(-10, `hedged ("${hedges[0]}")`);
}

const machineIndex = lazily(() => phraseIndex({ machine: lexicon.checkWorthiness.machine }));

/** Braces, tags, escapes, frames of chat templates: data or markup in place of prose. */
const MARKUP = /[{}]|<\/?\w[^<>]*>|<\||\|>|<<<|\[\/?INST\]|\\n|```/;

/** Whether a sentence addresses machines instead of readers, by its words or as data: it is no evidence. */
export const addressesMachines = (
  text: string,
  { text: sentence, words: spoken }: Pick<Sentence, "text" | "words">,
): boolean => MARKUP.test(sentence) || machineIndex().find(text, spoken).length > 0;

/** "Could not be read", "could be seen from far away": a fact, not a prediction. */
const WAS_ABLE = /^could (?:not\b|be (?:seen|heard|felt|smelled|read)\b)/;

/**
 * The kinds of signs in a statement. An expectation that is compared with the outcome ("than forecast") is no
 * prediction.
 */
function signsIn(text: string, one: Statement): Set<keyof typeof WEIGHTS> {
  const found = new Set<keyof typeof WEIGHTS>();
  const signs = index().find(text, one.words);
  const isTold = signs.some(({ label }) => label === "attribution");
  for (const { label, first, start } of signs) {
    // "May" is a month there, not a possibility.
    if (one.dates.some((date) => start >= date.start && start < date.end)) continue;
    const word = one.words[first]!.text;
    // "Said that he would appeal" announces it.
    if (label === "prediction" && word === "would" && isTold) {
      found.add("announcement");
      continue;
    }
    if (label === "prediction" && word === "could" && WAS_ABLE.test(text.slice(start, one.end))) continue;
    if (
      label === "prediction" &&
      one.words.slice(Math.max(0, first - 5), first).some((word) => word.text === "than" || word.text === "had")
    )
      continue;
    found.add(label);
  }
  return found;
}

/** The check-worthiness of a sentence by itself. */
export function scoreSentence(sentence: string): number {
  const one = statement(sentence, { text: sentence, start: 0, end: sentence.length, words: words(sentence) });
  return checkWorthiness(sentence, one).score;
}
