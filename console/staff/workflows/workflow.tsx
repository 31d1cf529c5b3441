import type { ReactNode } from "react";
import { useNavigate, useParams } from "react-router";
import type { Data, Input } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Progress, Time } from "../../parts/texts.tsx";
import { Approvals } from "../agents/approvals.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { useMayIn } from "../../app/sets.ts";
import { useStaffPlace } from "../shared/place.ts";
import { Value, Values } from "../shared/values.tsx";
import { duration } from "../shared/words.ts";
import { Checkpoints } from "./checkpoints.tsx";
import { WorkflowPicture } from "./picture.tsx";
import { StepTable } from "./step-table.tsx";
import { WORKFLOW_LIVE, WorkflowState } from "./workflows.tsx";

export type WorkflowRun = Data<"GET /orchestration/executions/{executionId}">;
type Definition = Input<"POST /orchestration/execute">["body"]["definition"];

const LIVE_OPS = ["GET /orchestration", "GET /agents/approvals"];
const OVER: readonly string[] = ["completed", "stopped", "failed", "cancelled", "expired"];

/** One run of a workflow, live: its steps as a picture and in words, and where it waits for a person. */
export function WorkflowPage(): ReactNode {
  const { executionId = "" } = useParams();
  const run = useAnswer("GET /orchestration/executions/{executionId}", [{ path: { executionId } }]);
  useLive(undefined, WORKFLOW_LIVE, undefined, { ops: LIVE_OPS });
  const data = run.data?.data;
  return (
    <StaffPage title={data?.name ?? "Workflow"} acts={data && <Acts run={data} />}>
      <Shown of={run}>{({ data: shown }) => <Run run={shown} />}</Shown>
    </StaffPage>
  );
}

function Run({ run }: { run: WorkflowRun }): ReactNode {
  const { nameOf } = useStaffPlace();
  const { id, problemSetId, status, input, output } = run;
  const graph = useAnswer("GET /orchestration/executions/{executionId}/graph", [{ path: { executionId: id } }]);
  const runIds = new Set(run.log.flatMap(({ runId }) => (runId ? [runId] : [])));
  const ended = run.log.filter((step) => ["completed", "skipped", "failed"].includes(step.status)).length;
  return (
    <>
      <HearSets ids={[problemSetId]} ops={LIVE_OPS} />
      <div className="row">
        <WorkflowState {...run} />
        <span className="muted">
          In {nameOf(problemSetId)}, for {run.byName ?? run.by}, began <Time at={run.startedAt ?? run.createdAt} />
          {run.endedAt && (
            <>
              , ended <Time at={run.endedAt} />
            </>
          )}
          , {duration(run.ranMs)} at work
        </span>
      </div>
      {run.reason && <p className="fault">{run.reason}</p>}
      {["queued", "running"].includes(status) && (
        <Progress label="Steps done" done={ended} total={Math.max(ended, graph.data?.data.nodes.length ?? 0)} />
      )}
      <Checkpoints setId={problemSetId} executionId={id} />
      {[...runIds].map((runId) => (
        <Approvals key={runId} setId={problemSetId} executionId={runId} />
      ))}
      <Section title="Steps">
        <Shown of={graph}>
          {({ data: drawn }) => (
            <>
              <WorkflowPicture graph={drawn} />
              <StepTable run={run} graph={drawn} />
            </>
          )}
        </Shown>
      </Section>
      {output !== undefined && output !== null && (
        <Section title="What came of it">
          <Value of={output} />
        </Section>
      )}
      {Object.keys(input).length > 0 && (
        <Section title="What it was given">
          <Values of={input} />
        </Section>
      )}
    </>
  );
}

function Acts({ run }: { run: WorkflowRun }): ReactNode {
  const { id, by, problemSetId, status, definition, input, supervisorId } = run;
  const { userId } = useWho();
  const mayIn = useMayIn(problemSetId);
  const navigate = useNavigate();
  const cancel = useAct("POST /orchestration/executions/{executionId}/cancel", {
    says: ({ data: { effects } }) =>
      effects.length
        ? `It is stopped. Already done, and not undone: ${effects.map(({ tool }) => tool.replaceAll("_", " ")).join(", ")}.`
        : "It is stopped: nothing of it was done that would have to be undone.",
  });
  const again = useAct("POST /orchestration/execute", {
    then: ({ data }) => void navigate(`/staff/workflows/${data.executionId}`),
  });
  if (!OVER.includes(status))
    return by === userId || mayIn("orchestration:manage") ? (
      <button
        type="button"
        className="danger"
        disabled={cancel.isPending}
        onClick={() => cancel.mutate({ path: { executionId: id } })}
      >
        Stop it
      </button>
    ) : null;
  return supervisorId === undefined && mayIn("orchestration:run") ? (
    <button
      type="button"
      disabled={again.isPending}
      // The API answers definitions as it takes them.
      onClick={() => again.mutate({ body: { problemSetId, definition: definition as unknown as Definition, input } })}
    >
      Start it again
    </button>
  ) : null;
}
