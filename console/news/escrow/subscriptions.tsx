import { useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Select } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { zatoshiOf, zecWords } from "./amounts.ts";
import { AddressField, AmountField } from "./fields.tsx";
import { EscrowPage } from "./frame.tsx";
import { subscriptionStanding, type Subscription } from "./state-words.ts";

/** The sources to choose from: the first by name. */
const useSources = () => useAnswer("GET /sources", [{ query: { sort: "name", limit: 100 } }], { stays: true });

/** What a subscription pays for. */
export function Paid({ sourceId }: Pick<Subscription, "sourceId">): ReactNode {
  const source = useSources().data?.data.find(({ id }) => id === sourceId);
  if (sourceId === undefined) return "an address, for no source that is followed here";
  return source?.name ?? `source ${sourceId}`;
}

const COLUMNS: readonly Column<Subscription>[] = [
  {
    head: "Pays",
    cell: ({ id, sourceId }) => (
      <Link to={`/news/escrow/subscriptions/${id}`}>
        <Paid sourceId={sourceId} />
      </Link>
    ),
  },
  { head: "A month", cell: ({ amount }) => zecWords(amount), isFigure: true },
  { head: "State", cell: (subscription) => <SubscriptionState of={subscription} /> },
  { head: "Month ends", cell: ({ to }) => (to ? <Time at={to} /> : <span className="muted">not begun</span>) },
];

export function SubscriptionState({ of: subscription }: { of: Subscription }): ReactNode {
  const [tone, words] = subscriptionStanding(subscription);
  return <Badge tone={tone}>{words}</Badge>;
}

/** Monthly fees for sources: held for the month, paid at its end. */
export function Subscriptions(): ReactNode {
  const [isStarting, setStarting] = useState(false);
  const administers = useMay("escrow:administer");
  const mayTakePart = useMay("escrow:participate");
  const subscriptions = useAnswer("GET /escrow/subscriptions", [{ query: { page: usePage(), sort: "-createdAt" } }], {
    keepsShown: true,
  });
  return (
    <EscrowPage
      title="Subscriptions"
      intro="A fee that you pay a source each month. The escrow holds it for the month, and pays the source at its end."
      acts={
        mayTakePart && (
          <button type="button" className="primary" onClick={() => setStarting(true)}>
            Subscribe
          </button>
        )
      }
    >
      <Shown of={subscriptions}>
        {({ data, meta }) => (
          <>
            <Table
              label="Subscriptions"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={administers ? "Nobody has subscribed to anything." : "You have subscribed to nothing."}
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {isStarting && <SubscribeDialog onClose={() => setStarting(false)} />}
    </EscrowPage>
  );
}

function SubscribeDialog({ onClose }: { onClose(): void }): ReactNode {
  const navigate = useNavigate();
  const sources = useSources().data?.data ?? [];
  const start = useAct("POST /escrow/subscriptions", {
    tellsRefusal: false,
    then: ({ data: { id } }) => void navigate(`/news/escrow/subscriptions/${id}`),
  });
  return (
    <Dialog title="Subscribe" onClose={onClose}>
      <Form
        act="Subscribe"
        onSubmit={({ sourceId, payee = "", amount = "", refundAddress = "" }) =>
          start.mutateAsync({
            body: { payee, refundAddress, amount: zatoshiOf(amount), ...(sourceId && { sourceId: Number(sourceId) }) },
          })
        }
      >
        <Select
          label="Source"
          name="sourceId"
          options={[["", "none that is followed here"], ...sources.map(({ id, name }) => [String(id), name] as const)]}
        />
        <AddressField
          label="The source's shielded address"
          name="payee"
          hint="The source tells it: the platform knows none."
        />
        <AmountField label="ZEC a month" />
        <AddressField
          label="Your shielded address"
          name="refundAddress"
          hint="Where a month goes back to that could not be paid."
        />
        <p className="muted">
          The first month begins once its deposit is there: the next page says where to pay it in.
        </p>
      </Form>
    </Dialog>
  );
}
