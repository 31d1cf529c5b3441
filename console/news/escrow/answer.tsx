import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { useMay, useWho } from "../../app/session.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { AddressField } from "./fields.tsx";
import { useManages } from "./manages.ts";
import type { Bounty } from "./state-words.ts";

/** The answer that was given, for its author and for whoever judges it. */
export function Answer({ bounty }: { bounty: Bounty }): ReactNode {
  const { userId } = useWho();
  const manages = useManages(bounty);
  const { submission, verdict, status, stage } = bounty;
  if (!submission) return null;
  const isMine = submission.by === userId;
  return (
    <Section title={isMine ? "Your answer" : "The answer"}>
      <p className="written">{submission.evidence}</p>
      <dl>
        <dt>Given</dt>
        <dd>
          <Time at={submission.at} />
        </dd>
        <dt>To be paid at</dt>
        <dd>
          <code>{submission.payee}</code>
        </dd>
        {verdict && (
          <>
            <dt>{verdict.accepted ? "Accepted" : "Rejected"}</dt>
            <dd>
              <Time at={verdict.at} />
              {verdict.basis === "crowd" ? ", by crowd verification" : ", by whoever promised it"}
              {verdict.note && `: ${verdict.note}`}
            </dd>
          </>
        )}
      </dl>
      {manages && !isMine && !verdict && status === "submitted" && stage === "funded" && <Judgement bounty={bounty} />}
      {isMine && !verdict && <p className="muted">Whoever promised the bounty judges it.</p>}
    </Section>
  );
}

function Judgement({ bounty: { id, createdBy } }: { bounty: Bounty }): ReactNode {
  const { userId } = useWho();
  const accept = useAct("POST /escrow/bounties/{id}/accept", { tellsRefusal: false, says: "The answer is accepted." });
  const reject = useAct("POST /escrow/bounties/{id}/reject", {
    tellsRefusal: false,
    says: "The answer is rejected; the money goes back.",
  });
  return (
    <Form
      act="Accept"
      label="Judge the answer"
      onSubmit={({ note, verdict }) => {
        const given = { path: { id }, body: { ...(note && { note }) } };
        return verdict === "reject" ? reject.mutateAsync(given) : accept.mutateAsync(given);
      }}
      beside={
        <button type="submit" name="verdict" value="reject" className="danger">
          Reject
        </button>
      }
    >
      {createdBy !== userId && <p>You give the verdict of crowd verification: somebody else promised the bounty.</p>}
      <Field label="Why (optional)" name="note" maxLength={2_000} hint="The author of the answer reads it." />
      <p className="muted">
        Accepted, it is paid out and cannot be rejected any more. Rejected, the money goes back and the bounty ends.
      </p>
    </Form>
  );
}

/** For everybody while it is open; after a payment that failed, too. */
export function AnswerForm({ bounty: { id, status, stage, createdBy } }: { bounty: Bounty }): ReactNode {
  const mayTakePart = useMay("escrow:participate");
  const { userId } = useWho();
  const submit = useAct("POST /escrow/bounties/{id}/submit", { tellsRefusal: false, says: "Your answer is there." });
  if (!mayTakePart || createdBy === userId || stage !== "funded" || !["open", "failed"].includes(status ?? ""))
    return null;
  return (
    <Section title="Answer it">
      <Form
        act="Give this answer"
        onSubmit={({ payee = "", evidence = "" }) => submit.mutateAsync({ path: { id }, body: { payee, evidence } })}
      >
        <TextField
          label="Your answer"
          name="evidence"
          maxLength={20_000}
          hint="An address on the web, or the text itself. Whoever promised the bounty reads it, and administrators."
          required
        />
        <AddressField
          label="Your shielded address"
          name="payee"
          hint="Where you are paid, privately. A transparent address is not taken."
        />
      </Form>
    </Section>
  );
}
