import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useLive } from "../../../live/live.ts";
import { Page, PageOf, Section } from "../../../parts/page.tsx";
import { Badge, many, Progress, Time } from "../../../parts/texts.tsx";
import { KnowledgeTabs } from "../../area.tsx";
import { useTitles } from "../../sets.ts";
import { INTELLIGENCE } from "../area.tsx";
import { useCollected } from "../comparisons/stories.tsx";
import { CYCLE_STATES, PHASES, SPANS, type NewsCycle } from "./cycle-words.ts";
import { Checkpoint } from "./checkpoint.tsx";

/** One question on its way, step by step. */
export function CyclePage(): ReactNode {
  const { cycleId = "" } = useParams();
  const cycle = useAnswer("GET /strategic-agents/cycles/{id}", [{ path: { id: cycleId } }]);
  return (
    <PageOf of={cycle} title="Intelligence cycle" back={<Link to={`${INTELLIGENCE}/cycles`}>To all questions</Link>}>
      {({ data }) => <Cycle cycle={data} />}
    </PageOf>
  );
}

function Cycle({ cycle }: { cycle: NewsCycle }): ReactNode {
  const { problemSetId, compartments, direction, status, reason, checkpointId, createdBy, createdByName } = cycle;
  useLive({ problemSetId }, ["cycle.changed", "product.changed"]);
  return (
    <Page
      title={direction.question}
      intro={direction.hypothesis && `Judged is: ${direction.hypothesis}`}
      acts={<Link to={`${INTELLIGENCE}/cycles?set=${problemSetId}`}>All questions</Link>}
    >
      <KnowledgeTabs setId={problemSetId} />
      <p className="row">
        <Badge tone={CYCLE_STATES[status].tone}>{CYCLE_STATES[status].words}</Badge>
        {reason && <span>{reason}</span>}
        <BarrierOf problemSetId={problemSetId} compartments={compartments} />
        <small className="muted">
          asked by {createdByName ?? createdBy}, <Time at={cycle.createdAt} />
        </small>
      </p>
      {status === "waiting" && checkpointId && <Checkpoint key={checkpointId} cycle={cycle} />}
      <Section title="Steps">
        <ol className="timeline">
          {PHASES.map(([phase, words, what]) => (
            <li key={phase}>
              <h3>{words}</h3>
              <Phase cycle={cycle} phase={phase} what={what} />
            </li>
          ))}
        </ol>
      </Section>
      <Direction cycle={cycle} />
    </Page>
  );
}

interface PhaseProps {
  cycle: NewsCycle;
  phase: NewsCycle["phase"];
  what: string;
}

/** What came of a step, or how it stands. */
function Phase({ cycle, phase, what }: PhaseProps): ReactNode {
  const outcomes = cycle.outcomes.filter((one) => one.phase === phase);
  const last = outcomes.at(-1);
  const isHere = cycle.phase === phase;
  return (
    <>
      {last && (
        <>
          <p>{last.summary}</p>
          <small className="muted">
            <Time at={last.at} />
            {outcomes.length > 1 && `; done ${outcomes.length} times`}
          </small>
          <Found setId={cycle.problemSetId} outcome={last} />
        </>
      )}
      {!last && <p className="muted">{what}</p>}
      {isHere && cycle.status === "running" && <Progress label={what.replace(/\.$/, "")} />}
      {isHere && cycle.status === "waiting" && <p>It waits for an answer, above.</p>}
      {isHere && cycle.status === "failed" && <p className="failure">{cycle.reason}</p>}
    </>
  );
}

type PhaseResult = NewsCycle["outcomes"][number];

/** Names stories and comparisons that a step found. */
function Found({ setId, outcome: { phase, stories, products } }: { setId: string; outcome: PhaseResult }): ReactNode {
  const collected = useCollected(setId);
  const titles = new Map(collected.data?.data.map(({ storyId, title }) => [storyId, title]));
  return (
    <>
      {phase !== "analysis" && stories.length > 0 && (
        <details>
          <summary>{many(stories.length, "story", "stories")}</summary>
          <ul>
            {stories.map((storyId) => (
              <li key={storyId}>{titles.get(storyId) ?? "an older story"}</li>
            ))}
          </ul>
        </details>
      )}
      {products.length > 0 && (
        <ul>
          {products.map((id, at) => (
            <li key={id}>
              <Link to={`${INTELLIGENCE}/comparisons/${id}`}>Reports compared, number {at + 1}</Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const spanWords = (hours: number): string =>
  SPANS.find(([value]) => Number(value) === hours)?.[1] ?? `the last ${many(hours, "hour")}`;

/** From what it is answered. */
function Direction({ cycle: { direction, problemSetId } }: { cycle: NewsCycle }): ReactNode {
  const titles = useTitles(problemSetId);
  const { queries, documentIds, hours, stories, excluded } = direction;
  return (
    <Section title="From what it is answered">
      <dl>
        <dt>Searches</dt>
        <dd>
          {queries.length
            ? queries.map((q) => (
                <span key={q}>
                  <code>{q}</code>{" "}
                </span>
              ))
            : "none"}
        </dd>
        <dt>News of</dt>
        <dd>
          {spanWords(hours)}, {many(stories, "story", "stories")} at most
        </dd>
        <dt>Documents</dt>
        <dd>{documentIds.map(titles).join(", ") || "none"}</dd>
        {excluded.length > 0 && (
          <>
            <dt>Left out</dt>
            <dd>{many(excluded.length, "story", "stories")}</dd>
          </>
        )}
      </dl>
    </Section>
  );
}
