import { asSystem, type Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Fact } from "../../../core/records/event.ts";
import { notFound } from "../../../core/problem.ts";
import { peopleOf } from "./members/accounts.ts";
import { Dao } from "./daos.ts";
import { DelegationBook } from "./delegations/delegations.ts";
import { DaoMember, DaoRole, memberId } from "./members/members.ts";
import type { Holding } from "./votes/power.ts";
import { Proposal } from "./proposals/proposals.ts";

/** The mesh at work for DAOs: it sees behind every barrier, and writes whatever it writes into the DAO's own. */
export const MESH = asSystem("dao");

/** Who did what the clock did. */
export const BY = "system:dao";

export const nowOf = (host: Host): string => iso(host.world.clock.now());

/** What a fact about a proposal tells of it. */
export const about = ({ id: proposalId, daoId, problemSetId, compartments, title }: Proposal, by: string) => ({ problemSetId, compartments, daoId, by, proposalId, title });

/** The proposal, where it is one of this DAO; or 404. */
export function ofDao(proposal: Proposal, daoId: string): Proposal {
  if (proposal.daoId !== daoId) throw notFound(Proposal.title, proposal.id);
  return proposal;
}

const isConflict = (error: unknown): boolean => (error as { type?: string }).type === "CONFLICT";
/** Somebody else changed the record since it was read: unlike a value that is taken, that passes. */
const isStale = (error: unknown): boolean => isConflict(error) && (error as { data?: { details?: { rev?: number } } }).data?.details?.rev !== undefined;
const ATTEMPTS = 100;

/**
 * Reads, decides, compares and sets; where somebody else was first, again. `decide` throws what it refuses and answers null where
 * nothing is to be done.
 */
export async function change<T extends { id: string }>(read: () => Promise<T>, decide: (item: T) => Record<string, unknown> | null, write: (item: T, change: Record<string, unknown>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const item = await read();
    const wanted = decide(item);
    if (!wanted) return item;
    try {
      return await write(item, wanted);
    } catch (error) {
      if (!isStale(error) || attempt >= ATTEMPTS) throw error;
    }
  }
}

export const changeProposal = (host: Host, caller: Caller, id: string, decide: (proposal: Proposal) => Record<string, unknown> | null, facts?: (proposal: Proposal) => Fact[]): Promise<Proposal> => {
  const store = host.store(Proposal);
  return change(() => store.get(MESH, id), decide, (proposal, wanted) => store.revise(caller, proposal, wanted, { facts }));
};

export const changeDao = (host: Host, caller: Caller, id: string, decide: (dao: Dao) => Record<string, unknown> | null, facts?: (dao: Dao) => Fact[]): Promise<Dao> => {
  const store = host.store(Dao);
  return change(() => store.get(MESH, id), decide, (dao, wanted) => store.revise(caller, dao, wanted, { facts }));
};

/** A record that is there once, made when first needed, by whoever is first. */
async function ensured<T>(find: () => Promise<T | null>, make: () => Promise<T>): Promise<T> {
  const there = await find();
  if (there) return there;
  try {
    return await make();
  } catch (error) {
    const before = isConflict(error) ? await find() : null;
    if (!before) throw error;
    return before;
  }
}

export const bookOf = (host: Host, { id, problemSetId, compartments }: Dao): Promise<DelegationBook> =>
  ensured(() => host.store(DelegationBook).one(MESH, { _id: id }), () => host.store(DelegationBook).create(MESH, { id, problemSetId, compartments }));

export const memberOfDao = (host: Host, daoId: string, userId: string): Promise<DaoMember | null> => host.store(DaoMember).one(MESH, { _id: memberId(daoId, userId) });

/** The DAO's record of a person, made where there is none. */
export const enrolled = (host: Host, caller: Caller, { id: daoId, problemSetId, compartments }: Dao, userId: string, did?: string): Promise<DaoMember> =>
  ensured(() => memberOfDao(host, daoId, userId), () => host.store(DaoMember).create(caller, { id: memberId(daoId, userId), daoId, problemSetId, compartments, userId, did }));

export const rolesOf = (host: Host, daoId: string): Promise<DaoRole[]> => host.store(DaoRole).find(MESH, { daoId });

/** What powers are made of: who belongs to the electorate, and what each holds. */
export async function franchise(host: Host, dao: Dao): Promise<{ people: string[]; holdings: Map<string, Holding>; weights: Map<string, bigint> }> {
  const [people, members, roles] = await Promise.all([peopleOf(host, dao), host.store(DaoMember).find(MESH, { daoId: dao.id }), rolesOf(host, dao.id)]);
  const holdings = new Map(members.map((member) => [member.userId, member]));
  const listed = dao.config.electorate === "listed";
  return {
    people: people.map(({ userId }) => userId).filter((userId) => !listed || holdings.has(userId)),
    holdings, weights: new Map(roles.map((role) => [role.id, BigInt(role.weight)])),
  };
}
