import { compareDates } from "../../../../../core/text/statements/dates.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { ObjectiveReading } from "./reading.ts";
import { alike, among, isGrade, isWhole, share, type ContentWord } from "./terms.ts";
import { isOfTime, sameThing, type Thing } from "./things.ts";
import { areOfTwoTimes, haveOwnFigures } from "./times.ts";

const SPENDS =
  /^(?:use|spend|devot|allocat|giv|assign|put|invest|reserv|dedicat|commit|pay|earmark|distribut|direct|channel|turn|keep|set|open|convert|fit|let|allow|send|deploy|employ|lend|grant|hold|apply|contribut|divert|book|rent|leas|transfer)/;
const PURPOSE = /^(?:to|on|for|as|into|exclusively|only|solely|in|at|with)$/;
const EXCLUSIVE =
  /^(?:exclusively|only|solely|exclusive|sole|reserve|reserved|dedicate|dedicated|all|whole|entire|full|entirely|every)$/;

interface Use {
  of: Thing;
  for: readonly ContentWord[];
  isAll: boolean;
}

/** "Use the whole grant to raise homes": what is used, for what, and whether anything is left. */
export function usesOf({ statement, things, terms }: ObjectiveReading): Use[] {
  const { words: spoken } = statement;
  const [verb] = spoken;
  if (!verb || !SPENDS.test(verb.text)) return [];
  const of =
    things.find((thing) => thing.first >= 1 && thing.by === undefined) ?? things.find((thing) => thing.first >= 1);
  if (!of || of.first > 4) return [];
  const end = of.last + 1;
  if (!spoken.slice(end, end + 3).some(({ text }) => PURPOSE.test(text))) return [];
  const next = things.find(({ first }) => first > of.last);
  const wanted = terms.filter(({ at }) => at > of.last && at <= (next?.last ?? 0) && !isWhole(spoken[at]!.text));
  const isAll =
    EXCLUSIVE.test(verb.text) || of.isWhole || spoken.slice(0, end + 3).some(({ text }) => EXCLUSIVE.test(text));
  return wanted.length > 0 ? [{ of, for: wanted, isAll }] : [];
}

/** Whether one takes all of a thing for one use, and the other has another use for it. */
export const areUsedTwice = (one: ObjectiveReading, other: ObjectiveReading): boolean =>
  usesOf(one).some((mine) =>
    usesOf(other).some(
      (theirs) =>
        (mine.isAll || theirs.isAll) &&
        sameThing(mine.of, theirs.of, one.terms, other.terms) &&
        !mine.for.some((term) => among(term, theirs.for)) &&
        !areOfTwoTimes(one, other),
    ),
  );

const SITED =
  /^(?:site|locate|place|set|establish|base|house|build|hold|host|stage|station|put|move|relocate|open|keep|stay|land|meet|store|install|erect|construct|create|organise|organize|run|launch|celebrate|moor|park|dock|plant|bury|leave|retain|remain|transfer|concentrate|shift)$/;
const AT = /^(?:in|at|on|to|near|beside|inside|next|behind|outside|within|from|under|into|onto|opposite|along)$/;

/** Where something of which there is one is to be. */
interface Site {
  verb: string;
  what: Thing;
  where: Thing;
}
export function sitesOf({ statement, things }: ObjectiveReading): Site[] {
  const verb = statement.words[0]?.text ?? "";
  const what = things.find(({ first, by }) => first >= 1 && by === undefined) ?? things[0];
  if (!what || what.by !== undefined || !(what.isDefinite || what.isWhole)) return [];
  const where = things.find(
    (thing) =>
      thing.first > what.last &&
      thing.by !== undefined &&
      AT.test(thing.by) &&
      !isOfTime(thing, statement) &&
      !isAfterPurpose(statement, what, thing),
  );
  return where ? [{ verb, what, where }] : [];
}

const isAfterPurpose = ({ words: spoken }: Statement, what: Thing, where: Thing): boolean =>
  spoken
    .slice(what.last + 1, where.first)
    .some(({ text }) => /^(?:for|until|before|after|by|with|and|so|that|while)$/.test(text));

const isNamed = ({ terms }: Thing): boolean => terms.some(({ isName }) => isName);
const namesOnly = ({ terms }: Thing): boolean => terms.every(({ isName }) => isName);

/** Whether two phrases name two places, neither within the other. */
function areTwoPlaces(one: Thing, other: Thing): boolean {
  if (one.terms.some((term) => among(term, other.terms))) return false;
  if (namesOnly(one) !== namesOnly(other)) return isNamed(one) && isNamed(other);
  return !alike(one.head, other.head) || isGrade(one.head);
}

/** Whether both put one thing in two places. */
export const areSitedApart = (one: ObjectiveReading, other: ObjectiveReading): boolean =>
  // "Within eight minutes in town", "within fifteen in rural parishes": each place has a figure of its own.
  !haveOwnFigures(one.statement, other.statement) &&
  sitesOf(one).some((mine) =>
    sitesOf(other).some(
      (theirs) =>
        (mine.verb === theirs.verb || (SITED.test(mine.verb) && SITED.test(theirs.verb))) &&
        sameThing(mine.what, theirs.what, one.terms, other.terms) &&
        areTwoPlaces(mine.where, theirs.where) &&
        !areOfTwoTimes(one, other),
    ),
  );

const CLOCK = /\b(?:[01]?\d|2[0-3])(?:[:.]?[0-5]\d)\b|\b\d{1,2} ?[ap]\.?m\b/gi;
const clocksOf = ({ text }: Statement): string[] =>
  (text.match(CLOCK) ?? []).filter((one) => !/^(?:19|20)\d\d$/.test(one));

const ALL_OF_IT = /^(?:all|whole|entire|full|throughout|exclusively)$/;
const isWholly = ({ statement }: ObjectiveReading): boolean => statement.words.some(({ text }) => ALL_OF_IT.test(text));
function areAtOneHour(one: Statement, other: Statement): boolean {
  const clocks = clocksOf(one);
  return clocks.length > 0 && clocksOf(other).some((clock) => clocks.includes(clock));
}

/** Whether one person or unit is to be at two places, or at two tasks, at one time. */
export function areBusyTwice(one: ObjectiveReading, other: ObjectiveReading): boolean {
  const onDay = compareDates(one.statement.dates, other.statement.dates) === "agree";
  if (!(onDay && (isWholly(one) || isWholly(other))) && !areAtOneHour(one.statement, other.statement)) return false;
  return one.things.some(
    (mine) =>
      isActor(mine) &&
      other.things.some(
        (theirs) =>
          isActor(theirs) &&
          sameThing(mine, theirs, one.terms, other.terms) &&
          share(rest(one, mine), rest(other, theirs)) < 0.34,
      ),
  );
}
const rest = ({ terms, statement }: ObjectiveReading, { first, last }: Thing): ContentWord[] =>
  terms.filter(({ at }) => (at < first || at > last) && !isWhole(statement.words[at]!.text));
/** The one of whom, or of which, there is one: a person by name, the hall, the second company. */
const isActor = (thing: Thing): boolean =>
  thing.by === undefined && (isNamed(thing) || thing.isDefinite || thing.terms.some(isGrade));
