/** Zatoshi in one ZEC. */
const ZEC = 100_000_000n;
const DIGITS = 8;

/** What a field for an amount takes: ZEC with at most eight digits behind the point. */
export const ZEC_PATTERN = "[0-9]{1,8}([.][0-9]{1,8})?";

/** Zatoshi as ZEC in words: "-150000000" as "-1.5 ZEC". Exact: amounts never become numbers. */
export function zecWords(amount: string): string {
  const zatoshi = BigInt(amount);
  const size = zatoshi < 0n ? -zatoshi : zatoshi;
  let part = String(size % ZEC).padStart(DIGITS, "0");
  while (part.endsWith("0")) part = part.slice(0, -1);
  return `${zatoshi < 0n ? "-" : ""}${(size / ZEC).toLocaleString("en")}${part && `.${part}`} ZEC`;
}

/** What was typed in ZEC, in zatoshi; "-" before it takes away. */
export function zatoshiOf(typed: string): string {
  const [, sign = "", whole = "0", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(typed.trim()) ?? [];
  return `${sign}${BigInt(whole) * ZEC + BigInt(part.padEnd(DIGITS, "0"))}`;
}
