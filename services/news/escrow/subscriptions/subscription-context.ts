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

/** Operations on subscriptions, and what is due for them by the calendar. */
export class SubscriptionDesk extends Commitments<typeof Subscription> {
  /**
   * Begins a subscription; its first month starts after exactly `due` has arrived in the pool. A repeated id answers
   * the earlier one.
   */
  create(draft: SubscriptionDraft, by: string, id = this.desk.newId()): Promise<Subscription> {
    return this.promise(id, { ...draft, period: 1, cancelAtEnd: false }, ["payee", "refundAddress"], by);
  }

  /**
   * Ends it: at once if nothing is paid in for the coming month, otherwise with the running month, which is still paid.
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
   * Orders the payout of the running period: by the calendar at its end, by a person after a failed payout. Throws 409.
   */
  release(id: string, by: string): Promise<Payout> {
    return this.order(id, "release", by, (subscription) => {
      move("fallDue", subscription);
      return subscription.payee;
    });
  }

  /** Refunds the month to the subscriber after a permanently failed payout. Throws 409. */
  refund(id: string, by: string): Promise<Payout> {
    return this.order(id, "refund", by, (subscription) => {
      move("refund", subscription);
      return subscription.refundAddress;
    });
  }

  /** Reserves the amount of the coming period for a renewed subscription without one. */
  async ask(id: string): Promise<void> {
    const { stage, due: asked, amount } = await this.get(id);
    if (stage !== "created" || asked) return;
    const due = await this.reserve(id, amount);
    const taken = await this.store.amend(ESCROW, id, (now) => (now.stage === "created" && !now.due ? { due } : null));
    if (!taken) await this.funding.release(due);
  }

  /** Pays ended periods, ends renewals without a deposit, and reserves amounts for renewed ones. */
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
