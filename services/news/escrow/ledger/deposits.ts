import { z } from "zod";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { FEE_RESERVE } from "../zcash/fees.ts";
import type { MoneyStage } from "../money-stages.ts";
import { format, zatoshi, Zatoshi } from "../zcash/zatoshi.ts";

/** Money that arrived at the escrow's transparent address, confirmed deeply enough. Its id is `<txid>:<output>`. */
export const Deposit = entity("deposits", {
  title: "deposit",
  collection: "escrow_deposits",
  fields: {
    txid: z.string(),
    amount: Zatoshi,
    coinbase: z.boolean(),
    subject: z.string().optional().describe("The bounty or subscription it pays for; absent until that is known."),
    shielded: z.boolean(),
    funded: z.boolean().describe("Whether its money is set aside for the subject."),
    attributedBy: z.string().optional(),
    why: z.string().optional(),
  },
  filter: ["subject", "shielded", "funded"],
  lists: [{ by: [], filter: ["subject"], sort: ["-createdAt"] }],
  indexes: [{ fields: ["subject"], sparse: true }, { fields: ["txid"] }, { fields: ["funded", "shielded"] }],
});
export type Deposit = Item<typeof Deposit>;

/**
 * How many different amounts one bounty amount can be requested as at once. The difference costs at most 0.0001 ZEC.
 */
export const TAILS = 10_000;

/** The exact amount to deposit: the promised amount, the fees until its payout, and a tail that identifies it. */
export const dueFor = (amount: Zatoshi, tail: number): Zatoshi =>
  format(zatoshi(amount) + FEE_RESERVE + BigInt(tail), "amount");

/** Whether a deposit covers the promised amount and the fees until its payout. */
export const suffices = (deposit: Zatoshi, amount: Zatoshi): boolean =>
  zatoshi(deposit) >= zatoshi(amount) + FEE_RESERVE;

/**
 * How far a payment may be off the amount asked for and still be taken for it: the reserve or the tail left out, or the
 * fee of an exchange taken off (0.001 ZEC).
 */
const NEAR = 100_000n;
export function isNear(deposit: Zatoshi, due: Zatoshi): boolean {
  const off = zatoshi(deposit) - zatoshi(due);
  return off !== 0n && off <= NEAR && -off <= NEAR;
}

interface Paid {
  stage: MoneyStage;
  /** Asked for and not there yet. */
  due?: Zatoshi | undefined;
  /** What came in for it. */
  received?: Zatoshi | undefined;
  confirmations: number;
  /** Whether something of nearly that amount came in meanwhile, and is nobody's yet. */
  hasNear: boolean;
}

/**
 * How far a payment to the escrow is, in words for whoever has to make it. What came in and is nobody's may be a
 * stranger's: neither how much it is nor where it came from is told.
 */
export function depositWords({ stage, due, received, confirmations, hasNear }: Paid): string {
  if (stage === "funding") return "It has come in, and waits to be moved into the shielded pool.";
  if (stage === "shielding") return "It has come in, and is on its way into the shielded pool.";
  if (stage !== "created") return received ? "It has come in." : "Nothing came in before this ended.";
  if (!due) return "The amount is being set; ask again in a moment.";
  const times = confirmations === 1 ? "once" : `${confirmations} times`;
  const none = `All of it is missing: no payment of exactly this amount has been confirmed ${times} yet.`;
  if (!hasNear) return none;
  return (
    `${none} A payment of nearly this amount came in meanwhile and matches nothing. If you made it, show that to an ` +
    "administrator of the escrow: they can assign it, if it covers what was promised and the reserve for fees. Do not " +
    "pay again before."
  );
}
