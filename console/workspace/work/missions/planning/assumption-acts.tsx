import { useState, type ReactNode } from "react";
import { useAct } from "../../../../api/hooks.ts";
import { Dialog } from "../../../../parts/dialog.tsx";
import { Form, TextField } from "../../../../parts/form.tsx";
import { useSet } from "../../../set/use-set.tsx";
import type { Assumption } from "./assumptions.tsx";

type Asked = "withdraw" | "reopen";

/** Accept, take that back, withdraw: for whoever decides in planning. */
export function AssumptionActs({ assumption }: { assumption: Assumption }): ReactNode {
  const { maySet } = useSet();
  const [asked, setAsked] = useState<Asked>();
  const { id, missionId, statement, status } = assumption;
  const accept = useAct("PUT /mdmp/workflows/{missionId}/assumptions/{id}/accept", {
    says: "The assumption is accepted.",
  });
  if (!maySet("mdmp:decide")) return null;
  // What a design left out comes back with a later design only.
  const isGone = status === "withdrawn" && !assumption.withdrawnBy;
  return (
    <div className="row">
      {status === "open" && (
        <button
          type="button"
          aria-label={`Accept: ${statement}`}
          disabled={accept.isPending}
          onClick={() => accept.mutate({ path: { missionId, id }, body: { accepted: true } })}
        >
          Accept
        </button>
      )}
      {status !== "open" && !isGone && (
        <button type="button" aria-label={`Open again: ${statement}`} onClick={() => setAsked("reopen")}>
          Open again
        </button>
      )}
      {status !== "withdrawn" && (
        <button type="button" aria-label={`Withdraw: ${statement}`} onClick={() => setAsked("withdraw")}>
          Withdraw
        </button>
      )}
      {asked && <WhyDialog asked={asked} assumption={assumption} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

interface WhyProps {
  asked: Asked;
  assumption: Assumption;
  onClose(): void;
}
function WhyDialog({ asked, assumption: { id, missionId, statement }, onClose }: WhyProps): ReactNode {
  const path = { missionId, id };
  const withdraw = useAct("POST /mdmp/workflows/{missionId}/assumptions/{id}/withdraw", {
    tellsRefusal: false,
    says: "The assumption is withdrawn.",
    then: onClose,
  });
  const reopen = useAct("PUT /mdmp/workflows/{missionId}/assumptions/{id}/accept", {
    tellsRefusal: false,
    says: "The assumption is open again.",
    then: onClose,
  });
  const isWithdrawal = asked === "withdraw";
  return (
    <Dialog title={isWithdrawal ? "Withdraw the assumption" : "Open the assumption again"} onClose={onClose}>
      <blockquote>{statement}</blockquote>
      <Form
        act={isWithdrawal ? "Withdraw" : "Open again"}
        onSubmit={({ reason }) =>
          isWithdrawal
            ? withdraw.mutateAsync({ path, body: { reason: reason ?? "" } })
            : reopen.mutateAsync({ path, body: { accepted: false, ...(reason && { reason }) } })
        }
      >
        <TextField label={isWithdrawal ? "Why" : "Why (optional)"} name="reason" rows={2} required={isWithdrawal} />
      </Form>
    </Dialog>
  );
}
