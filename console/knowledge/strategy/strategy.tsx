import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { PageOfSet } from "../area.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useTitles } from "../sets.ts";
import { Extract } from "./extract.tsx";
import { Doubts } from "./validity/doubts.tsx";
import { HighRisks } from "./risks/high-risks.tsx";
import { WriteDialog } from "./write.tsx";
import { KIND_WORDS, objectiveAddress, treesOf, type KnownObjective, type ObjectiveBranch } from "./tree.ts";

/** What is to be reached, what waits for a decision, and what may no longer hold. */
export const Strategy = (): ReactNode => (
  <PageOfSet
    title="Strategy"
    intro="What is to be reached, the words of the plan that say so, and what waits for a decision."
    acts={Write}
  >
    {({ id }) => <Objectives setId={id} />}
  </PageOfSet>
);

function Write({ setId }: { setId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!useMayIn(setId)("objectives:edit")) return null;
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        Write an objective
      </button>
      {isOpen && <WriteDialog setId={setId} onClose={() => setOpen(false)} />}
    </>
  );
}

const MOST = 100;

function Objectives({ setId }: { setId: string }): ReactNode {
  const may = useMayIn(setId);
  const titles = useTitles(setId);
  useLive(
    { problemSetId: setId },
    ["objective.changed", "validity.changed", "activity.item"],
    (event, { data }) => event !== "activity.item" || data.kind.startsWith("risk."),
  );
  const objectives = useAnswer("GET /strategic/objectives", [{ query: { problemSetId: setId, limit: MOST } }]);
  const validity = useAnswer("GET /graph/validity/objectives", [{ query: { problemSetId: setId, limit: MOST } }]);
  const scores = new Map(validity.data?.data.map(({ id, score }) => [id, score]));
  return (
    <Shown of={objectives}>
      {({ data, meta }) => (
        <>
          <Waiting objectives={data} />
          <HighRisks setId={setId} objectives={data} />
          <Doubts setId={setId} mayAcknowledge={may("validity:acknowledge")} />
          <Section title={`Objectives (${meta.total})`}>
            {!data.length && (
              <Empty>
                No objective is known yet. Have a plan read for them below, or write one yourself; each keeps the words
                that it comes from.
              </Empty>
            )}
            {treesOf(data).map(({ documentId, branches }) => (
              <section key={documentId ?? "by hand"} aria-label={documentId ? titles(documentId) : "Written by hand"}>
                <h3>
                  {documentId ? (
                    <Link to={`/workspace/${setId}/documents/${documentId}`}>{titles(documentId)}</Link>
                  ) : (
                    "Written by hand"
                  )}
                </h3>
                <Branches branches={branches} scores={scores} />
              </section>
            ))}
            {meta.total > MOST && (
              <p className="muted">{many(meta.total - MOST, "older one is", "older ones are")} not shown.</p>
            )}
          </Section>
          {may("documents:extract") && <Extract setId={setId} />}
        </>
      )}
    </Shown>
  );
}

function Waiting({ objectives }: { objectives: readonly KnownObjective[] }): ReactNode {
  const waiting = objectives.filter(({ status }) => status === "submitted" || status === "in_review");
  if (!waiting.length) return null;
  return (
    <Section title="Waits for a decision">
      <ul className="list">
        {waiting.map(({ id, statement, status, submittedByName, submittedAt, reviewerName, escalatedTo }) => (
          <li key={id}>
            <Link to={objectiveAddress(id)}>{statement}</Link> <Badge>{status}</Badge>
            <br />
            <small className="muted">
              {submittedByName && `put up by ${submittedByName}, `}
              {submittedAt && <Time at={submittedAt} />}
              {reviewerName && `; ${reviewerName} looks at it`}
              {escalatedTo && "; the decision was passed up"}
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface BranchesProps {
  branches: readonly ObjectiveBranch[];
  scores: ReadonlyMap<string, number>;
}

const Branches = ({ branches, scores }: BranchesProps): ReactNode => (
  <ul className="tree">
    {branches.map(({ objective, under }) => (
      <li key={objective.id}>
        <Line objective={objective} score={scores.get(objective.id)} />
        {under.length > 0 && <Branches branches={under} scores={scores} />}
      </li>
    ))}
  </ul>
);

const STANDS = 50;

const Line = ({ objective, score }: { objective: KnownObjective; score: number | undefined }): ReactNode => {
  const { id, statement, kind, status, dueAt, owner, measure, citations } = objective;
  return (
    <>
      <p className="row">
        <Link to={objectiveAddress(id)}>{statement}</Link> <Badge>{status}</Badge>
        {score !== undefined && score < STANDS && <Badge tone="warn">may no longer hold</Badge>}
      </p>
      <small className="muted">
        {KIND_WORDS[kind ?? "objective"]}
        {owner ? `; ${owner}` : "; nobody answers for it yet"}
        {dueAt && (
          <>
            ; due <Time at={dueAt} />
          </>
        )}
        {measure && `; measured by ${measure.indicator}`}
        {citations[0] && `; page ${citations[0].page}`}
      </small>
    </>
  );
};
