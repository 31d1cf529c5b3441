import type { ReactNode } from "react";

const WEEK_MS = 7 * 86_400_000;
const STEPS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** "3 hours ago" within a week, the date otherwise. */
function inWords(date: Date): string {
  const away = date.getTime() - Date.now();
  const step = STEPS.find(([, length]) => Math.abs(away) >= length);
  if (Math.abs(away) > WEEK_MS) return absolute.format(date);
  if (step) return relative.format(Math.round(away / step[1]), step[0]);
  return away > 0 ? "in a moment" : "just now";
}

/** A moment in words; the exact time on pointing. */
export function Time({ at }: { at: string | null | undefined }): ReactNode {
  if (!at) return <span className="muted">never</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={absolute.format(date)}>
      {inWords(date)}
    </time>
  );
}

/** "1 article", "3 articles". */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;

type Tone = "good" | "bad" | "warn" | "info" | "plain";
/** Common states and their tones; others are plain. The words always stand beside the colour. */
const TONES: Record<string, Tone> = {
  active: "good",
  completed: "good",
  approved: "good",
  verified: "good",
  healthy: "good",
  ready: "good",
  supported: "good",
  done: "good",
  online: "good",
  executed: "good",
  passed: "good",
  accepted: "good",
  degraded: "warn",
  pending: "warn",
  submitted: "warn",
  generating: "info",
  running: "info",
  waiting: "warn",
  escalated: "warn",
  open: "info",
  draft: "plain",
  disputed: "warn",
  overridden: "warn",
  queued: "info",
  failed: "bad",
  rejected: "bad",
  failing: "bad",
  contradicted: "bad",
  expired: "bad",
  revoked: "bad",
  critical: "bad",
  offline: "bad",
  lost: "bad",
};

/** A state as a word in its colour. */
export const Badge = ({ children, tone }: { children: string; tone?: Tone }): ReactNode => (
  <span className={`badge ${tone ?? TONES[children] ?? "plain"}`}>
    {children.replaceAll("-", " ").replaceAll("_", " ")}
  </span>
);

/** A part of a whole from 0 to 1, as a bar with its percentage. */
export const Share = ({ of: value, label }: { of: number; label: string }): ReactNode => (
  <span className="share">
    <meter min={0} max={1} value={value} aria-label={label} />
    <span>{Math.round(value * 100)} %</span>
  </span>
);

/** Work under way: how much of it is done, where that is known. */
export const Progress = ({ label, done, total }: { label: string; done?: number; total?: number }): ReactNode => (
  <div className="progress" role="status">
    <span>
      {label}
      {total ? `: ${done ?? 0} of ${total}` : "…"}
    </span>
    <progress aria-label={label} {...(total && { value: done ?? 0, max: total })} />
  </div>
);
