import type { ReactNode } from "react";
import { useMomentInWords } from "./clock.ts";
import { exactly } from "./moment-words.ts";

/** A moment in words, by the clock as well if it is still to come; the exact time on pointing. */
export function Time({ at }: { at: string | null | undefined }): ReactNode {
  return at ? <Moment at={at} /> : <span className="muted">never</span>;
}

const Moment = ({ at }: { at: string }): ReactNode => (
  <time dateTime={at} title={exactly(new Date(at))}>
    {useMomentInWords(at)}
  </time>
);

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
