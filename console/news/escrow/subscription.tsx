import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { PageOf, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { zecWords } from "./amounts.ts";
import { DepositInstructions } from "./deposit.tsx";
import { EscrowPage } from "./frame.tsx";
import { lookAgain, type Subscription } from "./state-words.ts";
import { Paid, SubscriptionState } from "./subscriptions.tsx";

const ALL = <Link to="/news/escrow/subscriptions">All subscriptions</Link>;

/** One subscription: its month, its money, and its end. */
export function SubscriptionPage(): ReactNode {
  const { id = "" } = useParams();
  const subscription = useAnswer("GET /escrow/subscriptions/{id}", [{ path: { id } }], { every: lookAgain });
  return (
    <PageOf of={subscription} title="Subscription" back={ALL}>
      {({ data }) => (
        <EscrowPage title="Subscription" intro={`${zecWords(data.amount)} a month.`}>
          <About subscription={data} />
          <Deposit subscription={data} />
          <p>{ALL}</p>
        </EscrowPage>
      )}
    </PageOf>
  );
}

const About = ({ subscription }: { subscription: Subscription }): ReactNode => (
  <Section title="How it stands" acts={<Acts subscription={subscription} />}>
    <dl>
      <dt>State</dt>
      <dd>
        <SubscriptionState of={subscription} />
      </dd>
      <dt>Pays</dt>
      <dd>
        <Paid sourceId={subscription.sourceId} />, at <code>{subscription.payee}</code>
      </dd>
      {subscription.to && (
        <>
          <dt>This month</dt>
          <dd>
            month {subscription.period}, until <Time at={subscription.to} />
          </dd>
        </>
      )}
      {subscription.lapsesAt && (
        <>
          <dt>Ends without a deposit</dt>
          <dd>
            <Time at={subscription.lapsesAt} />
          </dd>
        </>
      )}
    </dl>
  </Section>
);

function Acts({ subscription: { id, status, stage, cancelAtEnd } }: { subscription: Subscription }): ReactNode {
  const administers = useMay("escrow:administer");
  const given = { path: { id } };
  const cancel = useAct("POST /escrow/subscriptions/{id}/cancel", {
    says: ({ data }) => (data.status === "cancelled" ? "The subscription has ended." : "It ends with this month."),
  });
  const release = useAct("POST /escrow/subscriptions/{id}/release", {
    says: ({ data }) => data.reason ?? "The payment is ordered.",
  });
  const refund = useAct("POST /escrow/subscriptions/{id}/refund", {
    says: ({ data }) => data.reason ?? "The month is given back.",
  });
  // After a payment that failed for good, a person decides.
  const isStuck = status === "due" && stage === "funded";
  return (
    <>
      {isStuck && administers && (
        <>
          <button type="button" disabled={release.isPending} onClick={() => release.mutate(given)}>
            Pay again
          </button>
          <ConfirmButton words="Give the month back" title="Give the month back?" run={() => refund.mutateAsync(given)}>
            <p>The subscriber gets this month back, and the subscription ends.</p>
          </ConfirmButton>
        </>
      )}
      {status !== "cancelled" && !cancelAtEnd && (
        <ConfirmButton
          words="End it"
          title="End the subscription?"
          className="danger"
          run={() => cancel.mutateAsync(given)}
        >
          <p>At once, if nothing was paid for the next month; otherwise this month is still paid.</p>
        </ConfirmButton>
      )}
    </>
  );
}

function Deposit({ subscription: { id, stage, status, amount } }: { subscription: Subscription }): ReactNode {
  const isWaiting = stage === "created" && status !== "cancelled";
  const deposit = useAnswer("GET /escrow/subscriptions/{id}/deposit", [{ path: { id } }], { enabled: isWaiting });
  return isWaiting && deposit.data && <DepositInstructions of={deposit.data.data} promised={amount} />;
}
