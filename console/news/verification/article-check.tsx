import { useEffect, useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { useLive } from "../../live/live.ts";
import { notify } from "../../parts/notices.tsx";
import { Progress } from "../../parts/texts.tsx";
import { PersonVerdict } from "./person-verdict.tsx";
import { inPoints } from "./scales.ts";

const DEEP = "verification.deep";
const STAGES: Record<string, string> = {
  claims: "Finding its claims",
  "cross-reference": "Comparing them with other reports",
  bias: "Looking for loaded language",
  patterns: "Looking at how it is written",
  judgement: "Weighing the evidence",
  trail: "Adding it up",
};

interface JobNews {
  id: string;
  kind: string;
  status: string;
  stage?: string;
  done?: number;
  total?: number;
}

interface ArticleCheckProps {
  contentId: number;
  wasChecked: boolean;
}

/** Has the article checked, or says what a person thinks of it. */
export function ArticleCheck({ contentId, wasChecked }: ArticleCheckProps): ReactNode {
  const may = useMay("articles:verify");
  return may ? <Checking contentId={contentId} wasChecked={wasChecked} /> : null;
}

function Checking({ contentId, wasChecked }: ArticleCheckProps): ReactNode {
  const model = useAnswer("GET /verification/model");
  const { start, news } = useCheck(contentId);
  return (
    <>
      {news ? (
        <Progress
          label={STAGES[news.stage ?? ""] ?? "Checking the article"}
          {...(news.total && { done: news.done ?? 0, total: news.total })}
        />
      ) : (
        <div className="row">
          <button type="button" className={wasChecked ? "" : "primary"} onClick={start}>
            {wasChecked ? "Check it again" : "Check this article"}
          </button>
          <PersonVerdict contentId={contentId} />
        </div>
      )}
      {model.data && (
        <small className="muted">
          A check compares its claims with other reports of the last seven days.{" "}
          {model.data.data.configured
            ? `The language model ${model.data.data.model ?? ""} helps the rules; what it says without quoting evidence is dropped.`
            : "Rules do it: no language model is set up here."}
        </small>
      )}
    </>
  );
}

const isOver = (status: string): boolean => ["completed", "failed", "cancelled"].includes(status);

/** A check under way: its progress as it is told live, also where it outlasts the request that began it. */
function useCheck(contentId: number): { start(): void; news: Partial<JobNews> | undefined } {
  const [job, setJob] = useState<string>();
  const [told, setTold] = useState<Partial<JobNews>>({});
  const check = useAct("POST /verification/deep/{contentId}", {
    then: ({ data }) =>
      "job" in data ? setJob(data.job) : notify(`Checked: ${inPoints(data.finalConfidenceScore)} of 100.`),
  });
  useLive(undefined, ["job.changed"], (_event, { data }: { data: JobNews }) => {
    if (data.kind !== DEEP) return false;
    if (data.id === job || (!job && check.isPending)) setTold(data);
    return data.id === job && isOver(data.status);
  });
  const outlasting = useAnswer("GET /verification/jobs/{job}", [{ path: { job: job ?? "" } }], {
    enabled: Boolean(job),
  });
  const last = outlasting.data?.data;
  const end = job && last && isOver(last.status) ? last : undefined;
  useEffect(() => {
    if (end?.status === "completed") notify("The article is checked.");
    else if (end) notify(end.error ?? "The check was stopped.", "bad");
  }, [end]);
  return {
    start() {
      setTold({});
      setJob(undefined);
      check.mutate({ path: { contentId } });
    },
    news: check.isPending || (job && !end) ? told : undefined,
  };
}
