import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { Origin } from "../entity/origin.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useTitles } from "../sets.ts";
import { Assessments } from "./assessments.tsx";
import { Checks } from "./checks.tsx";
import { Proposed } from "./changing.tsx";

import { objectiveAddress, type KnownObjective } from "./tree.ts";
import { Acts, Talk } from "./workflow.tsx";

/** What an objective says, the words it comes from, how far it is, and what is decided about it. */
export function About({ objective }: { objective: KnownObjective }): ReactNode {
  const { id, problemSetId, citations } = objective;
  const may = useMayIn(problemSetId);
  const titles = useTitles(problemSetId);
  const workflow = useAnswer("GET /strategic/objectives/{id}/workflow", [{ path: { id } }]);
  return (
    <>
      <Shown of={workflow}>{({ data }) => <Acts objective={objective} workflow={data} />}</Shown>
      <Proposed objective={objective} mayEdit={may("objectives:edit") && !!workflow.data?.data.next.edit?.allowed} />
      <div className="columns">
        <What objective={objective} />
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
      <Assessments objective={objective} mayAssess={may("objectives:assess")} />
      <Shown of={workflow}>
        {({ data }) => <Talk objectiveId={id} workflow={data} mayComment={may("objectives:comment")} />}
      </Shown>
    </>
  );
}

const METHODS = { manual: "written by hand", heuristic: "found by rules", llm: "found by the language model" } as const;

function measureWords({
  indicator,
  baseline,
  target,
  unit = "",
  keep,
}: NonNullable<KnownObjective["measure"]>): string {
  const way = keep ? `kept ${keep.replace("-", " ")}` : baseline === undefined ? "to" : `from ${baseline} to`;
  return `${indicator}, ${way} ${target} ${unit}`.trimEnd();
}

function What({ objective }: { objective: KnownObjective }): ReactNode {
  const { owner, dueAt, measure, method, submittedByName, reviewerName, decidedByName, reason } = objective;
  const { supersedes, supersededBy } = objective;
  const rows: readonly (readonly [string, ReactNode])[] = [
    ["Answers for it", owner ?? "nobody yet"],
    ["Due", dueAt ? <Time at={dueAt} /> : "no date yet"],
    ["Measured by", measure ? measureWords(measure) : "nothing yet"],
    ["Comes from", METHODS[method]],
    ["Put up by", submittedByName],
    ["Reviewed by", reviewerName],
    ["Decided by", decidedByName],
    ["Reason", reason],
    ["Takes the place of", supersedes && <Other id={supersedes} />],
    ["Gave way to", supersededBy && <Other id={supersededBy} />],
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

/** Another objective, by what it says. */
function Other({ id }: { id: string }): ReactNode {
  const { data } = useAnswer("GET /strategic/objectives/{id}", [{ path: { id } }]);
  return <Link to={objectiveAddress(id)}>{data?.data.statement ?? "another objective"}</Link>;
}
