import { lazily } from "../../../../core/text/lexicon.ts";
import { compareDates } from "../../../../core/text/statements/dates.ts";
import { deedsOf, overlap, undoes, type Deed } from "../../../../core/text/statements/deeds.ts";
import { differs } from "../../../../core/text/statements/comparison.ts";
import { measuresOf } from "../../../../core/text/statements/figures/measures.ts";
import { statementOf, type Statement } from "../../../../core/text/statements/statement.ts";
import { nameTerms } from "../../../../core/text/words/terms.ts";
import type { Measure } from "./objectives.ts";
import { areForTwo, coursesApart } from "./opposing/courses.ts";
import { areTurned } from "./opposing/order.ts";
import { readingOf, type ObjectiveReading } from "./opposing/reading.ts";
import { isAmount, nounOf } from "./opposing/terms.ts";
import { areTold } from "./opposing/things.ts";
import { areOfTwoTimes } from "./opposing/times.ts";
import { areBusyTwice, areSitedApart, areUsedTwice } from "./opposing/uses.ts";
import { hasWidePoles, waysApart } from "./opposing/ways.ts";

/** Statements that share less are about two things. */
const FEWEST = 0.75;
const contentOf = ({ senses }: Statement): Set<string> => new Set(senses.map(({ concept }) => concept));

/** An objective, as it is compared with others. */
export interface Stated {
  statement: string;
  measure?: Measure | undefined;
  dueAt?: string | undefined;
}

/** A parsed objective: parsed once, however many it is compared with. */
export interface Apart {
  stated: Stated;
  statement: Statement;
  content: ReadonlySet<string>;
  /** What its words name, synonyms as one. */
  nouns: ReadonlySet<string>;
  /** Made when first asked for: most objectives have nothing to do with one another. */
  reading(): ObjectiveReading;
  deeds(): readonly Deed[];
  hasWidePoles(): boolean;
}
export function takeApart(stated: Stated): Apart {
  const statement = statementOf(stated.statement);
  const isWide = lazily(() => [hasWidePoles(statement)] as const);
  return {
    stated,
    statement,
    content: contentOf(statement),
    nouns: new Set(statement.senses.map(({ word }) => nounOf(word))),
    reading: lazily(() => readingOf(statement)),
    deeds: lazily(() => deedsOf(statement)),
    hasWidePoles: () => isWide()[0],
  };
}

function meet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const item of one) if (other.has(item)) return true;
  return false;
}

/** Whether two objectives have any matter in common; without it nothing else is read. */
const concernOne = (one: Apart, other: Apart): boolean =>
  meet(one.nouns, other.nouns) || meet(one.content, other.content) || (one.hasWidePoles() && other.hasWidePoles());

/** The two measure one thing, by the same day, with different targets. */
function targetsDiffer(one: Stated, other: Stated): boolean {
  const [a, b] = [one.measure, other.measure];
  if (!a || !b || a.target === b.target || (a.unit ?? "") !== (b.unit ?? "")) return false;
  if (one.dueAt && other.dueAt && one.dueAt !== other.dueAt) return false;
  const [mine, theirs] = [contentOf(statementOf(a.indicator)), contentOf(statementOf(b.indicator))];
  return mine.size === theirs.size && overlap(mine, theirs) === 1;
}

function figuresDiffer(one: Statement, other: Statement): boolean {
  const theirs = measuresOf(other);
  return measuresOf(one).some((mine) => theirs.some((it) => differs(mine, it)));
}

/** A floor below a ceiling: "at least 3 million", "no more than 5 million". */
const areBoundsOfOne = (one: Statement, other: Statement): boolean =>
  one.quantities.some((mine) =>
    other.quantities.some((theirs) => {
      const [floor, ceiling] = mine.bound === "over" ? [mine, theirs] : [theirs, mine];
      const areBounds = floor.bound === "over" && ceiling.bound === "under" && floor.unit === ceiling.unit;
      return areBounds && floor.value <= ceiling.value;
    }),
  );

/** Different figures or dates; objectives that differ in both are milestones of a series. */
function valuesApart(one: Apart, other: Apart): string | undefined {
  if (overlap(one.content, other.content) < FEWEST) return undefined;
  const [mine, theirs] = [one.reading().terms, other.reading().terms];
  if (areTold(mine, theirs, mine, theirs)) return undefined;
  const figures = figuresDiffer(one.statement, other.statement);
  const when = compareDates(one.statement.dates, other.statement.dates);
  if (figures && when !== "differ" && !areOfPartAndWhole(one, other))
    return "They name different figures for the same.";
  if (!figures && when === "differ") return "They name different dates for the same.";
  return undefined;
}

const isWithin = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].every((term) => other.has(term));

/** One is of a part of what the other is of: a district that it names, the province. */
function areOfPartAndWhole({ stated: one }: Apart, { stated: other }: Apart): boolean {
  const [mine, theirs] = [nameTerms(one.statement), nameTerms(other.statement)];
  return mine.size !== theirs.size && (isWithin(mine, theirs) || isWithin(theirs, mine));
}

/** By the acts alone, whatever their words are bent to; not where one is done to an amount of the other's object. */
function isUndone(one: Apart, other: Apart): boolean {
  const [mine, theirs] = [one.reading(), other.reading()];
  const [left, right] = [mine.things[0], theirs.things[0]];
  if (left && right && isAmount(left.terms[0]!) !== isAmount(right.terms[0]!)) return false;
  return (
    one.deeds().some((deed) => other.deeds().some((it) => undoes(deed, it))) &&
    !areOfTwoTimes(mine, theirs) &&
    !areForTwo(mine, left, theirs, right) &&
    !areTold(mine.terms, theirs.terms, mine.terms, theirs.terms)
  );
}

/** Why two objectives cannot both be reached, by their words alone; undefined where these show nothing. */
export function contradiction(one: Apart, other: Apart): string | undefined {
  if (targetsDiffer(one.stated, other.stated)) return "They set different targets for one measure.";
  if (!concernOne(one, other)) return undefined;
  const [mine, theirs] = [one.reading(), other.reading()];
  if (areTurned(mine, theirs)) return "They put the same steps in opposite orders.";
  if (areBoundsOfOne(one.statement, other.statement)) return undefined;
  const course = coursesApart(mine, theirs) ?? waysApart(mine, theirs);
  if (course) return course;
  if (isUndone(one, other)) return "One undoes the other.";
  if (areUsedTwice(mine, theirs)) return "They want one thing, the whole of it, for two uses.";
  if (areSitedApart(mine, theirs)) return "They put one thing in two places.";
  if (areBusyTwice(mine, theirs)) return "They need the same one for two things at one time.";
  return valuesApart(one, other);
}
