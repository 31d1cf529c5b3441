import { iso } from "../../../../core/clock.ts";
import type { Books } from "../ledger/books.ts";
import { ESCROW, type Desk } from "../context.ts";
import { expected } from "../ledger/ledger.ts";
import type { Payout } from "./payouts.ts";
import type { Transaction } from "../zcash/wallet-port.ts";
import { add, compare, delta, negate } from "../zcash/zatoshi.ts";

/**
 * The largest fee (zatoshi) that a transfer of unknown outcome may have cost beyond its amount: it only widens the
 * tolerated difference.
 */
const FEE_ALLOWANCE = "1000000";
const TRIES = 3;

interface Pair {
  transparent: string;
  shielded: string;
}

export interface Reconciliation {
  at: string;
  /** Number of the last ledger entry it was made against. */
  seq: number;
  wallet: Pair;
  /** What the wallet should hold: the ledger, deposits not yet booked, and transactions under way. */
  expected: Pair;
  /** Wallet less expected. */
  drift: Pair;
  /** Payouts of unknown outcome, which may explain a difference. */
  unresolved: string[];
  /** An unexplained difference in words; null where all is well. */
  alert: string | null;
  /** Whether nothing moved during the comparison; while something moves there is no alert. */
  steady: boolean;
}

const ZERO: Pair = { transparent: "0", shielded: "0" };
const sum = (one: Pair, other: Pair): Pair => ({
  transparent: add(one.transparent, other.transparent),
  shielded: add(one.shielded, other.shielded),
});

const isShielding = ({ kind }: Payout): boolean => kind === "shield" || kind === "shield-coinbase";

/** The effect of a transaction under way on the wallet's balances; none after it expired or left the mempool. */
function effectOf(payout: Payout, { confirmations, fee, spent, outputs }: Transaction): Pair {
  if (confirmations < 0) return ZERO;
  const returned = outputs.reduce((total, { amount, outgoing }) => (outgoing ? total : add(total, amount)), "0");
  if (isShielding(payout)) return { transparent: negate(add(returned, fee)), shielded: returned };
  return { transparent: "0", shielded: add(returned, negate(spent)) };
}

/** Deposits that the wallet counts and the ledger does not yet. */
async function unbooked({ wallet, state, deposits, policy }: Desk): Promise<string> {
  const cursor = (await state.findById("receipts"))?.["cursor"];
  const { receipts } = await wallet.receipts(cursor, policy.confirmations + 1);
  const counted = receipts.filter(({ mature, confirmations }) => mature && confirmations >= 0);
  const booked = new Set(
    (
      await deposits.many(
        ESCROW,
        counted.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  );
  return add("0", ...counted.filter(({ id }) => !booked.has(id)).map(({ amount }) => amount));
}

/** Whether payouts of unknown outcome can explain the drift. */
function isExplained(drift: Pair, unresolved: readonly Payout[]): boolean {
  const out = add(
    "0",
    ...unresolved.filter((payout) => !isShielding(payout)).map(({ amount }) => add(amount!, FEE_ALLOWANCE)),
  );
  const isMoving = unresolved.some(isShielding);
  // A shielding moves money between the two balances: their sum falls by its fee, and no more.
  const together = add(drift.transparent, drift.shielded);
  const most = isMoving ? add(out, FEE_ALLOWANCE) : out;
  if (isMoving)
    return compare(together, "0") <= 0 && compare(together, negate(most)) >= 0 && compare(drift.transparent, "0") <= 0;
  return drift.transparent === "0" && compare(drift.shielded, "0") <= 0 && compare(drift.shielded, negate(out)) >= 0;
}

const underway = ({ payouts }: Desk): Promise<Payout[]> =>
  payouts.find(ESCROW, { inFlight: { $exists: true } }, { sort: ["_id"] });

const same = (before: readonly Payout[], now: readonly Payout[]): boolean =>
  before.length === now.length &&
  before.every(({ id, rev }, index) => now[index]!.id === id && now[index]!.rev === rev);

async function compareOnce(desk: Desk, books: Books): Promise<Reconciliation> {
  const { wallet, clock } = desk;
  const [last, moving] = [await books.last(), await underway(desk)];
  const balances = await wallet.balances();
  let should = sum(last ? expected(last.totals) : ZERO, { transparent: await unbooked(desk), shielded: "0" });
  const unresolved: Payout[] = [];
  for (const payout of moving) {
    const booked = payout.state === "confirmed" && (await books.has(`payout:${payout.id}`));
    const transaction = payout.txid && !booked ? await wallet.transaction(payout.txid) : null;
    if (transaction) should = sum(should, effectOf(payout, transaction));
    else if (!booked && payout.attempts > 0 && payout.state !== "release_requested") unresolved.push(payout);
  }
  const drift = sum(balances, { transparent: negate(should.transparent), shielded: negate(should.shielded) });
  const again = await wallet.balances();
  const unmoved = again.transparent === balances.transparent && again.shielded === balances.shielded;
  const steady = unmoved && (await books.last())?.seq === last?.seq && same(moving, await underway(desk));
  const alert = isExplained(drift, unresolved) || !steady ? null : inWords(drift);
  return {
    at: iso(clock.now()),
    seq: last?.seq ?? 0,
    wallet: balances,
    expected: should,
    drift,
    unresolved: unresolved.map(({ id }) => id),
    alert,
    steady,
  };
}

const signed = (amount: string): string => (delta(amount) > 0n ? `+${amount}` : amount);
const inWords = ({ transparent, shielded }: Pair): string =>
  `The wallet holds ${signed(transparent)} transparent and ${signed(shielded)} shielded zatoshi beyond what ` +
  "the ledger explains.";

/** Compares the wallet's balances with the ledger's; repeated while something moves. Throws a WalletFault. */
export async function reconcile(desk: Desk, books: Books): Promise<Reconciliation> {
  let outcome = await compareOnce(desk, books);
  for (let tried = 1; tried < TRIES && !outcome.steady; tried++) outcome = await compareOnce(desk, books);
  return outcome;
}
