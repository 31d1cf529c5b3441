import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useMay } from "../../../app/session.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Time } from "../../../parts/texts.tsx";
import { zatoshiOf, zecWords } from "../amounts.ts";
import { EscrowPage } from "../frame.tsx";
import { Subject } from "./books.tsx";

type Entry = ListRow<"GET /escrow/ledger">;

const ACCOUNTS: Record<string, string> = {
  transparent: "not shielded yet",
  pool: "free in the pool",
  payee: "paid to sources",
  fees: "paid to miners",
  creator: "given back",
};

const COLUMNS: readonly Column<Entry>[] = [
  { head: "Entry", cell: ({ seq, kind }) => `${seq.toLocaleString("en")}: ${kind}` },
  { head: "When", cell: ({ at }) => <Time at={at} /> },
  { head: "Booked", cell: ({ lines }) => <Lines of={lines} /> },
  { head: "Why", cell: ({ why, txid }) => why ?? (txid && <code>{txid}</code>) },
];

const Lines = ({ of: lines }: { of: Entry["lines"] }): ReactNode => (
  <ul className="list">
    {lines.map(({ account, amount }) => (
      <li key={account}>
        {zecWords(amount)}: {ACCOUNTS[account] ?? <Subject of={account} />}
      </li>
    ))}
  </ul>
);

/** Every movement of money, twice: the lines of an entry add up to nothing. */
export function Ledger(): ReactNode {
  const [isAdjusting, setAdjusting] = useState(false);
  const [search] = useSearchParams();
  const cursor = search.get("cursor");
  const entries = useAnswer("GET /escrow/ledger", [{ query: { ...(cursor && { cursor }) } }], {
    keepsShown: true,
    enabled: useMay("escrow:administer"),
  });
  return (
    <EscrowPage
      title="Ledger"
      intro="Every movement of money. Entries are never changed or removed; each carries the hash of the one before."
      acts={
        <button type="button" onClick={() => setAdjusting(true)}>
          Book what was done outside
        </button>
      }
      isBooks
    >
      <Shown of={entries}>
        {({ data, meta }) => (
          <>
            <Table
              label="Entries, newest first"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="Nothing is booked yet."
            />
            {meta.next && <Link to={`?${new URLSearchParams({ cursor: meta.next })}`}>Older entries</Link>}
          </>
        )}
      </Shown>
      {isAdjusting && <AdjustDialog onClose={() => setAdjusting(false)} />}
    </EscrowPage>
  );
}

function AdjustDialog({ onClose }: { onClose(): void }): ReactNode {
  const adjust = useAct("POST /escrow/ledger/adjustments", {
    tellsRefusal: false,
    says: "It is booked.",
    then: onClose,
  });
  return (
    <Dialog title="Book what was done outside" onClose={onClose}>
      <Form
        act="Book it"
        onSubmit={({ account, amount = "", why = "" }) =>
          adjust.mutateAsync({ body: { account: account as "pool", amount: zatoshiOf(amount), why } })
        }
      >
        <p>For a transaction of the wallet that was made past the escrow, so that ledger and wallet agree again.</p>
        <Select
          label="Where"
          name="account"
          options={[
            ["pool", "in the shielded pool"],
            ["transparent", "at the transparent address"],
          ]}
        />
        <Field
          label="Amount in ZEC"
          name="amount"
          pattern="-?[0-9]{1,8}([.][0-9]{1,8})?"
          title="ZEC, with at most eight digits behind the point; - before it takes away: -0.5"
          hint="What came in; with - before it, what went out."
          required
        />
        <Field label="Why" name="why" maxLength={1_000} hint="For whoever looks into it later." required />
      </Form>
    </Dialog>
  );
}
