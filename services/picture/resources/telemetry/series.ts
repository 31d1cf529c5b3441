import { z } from "zod";
import type { Detail } from "../../../../core/problem.ts";

/** What a series of readings is called on its resource. */
export const SeriesKey = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][\w.-]*$/, "Must be a letter from a to z, then such letters, digits, dots, dashes and underscores.");
export const isSeriesKey = (key: unknown): key is string =>
  typeof key === "string" && key.length <= 64 && /^[A-Za-z][\w.-]*$/.test(key);

/** The largest number that a reading has: what is summed and averaged of as many as there can be is a number still. */
export const LARGEST = 1e300;
export const Measurable = z.number().min(-LARGEST).max(LARGEST);
export const isMeasurable = (value: number): boolean => Math.abs(value) <= LARGEST;

/** What a resource says of one of its series: readings that do not fit are refused one by one. */
export const Series = z.strictObject({
  key: SeriesKey,
  type: z.enum(["number", "boolean", "text"]).default("number"),
  unit: z.string().max(40).optional().describe("UCUM unit of the numbers: `Cel`, `km/h`, `%`."),
  minimum: Measurable.optional(),
  maximum: Measurable.optional(),
});
export type Series = z.output<typeof Series>;

const Seconds = z
  .int()
  .min(1)
  .max(30 * 86_400);

/**
 * When a series raises an alarm, judged by when readings were taken and not by when they came. Where a resource says
 * which series it has, it is one of those: under a name that is mistyped nothing would ever come.
 */
export const Threshold = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(40)
    .regex(/^[\w-]+$/)
    .describe("Its name among the thresholds of the resource."),
  key: SeriesKey,
  when: z
    .enum(["above", "below"])
    .optional()
    .describe("Direction of `raise`. Without it, only silence raises the alarm."),
  raise: Measurable.optional().describe("Raised by readings beyond it."),
  clear: Measurable.optional().describe("Cleared by a reading on this side of it; `raise`, unless said otherwise."),
  forSeconds: Seconds.optional().describe("Raised once readings have been beyond it for this long."),
  noDataForSeconds: Seconds.optional().describe(
    "Raised when no reading arrived for this long, counted from when it was set where nothing ever did; such a gap resets `forSeconds`.",
  ),
  severity: z.enum(["info", "warning", "critical"]).default("warning"),
});
export type Threshold = z.output<typeof Threshold>;

const twice = (names: readonly string[]): number => names.findIndex((name, at) => names.indexOf(name) !== at);

/** What is wrong with what a resource says of its series. */
export function seriesRefusals(series: readonly Series[], thresholds: readonly Threshold[]): Detail[] {
  const found: Detail[] = [];
  const refuse = (path: string, message: string): void => void found.push({ path, message });
  const same = twice(series.map(({ key }) => key));
  if (same >= 0) refuse(`series.${same}.key`, "Two series have this key.");
  for (const [at, { type, unit, minimum, maximum }] of series.entries()) {
    if (type !== "number" && (unit !== undefined || minimum !== undefined || maximum !== undefined))
      refuse(`series.${at}.type`, "Only numbers have a unit and a range.");
    if (minimum !== undefined && maximum !== undefined && minimum > maximum)
      refuse(`series.${at}.maximum`, "The range ends where it begins, or after it.");
  }
  const types = new Map(series.map(({ key, type }) => [key, type]));
  for (const [at, { key, raise }] of thresholds.entries()) {
    const type = types.get(key);
    if (type === undefined && types.size)
      refuse(`thresholds.${at}.key`, `It has no series ${key}, only ${[...types.keys()].join(", ")}: declare it too.`);
    if (type !== undefined && type !== "number" && raise !== undefined)
      refuse(`thresholds.${at}.raise`, `The series ${key} has no numbers: no reading of it is beyond anything.`);
  }
  const sameId = twice(thresholds.map(({ id }) => id));
  if (sameId >= 0) refuse(`thresholds.${sameId}.id`, "Two thresholds have this id.");
  for (const [at, { when, raise, clear, noDataForSeconds, forSeconds }] of thresholds.entries()) {
    if ((when === undefined) !== (raise === undefined))
      refuse(`thresholds.${at}.raise`, "`when` and `raise` belong together.");
    if (when === undefined && noDataForSeconds === undefined)
      refuse(`thresholds.${at}.when`, "Say `when` and `raise`, or `noDataForSeconds`.");
    if (when === undefined && (clear !== undefined || forSeconds !== undefined))
      refuse(`thresholds.${at}.clear`, "Only a threshold with `raise` has these.");
    if (raise !== undefined && clear !== undefined && (when === "above" ? clear > raise : clear < raise))
      refuse(`thresholds.${at}.clear`, "It is cleared on the other side of what raises it.");
  }
  return found;
}
