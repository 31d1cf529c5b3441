import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { useMayIn } from "../../app/sets.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { asOf } from "./stale.ts";
import type { KnownObjective } from "./tree.ts";
import type { ObjectiveWorkflow } from "./workflow.tsx";
import { ChangeDialog, placeOf, WriteDialog } from "./write.tsx";

interface ChangingProps {
  objective: KnownObjective;
  workflow: ObjectiveWorkflow;
}

/** Changing, deleting or replacing an objective, as far as its state and one's role let one. */
export function Changing({ objective, workflow: { next } }: ChangingProps): ReactNode {
  const [open, setOpen] = useState<"change" | "replace">();
  const { problemSetId, status, escalatedFrom } = objective;
  if (!useMayIn(problemSetId)("objectives:edit")) return null;
  const close = (): void => setOpen(undefined);
  return (
    <>
      {next.edit?.allowed && (
        <button type="button" onClick={() => setOpen("change")}>
          Change it
        </button>
      )}
      {status === "approved" && !escalatedFrom && (
        <button type="button" onClick={() => setOpen("replace")}>
          Write its successor
        </button>
      )}
      {next.remove?.allowed && <Delete objective={objective} />}
      {open === "change" && <ChangeDialog objective={objective} onClose={close} />}
      {open === "replace" && <WriteDialog setId={problemSetId} instead={objective} onClose={close} />}
    </>
  );
}

function Delete({ objective: { id, statement, problemSetId } }: { objective: KnownObjective }): ReactNode {
  const navigate = useNavigate();
  const remove = useAct("DELETE /strategic/objectives/{id}", {
    says: "The objective is deleted.",
    then: () => void navigate(`/knowledge/strategy?set=${problemSetId}`),
  });
  return (
    <ConfirmButton
      words="Delete"
      className="danger"
      title="Delete this objective"
      act="Delete for good"
      run={() => remove.mutateAsync({ path: { id } })}
    >
      <p>“{statement}”</p>
      <p>Its intent, its breakdown into tasks, its risks, assessments and comments go with it, for good.</p>
    </ConfirmButton>
  );
}

/** What a repeated reading of the document would have written over somebody's words. */
export function Proposed({ objective, mayEdit }: { objective: KnownObjective; mayEdit: boolean }): ReactNode {
  const change = useAct("PUT /strategic/objectives/{id}", { says: "Kept." });
  const { id, proposal } = objective;
  if (!proposal) return null;
  const { statement, description = null, kind = null, measure = null, dueAt = null, owner = null } = proposal;
  const put = (body: object): void =>
    change.mutate({ path: { id }, body: { ...body, proposal: null }, options: asOf(objective) });
  return (
    <Section title="Read anew, the document says">
      <p dir="auto">
        <strong>{statement}</strong>
      </p>
      <p className="muted">
        {[
          owner ? `${owner} answers for it` : "nobody answers for it",
          dueAt ? `due ${new Date(dueAt).toLocaleDateString("en-GB", { dateStyle: "medium" })}` : "no date",
          measure
            ? `measured by ${measure.indicator}, ${measure.keep ? `kept ${measure.keep.replace("-", " ")}` : "to"} ${measure.target} ${measure.unit ?? ""}`.trim()
            : "no measure",
        ].join("; ")}
        . Your words stay until somebody decides.
      </p>
      {mayEdit && (
        <div className="row">
          <button
            type="button"
            disabled={change.isPending}
            onClick={() =>
              put({
                ...{ statement, description, kind, measure, dueAt, owner },
                citations: proposal.citations.map(placeOf),
              })
            }
          >
            Take this over
          </button>
          <button type="button" disabled={change.isPending} onClick={() => put({})}>
            Leave it as it is
          </button>
        </div>
      )}
    </Section>
  );
}
