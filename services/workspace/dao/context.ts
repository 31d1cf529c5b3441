import { asSystem, type Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Fact } from "../../../core/events/event.ts";
import { notFound } from "../../../core/problem.ts";
import { peopleOf } from "./members/accounts.ts";
import { Dao, daoPlace, type Rules } from "./daos.ts";
import { delegatesOf, DelegationBook } from "./delegations/delegations.ts";
import { DaoMember, DaoRole, memberId } from "./members/members.ts";
import { electorate, type Electorate, type Holding } from "./votes/power.ts";
import { Proposal } from "./proposals/proposals.ts";

/** Acts as the mesh: reads behind every barrier, and writes only where the DAO lies. */
export const MESH = asSystem("dao");

/** Recorded as the author of changes that a deadline brought about, not a person. */
export const BY = "system:dao";

export const nowOf = (host: Host): string => iso(host.world.clock.now());

/** The fields that every event about a proposal carries. */
export const about = ({ id: proposalId, daoId, problemSetId, compartments, title }: Proposal, by: string) => ({
  problemSetId,
  compartments,
  daoId,
  by,
  proposalId,
  title,
});

/** Returns the proposal where it belongs to this DAO; throws 404 otherwise. */
export function ofDao(proposal: Proposal, daoId: string): Proposal {
  if (proposal.daoId !== daoId) throw notFound(Proposal.title, proposal.id);
  return proposal;
}

type Deciding = (proposal: Proposal) => Record<string, unknown> | null;

/**
 * Changes a proposal by compare-and-set. `decide` gets its current state and returns the changes, or null where there
 * is nothing to do; it may throw a Problem.
 */
export const changeProposal = (
  host: Host,
  caller: Caller,
  id: string,
  decide: Deciding,
  facts?: (proposal: Proposal) => Fact[],
): Promise<Proposal> => host.store(Proposal).change(caller, id, decide, { facts });

/** The DAO's delegations, a record that is made when first needed. */
export async function bookOf(host: Host, { id, problemSetId, compartments }: Dao): Promise<DelegationBook> {
  const books = host.store(DelegationBook);
  return (
    (await books.one(MESH, { _id: id })) ?? (await books.createOnce(MESH, { id, problemSetId, compartments })).record
  );
}

export const memberOfDao = (host: Host, daoId: string, userId: string): Promise<DaoMember | null> =>
  host.store(DaoMember).one(MESH, { _id: memberId(daoId, userId) });

/** The DAO's record of a person, made where there is none. */
export async function enrolled(host: Host, caller: Caller, dao: Dao, userId: string, did?: string): Promise<DaoMember> {
  const there = await memberOfDao(host, dao.id, userId);
  if (there) return there;
  const member = { id: memberId(dao.id, userId), ...daoPlace(dao), userId, did };
  return (await host.store(DaoMember).createOnce(caller, member)).record;
}

export const rolesOf = (host: Host, daoId: string): Promise<DaoRole[]> => host.store(DaoRole).find(MESH, { daoId });

/** What powers are made of: who belongs to the electorate, and what each holds. */
export async function franchise(
  host: Host,
  dao: Dao,
): Promise<{ people: string[]; holdings: Map<string, Holding>; weights: Map<string, bigint> }> {
  const [people, members, roles] = await Promise.all([
    peopleOf(host, dao),
    host.store(DaoMember).find(MESH, { daoId: dao.id }),
    rolesOf(host, dao.id),
  ]);
  const holdings = new Map(members.map((member) => [member.userId, member]));
  const listed = dao.config.electorate === "listed";
  return {
    people: people.map(({ userId }) => userId).filter((userId) => !listed || holdings.has(userId)),
    holdings,
    weights: new Map(roles.map((role) => [role.id, BigInt(role.weight)])),
  };
}

/** Who could vote if a voting began now under these rules, with which power and whose trust. */
export async function electorateNow(
  host: Host,
  dao: Dao,
  { basis, delegationDepth }: Pick<Rules, "basis" | "delegationDepth">,
): Promise<Electorate & { total: string }> {
  const [{ people, holdings, weights }, { delegations }] = await Promise.all([franchise(host, dao), bookOf(host, dao)]);
  return electorate(basis, people, holdings, weights, delegatesOf(delegations, nowOf(host)), delegationDepth);
}
