import { iso } from "../../../../core/clock.ts";
import {
  BOUNTY_MOVES,
  judgeSubmission,
  payeeOf,
  refuseUnlessRefundable,
  submit,
  type Bounty,
  type BountyStatus,
} from "./bounties.ts";
import { Commitments } from "../commitments.ts";
import { ESCROW } from "../context.ts";
import { payableOrRefused } from "../zcash/payable.ts";
import type { Payout } from "../payouts/payouts.ts";
import { make } from "../money-stages.ts";
import type { Zatoshi } from "../zcash/zatoshi.ts";

export interface BountyDraft {
  title: string;
  description?: string;
  amount: Zatoshi;
  refundAddress: string;
}

const ROUND_AT_ONCE = 50;

/**
 * Operations on bounties. The caller checks who may do them; the states in which they are possible are checked here.
 */
export class BountyDesk extends Commitments<typeof Bounty> {
  /** Promises a bounty; it opens after exactly `due` has arrived in the pool. A repeated id answers the earlier one. */
  create(draft: BountyDraft, by: string, id = this.desk.newId()): Promise<Bounty> {
    return this.promise(id, { ...draft }, ["refundAddress"], by);
  }

  /** Withdraws a bounty without a deposit. Throws 409 otherwise. */
  async cancel(id: string): Promise<Bounty> {
    const bounty = await this.get(id);
    return this.end(bounty, make<BountyStatus, keyof typeof BOUNTY_MOVES>(BOUNTY_MOVES, "cancel", bounty));
  }

  /** Answers a bounty. Throws 409 unless it is open, 422 for an address that cannot be paid. */
  async submit(id: string, { payee, evidence }: { payee: string; evidence: string }, by: string): Promise<Bounty> {
    await payableOrRefused(payee, "payee", this.desk);
    const bounty = await this.get(id);
    return this.store.revise(ESCROW, bounty, submit(bounty, { by, payee, evidence, at: iso(this.desk.clock.now()) }));
  }

  /** Accepts the submission: it may then be released. Throws 409, 403, 422. */
  accept(id: string, given: { basis: "creator" | "crowd"; note?: string }, by: string): Promise<Bounty> {
    return this.#judge(id, { ...given, accepted: true }, by);
  }

  /** Rejects the submission: the money goes back to the creator. Throws 409, 403, 422. */
  async reject(id: string, given: { basis: "creator" | "crowd"; note?: string }, by: string): Promise<Bounty> {
    await this.#judge(id, { ...given, accepted: false }, by);
    await this.refund(id, by);
    return this.get(id);
  }

  async #judge(
    id: string,
    given: { accepted: boolean; basis: "creator" | "crowd"; note?: string },
    by: string,
  ): Promise<Bounty> {
    const bounty = await this.get(id);
    return this.store.revise(ESCROW, bounty, judgeSubmission(bounty, { ...given, by, at: iso(this.desk.clock.now()) }));
  }

  /** Orders the payout of an accepted submission; a repeated order answers the same payout. Throws 409, 422. */
  release(id: string, by: string): Promise<Payout> {
    return this.order(id, "release", by, async (bounty) => {
      const to = payeeOf(bounty);
      await payableOrRefused(to, "payee", this.desk);
      return to;
    });
  }

  /** Orders a refund; a repeated order answers the same payout. Throws 409, 422. */
  refund(id: string, by: string): Promise<Payout> {
    return this.order(id, "refund", by, (bounty) => {
      refuseUnlessRefundable(bounty);
      return bounty.refundAddress;
    });
  }

  /** Orders refunds that a kill prevented after a rejection. */
  async run(): Promise<void> {
    const rejection = { stage: "funded", status: "submitted", "verdict.accepted": false };
    const rejected = await this.store.find(ESCROW, rejection, { limit: ROUND_AT_ONCE });
    for (const { id } of rejected) await this.refund(id, "escrow");
  }
}
