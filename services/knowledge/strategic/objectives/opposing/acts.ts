import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import { baseIndex, type ContentWord } from "./terms.ts";
import { isOfTime, type Thing } from "./things.ts";

/** What is to become of a thing. */
export interface Act {
  first: number;
  last: number;
  courses: readonly string[];
  isDenied: boolean;
  object: Thing | undefined;
  verb: string;
}

const index = lazily(() => baseIndex(lexicon.courses.courses));

const BEFORE_VERBS =
  /^(?:to|and|or|then|not|never|will|must|shall|should|can|could|be|is|are|been|being|also|but|by|without|no|from|do|let|have|get|may|cannot|than|while|before|after|of|fully|first|still|instead|all|any|only|new|further|stop|avoid|us|we|they)$/;

/** Where a word may be a verb: at the beginning of a clause, after an auxiliary, or bent as one. */
function isVerb(spoken: readonly Word[], at: number, isBroken: boolean, isLong: boolean): boolean {
  if (at === 0 || isBroken || isLong) return true;
  const [before, { text }] = [spoken[at - 1]!.text, spoken[at]!];
  if (BEFORE_VERBS.test(before) || before.endsWith("ly")) return true;
  const after = spoken[at + 1]?.text;
  if (text.endsWith("ing")) return after !== undefined;
  if (/^(?:let|have|see|allow|make)$/.test(spoken[0]!.text))
    return after === undefined || /^(?:to|by|from|in|on|at|under|above|below)$/.test(after);
  return text.endsWith("s") && after !== undefined && /^(?:the|an?|in|on|at|its|their|to|out|open|closed)$/.test(after);
}

export interface Hit {
  first: number;
  last: number;
  courses: string[];
  /** The words of the act itself. */
  at: readonly number[];
}

/** The words that may say what is to become of something; where several begin at one place, the longest. */
export function hitsOf({ text, start, words: spoken }: Statement, bases: readonly Word[]): Hit[] {
  const found = new Map<number, Hit>();
  for (const { label, term, first, last } of index().find("", bases)) {
    const broken =
      first > 0 && /[,;:–—]/.test(text.slice(spoken[first - 1]!.end - start, spoken[first]!.start - start));
    if (!isVerb(spoken, first, broken, last > first && spoken[last]!.text === "of")) continue;
    const known = found.get(first);
    const longer = !known || known.last < last;
    const kept = longer ? (known && isAddition(spoken[last]!.text) ? known.courses : []) : known.courses;
    const adds = longer || known.last === last || isAddition(spoken[known.last]!.text);
    found.set(first, {
      first,
      last: longer ? last : known.last,
      courses: adds ? [...kept, label] : kept,
      at: longer ? ownWords(term, first, last) : known.at,
    });
  }
  return [...found.values()].sort((one, other) => one.first - other.first);
}

/** "Close the strait to ships" closes it too; "keep them out of it" keeps nothing. */
const isAddition = (last: string): boolean => /^(?:to|at|on|in|for)$/.test(last);

const ownWords = (term: string, first: number, last: number): number[] =>
  term.includes("…") ? [first, last] : Array.from({ length: last - first + 1 }, (_, more) => first + more);

/** "Keep the price at 2 euros": the words after it say that nothing is to be raised, or cut. */
const BOUNDS = [
  [/^at$/, "level"],
  [/^(?:below|under|within)$/, "ceiling"],
  [/^(?:above|over)$/, "floor"],
] as const;
function boundsOf(spoken: readonly Word[], verb: number): string[] {
  return spoken
    .slice(verb + 1, verb + 8)
    .flatMap(({ text }, at) =>
      /^(?:\d|half|zero|one|two|three)/.test(spoken[verb + at + 2]?.text ?? "")
        ? BOUNDS.flatMap(([form, course]) => (form.test(text) ? [course] : []))
        : [],
    );
}

const CLAUSE = /^(?:and|but|while|so|because|if|when|until|before|after|once|than)$/;
const PAST_CLAUSE = /^(?:until|before|after|once|during|by|for|throughout|within|than)$/;

const SHUT = /^(?:closed|shut|sealed|empty|locked|off)$/;

/** "Keep the grounds clean" keeps nothing but that. */
const STATE =
  /^(?:clean|safe|tidy|dry|warm|cool|informed|supplied|quiet|healthy|fit|happy|busy|low|short|up|simple|affordable)$/;

/** A statement's acts with what they are done to. */
export function actsOf(
  stated: Statement,
  hits: readonly Hit[],
  things: readonly Thing[],
  terms: readonly ContentWord[],
): Act[] {
  const { words: spoken, negations } = stated;
  const barred = spoken.flatMap(({ text }, at): Act[] => {
    const next = text === "no" && (at === 0 || /^(?:and|with|allow|be|is|are)$/.test(spoken[at - 1]!.text));
    const object = next ? things.find((thing) => thing.first >= at && thing.last > at) : undefined;
    return object ? [{ first: at, last: at, courses: ["forbid", "end"], isDenied: false, object, verb: "no" }] : [];
  });
  return [
    ...barred,
    ...hits.map(({ first, last, courses }) => {
      const isDenied =
        negations.some(
          ({ from, to }) => first >= from && first <= to && !terms.some(({ at }) => at >= from && at < first),
        ) || isStopped(spoken, first);
      const object = objectOf(stated, first, last, things);
      const shut =
        courses.includes("keep") &&
        spoken.slice(last + 1, last + 8).some(({ text }) => SHUT.test(text)) &&
        !spoken.slice(last + 1, last + 8).some(({ text }) => /^(?:open|running)$/.test(text));
      const isState = courses.includes("keep") && spoken.slice(last + 1, last + 8).some(({ text }) => STATE.test(text));
      return {
        first,
        last,
        courses: shut
          ? ["end", "forbid"]
          : isState
            ? []
            : courses.includes("keep")
              ? [...courses, ...boundsOf(spoken, first)]
              : courses,
        isDenied,
        object,
        verb: spoken[first]!.text,
      };
    }),
  ];
}

const STOPS = /^(?:stop|end|halt|cease|ban|freeze|pause|avoid|prevent|suspend|forbid|prohibit|refuse|without|no)$/;
const BETWEEN = /^(?:all|any|the|new|further|to|from|a|more)$/;
/** "Stop all new drilling", "halt the sale of": what follows is not to be done. */
function isStopped(spoken: readonly Word[], at: number): boolean {
  let before = at - 1;
  while (before > 0 && BETWEEN.test(spoken[before]!.text)) before -= 1;
  const { text } = spoken[at]!;
  return before >= 0 && STOPS.test(spoken[before]!.text) && (text.endsWith("ing") || spoken[at + 1]?.text === "of");
}

const PARTY =
  /^(?:soldier|staff|unit|battalion|company|firm|brigad|patrol|garrison|peopl|polic|division|regiment|platoon|squad|guard|army|navy|militia|fighter|marin|infantry|everybody|everyon|member|country|part)$/;

function objectOf(stated: Statement, first: number, last: number, things: readonly Thing[]): Thing | undefined {
  const { words: spoken } = stated;
  const own = things.findLast((thing) => thing.last < first);
  if (/^(?:stay|remain)s?$/.test(spoken[first]!.text) && own) return own;
  // "Leave it to the enemy".
  if (/^(?:it|them)$/.test(spoken[first + 1]?.text ?? "") && own) return own;
  const within = last > first ? things.find((thing) => thing.first > first && thing.last < last) : undefined;
  // "Withdraw the troops from the town": the town is given up, but not by "withdraw the weapons from the town".
  const isFrom = /^(?:from|of)$/.test(spoken[last]!.text);
  const isOnto =
    /^(?:on|over)$/.test(spoken[last]!.text) && /^(?:build|develop|pave|construct)/.test(spoken[first]!.text);
  if (within && !isOnto && !(isFrom && PARTY.test(within.head.concept))) return within;
  const after = things.find((thing) => thing.first > last);
  const between = after && spoken.slice(last + 1, after.first);
  const reaches =
    after &&
    after.first - last <= 3 &&
    !between!.some(({ text }) => CLAUSE.test(text)) &&
    !(after.by && (PAST_CLAUSE.test(after.by) || (last === first && /^(?:to|in|at|by)$/.test(after.by)))) &&
    !isOfTime(after, stated);
  if (reaches) return after;
  return own;
}
