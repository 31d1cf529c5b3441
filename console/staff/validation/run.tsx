import { type ReactNode } from "react";
import { Link, useParams } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Progress, Share, Time } from "../../parts/texts.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { duration } from "../shared/words.ts";

type Run = Data<"GET /validation/runs/{runId}">;
type Outcome = Run["outcomes"][number];
/** No live event tells how far a validation is. */
const LOOK_MS = 3_000;
const isUnderWay = ({ status }: Pick<Run, "status">): boolean => status === "queued" || status === "running";

const COLUMNS: readonly Column<Outcome & { task: string }>[] = [
  { head: "Asked", cell: ({ task, repeat }) => `${task}${repeat > 1 ? ` (time ${repeat})` : ""}` },
  {
    head: "Verdict",
    cell: ({ passed, inconclusive }) => {
      if (inconclusive) return <Badge tone="plain">no result</Badge>;
      return passed ? <Badge>passed</Badge> : <Badge>failed</Badge>;
    },
  },
  { head: "Why", cell: (outcome) => <Why {...outcome} /> },
  { head: "Took", cell: ({ ms }) => duration(ms), isFigure: true },
];

function Why({ inconclusive, assertions, answer, executionId }: Outcome): ReactNode {
  return (
    <>
      {inconclusive && <p>{inconclusive}</p>}
      <ul className="plain-list">
        {assertions.map(({ kind, why, score }) => (
          <li key={`${kind} ${why}`}>
            {score >= 1 ? "✓" : "✗"}
            <span className="visually-hidden">{score >= 1 ? " holds: " : " does not hold: "}</span> {why}
          </li>
        ))}
      </ul>
      {answer && (
        <details>
          <summary>Its answer</summary>
          <p className="pre">{answer}</p>
        </details>
      )}
      {executionId && <Link to={`/staff/runs/${executionId}`}>Its run</Link>}
    </>
  );
}

/** One validation: every answer with its verdict. */
export function ValidationRunPage(): ReactNode {
  const { runId = "" } = useParams();
  const run = useAnswer("GET /validation/runs/{runId}", [{ path: { runId } }], {
    every: (answer) => (!answer || isUnderWay(answer.data)) && LOOK_MS,
  });
  const data = run.data?.data;
  return (
    <StaffPage title={data ? `${data.agentName}, by ${data.suiteName}` : "Validation"}>
      <Shown of={run}>{({ data: shown }) => <Whole run={shown} />}</Shown>
    </StaffPage>
  );
}

function Whole({ run }: { run: Run }): ReactNode {
  const { cases, outcomes, passRate, interval, repeats, done } = run;
  const tasks = new Map(cases.map(({ id, task }) => [id, task]));
  return (
    <>
      <div className="row">
        <Badge>{run.status}</Badge>
        <span className="muted">
          <Link to={`/staff/agents/${run.agentId}`}>{run.agentName}</Link>, version {run.agentVersion},{" "}
          {run.model ?? "without a model"}; begun <Time at={run.createdAt} /> by {run.byName ?? run.by}
        </span>
      </div>
      {isUnderWay(run) && <Progress label="Answers judged" done={done} total={cases.length * repeats} />}
      {run.reason && <p className="fault">{run.reason}</p>}
      {passRate !== undefined && (
        <p>
          Cases passed: <Share of={passRate} label="Cases passed" />
          {interval &&
            ` By so few cases it may truly be anything between ${Math.round(interval.low * 100)} and ${Math.round(interval.high * 100)} %.`}
        </p>
      )}
      <Section title="Answers">
        <div className="step-table">
          <Table
            label="Answers"
            rows={outcomes.map((one) => ({ ...one, task: tasks.get(one.caseId) ?? one.caseId }))}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            empty="No answer was judged yet."
          />
        </div>
      </Section>
    </>
  );
}
