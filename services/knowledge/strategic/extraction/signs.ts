import { dates } from "../../../../core/text/statements/dates.ts";
import { quantities, type Quantity } from "../../../../core/text/statements/figures/quantities.ts";
import { words, type Word } from "../../../../core/text/words/words.ts";
import { cuesIn } from "./cues.ts";
import { deadlinesIn, type StatedDeadline } from "./deadline.ts";
import { directiveIn, type Directive } from "./directive.ts";
import { objection, type Objection } from "./objections.ts";

const PLACEHOLDER =
  /\b(?:TBD|TBC|TBA|XX+|to be (?:determined|confirmed|announced))\b|\[(?:insert|name|date|unit)[^[\]]{0,60}\]|_{3,}|\?{2,}/i;
const OWNER = /\b(?:responsible|lead|owner|OPR|OCR|action|by whom)\s*[:–-]\s*(?<who>[^.;)\]\n]{2,80})/i;

/** "Every six hours": how often something is done, and nothing that is reached. */
const INTERVAL = /\b(?:every|each)\s$/i;

const RECURRING =
  /\b(?:every|each) (?:[\p{L}\d-]+ ){0,2}(?:minute|hour|day|morning|evening|night|week|month)s?\b|\b(?:hourly|daily|nightly|weekly|monthly)\b/iu;
/** Whether something is done again and again: its rhythm says whether it is done, and nothing is reached once. */
export const recurs = (text: string): boolean => RECURRING.test(text);

/** Signs that a sentence is an objective, and objections. */
export interface Signs {
  words: readonly Word[];
  directive?: Directive;
  deadlines: readonly StatedDeadline[];
  measures: readonly Quantity[];
  isRecurring: boolean;
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
  const directive = directiveIn(text, spoken, hits, isBelowGoal);
  const deadlines = deadlinesIn(text);
  const against = spoken.length ? objection(text, spoken, directive, hits) : undefined;
  const measures = quantities(text, spoken, [...deadlines, ...dates(text)]).filter(
    ({ unit, of, start }) =>
      unit !== "number" && (unit !== "count" || of.length) && !(unit === "s" && INTERVAL.test(text.slice(0, start))),
  );
  const owner = OWNER.exec(text)?.groups?.["who"]?.trim() ?? directive?.owner;
  return {
    words: spoken,
    ...(directive && { directive }),
    deadlines,
    measures,
    isRecurring: recurs(text),
    ...(owner && { owner }),
    isTentative: hits.some(({ label }) => label === "tentative"),
    hasPlaceholder: PLACEHOLDER.test(text),
    ...(against && { against }),
  };
}
