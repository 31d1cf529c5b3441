import { useState, type ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { Changing } from "./changing.tsx";
import type { KnownObjective } from "./tree.ts";

export type ObjectiveWorkflow = Data<"GET /strategic/objectives/{id}/workflow">;
type Step = "submit" | "take" | "approve" | "reject" | "escalate";

const STEPS: Readonly<Record<Step, { verb: string; ask: string; isNeeded?: true }>> = {
  submit: { verb: "Put it up for review", ask: "A note for whoever reviews it" },
  take: { verb: "Take it for review", ask: "" },
  approve: { verb: "Approve", ask: "Why, if it is worth a word" },
  reject: { verb: "Reject", ask: "Why: whoever wrote it is to mend it", isNeeded: true },
  escalate: { verb: "Pass the decision up", ask: "Why it is decided above" },
};

/** What this person may do with it now, as the platform says; where nothing, why not. */
export function Acts({ objective, workflow }: { objective: KnownObjective; workflow: ObjectiveWorkflow }): ReactNode {
  const [step, setStep] = useState<Step>();
  const { next, status, waitsAbove } = workflow;
  const open = (Object.keys(STEPS) as Step[]).filter((one) => next[one]?.allowed);
  const isJudged = status === "submitted" || status === "in_review";
  return (
    <div className="row">
      <Badge>{status}</Badge>
      {waitsAbove && <span className="muted">The decision was passed up, and waits there.</span>}
      {open.map((one) => (
        <button
          key={one}
          type="button"
          className={one === "approve" ? "primary" : undefined}
          onClick={() => setStep(one)}
        >
          {STEPS[one].verb}
        </button>
      ))}
      {isJudged && !waitsAbove && !next.approve?.allowed && <span className="muted">{next.approve?.why}</span>}
      <Changing objective={objective} workflow={workflow} />
      {step && <StepDialog objective={objective} step={step} onClose={() => setStep(undefined)} />}
    </div>
  );
}

interface StepProps {
  objective: KnownObjective;
  step: Step;
  onClose(): void;
}

function StepDialog({ objective: { id, statement }, step, onClose }: StepProps): ReactNode {
  const options = { tellsRefusal: false, then: onClose };
  const submit = useAct("POST /strategic/objectives/{id}/submit", options);
  const take = useAct("POST /strategic/objectives/{id}/workflow/take", options);
  const review = useAct("POST /strategic/objectives/{id}/review", options);
  const escalate = useAct("POST /strategic/objectives/{id}/workflow/escalate", options);
  const { verb, ask, isNeeded = false } = STEPS[step];
  const path = { id };
  const act = (reason: string | undefined): Promise<unknown> => {
    if (step === "submit") return submit.mutateAsync({ path, body: { ...(reason && { note: reason }) } });
    if (step === "take") return take.mutateAsync({ path });
    if (step === "escalate") return escalate.mutateAsync({ path, body: { ...(reason && { reason }) } });
    return review.mutateAsync({ path, body: { decision: step, ...(reason && { reason }) } });
  };
  return (
    <Dialog title={verb} onClose={onClose}>
      <p>{statement}</p>
      <Form act={verb} onSubmit={({ reason }) => act(reason)}>
        {ask && <TextField label={ask} name="reason" rows={3} required={isNeeded} />}
      </Form>
    </Dialog>
  );
}

const ACTS: Readonly<Record<string, string>> = {
  submit: "put it up for review",
  take: "took it for review",
  approve: "approved it",
  reject: "rejected it",
  escalate: "passed the decision up",
  edit: "changed it",
  "parent-decision": "it was decided above",
  supersede: "another one took its place",
};

interface TalkProps {
  objectiveId: string;
  workflow: ObjectiveWorkflow;
  mayComment: boolean;
}

/** What was done and said about it. */
export function Talk({ objectiveId, workflow: { history, comments }, mayComment }: TalkProps): ReactNode {
  const comment = useAct("POST /strategic/objectives/{id}/workflow/comment", { tellsRefusal: false });
  return (
    <Section title="What was done and said">
      {!history.length && !comments.length && <Empty>Nothing was done or said about it yet.</Empty>}
      <ol className="timeline">
        {history.map(({ act, at, by, byName, note }) => (
          <li key={`${at} ${act}`}>
            {byName ?? by} {ACTS[act] ?? act}
            {note && `: ${note}`}{" "}
            <small className="muted">
              <Time at={at} />
            </small>
          </li>
        ))}
      </ol>
      <ul className="list">
        {comments.map(({ id, text, createdAt, createdBy, createdByName }) => (
          <li key={id}>
            <strong>{createdByName ?? createdBy}</strong> <Time at={createdAt} />
            <br />
            {text}
          </li>
        ))}
      </ul>
      {mayComment && (
        <Form
          act="Comment"
          clears
          label="Comment on it"
          onSubmit={({ text = "" }) => comment.mutateAsync({ path: { id: objectiveId }, body: { text } })}
        >
          <TextField label="Your comment" name="text" rows={2} required />
        </Form>
      )}
    </Section>
  );
}
