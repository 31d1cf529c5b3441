import { Cron } from "croner";
import { z } from "zod";
import { iso, isTimeZone } from "../../../../core/clock.ts";

const MINUTE_MS = 60_000;
const LEAST_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** What comes at the end of an hour and at the beginning of the next does so within two days, or never. */
const LOOKED_MS = 48 * HOUR_MS;
const FROM = Date.UTC(2026, 0, 1);

/** Whether two runs within so long of the first are too close to each other. */
function comesClose(cron: Cron, within: number): boolean {
  const first = cron.nextRun(new Date(FROM - 1));
  for (let last = first; last && last.getTime() - first!.getTime() < within;) {
    const next = cron.nextRun(last);
    if (next && next.getTime() - last.getTime() < LEAST_MS) return true;
    last = next;
  }
  return false;
}

/** What is wrong with a schedule, in words; undefined where nothing is. */
export function complaintOf({ cron, timeZone }: { cron: string; timeZone: string }): string | undefined {
  const parts = cron.split(" ").filter(Boolean);
  if (parts.length !== 5) return "This has not five fields, such as `*/15 * * * *`.";
  let runs: Cron, minutes: Cron;
  try {
    runs = new Cron(cron, { paused: true, timezone: timeZone });
    minutes = new Cron(`${parts[0]} * * * *`, { paused: true, timezone: "UTC" });
  } catch {
    return "This is not a cron expression, such as `*/15 * * * *`.";
  }
  if (!runs.nextRun(new Date(FROM))) return "This never comes.";
  // The minutes are the same in every hour: most expressions are judged by one of them.
  const close = comesClose(minutes, HOUR_MS) && comesClose(runs, LOOKED_MS);
  return close ? "Runs come at least five minutes apart." : undefined;
}

/** When a source is fetched: cron in a time zone, at least five minutes apart. */
export const Schedule = z
  .strictObject({
    cron: z.string().trim().min(9).max(100).describe("Five fields: minute, hour, day, month, day of the week."),
    timeZone: z.string().max(60).default("UTC").describe("IANA."),
  })
  .superRefine((schedule, ctx) => {
    if (!isTimeZone(schedule.timeZone))
      return ctx.addIssue({
        code: "custom",
        path: ["timeZone"],
        message: "This is not a zone of the IANA time zone database, such as `Europe/Vienna`.",
      });
    const message = complaintOf(schedule);
    if (message) ctx.addIssue({ code: "custom", path: ["cron"], message });
  })
  .meta({ id: "OsintSchedule" });
export type Schedule = z.output<typeof Schedule>;

/** When it comes next after a moment; undefined where it never does. */
export const nextOf = ({ cron, timeZone }: Schedule, now: number): string | undefined => {
  const next = new Cron(cron, { paused: true, timezone: timeZone }).nextRun(new Date(now));
  return next ? iso(next.getTime()) : undefined;
};
