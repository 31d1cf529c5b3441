import { z } from "zod";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { Zatoshi } from "../zcash/zatoshi.ts";

/**
 * `release_requested` is an intent without any action yet. `sending` is written before the wallet is called and stays
 * if its answer is lost: from then on money may be moving. `submitted` has an operation or a transaction, `mined` is in
 * a block, `confirmed` is deep enough, `closed` is booked. `failed` certainly sent nothing. `manual_review` waits for a
 * person.
 */
export const PAYOUT_STATES = [
  "release_requested",
  "sending",
  "submitted",
  "mined",
  "confirmed",
  "closed",
  "failed",
  "manual_review",
] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];
const PAYOUT_KINDS = ["release", "refund", "shield", "shield-coinbase"] as const;
export type PayoutKind = (typeof PAYOUT_KINDS)[number];

/** One transfer by the escrow: the intent, written before anything is sent, and all that was learned about it since. */
export const Payout = entity("payouts", {
  title: "payout",
  collection: "escrow_payouts",
  fields: {
    kind: z.enum(PAYOUT_KINDS),
    subject: z.string().describe("`bounty:<id>`, `subscription:<id>` or `shield`."),
    /** Present while it is under way: its unique index allows a subject one payout at a time. */
    inFlight: z.string().optional(),
    round: z.int().describe("The payout's id is derived from subject and round: ordering twice finds the first order."),
    to: z.string(),
    amount: Zatoshi.optional().describe("Absent for coinbase, which the wallet counts itself."),
    /** Fixed for shielding, where no change may remain; otherwise chosen by the wallet and known afterwards. */
    fee: z.string().optional(),
    /** Outputs (`<txid>:<n>`) that a shielding consumes. */
    inputs: z.array(z.string()).optional(),
    state: z.enum(PAYOUT_STATES),
    attempts: z.int().describe("How often the wallet was asked to send; all attempts but the last certainly failed."),
    /** Attempts repeated after a lost answer. */
    resends: z.int(),
    refusals: z.int().describe("Times the wallet said no."),
    checks: z.int().describe("Inconclusive checks of the wallet since the last conclusive one."),
    sendBy: Instant.optional().describe(
      "Until when the last call may have been made; absent if it certainly had no effect.",
    ),
    opid: z.string().optional(),
    txid: z.string().optional(),
    /** Chain height when the wallet was first seen not to know it, or not any more. */
    absentAt: z.int().optional(),
    expiredAt: z.int().optional(),
    /** Transactions that expired unmined. */
    abandoned: z.array(z.string()).optional(),
    confirmations: z.int().optional(),
    nextAt: Instant.optional().describe("When it is looked at again; absent once it rests and its subject was told."),
    reason: z.string().optional(),
    resolution: z.object({ by: z.string(), why: z.string(), at: Instant, txid: z.string().optional() }).optional(),
  },
  filter: ["state", "subject", "kind"],
  lists: [{ by: [], sort: ["-createdAt"] }],
  indexes: [
    { fields: ["inFlight"], unique: true, sparse: true },
    { fields: ["nextAt"], sparse: true },
    { fields: ["state"] },
    { fields: ["subject"] },
  ],
});
export type Payout = Item<typeof Payout>;

/** Times in milliseconds, depths in blocks. */
export interface Policy {
  /** Blocks (its own included) until a payout is final. */
  confirmations: number;
  /** The writer of an intent sends it only within this time: protects against a process that slept. */
  sendWindowMs: number;
  /**
   * How long after the send window a request may still lie unread in the wallet's queue. Must exceed the client's
   * time-out.
   */
  settleMs: number;
  /** Inconclusive checks before a person is asked. */
  maxChecks: number;
  maxResends: number;
  maxRefusals: number;
  /**
   * Blocks after which an unmined transaction can never be mined: zcashd's -txexpirydelta (40), and some for a lagging
   * wallet.
   */
  expiryBlocks: number;
  /** Blocks after which no node follows a reorganisation (zcashd's MAX_REORG_LENGTH is 99). */
  reorgBlocks: number;
  firstDelayMs: number;
  longestDelayMs: number;
}

export const POLICY: Policy = {
  confirmations: 3,
  sendWindowMs: 15_000,
  settleMs: 180_000,
  maxChecks: 60,
  maxResends: 2,
  maxRefusals: 200,
  expiryBlocks: 50,
  reorgBlocks: 100,
  firstDelayMs: 2_000,
  longestDelayMs: 300_000,
};
