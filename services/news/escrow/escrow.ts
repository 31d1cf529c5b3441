import { randomInt } from "node:crypto";
import { iso } from "../../../core/clock.ts";
import { newId } from "../../../core/ids.ts";
import { unprocessable } from "../../../core/problem.ts";
import { readAddress } from "./zcash/addresses.ts";
import { Books } from "./ledger/books.ts";
import { BountyDesk } from "./bounties/bounty-context.ts";
import { ESCROW, openCollections, openStores, type Desk, type EscrowPorts } from "./context.ts";
import type { Deposit } from "./ledger/deposits.ts";
import { shieldingFee } from "./zcash/fees.ts";
import { Funding, type Fundable } from "./ledger/funding.ts";
import { adjusted } from "./ledger/ledger.ts";
import { POLICY, type Payout } from "./payouts/payouts.ts";
import { bountyAfter, subscriptionAfter } from "./payouts/projections.ts";
import { reconcile, type Reconciliation } from "./payouts/reconciliation.ts";
import { Settlement, type Tell } from "./payouts/settlement.ts";
import { SubscriptionDesk } from "./subscriptions/subscription-context.ts";
import type { Output } from "./zcash/wallet-port.ts";
import { delta } from "./zcash/zatoshi.ts";

const FORTNIGHT_MS = 14 * 86_400_000;

export interface EscrowStatus {
  height: number;
  wallet: { transparent: string; shielded: string };
  ledger: { transparent: string; pool: string; held: string; paid: string; fees: string };
  /** Payouts under way, and the number of them that wait for a person. */
  inFlight: number;
  manualReview: number;
  reconciliation: Reconciliation | null;
}

/** Why nothing is moved into the pool, and how much (zatoshi) waits at the transparent address. */
export interface NothingToShield {
  waiting: string;
  why: string;
}

const sumOf = (outputs: readonly Output[]): string =>
  String(outputs.reduce((sum, { amount }) => sum + BigInt(amount), 0n));

/** Opens the escrow over its ports. Throws BadAddress where an address of the wallet is not of its kind. */
export async function openEscrow(ports: EscrowPorts): Promise<Escrow> {
  const home = readAddress(ports.wallet.zAddress);
  const defaults = { newId, random: (limit: number) => randomInt(limit), lapseMs: FORTNIGHT_MS };
  const { documents, ...rest } = ports;
  const [collections, stores] = await Promise.all([openCollections(documents), openStores(documents, ports.clock)]);
  return new Escrow({ ...defaults, ...rest, policy: { ...POLICY, ...ports.policy }, home, ...collections, ...stores });
}

/** The escrow's operations. Every order is stored before anything is sent, and may be repeated. */
export class Escrow {
  readonly books: Books;
  readonly bounties: BountyDesk;
  readonly subscriptions: SubscriptionDesk;
  readonly #desk: Desk;
  readonly #funding: Funding;
  readonly #settlement: Settlement;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.books = new Books(desk.ledger, desk.clock);
    this.#funding = new Funding(desk, this.books);
    this.#settlement = new Settlement(desk, this.books, this.#tell);
    this.bounties = new BountyDesk(desk.bounties, desk, this.#funding, this.#settlement);
    this.subscriptions = new SubscriptionDesk(desk.subscriptions, desk, this.#funding, this.#settlement);
  }

  /** Applies a payout's new state to its bounty, its subscription or its deposits. */
  readonly #tell: Tell = async (payout) => {
    const { clock, bounties, lapseMs } = this.#desk;
    const now = clock.now();
    const [kind, id = ""] = payout.subject.split(":");
    if (kind === "bounty") await bounties.amend(ESCROW, id, (bounty) => bountyAfter(bounty, payout, iso(now)));
    else if (kind === "subscription") await this.#tellSubscription(id, payout, iso(now), iso(now + lapseMs));
    else await this.#tellDeposits(payout);
  };

  async #tellSubscription(id: string, payout: Payout, now: string, lapsesAt: string): Promise<void> {
    await this.#desk.subscriptions.amend(ESCROW, id, (subscription) =>
      subscriptionAfter(subscription, payout, now, lapsesAt),
    );
    if (payout.state === "closed") await this.subscriptions.ask(id);
  }

  async #tellDeposits({ state, inputs = [] }: Payout): Promise<void> {
    if (state === "release_requested" || state === "sending") await this.#funding.underway(inputs);
    if (state === "failed") await this.#funding.stalled(inputs);
    if (state === "closed") await this.#funding.arrived(inputs);
  }

  /** Books new deposits. Answers how many. */
  collect(): Promise<number> {
    return this.#funding.collect();
  }

  /** How far the payment for a bounty or a subscription is. */
  progress(record: Fundable): ReturnType<Funding["progress"]> {
    return this.#funding.progress(record);
  }

  /** Assigns a deposit whose amount matches nothing. */
  attribute(
    depositId: string,
    subject: `bounty:${string}` | `subscription:${string}`,
    by: string,
    why: string,
  ): Promise<Deposit> {
    return this.#funding.attribute(depositId, subject, by, why);
  }

  /**
   * Moves everything at the transparent address into the pool: mined coins first, then all deposits together and whole,
   * so that no change remains public. Answers the order after carrying it on, or why there is none.
   */
  async shield(by: string): Promise<Payout | NothingToShield> {
    const underway = await this.#desk.payouts.one(ESCROW, { inFlight: "shield" });
    if (underway) return this.#settlement.advance(underway.id);
    const outputs = await this.#desk.wallet.unspent(this.#desk.policy.confirmations);
    if (outputs.length === 0) return this.#tooYoung();
    // An output that cannot be booked yet postpones all: the wallet would spend it too, and leave change.
    if (!(await this.#areBooked(outputs))) {
      await this.collect();
      if (!(await this.#areBooked(outputs)))
        return { waiting: sumOf(outputs), why: "What lies there is not in the books yet; ask again in a minute." };
    }
    const common = { subject: "shield", round: 0, to: this.#desk.wallet.zAddress };
    if (outputs.some(({ coinbase }) => coinbase))
      return this.#ordered({ kind: "shield-coinbase" as const, ...common }, by);
    const total = BigInt(sumOf(outputs));
    const fee = shieldingFee(outputs.length);
    if (total <= fee)
      return {
        waiting: String(total),
        why: `It is not more than the fee of ${fee} zatoshi; it stays until more comes.`,
      };
    return this.#ordered(
      {
        kind: "shield" as const,
        ...common,
        amount: String(total - fee),
        fee: String(fee),
        inputs: outputs.map(({ id }) => id),
      },
      by,
    );
  }

  async #tooYoung(): Promise<NothingToShield> {
    const { wallet, policy } = this.#desk;
    const young = await wallet.unspent(0);
    return {
      waiting: sumOf(young),
      why: young.length
        ? `What came in has not been confirmed ${policy.confirmations} times yet.`
        : "Nothing lies at the transparent address; mined coins count once they have matured.",
    };
  }

  async #areBooked(outputs: readonly Output[]): Promise<boolean> {
    const ids = outputs.map(({ id }) => id);
    return (await this.#desk.deposits.many(ESCROW, ids)).length === ids.length;
  }

  async #ordered(order: Parameters<Settlement["order"]>[0], by: string): Promise<Payout> {
    return this.#settlement.advance((await this.#settlement.order(order, by)).id);
  }

  /** Orders the payout of an accepted bounty and carries it as far as possible now. */
  async requestRelease(bountyId: string, by: string): Promise<Payout> {
    return this.#settlement.advance((await this.bounties.release(bountyId, by)).id);
  }

  /** Orders a refund of a bounty to its creator, and carries it as far as possible now. */
  async requestRefund(bountyId: string, by: string): Promise<Payout> {
    return this.#settlement.advance((await this.bounties.refund(bountyId, by)).id);
  }

  payout(id: string): Promise<Payout> {
    return this.#settlement.get(id);
  }
  advance(payoutId: string): Promise<Payout> {
    return this.#settlement.advance(payoutId);
  }
  advanceAll(): ReturnType<Settlement["advanceAll"]> {
    return this.#settlement.advanceAll();
  }
  resolve(...decision: Parameters<Settlement["resolve"]>): Promise<Payout> {
    return this.#settlement.resolve(...decision);
  }

  /**
   * Books what an administrator says happened outside the escrow: adds `amount` (signed) to the account. An id is
   * booked once.
   */
  async adjust(id: string, account: "transparent" | "pool", amount: string, by: string, why: string): Promise<boolean> {
    if (delta(amount) === 0n) throw unprocessable("ZERO_AMOUNT", "amount: an adjustment of nothing.");
    return this.books.post(adjusted(id, account, amount, by, why));
  }

  /**
   * Compares ledger and wallet, and keeps the result for the status. Throws a WalletFault while the wallet does not
   * answer.
   */
  async reconcile(): Promise<Reconciliation> {
    const outcome = await reconcile(this.#desk, this.books);
    await this.#desk.state.claim({ _id: "reconciliation" }, { $set: { outcome } }, { upsert: true });
    return outcome;
  }

  /** One round of the timer's work. A failing part does not stop the others; the first failure is thrown at the end. */
  async tick(): Promise<void> {
    const parts = [
      () => this.collect(),
      () => this.bounties.run(),
      () => this.subscriptions.run(),
      () => this.advanceAll(),
    ];
    const failures: unknown[] = [];
    for (const part of parts) await part().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** Throws a WalletFault while the wallet does not answer. */
  async status(): Promise<EscrowStatus> {
    const { wallet, payouts, state } = this.#desk;
    const [{ height }, balances, totals, inFlight, manualReview, kept] = await Promise.all([
      wallet.info(),
      wallet.balances(),
      this.books.totals(),
      payouts.count(ESCROW, { inFlight: { $exists: true } }),
      payouts.count(ESCROW, { state: "manual_review" }),
      state.findById("reconciliation"),
    ]);
    const { transparent, pool, held, payee: paid, fees } = totals;
    return {
      height,
      wallet: balances,
      ledger: { transparent, pool, held, paid, fees },
      inFlight,
      manualReview,
      reconciliation: kept?.["outcome"] ?? null,
    };
  }
}
