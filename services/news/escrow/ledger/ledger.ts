import { add, delta, formatDelta, negate, zatoshi, type Zatoshi } from "../zcash/zatoshi.ts";

/**
 * Where money can be. `transparent` and `pool` are the wallet's two balances, the latter without what is set aside for
 * a bounty or a subscription; `creator` is everybody who pays in (or is refunded), `payee` everybody who is paid,
 * `fees` the miners.
 */
export type LedgerAccount =
  | "transparent"
  | "pool"
  | "payee"
  | "fees"
  | "creator"
  | `bounty:${string}`
  | `subscription:${string}`;
export type EarmarkedAccount = Extract<LedgerAccount, `${string}:${string}`>;

/** What an entry adds to an account: whole zatoshi as text, negative where money leaves it. */
export interface Posting {
  account: LedgerAccount;
  amount: string;
}

/** One movement of money, booked completely or not at all: its lines add up to zero. Never changed, never removed. */
export interface LedgerEntry {
  /** Identifies the fact, so that it is never booked twice: `deposit:<txid>:<output>`, `payout:<id>`, ... */
  id: string;
  kind: "deposit" | "shielding" | "funding" | "payment" | "refund" | "adjustment";
  lines: readonly Posting[];
  /** Who made an adjustment and why; the transaction of a movement. */
  by?: string;
  why?: string;
  txid?: string;
}

/** Balances over all entries so far; `held` is what all bounties and subscriptions hold together. */
export type Totals = Record<"transparent" | "pool" | "held" | "payee" | "fees" | "creator", string>;
export const EMPTY: Totals = { transparent: "0", pool: "0", held: "0", payee: "0", fees: "0", creator: "0" };

const FIXED = new Set<string>(["transparent", "pool", "payee", "fees", "creator"]);
const CLAIM = /^(?:bounty|subscription):[\w-]{1,64}$/;

/** The lines without zeros, checked: known accounts, each once, at least two, adding up to zero. Throws RangeError. */
export function balanced(lines: readonly Posting[]): Posting[] {
  const kept = lines.filter(({ amount }) => delta(amount) !== 0n);
  const accounts = kept.map(({ account }) => account);
  const strange = accounts.find((account) => !FIXED.has(account) && !CLAIM.test(account));
  if (strange !== undefined) throw new RangeError(`There is no account ${strange}.`);
  if (new Set(accounts).size !== accounts.length) throw new RangeError("An entry names an account twice.");
  if (kept.length < 2) throw new RangeError("An entry moves money between two accounts at least.");
  const rest = kept.reduce((sum, { amount }) => sum + delta(amount), 0n);
  if (rest !== 0n) throw new RangeError(`The lines of an entry add up to ${rest}, not to zero.`);
  return kept;
}

const entry = (
  id: string,
  kind: LedgerEntry["kind"],
  lines: readonly Posting[],
  rest: Partial<LedgerEntry> = {},
): LedgerEntry => ({
  id,
  kind,
  lines: balanced(lines),
  ...rest,
});

/** Money arrived at the transparent address. */
export const deposited = (receipt: string, amount: Zatoshi, txid: string): LedgerEntry =>
  entry(
    `deposit:${receipt}`,
    "deposit",
    [
      { account: "creator", amount: negate(amount) },
      { account: "transparent", amount },
    ],
    { txid },
  );

/** Transparent money went into the pool; `amount` arrived there, `fee` went to the miners. */
export function shielded(payoutId: string, amount: Zatoshi, fee: string, txid: string): LedgerEntry {
  const lines: Posting[] = [
    { account: "transparent", amount: negate(add(amount, fee)) },
    { account: "pool", amount },
    { account: "fees", amount: fee },
  ];
  return entry(`payout:${payoutId}`, "shielding", lines, { txid });
}

/** Money in the pool was set aside for a bounty, or for a period of a subscription. */
export const funded = (claim: EarmarkedAccount, deposit: string, amount: Zatoshi): LedgerEntry =>
  entry(`funding:${deposit}`, "funding", [
    { account: "pool", amount: negate(amount) },
    { account: claim, amount },
  ]);

/** Money set aside left the wallet, to a payee or back to the creator. The pool pays the fee. */
export function paid(
  payoutId: string,
  claim: EarmarkedAccount,
  to: "payee" | "creator",
  amount: Zatoshi,
  fee: string,
  txid: string,
): LedgerEntry {
  const payment: Posting[] = [
    { account: claim, amount: negate(amount) },
    { account: to, amount },
  ];
  const cost: Posting[] = [
    { account: "pool", amount: negate(fee) },
    { account: "fees", amount: fee },
  ];
  return entry(`payout:${payoutId}`, to === "payee" ? "payment" : "refund", [...payment, ...cost], { txid });
}

/**
 * An administrator books what happened outside the escrow (a float paid in, an explained drift). `amount` is added to
 * the account.
 */
export function adjusted(
  id: string,
  account: "transparent" | "pool",
  amount: string,
  by: string,
  why: string,
): LedgerEntry {
  return entry(
    `adjustment:${id}`,
    "adjustment",
    [
      { account, amount },
      { account: "creator", amount: negate(amount) },
    ],
    { by, why },
  );
}

/** The totals after one more entry. */
export function after(totals: Totals, lines: readonly Posting[]): Totals {
  const next = { ...totals };
  for (const { account, amount } of lines) {
    const of = (FIXED.has(account) ? account : "held") as keyof Totals;
    next[of] = add(next[of], amount);
  }
  return next;
}

/** The balance of every account that ever moved, from the entries alone. */
export function balances(entries: Iterable<Pick<LedgerEntry, "lines">>): Map<LedgerAccount, string> {
  const sums = new Map<LedgerAccount, bigint>();
  for (const { lines } of entries) {
    for (const { account, amount } of lines) sums.set(account, (sums.get(account) ?? 0n) + delta(amount));
  }
  return new Map([...sums].map(([account, sum]) => [account, formatDelta(sum)]));
}

/** What the wallet should hold by the ledger. */
export const expected = ({ transparent, pool, held }: Totals): { transparent: string; shielded: string } => ({
  transparent,
  shielded: add(pool, held),
});

/** Whether a balance covers an amount. */
export const covers = (balance: string, amount: Zatoshi): boolean => delta(balance) >= zatoshi(amount);
