import type { ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { isHigh, levelWords, type RiskShown } from "./risk-words.ts";

export type RiskVerdict = "accept" | "return";

interface ReviewRiskProps {
  risk: RiskShown;
  verdict: RiskVerdict;
  onClose(): void;
}

/** Takes a risk upon oneself, or returns it to those who assessed it. */
export function ReviewRisk({ risk, verdict, onClose }: ReviewRiskProps): ReactNode {
  const { id, hazard, residualLevel } = risk;
  const isAccepting = verdict === "accept";
  const review = useAct("PUT /strategic/risk/{assessmentId}/review", {
    tellsRefusal: false,
    says: isAccepting ? "The risk is accepted." : "The risk is returned.",
    then: onClose,
  });
  return (
    <Dialog title={isAccepting ? "Accept the risk" : "Return the risk"} onClose={onClose}>
      <p>“{hazard}”</p>
      <p>
        {isAccepting
          ? `With what is done about it, it stays a ${levelWords(residualLevel)}${isHigh(residualLevel) ? ", which you take upon yourself as the commander" : ""}. It stands so under your name, and cannot be taken back.`
          : "It stands as returned, and is assessed anew."}
      </p>
      <Form
        act={isAccepting ? "Accept it" : "Return it"}
        onSubmit={({ reason }) =>
          review.mutateAsync({
            path: { assessmentId: id },
            body: { decision: verdict, ...(reason && { reason }) },
          })
        }
      >
        <TextField
          label={isAccepting ? "Why, if it is worth a word" : "What is missing"}
          name="reason"
          rows={3}
          required={!isAccepting}
        />
      </Form>
    </Dialog>
  );
}
