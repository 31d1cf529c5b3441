import type { Host } from "../../../../core/contract/endpoint.ts";
import { Delegation, type Limits } from "../delegations/delegations.ts";
import { Execution } from "../executions/executions.ts";
import { Allowance, allowancesOf, beginAllowance } from "./allowances.ts";

export interface Amount {
  calls?: number;
  tokens?: number;
  cost?: number;
}
const COUNTERS = { calls: "usedCalls", tokens: "usedTokens", cost: "usedCost" } as const;
type What = keyof typeof COUNTERS;

/** An account that an act is charged to: a run, each delegation it comes through, its plan, its day. */
export interface Account {
  entity: typeof Execution | typeof Delegation | typeof Allowance;
  id: string;
  limits: Limits;
}
type Run = Pick<Execution, "id" | "limits" | "agentId" | "problemSetId" | "plan">;
export const accountsOf = (host: Host, run: Run, chain: readonly Delegation[]): Account[] => [
  { entity: Execution, id: run.id, limits: run.limits },
  ...chain.map(({ id, limits }) => ({ entity: Delegation, id, limits })),
  ...allowancesOf(run, host.world.clock.now()).map((one) => ({ entity: Allowance, ...one })),
];

const entriesOf = (amount: Amount) =>
  (Object.entries(amount) as [What, number | undefined][]).flatMap(([what, value]) =>
    value === undefined ? [] : [[what, value] as const],
  );

async function add(host: Host, { entity, id, limits }: Account, amount: Amount, isBounded: boolean): Promise<boolean> {
  const entries = entriesOf(amount);
  const room = isBounded
    ? entries.flatMap(([what, value]) =>
        limits[what] === undefined ? [] : [[COUNTERS[what], { $lte: limits[what]! - value }]],
      )
    : [];
  const $inc = Object.fromEntries(entries.map(([what, value]) => [COUNTERS[what], value]));
  const claim = () => host.store(entity).collection.claim({ _id: id, ...Object.fromEntries(room) }, { $inc });
  if ((await claim()) !== null) return true;
  if (entity !== Allowance) return false;
  // The first of a day begins it; whoever asks at the same time finds it begun.
  await beginAllowance(host, id);
  return (await claim()) !== null;
}

const negative = (amount: Amount): Amount =>
  Object.fromEntries(entriesOf(amount).map(([what, value]) => [what, -value]));

/** Sets an amount aside on all accounts, or on none; answers whether there was room. */
export async function hold(host: Host, accounts: readonly Account[], amount: Amount): Promise<boolean> {
  // All at once share one commit. Where that fails, another may have been half-way in the same place.
  const found = await Promise.all(accounts.map((account) => add(host, account, amount, true)));
  if (found.every(Boolean)) return true;
  const taken = accounts.filter((_, at) => found[at]);
  await Promise.all(taken.map((account) => add(host, account, negative(amount), false)));
  return holdInTurn(host, accounts, amount);
}

async function holdInTurn(host: Host, accounts: readonly Account[], amount: Amount): Promise<boolean> {
  // One after the other, and always in the same order: two who ask for the last of it do not both go without.
  for (const [at, account] of accounts.entries()) {
    if (await add(host, account, amount, true)) continue;
    const taken = accounts.slice(0, at);
    await Promise.all(taken.map((before) => add(host, before, negative(amount), false)));
    return false;
  }
  return true;
}

/** Books what was used in place of what was held. A kill between the two leaves the account charged, never too little. */
export async function settle(host: Host, accounts: readonly Account[], held: Amount, used: Amount): Promise<void> {
  const amount = Object.fromEntries(
    (Object.keys(COUNTERS) as What[])
      .map((what) => [what, (used[what] ?? 0) - (held[what] ?? 0)] as const)
      .filter(([, difference]) => difference !== 0),
  );
  if (Object.keys(amount).length) await Promise.all(accounts.map((account) => add(host, account, amount, false)));
}
