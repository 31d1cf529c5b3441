import { z } from "zod";
import { iso } from "../../../../core/clock.ts";
import { lostPlus } from "../../../../core/contract/input/complaints.ts";
import { invalid } from "../../../../core/problem.ts";

const error = ({ input }: { input?: unknown }): string =>
  `An ISO 8601 date or date and time, such as 2026-01-31 or 2026-01-31T12:00:00Z.${lostPlus(input)}`;
/** A moment with its offset, or a whole day in UTC. */
const Moment = z.union([z.iso.datetime({ offset: true, error }), z.iso.date({ error })], { error });
const DAY = /^\d{4}-\d\d-\d\d$/;
const utc = (given: string): string => iso(Date.parse(given));

/** Bounds on `publishedAt`, both inclusive: a day begins with its first millisecond and ends with its last. */
export const period = {
  from: Moment.transform(utc).optional().describe("Published at or after this moment or day (ISO 8601)."),
  to: Moment.transform((given) => (DAY.test(given) ? `${given}T23:59:59.999Z` : utc(given)))
    .optional()
    .describe("Published at or before this moment or day (ISO 8601); a day is included whole."),
};

export interface Period {
  from?: string;
  to?: string;
}

/** Throws 400, naming `to`, where the bounds are the wrong way round: nothing could lie between them. */
export function refuseBackwards({ from, to }: Period): void {
  if (from && to && from > to) throw invalid([{ path: "to", message: `Must not lie before \`from\` (${from}).` }]);
}

/** The bounds as a query, of when something was published or of another time. */
export const withinPeriod = ({ from, to }: Period, field = "publishedAt"): Record<string, Record<string, string>> =>
  from || to ? { [field]: { ...(from && { $gte: from }), ...(to && { $lte: to }) } } : {};
