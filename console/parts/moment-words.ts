const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const STEPS = [
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const dayAndClock = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** The exact time, in the zone of whoever reads it. */
export const exactly = (date: Date): string => absolute.format(date);

/**
 * "3 hours ago" within a week, the date otherwise. What is still to come is also told by the clock, since somebody has to
 * be in time for it.
 */
export function momentInWords(date: Date, now = new Date()): string {
  const away = date.getTime() - now.getTime();
  if (Math.abs(away) > WEEK_MS) return exactly(date);
  if (away < STEPS[1][1]) return away > 0 ? "in a moment" : sinceWhen(date, now, away);
  const isToday = date.toDateString() === now.toDateString();
  return `${sinceWhen(date, now, away)} (${(isToday ? clock : dayAndClock).format(date)})`;
}

function sinceWhen(date: Date, now: Date, away: number): string {
  // A day is one of the calendar: 30 hours after eight in the evening it is not tomorrow any more.
  if (Math.abs(away) >= DAY_MS) return relative.format(Math.round((midnight(date) - midnight(now)) / DAY_MS), "day");
  const step = STEPS.find(([, length]) => Math.abs(away) >= length);
  return step ? relative.format(Math.round(away / step[1]), step[0]) : "just now";
}

const midnight = (date: Date): number => new Date(date).setHours(0, 0, 0, 0);
