import type { Zatoshi } from "./zatoshi.ts";

/**
 * The part of a shielded wallet that the escrow needs; adapters/wallet implements it. Amounts are whole zatoshi as
 * text.
 */
export interface EscrowWallet {
  readonly tAddress: string;
  readonly zAddress: string;
  info(): Promise<{ height: number }>;
  /** Balances of the whole wallet, including unconfirmed and without immature money. */
  balances(): Promise<{ transparent: string; shielded: string }>;
  /** Unspent outputs at the transparent address, with at least this many confirmations. */
  unspent(confirmations: number): Promise<Output[]>;
  /** Receipts at the transparent address since the cursor of an earlier call, including unconfirmed ones. */
  receipts(since: string | undefined, depth: number): Promise<{ receipts: Receipt[]; cursor: string }>;
  /** Operations the wallet remembers: all, or those named. A restart forgets them. */
  operations(opids?: readonly string[]): Promise<Operation[]>;
  /** Removes finished operations from the wallet's memory. */
  forget(opids: readonly string[]): Promise<void>;
  /** Notes received at the shielded address, unconfirmed included. */
  notes(): Promise<{ txid: string; memo: string }[]>;
  /** Null where the wallet does not know it. */
  transaction(txid: string): Promise<Transaction | null>;
  /**
   * Orders a transfer and answers the operation's id. Throws a WalletFault that says whether the wallet may have
   * accepted it.
   */
  send(transfer: Transfer): Promise<{ opid: string }>;
  /** Whether the wallet accepts this as an address. */
  isAddress(text: string): Promise<boolean>;
}

export interface Output {
  id: string;
  amount: Zatoshi;
  coinbase: boolean;
}
export interface Receipt extends Output {
  txid: string;
  confirmations: number;
  mature: boolean;
}

export interface Operation {
  opid: string;
  status: "queued" | "executing" | "success" | "failed" | "cancelled";
  method?: string;
  /** Memos of its payments, as hex, where the wallet reports them. */
  memos: readonly string[];
  txid?: string;
  error?: { code: number; message: string };
}

export interface Transaction {
  txid: string;
  /** -1: neither mined nor waiting to be. */
  confirmations: number;
  /** Unmined, and too old to be mined at the present height. */
  expired: boolean;
  /** The amount of the wallet's notes that it spends. */
  spent: string;
  /** The fee as the wallet reports it, for transparent inputs; else inputs minus outputs, all of which are known. */
  fee: string;
  outputs: readonly { amount: string; memo: string; outgoing: boolean; address?: string; change: boolean }[];
  /** Whether the wallet itself made it. */
  own: boolean;
}

/** The three kinds of transfer; each refuses unsuitable addresses before the wallet is called. */
export type Transfer =
  | { kind: "payout"; to: string; amount: Zatoshi; memo: string }
  | { kind: "shield"; amount: Zatoshi; fee: string; confirmations: number; memo: string }
  | { kind: "shield-coinbase"; memo: string };

/** How a call failed. `outcome` says whether the wallet may have accepted it nevertheless. */
export interface WalletFault extends Error {
  kind: "unreachable" | "unauthorized" | "rpc" | "timeout" | "malformed" | "refused";
  outcome: "not-taken" | "unknown";
  /** Whether the same call may succeed later. */
  passing: boolean;
  code?: number;
}

export const isWalletFault = (error: unknown): error is WalletFault =>
  error instanceof Error && "outcome" in error && (error.outcome === "not-taken" || error.outcome === "unknown");
