import { onBehalfOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { derivedId } from "../../../../core/ids.ts";
import {
  conflict,
  invalidTransition,
  isConflict,
  isOvertaken,
  nullIf,
  overtaken,
  unprocessable,
  upstream,
} from "../../../../core/problem.ts";
import type { Books } from "../ledger/books.ts";
import { ESCROW, type Desk } from "../context.ts";
import { askWallet } from "./evidence.ts";
import { paid, shielded, type EarmarkedAccount, type LedgerEntry } from "../ledger/ledger.ts";
import { writeMemo } from "../zcash/memo.ts";
import { death, next, refused, type PayoutChange, type WalletView, type PayoutStep } from "./payout-steps.ts";
import { type Payout, type PayoutKind } from "./payouts.ts";
import { isWalletFault, type Transfer } from "../zcash/wallet-port.ts";

export interface PayoutOrder {
  kind: PayoutKind;
  subject: string;
  round: number;
  to: string;
  amount?: string;
  fee?: string;
  inputs?: string[];
}

/** Applies a payout's new state to its subject. May be repeated. */
export type Tell = (payout: Payout) => Promise<void>;

/** Steps of one payout before others get their turn. */
const STEPS_A_TURN = 12;
const TURNS_AT_ONCE = 50;

/**
 * Carries payouts to their end: each step is read, decided by `next`, and written by compare-and-set, so that any
 * number of nodes may work at once, each may die between two steps, and any node continues from what is stored.
 */
export class Settlement {
  readonly #desk: Desk;
  readonly #books: Books;
  readonly #tell: Tell;

  constructor(desk: Desk, books: Books, tell: Tell) {
    this.#desk = desk;
    this.#books = books;
    this.#tell = tell;
  }

  get(id: string): Promise<Payout> {
    return this.#desk.payouts.get(ESCROW, id);
  }

  /**
   * Stores the intent to pay. Its id is derived from subject and round, so that a repeated order, at once or after a
   * kill, finds the first. Throws 409 where that was another kind of order, or another payout of the subject is under
   * way.
   */
  async order({ subject, round, ...order }: PayoutOrder, by: string): Promise<Payout> {
    const { clock, payouts, newId } = this.#desk;
    const id = subject === "shield" ? newId() : derivedId(`escrow/payout/${subject}/${round}`);
    const counters = { attempts: 0, resends: 0, refusals: 0, checks: 0 };
    const standing = { state: "release_requested", ...counters, nextAt: iso(clock.now()) };
    const intent = { id, subject, inFlight: subject, round, ...order, ...standing };
    const payout = await payouts.create(onBehalfOf("escrow", by), intent).catch(nullIf(isConflict));
    if (!payout) return this.#earlier(id, subject, order.kind);
    await this.#tell(payout);
    return payout;
  }

  async #earlier(id: string, subject: string, kind: PayoutKind): Promise<Payout> {
    const { payouts } = this.#desk;
    const earlier = (await payouts.one(ESCROW, { _id: id })) ?? (await payouts.one(ESCROW, { inFlight: subject }));
    if (!earlier) throw conflict(`The last payout of ${subject} has just ended; read it again.`);
    if (earlier.kind !== kind || (earlier.id !== id && subject !== "shield")) {
      throw conflict(`A ${earlier.kind} of ${subject} was ordered already.`, {
        payoutId: earlier.id,
        state: earlier.state,
      });
    }
    await this.#tell(earlier);
    return earlier;
  }

  /** Advances all payouts that are due, the longest waiting first. One that fails does not stop the others. */
  async advanceAll(): Promise<{ advanced: number; failures: { payoutId: string; message: string }[] }> {
    const { payouts, clock } = this.#desk;
    const longest = { sort: ["nextAt"], limit: TURNS_AT_ONCE, fields: ["nextAt"] };
    const due = await payouts.find(ESCROW, { nextAt: { $lte: iso(clock.now()) } }, longest);
    const failures: { payoutId: string; message: string }[] = [];
    for (const { id } of due) {
      await this.advance(id).catch((error: Error) => failures.push({ payoutId: id, message: error.message }));
    }
    return { advanced: due.length - failures.length, failures };
  }

  /** Advances one payout as far as possible now, and answers its new state. */
  async advance(id: string): Promise<Payout> {
    let payout = await this.get(id);
    for (
      let steps = 0;
      steps < STEPS_A_TURN && payout.nextAt && Date.parse(payout.nextAt) <= this.#desk.clock.now();
      steps++
    ) {
      const moved = await this.#step(payout);
      if (!moved) return this.get(id);
      payout = moved;
    }
    return payout;
  }

  async #step(payout: Payout): Promise<Payout | null> {
    const { wallet, memoKey, clock, policy } = this.#desk;
    const seen = await askWallet(payout, wallet, memoKey);
    const step = next(payout, seen, clock.now(), policy);
    if (step.act === "send") return this.#send(payout);
    if (step.act === "book") return this.#book(payout);
    if (step.act === "rest") return this.#rest(payout);
    return this.#keep(payout, step.change);
  }

  /** The payout after a change; null where somebody else changed it first. */
  #swap(payout: Payout, change: PayoutChange): Promise<Payout | null> {
    return this.#desk.payouts.revise(ESCROW, payout, change).catch(nullIf(isOvertaken));
  }

  async #keep(payout: Payout, change: PayoutChange): Promise<Payout | null> {
    const kept = await this.#swap(payout, change);
    if (kept && kept.state !== payout.state) await this.#tell(kept);
    return kept;
  }

  /** First writes that it is being sent, and until when, then sends: nothing is sent that was not written. */
  async #send(payout: Payout): Promise<Payout | null> {
    const { clock, policy, wallet } = this.#desk;
    const attempts = payout.attempts + 1;
    const sendBy = iso(clock.now() + policy.sendWindowMs);
    const intent = await this.#keep(payout, { state: "sending", attempts, sendBy, checks: 0, nextAt: sendBy });
    if (!intent) return null;
    // A process that slept past the window could come after others gave the intent up: it sends nothing.
    if (clock.now() >= Date.parse(sendBy))
      return this.#keep(intent, { state: "release_requested", sendBy: null, nextAt: iso(clock.now()) });
    try {
      const { opid } = await wallet.send(this.#transfer(intent));
      return await this.#keep(intent, {
        state: "submitted",
        opid,
        reason: null,
        nextAt: iso(clock.now() + policy.firstDelayMs),
      });
    } catch (error) {
      if (!isWalletFault(error)) throw error;
      return this.#keep(intent, this.#unsent(intent, error.message, error.outcome, error.passing).change);
    }
  }

  #unsent(intent: Payout, message: string, outcome: "not-taken" | "unknown", passing: boolean): PayoutStep {
    const { clock, policy } = this.#desk;
    if (outcome === "not-taken") return refused(intent, message, passing, clock.now(), policy);
    return { act: "keep", change: { reason: message, nextAt: iso(clock.now() + policy.firstDelayMs) } };
  }

  #transfer({ id, kind, subject, to, amount, fee, attempts }: Payout): Transfer {
    const memo = writeMemo(this.#desk.memoKey, { subject, payoutId: id, attempt: attempts });
    if (kind === "shield")
      return { kind, amount: amount!, fee: fee!, confirmations: this.#desk.policy.confirmations, memo };
    if (kind === "shield-coinbase") return { kind, memo };
    return { kind: "payout", to, amount: amount!, memo };
  }

  /**
   * Deep enough: books it, then updates its subject, then closes it. Each step may be repeated, so that a kill between
   * them does no harm.
   */
  async #book(payout: Payout): Promise<Payout | null> {
    await this.#books.post(entryOf(payout));
    const closed: Payout = { ...payout, state: "closed" };
    await this.#tell(closed);
    const kept = await this.#swap(payout, { state: "closed", inFlight: null, nextAt: null });
    if (kept?.opid)
      await this.#desk.wallet.forget([kept.opid]).catch((error: unknown) => {
        if (!isWalletFault(error)) throw error;
      });
    return kept;
  }

  async #rest(payout: Payout): Promise<Payout | null> {
    await this.#tell(payout);
    return this.#swap(payout, { nextAt: null, ...(payout.state !== "manual_review" && { inFlight: null }) });
  }

  /**
   * A person decides a payout in manual review: it is this transaction, or certainly nothing was sent. The wallet is
   * asked first, and its evidence wins. Throws 409 where it is not in review or the wallet shows otherwise, 422 for a
   * transaction that does not pay it, or while one that was made could still be mined, 502 while the wallet does not
   * answer.
   */
  async resolve(id: string, decision: { txid: string } | { notSent: true }, by: string, why: string): Promise<Payout> {
    const payout = await this.get(id);
    if (payout.state !== "manual_review") throw invalidTransition("resolve", payout.state, ["manual_review"]);
    const { clock } = this.#desk;
    const nextAt = iso(clock.now());
    const resolution = { by, why, at: nextAt, ...("txid" in decision && { txid: decision.txid }) };
    const change = "txid" in decision ? await this.#followed(payout, decision.txid) : await this.#givenUp(payout);
    const moved = await this.#keep(payout, { ...change, resolution, nextAt });
    if (!moved) throw overtaken("payout", payout);
    return this.advance(id);
  }

  async #followed(payout: Payout, txid: string): Promise<PayoutChange> {
    const seen = await this.#ask({ ...payout, state: "submitted", txid });
    if (seen.seen !== "transaction" || !seen.right || seen.txid !== txid) {
      throw unprocessable(
        "TRANSACTION_MISMATCH",
        `The wallet does not know a transaction ${txid} of its own that pays this.`,
      );
    }
    return { state: "submitted", txid, reason: null, absentAt: null, expiredAt: null, checks: 0 };
  }

  async #givenUp(payout: Payout): Promise<PayoutChange> {
    const { clock, policy } = this.#desk;
    const seen = await this.#ask({ ...payout, state: payout.txid ? "submitted" : "sending" });
    const found = death(payout, seen, clock.now(), policy);
    if (!found) throw conflict("The wallet shows that it was sent, or is being sent.", seen);
    if (found.dead) return { state: "failed" };
    await this.#swap(payout, found.change);
    throw unprocessable(
      "TOO_EARLY",
      `What was sent could still be mined: from block ${found.fromBlock} on it can be given up.`,
      { fromBlock: found.fromBlock },
    );
  }

  async #ask(payout: Payout): Promise<WalletView> {
    const seen = await askWallet(payout, this.#desk.wallet, this.#desk.memoKey);
    if (seen.seen === "nothing")
      throw upstream(502, "UPSTREAM_UNREACHABLE", `The wallet must be asked first, and does not answer: ${seen.fault}`);
    return seen;
  }
}

function entryOf({ id, kind, subject, amount, fee, txid }: Payout): LedgerEntry {
  if (kind === "shield" || kind === "shield-coinbase") return shielded(id, amount!, fee!, txid!);
  return paid(id, subject as EarmarkedAccount, kind === "release" ? "payee" : "creator", amount!, fee!, txid!);
}
