import { iso } from "../../../../core/clock.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { isOvertaken, nullIf } from "../../../../core/problem.ts";
import { Commitments } from "../commitments.ts";
import { ESCROW } from "../context.ts";
import type { Payout } from "../payouts/payouts.ts";
import { can } from "../money-stages.ts";
import { isDue, move, SUBSCRIPTION_MOVES, type Subscription } from "./subscriptions.ts";
import type { Zatoshi } from "../zcash/zatoshi.ts";

export interface SubscriptionDraft {
  sourceId?: number;
  payee: string;
  amount: Zatoshi;
  refundAddress: string;
}

const ROUND_AT_ONCE = 100;

/** What may be asked about subscriptions, and what the calendar does to them. */
export class SubscriptionDesk extends Commitments<typeof Subscription> {
  /**
   * Begins a subscription; its first month starts once exactly `due` has come in and is in the pool. A repeated id
   * answers the one made before.
   */
  create(draft: SubscriptionDraft, by: string, id = this.desk.newId()): Promise<Subscription> {
    return this.promise(id, { ...draft, period: 1, cancelAtEnd: false }, ["payee", "refundAddress"], by);
  }

  /**
   * Ends it: at once while nothing is paid in for the coming month, else with the running one, which is still paid.
   * Throws 409 when it has ended.
   */
  async cancel(id: string): Promise<Subscription> {
    const subscription = await this.get(id);
    if (can(SUBSCRIPTION_MOVES, "drop", subscription)) return this.#drop(subscription);
    move("cancel", subscription);
    return this.store.revise(ESCROW, subscription, { cancelAtEnd: true });
  }

  #drop(subscription: Subscription): Promise<Subscription> {
    return this.end(subscription, { ...move("drop", subscription), lapsesAt: null });
  }

  /**
   * Orders the pay-out of the running period: by the calendar when it has ended, by a person after a payout that
   * failed. Throws 409.
   */
  release(id: string, by: string): Promise<Payout> {
    return this.order(id, "release", by, (subscription) => {
      move("fallDue", subscription);
      return subscription.payee;
    });
  }

  /** After a payout that failed for good: the month goes back to the subscriber. Throws 409. */
  refund(id: string, by: string): Promise<Payout> {
    return this.order(id, "refund", by, (subscription) => {
      move("refund", subscription);
      return subscription.refundAddress;
    });
  }

  /** Reserves the amount for the coming period where a renewed subscription has none yet. */
  async ask(id: string): Promise<void> {
    const { stage, due: asked, amount } = await this.get(id);
    if (stage !== "created" || asked) return;
    const due = await this.reserve(id, amount);
    const taken = await this.store.amend(ESCROW, id, (now) => (now.stage === "created" && !now.due ? { due } : null));
    if (!taken) await this.funding.release(due);
  }

  /**
   * What the calendar asks for: periods that ended are paid, renewals without a deposit lapse, renewed ones get their
   * amount.
   */
  async run(): Promise<void> {
    const now = iso(this.desk.clock.now());
    const find = (query: Query, sort?: string[]) => this.store.find(ESCROW, query, { sort, limit: ROUND_AT_ONCE });
    for (const one of await find({ status: "active", to: { $lte: now } }, ["to"])) {
      if (isDue(one, now)) await this.release(one.id, "escrow");
    }
    for (const one of await find({ lapsesAt: { $lte: now }, stage: "created" }, ["lapsesAt"])) {
      await this.#drop(one).catch(nullIf(isOvertaken));
    }
    for (const { id } of await find({ stage: "created", due: null })) await this.ask(id);
  }
}
