import { z } from "zod";
import type { Chain } from "../../../../adapters/chain/chain.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { isProblem, notConfigured } from "../../../../core/problem.ts";
import { CursorMeta, feeding } from "../../../../core/records/entity.ts";
import {
  AccountId,
  accountIdOf,
  addressOf,
  BalanceView,
  ChangeView,
  changeView,
  FundingChange,
  money,
} from "./funding.ts";

const permit = "platform:administer";
const us = asSystem("admin");

/** The chain that is read. Throws 503 NOT_CONFIGURED where none is. */
function chainOf({ world: { chain } }: Host): Chain {
  if (!chain) throw notConfigured("No chain is configured: CHAIN_RPC_URL, CHAIN_ID, FUNDING_ACCOUNTS.");
  return chain;
}

async function balanceOf(host: Host, chain: Chain, address: string): Promise<z.output<typeof BalanceView>> {
  const { wei, block } = await chain.balance(address);
  return {
    accountId: accountIdOf(address, chain.chainId),
    amount: String(wei),
    block: String(block),
    at: iso(host.world.clock.now()),
    ...money,
    funded: wei > 0n,
  };
}

/** Looks at the accounts and writes down which have become more or less. A chain that is away is asked the next time. */
export async function watchFunding(this: Host): Promise<void> {
  const { chain, env } = this.world;
  if (!chain) return;
  for (const address of env.FUNDING_ACCOUNTS) {
    try {
      const { accountId, amount, block, at } = await balanceOf(this, chain, address);
      const store = this.store(FundingChange);
      const [last] = await store.find(us, { accountId }, { sort: ["-createdAt"], limit: 1 });
      if (last?.amount === amount) continue;
      await store.create(us, { accountId, amount, block, at, ...(last && { before: last.amount }) });
    } catch (error) {
      if (!isProblem(error)) throw error;
      this.logger.warn(`What an account holds that agents are paid from is not known now: ${error.message}`);
    }
  }
}

export const fundingActions = {
  "fundingAccounts.getStatus": endpoint({
    rest: "GET /funding/status",
    summary: "Read how the agents are funded",
    permit,
    returns: data(
      z.object({
        configured: z.boolean(),
        chain: z.string().optional().describe("CAIP-2."),
        accounts: z.array(BalanceView).optional(),
      }),
    ),
    description: "Balances of the accounts in the setting `FUNDING_ACCOUNTS`, at the newest block.",
    async handler() {
      const { chain, env } = this.world;
      if (!chain || !env.FUNDING_ACCOUNTS.length) return { configured: false };
      const accounts = await Promise.all(env.FUNDING_ACCOUNTS.map((address) => balanceOf(this, chain, address)));
      return { configured: true, chain: `eip155:${chain.chainId}`, accounts };
    },
  }),

  "fundingChanges.list": endpoint({
    rest: "GET /funding/history",
    summary: "List past funding, newest first",
    permit,
    query: feeding,
    returns: list(ChangeView, CursorMeta),
    description:
      "Observed changes of balances, checked every five minutes: a chain keeps no list of who paid an account.",
    errors: { 503: "`NOT_CONFIGURED`." },
    async handler(ctx) {
      chainOf(this);
      const { data: rows, meta } = await this.store(FundingChange).feed(ctx, ctx.params);
      return { data: rows.map(changeView), meta };
    },
  }),

  "fundingAccounts.get": endpoint({
    rest: "GET /funding/check/:accountId",
    summary: "Check whether an account has funds",
    permit,
    path: { accountId: AccountId },
    returns: data(BalanceView),
    description: "An address, or `eip155:<chain>:<address>` (CAIP-10).",
    errors: { 422: "`OTHER_CHAIN`.", 503: "`NOT_CONFIGURED`." },
    handler(ctx) {
      const chain = chainOf(this);
      return balanceOf(this, chain, addressOf(ctx.params.accountId, chain.chainId));
    },
  }),
};
