import type { Rows } from "../requests.ts";

/**
 * The escrow answers NOT_CONFIGURED without a wallet: what holds for each POST is shown with one, in
 * test/news/escrow-repetition.
 */
const ESCROW = [
  "shield",
  "reconcile",
  "ledger/adjustments",
  "payouts/:id/resolve",
  "deposits/:id/attribute",
  "bounty/:id/release",
  ...["", "/:id/fund", "/:id/submit", "/:id/accept", "/:id/reject", "/:id/refund", "/:id/cancel"].map(
    (tail) => `bounties${tail}`,
  ),
  ...["", "/:id/cancel", "/:id/release", "/:id/refund"].map((tail) => `subscriptions${tail}`),
];

export const requests: Rows["requests"] = {};

export const notRepeated: Rows["notRepeated"] = Object.fromEntries(
  ESCROW.map((path) => [`POST /api/escrow/${path}`, "needs a wallet: test/news/escrow-repetition"]),
);
