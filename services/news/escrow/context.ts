import { iso, type Clock } from "../../../core/clock.ts";
import type { Collection, CollectionOptions, Doc, Documents, Update } from "../../../core/records/documents.ts";
import { conflict } from "../../../core/problem.ts";
import type { Address } from "./zcash/addresses.ts";
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

export interface Desk {
  wallet: EscrowWallet;
  clock: Clock;
  memoKey: MemoKey;
  policy: Policy;
  lapseMs: number;
  newId(): string;
  random(limit: number): number;
  /** The escrow's own shielded address, read. */
  home: Address;
  bounties: Collection;
  subscriptions: Collection;
  payouts: Collection;
  deposits: Collection;
  /** Amounts that are waited for: `_id` is the exact amount, so that each names one bounty or subscription. */
  dues: Collection;
  ledger: Collection;
  /** Cursor of deposits, last reconciliation. */
  state: Collection;
}

/** What every record has. */
export interface Kept { id: string; rev: number }
type Changes<T> = { [K in Exclude<keyof T, "id" | "rev">]?: T[K] | null };

const AGE: CollectionOptions["indexes"] = [{ fields: ["-createdAt"] }];
const COLLECTIONS = {
  bounties: [Bounty.collection, Bounty.indexes],
  subscriptions: [Subscription.collection, Subscription.indexes],
  payouts: [Payout.collection, Payout.indexes],
  deposits: [Deposit.collection, Deposit.indexes],
  dues: ["escrow_dues", [{ fields: ["subject"] }]],
  ledger: ["escrow_ledger", [{ fields: ["seq"], unique: true }, { fields: ["accounts"] }]],
  state: ["escrow_state", []],
} as const satisfies Record<string, readonly [string, CollectionOptions["indexes"]]>;
export type Shelf = keyof typeof COLLECTIONS;

export async function openCollections(documents: Pick<Documents, "collection">): Promise<Record<Shelf, Collection>> {
  const open = async ([shelf, [name, indexes]]: [string, readonly [string, CollectionOptions["indexes"]]]) =>
    [shelf, await documents.collection(name, { indexes: [...AGE!, ...(indexes ?? [])] })] as const;
  return Object.fromEntries(await Promise.all(Object.entries(COLLECTIONS).map(open))) as Record<Shelf, Collection>;
}

/** A stored document as the record it is. */
export const toRecord = <T extends Kept>({ _id, ...rest }: Doc): T => ({ id: _id, ...rest }) as unknown as T;
/** A record as it is stored: without fields that are absent. */
export const toDoc = ({ id, ...rest }: Kept & object): Doc =>
  ({ _id: id, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) });

export const stamps = (now: number, by: string) => ({ rev: 1, createdAt: iso(now), updatedAt: iso(now), createdBy: by });

/** Compares and sets: the changed record, or null where somebody else changed it since it was read. `null` clears, `undefined` leaves. */
export async function swap<T extends Kept>(collection: Collection, record: T, change: Changes<T>, now: number): Promise<T | null> {
  const $set: Record<string, unknown> = { updatedAt: iso(now) }, $unset: Record<string, 1> = {};
  for (const [field, value] of Object.entries(change)) {
    if (value === null) $unset[field] = 1;
    else if (value !== undefined) $set[field] = value;
  }
  const update: Update = { $set, $inc: { rev: 1 }, ...(Object.keys($unset).length > 0 && { $unset }) };
  const doc = await collection.claim({ _id: record.id, rev: record.rev }, update);
  return doc && toRecord<T>(doc);
}

/** Reads, decides, compares and sets, again when somebody else was first; null where `decide` wants no change. For bookkeeping that must get through. */
export async function amend<T extends Kept>(collection: Collection, id: string, decide: (record: T) => Changes<T> | null, clock: Clock): Promise<T | null> {
  for (;;) {
    const doc = await collection.findById(id);
    const change = doc && decide(toRecord<T>(doc));
    if (!doc || !change) return null;
    const changed = await swap(collection, toRecord<T>(doc), change, clock.now());
    if (changed) return changed;
  }
}

/** The record after a change by a person. Throws 409 where somebody else changed it first. */
export function changedOr409<T>(changed: T | null, what: string): T {
  if (!changed) throw conflict(`This ${what} changed meanwhile; read it again.`);
  return changed;
}
