import { z } from "zod";
import type { Actor } from "../../../core/access/access.ts";
import type { Query } from "../../../core/records/documents.ts";
import { Instant } from "../../../core/records/entity.ts";
import { Simulated } from "../../../core/access/training-mode.ts";
import { Bounty, Submission } from "./bounties/bounties.ts";
import { Deposit, TAILS } from "./ledger/deposits.ts";
import { FEE_RESERVE } from "./zcash/fees.ts";
import { Payout, PAYOUT_STATES } from "./payouts/payouts.ts";
import { administers } from "./host.ts";
import { Subscription } from "./subscriptions/subscriptions.ts";
import { MOST_ZATOSHI, Zatoshi } from "./zcash/zatoshi.ts";

const Balance = z.string().describe("Whole zatoshi as text; may be zero, or negative where it says so.");
const Pair = z.object({ transparent: Balance, shielded: Balance });

/** The highest amount that can be promised: its deposit adds fees and a tail, and no deposit can exceed MAX_MONEY. */
const MOST_PROMISED = MOST_ZATOSHI - FEE_RESERVE - BigInt(TAILS);
/** An amount for which a deposit can be requested. */
export const Promised = Zatoshi.refine(
  (text) => !/^\d{1,16}$/.test(text) || BigInt(text) <= MOST_PROMISED,
  `must not exceed ${MOST_PROMISED} zatoshi`,
);

export const ReconciliationView = z
  .object({
    at: Instant,
    seq: z.int().describe("The last ledger entry it was made against."),
    wallet: Pair,
    expected: Pair.describe(
      "What the wallet should hold by the ledger, including deposits not booked yet and transactions under way.",
    ),
    drift: Pair.describe("Wallet less expected; negative where money is missing."),
    unresolved: z.array(z.string()).describe("Payouts whose outcome is not known, and so may explain a difference."),
    alert: z.string().nullable().describe("In words, where the difference has no explanation; null where all is well."),
    steady: z.boolean().describe("Whether nothing moved while it was made."),
  })
  .meta({ id: "EscrowReconciliation" });

export const StatusView = z
  .object({
    configured: z.boolean(),
    missing: z.array(z.string()).optional().describe("Missing settings, if it is not configured."),
    reachable: z.boolean().describe("Whether the wallet answers."),
    problem: z.string().optional().describe("Why it does not."),
    height: z.int().nullable().describe("Height of the wallet's chain; null while it does not answer."),
    wallet: Pair.nullable().describe("The wallet's balances; null while it does not answer."),
    ledger: z
      .object({ transparent: Balance, pool: Balance, held: Balance, paid: Balance, fees: Balance })
      .describe("By the ledger: not shielded yet, free in the pool, set aside, paid to sources, paid to miners."),
    open: z.object({
      bounties: z.int().describe("Funded and waiting for an answer."),
      submitted: z.int().describe("Answered and not paid or given back yet."),
      subscriptions: z.int().describe("In a running period, or with one due."),
      payouts: z.int().describe("Under way."),
      manualReview: z.int().describe("Waiting for a person."),
    }),
    reconciliation: ReconciliationView.nullable().describe("The last one made; null before the first."),
  })
  .meta({ id: "EscrowStatus" });

/** The answer to the order of a payout. */
export const PayoutResult = z
  .object({
    success: z.boolean().describe("False if it failed, or waits for a person."),
    operationId: z
      .string()
      .nullable()
      .describe("The wallet's operation; null until the wallet has accepted the order (`reason` says why)."),
    payoutId: z.string(),
    kind: Payout.view.shape.kind,
    state: z.enum(PAYOUT_STATES),
    amount: Zatoshi.optional(),
    txid: z.string().optional(),
    reason: z.string().optional(),
    simulated: Simulated,
  })
  .meta({ id: "EscrowPayoutResult" });

const NothingToShield = z
  .object({
    success: z.literal(true),
    operationId: z.null(),
    state: z.literal("nothing_to_shield"),
    amount: Balance.describe("What waits at the transparent address."),
    reason: z.string(),
  })
  .meta({ id: "EscrowNothingToShield" });

/** The answer to the order of a shielding: the order, or why there is none. */
export const ShieldResult = z.union([PayoutResult, NothingToShield]);

export const payoutResult = ({
  id,
  kind,
  state,
  opid,
  amount,
  txid,
  reason,
}: Payout): z.input<typeof PayoutResult> => ({
  success: state !== "failed" && state !== "manual_review",
  operationId: opid ?? null,
  payoutId: id,
  kind,
  state,
  amount,
  txid,
  reason,
});

export const nothingToShield = ({
  waiting,
  why,
}: {
  waiting: string;
  why: string;
}): z.input<typeof NothingToShield> => ({
  success: true,
  operationId: null,
  state: "nothing_to_shield",
  amount: waiting,
  reason: why,
});

/** The answer to an order of money in training: neither ledger nor wallet were used. */
export const simulatedResult = (kind: Payout["kind"]): z.input<typeof PayoutResult> => ({
  success: true,
  operationId: null,
  payoutId: "simulated",
  kind,
  state: "release_requested",
  simulated: true,
  reason: "Training: no money was ordered.",
});

export const PayoutView = z.object(Payout.view.omit({ inFlight: true }).shape).meta({ id: "EscrowPayout" });
/** Identified by transaction and output, so the id is longer than others. */
export const DepositView = z.object({ ...Deposit.view.shape, id: z.string() }).meta({ id: "EscrowDeposit" });
export const SubscriptionView = z.object(Subscription.view.shape).meta({ id: "EscrowSubscription" });

export const BountyView = z
  .object({
    ...Bounty.view.shape,
    refundAddress: z.string().optional().describe("Shown to its creator and to administrators."),
    submission: Submission.optional().describe("Shown to its author, the bounty's creator and administrators."),
  })
  .meta({ id: "EscrowBounty" });

/** Where to pay in, and the progress of the deposit. */
export const DepositInstructions = z
  .object({
    address: z.string().describe("The escrow's transparent address."),
    amount: Zatoshi.optional().describe(
      "Send exactly this: its last digits name what it is for. Absent once it has come in.",
    ),
    stage: Bounty.view.shape.stage,
    received: Zatoshi.optional().describe("What came in for it."),
    progress: z
      .string()
      .describe(
        "How far it is, in words: also that a payment came in which matches nothing, and may be this one in another amount.",
      ),
  })
  .meta({ id: "EscrowDepositInstructions" });

export const LedgerEntry = z
  .object({
    id: z.string(),
    seq: z.int(),
    at: Instant,
    kind: z.enum(["deposit", "shielding", "funding", "payment", "refund", "adjustment"]),
    lines: z.array(z.object({ account: z.string(), amount: Balance })).describe("They add up to zero."),
    txid: z.string().optional(),
    by: z.string().optional(),
    why: z.string().optional(),
    totals: z.record(z.string(), Balance).describe("Balances after it."),
    previous: z.string(),
    hash: z.string().describe("SHA-256 over the entry and the hash before it."),
  })
  .meta({ id: "EscrowLedgerEntry" });

/** Bounties that somebody may see: their own, those they answered, and all that were ever open. */
export const visibleBounties = (actor: Actor): Query =>
  administers(actor)
    ? {}
    : {
        $or: [
          { createdBy: actor.userId },
          { "submission.by": actor.userId },
          { status: { $exists: true }, depositId: { $exists: true } },
        ],
      };

export const seesBounty = (actor: Actor, { createdBy, submission, status, depositId }: Bounty): boolean =>
  administers(actor) ||
  createdBy === actor.userId ||
  submission?.by === actor.userId ||
  (status !== undefined && depositId !== undefined);

/** A bounty as this caller may see it: strangers get no addresses, deposits and answers. */
export function bountyFor(actor: Actor, bounty: Bounty): z.input<typeof BountyView> {
  if (administers(actor) || bounty.createdBy === actor.userId) return bounty;
  const {
    refundAddress: _address,
    due: _due,
    depositId: _deposit,
    payoutId: _payout,
    submission,
    verdict,
    ...open
  } = bounty;
  return submission?.by === actor.userId ? { ...open, submission, verdict } : open;
}
