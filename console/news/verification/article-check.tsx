import type { ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Progress } from "../../parts/texts.tsx";
import { PersonVerdict } from "./person-verdict.tsx";
import { inPoints } from "./scales.ts";
import { useUndertaking } from "./undertaking.ts";

const STAGES: Record<string, string> = {
  claims: "Finding its claims",
  "cross-reference": "Comparing them with other reports",
  bias: "Looking for loaded language",
  patterns: "Looking at how it is written",
  judgement: "Weighing the evidence",
  trail: "Adding it up",
};

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
  const { start, news } = useUndertaking("POST /verification/deep/{contentId}", {
    says: ({ finalConfidenceScore }) => `Checked: ${inPoints(finalConfidenceScore)} of 100.`,
    ends: "The article is checked.",
  });
  return (
    <>
      {news ? (
        <Progress
          label={STAGES[news.stage ?? ""] ?? "Checking the article"}
          {...(news.total && { done: news.done ?? 0, total: news.total })}
        />
      ) : (
        <div className="row">
          <button type="button" className={wasChecked ? "" : "primary"} onClick={() => start({ path: { contentId } })}>
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
