import type { ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Empty, Page, Shown } from "../../parts/page.tsx";
import { Tabs, type Tab } from "../../parts/tabs.tsx";
import "./escrow.css";

const TABS: readonly Tab[] = [
  { to: "/news/escrow", words: "Bounties" },
  { to: "/news/escrow/subscriptions", words: "Subscriptions" },
];
const BOOKS: readonly Tab[] = [
  { to: "/news/escrow/books", words: "Books" },
  { to: "/news/escrow/payouts", words: "Payouts" },
  { to: "/news/escrow/deposits", words: "Deposits" },
  { to: "/news/escrow/ledger", words: "Ledger" },
];

interface EscrowPageProps {
  title: string;
  intro: ReactNode;
  acts?: ReactNode;
  /** Only for those who administer the escrow. */
  isBooks?: boolean;
  children: ReactNode;
}

/** A page of the escrow, beside the others that this person may open; without a wallet, why there is nothing to do. */
export function EscrowPage({ title, intro, acts, isBooks = false, children }: EscrowPageProps): ReactNode {
  const status = useAnswer("GET /escrow/status");
  const administers = useMay("escrow:administer");
  const isOn = status.data?.data.configured;
  return (
    <Page title={title} intro={intro} acts={isOn && acts}>
      <Tabs label="Escrow" of={administers ? [...TABS, ...BOOKS] : TABS} />
      <Shown of={status} what="Asking the wallet">
        {({ data: { configured, missing = [], reachable, problem } }) => (
          <>
            {!configured && <NoWallet missing={missing} />}
            {configured && !reachable && (
              <p className="failure" role="status">
                {problem} What is written here comes from the ledger; nothing is paid until the wallet answers.
              </p>
            )}
            {isBooks && !administers ? <Empty>Administrators see the books of the escrow.</Empty> : children}
          </>
        )}
      </Shown>
    </Page>
  );
}

function NoWallet({ missing }: { missing: readonly string[] }): ReactNode {
  const administers = useMay("escrow:administer");
  return (
    <section className="card" aria-label="The escrow is off">
      <p>
        <strong>The escrow is off: this platform has no wallet.</strong> Nobody can promise money here, or be paid.
      </p>
      <p className="muted">
        {administers
          ? `Where the platform is started, set ${missing.join(", ")}; then start it again.`
          : "Whoever runs the platform connects one."}
      </p>
    </section>
  );
}
