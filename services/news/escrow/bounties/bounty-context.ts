import { iso } from "../../../../core/clock.ts";
import { insertOnce } from "../../../../core/records/documents.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { BOUNTY_MOVES, judge, payeeOf, refuseUnlessRefundable, submit, type Bounty, type BountyStatus } from "./bounties.ts";
import { changedOr409, stamps, swap, toDoc, toRecord, type Desk } from "../context.ts";
import type { Funding } from "../ledger/funding.ts";
import { payableOrRefused } from "../zcash/payable.ts";
import type { Payout } from "../payouts/payouts.ts";
import type { Settlement } from "../payouts/settlement.ts";
import { make } from "../money-stages.ts";
import { zatoshi, type Zatoshi } from "../zcash/zatoshi.ts";

export interface BountyDraft { title: string; description?: string; amount: Zatoshi; refundAddress: string }

const ROUND_AT_ONCE = 50;

/** What may be asked about bounties. Who may ask is the caller's to check; what is possible when, is checked here. */
export class BountyDesk {
  readonly #desk: Desk;
  readonly #funding: Funding;
  readonly #settlement: Settlement;

  constructor(desk: Desk, funding: Funding, settlement: Settlement) {
    this.#desk = desk;
    this.#funding = funding;
    this.#settlement = settlement;
  }

  async get(id: string): Promise<Bounty> {
    const doc = await this.#desk.bounties.findById(id);
    if (!doc) throw notFound("bounty", id);
    return toRecord<Bounty>(doc);
  }

  /** Promises a bounty; it is open once exactly `due` has come in and is in the pool. A repeated id answers the one made before. */
  async create(draft: BountyDraft, by: string, id = this.#desk.newId()): Promise<Bounty> {
    const before = await this.#desk.bounties.findById(id);
    if (before) return toRecord<Bounty>(before);
    zatoshi(draft.amount);
    await payableOrRefused(draft.refundAddress, "refundAddress", this.#desk);
    const due = await this.#funding.reserve(`bounty:${id}`, draft.amount);
    const bounty: Bounty = { id, description: "", ...draft, stage: "created", due, round: 0, ...stamps(this.#desk.clock.now(), by) };
    if (await insertOnce(this.#desk.bounties, toDoc(bounty))) return bounty;
    await this.#funding.release(due);
    return this.get(id);
  }

  /** Withdraws a bounty that nothing was paid in for. Throws 409 otherwise. */
  async cancel(id: string): Promise<Bounty> {
    const bounty = await this.get(id);
    const standing = make<BountyStatus, keyof typeof BOUNTY_MOVES>(BOUNTY_MOVES, "cancel", bounty);
    const cancelled = changedOr409(await this.#change(bounty, { ...standing, due: null, endedAt: iso(this.#desk.clock.now()) }), "bounty");
    await this.#funding.release(bounty.due);
    return cancelled;
  }

  /** Answers a bounty. Throws 409 unless it is open, 422 for an address that cannot be paid. */
  async submit(id: string, { payee, evidence }: { payee: string; evidence: string }, by: string): Promise<Bounty> {
    await payableOrRefused(payee, "payee", this.#desk);
    const bounty = await this.get(id);
    const at = iso(this.#desk.clock.now());
    return changedOr409(await this.#change(bounty, submit(bounty, { by, payee, evidence, at })), "bounty");
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

  async #judge(id: string, given: { accepted: boolean; basis: "creator" | "crowd"; note?: string }, by: string): Promise<Bounty> {
    const bounty = await this.get(id);
    const verdict = judge(bounty, { ...given, by, at: iso(this.#desk.clock.now()) });
    return changedOr409(await this.#change(bounty, verdict), "bounty");
  }

  /** Orders the pay-out of an accepted submission; ordering it again answers the same payout. Throws 409, 422. */
  async release(id: string, by: string): Promise<Payout> {
    const bounty = await this.get(id);
    const earlier = await this.#earlier(bounty, "release");
    if (earlier) return earlier;
    const to = payeeOf(bounty);
    await payableOrRefused(to, "payee", this.#desk);
    return this.#settlement.order({ kind: "release", subject: `bounty:${id}`, round: bounty.round, to, amount: bounty.amount }, by);
  }

  /** Orders that the money goes back; ordering it again answers the same payout. Throws 409, 422. */
  async refund(id: string, by: string): Promise<Payout> {
    const bounty = await this.get(id);
    const earlier = await this.#earlier(bounty, "refund");
    if (earlier) return earlier;
    refuseUnlessRefundable(bounty);
    return this.#settlement.order({ kind: "refund", subject: `bounty:${id}`, round: bounty.round, to: bounty.refundAddress, amount: bounty.amount }, by);
  }

  /** The payout that is under way or done. Throws 409 where it goes the other way. */
  async #earlier({ payoutId }: Bounty, kind: "release" | "refund"): Promise<Payout | null> {
    if (!payoutId) return null;
    const payout = await this.#settlement.get(payoutId);
    if (payout.kind !== kind) throw conflict(`A ${payout.kind} of this bounty was ordered already.`, { payoutId, state: payout.state });
    return payout;
  }

  /** Finishes what a kill left between a rejection and the order to refund. */
  async run(): Promise<void> {
    const rejected = await this.#desk.bounties.find({ query: { stage: "funded", status: "submitted", "verdict.accepted": false }, limit: ROUND_AT_ONCE });
    for (const { _id } of rejected) await this.refund(String(_id), "escrow");
  }

  #change(bounty: Bounty, change: Parameters<typeof swap<Bounty>>[2]): Promise<Bounty | null> {
    return swap(this.#desk.bounties, bounty, change, this.#desk.clock.now());
  }
}
