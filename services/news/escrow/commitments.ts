import { onBehalfOf } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { conflict } from "../../../core/problem.ts";
import type { Item } from "../../../core/records/entity.ts";
import type { Store } from "../../../core/records/store.ts";
import type { Bounty } from "./bounties/bounties.ts";
import { ESCROW, type Desk } from "./context.ts";
import type { Funding } from "./ledger/funding.ts";
import type { EarmarkedAccount } from "./ledger/ledger.ts";
import type { Payout } from "./payouts/payouts.ts";
import type { Settlement } from "./payouts/settlement.ts";
import type { Subscription } from "./subscriptions/subscriptions.ts";
import { payableOrRefused } from "./zcash/payable.ts";
import { zatoshi, type Zatoshi } from "./zcash/zatoshi.ts";

interface Draft {
  amount: Zatoshi;
  [field: string]: unknown;
}
type PayeeOf<E extends typeof Bounty | typeof Subscription> = (item: Item<E>) => string | Promise<string>;

/**
 * What bounties and subscriptions have in common: money is promised, awaited, and ordered to be paid once per round.
 */
export abstract class Commitments<E extends typeof Bounty | typeof Subscription> {
  protected readonly store: Store<E>;
  protected readonly desk: Desk;
  protected readonly funding: Funding;
  readonly #settlement: Settlement;

  constructor(store: Store<E>, desk: Desk, funding: Funding, settlement: Settlement) {
    this.store = store;
    this.desk = desk;
    this.funding = funding;
    this.#settlement = settlement;
  }

  get(id: string): Promise<Item<E>> {
    return this.store.get(ESCROW, id);
  }

  #subject(id: string): EarmarkedAccount {
    return `${this.store.entity.title}:${id}` as EarmarkedAccount;
  }

  /**
   * Promises money; the deposit must be exactly `due`. A repeated id answers the earlier promise. Throws 422, naming
   * the field, for one of `addresses` that cannot be paid.
   */
  protected async promise(id: string, draft: Draft, addresses: readonly string[], by: string): Promise<Item<E>> {
    const before = await this.store.one(ESCROW, { _id: id });
    if (before) return before;
    zatoshi(draft.amount);
    for (const field of addresses) await payableOrRefused(draft[field] as string, field, this.desk);
    const due = await this.reserve(id, draft.amount);
    const promised = { ...draft, id, stage: "created", due, round: 0 };
    const { record, made } = await this.store.createOnce(onBehalfOf("escrow", by), promised);
    if (!made) await this.funding.release(due);
    return record;
  }

  protected reserve(id: string, amount: Zatoshi): Promise<Zatoshi> {
    return this.funding.reserve(this.#subject(id), amount);
  }

  /** Ends it before any deposit. Throws 409 where somebody else changed it first. */
  protected async end(item: Item<E>, change: Record<string, unknown>): Promise<Item<E>> {
    const ended = await this.store.revise(ESCROW, item, { ...change, due: null, endedAt: iso(this.desk.clock.now()) });
    await this.funding.release(item.due);
    return ended;
  }

  /**
   * Orders this round's payout to `payeeOf`, which throws where it is not allowed. A repeated order answers the same
   * payout. Throws 409 where the opposite was ordered.
   */
  protected async order(id: string, kind: "release" | "refund", by: string, payeeOf: PayeeOf<E>): Promise<Payout> {
    const item = await this.get(id);
    const { payoutId, round, amount } = item;
    const earlier = payoutId ? await this.#settlement.get(payoutId) : null;
    if (!earlier || earlier.round !== round) {
      const to = await payeeOf(item);
      return this.#settlement.order({ kind, subject: this.#subject(id), round, to, amount }, by);
    }
    if (earlier.kind === kind) return earlier;
    const { title } = this.store.entity;
    throw conflict(`A ${earlier.kind} of this ${title} was ordered already.`, { payoutId, state: earlier.state });
  }
}
