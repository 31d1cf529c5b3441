import { useState, type ReactNode } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay, useWho } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { zatoshiOf, zecWords } from "./amounts.ts";
import { AddressField, AmountField } from "./fields.tsx";
import { EscrowPage } from "./frame.tsx";
import { bountyStanding, type Bounty } from "./state-words.ts";

const STATES = [
  ["", "any"],
  ["open", "open"],
  ["submitted", "answered"],
  ["paid", "paid"],
  ["refunded", "given back"],
  ["failed", "failed or withdrawn"],
] as const;

const COLUMNS: readonly Column<Bounty>[] = [
  { head: "Bounty", cell: (bounty) => <Titled {...bounty} /> },
  { head: "Amount", cell: ({ amount }) => zecWords(amount), isFigure: true },
  { head: "State", cell: (bounty) => <BountyState of={bounty} /> },
  { head: "Promised", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function Titled({ id, title, createdBy }: Bounty): ReactNode {
  const isMine = useWho().userId === createdBy;
  return (
    <>
      <Link to={`/news/escrow/bounties/${id}`}>{title}</Link> {isMine && <Badge tone="info">yours</Badge>}
    </>
  );
}

export function BountyState({ of: bounty }: { of: Bounty }): ReactNode {
  const [tone, words] = bountyStanding(bounty);
  return <Badge tone={tone}>{words}</Badge>;
}

/** Money promised for answers: one's own, and those of others once their money is there. */
export function Bounties(): ReactNode {
  const [isPromising, setPromising] = useState(false);
  const [search, setSearch] = useSearchParams();
  const status = search.get("status");
  const mayTakePart = useMay("escrow:participate");
  const bounties = useAnswer(
    "GET /escrow/bounties",
    [{ query: { page: usePage(), sort: "-createdAt", ...(status && { status: status as "open" }) } }],
    { keepsShown: true },
  );
  return (
    <EscrowPage
      title="Bounties"
      intro="Money that somebody promises for an answer. The escrow holds it, and pays whoever gave the answer, privately."
      acts={
        mayTakePart && (
          <button type="button" className="primary" onClick={() => setPromising(true)}>
            Promise a bounty
          </button>
        )
      }
    >
      <Form act="Show" isInline label="Filter the bounties" onSubmit={(fields) => setSearch(fields)}>
        <Select label="State" name="status" defaultValue={status ?? ""} options={STATES} />
      </Form>
      <Shown of={bounties}>
        {({ data, meta }) => (
          <>
            <Table
              label="Bounties"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={
                status
                  ? "No bounty is in this state."
                  : "There is none that you may see. Those of others come here once their money is there."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {isPromising && <PromiseDialog onClose={() => setPromising(false)} />}
    </EscrowPage>
  );
}

function PromiseDialog({ onClose }: { onClose(): void }): ReactNode {
  const navigate = useNavigate();
  const promise = useAct("POST /escrow/bounties", {
    tellsRefusal: false,
    then: ({ data: { id } }) => void navigate(`/news/escrow/bounties/${id}`),
  });
  return (
    <Dialog title="Promise a bounty" onClose={onClose}>
      <Form
        act="Promise it"
        onSubmit={({ title = "", description, amount = "", refundAddress = "" }) =>
          promise.mutateAsync({
            body: { title, amount: zatoshiOf(amount), refundAddress, ...(description && { description }) },
          })
        }
      >
        <Field label="What is asked" name="title" maxLength={200} required />
        <TextField
          label="In full"
          name="description"
          maxLength={5_000}
          hint="What an answer must show for you to accept it. Everybody reads it."
        />
        <AmountField label="Amount in ZEC" />
        <AddressField
          label="Your shielded address"
          name="refundAddress"
          hint="Where the money goes back to, if no answer is accepted. Only you and administrators see it."
        />
        <p className="muted">Nothing is due yet: the next page says where to pay it in, and how much.</p>
      </Form>
    </Dialog>
  );
}
