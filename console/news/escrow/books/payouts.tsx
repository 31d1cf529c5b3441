import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMay } from "../../../app/session.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { zecWords } from "../amounts.ts";
import { EscrowPage } from "../frame.tsx";
import { LIST_MS } from "../state-words.ts";
import { Subject } from "./books.tsx";

type Payout = ListRow<"GET /escrow/payouts">;

const KINDS: Record<Payout["kind"], string> = {
  release: "payment",
  refund: "refund",
  shield: "shielding",
  "shield-coinbase": "shielding of mined money",
};
const STATES: Record<Payout["state"], readonly ["good" | "bad" | "warn" | "info", string]> = {
  release_requested: ["info", "ordered"],
  sending: ["info", "being sent"],
  submitted: ["info", "sent"],
  mined: ["info", "in a block"],
  confirmed: ["info", "confirmed"],
  closed: ["good", "done"],
  failed: ["bad", "failed: nothing was sent"],
  manual_review: ["warn", "waits for a person"],
};

const COLUMNS: readonly Column<Payout>[] = [
  {
    head: "What",
    cell: ({ kind, subject }) => (
      <>
        {KINDS[kind]}, {kind === "release" || kind === "refund" ? "of " : "into "}
        <Subject of={subject} />
      </>
    ),
  },
  { head: "Amount", cell: ({ amount }) => (amount ? zecWords(amount) : "all of it"), isFigure: true },
  { head: "State", cell: (payout) => <PayoutState {...payout} /> },
  { head: "Ordered", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Transaction", cell: ({ txid }) => (txid ? <code>{txid}</code> : <span className="muted">none yet</span>) },
  { head: "Acts", isAct: true, cell: (payout) => payout.state === "manual_review" && <Decide {...payout} /> },
];

const PayoutState = ({ state, reason, resolution }: Payout): ReactNode => (
  <>
    <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>{" "}
    <small className="muted">{resolution ? `Decided by a person: ${resolution.why}` : reason}</small>
  </>
);

/** All transfers out of the wallet, and those that a person must decide. */
export function Payouts(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [state, cursor] = [search.get("state"), search.get("cursor")];
  const query = { ...(state && { state: state as Payout["state"] }), ...(cursor && { cursor }) };
  const payouts = useAnswer("GET /escrow/payouts", [{ query }], {
    keepsShown: true,
    every: LIST_MS,
    enabled: useMay("escrow:administer"),
  });
  return (
    <EscrowPage
      title="Payouts"
      intro="Transfers out of the wallet. Each is ordered once, and followed until it is deep in the chain."
      isBooks
    >
      <Form act="Show" isInline label="Filter the payouts" onSubmit={(fields) => setSearch(fields)}>
        <Select
          label="State"
          name="state"
          defaultValue={state ?? ""}
          options={[["", "any"], ...Object.entries(STATES).map(([value, [, words]]) => [value, words] as const)]}
        />
      </Form>
      <Shown of={payouts}>
        {({ data, meta }) => (
          <>
            <Table
              label="Payouts, newest first"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={state ? "No payout is in this state." : "Nothing was paid out yet."}
            />
            {meta.next && (
              <Link to={`?${new URLSearchParams({ ...(state && { state }), cursor: meta.next })}`}>Older payouts</Link>
            )}
          </>
        )}
      </Shown>
    </EscrowPage>
  );
}

function Decide({ id, kind }: Payout): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const resolve = useAct("POST /escrow/payouts/{id}/resolve", {
    tellsRefusal: false,
    says: "It is decided.",
    then: () => setAsked(false),
  });
  return (
    <>
      <button type="button" aria-label={`Decide the ${KINDS[kind]}`} onClick={() => setAsked(true)}>
        Decide
      </button>
      {isAsked && (
        <Dialog title={`Decide the ${KINDS[kind]}`} onClose={() => setAsked(false)}>
          <Form
            act="It was paid by this transaction"
            onSubmit={({ txid, why = "", outcome }) =>
              resolve.mutateAsync({
                path: { id },
                body: outcome === "not-sent" ? { notSent: true, why } : { txid: txid ?? "", why },
              })
            }
            beside={
              <button type="submit" name="outcome" value="not-sent">
                Nothing was sent
              </button>
            }
          >
            <p>The wallet was asked, and could not say whether this was sent. It is asked once more first.</p>
            <Field label="Transaction" name="txid" spellCheck={false} hint="64 digits, where there is one." />
            <Field label="Why" name="why" maxLength={1_000} hint="For whoever looks into it later." required />
          </Form>
        </Dialog>
      )}
    </>
  );
}
