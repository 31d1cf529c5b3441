import { z } from "zod";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { forbidden, isProblem } from "../../../../core/problem.ts";
import { memberOfDao, rolesOf } from "../context.ts";
import type { Dao, Rules } from "../daos.ts";
import { allows, type DaoRole } from "../members/members.ts";
import type { Proposal } from "../proposals/proposals.ts";
import { powerOf } from "../votes/power.ts";

/** Whether somebody may do an act now, and why not. */
export const Right = z
  .object({ allowed: z.boolean(), why: z.string().optional().describe("Why not.") })
  .meta({ id: "DaoRight" });
export type Right = z.output<typeof Right>;

/** What an act's own checks say of it, without doing it. */
export async function rightTo(...checks: (() => unknown)[]): Promise<Right> {
  try {
    for (const check of checks) await check();
    return { allowed: true };
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { allowed: false, why: error.message };
  }
}

/** The roles that somebody has in a DAO. */
export async function ownRoles(host: Host, daoId: string, userId: string): Promise<DaoRole[]> {
  const member = await memberOfDao(host, daoId, userId);
  return member?.roles.length ? (await rolesOf(host, daoId)).filter(({ id }) => member.roles.includes(id)) : [];
}

/** Throws 403 where somebody's own power is below the threshold, and no role of theirs allows to propose. */
export async function refuseBelowThreshold(
  host: Host,
  { id }: Dao,
  userId: string,
  { basis, proposalThreshold }: Rules,
): Promise<void> {
  if (proposalThreshold === "0") return;
  const [member, roles] = await Promise.all([memberOfDao(host, id, userId), ownRoles(host, id, userId)]);
  if (allows(roles, "propose")) return;
  const power = powerOf(basis, member ?? undefined, new Map(roles.map((role) => [role.id, BigInt(role.weight)])));
  if (power < BigInt(proposalThreshold))
    throw forbidden(`Proposing needs a power of ${proposalThreshold}; yours is ${power}.`);
}

/** Throws 403 unless it is the proposer's, or a role of theirs allows to withdraw what is another's. */
export async function refuseUnlessTheirs(host: Host, { createdBy, daoId }: Proposal, userId: string): Promise<void> {
  if (createdBy !== userId && !allows(await ownRoles(host, daoId, userId), "cancel"))
    throw forbidden("A proposal is withdrawn by its proposer, or by who has a role that allows it.");
}
