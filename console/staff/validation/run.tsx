import { type ReactNode } from "react";
import { Link, useParams } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Progress, Share, Time } from "../../parts/texts.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { checkWords } from "./suites/check-words.ts";
import type { CheckOfCase } from "./suites/drafting.ts";
import { duration } from "../shared/words.ts";

type Run = Data<"GET /validation/runs/{runId}">;
type Outcome = Run["outcomes"][number];
/** No live event tells how far a validation is. */
const LOOK_MS = 3_000;
const isUnderWay = ({ status }: Pick<Run, "status">): boolean => status === "queued" || status === "running";

/** An answer, and the case that it answers. */
type Judged = Outcome & { task: string; checks: readonly CheckOfCase[] };

const COLUMNS: readonly Column<Judged>[] = [
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

function Why({ inconclusive, assertions, checks, answer, executionId }: Judged): ReactNode {
  return (
    <>
      {inconclusive && <p>{inconclusive}</p>}
      <ul className="plain-list">
        {assertions.map(({ kind, why, score }, at) => (
          <li key={`${kind} ${why}`}>
            {score >= 1 ? "✓" : "✗"}
            <span className="visually-hidden">{score >= 1 ? " holds: " : " does not hold: "}</span>{" "}
            {checks[at]?.kind === kind && checkWords(checks[at])} <span className="muted">{why}</span>
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

/** An answer's checks stand in the order of those of its case. */
function judgedIn(cases: Run["cases"], outcome: Outcome): Judged {
  const asked = cases.find(({ id }) => id === outcome.caseId);
  return { ...outcome, task: asked?.task ?? outcome.caseId, checks: asked?.assertions ?? [] };
}

/** What failed comes first, then what came to no result. */
const urgency = ({ inconclusive, passed }: Outcome): number => (inconclusive ? 1 : passed ? 2 : 0);

function Whole({ run }: { run: Run }): ReactNode {
  const { cases, outcomes, passRate, interval, repeats, done } = run;
  const failed = outcomes.filter((one) => urgency(one) === 0).length;
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
      {failed > 0 && (
        <p>
          <strong>
            {many(failed, "answer")} of {outcomes.length} failed.
          </strong>{" "}
          What each lacked stands beside it.
        </p>
      )}
      <Section title="Answers">
        <div className="step-table">
          <Table
            label="Answers"
            rows={outcomes.map((one) => judgedIn(cases, one)).toSorted((one, other) => urgency(one) - urgency(other))}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            empty="No answer was judged yet."
          />
        </div>
      </Section>
    </>
  );
}
