import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { Badge } from "../../parts/texts.tsx";
import { useMayIn } from "../../app/sets.ts";
import { Value, Values } from "../shared/values.tsx";
import { CLASS_WORDS, duration, spelled } from "../shared/words.ts";
import type { AgentRun } from "./run.tsx";

type Step = AgentRun["log"][number];
const STATES: Record<Step["status"], string> = {
  waiting: "waits for approval",
  intended: "under way",
  done: "done",
  refused: "not allowed",
  failed: "failed",
  simulated: "only rehearsed",
  unknown: "outcome unknown",
};
const TONES = { waiting: "warn", intended: "info", refused: "warn", unknown: "bad", simulated: "info" } as const;
const STEP_TONES: Partial<Record<string, "warn" | "info" | "bad">> = TONES;

/** What an agent did, one act after the other, with what was given and what came back. */
export function RunSteps({ run }: { run: AgentRun }): ReactNode {
  return (
    <Section title="What it did">
      {run.log.length === 0 && <Empty>Nothing yet. Each act is listed here as it happens.</Empty>}
      <ol className="steps">
        {run.log.map((step) => (
          <li key={step.id}>
            <div className="row">
              <strong>{spelled(step.tool)}</strong>
              <Badge {...(STEP_TONES[step.status] && { tone: STEP_TONES[step.status]! })}>{STATES[step.status]}</Badge>
              {step.ms !== undefined && <span className="muted">{duration(step.ms)}</span>}
            </div>
            <p className="muted">
              {step.class && `${CLASS_WORDS[step.class]}. `}
              {step.status === "done" && !step.approvedBy ? "" : step.why}
              {step.approvedBy && ` Approved by ${step.approvedByName ?? step.approvedBy}.`}
            </p>
            {step.status === "unknown" && <Settle run={run} step={step} />}
            <details>
              <summary>What was given{step.result && ", and what came back"}</summary>
              <Values of={step.arguments} />
              {step.result && (
                <>
                  <p className="muted">It came back:</p>
                  <Value of={step.result} />
                </>
              )}
            </details>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** After a cut nobody knows whether the act happened: a person who can find out says so. */
function Settle({ run, step }: { run: AgentRun; step: Step }): ReactNode {
  const who = useWho();
  const mayIn = useMayIn(run.problemSetId);
  const settle = useAct("POST /agents/executions/{executionId}/settle");
  const say = (happened: boolean) => (): void =>
    settle.mutate({ path: { executionId: run.id }, body: { stepId: step.id, happened } });
  return (
    <>
      <p>It was cut off, and nobody knows whether it happened. Look, and say so:</p>
      {(run.by === who.userId || mayIn("agents:manage")) && (
        <div className="row">
          <button type="button" disabled={settle.isPending} onClick={say(true)}>
            It happened
          </button>
          <button type="button" disabled={settle.isPending} onClick={say(false)}>
            It did not: do it again
          </button>
        </div>
      )}
    </>
  );
}
