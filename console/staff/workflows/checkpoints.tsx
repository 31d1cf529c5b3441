import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Section } from "../../parts/page.tsx";
import { Decision } from "../shared/decision.tsx";
import { Values } from "../shared/values.tsx";
import { spelled } from "../shared/words.ts";

type Checkpoint = ListRow<"GET /orchestration/checkpoints">;

/** Workflows that wait for a person at a checkpoint; nothing where none do. */
export function Checkpoints({ setId, executionId }: { setId?: string | undefined; executionId?: string }): ReactNode {
  const query = { limit: 100, sort: "expiresAt" as const, ...(setId !== undefined && { problemSetId: setId }) };
  const { data } = useAnswer("GET /orchestration/checkpoints", [{ query }]);
  const asked = (data?.data ?? []).filter((one) => !executionId || one.executionId === executionId);
  if (!asked.length) return null;
  return (
    <Section title={`Waiting at a checkpoint (${asked.length})`}>
      {asked.map((one) => (
        <Asked key={one.id} checkpoint={one} isAlone={executionId !== undefined} />
      ))}
    </Section>
  );
}

function Asked({ checkpoint, isAlone }: { checkpoint: Checkpoint; isAlone: boolean }): ReactNode {
  const { id, hash, question, name, executionId, forName, arguments: given, mayDecide } = checkpoint;
  const [edits, setEdits] = useState<Readonly<Record<string, unknown>>>({});
  const approve = useAct("POST /orchestration/checkpoints/{checkpointId}/approve", { says: "The workflow goes on." });
  const reject = useAct("POST /orchestration/checkpoints/{checkpointId}/reject", {
    says: "The workflow goes on no further there.",
  });
  const path = { checkpointId: id };
  const hasEdits = Object.keys(edits).length > 0;
  return (
    <Decision
      title={question}
      expiresAt={checkpoint.expiresAt}
      approver={checkpoint.approver}
      mayDecide={mayDecide}
      isBusy={approve.isPending || reject.isPending}
      isReasonNeeded
      yes={hasEdits ? "Approve with these values" : "Approve"}
      onYes={(reason) =>
        approve.mutate({ path, body: { hash, ...(hasEdits && { edits }), ...(reason && { reason }) } })
      }
      onNo={(reason) => reject.mutate({ path, body: { hash, reason: reason ?? "" } })}
    >
      {Object.keys(given).length > 0 && <Values of={{ ...given, ...edits }} />}
      {mayDecide && <Edits given={given} edits={edits} change={setEdits} />}
      <p className="muted">
        {!isAlone && (
          <>
            In the workflow <Link to={`/staff/workflows/${executionId}`}>{name}</Link>.{" "}
          </>
        )}
        It runs for {forName ?? checkpoint.for}. Later steps get the values as they are approved.
      </p>
    </Decision>
  );
}

interface EditsProps {
  given: Readonly<Record<string, unknown>>;
  edits: Readonly<Record<string, unknown>>;
  change(edits: Readonly<Record<string, unknown>>): void;
}

/** Texts and numbers can be changed before they are approved. */
function Edits({ given, edits, change }: EditsProps): ReactNode {
  const open = Object.entries(given).filter(([, value]) => ["string", "number"].includes(typeof value));
  if (!open.length) return null;
  const set = (name: string, text: string): void => {
    const { [name]: _before, ...others } = edits;
    const value = typeof given[name] === "number" ? Number(text) : text;
    change(value === given[name] ? others : { ...others, [name]: value });
  };
  return (
    <details>
      <summary>Change the values first</summary>
      {open.map(([name, value]) => (
        <label key={name} className="field">
          <span>{spelled(name)}</span>
          <input
            type={typeof value === "number" ? "number" : "text"}
            value={String(edits[name] ?? value)}
            onChange={({ currentTarget }) => set(name, currentTarget.value)}
          />
        </label>
      ))}
    </details>
  );
}
