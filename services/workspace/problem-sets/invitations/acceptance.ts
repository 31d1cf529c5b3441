import { z } from "zod";
import { outranks, setPermitsOf } from "../../../../config/set-roles.ts";
import { holds } from "../../../../core/access/access.ts";
import { actorOf, asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { archived, forbidden, Problem } from "../../../../core/problem.ts";
import { primaryDid } from "../../../identity/identity/client.ts";
import { Invitation, InvitationAccepted, invitationStatus, type InvitationStatus } from "./invitations.ts";
import { Member, Role } from "../members/members.ts";
import { join } from "../members/roster.ts";
import { setOf } from "../sets/sets.actions.ts";
import { onBehalfOf, type ProblemSet } from "../sets/sets.ts";
import { forgetRequest, noteRequest } from "./join-requests.actions.ts";

const MESH = asSystem("problem-sets");
/** Writes that one acceptance makes to the invitation, and one withdrawal or approval beside it. */
const ROUNDS_A_USE = 3;

export const Acceptance = z
  .object({
    status: z.enum(["member", "waiting"]).describe("`waiting`: until somebody who manages members approves."),
    problemSetId: TextId,
    name: z.string(),
    role: Role,
    training: z.boolean().describe("You see a training set in training mode."),
  })
  .meta({ id: "InvitationAcceptance" });
type Acceptance = z.output<typeof Acceptance>;

const WHY: Record<Exclude<InvitationStatus, "open">, [code: string, message: string]> = {
  withdrawn: ["INVITATION_WITHDRAWN", "This invitation was withdrawn."],
  "used-up": ["INVITATION_EXHAUSTED", "This invitation is used up."],
  expired: ["INVITATION_EXPIRED", "This invitation has expired."],
  archived: ["ARCHIVED", "The problem set is archived."],
};
export const closed = (standing: Exclude<InvitationStatus, "open">): Problem => new Problem(409, ...WHY[standing]);

/**
 * Takes a use of the invitation for the caller and, unless it waits for an approval, makes them a member. A use is
 * taken and its taker noted in one atomic step, so that uses are counted exactly, and one who accepts again, at once or
 * after a kill, goes on where they were. Throws 409, saying why, where the invitation is no longer good.
 */
export async function acceptInvitation(host: Host, caller: Caller, invitation: Invitation): Promise<Acceptance> {
  const userId = actorOf(caller);
  const { problemSetId, role } = invitation;
  const set = await setOf(host, problemSetId);
  const answer = { problemSetId, name: set.name, role, training: set.training };
  const member = await memberOf(host, problemSetId, userId);
  if (member) {
    // As after a kill between joining and being taken off the list.
    if (invitation.waiting.some((one) => one.userId === userId)) await admit(host, caller, invitation, userId);
    return { ...answer, role: member.role, status: "member" };
  }
  if (set.status === "archived") throw archived();
  const waits = await needsApproval(host, invitation);
  const taken = await takeUse(host, caller, invitation, waits ? set : undefined);
  if (taken === "admitted") {
    // By the same person's other call since the look above; or before, and they were removed.
    const joined = await memberOf(host, problemSetId, userId);
    if (!joined)
      throw new Problem(409, "INVITATION_ALREADY_USED", "You joined by this invitation before; ask for a new one.");
    return { ...answer, role: joined.role, status: "member" };
  }
  if (waits) return { ...answer, status: "waiting" };
  const joined = await admit(host, caller, taken, userId);
  return { ...answer, role: joined.role, status: "member" };
}

/** Their membership; undefined where they are no member. Throws 403 where they are suspended. */
async function memberOf(host: Host, problemSetId: string, userId: string): Promise<Member | undefined> {
  const member = await host.store(Member).one(MESH, { problemSetId, userId });
  if (member?.status === "suspended") throw forbidden("You are suspended in this problem set.");
  return member ?? undefined;
}

/**
 * The invitation with the caller among those who wait, a use less if they were not there before. `asked`: the set that
 * they ask to join, and wait for somebody's approval.
 */
async function takeUse(
  host: Host,
  caller: Caller,
  { id, problemSetId, uses }: Invitation,
  asked: ProblemSet | undefined,
): Promise<Invitation | "admitted"> {
  const invitations = host.store(Invitation);
  const [userId, now] = [actorOf(caller), iso(host.world.clock.now())];
  const did = await primaryDid(host, userId);
  const waits = asked !== undefined;
  let isNoted = false;
  // Each round somebody else was noted or admitted, so the rounds end with the uses.
  return retryOnConflict(
    async () => {
      const found = await invitations.get(MESH, id);
      const isWaiting = found.waiting.some((one) => one.userId === userId);
      if (!isWaiting && found.admitted.includes(userId)) return "admitted";
      const standing = invitationStatus(found, now);
      if (!isWaiting && standing !== "open") {
        if (isNoted) await forgetRequest(host, userId, id);
        throw closed(standing);
      }
      // Before the use is taken: a kill between the two leaves a request that says so, and not one that nobody sees.
      if (asked && (await noteRequest(host, caller, found, asked))) isNoted = true;
      if (isWaiting) return found;
      const facts = [InvitationAccepted.fact(id, { problemSetId, did, waits, by: userId })];
      return invitations.revise(
        onBehalfOf(caller),
        found,
        {},
        { $inc: { left: -1 }, $push: { waiting: { userId, did, since: now } }, facts },
      );
    },
    { attempts: ROUNDS_A_USE * (uses + 1) },
  );
}

/** Makes one who waits a member and takes them off the list; done twice it is the same. */
export async function admit(
  host: Host,
  caller: Caller,
  { id, problemSetId, role, waiting }: Invitation,
  userId: string,
): Promise<Member> {
  const { did } = waiting.find((one) => one.userId === userId)!;
  const member = await join(host, caller, { problemSetId, userId, did, role });
  await host
    .store(Invitation)
    .collection.updateMany(
      { _id: id },
      { $pull: { waiting: { userId } }, $addToSet: { admitted: userId }, $inc: { rev: 1 } },
    );
  return member;
}

/**
 * Asked for, or else needed because whoever invited could not invite to that role any longer: somebody must vouch for
 * it anew.
 */
async function needsApproval(
  host: Host,
  { problemSetId, role, approval, approvedBy, createdBy }: Invitation,
): Promise<boolean> {
  if (approvedBy) return false;
  if (approval) return true;
  const inviter = await host.store(Member).one(MESH, { problemSetId, userId: createdBy });
  return (
    !inviter ||
    inviter.status !== "active" ||
    outranks(role, inviter.role) ||
    !holds(setPermitsOf(inviter.role), "members:manage")
  );
}
