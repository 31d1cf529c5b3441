import { dates } from "../../../../core/text/statements/dates.ts";
import { countedAs } from "../../../../core/text/statements/figures/people.ts";
import { quantities, type Quantity } from "../../../../core/text/statements/figures/quantities.ts";
import { words, type Span, type Word } from "../../../../core/text/words/words.ts";
import { cuesIn } from "./cues.ts";
import { deadlinesIn, type StatedDeadline } from "./deadline.ts";
import { directiveIn, type Directive } from "./directives/directive.ts";
import { isThirdPerson } from "./directives/verbs.ts";
import { objection, type Objection } from "./objections.ts";

const PLACEHOLDER =
  /\b(?:TBD|TBC|TBA|XX+|to be (?:determined|confirmed|announced))\b|\[(?:insert|name|date|unit)[^[\]]{0,60}\]|_{3,}|\?{2,}/i;
const OWNER = /\b(?:responsible|lead|owner|OPR|OCR|action|by whom)\s*[:–-]\s*(?<who>[^.;)\]\n]{2,80})/i;

/** "Every six hours": how often something is done, and nothing that is reached. */
const INTERVAL = /\b(?:every|each)\s$/i;

const RECURRING =
  /\b(?:every|each) (?:[\p{L}\d-]+ ){0,2}(?:minute|hour|day|morning|evening|night|week|month)s?\b|\b(?:hourly|daily|nightly|weekly|monthly|quarterly|annually|yearly)\b|\b(?:once|twice|\p{L}{3,6} times) (?:a|an|every|each) (?:shift|hour|day|night|week|month|quarter|term|year)\b/iu;
/** Whether something is done again and again: its rhythm says whether it is done, and nothing is reached once. */
export const recurs = (text: string): boolean => RECURRING.test(text);

/** A limit that is an event and no date, or a change that is told without a figure. */
const LIMITED =
  /\b(?:(?:by|before|until|no later than|not later than|throughout|within|ahead of|for the whole of) (?:the |this |next |each |early |mid-|late |mid |any ){0,2}(?:end|start|beginning|close|opening|time|summer|winter|spring|autumn|christmas|easter|morning|noon|midday|midnight|dawn|dusk|nightfall|daybreak|first light|last light|sunrise|sunset|term|season|monsoon|rains|harvest|planting|quarter|half|go-live|launch|election|elections|year|month|week|shift|hour|day|incident|campaign|operation|exercise|tide|thaw|frost)|before (?:the|it|they|any|we)|by (?:half|a third|a quarter|two thirds|three quarters|a fifth|a tenth)|(?:to|at|by) (?:fewer than|less than|more than|no more than|at least|at most|under|below|over) (?:a |an )?(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|half|third|quarter)|to (?:zero|nil|none))\b/i;

const FROM =
  /\bfrom (?:the (?:start|beginning) of |next |this |early |mid-){0,2}(?:20\d\d|year|month|term|season|January|February|March|April|May|June|July|August|September|October|November|December)\b/i;
/** A rule may have a condition that looks like a limit: "before any contract is let". */
function isLimited(text: string, directive?: Directive): boolean {
  const limit = LIMITED.exec(text)?.[0] ?? FROM.exec(text)?.[0];
  return limit !== undefined && (directive?.rule === undefined || /^by\b/i.test(limit));
}

/** "Children between", "residents over", "aged 1 to": whose years follow. */
const OF_AGE =
  /(?:\b(?:age[ds]?|older than|younger than)|(?<whose>\p{L}{2,20})(?: who are| aged?)?) (?:(?:between|from|over|under|above|below|older than|younger than|up to) )?$/iu;
const YEARS = /\b(?:year|month)s?$/i;
const PERSONS =
  /^(?:persons?|patient|contacts?|every(?:body|one)|citizens|infants|babies|toddlers|population|elderly)$/i;

/** Whether years or months say how old those are of whom is spoken: that is nothing to be reached. */
function areOfAge(text: string, { text: written, start, boundStart = start }: Quantity, before?: Quantity): boolean {
  if (!YEARS.test(written)) return false;
  if (before && /^ (?:and|to|or) $/.test(text.slice(before.end, start))) return areOfAge(text, before);
  const found = OF_AGE.exec(text.slice(0, boundStart));
  const whose = found?.groups?.["whose"];
  return found !== null && (whose === undefined || PERSONS.test(whose) || countedAs(whose.toLowerCase()) === "people");
}

/** "Every tanker over 80,000 tonnes": its size says which are meant. */
const OF_SIZE = /\b(?:every|each|all|any)\s(?:[\p{L}-]+\s){1,3}$/iu;
const SIZES = new Set(["kg", "m", "m3"]);

/** "Task Force 61 keeps ...": a number behind a name, before what is done. */
function isNumberOfName(spoken: readonly Word[], { end, unit }: Quantity, verb: Word | undefined): boolean {
  const at = unit === "count" ? spoken.findIndex(({ start }) => start >= end) : -1;
  if (at < 0) return false;
  const areNames = spoken.slice(Math.max(0, at - 3), at - 1).every(({ capital }) => capital);
  return spoken[at] === verb || (at > 2 && areNames && isThirdPerson(spoken[at]!.text));
}

/** Whether a figure says of which things a sentence speaks, and not what is to be reached. */
const isOfThings = (text: string, { unit, boundStart }: Quantity): boolean =>
  SIZES.has(unit) && boundStart !== undefined && OF_SIZE.test(text.slice(0, boundStart));

/** What a sentence measures itself by; the verb that it begins with has a capital, and is no name. */
function measuresIn(
  text: string,
  spoken: readonly Word[],
  taken: readonly Span[],
  directive: Directive | undefined,
): Quantity[] {
  const plain = spoken.map((word) => (word.start === directive?.verb.start ? { ...word, capital: false } : word));
  const all = quantities(text, plain, taken);
  return all.filter(
    (one, at) =>
      one.unit !== "number" &&
      (one.unit !== "count" || one.of.length) &&
      !isNumberOfName(spoken, one, directive?.verb) &&
      !isOfThings(text, one) &&
      !(one.unit === "s" && (INTERVAL.test(text.slice(0, one.start)) || areOfAge(text, one, all[at - 1]))),
  );
}

const ownerNamed = (text: string): string | undefined => OWNER.exec(text)?.groups?.["who"]?.trim();

/** Signs that a sentence is an objective, and objections. */
export interface Signs {
  words: readonly Word[];
  directive?: Directive;
  deadlines: readonly StatedDeadline[];
  measures: readonly Quantity[];
  isRecurring: boolean;
  /** Bound by an event in place of a date, or by a share in place of a figure. */
  isLimited: boolean;
  owner?: string;
  isTentative: boolean;
  hasPlaceholder: boolean;
  /** Why it is none, although it looks like one. */
  against?: Objection;
}

/** Reads the signs of one sentence; below a goal's heading more forms count as directives. */
export function signsOf(text: string, isBelowGoal = false): Signs {
  const spoken = words(text);
  const hits = cuesIn(text, spoken);
  const deadlines = deadlinesIn(text);
  const told = directiveIn(text, spoken, hits);
  // "The board meets": what is told of the present is to be done where a goal or a date says so.
  const directive = told?.how === "mission" && !isBelowGoal && !deadlines.length ? undefined : told;
  const against = spoken.length ? objection(text, spoken, directive, hits) : undefined;
  const measures = measuresIn(text, spoken, [...deadlines, ...dates(text)], directive);
  const owner = ownerNamed(text) ?? directive?.owner;
  return {
    words: spoken,
    ...(directive && { directive }),
    deadlines,
    measures,
    isRecurring: recurs(text),
    isLimited: isLimited(text, directive),
    ...(owner && { owner }),
    isTentative: hits.some(({ label }) => label === "tentative"),
    hasPlaceholder: PLACEHOLDER.test(text),
    ...(against && { against }),
  };
}

/** With the owner that a later sentence of its item names: "Clear the channel by June. Owner: Mine Group." */
export function ownedAsSaidIn(item: string, signs: Signs): Signs {
  const owner = signs.owner ?? ownerNamed(item);
  return owner ? { ...signs, owner } : signs;
}
