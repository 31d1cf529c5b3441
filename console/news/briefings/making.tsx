import type { ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Progress } from "../../parts/texts.tsx";

/** What the work of a briefing does, step by step. */
const STAGES: Record<string, string> = {
  collecting: "The articles are collected",
  composing: "They are compared, and the briefing is written",
  storing: "It is stored",
};
/** The steps are told to whoever ordered it; others look at them now and then. */
const LOOK_MS = 10_000;

/** How far a briefing is that is being made; what it becomes is read again when it is there, or cannot be made. */
export function Making({ jobId }: { jobId?: string | undefined }): ReactNode {
  useLive(undefined, ["job.changed"], undefined, { ops: ["GET /jobs/{id}", "GET /briefings/{id}", "GET /briefings"] });
  useLive({ topic: "briefings" }, ["briefing.completed", "briefing.failed"]);
  const job = useAnswer("GET /jobs/{id}", [{ path: { id: jobId ?? "" } }], {
    enabled: jobId !== undefined,
    every: LOOK_MS,
  });
  const { status, stage = "", done, total } = job.data?.data ?? {};
  const label = status === "queued" ? "It waits for its turn" : (STAGES[stage] ?? "The briefing is being made");
  return <Progress label={label} {...(total && { done: done ?? 0, total })} />;
}
