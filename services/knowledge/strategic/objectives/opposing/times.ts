import { compareDates, type DateMention } from "../../../../../core/text/statements/dates.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isSeason } from "./terms.ts";
import type { ObjectiveReading } from "./reading.ts";

const STAYS = /^(?:until|till|through|throughout|beyond|past)$/;
const dayOf = ({ year, month, quarter, day }: DateMention): number | undefined => {
  const of = month ?? (quarter === undefined ? undefined : 3 * quarter);
  return year === undefined && of === undefined ? undefined : 372 * (year ?? 0) + 31 * (of ?? 12) + (day ?? 31);
};

/** Until when a statement wants something to last, as far as a date says. */
function lastsTo({ words: spoken, dates }: Statement): number | undefined {
  for (const date of dates) {
    const before = spoken.findLastIndex(({ start }) => start < date.start);
    if (before >= 0 && [0, 1, 2].some((back) => STAYS.test(spoken[before - back]?.text ?? ""))) return dayOf(date);
  }
  return undefined;
}

const seasonsOf = ({ words: spoken }: Statement): Set<string> =>
  new Set(spoken.map(({ text }) => text.replace(/s$/, "")).filter(isSeason));

const WHEN_OVER = /^(?:once|after|when|afterwards|following)$/;
const AT_ONCE = /\bas soon as\b/i;
const UNTIL = /^(?:until|till|before|while|during|as long as|through|throughout)$/;
const says = ({ words: spoken }: Statement, form: RegExp): boolean =>
  spoken.some(({ text }, at) => form.test(text) && spoken[at - 1]?.text !== "at");

/** Both have figures of a unit, and none of these in common. */
export const haveOwnFigures = ({ quantities: mine }: Statement, { quantities: theirs }: Statement): boolean =>
  mine.some(({ unit }) => {
    const values = (all: typeof mine) => new Set(all.filter((one) => one.unit === unit).map(({ value }) => value));
    const others = values(theirs);
    return others.size > 0 && ![...values(mine)].some((value) => others.has(value));
  });

const comesWhenOver = (one: Statement): boolean => says(one, WHEN_OVER) || AT_ONCE.test(one.text);

/** Whether two statements concern two times, one after the other, so that both can be met. */
export function areOfTwoTimes({ statement: one }: ObjectiveReading, { statement: other }: ObjectiveReading): boolean {
  if (compareDates(one.dates, other.dates) === "differ") {
    const ends = [lastsTo(one), lastsTo(other)];
    const starts = [one, other].map(({ dates }) => dates.map(dayOf).find((day) => day !== undefined));
    // "Hold it through June" against "give it up in May".
    return ![0, 1].some((at) => ends[at] !== undefined && starts[1 - at] !== undefined && starts[1 - at]! < ends[at]!);
  }
  const [mine, theirs] = [seasonsOf(one), seasonsOf(other)];
  if (mine.size > 0 && theirs.size > 0 && ![...mine].some((season) => theirs.has(season))) return true;
  // Until 95 per cent are reached, and when 80 are.
  if (haveOwnFigures(one, other)) return false;
  return (comesWhenOver(one) && says(other, UNTIL)) || (comesWhenOver(other) && says(one, UNTIL));
}
