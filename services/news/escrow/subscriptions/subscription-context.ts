import { iso } from "../../../../core/clock.ts";
import { insertOnce } from "../../../../core/records/documents.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { amend, changedOr409, stamps, swap, toDoc, toRecord, type Desk } from "../context.ts";
import type { Funding } from "../ledger/funding.ts";
import { payableOrRefused } from "../zcash/payable.ts";
import type { Payout } from "../payouts/payouts.ts";
import type { Settlement } from "../payouts/settlement.ts";
import { can } from "../money-stages.ts";
import { isDue, move, SUBSCRIPTION_MOVES, type Subscription } from "./subscriptions.ts";
import { zatoshi, type Zatoshi } from "../zcash/zatoshi.ts";

export interface SubscriptionDraft { sourceId?: number; payee: string; amount: Zatoshi; refundAddress: string }

const ROUND_AT_ONCE = 100;

/** What may be asked about subscriptions, and what the calendar does to them. */
export class SubscriptionDesk {
  readonly #desk: Desk;
  readonly #funding: Funding;
  readonly #settlement: Settlement;

  constructor(desk: Desk, funding: Funding, settlement: Settlement) {
    this.#desk = desk;
    this.#funding = funding;
    this.#settlement = settlement;
  }

  async get(id: string): Promise<Subscription> {
    const doc = await this.#desk.subscriptions.findById(id);
    if (!doc) throw notFound("subscription", id);
    return toRecord<Subscription>(doc);
  }

  /** Begins a subscription; its first month starts once exactly `due` has come in and is in the pool. A repeated id answers the one made before. */
  async create(draft: SubscriptionDraft, by: string, id = this.#desk.newId()): Promise<Subscription> {
    const before = await this.#desk.subscriptions.findById(id);
    if (before) return toRecord<Subscription>(before);
    zatoshi(draft.amount);
    await payableOrRefused(draft.payee, "payee", this.#desk);
    await payableOrRefused(draft.refundAddress, "refundAddress", this.#desk);
    const due = await this.#funding.reserve(`subscription:${id}`, draft.amount);
    const subscription: Subscription = { id, ...draft, stage: "created", period: 1, cancelAtEnd: false, due, round: 0, ...stamps(this.#desk.clock.now(), by) };
    if (await insertOnce(this.#desk.subscriptions, toDoc(subscription))) return subscription;
    await this.#funding.release(due);
    return this.get(id);
  }

  /** Ends it: at once while nothing is paid in for the coming month, else with the running one, which is still paid. Throws 409 when it has ended. */
  async cancel(id: string): Promise<Subscription> {
    const subscription = await this.get(id);
    if (can(SUBSCRIPTION_MOVES, "drop", subscription)) return changedOr409(await this.#drop(subscription), "subscription");
    move("cancel", subscription);
    return changedOr409(await swap(this.#desk.subscriptions, subscription, { cancelAtEnd: true }, this.#desk.clock.now()), "subscription");
  }

  async #drop(subscription: Subscription): Promise<Subscription | null> {
    const now = this.#desk.clock.now();
    const dropped = await swap(this.#desk.subscriptions, subscription, { ...move("drop", subscription), due: null, lapsesAt: null, endedAt: iso(now) }, now);
    if (dropped) await this.#funding.release(subscription.due);
    return dropped;
  }

  /** Orders the pay-out of the running period: by the calendar when it has ended, by a person after a payout that failed. Throws 409. */
  async release(id: string, by: string): Promise<Payout> {
    const subscription = await this.get(id);
    const earlier = await this.#underway(subscription, "release");
    if (earlier) return earlier;
    move("fallDue", subscription);
    const { round, payee: to, amount } = subscription;
    return this.#settlement.order({ kind: "release", subject: `subscription:${id}`, round, to, amount }, by);
  }

  /** After a payout that failed for good: the month goes back to the subscriber. Throws 409. */
  async refund(id: string, by: string): Promise<Payout> {
    const subscription = await this.get(id);
    const earlier = await this.#underway(subscription, "refund");
    if (earlier) return earlier;
    move("refund", subscription);
    const { round, refundAddress: to, amount } = subscription;
    return this.#settlement.order({ kind: "refund", subject: `subscription:${id}`, round, to, amount }, by);
  }

  async #underway({ payoutId, round }: Subscription, kind: "release" | "refund"): Promise<Payout | null> {
    const payout = payoutId ? await this.#settlement.get(payoutId) : null;
    if (!payout || payout.round !== round) return null;
    if (payout.kind !== kind) throw conflict(`A ${payout.kind} of this subscription was ordered already.`, { payoutId, state: payout.state });
    return payout;
  }

  /** Reserves the amount for the coming period where a renewed subscription has none yet. */
  async ask(id: string): Promise<void> {
    const subscription = await this.get(id);
    if (subscription.stage !== "created" || subscription.due) return;
    const due = await this.#funding.reserve(`subscription:${id}`, subscription.amount);
    const asked = await amend<Subscription>(this.#desk.subscriptions, id, (now) => (now.stage === "created" && !now.due ? { due } : null), this.#desk.clock);
    if (!asked) await this.#funding.release(due);
  }

  /** What the calendar asks for: periods that ended are paid, renewals without a deposit lapse, renewed ones get their amount. */
  async run(): Promise<void> {
    const now = iso(this.#desk.clock.now());
    const { subscriptions } = this.#desk;
    const ended = await subscriptions.find({ query: { status: "active", to: { $lte: now } }, sort: ["to"], limit: ROUND_AT_ONCE });
    for (const doc of ended) if (isDue(toRecord<Subscription>(doc), now)) await this.release(String(doc._id), "escrow");
    const lapsed = await subscriptions.find({ query: { lapsesAt: { $lte: now }, stage: "created" }, sort: ["lapsesAt"], limit: ROUND_AT_ONCE });
    for (const doc of lapsed) await this.#drop(toRecord<Subscription>(doc));
    const unasked = await subscriptions.find({ query: { stage: "created", due: null }, limit: ROUND_AT_ONCE });
    for (const { _id } of unasked) await this.ask(String(_id));
  }
}
