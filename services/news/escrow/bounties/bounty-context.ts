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

/** What may be asked about bounties. Who may ask is the caller's to check; what is possible when, is checked here. */
export class BountyDesk extends Commitments<typeof Bounty> {
  /**
   * Promises a bounty; it is open once exactly `due` has come in and is in the pool. A repeated id answers the one made
   * before.
   */
  create(draft: BountyDraft, by: string, id = this.desk.newId()): Promise<Bounty> {
    return this.promise(id, { ...draft }, ["refundAddress"], by);
  }

  /** Withdraws a bounty that nothing was paid in for. Throws 409 otherwise. */
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

  /** The submission is good: it may be released. Throws 409, 403, 422. */
  accept(id: string, given: { basis: "creator" | "crowd"; note?: string }, by: string): Promise<Bounty> {
    return this.#judge(id, { ...given, accepted: true }, by);
  }

  /** The submission is not good: the money goes back to the creator. Throws 409, 403, 422. */
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

  /** Orders the pay-out of an accepted submission; ordering it again answers the same payout. Throws 409, 422. */
  release(id: string, by: string): Promise<Payout> {
    return this.order(id, "release", by, async (bounty) => {
      const to = payeeOf(bounty);
      await payableOrRefused(to, "payee", this.desk);
      return to;
    });
  }

  /** Orders that the money goes back; ordering it again answers the same payout. Throws 409, 422. */
  refund(id: string, by: string): Promise<Payout> {
    return this.order(id, "refund", by, (bounty) => {
      refuseUnlessRefundable(bounty);
      return bounty.refundAddress;
    });
  }

  /** Finishes what a kill left between a rejection and the order to refund. */
  async run(): Promise<void> {
    const rejection = { stage: "funded", status: "submitted", "verdict.accepted": false };
    const rejected = await this.store.find(ESCROW, rejection, { limit: ROUND_AT_ONCE });
    for (const { id } of rejected) await this.refund(id, "escrow");
  }
}
