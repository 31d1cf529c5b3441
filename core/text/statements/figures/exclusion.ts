import { conceptOf } from "../meaning.ts";
import { namesMeasure, type Measure } from "./measures.ts";

/** Concepts beside both figures that identify what is measured. */
const common = (a: Measure, b: Measure): number =>
  [...a.of].filter((concept) => b.of.has(concept) && namesMeasure(concept)).length;

const FEWEST_COMMON = 2;
/** The indicator of progress in counting: two such shares are of two moments, and exclude nothing. */
const PROGRESS = "progress";

/**
 * Whether two percentages are shares of one whole, or one rate: "turnout" and "of the ballots counted" are two. Where
 * neither names the whole, two words beside both must.
 */
function areOfOneWhole(a: Measure, b: Measure): boolean {
  if (a.indicator || b.indicator) return a.indicator === b.indicator && a.indicator !== PROGRESS;
  const [mine, theirs] = [a.per.filter(isWhole), b.per.filter(isWhole)];
  if (mine.length > 0 && theirs.length > 0) return mine.some((one) => theirs.includes(one));
  const whole = [...mine, ...theirs];
  if (whole.length > 0) return whole.some((one) => a.of.has(one) && b.of.has(one)) && common(a, b) >= FEWEST_COMMON;
  return common(a, b) >= FEWEST_COMMON;
}
const isWhole = (per: string): boolean => !per.startsWith("a ");

/**
 * "2.1 million of the machines", "1.4 million scooters": for a bare number, what is counted must be named beside it.
 */
function isCountedBeside(a: Measure, b: Measure): boolean {
  if (a.fates.size > 0 && b.fates.size > 0) return true;
  const things = [...a.quantity.of, ...b.quantity.of].map(conceptOf);
  return things.some((thing) => a.of.has(thing) && b.of.has(thing)) && common(a, b) >= FEWEST_COMMON;
}

/**
 * Whether two differing figures of the same unit exclude each other: only figures that certainly measure the same do.
 */
export function mayExclude(a: Measure, b: Measure): boolean {
  const [one, other] = [a.quantity.unit, b.quantity.unit];
  // Those who work there, and those who will lose their jobs.
  if (a.fates.has("employed") && a.isAhead !== b.isAhead) return false;
  if (one === "percent") return areOfOneWhole(a, b);
  if (one === "score") return a.of.has("vote") && b.of.has("vote");
  if (one === "number" || other === "number") return isCountedBeside(a, b);
  return true;
}
