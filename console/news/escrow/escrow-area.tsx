import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../../app/shell.tsx";
import { Bounties } from "./bounties.tsx";
import { BountyPage } from "./bounty.tsx";
import { Books } from "./books/books.tsx";
import { Deposits } from "./books/deposits.tsx";
import { Ledger } from "./books/ledger.tsx";
import { Payouts } from "./books/payouts.tsx";
import { SubscriptionPage } from "./subscription.tsx";
import { Subscriptions } from "./subscriptions.tsx";

/** Addresses below /news/escrow. */
export default function EscrowArea(): ReactNode {
  return (
    <Routes>
      <Route index element={<Bounties />} />
      <Route path="bounties/:id" element={<BountyPage />} />
      <Route path="subscriptions" element={<Subscriptions />} />
      <Route path="subscriptions/:id" element={<SubscriptionPage />} />
      <Route path="books" element={<Books />} />
      <Route path="payouts" element={<Payouts />} />
      <Route path="deposits" element={<Deposits />} />
      <Route path="ledger" element={<Ledger />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
