import type { Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Dao } from "../daos.ts";
import { enrolled, memberOfDao } from "../context.ts";
import { DaoRoleGranted, DaoRoleRevoked } from "../events.ts";
import { DaoMember, type DaoRole } from "./members.ts";

/**
 * On whose authority a role is given or taken: a person's, or that of a proposal, with the key under which it is done
 * once.
 */
export interface Warrant {
  by: string;
  proposalId?: string;
  key?: string;
}

const KEPT_KEYS = 500;
const once = (member: DaoMember, key: string | undefined): boolean => key !== undefined && member.applied.includes(key);
const marked = (member: DaoMember, key: string | undefined) =>
  key === undefined ? {} : { applied: [...member.applied, key].slice(-KEPT_KEYS) };

const roleFact = (dao: Dao, userId: string, role: DaoRole, { by, proposalId }: Warrant) => ({
  problemSetId: dao.problemSetId,
  compartments: dao.compartments,
  daoId: dao.id,
  by,
  userId,
  roleId: role.id,
  ...(proposalId && { proposalId }),
});

/** Gives a member a role; whoever has it keeps it. */
export async function giveRole(
  host: Host,
  caller: Caller,
  dao: Dao,
  userId: string,
  role: DaoRole,
  warrant: Warrant,
): Promise<DaoMember> {
  const { id } = await enrolled(host, caller, dao, userId);
  const members = host.store(DaoMember);
  const fact = roleFact(dao, userId, role, warrant);
  return members.change(
    caller,
    id,
    (member) => {
      if (once(member, warrant.key) || (member.roles.includes(role.id) && !warrant.key)) return null;
      return { roles: [...new Set([...member.roles, role.id])], ...marked(member, warrant.key) };
    },
    { facts: [DaoRoleGranted.fact(id, fact)] },
  );
}

/** Takes a role from a member; for a member without it nothing changes. */
export async function takeRole(
  host: Host,
  caller: Caller,
  dao: Dao,
  userId: string,
  role: DaoRole,
  warrant: Warrant,
): Promise<DaoMember | null> {
  const there = await memberOfDao(host, dao.id, userId);
  if (!there) return null;
  const members = host.store(DaoMember);
  const fact = roleFact(dao, userId, role, warrant);
  return members.change(
    caller,
    there.id,
    (member) => {
      if (once(member, warrant.key) || (!member.roles.includes(role.id) && !warrant.key)) return null;
      return { roles: member.roles.filter((id) => id !== role.id), ...marked(member, warrant.key) };
    },
    { facts: [DaoRoleRevoked.fact(there.id, fact)] },
  );
}
