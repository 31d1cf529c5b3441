import { readMemo, type MemoKey } from "../zcash/memo.ts";
import { question, type WalletView } from "./payout-steps.ts";
import { type Payout } from "./payouts.ts";
import { isWalletFault, type EscrowWallet, type Operation, type Transaction } from "../zcash/wallet-port.ts";
import { add } from "../zcash/zatoshi.ts";

/**
 * Errors of an operation that zcashd raises while choosing inputs, before there is a transaction (-6, -8: insufficient
 * funds, policy).
 */
const BEFORE_ANY_TRANSACTION = new Set([-6, -8]);

type Seen = Extract<WalletView, { seen: "transaction" }>;

/**
 * The sum paid under this payout's memo. The marker that returns to the escrow has no value, so the sum is the payment.
 */
function paidUnder(payout: Payout, { outputs }: Transaction, memoKey: MemoKey): string | null {
  const bearing = outputs.filter(({ memo }) => readMemo(memoKey, memo)?.payoutId === payout.id);
  return bearing.length ? add("0", ...bearing.map(({ amount }) => amount)) : null;
}

/**
 * Judges a transaction as evidence: it counts if the wallet made it and it pays the ordered amount under our memo. The
 * payee is not compared: after a rescan a wallet shows a bare receiver instead of a unified address; the memo is only
 * ever sent with its payee.
 */
function judge(payout: Payout, transaction: Transaction, height: number, memoKey: MemoKey): Seen {
  const { txid, confirmations, expired, fee, own } = transaction;
  const arrived = paidUnder(payout, transaction, memoKey);
  const right = own && arrived !== null && (payout.amount === undefined || payout.amount === arrived);
  return { seen: "transaction", txid, confirmations, expired, right, height, arrived: arrived ?? "0", fee };
}

const isLive = ({ status }: Operation): boolean => status === "queued" || status === "executing";

/**
 * The operations of a payout's last attempt, by id, else by memo. Coinbase operations have no memo: a running one may
 * be ours.
 */
function operationsOf(payout: Payout, operations: readonly Operation[], memoKey: MemoKey): Operation[] {
  if (payout.opid) return operations.filter(({ opid }) => opid === payout.opid);
  if (payout.kind === "shield-coinbase")
    return operations.filter((operation) => operation.method === "z_shieldcoinbase" && isLive(operation));
  return operations.filter(({ memos }) =>
    memos.some((memo) => {
      const found = readMemo(memoKey, memo);
      return found?.payoutId === payout.id && found.attempt === payout.attempts;
    }),
  );
}

/** A transaction of any attempt, found by its memo among the notes that returned to the escrow. */
async function findByMemo(
  payout: Payout,
  height: number,
  wallet: EscrowWallet,
  memoKey: MemoKey,
): Promise<Seen | null> {
  const notes = (await wallet.notes()).filter(
    ({ txid, memo }) => !payout.abandoned?.includes(txid) && readMemo(memoKey, memo)?.payoutId === payout.id,
  );
  let wrong: Seen | null = null;
  for (const txid of new Set(notes.map((note) => note.txid))) {
    const transaction = await wallet.transaction(txid);
    // A payee who knows the memo can send it to us: only transactions of the wallet itself count.
    if (!transaction?.own) continue;
    const seen = judge(payout, transaction, height, memoKey);
    if (seen.right) return seen;
    wrong = seen;
  }
  return wrong;
}

/**
 * What became of the last call. The order of reads matters: operations before notes, so that one which ends between the
 * two is seen by its note; the height between them, so that it is not below any height at which a vanished operation
 * still worked, and not above that of the notes.
 */
async function outcome(payout: Payout, wallet: EscrowWallet, memoKey: MemoKey): Promise<WalletView> {
  const mine = operationsOf(payout, await wallet.operations(payout.opid ? [payout.opid] : undefined), memoKey);
  const done = mine.find(({ status, txid }) => status === "success" && txid);
  if (done) return { seen: "operation", opid: done.opid, txid: done.txid };
  const live = mine.find(isLive);
  if (live) return { seen: "operation", ...(payout.kind !== "shield-coinbase" && { opid: live.opid }) };
  const { height } = await wallet.info();
  const found = await findByMemo(payout, height, wallet, memoKey);
  if (found) return found;
  const failed = mine.find(({ status }) => status === "failed" || status === "cancelled");
  if (!failed) return { seen: "absent", height };
  const { status, error } = failed;
  const isRefused = status === "cancelled" || BEFORE_ANY_TRANSACTION.has(error?.code ?? 0);
  return { seen: "absent", height, failure: error?.message ?? "its operation was cancelled", refused: isRefused };
}

/** The depth of its transaction; a wallet that lost its record may have found it again by scanning the chain. */
async function depth(payout: Payout, wallet: EscrowWallet, memoKey: MemoKey): Promise<WalletView> {
  const { height } = await wallet.info();
  const transaction = await wallet.transaction(payout.txid!);
  if (transaction) return judge(payout, transaction, height, memoKey);
  return (await findByMemo(payout, height, wallet, memoKey)) ?? { seen: "absent", height };
}

/** Asks the wallet for what the next step depends on. A fault of the wallet is an answer too: nothing seen. */
export async function askWallet(payout: Payout, wallet: EscrowWallet, memoKey: MemoKey): Promise<WalletView> {
  const asked = question(payout);
  if (asked === "nothing") return { seen: "nothing", fault: "not asked" };
  try {
    return await (asked === "depth" ? depth(payout, wallet, memoKey) : outcome(payout, wallet, memoKey));
  } catch (error) {
    if (!isWalletFault(error)) throw error;
    return { seen: "nothing", fault: error.message };
  }
}
