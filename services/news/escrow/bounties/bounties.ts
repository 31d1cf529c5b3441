import { z } from "zod";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { forbidden, unprocessable } from "../../../../core/problem.ts";
import { make, MONEY_STAGES, type MoneyMove, type StageAndStatus } from "../money-stages.ts";
import { Zatoshi } from "../zcash/zatoshi.ts";

export const BOUNTY_STATUSES = ["open", "submitted", "paid", "refunded", "failed"] as const;
export type BountyStatus = (typeof BOUNTY_STATUSES)[number];

/** An answer to a bounty, and where its author wants to be paid. */
export const Submission = z.object({
  by: z.string(),
  payee: z.string().describe("A shielded address with a receiver in the escrow's pool."),
  evidence: z.string().describe("What answers the bounty: an address on the web, or text."),
  at: Instant,
});
export type Submission = z.output<typeof Submission>;

export const SubmissionVerdict = z.object({
  accepted: z.boolean(),
  by: z.string(),
  basis: z.enum(["creator", "crowd"]).describe("Who judged: the creator, or crowd verification."),
  note: z.string().optional(),
  at: Instant,
});
export type SubmissionVerdict = z.output<typeof SubmissionVerdict>;

/** Money promised for an answer. The escrow holds it from the deposit until it is paid out or refunded. */
export const Bounty = entity("bounties", {
  title: "bounty",
  collection: "escrow_bounties",
  fields: {
    title: z.string().trim().min(1).max(200),
    description: z.string().max(5_000).default(""),
    amount: Zatoshi,
    refundAddress: z
      .string()
      .min(1)
      .max(1_000)
      .describe("Where refunds go: a shielded address with a receiver in the escrow's pool."),
    status: z.enum(BOUNTY_STATUSES).optional().describe("Absent until the deposit is in the pool."),
    stage: z.enum(MONEY_STAGES),
    due: Zatoshi.optional().describe(
      "Send exactly this to the escrow's transparent address: the amount, a reserve for fees, and a tail " +
        "that names this bounty.",
    ),
    depositId: z.string().optional(),
    submission: Submission.optional(),
    verdict: SubmissionVerdict.optional(),
    round: z.int().describe("Counts payouts that certainly failed; each round has at most one payout."),
    payoutId: z.string().optional(),
    endedAt: Instant.optional(),
  },
  readonly: ["status", "stage", "due", "depositId", "submission", "verdict", "round", "payoutId", "endedAt"],
  immutable: ["amount", "refundAddress"],
  filter: ["status", "stage"],
  lists: [{ by: [] }],
  indexes: [{ fields: ["stage"] }, { fields: ["createdBy"] }, { fields: ["submission.by"], sparse: true }],
});
export type Bounty = Item<typeof Bounty>;

/**
 * The life cycle as a table. After `release` and `refund` the payout decides the state (see payouts.ts); `fail` means
 * that nothing was certainly sent, after which it can be released, answered or refunded again.
 */
export const BOUNTY_MOVES = {
  deposit: { stages: ["created"], stage: "funding" },
  shield: { stages: ["funding"], stage: "shielding" },
  fund: { stages: ["funding", "shielding"], stage: "funded", status: "open" },
  submit: { stages: ["funded"], statuses: ["open", "failed"], status: "submitted" },
  accept: { stages: ["funded"], statuses: ["submitted"] },
  reject: { stages: ["funded"], statuses: ["submitted"] },
  release: { stages: ["funded"], statuses: ["submitted", "failed"], stage: "release_requested" },
  refund: { stages: ["funded"], statuses: ["open", "failed", "submitted"], stage: "refunding" },
  cancel: { stages: ["created"], stage: "closed", status: "failed" },
} as const satisfies Record<string, MoneyMove<BountyStatus>>;

type Bare = Pick<Bounty, "stage" | "status" | "createdBy" | "submission" | "verdict">;

/** Adds an answer. Throws 409 unless the bounty is open, or its payout failed. */
export function submit(
  bounty: Bare,
  submission: Submission,
): StageAndStatus<BountyStatus> & { submission: Submission; verdict: null } {
  return {
    ...make<BountyStatus, keyof typeof BOUNTY_MOVES>(BOUNTY_MOVES, "submit", bounty),
    submission,
    verdict: null,
  };
}

/**
 * Accepts or rejects the submission. Only the creator judges in the creator's name, and nobody their own answer. Throws
 * 409, 403.
 */
export function judgeSubmission(
  bounty: Bare,
  verdict: SubmissionVerdict,
): StageAndStatus<BountyStatus> & { verdict: SubmissionVerdict } {
  const standing = make<BountyStatus, keyof typeof BOUNTY_MOVES>(
    BOUNTY_MOVES,
    verdict.accepted ? "accept" : "reject",
    bounty,
  );
  if (verdict.by === bounty.submission?.by) throw forbidden("Nobody judges their own submission.");
  if (verdict.basis === "creator" && verdict.by !== bounty.createdBy)
    throw forbidden("Only its creator judges a submission in their own name.");
  if (bounty.verdict?.accepted && !verdict.accepted)
    throw unprocessable("ALREADY_ACCEPTED", "This submission was accepted; an accepted submission is paid.");
  return { ...standing, verdict };
}

/** The address that a release pays. Throws 409 where it may not be released, 422 where no submission was accepted. */
export function payeeOf(bounty: Bare): string {
  make<BountyStatus, keyof typeof BOUNTY_MOVES>(BOUNTY_MOVES, "release", bounty);
  if (!bounty.submission || !bounty.verdict?.accepted) {
    throw unprocessable("NOT_ACCEPTED", "The submission was not accepted, by the creator or by crowd verification.");
  }
  return bounty.submission.payee;
}

/** Throws 409, 422 where a refund may not be ordered, as while an accepted answer waits to be paid. */
export function refuseUnlessRefundable(bounty: Bare): void {
  make<BountyStatus, keyof typeof BOUNTY_MOVES>(BOUNTY_MOVES, "refund", bounty);
  if (bounty.status === "submitted" && bounty.verdict?.accepted !== false) {
    throw unprocessable(
      bounty.verdict ? "ALREADY_ACCEPTED" : "PENDING_REVIEW",
      "A submission that is accepted, or not judged yet, stands in the way of a refund.",
    );
  }
}
