import type { ListRow } from "../../api/client.ts";

export type Bounty = ListRow<"GET /escrow/bounties">;
export type Subscription = ListRow<"GET /escrow/subscriptions">;
type Tone = "good" | "bad" | "warn" | "info" | "plain";
export type Standing = readonly [tone: Tone, words: string];

/** Where the money is, where that says more than the state. */
const ON_ITS_WAY: Partial<Record<Bounty["stage"], Standing>> = {
  created: ["warn", "waits for its deposit"],
  funding: ["info", "its deposit has come in"],
  shielding: ["info", "its deposit is being shielded"],
  release_requested: ["info", "is being paid out"],
  submitted: ["info", "is being paid out"],
  mined: ["info", "is being paid out"],
  confirmed: ["info", "is being paid out"],
  refunding: ["info", "is being given back"],
  manual_review: ["warn", "a person looks into its payment"],
};

/** How a bounty stands, for people. */
export function bountyStanding({ stage, status, verdict, depositId }: Bounty): Standing {
  if (ON_ITS_WAY[stage]) return ON_ITS_WAY[stage];
  if (status === "open") return ["info", "open: waits for an answer"];
  if (status === "submitted") return verdict?.accepted ? ["good", "accepted: to be paid out"] : ["warn", "answered"];
  if (status === "paid") return ["good", "paid"];
  if (status === "refunded") return ["plain", "given back"];
  return stage === "closed" && !depositId ? ["plain", "withdrawn"] : ["bad", "its payment failed"];
}

/** How a subscription stands, for people. */
export function subscriptionStanding({ stage, status, cancelAtEnd, period }: Subscription): Standing {
  if (status === "cancelled") return ["plain", "ended"];
  if (stage === "created") return ["warn", period > 1 ? "waits for the next month's deposit" : "waits for its deposit"];
  if (ON_ITS_WAY[stage]) return ON_ITS_WAY[stage];
  if (status === "due") return ["bad", "the payment of this month failed"];
  return cancelAtEnd ? ["plain", "runs to the end of its month"] : ["good", "runs"];
}

/** Nothing tells of what becomes of money: it is looked at again, often while it moves. */
const LOOK_MS = 5_000;
export const LIST_MS = 10_000;
export function lookAgain(answer: { data: { stage: Bounty["stage"] } } | undefined): number | false {
  const stage = answer?.data.stage;
  if (!stage || stage === "closed") return false;
  return stage === "funded" ? LIST_MS : LOOK_MS;
}
