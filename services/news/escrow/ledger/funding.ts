import { iso } from "../../../../core/clock.ts";
import { insertOnce, isDuplicate } from "../../../../core/records/documents.ts";
import { conflict, isOvertaken, notFound, nullIf, overloaded, unprocessable } from "../../../../core/problem.ts";
import { BOUNTY_MOVES, type Bounty } from "../bounties/bounties.ts";
import type { Item } from "../../../../core/records/entity.ts";
import type { Store } from "../../../../core/records/store.ts";
import type { Books } from "./books.ts";
import { depositWords, dueFor, isNear, suffices, TAILS, type Deposit } from "./deposits.ts";
import { ESCROW, stamps, type Desk } from "../context.ts";
import { deposited, funded, type EarmarkedAccount } from "./ledger.ts";
import { can } from "../money-stages.ts";
import { nextPeriod, SUBSCRIPTION_MOVES, type Subscription } from "../subscriptions/subscriptions.ts";
import type { Receipt } from "../zcash/wallet-port.ts";
import type { Zatoshi } from "../zcash/zatoshi.ts";

/**
 * How many blocks back receipts are read again: coinbase matures after 100 (protocol specification §7.1.2), so its
 * receipts must be read twice.
 */
const REREAD_BLOCKS = 120;
const TRIES = 50;
/** So many of the newest deposits that match nothing are held against an amount. */
const MOST_UNMATCHED = 500;
const RECEIPTS = "receipts";

/** The records that wait for a deposit. */
type FundableEntity = typeof Bounty | typeof Subscription;
export type Fundable = Item<FundableEntity>;

/** From a promise to money in the pool: expected amounts, deposits, and setting them aside. */
export class Funding {
  readonly #desk: Desk;
  readonly #books: Books;

  constructor(desk: Desk, books: Books) {
    this.#desk = desk;
    this.#books = books;
  }

  /**
   * Reserves the exact amount that identifies this subject's deposit. Throws 503 while too many wait for nearly the
   * same amount.
   */
  async reserve(subject: EarmarkedAccount, amount: Zatoshi): Promise<Zatoshi> {
    const { dues, random, clock } = this.#desk;
    for (let tried = 0; tried < TRIES; tried++) {
      const due = dueFor(amount, random(TAILS));
      if (await insertOnce(dues, { _id: due, subject, ...stamps(clock.now(), "escrow") })) return due;
    }
    throw overloaded("Too many deposits of nearly this amount are waited for; choose another amount.", 60);
  }

  async release(due: Zatoshi | undefined): Promise<void> {
    if (due) await this.#desk.dues.removeById(due);
  }

  /** The record of a ledger account, and its store. */
  async find(subject: EarmarkedAccount): Promise<{ store: Store<FundableEntity>; record: Fundable } | null> {
    const [kind, id] = subject.split(":") as ["bounty" | "subscription", string];
    const store: Store<FundableEntity> = kind === "bounty" ? this.#desk.bounties : this.#desk.subscriptions;
    const record = await store.one(ESCROW, { _id: id });
    return record && { store, record };
  }

  /**
   * Books receipts that are deep enough, and finds their subject by the exact amount. The cursor moves only after all
   * is stored, and every step may be repeated. Answers how many deposits were new.
   */
  async collect(): Promise<number> {
    const { wallet, state, policy } = this.#desk;
    const kept = await state.findById(RECEIPTS);
    const { receipts, cursor } = await wallet.receipts(
      kept?.["cursor"],
      Math.max(REREAD_BLOCKS, policy.confirmations + 1),
    );
    let fresh = 0;
    for (const receipt of receipts) {
      if (receipt.mature && receipt.confirmations >= policy.confirmations && (await this.#take(receipt))) fresh += 1;
    }
    if (cursor !== kept?.["cursor"]) await this.#moveCursor(cursor, kept?.["rev"] ?? 0);
    await this.#catchUp();
    return fresh;
  }

  /**
   * A node that loses this race read the same receipts: nothing is skipped, because the cursor never passes what was
   * not stored.
   */
  async #moveCursor(cursor: string, rev: number): Promise<void> {
    const update = { $set: { cursor, updatedAt: iso(this.#desk.clock.now()) }, $inc: { rev: 1 } };
    await this.#desk.state.claim({ _id: RECEIPTS, rev }, update, { upsert: rev === 0 }).catch(nullIf(isDuplicate));
  }

  /** Completes what a kill left between a deposit's arrival in the pool and its being set aside. */
  async #catchUp(): Promise<void> {
    const waiting = { funded: false, shielded: true, subject: { $exists: true } };
    const left = await this.#desk.deposits.find(ESCROW, waiting, { limit: TRIES });
    for (const deposit of left) await this.fund(deposit);
  }

  async #take({ id, txid, amount, coinbase }: Receipt): Promise<boolean> {
    const { deposits, clock } = this.#desk;
    const known = await deposits.one(ESCROW, { _id: id });
    if (known) {
      await this.#match(known);
      return false;
    }
    await this.#books.post(deposited(id, amount, txid));
    // Written without the store: a deposit's id is longer than the store's ids.
    const deposit = { txid, amount, coinbase, shielded: false, funded: false, ...stamps(clock.now(), "escrow") };
    if (!(await insertOnce(deposits.collection, { _id: id, ...deposit }))) return false;
    await this.#match({ id, ...deposit });
    return true;
  }

  async #match(deposit: Deposit): Promise<void> {
    if (deposit.subject || deposit.coinbase) return;
    const due = await this.#desk.dues.findById(deposit.amount);
    if (due) await this.#assign(deposit, due["subject"], {});
  }

  /**
   * First the subject takes the deposit, then the deposit names the subject: a subject takes only one, and only while
   * it waits.
   */
  async #assign(
    deposit: Deposit,
    subject: EarmarkedAccount,
    words: { attributedBy?: string; why?: string },
  ): Promise<Deposit | null> {
    const found = await this.find(subject);
    if (!found) return null;
    if (found.record.depositId !== deposit.id) {
      if (!can(BOUNTY_MOVES, "deposit", found.record as Bounty)) return null;
      const taken = found.store.revise(ESCROW, found.record, { stage: "funding", depositId: deposit.id });
      if (!(await taken.catch(nullIf(isOvertaken)))) return null;
    }
    return this.#desk.deposits.amend(ESCROW, deposit.id, (now) => (now.subject ? null : { subject, ...words }));
  }

  /**
   * Assigns a deposit of another amount by a person's decision. Throws 404, 409 where either is taken, 422 where it is
   * too small or coinbase.
   */
  async attribute(depositId: string, subject: EarmarkedAccount, by: string, why: string): Promise<Deposit> {
    const [deposit, found] = [await this.#desk.deposits.get(ESCROW, depositId), await this.find(subject)];
    if (!found) throw notFound("bounty or subscription", subject);
    if (deposit.subject) throw conflict(`This deposit is for ${deposit.subject} already.`);
    if (deposit.coinbase) throw unprocessable("COINBASE", "Mined coins are the installation's own, not a deposit.");
    if (!suffices(deposit.amount, found.record.amount)) {
      throw unprocessable(
        "INSUFFICIENT_DEPOSIT",
        `The deposit of ${deposit.amount} does not cover ${found.record.amount} and the fees of its way.`,
      );
    }
    const assigned = await this.#assign(deposit, subject, { attributedBy: by, why });
    if (!assigned) throw conflict(`${subject} does not wait for a deposit.`, { stage: found.record.stage });
    if (assigned.shielded) await this.fund(assigned);
    return assigned;
  }

  /** What came in for a record, and how far that is in words. */
  async progress({ stage, due, depositId }: Fundable): Promise<{ received?: Zatoshi; progress: string }> {
    const { deposits, policy } = this.#desk;
    const [deposit] = stage !== "created" && depositId ? await deposits.many(ESCROW, [depositId]) : [];
    const hasNear = stage === "created" && due !== undefined && (await this.#hasNear(due));
    const { confirmations } = policy;
    return {
      ...(deposit && { received: deposit.amount }),
      progress: depositWords({ stage, due, received: deposit?.amount, confirmations, hasNear }),
    };
  }

  /** Whether a deposit of nearly this amount came in since it was asked for, and matches nothing. */
  async #hasNear(due: Zatoshi): Promise<boolean> {
    const asked = await this.#desk.dues.findById(due);
    if (!asked) return false;
    const since = { subject: { $exists: false }, coinbase: false, createdAt: { $gte: asked["createdAt"] } };
    const unmatched = await this.#desk.deposits.find(ESCROW, since, {
      sort: ["-createdAt"],
      limit: MOST_UNMATCHED,
      fields: ["amount"],
    });
    return unmatched.some(({ amount }) => isNear(amount, due));
  }

  /** Marks deposits as moving into the pool. */
  async underway(inputs: readonly string[]): Promise<void> {
    await this.#each(inputs, async (deposit) => {
      if (deposit.subject)
        await this.#amendSubject(deposit, (record) => (record.stage === "funding" ? { stage: "shielding" } : null));
    });
  }

  /** Marks deposits as not moving after all. */
  async stalled(inputs: readonly string[]): Promise<void> {
    await this.#each(inputs, async (deposit) => {
      if (deposit.subject)
        await this.#amendSubject(deposit, (record) => (record.stage === "shielding" ? { stage: "funding" } : null));
    });
  }

  /** Marks deposits as in the pool, and sets each aside for its subject. */
  async arrived(inputs: readonly string[]): Promise<void> {
    await this.#each(inputs, async (deposit) => {
      await this.fund(
        await this.#desk.deposits.change(ESCROW, deposit.id, (now) => (now.shielded ? null : { shielded: true })),
      );
    });
  }

  /** Sets a shielded deposit aside for its subject, which then opens (or becomes active). May be repeated. */
  async fund(deposit: Deposit): Promise<void> {
    if (!deposit.subject || !deposit.shielded || deposit.funded) return;
    const subject = deposit.subject as EarmarkedAccount;
    const found = await this.find(subject);
    if (!found) return;
    await this.#books.post(funded(subject, deposit.id, found.record.amount));
    const { due } = found.record;
    const opened = (record: Fundable) => ({ stage: "funded", due: null, ...this.#opened(subject, record) });
    await this.#amendSubject(deposit, (record) =>
      can(BOUNTY_MOVES, "fund", record as Bounty) ? opened(record) : null,
    );
    await this.release(due);
    await this.#desk.deposits.amend(ESCROW, deposit.id, (now) => (now.funded ? null : { funded: true }));
  }

  #opened(subject: EarmarkedAccount, record: Fundable): object {
    if (subject.startsWith("bounty:")) return { status: BOUNTY_MOVES.fund.status };
    return {
      status: SUBSCRIPTION_MOVES.fund.status,
      lapsesAt: null,
      ...nextPeriod(record as Subscription, iso(this.#desk.clock.now())),
    };
  }

  async #amendSubject(deposit: Deposit, decide: (record: Fundable) => Record<string, unknown> | null): Promise<void> {
    const found = await this.find(deposit.subject as EarmarkedAccount);
    const its = (record: Fundable) => (record.depositId === deposit.id ? decide(record) : null);
    await found?.store.amend(ESCROW, found.record.id, its);
  }

  async #each(ids: readonly string[], act: (deposit: Deposit) => Promise<void>): Promise<void> {
    for (const deposit of await this.#desk.deposits.many(ESCROW, ids)) await act(deposit);
  }
}
