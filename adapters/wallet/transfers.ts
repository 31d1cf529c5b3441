import { toZec } from "./amounts.ts";
import { WalletError } from "./errors.ts";

/** What an address can be paid through: kinds and receivers as ZIP 316 names them. Throws on an invalid text. */
export type ReadAddress = (text: string) => { kind: string; receivers: readonly string[]; text: string };

/** Amounts are whole zatoshi as text, memos hex. */
export type Transfer =
  /** From the pool to a shielded payee, without anything public. */
  | { kind: "payout"; to: string; amount: string; memo: string }
  /** Everything at the transparent address that is deep enough, less the fee, into the pool. */
  | { kind: "shield"; amount: string; fee: string; confirmations: number; memo: string }
  /** Mined coins into the pool; the wallet counts them. */
  | { kind: "shield-coinbase"; memo: string };

export interface Home {
  tAddress: string;
  zAddress: string;
  minConfirmations: number;
}
export interface Call {
  method: "z_sendmany" | "z_shieldcoinbase";
  params: unknown[];
}

const MEMO = /^(?:[0-9a-f]{2}){1,512}$/;
const POOLS = ["sapling", "orchard"];

const refuse = (complaint: string): never => {
  throw new WalletError("refused", "not-taken", complaint);
};

function read(text: string, field: string, readAddress: ReadAddress): ReturnType<ReadAddress> {
  try {
    return readAddress(text);
  } catch (error) {
    return refuse(`${field}: ${(error as Error).message}.`);
  }
}

/**
 * Throws `refused` unless this is a shielded address. An address of any form without a shielded receiver is not paid.
 */
function mustBeShielded(text: string, field: string, readAddress: ReadAddress): string {
  const { kind, receivers, text: normal } = read(text, field, readAddress);
  const isShielded =
    (kind === "sapling" || kind === "unified") && receivers.some((receiver) => POOLS.includes(receiver));
  return isShielded ? normal : refuse(`${field}: a ${kind} address is not paid to; only a shielded one is.`);
}

/** Throws `refused` unless this is a transparent address whose outputs have one key (P2PKH). */
export function mustBeTransparent(text: string, field: string, readAddress: ReadAddress): string {
  const { kind, text: normal } = read(text, field, readAddress);
  return kind === "p2pkh" ? normal : refuse(`${field}: must be a transparent address (P2PKH), not a ${kind} one.`);
}

const amountOf = (text: string, field: string): string =>
  /^[1-9]\d{0,15}$/.test(text) ? toZec(text) : refuse(`${field}: must be whole zatoshi as text, at least 1.`);
const memoOf = (memo: string): string =>
  MEMO.test(memo) ? memo : refuse("memo: must be 1 to 512 bytes as lower-case hex.");

/**
 * The only place where a transfer becomes a call. The receiving end is always a shielded address, so that nothing goes
 * from transparent to transparent; a payout starts from the shielded one, under FullPrivacy, which the node itself then
 * enforces. Beside the payee, a payout pays zero to the escrow's own address, under the same memo: zcashd finds a sent
 * payment by its memo only through what the wallet received, even after it lost its records and rescanned the chain.
 * Throws `refused` before anything is sent.
 */
export function callFor(
  transfer: Transfer,
  { tAddress, zAddress, minConfirmations }: Home,
  readAddress: ReadAddress,
): Call {
  const home = mustBeShielded(zAddress, "zAddress", readAddress);
  const memo = memoOf(transfer.memo);
  if (transfer.kind === "payout") {
    const payee = mustBeShielded(transfer.to, "to", readAddress);
    if (payee === home) refuse("to: the payee is the escrow itself.");
    const amounts = [
      { address: payee, amount: amountOf(transfer.amount, "amount"), memo },
      { address: home, amount: toZec("0"), memo },
    ];
    return { method: "z_sendmany", params: [home, amounts, minConfirmations, null, "FullPrivacy"] };
  }
  const from = mustBeTransparent(tAddress, "tAddress", readAddress);
  // A limit of 0: as many outputs as fit.
  if (transfer.kind === "shield-coinbase")
    return { method: "z_shieldcoinbase", params: [from, home, null, 0, memo, "AllowRevealedSenders"] };
  const amounts = [{ address: home, amount: amountOf(transfer.amount, "amount"), memo }];
  return {
    method: "z_sendmany",
    params: [from, amounts, transfer.confirmations, amountOf(transfer.fee, "fee"), "AllowRevealedSenders"],
  };
}
