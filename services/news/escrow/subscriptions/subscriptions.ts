import { z } from "zod";
import { entity, Instant, NumberId, type Item } from "../../../../core/records/entity.ts";
import { make, MONEY_STAGES, type MoneyMove, type MoneyStage, type StageAndStatus } from "../money-stages.ts";
import { Zatoshi } from "../zcash/zatoshi.ts";

export const SUBSCRIPTION_STATUSES = ["active", "due", "renewed", "cancelled"] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/**
 * A monthly fee for a source: paid in, shielded, held for the month, paid out at its end, then renewed or cancelled.
 */
export const Subscription = entity("subscriptions", {
  title: "subscription",
  collection: "escrow_subscriptions",
  fields: {
    sourceId: NumberId.optional().describe("The news source that is paid."),
    payee: z
      .string()
      .min(1)
      .max(1_000)
      .describe("Where the source is paid: a shielded address with a receiver in the escrow's pool."),
    amount: Zatoshi.describe("The fee of one month, in zatoshi."),
    refundAddress: z.string().min(1).max(1_000),
    status: z
      .enum(SUBSCRIPTION_STATUSES)
      .optional()
      .describe("Absent until the first month's deposit is in the pool. `renewed`: a new month waits for its deposit."),
    stage: z.enum(MONEY_STAGES),
    period: z.int().min(1),
    from: Instant.optional().describe("Start of the running period."),
    to: Instant.optional().describe("Its end, when the source is paid."),
    anchorDay: z
      .int()
      .min(1)
      .max(31)
      .optional()
      .describe("Day of the month on which it began; months too short for it end on their last day."),
    cancelAtEnd: z.boolean(),
    due: Zatoshi.optional().describe("Send exactly this to the escrow's transparent address for the coming period."),
    depositId: z.string().optional(),
    round: z.int(),
    payoutId: z.string().optional(),
    lapsesAt: Instant.optional().describe("A renewed subscription that has no deposit by then is cancelled."),
    endedAt: Instant.optional(),
  },
  readonly: [
    "status",
    "stage",
    "period",
    "from",
    "to",
    "anchorDay",
    "cancelAtEnd",
    "due",
    "depositId",
    "round",
    "payoutId",
    "lapsesAt",
    "endedAt",
  ],
  immutable: ["sourceId", "payee", "amount", "refundAddress"],
  filter: ["status", "stage", "sourceId"],
  lists: [{ by: [] }, { by: ["createdBy"], filter: ["status", "stage"], few: ["sourceId"] }],
  indexes: [
    { fields: ["status", "to"] },
    { fields: ["lapsesAt"], sparse: true },
    { fields: ["stage"] },
    { fields: ["createdBy"] },
    { fields: ["sourceId"], sparse: true },
  ],
});
export type Subscription = Item<typeof Subscription>;

const IN_FLIGHT: readonly MoneyStage[] = ["release_requested", "submitted", "mined", "confirmed", "manual_review"];

/** The life cycle as a table; from `fallDue` until its end, the payout decides the stage. */
export const SUBSCRIPTION_MOVES = {
  deposit: { stages: ["created"], stage: "funding" },
  shield: { stages: ["funding"], stage: "shielding" },
  fund: { stages: ["funding", "shielding"], stage: "funded", status: "active" },
  fallDue: { stages: ["funded"], statuses: ["active", "due"], stage: "release_requested", status: "due" },
  /** After a permanently failed payout: the subscriber gets the month back, and the subscription ends. */
  refund: { stages: ["funded"], statuses: ["due"], stage: "refunding" },
  renew: { stages: IN_FLIGHT, statuses: ["due"], stage: "created", status: "renewed" },
  end: { stages: [...IN_FLIGHT, "refunding"], statuses: ["due"], stage: "closed", status: "cancelled" },
  /** Possible at once while nothing was paid in for the coming period. */
  drop: { stages: ["created"], statuses: ["none", "renewed"], stage: "closed", status: "cancelled" },
  /** The running period is still served and paid; it does not renew. */
  cancel: { stages: ["funding", "shielding", "funded", ...IN_FLIGHT, "refunding"] },
} as const satisfies Record<string, MoneyMove<SubscriptionStatus>>;

type Bare = Pick<Subscription, "stage" | "status">;

/** The state after a move. Throws 409 INVALID_TRANSITION. */
export const move = (name: keyof typeof SUBSCRIPTION_MOVES, subscription: Bare): StageAndStatus<SubscriptionStatus> =>
  make<SubscriptionStatus, keyof typeof SUBSCRIPTION_MOVES>(SUBSCRIPTION_MOVES, name, subscription);

/** One calendar month (UTC) later, on the anchor day or the month's last day. */
export function aMonthLater(from: string, anchorDay: number): string {
  const start = new Date(from);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 2, 0)).getUTCDate();
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + 1, Math.min(anchorDay, lastDay));
  return end.toISOString();
}

/** The period that a deposit starts: the first when its money is in the pool, every other at the end of the last. */
export function nextPeriod(
  { to, anchorDay }: Pick<Subscription, "to" | "anchorDay">,
  now: string,
): Required<Pick<Subscription, "from" | "to" | "anchorDay">> {
  const from = to ?? now;
  const day = anchorDay ?? new Date(from).getUTCDate();
  return { from, to: aMonthLater(from, day), anchorDay: day };
}

/** Whether the running period must be paid to the source. After a failed payout people decide, not the calendar. */
export const isDue = ({ stage, status, to }: Pick<Subscription, "stage" | "status" | "to">, now: string): boolean =>
  stage === "funded" && status === "active" && to !== undefined && to <= now;
