import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ListRow } from "../../../../api/client.ts";
import { useAct, useAnswer } from "../../../../api/hooks.ts";
import { Dialog } from "../../../../parts/dialog.tsx";
import { Check, Field, Form, TextField } from "../../../../parts/form.tsx";
import { Section, Shown } from "../../../../parts/page.tsx";
import { Badge, Time } from "../../../../parts/texts.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { PHASE_TITLES } from "../phase-words.ts";
import { AssumptionActs } from "./assumption-acts.tsx";

export type Assumption = ListRow<"GET /mdmp/workflows/{missionId}/assumptions">;

/** What planning takes for true without knowing it; blocking ones must be accepted before it goes on. */
export function Assumptions({ missionId, isOpen }: { missionId: string; isOpen: boolean }): ReactNode {
  const { maySet } = useSet();
  const [search, setSearch] = useSearchParams();
  const [isRecording, setRecording] = useState(false);
  const showsWithdrawn = search.has("withdrawn");
  const assumptions = useAnswer("GET /mdmp/workflows/{missionId}/assumptions", [
    { path: { missionId }, query: { limit: 100 } },
  ]);
  return (
    <Section
      title="Assumptions"
      acts={
        isOpen &&
        maySet("mdmp:plan") && (
          <button type="button" onClick={() => setRecording(true)}>
            Record an assumption
          </button>
        )
      }
    >
      <Shown of={assumptions}>
        {({ data }) => {
          const withdrawn = data.filter(({ status }) => status === "withdrawn").length;
          const seen = data.filter(({ status }) => showsWithdrawn || status !== "withdrawn");
          return (
            <>
              {!seen.length && (
                <p className="empty">Nothing is assumed yet. What the plan rests on and nobody knows belongs here.</p>
              )}
              <ul className="list" aria-label="Assumptions">
                {seen.map((one) => (
                  <Line key={one.id} assumption={one} isOpen={isOpen} />
                ))}
              </ul>
              {withdrawn > 0 && (
                <button
                  type="button"
                  className="link"
                  onClick={() => setSearch(showsWithdrawn ? {} : { withdrawn: "shown" }, { replace: true })}
                >
                  {showsWithdrawn ? "Hide" : "Show"} the withdrawn: {withdrawn}
                </button>
              )}
            </>
          );
        }}
      </Shown>
      {isRecording && <RecordAssumption missionId={missionId} onClose={() => setRecording(false)} />}
    </Section>
  );
}

function Line({ assumption, isOpen }: { assumption: Assumption; isOpen: boolean }): ReactNode {
  const { statement, status, blocking } = assumption;
  return (
    <li className="row between steady">
      <div>
        <span className="row">
          <Badge>{status}</Badge>
          {blocking && status === "open" && <Badge tone="warn">holds planning back</Badge>}
          <span>{statement}</span>
        </span>
        <Grounds assumption={assumption} />
      </div>
      {isOpen && <AssumptionActs assumption={assumption} />}
    </li>
  );
}

/** Where it comes from, what speaks for it, and who decided about it. */
function Grounds({ assumption }: { assumption: Assumption }): ReactNode {
  const { rationale, confirmBy, reason, fromDesign, phase, acceptedAt, withdrawnAt, withdrawnBy } = assumption;
  return (
    <div className="grounds muted">
      <p>
        {fromDesign ? "From the design" : `By ${assumption.createdByName ?? assumption.createdBy}`}, in “
        {PHASE_TITLES[phase]}”
      </p>
      {rationale && <p>Why: {rationale}</p>}
      {confirmBy && <p>To be confirmed: {confirmBy}</p>}
      {acceptedAt && (
        <p>
          Accepted by {assumption.acceptedByName ?? assumption.acceptedBy}, <Time at={acceptedAt} />
        </p>
      )}
      {withdrawnAt && (
        <p>
          Withdrawn {withdrawnBy ? `by ${assumption.withdrawnByName ?? withdrawnBy}` : "with the design"},{" "}
          <Time at={withdrawnAt} />
        </p>
      )}
      {reason && <p>Reason: {reason}</p>}
    </div>
  );
}

function RecordAssumption({ missionId, onClose }: { missionId: string; onClose(): void }): ReactNode {
  const record = useAct("POST /mdmp/workflows/{missionId}/assumptions", {
    tellsRefusal: false,
    says: "The assumption is recorded.",
    then: onClose,
  });
  return (
    <Dialog title="Record an assumption" onClose={onClose}>
      <Form
        act="Record"
        onSubmit={({ statement = "", rationale, confirmBy, blocking }) =>
          record.mutateAsync({
            path: { missionId },
            body: {
              statement,
              blocking: blocking === "on",
              ...(rationale && { rationale }),
              ...(confirmBy && { confirmBy }),
            },
          })
        }
      >
        <TextField label="What is assumed" name="statement" rows={2} maxLength={2_000} required />
        <TextField label="Why it is reasonable" name="rationale" rows={2} maxLength={4_000} />
        <Field label="How and when it will be confirmed" name="confirmBy" maxLength={2_000} />
        <Check label="Planning waits until it is accepted" name="blocking" />
      </Form>
    </Dialog>
  );
}
