import { stem } from "../../../core/text/words/stem.ts";
import { isFunctionWord } from "../../../core/text/words/stop-words.ts";
import { isWord, nearnessOf, placeOf } from "../../../core/text/words/vectors.ts";
import { designationsIn } from "../designations.ts";
import { isBare, LEFT_OFFICE, personsIn, SIGN, signOf, STRONG } from "./answer-forms.ts";
import type { Asked, AskedTerm } from "./asking.ts";
import type { Word } from "../../../core/text/words/words.ts";
import { standsFor } from "./concepts.ts";
import { isWithin } from "./clocks.ts";
import type { Line, Wordings } from "./lines.ts";
import { countsIn } from "./signs.ts";

/** How much less counts what stands beside a sentence: in those before it, after it, in its record's title. */
const BEFORE = [0.9, 0.85, 0.8, 0.7, 0.6];
const AFTER = [0.75, 0.65, 0.55];
const IN_TITLE = 0.75;

export interface Fit {
  /** How much of what was asked is spoken of, in the sentence and around it, beside names: from 0 to 1. */
  whole: number;
  /** The same with names. */
  all: number;
  /** The same in the sentence alone. */
  own: number;
  /** What it gains by the form of its answer; less than nothing where it lacks that. */
  sign: number;
  score: number;
  /** What was asked of that is not spoken of: where it is a name, or what the question is about, this is no answer. */
  missing: readonly AskedTerm[];
}

/** How much of what was asked a record must speak of, and its sentence itself, to be looked at. */
const LEAST = 0.3;
const LEAST_OWN = 0.05;
/** What a sentence loses by each name that its record does not speak of. */
const UNNAMED_BY = 0.3;

/** How well a line answers; `around` are the lines of its record in order. Undefined where it does not. */
export function fitOf(question: Asked, line: Line, around: readonly Line[]): Fit | undefined {
  const isNumbered = numbered(question, line);
  if (isNumbered === false || isOfAnother(question, line) || isNoAnswer(question, line)) return undefined;
  const spoken = spokenOf(question, line, around, isNumbered === true);
  if (spoken.all < LEAST || spoken.own < LEAST_OWN) return undefined;
  const isUnnamed = spoken.isNamed === false;
  const isElsewhere = isUnnamed && !POINTS.test(line.text);
  const isOfPersons = ABOUT_PERSONS.has(question.wanted);
  if (isElsewhere && !isOfPersons && personsIn(line, question).length) return undefined;
  const sign = signOf(question, line);
  if (sign === undefined) return undefined;
  const isOfOthers = isUnnamed && !isOfPersons && tellsOfOthers(question, line);
  const names = isOfOthers ? question.terms.filter((one) => one.isName) : [];
  const fit = { ...spoken, sign, missing: [...new Set([...spoken.missing, ...names])] };
  const isTitle = line === around[0] && around.length > 1 && isLabel(line);
  const score =
    (fit.whole + fit.own) / 2 +
    sign -
    UNNAMED_BY * fit.missing.filter((one) => one.isName).length +
    (isNumbered ? SIGN : 0) -
    (isTitle ? LABEL : 0) -
    (isElsewhere && ELSEWHERE.test(line.text) ? OTHER_PLACE : 0) +
    fitOfTime(question, line) -
    (isHeaded(question, line) ? 0 : SIGN);
  return { ...fit, score };
}

/** What of a question is spoken of in a line and around it. */
interface Spoken extends Pick<Fit, "own" | "whole" | "all" | "missing"> {
  /** Whether the line itself has a name that was asked with; undefined where there was none. */
  isNamed: boolean | undefined;
}

function spokenOf(question: Asked, line: Line, around: readonly Line[], isNumbered: boolean): Spoken {
  const place = around.indexOf(line);
  const [own, whole, all] = [new Share(), new Share(), new Share()];
  const missing: AskedTerm[] = [];
  let isNamed: boolean | undefined;
  for (const term of question.terms) {
    if (isNumbered && ORDINAL.test(term.key)) continue;
    let here = meansOf(term, line, question.wanted === "state");
    const before = here === 1 ? 0 : beforeIn(term, line, around, place);
    if (here < UNNAMED && (before || PEOPLE.has(term.key)) && isCounted(question, term, line)) here = UNNAMED;
    // What is named only afterwards is not what a sentence is about.
    const after = here === 1 || term.isName ? 0 : afterIn(term, around, place);
    const near = Math.max(here, before, after);
    if ((term.isName || term.isHead) && near === 0) missing.push(term);
    if (term.isName) isNamed = isNamed === true || here > 0;
    else whole.add(term, near);
    all.add(term, near);
    const known = term.isName ? OWN_OF_NAMES : before > here ? OWN_OF_KNOWN : 1;
    own.add({ ...term, weight: term.weight * known }, here);
  }
  return { own: own.share, whole: whole.total ? whole.share : 1, all: all.share, missing, isNamed };
}

/** Whether a line that does not name what was asked with sums up, or goes over to something else. */
const tellsOfOthers = ({ wanted }: Asked, line: Line): boolean =>
  SUMMING.test(line.text) || isAnotherSubject(line) || (ELSEWHERE.test(line.text) && !HELD_ANYWHERE.has(wanted));

/** Whether a line has all that the question is about. */
const isHeaded = (question: Asked, line: Line): boolean =>
  question.terms.every((term) => !term.isHead || isCounted(question, term, line) || standsFor(term, line) > 0);

/** What a line gains or loses by telling of what was, is, or is to come, as it was asked. */
const fitOfTime = ({ isNow, isComing, isDone }: Asked, { text }: Line): number =>
  (isNow && LEFT_OFFICE.test(text) ? -STRONG : 0) +
  (isComing && COMES.test(text) ? SIGN : 0) -
  ((isDone && PLANNED.test(text)) || (isNow && ORDERED.test(text)) ? UNDONE : 0);

/** What a record names before, its further sentences are about as well. */
const OWN_OF_KNOWN = 0.25;
const OWN_OF_NAMES = 0.15;
/** How far a number without a noun counts what was asked for. */
const UNNAMED = 0.6;
/** Who is counted without being named: "the hall holds 96". */
const PEOPLE: ReadonlySet<string> = new Set(["peopl", "folk", "person", "individu", "soul"]);
/** What is only planned, ordered or expected. */
const PLANNED =
  /\b(?:should|may|might|shall|plan(?:s|ned|ning)?|intends?|expects?|expected|forecast|meant to|supposed to|due to (?:be|arrive|start|open|leave)|proposes?|proposed|would|will|(?:is|are) to be|must)\b/i;
/** What is to be reached. */
const ORDERED =
  /^(?:by (?:the )?(?:end of )?\d|(?:reduce|raise|increase|cut|keep|reach|restore|limit|lower|bring|hold|maintain|halve|double|achieve|train|open|close|clear|establish) )/i;
const COMES =
  /\b(?:should|will|shall|won['’]t|expect(?:s|ed)|forecast|due|plan(?:s|ned)?|scheduled|promised|set for|set to|(?:is|are) to|until|not before|next|tomorrow|intends?|wants? to)\b/i;
const UNDONE = 0.3;
/** What sums up tells of all, not of what was named before. */
const SUMMING = /\b(?:in all|in total|altogether|overall|all told|nationwide|worldwide)\b/i;
const isAnotherSubject = ({ spoken: [first] }: Line): boolean =>
  first !== undefined && first.capital && !isFunctionWord(first.text) && !isWord(placeOf(stem(first.text)));
const ELSEWHERE = /\b(?:in|at|near) \p{Lu}\p{Ll}/u;
const OTHER_PLACE = 0.15;
const POINTS = /\b(?:it|its|he|she|his|her|him|they|their|them|this|these|there|whose|who)\b/i;
const ABOUT_PERSONS: ReadonlySet<Asked["wanted"]> = new Set(["person", "name", "all"]);
const HELD_ANYWHERE: ReadonlySet<Asked["wanted"]> = new Set(["place", "thing", "name", "all", "means"]);
const ORDINAL = /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)$/;

/** Whether a line speaks of what was asked by its number; undefined where it speaks of none of its kind. */
function numbered({ ordinal }: Asked, { text }: Line): boolean | undefined {
  if (!ordinal) return undefined;
  const alike = designationsIn(text).filter(({ word }) => word === ordinal.key);
  return alike.length ? alike.some(({ number }) => number === ordinal.number) : undefined;
}

/** What only asks, or says that those are so which are asked for because they are not. */
function isNoAnswer({ isForQuestions, notSo }: Asked, { text, spoken }: Line): boolean {
  if (!isForQuestions && QUESTION.test(text)) return true;
  const at = notSo === undefined ? -1 : spoken.findIndex((word) => word.text === notSo);
  return at >= 0 && !spoken.slice(Math.max(0, at - 3), at).some((word) => NOT.test(word.text));
}
const QUESTION = /\?["'”’)]*$/;
const NOT = /^(?:not|never|no|nobody|nothing|cannot|\w*n['’]?t)$/;

/** Words of which one excludes the others, where something is told apart by them. */
const APART = [
  ["north northern", "south southern", "east eastern", "west western", "central"],
  ["upper", "lower", "middle"],
  ["left", "right"],
  ["inner", "outer"],
  ["men male boys", "women female girls"],
  ["inbound incoming arriving", "outbound outgoing departing"],
  ["old", "new"],
  ["morning", "afternoon", "evening", "night"],
  ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
].map((set) => new Map(set.flatMap((words, side) => words.split(" ").map((word) => [word, side] as const))));

/** Whether a line tells apart by another word than the question: "the northern bank" is not the southern one. */
function isOfAnother({ said, pairs }: Asked, { spoken }: Line): boolean {
  if (pairs.some(([own, kind]) => isSibling(own, kind, spoken))) return true;
  return APART.some((sides) => {
    const wanted = said.flatMap((word) => sides.get(word) ?? []);
    if (!wanted.length) return false;
    const told = spoken.flatMap(({ text }) => sides.get(text) ?? []);
    return told.length > 0 && !told.some((side) => wanted.includes(side));
  });
}

/** Whether a line names another of the kind by a name of two words: "Mill Bridge" for "Stone Bridge". */
function isSibling(own: string, kind: string, spoken: readonly Word[]): boolean {
  const named = spoken.flatMap((word, at) => {
    const before = spoken[at - 1];
    return word.text === kind && word.capital && before?.capital && word.start - before.end === 1 ? [before.text] : [];
  });
  return named.length > 0 && !named.includes(own);
}

/** Whether a term is what was counted, and a line gives a number without a noun. */
const isCounted = ({ wanted, counted }: Asked, term: AskedTerm, line: Line): boolean =>
  wanted === "number" &&
  counted.some(({ key }) => key === term.key) &&
  countsIn(line.text, line.spoken).some(({ at }) => isBare(line.text, line.spoken, at)) &&
  standsFor(term, line) < UNNAMED;

/** The share of terms that are spoken of, by their weights; of two with "or" between them the better. */
class Share {
  total = 0;
  #sum = 0;
  #last = { weight: 0, of: 0 };
  add({ weight, isOr }: AskedTerm, of: number): void {
    if (isOr) {
      this.#sum += Math.max(0, of - this.#last.of) * this.#last.weight;
      this.#last.of = Math.max(of, this.#last.of);
      return;
    }
    this.total += weight;
    this.#sum += weight * of;
    this.#last = { weight, of };
  }
  get share(): number {
    return this.#sum / (this.total || 1);
  }
}

/** A label at the beginning of a record, such as "Friday log.", tells nothing itself. */
const isLabel = ({ text, spoken }: Line): boolean =>
  spoken.length <= LONGEST_LABEL && !TELLING.test(text) && !countsIn(text, spoken).length;
/** What a short line tells behind a colon. */
const TELLING = /^(?!from|to|re|subject|via)[^:]+: ./i;
const LONGEST_LABEL = 5;
const LABEL = 0.35;

/** Words of near meaning by their contexts, and how much they count. */
const NEAR_FROM = 0.6;
const NEAR_SHARE = 0.8;
/** A time of day in words for one in figures. */
const IN_FIGURES = 0.9;
function meansOf(term: AskedTerm, marks: Wordings, isWhether = false): number {
  const stands = standsFor(term, marks, isWhether);
  if (stands < IN_FIGURES && term.spans && marks.minutes?.some((one) => isWithin(one, term.spans!))) return IN_FIGURES;
  if (stands > 0 || term.isExact) return stands;
  const place = placeOf(term.key);
  if (place < 0) return 0;
  let best = 0;
  for (const other of marks.vectors) best = Math.max(best, nearnessOf(place, other));
  return best < NEAR_FROM ? 0 : NEAR_SHARE * best;
}

function beforeIn(term: AskedTerm, line: Line, around: readonly Line[], place: number): number {
  let best = IN_TITLE * meansOf(term, line.title);
  for (const [step, share] of BEFORE.entries()) {
    const other = around[place - 1 - step];
    if (!other) break;
    best = Math.max(best, share * meansOf(term, other));
  }
  return best;
}

function afterIn(term: AskedTerm, around: readonly Line[], place: number): number {
  let best = 0;
  for (const [step, share] of AFTER.entries()) {
    const other = around[place + 1 + step];
    if (!other) break;
    best = Math.max(best, share * meansOf(term, other));
  }
  return best;
}
