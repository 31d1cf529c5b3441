import type { SeriesValue } from "../../../../core/records/reading/readings.ts";
import type { Threshold } from "./series.ts";

/** How far a threshold has come, by the moments at which readings were taken (microseconds). */
export interface Course {
  /** Since when a first reading is waited for; goes with it. */
  since?: number | undefined;
  /** The newest reading that was looked at; those before it are late, and raise nothing. */
  lastAt?: number | undefined;
  /** Since when readings have been beyond, without a gap. */
  beyondSince?: number | undefined;
  /** Which of its alarms is raised. */
  raised?: { why: "value" | "silence"; at: number } | undefined;
}

/** An alarm that begins or ends: its moment is its name, so that a repetition finds it. */
export interface AlarmTurn {
  turn: "raised" | "cleared";
  why: "value" | "silence";
  /** When it was raised. */
  at: number;
  /** When that or its end came about. */
  when: number;
  value?: SeriesValue | undefined;
  /** It ended since nobody asks for it any more, whatever is measured. */
  isUnasked?: true;
}

const SECOND = 1_000_000;

const isBeyond = ({ when, raise }: Threshold, value: number): boolean =>
  when === "above" ? value > raise! : value < raise!;
const isBack = ({ when, raise, clear = raise }: Threshold, value: number): boolean =>
  when === "above" ? value <= clear! : value >= clear!;

/** What a reading comes to. A late one changes nothing. */
export function step(
  threshold: Threshold,
  before: Course,
  { at, value }: { at: number; value: SeriesValue },
): { course: Course; turns: AlarmTurn[] } {
  if (before.lastAt !== undefined && at <= before.lastAt) return { course: before, turns: [] };
  const turns: AlarmTurn[] = [];
  const course: Course = { ...before, lastAt: at, since: undefined };
  if (course.raised?.why === "silence") {
    turns.push({ turn: "cleared", why: "silence", at: course.raised.at, when: at });
    course.raised = undefined;
  }
  if (threshold.when === undefined || typeof value !== "number") return { course, turns };
  const gap = threshold.noDataForSeconds;
  if (gap !== undefined && before.lastAt !== undefined && at - before.lastAt > gap * SECOND)
    course.beyondSince = undefined;
  if (course.raised) {
    if (isBack(threshold, value)) {
      turns.push({ turn: "cleared", why: "value", at: course.raised.at, when: at, value });
      course.raised = undefined;
      course.beyondSince = undefined;
    }
    return { course, turns };
  }
  if (!isBeyond(threshold, value)) return { course: { ...course, beyondSince: undefined }, turns };
  course.beyondSince ??= at;
  if (at - course.beyondSince >= (threshold.forSeconds ?? 0) * SECOND) {
    course.raised = { why: "value", at: course.beyondSince };
    turns.push({ turn: "raised", why: "value", at: course.beyondSince, when: at, value });
  }
  return { course, turns };
}

/**
 * When silence is to be looked for: so long after the newest reading, or after the first one was waited for; undefined
 * where it is not, or is told already.
 */
export function silentAt(
  { noDataForSeconds }: Threshold,
  { since, lastAt = since, raised }: Course,
): number | undefined {
  if (noDataForSeconds === undefined || lastAt === undefined || raised?.why === "silence") return undefined;
  return lastAt + noDataForSeconds * SECOND;
}

/** What silence until now comes to: an alarm by value ends with it, since nobody knows what holds. */
export function silence(threshold: Threshold, before: Course, now: number): { course: Course; turns: AlarmTurn[] } {
  const due = silentAt(threshold, before);
  if (due === undefined || due > now) return { course: before, turns: [] };
  const turns: AlarmTurn[] = before.raised ? [{ turn: "cleared", why: "value", at: before.raised.at, when: due }] : [];
  const { since, lastAt } = before;
  const at = lastAt ?? since!;
  turns.push({ turn: "raised", why: "silence", at, when: due });
  return { course: { since, lastAt, raised: { why: "silence", at } }, turns };
}

/**
 * What somebody comes to who sets a threshold anew, or takes it away: an alarm that it asks for no more ends now, and
 * readings of which the silence is to be told are waited for from now.
 */
export function setAnew(
  threshold: Threshold | undefined,
  before: Course,
  now: number,
): { course: Course; turns: AlarmTurn[] } {
  const course = { ...before };
  const { raised } = before;
  const asked = raised?.why === "silence" ? threshold?.noDataForSeconds : threshold?.when;
  const turns: AlarmTurn[] = [];
  if (raised && asked === undefined) {
    turns.push({ turn: "cleared", why: raised.why, at: raised.at, when: now, isUnasked: true });
    course.raised = undefined;
    course.beyondSince = undefined;
  }
  if (threshold?.noDataForSeconds !== undefined && course.lastAt === undefined) course.since ??= now;
  return { course, turns };
}
