/** The wire has decimal ZEC with up to eight places, the rest of us whole zatoshi as text. */
const PLACES = 8;
const DECIMAL = /^(-?)(\d{1,8})(?:\.(\d{1,8}))?$/;
/** Above all the money there is, a double no longer holds eight places. */
const LARGEST = 21_000_000;

/**
 * Whole zatoshi (not negative) as decimal ZEC in text, which the node reads as exactly as a number. Throws RangeError.
 */
export function toZec(zatoshi: string): string {
  if (!/^\d{1,16}$/.test(zatoshi)) throw new RangeError("amount: must be whole zatoshi as text.");
  const digits = zatoshi.padStart(PLACES + 1, "0");
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}

/**
 * Decimal ZEC, as text or as a JSON number, as whole zatoshi. A double below 21,000,000 is exact to eight places.
 * Throws RangeError.
 */
export function fromZec(zec: unknown): string {
  const text = typeof zec === "number" && Math.abs(zec) <= LARGEST ? zec.toFixed(PLACES) : zec;
  const found = typeof text === "string" ? DECIMAL.exec(text) : null;
  if (!found) throw new RangeError("amount: this is no amount of ZEC.");
  const [, sign, whole, fraction = ""] = found;
  const amount = BigInt(whole! + fraction.padEnd(PLACES, "0"));
  return (sign ? -amount : amount).toString();
}

/** A JSON number of zatoshi (`amountZat`, `valueZat`) as text. Throws RangeError. */
export function fromZat(zat: unknown): string {
  if (typeof zat !== "number" || !Number.isSafeInteger(zat))
    throw new RangeError("amount: this is no amount of zatoshi.");
  return String(zat);
}
