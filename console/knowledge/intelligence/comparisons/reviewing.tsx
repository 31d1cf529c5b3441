import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { useWho } from "../../../app/session.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import type { ComparedReports } from "../words.ts";

/** What this person may do with it now: put it up, or judge what others put up. */
export function Reviewing({ of: compared }: { of: ComparedReports }): ReactNode {
  const { id, status, problemSetId, createdBy, submittedBy } = compared;
  const { userId } = useWho();
  const may = useMayIn(problemSetId);
  const [isRejecting, setRejecting] = useState(false);
  const review = useAct("POST /strategic-agents/fused/{id}/review");
  const decide = (decision: "submit" | "approve"): void => review.mutate({ path: { id }, body: { decision } });
  if ((status === "draft" || status === "rejected") && may("intelligence:fuse"))
    return (
      <button type="button" disabled={review.isPending} onClick={() => decide("submit")}>
        Put up for review
      </button>
    );
  if (status !== "in_review") return null;
  if (!may("intelligence:review")) return <small className="muted">Commanders and deputies review it.</small>;
  if (userId === createdBy || userId === submittedBy)
    return <small className="muted">Another one reviews it: you asked for it, or put it up.</small>;
  return (
    <span className="row">
      <button type="button" className="primary" disabled={review.isPending} onClick={() => decide("approve")}>
        Approve
      </button>
      <button type="button" onClick={() => setRejecting(true)}>
        Reject
      </button>
      {isRejecting && <RejectDialog id={id} onClose={() => setRejecting(false)} />}
    </span>
  );
}

function RejectDialog({ id, onClose }: { id: string; onClose(): void }): ReactNode {
  const reject = useAct("POST /strategic-agents/fused/{id}/review", { tellsRefusal: false, then: onClose });
  return (
    <Dialog title="Reject it" onClose={onClose}>
      <Form
        act="Reject"
        onSubmit={({ reason }) =>
          reject.mutateAsync({ path: { id }, body: { decision: "reject", ...(reason && { reason }) } })
        }
      >
        <TextField label="Why" name="reason" rows={3} maxLength={4_000} required />
      </Form>
    </Dialog>
  );
}
