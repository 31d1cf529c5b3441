import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isConflict } from "../../../../core/problem.ts";
import type { Holding } from "../../../../core/records/keeping/personal-data.ts";
import { Member, MemberRemoved } from "./members.ts";
import { alter } from "./roster.ts";

const ERASURE = asSystem("erasure");

/**
 * Ends what an erased person belonged to, as their leaving would: nobody counts on whom nobody is. The last commander
 * keeps the command, which is logged: a set without one could not be mended.
 */
async function leaveAll(this: Host, userId: string): Promise<void> {
  for (const member of await this.store(Member).find(ERASURE, { userId })) {
    const { problemSetId, did } = member;
    const facts = [MemberRemoved.fact(member.id, { problemSetId, userId, did, by: userId })];
    try {
      await alter(this, ERASURE, member, () => ({ change: "remove", facts }));
    } catch (error) {
      if (!isConflict(error)) throw error;
      this.logger.warn(`The last commander of problem set ${problemSetId} was erased; the command stays with them.`);
    }
  }
}

export const heldMemberships: Holding = {
  what: "Memberships",
  entity: Member,
  by: "userId",
  erasure: { end: leaveAll },
};
