import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { useLive } from "../../live/live.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, Progress, Time } from "../../parts/texts.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useStaffPlace } from "../shared/place.ts";
import { SaidOf } from "../shared/record-link.tsx";
import { Values } from "../shared/values.tsx";
import { SEVERITY_TONES } from "../shared/severity.ts";
import { Unsupported } from "../shared/reply-view.tsx";
import { amountOf, spelled } from "../shared/words.ts";
import { Approvals } from "./approvals.tsx";
import { RUNS_LIVE, RunState } from "./runs.tsx";
import { RunSteps } from "./steps.tsx";

export type AgentRun = Data<"GET /agents/executions/{executionId}">;
const LIVE_OPS = ["GET /agents/executions/{executionId}", "GET /agents/approvals"];
const OVER: readonly string[] = ["completed", "stopped", "cancelled", "failed"];

/** One run of an agent, live: what was asked, what waits, what it did, and what came of it. */
export function RunPage(): ReactNode {
  const { executionId = "" } = useParams();
  const run = useAnswer("GET /agents/executions/{executionId}", [{ path: { executionId } }]);
  useLive(undefined, RUNS_LIVE, undefined, { ops: LIVE_OPS });
  const data = run.data?.data;
  return (
    <StaffPage
      title={data ? `A run of ${data.agentName ?? "an agent"}` : "A run"}
      acts={data && !OVER.includes(data.status) && <Stop run={data} />}
    >
      <Shown of={run}>{({ data: shown }) => <Run run={shown} />}</Shown>
    </StaffPage>
  );
}

function Run({ run }: { run: AgentRun }): ReactNode {
  const { nameOf } = useStaffPlace();
  const { task, input, problemSetId, answer } = run;
  return (
    <>
      {problemSetId !== undefined && <HearSets ids={[problemSetId]} ops={LIVE_OPS} />}
      <Section title="What it is to do">
        <p className="pre">{task}</p>
        {Object.keys(input).length > 0 && <Values of={input} />}
        <div className="row">
          <RunState {...run} />
          {run.dryRun && <Badge tone="info">rehearsal: nothing is changed</Badge>}
          {run.training && <Badge tone="info">training: nothing is changed</Badge>}
          {run.method === "heuristic" && <Badge>without a model</Badge>}
        </div>
        <p className="muted">
          <Link to={`/staff/agents/${run.agentId}`}>{run.agentName ?? "The agent"}</Link> for {run.byName ?? run.by}
          {problemSetId === undefined ? "" : ` in ${nameOf(problemSetId)}`}, began{" "}
          <Time at={run.startedAt ?? run.createdAt} />
          {run.endedAt && (
            <>
              , ended <Time at={run.endedAt} />
            </>
          )}
          . {run.usedCalls} of {run.limits.calls} calls, {run.usedTokens.toLocaleString("en")} of{" "}
          {run.limits.tokens.toLocaleString("en")} tokens used
          {run.usedCost ? `, which cost ${amountOf(run.usedCost)}` : ""}.
        </p>
        {run.plan && (
          <p>
            <Link to={`/staff/workflows/${run.plan.id}`}>The workflow that it is a part of</Link>
          </p>
        )}
        {["queued", "running"].includes(run.status) && (
          <Progress label={run.status === "queued" ? "It waits for its turn" : "It is at work"} />
        )}
        {run.reason && <p className="fault">{run.reason}</p>}
      </Section>
      {problemSetId !== undefined && <Approvals setId={problemSetId} executionId={run.id} />}
      {answer && <Answer answer={answer} setId={problemSetId} />}
      <RunSteps run={run} />
    </>
  );
}

function Stop({ run: { id, by, problemSetId, plan, kind } }: { run: AgentRun }): ReactNode {
  const mayIn = useMayIn(problemSetId);
  const who = useWho();
  const stop = useAct("POST /agents/executions/{executionId}/cancel", { says: "It is stopped: nothing more begins." });
  if (plan || kind === "composed" || !(by === who.userId || mayIn("agents:manage"))) return null;
  return (
    <button
      type="button"
      className="danger"
      disabled={stop.isPending}
      onClick={() => stop.mutate({ path: { executionId: id } })}
    >
      Stop it
    </button>
  );
}

const METHODS = { llm: "by the model", heuristic: "quoted, without a model", rules: "by rules" } as const;

interface AnswerProps {
  answer: NonNullable<AgentRun["answer"]>;
  setId: string | undefined;
}

function Answer({ answer, setId }: AnswerProps): ReactNode {
  const { text, method, findings = [], unseen = [], unsupported = [] } = answer;
  return (
    <Section title="What came of it">
      <Markdown>{text}</Markdown>
      <Unsupported figures={unsupported} />
      {findings.length > 0 && (
        <ul className="list">
          {findings.map(({ kind, severity, text: found, evidence }) => (
            <li key={`${kind} ${found}`}>
              <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge> <Badge>{kind}</Badge>{" "}
              <SaidOf text={found} evidence={evidence} setId={setId} />
            </li>
          ))}
        </ul>
      )}
      <p className="note muted">
        Written {METHODS[method]}.
        {unseen.length > 0 &&
          ` It could not look at everything: ${unseen.map((tool) => spelled(tool).toLowerCase()).join(", ")}.`}
      </p>
    </Section>
  );
}
