import { z } from "zod";
import { memberOf } from "../../../../core/access/access.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import {
  Did,
  Member,
  memberQuery,
  MemberRemoved,
  MemberRoleChanged,
  MemberSuspended,
  MemberUnsuspended,
  MemberView,
  refuseAbove,
  Role,
} from "./members.ts";
import { alter, memberBy, ownRole } from "./roster.ts";

const manages = { set: "id", may: "members:manage" };
const addressed = { id: TextId, memberDid: Did.describe("The member's DID.") };
const LAST = { 409: "They are the last commander, or the set is archived." };
const Reason = z.string().trim().min(1).max(1_000).optional().describe("Kept in the audit log; members do not see it.");

/** Who belongs to a problem set, and as what. */
export const memberActions = {
  "members.list": endpoint({
    rest: "GET /:id/members",
    summary: "List the members of a problem set",
    permit: "signed-in",
    within: { set: "id", may: "members:read" },
    path: { id: TextId },
    query: memberQuery,
    returns: list(MemberView),
    handler(ctx) {
      return this.store(Member).page(ctx, ctx.params, { problemSetId: ctx.params.id });
    },
  }),

  "members.setRole": endpoint({
    rest: "POST /:id/members/:memberDid/role",
    summary: "Give a member a role",
    permit: "signed-in",
    within: manages,
    path: addressed,
    body: { role: Role },
    returns: data(MemberView),
    errors: LAST,
    description:
      "Neither the new role nor the member's current one may be above your own. Takes effect with the " +
      "member's next request. The last commander cannot be demoted.",
    example: { role: "planner" },
    async handler(ctx) {
      const { id, memberDid, role } = ctx.params;
      const member = await memberBy(this, ctx, id, memberDid);
      const changed = await alter(this, ctx, member, (at) => {
        refuseAbove(ownRole(ctx, id), at, role);
        if (at.role === role) return null;
        return {
          change: { role },
          facts: [
            MemberRoleChanged.fact(at.id, {
              problemSetId: id,
              userId: at.userId,
              did: at.did,
              from: at.role,
              to: role,
              by: actorOf(ctx),
            }),
          ],
        };
      });
      return changed!;
    },
  }),

  "members.suspend": endpoint({
    rest: "POST /:id/members/:memberDid/suspend",
    summary: "Suspend a member",
    permit: "signed-in",
    within: manages,
    path: addressed,
    body: { reason: Reason },
    returns: data(MemberView),
    errors: LAST,
    description:
      "From their next request on, and on open sockets and streams, they have no access to the set; " +
      "role and compartments are kept for when the suspension is lifted. Suspending twice is harmless.",
    example: { reason: "Lost a device" },
    async handler(ctx) {
      const { id, memberDid, reason } = ctx.params;
      const changed = await alter(this, ctx, await memberBy(this, ctx, id, memberDid), (at) => {
        refuseAbove(ownRole(ctx, id), at);
        if (at.status === "suspended") return null;
        return {
          change: { status: "suspended" },
          facts: [
            MemberSuspended.fact(at.id, {
              problemSetId: id,
              userId: at.userId,
              did: at.did,
              by: actorOf(ctx),
              ...(reason && { reason }),
            }),
          ],
        };
      });
      return changed!;
    },
  }),

  "members.unsuspend": endpoint({
    rest: "POST /:id/members/:memberDid/unsuspend",
    summary: "Lift a member's suspension",
    permit: "signed-in",
    within: manages,
    path: addressed,
    returns: data(MemberView),
    async handler(ctx) {
      const { id, memberDid } = ctx.params;
      const changed = await alter(this, ctx, await memberBy(this, ctx, id, memberDid), (at) => {
        refuseAbove(ownRole(ctx, id), at);
        if (at.status === "active") return null;
        return {
          change: { status: "active" },
          facts: [
            MemberUnsuspended.fact(at.id, { problemSetId: id, userId: at.userId, did: at.did, by: actorOf(ctx) }),
          ],
        };
      });
      return changed!;
    },
  }),

  "members.remove": endpoint({
    rest: "DELETE /:id/members/:memberDid",
    summary: "Remove a member from a problem set",
    permit: "signed-in",
    within: { set: "id", may: "members:read" },
    path: addressed,
    returns: nothing(),
    status: 204,
    errors: LAST,
    description:
      "For yourself: you leave. For somebody else: requires `members:manage`, and a role not below " +
      "theirs. They can return only with a new invitation.",
    async handler(ctx) {
      const { id, memberDid } = ctx.params;
      const member = await memberBy(this, ctx, id, memberDid);
      if (member.userId !== actorOf(ctx)) memberOf(ctx.meta.actor, id, manages.may);
      const facts = [
        MemberRemoved.fact(member.id, { problemSetId: id, userId: member.userId, did: member.did, by: actorOf(ctx) }),
      ];
      await alter(this, ctx, member, (at) => {
        refuseAbove(ownRole(ctx, id), at);
        return { change: "remove", facts };
      });
      return null;
    },
  }),
};
