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
  /** What the newest reading said, and how it stood before that: it may be put right. */
  newest?: ({ value: SeriesValue } & Pick<Course, "lastAt" | "beyondSince" | "raised">) | undefined;
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
  /** By a reading that was looked at before: an alarm that is over is open again, one that is open has this value. */
  isAnew?: true;
}

const SECOND = 1_000_000;

const isBeyond = ({ when, raise }: Threshold, value: number): boolean =>
  when === "above" ? value > raise! : value < raise!;
const isBack = ({ when, raise, clear = raise }: Threshold, value: number): boolean =>
  when === "above" ? value <= clear! : value >= clear!;

interface Reading {
  at: number;
  value: SeriesValue;
}
interface Step {
  course: Course;
  turns: AlarmTurn[];
}

/** What a reading comes to. A late one changes nothing; another value of the newest one puts that right. */
export function step(threshold: Threshold, before: Course, reading: Reading): Step {
  const { lastAt, beyondSince, raised } = before;
  if (lastAt !== undefined && reading.at < lastAt) return { course: before, turns: [] };
  if (reading.at === lastAt) return putRight(threshold, before, reading);
  const { course, turns } = moved(threshold, before, reading);
  return { course: { ...course, newest: { value: reading.value, lastAt, beyondSince, raised } }, turns };
}

const anew = (turn: AlarmTurn): AlarmTurn => ({ ...turn, isAnew: true });

/** As if the newest reading had been right at once; where it is not known how it stood before, the next one decides. */
function putRight(threshold: Threshold, before: Course, reading: Reading): Step {
  const { newest, raised: was } = before;
  if (!newest || newest.value === reading.value) return { course: before, turns: [] };
  const { lastAt, beyondSince, raised } = newest;
  const { course, turns } = moved(threshold, { ...before, lastAt, beyondSince, raised }, reading);
  const is = course.raised;
  const isSame = was?.why === is?.why && was?.at === is?.at;
  const now = turns.filter(({ turn }) => turn === "raised").map(anew);
  if (!isSame && is && !now.length) now.push({ turn: "raised", ...is, when: reading.at, isAnew: true });
  if (!isSame && was) now.unshift({ turn: "cleared", ...was, when: reading.at, value: reading.value });
  return { course: { ...course, newest: { ...newest, value: reading.value } }, turns: now };
}

function moved(threshold: Threshold, before: Course, { at, value }: Reading): Step {
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
 * What somebody comes to who sets a threshold anew, or takes it away: an alarm that it asks for no more ends now, what
 * was read last is held against it, and readings of which the silence is to be told are waited for from now.
 */
export function setAnew(threshold: Threshold | undefined, before: Course, now: number, last?: Reading): Step {
  const course = { ...before };
  const { raised } = before;
  const asked = raised?.why === "silence" ? threshold?.noDataForSeconds : threshold?.when;
  const turns: AlarmTurn[] = [];
  if (raised && asked === undefined) {
    turns.push({ turn: "cleared", why: raised.why, at: raised.at, when: now, isUnasked: true });
    course.raised = undefined;
    course.beyondSince = undefined;
    course.newest = undefined;
  }
  if (threshold?.noDataForSeconds !== undefined && course.lastAt === undefined) course.since ??= now;
  if (!threshold || !last || last.at < (course.lastAt ?? last.at) || raised?.why === "silence")
    return { course, turns };
  const held = moved(threshold, course, last);
  const newest = course.newest ?? { value: last.value };
  return { course: { ...held.course, newest }, turns: [...turns, ...held.turns.map(anew)] };
}
