import { asSystem } from "../../../core/access/caller.ts";
import { iso, type Clock } from "../../../core/clock.ts";
import type { Collection, CollectionOptions, Documents } from "../../../core/records/documents.ts";
import type { Entity } from "../../../core/records/entity.ts";
import { Store } from "../../../core/records/store.ts";
import type { ZcashAddress } from "./zcash/addresses.ts";
import { Bounty } from "./bounties/bounties.ts";
import { Deposit } from "./ledger/deposits.ts";
import type { MemoKey } from "./zcash/memo.ts";
import { Payout, type Policy } from "./payouts/payouts.ts";
import { Subscription } from "./subscriptions/subscriptions.ts";
import type { EscrowWallet } from "./zcash/wallet-port.ts";

/** What the escrow works with: everything it reads or writes comes through here. */
export interface EscrowPorts {
  documents: Pick<Documents, "collection">;
  wallet: EscrowWallet;
  clock: Clock;
  /** Tags memos. All nodes of an installation share it, for ever: an older memo must still be read. */
  memoKey: MemoKey;
  policy?: Partial<Policy>;
  /** Milliseconds a renewed subscription waits for its deposit; 14 days. */
  lapseMs?: number;
  newId?(): string;
  /** A whole number from 0 to below `limit`. */
  random?(limit: number): number;
}

interface Stores {
  bounties: Store<typeof Bounty>;
  subscriptions: Store<typeof Subscription>;
  payouts: Store<typeof Payout>;
  deposits: Store<typeof Deposit>;
}

export interface Desk extends Stores, Record<Shelf, Collection> {
  wallet: EscrowWallet;
  clock: Clock;
  memoKey: MemoKey;
  policy: Policy;
  lapseMs: number;
  newId(): string;
  random(limit: number): number;
  /** The escrow's own shielded address, read. */
  home: ZcashAddress;
}

const AGE: NonNullable<CollectionOptions["indexes"]> = [{ fields: ["-createdAt"] }];
/** What is no record: nobody reads it by revision. */
const SHELVES = {
  /** Amounts that are waited for: `_id` is the exact amount, so that each names one bounty or subscription. */
  dues: [{ fields: ["subject"] }],
  ledger: [{ fields: ["seq"], unique: true }, { fields: ["accounts"] }],
  /** Cursor of deposits, last reconciliation. */
  state: [],
} as const satisfies Record<string, CollectionOptions["indexes"]>;
export type Shelf = keyof typeof SHELVES;

export async function openCollections(documents: Pick<Documents, "collection">): Promise<Record<Shelf, Collection>> {
  const open = (shelf: Shelf) => documents.collection(`escrow_${shelf}`, { indexes: [...AGE, ...SHELVES[shelf]] });
  const [dues, ledger, state] = await Promise.all([open("dues"), open("ledger"), open("state")]);
  return { dues, ledger, state };
}

const never = (): never => {
  throw new Error("Records of the escrow are never removed, and tell nothing.");
};

/** The stores of the escrow's records, over documents of whoever opens it. */
export async function openStores(documents: Pick<Documents, "collection">, clock: Clock): Promise<Stores> {
  const open = async <E extends Entity>(entity: E): Promise<Store<E>> => {
    const collection = await documents.collection(entity.collection, { indexes: [...AGE, ...entity.indexes] });
    const unused = { number: never, stored: never, announceRemoval: never, removed: never };
    return new Store(entity, { collection, clock, ...unused });
  };
  const opened = [open(Bounty), open(Subscription), open(Payout), open(Deposit)] as const;
  const [bounties, subscriptions, payouts, deposits] = await Promise.all(opened);
  return { bounties, subscriptions, payouts, deposits };
}

/** The escrow at work. The audit hears of a write from its actions, once it is done: one that was refused is not. */
export const ESCROW = asSystem("escrow");

/** What the stores give a record, for those that are stored beside them. */
export const stamps = (now: number, by: string) => ({
  rev: 1,
  createdAt: iso(now),
  updatedAt: iso(now),
  createdBy: by,
});
