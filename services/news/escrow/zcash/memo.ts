import { createHmac, KeyObject, timingSafeEqual } from "node:crypto";
import { withoutTrailing } from "../../../../core/text/plain.ts";

/** The payment that a memo identifies. */
export interface Memo {
  /** `bounty:<id>`, `subscription:<id>` or `shield`. */
  subject: string;
  payoutId: string;
  /**
   * Counts from 1. Each attempt has its own memo, so that a late transaction of an earlier one is not taken for this
   * one.
   */
  attempt: number;
}

/** Bytes of a memo field (protocol specification §5.5). */
export const MEMO_BYTES = 512;
const TAG_BYTES = 16;
const FORM = /^signalmesh escrow 1 ([a-z]+(?::[\w-]{1,64})?) ([\w-]{1,64}) ([1-9][0-9]{0,5}) ([0-9a-f]{32})$/;

/** The key that tags memos; of several, the first writes, and all are accepted when reading. */
export type MemoKey = KeyObject | readonly KeyObject[];
const keysOf = (key: MemoKey): readonly KeyObject[] => (key instanceof KeyObject ? [key] : key);

const tag = (key: KeyObject, text: string): string =>
  createHmac("sha256", key).update(text).digest().subarray(0, TAG_BYTES).toString("hex");

/**
 * Writes the memo of one attempt as hex, readable to the receiver (UTF-8 text, ZIP 302) and tagged with HMAC-SHA256 cut
 * to 128 bits: without the key nobody can make a note that we would take for our own payout. Throws RangeError on ids
 * that do not fit.
 */
export function writeMemo(key: MemoKey, { subject, payoutId, attempt }: Memo): string {
  const text = `signalmesh escrow 1 ${subject} ${payoutId} ${attempt}`;
  const memo = `${text} ${tag(keysOf(key)[0]!, text)}`;
  if (!FORM.test(memo))
    throw new RangeError("memo: subject, payoutId and attempt must be short words and a number from 1 to 999999.");
  return Buffer.from(memo, "utf8").toString("hex");
}

/** Reads a memo as wallets give it (hex, padded with zero bytes); null where it is not one of ours under this key. */
export function readMemo(key: MemoKey, hex: string): Memo | null {
  if (hex.length > MEMO_BYTES * 2 || !/^(?:[0-9a-f]{2})+$/i.test(hex)) return null;
  const found = FORM.exec(withoutTrailing(Buffer.from(hex, "hex").toString("utf8"), "\0"));
  if (!found) return null;
  const [memo, subject, payoutId, attempt, given] = found as unknown as [string, string, string, string, string];
  const text = memo.slice(0, -(TAG_BYTES * 2 + 1));
  if (!keysOf(key).some((one) => timingSafeEqual(Buffer.from(tag(one, text)), Buffer.from(given)))) return null;
  return { subject, payoutId, attempt: Number(attempt) };
}
