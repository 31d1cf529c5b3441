import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { barrier } from "../../../../core/access/place.ts";

/** Who has handed their voting power to whom. Not over several members at once: power goes whole. */
export const Delegation = z
  .object({
    from: PersonId,
    to: PersonId,
    since: Instant,
    expiresAt: Instant.optional().describe("From then on it does not count for proposals that open."),
  })
  .meta({ id: "DaoDelegation" });
export type Delegation = z.output<typeof Delegation>;

/**
 * All delegations of one DAO, in one record of the DAO's id: that no cycle arises is a rule over all of them together,
 * so they change by compare-and-set together.
 */
export const DelegationBook = entity("dao.delegations", {
  title: "book of delegations",
  fields: {
    problemSetId: z.string(),
    compartments: z.array(z.string()).default([]),
    delegations: z.array(Delegation).default([]),
  },
  immutable: ["problemSetId", "compartments"],
  barrier,
});
export type DelegationBook = Item<typeof DelegationBook>;

const alive = (delegations: readonly Delegation[], now: string): Delegation[] =>
  delegations.filter(({ expiresAt }) => !expiresAt || expiresAt > now);

/** From each member to the one they delegate to, of the delegations that count now. */
export const delegatesOf = (delegations: readonly Delegation[], now: string): Map<string, string> =>
  new Map(alive(delegations, now).map(({ from, to }) => [from, to]));

/** A member's chain of delegates, nearest first. It ends before anybody would appear twice. */
export function delegateChain(
  member: string,
  delegates: ReadonlyMap<string, string>,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const chain = [member];
  const seen = new Set(chain);
  for (
    let at = delegates.get(member);
    at !== undefined && !seen.has(at) && chain.length <= most;
    at = delegates.get(at)
  ) {
    chain.push(at);
    seen.add(at);
  }
  return chain;
}

/**
 * The delegations with one more, which takes the place of the member's earlier one. Throws 422 for oneself and for a
 * cycle, however long; ended ones are dropped.
 */
export function delegated(delegations: readonly Delegation[], made: Delegation, now: string): Delegation[] {
  if (made.from === made.to) throw unprocessable("SELF_DELEGATION", "Power is handed to somebody else.");
  const others = alive(delegations, now).filter(({ from }) => from !== made.from);
  const chain = delegateChain(made.to, delegatesOf(others, now));
  if (chain.includes(made.from))
    throw unprocessable("DELEGATION_CYCLE", "That would close a circle of delegations, in which nobody votes.", {
      chain: [made.from, ...chain],
    });
  return [...others, made];
}

/** The delegations without a member's own. */
export const revoked = (delegations: readonly Delegation[], from: string): Delegation[] =>
  delegations.filter((one) => one.from !== from);
