import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Empty, Loading, Page, Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { KnowledgeTabs } from "../area.tsx";
import { Origin } from "../entity/origin.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useTitles } from "../sets.ts";
import { Assessments } from "./assessments.tsx";
import { Checks } from "./checks.tsx";
import { KIND_WORDS } from "./tree.ts";
import { Acts, Talk } from "./workflow.tsx";

type ObjectiveWhole = Data<"GET /strategic/objectives/{id}">;

/** One objective: what it says, the words it comes from, how far it is, and what is decided about it. */
export function Objective(): ReactNode {
  const { objectiveId = "" } = useParams();
  const objective = useAnswer("GET /strategic/objectives/{id}", [{ path: { id: objectiveId } }]);
  const whole = objective.data?.data;
  useLive(whole && { problemSetId: whole.problemSetId }, ["objective.changed"]);
  if (!whole)
    return (
      <Page title="Objective">
        <KnowledgeTabs setId={undefined} />
        <Shown of={objective}>{() => <Loading />}</Shown>
      </Page>
    );
  return <Whole key={whole.id} whole={whole} />;
}

function Whole({ whole }: { whole: ObjectiveWhole }): ReactNode {
  const { id, statement, description, problemSetId, citations, kind } = whole;
  const may = useMayIn(problemSetId);
  const titles = useTitles(problemSetId);
  const workflow = useAnswer("GET /strategic/objectives/{id}/workflow", [{ path: { id } }]);
  return (
    <Page
      title={statement}
      intro={description ?? KIND_WORDS[kind ?? "objective"]}
      acts={
        <Link className="button" to={`/knowledge/strategy?set=${problemSetId}`}>
          All objectives
        </Link>
      }
    >
      <KnowledgeTabs setId={problemSetId} />
      <Shown of={workflow}>{({ data }) => <Acts objective={whole} workflow={data} />}</Shown>
      <div className="columns">
        <What objective={whole} />
        <Section title="The words it comes from">
          {!citations.length && <Empty>It was written by hand; no document is cited.</Empty>}
          <ul className="sources">
            {citations.map((citation) => (
              <li key={`${citation.documentId} ${citation.start}`}>
                <Origin origin={{ kind: "document", citation }} setId={problemSetId} titles={titles} />
              </li>
            ))}
          </ul>
          <Checks objectiveId={id} />
        </Section>
      </div>
      <Assessments objective={whole} mayAssess={may("objectives:assess")} />
      <Shown of={workflow}>
        {({ data }) => <Talk objectiveId={id} workflow={data} mayComment={may("objectives:comment")} />}
      </Shown>
    </Page>
  );
}

const METHODS = { manual: "written by hand", heuristic: "found by rules", llm: "found by the language model" } as const;

function What({ objective }: { objective: ObjectiveWhole }): ReactNode {
  const { owner, dueAt, measure, method, submittedByName, reviewerName, decidedByName, reason } = objective;
  const rows: readonly (readonly [string, ReactNode])[] = [
    ["Answers for it", owner ?? "nobody yet"],
    ["Due", dueAt ? <Time at={dueAt} /> : "no date yet"],
    [
      "Measured by",
      measure
        ? `${measure.indicator}, from ${measure.baseline ?? 0} to ${measure.target} ${measure.unit ?? ""}`
        : "nothing yet",
    ],
    ["Comes from", METHODS[method]],
    ["Put up by", submittedByName],
    ["Reviewed by", reviewerName],
    ["Decided by", decidedByName],
    ["Reason", reason],
  ];
  return (
    <Section title="What is to be reached">
      <dl>
        {rows.map(
          ([head, cell]) =>
            cell && (
              <div key={head} className="pair">
                <dt>{head}</dt>
                <dd>{cell}</dd>
              </div>
            ),
        )}
      </dl>
    </Section>
  );
}
