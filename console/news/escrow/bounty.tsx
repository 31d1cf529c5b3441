import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { PageOf, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { zecWords } from "./amounts.ts";
import { Answer, AnswerForm } from "./answer.tsx";
import { BountyState } from "./bounties.tsx";
import { DepositInstructions } from "./deposit.tsx";
import { EscrowPage } from "./frame.tsx";
import { useManages } from "./manages.ts";
import { lookAgain, type Bounty } from "./state-words.ts";

const ALL = <Link to="/news/escrow">All bounties</Link>;

/** One bounty, from its deposit to its payment. */
export function BountyPage(): ReactNode {
  const { id = "" } = useParams();
  const bounty = useAnswer("GET /escrow/bounties/{id}", [{ path: { id } }], { every: lookAgain });
  return (
    <PageOf of={bounty} title="Bounty" back={ALL}>
      {({ data }) => (
        <EscrowPage title={data.title} intro={data.description || "Nothing more is said about it."}>
          <About bounty={data} />
          <Deposit bounty={data} />
          <Answer bounty={data} />
          <AnswerForm bounty={data} />
          <p>{ALL}</p>
        </EscrowPage>
      )}
    </PageOf>
  );
}

function About({ bounty }: { bounty: Bounty }): ReactNode {
  const manages = useManages(bounty);
  return (
    <Section title="How it stands" acts={manages && <Acts bounty={bounty} />}>
      <dl>
        <dt>State</dt>
        <dd>
          <BountyState of={bounty} />
        </dd>
        <dt>Amount</dt>
        <dd>{zecWords(bounty.amount)}</dd>
        <dt>Promised</dt>
        <dd>
          <Time at={bounty.createdAt} />
        </dd>
        {bounty.endedAt && (
          <>
            <dt>Ended</dt>
            <dd>
              <Time at={bounty.endedAt} />
            </dd>
          </>
        )}
        {bounty.refundAddress && (
          <>
            <dt>Goes back to</dt>
            <dd>
              <code>{bounty.refundAddress}</code>
            </dd>
          </>
        )}
      </dl>
    </Section>
  );
}

/** What can be done with its money now, by whoever answers for it. */
function Acts({ bounty: { id, title, stage, status, verdict, amount } }: { bounty: Bounty }): ReactNode {
  const administers = useMay("escrow:administer");
  const given = { path: { id } };
  const cancel = useAct("POST /escrow/bounties/{id}/cancel", { says: "The bounty is withdrawn." });
  const refund = useAct("POST /escrow/bounties/{id}/refund", {
    says: ({ data }) => data.reason ?? "It is given back.",
  });
  const release = useAct("POST /escrow/bounty/{id}/release", {
    says: ({ data }) => data.reason ?? "The payment is ordered.",
  });
  if (stage === "created")
    return (
      <ConfirmButton
        words="Withdraw"
        title={`Withdraw “${title}”?`}
        className="danger"
        run={() => cancel.mutateAsync(given)}
      >
        <p>Nothing was paid in yet as far as the escrow knows. Whoever pays in afterwards has to ask for it back.</p>
      </ConfirmButton>
    );
  if (stage !== "funded") return null;
  const isAccepted = verdict?.accepted === true;
  return (
    <>
      {isAccepted && administers && (
        <ConfirmButton
          words="Pay it out"
          title={`Pay out “${title}”?`}
          className="primary"
          run={() => release.mutateAsync(given)}
        >
          <p>{zecWords(amount)} go to the address in the answer, shielded, and cannot be called back.</p>
        </ConfirmButton>
      )}
      {isAccepted && !administers && <span className="muted">An administrator pays it out.</span>}
      {!isAccepted && status !== "submitted" && (
        <ConfirmButton words="Give it back" title={`Give “${title}” back?`} run={() => refund.mutateAsync(given)}>
          <p>The money goes to the address that its creator gave, and the bounty ends.</p>
        </ConfirmButton>
      )}
    </>
  );
}

function Deposit({ bounty }: { bounty: Bounty }): ReactNode {
  const manages = useManages(bounty);
  const path = { id: bounty.id };
  const isWaiting = manages && bounty.stage === "created";
  const deposit = useAnswer("GET /escrow/bounties/{id}/deposit", [{ path }], { enabled: isWaiting });
  const look = useAct("POST /escrow/bounties/{id}/fund", {
    says: ({ data: { stage } }) =>
      stage === "created" ? "Nothing of exactly this amount has come in yet." : "The deposit has come in.",
  });
  if (!isWaiting || !deposit.data) return null;
  return (
    <DepositInstructions
      of={deposit.data.data}
      promised={bounty.amount}
      acts={
        <button type="button" disabled={look.isPending} onClick={() => look.mutate({ path })}>
          Look now
        </button>
      }
    />
  );
}
