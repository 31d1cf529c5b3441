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

/** An account that an act is charged to: a run, each delegation it comes through, its plan, its day. */
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

/** Adds to what is used, where the record is as `where` says, and where there is room if that is bounded. */
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

/** Sets an amount aside under a name; what is held under it already, by whoever was killed, is replaced. */
async function take(host: Host, account: BudgetAccount, name: string, amount: BudgetAmount): Promise<boolean> {
  const { entity, id } = account;
  const at = placeOf(name);
  const $set = { [at]: amount };
  const fresh = () => add(host, account, amount, { isBounded: true, where: { [at]: null }, $set });
  if (await fresh()) return true;
  const found = await host.store(entity).collection.findById(id);
  if (!found && entity === Allowance) {
    // The first of a day begins it; whoever asks at the same time finds it begun.
    await beginAllowance(host, id);
    return fresh();
  }
  const held = found?.["holds"]?.[name] as BudgetAmount | undefined;
  if (!held) return false;
  return add(host, account, minus(amount, held), { isBounded: true, where: { [at]: { $exists: true } }, $set });
}

/** Books what was used in place of what was held under a name, as long as it is held. */
async function release(host: Host, account: BudgetAccount, name: string, change: BudgetAmount): Promise<boolean> {
  const at = placeOf(name);
  return add(host, account, change, { where: { [at]: { $exists: true } }, $unset: { [at]: "" } });
}

/**
 * Sets an amount aside on all accounts, or on none; answers whether there was room. Whoever goes on with what a kill cut
 * off holds under the same name, and nothing is charged twice. Names are ids: no dots.
 */
export async function hold(
  host: Host,
  accounts: readonly BudgetAccount[],
  name: string,
  amount: BudgetAmount,
): Promise<boolean> {
  // All at once share one commit. Where that fails, another may have been half-way in the same place.
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
  // One after the other, and always in the same order: two who ask for the last of it do not both go without.
  for (const [at, account] of accounts.entries()) {
    if (await take(host, account, name, amount)) continue;
    const taken = accounts.slice(0, at);
    await Promise.all(taken.map((before) => release(host, before, name, minus({}, amount))));
    return false;
  }
  return true;
}

/** Books what was used in place of what was held under a name. A kill before leaves it held, until it is gone on with. */
export async function settleHold(
  host: Host,
  accounts: readonly BudgetAccount[],
  name: string,
  { held, used }: { held: BudgetAmount; used: BudgetAmount },
): Promise<void> {
  await Promise.all(accounts.map((account) => release(host, account, name, minus(used, held))));
}
