import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { Role } from "../members/members.ts";
import type { Invitation } from "./invitations.ts";

/**
 * That somebody accepted an invitation which waits for an approval: for whoever asked, who sees neither the invitation
 * nor the set. What became of it the invitation says, so that the two cannot disagree.
 */
export const JoinRequest = entity("problem-sets.join-requests", {
  title: "join request",
  collection: "join_requests",
  fields: {
    problemSetId: TextId,
    invitationId: TextId,
    userId: z.string(),
    /** As the invitation told it; what the set is called later is not theirs to know. */
    name: z.string(),
    role: Role,
    training: z.boolean(),
  },
  immutable: ["problemSetId"],
  hidden: ["invitationId", "userId"],
  barrier: { set: "problemSetId" },
  lists: [{ by: ["userId"] }],
  indexes: [{ fields: ["invitationId", "userId"], unique: true }],
});
export type JoinRequest = Item<typeof JoinRequest>;

const JoinRequestStatus = z
  .enum(["waiting", "approved", "withdrawn", "archived", "interrupted"])
  .describe(
    "`waiting`: for somebody who manages members. `withdrawn`: the invitation was, before anybody approved. " +
      "`archived`: the set is; it waits until the set is taken from the archive. `interrupted`: it did not reach " +
      "them; accept the invitation again.",
  );
type JoinRequestStatus = z.output<typeof JoinRequestStatus>;

export const MyJoinRequest = z
  .object({
    id: TextId,
    problemSetId: TextId,
    name: z.string().describe("Name of the problem set when you asked."),
    role: Role.describe("The role that the invitation gives."),
    training: z.boolean(),
    status: JoinRequestStatus,
    askedAt: Instant,
  })
  .meta({ id: "MyJoinRequest" });

interface Standing {
  /** Absent: it is gone. */
  invitation: Pick<Invitation, "waiting" | "admitted" | "withdrawn"> | undefined;
  isMember: boolean;
  isArchived: boolean;
}

/** What became of somebody's request. */
export function requestStatus(userId: string, { invitation, isMember, isArchived }: Standing): JoinRequestStatus {
  if (isMember || invitation?.admitted.includes(userId)) return "approved";
  if (!invitation || invitation.withdrawn) return "withdrawn";
  if (!invitation.waiting.some((one) => one.userId === userId)) return "interrupted";
  return isArchived ? "archived" : "waiting";
}
