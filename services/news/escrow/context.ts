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

/** What the escrow works with: all its reads and writes go through here. */
export interface EscrowPorts {
  documents: Pick<Documents, "collection">;
  wallet: EscrowWallet;
  clock: Clock;
  /** Tags memos. All nodes of an installation share it, permanently: old memos must stay readable. */
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
  /** The escrow's own shielded address, parsed. */
  home: ZcashAddress;
}

const AGE: NonNullable<CollectionOptions["indexes"]> = [{ fields: ["-createdAt"] }];
/** Stores without revisions. */
const SHELVES = {
  /** Amounts awaited: `_id` is the exact amount, so that each belongs to one bounty or subscription. */
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

/** The stores of the escrow's records, in the given documents. */
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

/**
 * The escrow as a caller. Audit entries of its writes come from its actions after they succeed: a refused write has
 * none.
 */
export const ESCROW = asSystem("escrow");

/** The fields that stores add, for records written without a store. */
export const stamps = (now: number, by: string) => ({
  rev: 1,
  createdAt: iso(now),
  updatedAt: iso(now),
  createdBy: by,
});
