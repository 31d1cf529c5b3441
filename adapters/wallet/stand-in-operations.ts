import { fromZec } from "./amounts.ts";
import {
  type Chain,
  type ShieldedOutput,
  type TransparentOutput,
  type Unspent,
  COINBASE_MATURITY,
} from "./stand-in-chain.ts";
import { formOf } from "./stand-in-random.ts";

/** An error as the node gives it. */
export class RpcFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Codes of zcashd's rpc/protocol.h. */
export const CODES = {
  type: -3,
  wallet: -4,
  address: -5,
  parameter: -8,
  warmup: -28,
  unknownMethod: -32601,
  parse: -32700,
} as const;

export interface Payment {
  address: string;
  amount: bigint;
  memo: string;
}

/** What an operation is to do, checked as far as the node checks before it answers. */
export interface OperationPlan {
  method: "z_sendmany" | "z_shieldcoinbase";
  from: string;
  payments: Payment[];
  minconf: number;
  fee: bigint | null;
  policy: string;
  /** Mined coins to shield, chosen and locked at once. */
  coins?: Unspent[];
  memo?: string;
  /** As z_getoperationstatus shows them. */
  params: object;
}

const POLICIES = [
  "FullPrivacy",
  "LegacyCompat",
  "AllowRevealedAmounts",
  "AllowRevealedRecipients",
  "AllowRevealedSenders",
  "AllowFullyTransparent",
  "AllowLinkingAccountAddresses",
  "NoPrivacy",
];
const REVEALS_SENDERS = [
  "LegacyCompat",
  "AllowRevealedSenders",
  "AllowFullyTransparent",
  "AllowLinkingAccountAddresses",
  "NoPrivacy",
];
const REVEALS_RECIPIENTS = ["LegacyCompat", "AllowRevealedRecipients", "AllowFullyTransparent", "NoPrivacy"];
const NOT_BY_DEFAULT = "which is not enabled by default because it will publicly reveal addresses and amounts.";
const MARGINAL_FEE = 5_000n;
/** Outputs reserved for change when the fee is reckoned. */
const CHANGE = 1;
const zec = (amount: bigint): string => `${amount / 100_000_000n}.${String(amount % 100_000_000n).padStart(8, "0")}`;

/** Conventional fee of ZIP 317, bundles padded to two outputs. */
const conventionalFee = (transparent: number, shielded: number): bigint =>
  MARGINAL_FEE * BigInt(Math.max(2, transparent + shielded));

const wrong = (message: string): RpcFault => new RpcFault(CODES.parameter, message);

function amountFrom(value: unknown): bigint {
  if (typeof value !== "string" && typeof value !== "number")
    throw new RpcFault(CODES.type, "Amount is not a number or string");
  try {
    const amount = BigInt(fromZec(value));
    if (amount >= 0n) return amount;
  } catch {
    /* the node has one message for both */
  }
  throw new RpcFault(CODES.type, "Invalid amount");
}

function memoFrom(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string" || !/^(?:[0-9a-f]{2})*$/i.test(value))
    throw wrong("Invalid parameter, expected memo data in hexadecimal format.");
  if (value.length > 1024) throw wrong("Invalid parameter, memo is longer than the maximum allowed 512 bytes.");
  return value;
}

function policyFrom(value: unknown, otherwise: string): string {
  if (value === undefined || value === null) return otherwise;
  if (!POLICIES.includes(value as string))
    throw new RpcFault(CODES.parameter, `Unknown privacy policy name '${String(value)}'`);
  return value as string;
}

function fromAddress(value: unknown, chain: Chain): string {
  if (value !== chain.tAddress && value !== chain.zAddress)
    throw new RpcFault(CODES.address, "Invalid from address, no payment source found for address.");
  return value;
}

/** Checks the parameters of z_sendmany. */
export function planSendMany(
  [from, amounts, minconf = 10, fee = null, policy]: readonly unknown[],
  chain: Chain,
): OperationPlan {
  if (!Array.isArray(amounts) || amounts.length === 0)
    throw new RpcFault(CODES.parameter, "Invalid parameter, amounts array is empty.");
  const payments = (amounts as Record<string, unknown>[]).map(({ address, amount, memo }): Payment => {
    if (typeof address !== "string" || !formOf(address))
      throw new RpcFault(CODES.parameter, `Invalid parameter, unknown address format: ${String(address)}`);
    return { address, amount: amountFrom(amount), memo: memoFrom(memo) };
  });
  const twice = payments.find(({ address }, n) => payments.findIndex((other) => other.address === address) !== n);
  if (twice) throw new RpcFault(CODES.parameter, `Invalid parameter, duplicated recipient address: ${twice.address}`);
  if (typeof minconf !== "number" || minconf < 0)
    throw new RpcFault(CODES.parameter, "Minimum number of confirmations cannot be less than 0");
  const params = { fromaddress: from, amounts, minconf, ...(fee !== null && { fee }) };
  const terms = { fee: fee === null ? null : amountFrom(fee), policy: policyFrom(policy, "LegacyCompat") };
  return { method: "z_sendmany", from: fromAddress(from, chain), payments, minconf, ...terms, params };
}

/** Checks the parameters of z_shieldcoinbase and chooses the coins. */
export function planShieldCoinbase(
  given: readonly unknown[],
  chain: Chain,
  locked: ReadonlySet<string>,
): OperationPlan & { coins: Unspent[]; remaining: Unspent[] } {
  const [from, to, fee = null, limit = 50, memo, policy] = given;
  const source = fromAddress(from, chain);
  if (typeof to !== "string" || formOf(to) !== "shielded")
    throw new RpcFault(CODES.parameter, `Invalid parameter, unknown address format: ${String(to)}`);
  const mined = chain
    .coins()
    .filter(({ id, coinbase, depth }) => coinbase && depth >= COINBASE_MATURITY && !locked.has(id));
  const most = limit === 0 ? mined.length : Number(limit);
  const coins = mined.slice(0, most);
  const total = coins.reduce((sum, { amount }) => sum + amount, 0n);
  const paid = fee === null ? conventionalFee(coins.length, 2) : amountFrom(fee);
  if (total <= paid) throw new RpcFault(CODES.parameter, `Insufficient funds: have ${zec(total)}, need ${zec(paid)}.`);
  const payments = [{ address: to, amount: total - paid, memo: memoFrom(memo) }];
  const terms = { minconf: COINBASE_MATURITY, fee: paid, policy: policyFrom(policy, "AllowRevealedSenders") };
  const params = { fromaddress: from, toaddress: to };
  return { method: "z_shieldcoinbase", from: source, payments, ...terms, coins, remaining: mined.slice(most), params };
}

export interface Built {
  spends: string[];
  shielded: ShieldedOutput[];
  transparent: TransparentOutput[];
}

/** Smallest first, until there is enough. */
function choose(
  from: readonly Unspent[],
  enough: (chosen: readonly Unspent[]) => bigint,
): { chosen: Unspent[]; total: bigint; needed: bigint } {
  const sorted = [...from].sort((one, other) => (one.amount < other.amount ? -1 : 1));
  const chosen: Unspent[] = [];
  let total = 0n;
  while (total < enough(chosen) && sorted.length > 0) {
    const next = sorted.shift()!;
    chosen.push(next);
    total += next.amount;
  }
  return { chosen, total, needed: enough(chosen) };
}

/** Builds the transaction of a plan, as the node does when its turn comes: policy, inputs, fee, change. */
export function buildTransaction(plan: OperationPlan, chain: Chain, locked: ReadonlySet<string>): Built {
  const { from, payments, policy } = plan;
  const isTransparent = from === chain.tAddress;
  const open = payments.filter(({ address }) => formOf(address) === "transparent");
  if (open.length > 0 && !REVEALS_RECIPIENTS.includes(policy))
    throw wrong(`This transaction would have transparent recipients, ${NOT_BY_DEFAULT}`);
  if (isTransparent && !REVEALS_SENDERS.includes(policy))
    throw wrong(`This transaction would spend transparent funds, ${NOT_BY_DEFAULT}`);
  const sum = payments.reduce((total, { amount }) => total + amount, 0n);
  const shielded = payments.filter(({ address }) => formOf(address) === "shielded");
  const actions = (inputs: number): bigint =>
    isTransparent
      ? conventionalFee(inputs, 2)
      : conventionalFee(open.length, Math.max(inputs, 2, shielded.length + CHANGE));
  const available = (plan.coins ?? (isTransparent ? chain.coins() : chain.notes())).filter(
    ({ id, depth }) => depth >= plan.minconf && !locked.has(id),
  );
  const { chosen, total, needed } = choose(available, (inputs) => sum + (plan.fee ?? actions(inputs.length)));
  if (total < needed)
    throw new RpcFault(CODES.parameter, `Insufficient funds: have ${zec(total)}, need ${zec(needed)}.`);
  const change = total - needed;
  if (change > 0n && isTransparent) throw wrong(`This transaction would have transparent change, ${NOT_BY_DEFAULT}`);
  const returned = change > 0n ? [{ address: from, amount: change, memo: "", change: true }] : [];
  return {
    spends: chosen.map(({ id }) => id),
    transparent: open.map(({ address, amount }) => ({ address, amount })),
    shielded: [...shielded.map(({ address, amount, memo }) => ({ address, amount, memo, change: false })), ...returned],
  };
}
