import { z } from "zod";

/**
 * Amounts of money: integer zatoshi (1 ZEC = 100,000,000 zatoshi) as decimal text. JSON numbers and floats are never
 * money: text means the same in every language, and BigInt adds it exactly.
 */
export type Zatoshi = string;

/** All the money there will ever be: 21,000,000 ZEC (protocol specification §5.3, MAX_MONEY). */
export const MOST_ZATOSHI = 21_000_000n * 100_000_000n;

const AMOUNT = /^[1-9][0-9]{0,15}$/;
const DELTA = /^(?:0|-?[1-9][0-9]{0,15})$/;

export const Zatoshi = z
  .string()
  .regex(AMOUNT, "must be a whole number of zatoshi written as text, without sign, leading zero, point or exponent")
  .refine((text) => !AMOUNT.test(text) || BigInt(text) <= MOST_ZATOSHI, `must not exceed ${MOST_ZATOSHI} zatoshi`)
  .describe('Whole zatoshi as text: 1 ZEC is "100000000".');

/** An invalid amount: names the field and the fault. */
export class BadAmount extends RangeError {
  readonly field: string;
  constructor(field: string, complaint: string) {
    super(`${field}: ${complaint}`);
    this.name = "BadAmount";
    this.field = field;
  }
}

/** An amount from 1 to MOST_ZATOSHI, as BigInt. Throws BadAmount. */
export function zatoshi(text: unknown, field = "amount"): bigint {
  if (typeof text !== "string" || !AMOUNT.test(text))
    throw new BadAmount(field, "must be a whole number of zatoshi written as text, at least 1");
  const amount = BigInt(text);
  if (amount > MOST_ZATOSHI) throw new BadAmount(field, `must not exceed ${MOST_ZATOSHI} zatoshi`);
  return amount;
}

/**
 * A balance or the amount of a ledger line: may be negative or zero, at most MOST_ZATOSHI either way. Throws BadAmount.
 */
export function delta(text: unknown, field = "amount"): bigint {
  if (typeof text !== "string" || !DELTA.test(text))
    throw new BadAmount(field, "must be a whole number of zatoshi written as text");
  const amount = BigInt(text);
  if (amount > MOST_ZATOSHI || amount < -MOST_ZATOSHI)
    throw new BadAmount(field, `must lie within ${MOST_ZATOSHI} zatoshi of zero`);
  return amount;
}

/** Writes an amount from 1 to MOST_ZATOSHI. Throws BadAmount. */
export function format(amount: bigint, field = "amount"): Zatoshi {
  if (amount < 1n || amount > MOST_ZATOSHI)
    throw new BadAmount(field, `must lie between 1 and ${MOST_ZATOSHI} zatoshi, not ${amount}`);
  return amount.toString();
}

/** Writes a signed amount. Throws BadAmount beyond MOST_ZATOSHI either way. */
export function formatDelta(amount: bigint, field = "amount"): string {
  if (amount > MOST_ZATOSHI || amount < -MOST_ZATOSHI)
    throw new BadAmount(field, `must lie within ${MOST_ZATOSHI} zatoshi of zero, not ${amount}`);
  return amount.toString();
}

/** The sum of signed amounts, exact. Throws BadAmount on an invalid amount, and where the sum leaves the bounds. */
export const add = (...amounts: readonly string[]): string =>
  formatDelta(
    amounts.reduce((total, each) => total + delta(each), 0n),
    "sum",
  );

export const negate = (amount: string): string => formatDelta(-delta(amount));

/** -1, 0 or 1, for sorting. */
export function compare(left: string, right: string): -1 | 0 | 1 {
  const difference = delta(left) - delta(right);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
