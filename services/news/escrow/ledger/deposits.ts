import { z } from "zod";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { FEE_RESERVE } from "../zcash/fees.ts";
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
