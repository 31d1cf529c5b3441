import { z } from "zod";

/**
 * An amount of voting power or of tokens: a whole number of any size, in decimal, since JSON's numbers are exact to
 * 2^53 only.
 */
export const Amount = z
  .string()
  .regex(/^(0|[1-9]\d{0,37})$/, "Must be a whole number in decimal without leading zeros, of at most 38 digits.");

/** Amounts added up, of however many members and roles: longer than each of them. */
export const Total = z.string().regex(/^(0|[1-9]\d{0,59})$/, "Must be a whole number in decimal of at most 60 digits.");

export const BASIS_POINTS = 10_000n;

/**
 * Largest whole number whose square is at most `n` (n >= 0). Newton's iteration from above: Cohen, A Course in
 * Computational Algebraic Number Theory, algorithm 1.7.1.
 */
export function isqrt(n: bigint): bigint {
  if (n < 0n) throw new RangeError("The square root of a negative number is not whole.");
  // A double is exact up to 2^53, and so is the floor of its root.
  if (n < 4_503_599_627_370_496n) return BigInt(Math.floor(Math.sqrt(Number(n))));
  // Near it to begin with where a double holds it; after one step an iterate is never below the root, so that the rest
  // falls.
  const near = Math.sqrt(Number(n));
  let root = Number.isFinite(near) ? BigInt(Math.floor(near)) : 1n << BigInt(n.toString(16).length * 2);
  root = (root + n / root) >> 1n;
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Part of a whole in basis points, rounded up: a quorum of 10 % of 11 is 2. */
export const shareUp = (whole: bigint, basisPoints: number): bigint =>
  (whole * BigInt(basisPoints) + BASIS_POINTS - 1n) / BASIS_POINTS;

export const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
};
