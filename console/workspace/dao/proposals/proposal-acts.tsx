import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { ConfirmButton, Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { Time } from "../../../parts/texts.tsx";
import type { Proposal } from "../dao-types.ts";
import { whyNot } from "../rule-words.ts";
import { useNow } from "../time-left.tsx";

/** What this person may do with a proposal besides voting; why not, where that would be its next step. */
export function ProposalActs({ proposal }: { proposal: Proposal }): ReactNode {
  const path = { daoId: proposal.daoId, proposalId: proposal.id };
  const [isWithdrawing, setWithdrawing] = useState(false);
  const mine = useAnswer("GET /dao/{daoId}/proposals/{proposalId}/me", [{ path }]);
  const execute = useAct("POST /dao/{daoId}/proposals/{proposalId}/execute", {
    says: ({ data }) => {
      if (data.status === "executed") return "It is executed.";
      return data.waitingFor ? "Its execution stopped: the page says why." : "Its execution is under way.";
    },
  });
  if (!mine.data) return null;
  const { acts } = mine.data.data;
  return (
    <>
      {proposal.status === "queued" && !proposal.running && <NextStep proposal={proposal} right={acts.execute} />}
      <div className="row">
        {acts.execute.allowed && (
          <ConfirmButton
            words={proposal.waitingFor ? "Execute again" : "Execute"}
            className="primary"
            title="Execute the proposal?"
            act="Execute"
            run={() => execute.mutateAsync({ path })}
          >
            <p>
              {proposal.measures.length
                ? "The platform does what the vote called for, once. It cannot be taken back here."
                : "It is a resolution: it is marked as executed, and nothing else happens."}
            </p>
          </ConfirmButton>
        )}
        {acts.cancel.allowed && (
          <button type="button" className="danger" onClick={() => setWithdrawing(true)}>
            Withdraw
          </button>
        )}
      </div>
      {isWithdrawing && <Withdraw proposal={proposal} onClose={() => setWithdrawing(false)} />}
    </>
  );
}

interface NextProps {
  proposal: Proposal;
  right: { allowed: boolean; why?: string };
}

function NextStep({ proposal: { eta, expiresAt, rules }, right }: NextProps): ReactNode {
  const now = useNow();
  const isLocked = eta !== undefined && Date.parse(eta) > now;
  if (right.allowed)
    return (
      <p>
        {expiresAt ? (
          <>
            It can be executed now. Unless that happens, it expires <Time at={expiresAt} />.
          </>
        ) : (
          "It is adopted, and stands. Once people have carried it out, it can be marked as executed."
        )}
      </p>
    );
  if (isLocked)
    return (
      <p>
        The timelock runs: it can be executed <Time at={eta} />
        {rules.autoExecute && ", and then is by itself"}.
      </p>
    );
  return <p className="muted">You cannot execute it: {whyNot(right.why)}</p>;
}

function Withdraw({ proposal, onClose }: { proposal: Proposal; onClose(): void }): ReactNode {
  const cancel = useAct("POST /dao/{daoId}/proposals/{proposalId}/cancel", {
    tellsRefusal: false,
    says: "The proposal is withdrawn.",
    then: onClose,
  });
  return (
    <Dialog title={`Withdraw “${proposal.title}”?`} onClose={onClose}>
      <p>It ends for good, and nothing of it is executed. It stays to be read, with the votes that were cast.</p>
      <Form
        act="Withdraw for good"
        onSubmit={({ reason }) =>
          cancel.mutateAsync({
            path: { daoId: proposal.daoId, proposalId: proposal.id },
            body: { ...(reason && { reason }) },
          })
        }
      >
        <TextField label="Why (optional)" name="reason" rows={2} maxLength={2_000} />
      </Form>
    </Dialog>
  );
}
