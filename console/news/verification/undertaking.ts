import { useEffect, useState } from "react";
import type { Answer, Input } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { notify } from "../../parts/notices.tsx";

/** Work that may outlast the request that begins it, by the kind of its job. */
const KINDS = {
  "POST /verification/deep/{contentId}": "verification.deep",
  "POST /verification/cross-reference/batch": "verification.batch",
} as const;
type Undertaking = keyof typeof KINDS;
/** What is answered where it ended within its request. */
type Result<O extends Undertaking> = Exclude<Answer<O>["data"], { job: string }>;

interface JobNews {
  id: string;
  kind: string;
  status: string;
  stage?: string;
  done?: number;
  total?: number;
}

interface Under<O extends Undertaking> {
  start(input: Input<O>): void;
  /** How far it is, as it is told live; undefined where nothing is under way. */
  news: Partial<JobNews> | undefined;
}

const isOver = (status: string): boolean => ["completed", "failed", "cancelled"].includes(status);

/**
 * Begins work on articles and follows it to its end, which is told in a notice: `says` in the words of its result, or
 * `ends` where it outlasted its request.
 */
export function useUndertaking<O extends Undertaking>(
  op: O,
  { says, ends }: { says(result: Result<O>): string; ends: string },
): Under<O> {
  const [job, setJob] = useState<string>();
  const [told, setTold] = useState<Partial<JobNews>>({});
  const act = useAct<Undertaking>(op, {
    then: ({ data }) => ("job" in data ? setJob(data.job) : notify(says(data as Result<O>))),
  });
  useLive(undefined, ["job.changed"], (_event, { data }: { data: JobNews }) => {
    if (data.kind !== KINDS[op]) return false;
    if (data.id === job || (!job && act.isPending)) setTold(data);
    return data.id === job && isOver(data.status);
  });
  const outlasting = useAnswer("GET /verification/jobs/{job}", [{ path: { job: job ?? "" } }], {
    enabled: Boolean(job),
  });
  const last = outlasting.data?.data;
  const end = job && last && isOver(last.status) ? last : undefined;
  useEffect(() => {
    if (end?.status === "completed") notify(ends);
    else if (end) notify(end.error ?? "The check was stopped.", "bad");
  }, [end, ends]);
  return {
    start(input) {
      setTold({});
      setJob(undefined);
      act.mutate(input as never);
    },
    news: act.isPending || (job && !end) ? told : undefined,
  };
}
