import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMay } from "../../../app/session.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form } from "../../../parts/form.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { zecWords } from "../amounts.ts";
import { EscrowPage } from "../frame.tsx";
import { LIST_MS } from "../state-words.ts";
import { Subject } from "./books.tsx";

type Deposit = ListRow<"GET /escrow/deposits">;

const COLUMNS: readonly Column<Deposit>[] = [
  { head: "Came in", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Amount", cell: ({ amount }) => zecWords(amount), isFigure: true },
  {
    head: "For",
    cell: ({ subject, why }) =>
      subject ? (
        <>
          <Subject of={subject} /> {why && <small className="muted">assigned: {why}</small>}
        </>
      ) : (
        <Badge tone="warn">not known</Badge>
      ),
  },
  {
    head: "State",
    cell: ({ funded, shielded }) => (funded ? "set aside" : shielded ? "shielded" : "not shielded yet"),
  },
  { head: "Transaction", cell: ({ txid }) => <code>{txid}</code> },
  { head: "Acts", isAct: true, cell: (deposit) => !deposit.subject && !deposit.coinbase && <Assign {...deposit} /> },
];

/** What came in, and whatever nobody can tell the purpose of. */
export function Deposits(): ReactNode {
  const [search] = useSearchParams();
  const cursor = search.get("cursor");
  const deposits = useAnswer("GET /escrow/deposits", [{ query: { ...(cursor && { cursor }) } }], {
    keepsShown: true,
    enabled: useMay("escrow:administer"),
    every: LIST_MS,
  });
  return (
    <EscrowPage
      title="Deposits"
      intro="What came in at the transparent address, once it is confirmed deeply enough."
      isBooks
    >
      <Shown of={deposits}>
        {({ data, meta }) => (
          <>
            <Table
              label="Deposits, newest first"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="Nothing has come in yet."
            />
            {meta.next && <Link to={`?${new URLSearchParams({ cursor: meta.next })}`}>Older deposits</Link>}
          </>
        )}
      </Shown>
    </EscrowPage>
  );
}

/** The end of the address of its page is a record's id: whoever pastes the whole of it means that. */
const PLACE = /\/(bounties|subscriptions)\/([\w-]+)\/?$/;
const subjectOf = (typed: string): string => {
  const [, nouns, id] = PLACE.exec(typed.trim()) ?? [];
  return id ? `${nouns === "bounties" ? "bounty" : "subscription"}:${id}` : typed.trim();
};

function Assign({ id, amount }: Deposit): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const assign = useAct("POST /escrow/deposits/{id}/attribute", {
    tellsRefusal: false,
    says: "The deposit is assigned.",
    then: () => setAsked(false),
  });
  return (
    <>
      <button type="button" aria-label={`Assign ${zecWords(amount)}`} onClick={() => setAsked(true)}>
        Assign
      </button>
      {isAsked && (
        <Dialog title={`Assign ${zecWords(amount)}`} onClose={() => setAsked(false)}>
          <Form
            act="Assign"
            onSubmit={({ subject = "", why = "" }) =>
              assign.mutateAsync({ path: { id }, body: { subject: subjectOf(subject), why } })
            }
          >
            <p>Its amount is not that of any bounty or subscription that waits for a deposit.</p>
            <Field
              label="What it is for"
              name="subject"
              hint="The address of the bounty's or the subscription's page."
              required
            />
            <Field label="Why" name="why" maxLength={1_000} hint="For whoever looks into it later." required />
          </Form>
        </Dialog>
      )}
    </>
  );
}
