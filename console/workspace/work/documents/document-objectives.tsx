import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useLive } from "../../../live/live.ts";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Badge, many, Progress } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";
import type { DocumentShown } from "./document-words.ts";

/** As many as one answer holds, so that they can be shown as they stand in the document. */
const ROWS = 100;
type ObjectiveShown = ListRow<"GET /strategic/documents/{documentId}/objectives">;

/** The objectives that come of a document; it can be read for them here. */
export function DocumentObjectives({ document: { id, status } }: { document: DocumentShown }): ReactNode {
  const { set, maySet } = useSet();
  const { begin, run } = useFinding(id);
  useLive({ problemSetId: set.id }, ["objective.changed"]);
  const objectives = useAnswer("GET /strategic/documents/{documentId}/objectives", [
    { path: { documentId: id }, query: { limit: ROWS } },
  ]);
  const mayFind = maySet("documents:extract") && status === "ready";
  return (
    <Section
      title="Objectives"
      acts={
        <>
          <Link to={`/knowledge/strategy?set=${set.id}`}>All objectives</Link>
          {mayFind && (
            <button type="button" disabled={run?.isUnderWay} onClick={begin}>
              Find objectives
            </button>
          )}
        </>
      }
    >
      {run?.isUnderWay && <Progress label="The document is being read for objectives" />}
      {run && !run.isUnderWay && <p role="status">{run.words}</p>}
      <Shown of={objectives}>
        {({ data, meta }) => (
          <>
            {!data.length && (
              <Empty>
                No objective comes of it yet.
                {mayFind && " Have it read for them: each keeps the words of the document that it comes from."}
              </Empty>
            )}
            <ul className="list">
              {data.toSorted(byPlace).map(({ id: objectiveId, statement, status: standing, citations }) => (
                <li key={objectiveId} className="row between">
                  <span>
                    <Link to={`/knowledge/strategy/${objectiveId}`}>{statement}</Link>{" "}
                    {citations[0] && <small className="muted">page {citations[0].page}</small>}
                  </span>
                  <Badge>{standing}</Badge>
                </li>
              ))}
            </ul>
            {meta.total > ROWS && (
              <p className="muted">
                {many(meta.total - ROWS, "more is", "more are")} among all objectives of the problem set.
              </p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}

/** As they stand in the document. */
const byPlace = (one: ObjectiveShown, other: ObjectiveShown): number =>
  (one.citations[0]?.start ?? 0) - (other.citations[0]?.start ?? 0);

interface FindingRun {
  jobId: string;
  isUnderWay: boolean;
  /** What came of it, or what there is to say before it is over. */
  words: string;
}

/** Has a document read for objectives, and says when that is over. */
function useFinding(documentId: string): { begin(): void; run: FindingRun | undefined } {
  const [run, setRun] = useState<FindingRun>();
  const extract = useAct("POST /strategic/documents/{documentId}/extract", {
    then: ({ data: { jobId, notice = "It was read; what was found stands below." } }) =>
      setRun({ jobId, isUnderWay: true, words: notice }),
  });
  // A job that was over before its name came back told nobody; it is asked for.
  const job = useAnswer("GET /jobs/{id}", [{ path: { id: run?.jobId ?? "" } }], {
    enabled: run !== undefined,
    every: (answer) => (isOver(answer?.data.status) ? false : 2_000),
  });
  const status = job.data?.data.status;
  const words = status === "failed" ? "It could not be read for objectives. Try again later." : run?.words;
  return {
    begin: () => extract.mutate({ path: { documentId }, body: {} }),
    run: run && { ...run, words: words!, isUnderWay: !isOver(status) },
  };
}

const isOver = (status: string | undefined): boolean => status === "completed" || status === "failed";
