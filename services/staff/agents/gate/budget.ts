import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Query, Update } from "../../../../core/records/documents.ts";
import { Delegation, type Limits } from "../delegations/delegations.ts";
import { Execution } from "../executions/executions.ts";
import { Allowance, allowancesOf, beginAllowance } from "./allowances.ts";

export interface BudgetAmount {
  calls?: number;
  tokens?: number;
  cost?: number;
}
const COUNTERS = { calls: "usedCalls", tokens: "usedTokens", cost: "usedCost" } as const;
type What = keyof typeof COUNTERS;

/** An account that an act is charged to: the run, each delegation on the way, the plan, the day. */
export interface BudgetAccount {
  entity: typeof Execution | typeof Delegation | typeof Allowance;
  id: string;
  limits: Limits;
}
type Run = Pick<Execution, "id" | "limits" | "agentId" | "problemSetId" | "plan">;
export const accountsOf = (host: Host, run: Run, chain: readonly Delegation[]): BudgetAccount[] => [
  { entity: Execution, id: run.id, limits: run.limits },
  ...chain.map(({ id, limits }) => ({ entity: Delegation, id, limits })),
  ...allowancesOf(run, host.world.clock.now()).map((one) => ({ entity: Allowance, ...one })),
];

const WHATS = Object.keys(COUNTERS) as What[];
const minus = (one: BudgetAmount, other: BudgetAmount): BudgetAmount =>
  Object.fromEntries(WHATS.map((what) => [what, (one[what] ?? 0) - (other[what] ?? 0)]).filter(([, value]) => value));

/** Adds to what is used, if the record matches `where` and, for a bounded account, has room. */
async function add(
  host: Host,
  { entity, id, limits }: BudgetAccount,
  amount: BudgetAmount,
  { isBounded = false, where = {}, ...change }: { isBounded?: boolean; where?: Query } & Update,
): Promise<boolean> {
  const entries = Object.entries(amount) as [What, number][];
  const room = entries.flatMap(([what, value]) =>
    isBounded && limits[what] !== undefined ? [[COUNTERS[what], { $lte: limits[what]! - value }]] : [],
  );
  const query = { _id: id, ...where, ...Object.fromEntries(room) };
  const $inc = Object.fromEntries(entries.map(([what, value]) => [COUNTERS[what], value]));
  return (await host.store(entity).collection.claim(query, { ...(entries.length && { $inc }), ...change })) !== null;
}

const placeOf = (name: string): string => `holds.${name}`;

/** Reserves an amount under a name; a reservation under the same name, left by a kill, is replaced. */
async function take(host: Host, account: BudgetAccount, name: string, amount: BudgetAmount): Promise<boolean> {
  const { entity, id } = account;
  const at = placeOf(name);
  const $set = { [at]: amount };
  const fresh = () => add(host, account, amount, { isBounded: true, where: { [at]: null }, $set });
  if (await fresh()) return true;
  const found = await host.store(entity).collection.findById(id);
  if (!found && entity === Allowance) {
    // The first use of a day creates it; a concurrent one finds it created.
    await beginAllowance(host, id);
    return fresh();
  }
  const held = found?.["holds"]?.[name] as BudgetAmount | undefined;
  if (!held) return false;
  return add(host, account, minus(amount, held), { isBounded: true, where: { [at]: { $exists: true } }, $set });
}

/** Books the amount used in place of the reservation under a name, while that exists. */
async function release(host: Host, account: BudgetAccount, name: string, change: BudgetAmount): Promise<boolean> {
  const at = placeOf(name);
  return add(host, account, change, { where: { [at]: { $exists: true } }, $unset: { [at]: "" } });
}

/**
 * Reserves an amount on all accounts, or on none; answers whether there was room. A repetition after a kill uses the
 * same name, so that nothing is charged twice. Names are ids: no dots.
 */
export async function hold(
  host: Host,
  accounts: readonly BudgetAccount[],
  name: string,
  amount: BudgetAmount,
): Promise<boolean> {
  // All at once share one commit. If that fails, a concurrent reservation may have been half-done as well.
  const found = await Promise.all(accounts.map((account) => take(host, account, name, amount)));
  if (found.every(Boolean)) return true;
  const taken = accounts.filter((_, at) => found[at]);
  await Promise.all(taken.map((account) => release(host, account, name, minus({}, amount))));
  return holdInTurn(host, accounts, name, amount);
}

async function holdInTurn(
  host: Host,
  accounts: readonly BudgetAccount[],
  name: string,
  amount: BudgetAmount,
): Promise<boolean> {
  // One by one, always in the same order: of two requests for the last of it, one succeeds.
  for (const [at, account] of accounts.entries()) {
    if (await take(host, account, name, amount)) continue;
    const taken = accounts.slice(0, at);
    await Promise.all(taken.map((before) => release(host, before, name, minus({}, amount))));
    return false;
  }
  return true;
}

/**
 * Books the amount used in place of the reservation. After a kill before this, the amount stays reserved until the act
 * is resumed.
 */
export async function settleHold(
  host: Host,
  accounts: readonly BudgetAccount[],
  name: string,
  { held, used }: { held: BudgetAmount; used: BudgetAmount },
): Promise<void> {
  await Promise.all(accounts.map((account) => release(host, account, name, minus(used, held))));
}
