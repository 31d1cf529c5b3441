import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { zecWords } from "../amounts.ts";
import { EscrowPage } from "../frame.tsx";
import { LIST_MS } from "../state-words.ts";

type Status = Data<"GET /escrow/status">;

/** What the escrow holds by its ledger and by the wallet, and whether the two agree. */
export function Books(): ReactNode {
  const status = useAnswer("GET /escrow/status", [], { every: LIST_MS });
  return (
    <EscrowPage
      title="Books"
      intro="What the escrow holds and owes, by its own ledger and by its wallet."
      acts={<Shield />}
      isBooks
    >
      <Shown of={status}>
        {({ data }) => (
          <div className="beside">
            <div className="stack">
              <Balances status={data} />
              <UnderWay status={data} />
            </div>
            <Comparison status={data} />
          </div>
        )}
      </Shown>
    </EscrowPage>
  );
}

function Shield(): ReactNode {
  const shield = useAct("POST /escrow/shield", {
    says: ({ data }) => data.reason ?? "What came in is being moved into the shielded pool.",
  });
  return (
    <button type="button" disabled={shield.isPending} onClick={() => shield.mutate({})}>
      Shield what came in
    </button>
  );
}

const Amount = ({ words, of: amount }: { words: string; of: string }): ReactNode => (
  <>
    <dt>{words}</dt>
    <dd>{zecWords(amount)}</dd>
  </>
);

const Balances = ({ status: { ledger, wallet, height } }: { status: Status }): ReactNode => (
  <Section title="Balances">
    <h3>By the ledger</h3>
    <dl>
      <Amount words="Not shielded yet" of={ledger.transparent} />
      <Amount words="Free in the pool" of={ledger.pool} />
      <Amount words="Set aside" of={ledger.held} />
      <Amount words="Paid to sources" of={ledger.paid} />
      <Amount words="Paid to miners" of={ledger.fees} />
    </dl>
    {wallet && (
      <>
        <h3>By the wallet</h3>
        <dl>
          <Amount words="Transparent" of={wallet.transparent} />
          <Amount words="Shielded" of={wallet.shielded} />
          <dt>Height of its chain</dt>
          <dd>{height?.toLocaleString("en")}</dd>
        </dl>
      </>
    )}
  </Section>
);

const UnderWay = ({ status: { open } }: { status: Status }): ReactNode => (
  <Section title="Under way">
    <ul className="list">
      <li>{many(open.bounties, "bounty", "bounties")} open</li>
      <li>{many(open.submitted, "bounty", "bounties")} answered</li>
      <li>{many(open.subscriptions, "subscription")} running</li>
      <li>
        <Link to="/news/escrow/payouts">{many(open.payouts, "payout")}</Link> under way
      </li>
      {open.manualReview > 0 && (
        <li>
          <Badge tone="warn">{many(open.manualReview, "payout")}</Badge>{" "}
          <Link to="/news/escrow/payouts?state=manual_review">wait for a person</Link>
        </li>
      )}
    </ul>
  </Section>
);

function Comparison({ status: { configured, reconciliation } }: { status: Status }): ReactNode {
  const compare = useAct("POST /escrow/reconcile", {
    says: ({ data: { alert } }) => alert ?? "Ledger and wallet agree.",
  });
  return (
    <Section
      title="Do they agree?"
      acts={
        configured && (
          <button type="button" disabled={compare.isPending} onClick={() => compare.mutate({})}>
            Compare now
          </button>
        )
      }
    >
      {reconciliation ? (
        <Compared {...reconciliation} />
      ) : (
        <Empty>They were not compared yet. It happens by itself every hour.</Empty>
      )}
    </Section>
  );
}

const Compared = ({ at, alert, drift, unresolved, steady }: NonNullable<Status["reconciliation"]>): ReactNode => (
  <>
    <p>
      <Badge tone={alert ? "bad" : "good"}>{alert ? "they differ" : "they agree"}</Badge> {alert}
    </p>
    <dl>
      <dt>Compared</dt>
      <dd>
        <Time at={at} />
        {!steady && ", while money moved"}
      </dd>
      <Amount words="Transparent, wallet less ledger" of={drift.transparent} />
      <Amount words="Shielded, wallet less ledger" of={drift.shielded} />
    </dl>
    {unresolved.length > 0 && (
      <p>
        {many(unresolved.length, "payout")} whose outcome is not known may explain it:{" "}
        <Link to="/news/escrow/payouts?state=manual_review">see those that wait for a person</Link>.
      </p>
    )}
  </>
);

/** A record that an amount belongs to, named as the API names it: `bounty:<id>`, `subscription:<id>` or `shield`. */
export function Subject({ of: subject }: { of: string }): ReactNode {
  const [noun, id] = subject.split(":");
  if (noun === "bounty") return <Link to={`/news/escrow/bounties/${id}`}>a bounty</Link>;
  if (noun === "subscription") return <Link to={`/news/escrow/subscriptions/${id}`}>a subscription</Link>;
  return "the shielded pool";
}
