import { compareDates } from "../../../../core/text/statements/dates.ts";
import { deedsOf, overlap, undoes, type Deed } from "../../../../core/text/statements/deeds.ts";
import { differs } from "../../../../core/text/statements/comparison.ts";
import { measuresOf } from "../../../../core/text/statements/figures/measures.ts";
import { statementOf, type Statement } from "../../../../core/text/statements/statement.ts";
import type { Measure } from "./objectives.ts";

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
  deeds: readonly Deed[];
  content: ReadonlySet<string>;
}
export function takeApart(stated: Stated): Apart {
  const statement = statementOf(stated.statement);
  return { stated, statement, deeds: deedsOf(statement), content: contentOf(statement) };
}

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

/**
 * Why two objectives cannot both be reached, by their words alone; undefined where these show nothing. Objectives that
 * differ only in date and figure are milestones of a series.
 */
export function contradiction(one: Apart, other: Apart): string | undefined {
  if (targetsDiffer(one.stated, other.stated)) return "They set different targets for one measure.";
  if (one.deeds.some((deed) => other.deeds.some((it) => undoes(deed, it)))) return "One undoes the other.";
  if (overlap(one.content, other.content) < FEWEST) return undefined;
  const figures = figuresDiffer(one.statement, other.statement);
  const when = compareDates(one.statement.dates, other.statement.dates);
  if (figures && when !== "differ") return "They name different figures for the same.";
  if (!figures && when === "differ") return "They name different dates for the same.";
  return undefined;
}
