import type { Bounty } from "../bounties/bounties.ts";
import type { Payout } from "./payouts.ts";
import type { MoneyStage } from "../money-stages.ts";
import type { Subscription } from "../subscriptions/subscriptions.ts";

type Change<T> = { [K in Exclude<keyof T, "id" | "rev">]?: T[K] | null } | null;

function stageOf({ state, kind }: Payout): MoneyStage {
  if (state === "manual_review") return "manual_review";
  if (kind === "refund" && state !== "closed") return "refunding";
  return state === "sending" || state === "failed" ? "release_requested" : state;
}

/** The bounty after a payout's new state; null where nothing changes, or the round is over. */
export function bountyAfter(bounty: Bounty, payout: Payout, now: string): Change<Bounty> {
  if (bounty.round !== payout.round || bounty.stage === "closed") return null;
  if (payout.state === "failed") return { stage: "funded", status: "failed", round: payout.round + 1, payoutId: null };
  if (payout.state === "closed")
    return {
      stage: "closed",
      status: payout.kind === "refund" ? "refunded" : "paid",
      payoutId: payout.id,
      endedAt: now,
    };
  const stage = stageOf(payout);
  return stage === bounty.stage && bounty.payoutId === payout.id ? null : { stage, payoutId: payout.id };
}

/**
 * The subscription after a payout's new state. A paid period is followed by the next, which waits for its deposit, or
 * by the end.
 */
export function subscriptionAfter(
  subscription: Subscription,
  payout: Payout,
  now: string,
  lapsesAt: string,
): Change<Subscription> {
  if (subscription.round !== payout.round || subscription.stage === "closed") return null;
  if (payout.state === "failed") return { stage: "funded", status: "due", round: payout.round + 1, payoutId: null };
  if (payout.state === "closed") {
    if (payout.kind === "refund" || subscription.cancelAtEnd)
      return { stage: "closed", status: "cancelled", payoutId: payout.id, endedAt: now };
    const cleared = { depositId: null, due: null };
    return {
      stage: "created",
      status: "renewed",
      period: subscription.period + 1,
      round: payout.round + 1,
      payoutId: payout.id,
      lapsesAt,
      ...cleared,
    };
  }
  const stage = stageOf(payout);
  return stage === subscription.stage && subscription.payoutId === payout.id
    ? null
    : { stage, status: "due", payoutId: payout.id };
}
