import { z } from "zod";
import { unprocessable } from "../../../../core/problem.ts";
import { readAddress } from "../../../../core/did/evm-addresses.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";

/** An amount in the smallest unit, as text: no JSON number holds it. */
const Amount = z.string().regex(/^-?\d+$/);
const ETHER_DECIMALS = 18;
export const money = { unit: "wei", decimals: ETHER_DECIMALS } as const;

const balance = {
  accountId: z.string().describe("CAIP-10: `eip155:<chain>:<address>`."),
  amount: Amount.describe("What it holds, in the smallest unit."),
  block: z.string().describe("The block that this is of."),
  at: Instant.describe("When it was read."),
};

/** A balance that was seen to be another than before. Chains keep no list of who paid an account: this is ours. */
export const FundingChange = entity("admin.funding-changes", {
  title: "change of funding",
  collection: "funding_changes",
  fields: { ...balance, before: Amount.optional().describe("Absent where it was seen for the first time.") },
  lists: [{ by: [], sort: ["-createdAt"] }],
  indexes: [{ fields: ["accountId", "-createdAt"] }],
});
export type FundingChange = Item<typeof FundingChange>;

const Unit = { unit: z.literal("wei"), decimals: z.int() };
export const BalanceView = z.object({ ...balance, ...Unit, funded: z.boolean() }).meta({ id: "FundingBalance" });
export const ChangeView = z
  .object({
    ...balance,
    ...Unit,
    before: Amount.optional(),
    change: Amount.describe("Negative if it paid more than it received."),
  })
  .meta({ id: "FundingChange" });

export const changeView = ({ accountId, amount, before, block, at }: FundingChange): z.input<typeof ChangeView> => ({
  ...{ accountId, amount, block, at },
  ...money,
  ...(before !== undefined && { before }),
  change: String(BigInt(amount) - BigInt(before ?? 0)),
});

const CAIP_10 = /^eip155:([1-9]\d{0,14}):(0x[0-9a-fA-F]{40})$/;

const addressIn = (accountId: string): string | null => readAddress(CAIP_10.exec(accountId)?.[2] ?? accountId);

export const AccountId = z
  .string()
  .max(100)
  .refine(
    (accountId) => addressIn(accountId) !== null,
    "This is neither an address nor `eip155:<chain>:<address>`, its capitals right (EIP-55).",
  );

/** The address that an account id names on this chain. Throws 422 on one of another chain. */
export function addressOf(accountId: string, chainId: number): string {
  const chain = CAIP_10.exec(accountId)?.[1];
  if (chain !== undefined && Number(chain) !== chainId)
    throw unprocessable(
      "OTHER_CHAIN",
      `accountId: this is an account of chain ${chain}; here chain ${chainId} is read.`,
    );
  return addressIn(accountId)!;
}

export const accountIdOf = (address: string, chainId: number): string => `eip155:${chainId}:${readAddress(address)}`;
