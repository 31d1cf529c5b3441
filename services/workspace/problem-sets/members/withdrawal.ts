import type { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { on, type EventSubscription } from "../../../../core/events/event.ts";
import { isConflict } from "../../../../core/problem.ts";
import { CredentialExpired, CredentialRevoked, CredentialSuspended } from "../../../identity/credentials/events.ts";
import { changeReading } from "../compartments/compartments.actions.ts";
import { Member, MemberRoleChanged } from "./members.ts";
import { alter } from "./roster.ts";

const CALLER = asSystem("credentials");

/**
 * Applies the loss of a credential: its holder loses the role it stood for, down to observer, and its compartments.
 * Only people give these back. The last commander keeps the command, which is logged: a set without one could not be
 * mended.
 */
async function withdraw(this: Host, { holderId, grants }: z.output<typeof CredentialRevoked.payload>): Promise<void> {
  const { problemSetId, role, compartments = [] } = grants;
  if (!holderId || !problemSetId) return;
  const member = await this.store(Member).one(CALLER, { problemSetId, userId: holderId });
  if (!member) return;
  for (const id of compartments) await changeReading(this, CALLER, member, { id, problemSetId }, "out");
  if (role === undefined || member.role !== role || role === "observer") return;
  const fact = MemberRoleChanged.fact(member.id, {
    problemSetId,
    userId: holderId,
    did: member.did,
    from: member.role,
    to: "observer",
    by: CALLER.meta.actor!.userId,
  });
  try {
    await alter(this, CALLER, member, (at) =>
      at.role === role ? { change: { role: "observer" }, facts: [fact] } : null,
    );
  } catch (error) {
    if (!isConflict(error) || member.role !== "commander") throw error;
    this.logger.warn(
      `A credential of the last commander of problem set ${problemSetId} ended; the command stays: ` +
        `${(error as Error).message}`,
    );
  }
}

export const withdrawals: readonly EventSubscription[] = [
  CredentialRevoked,
  CredentialSuspended,
  CredentialExpired,
].map((ended) => on(ended, withdraw));
