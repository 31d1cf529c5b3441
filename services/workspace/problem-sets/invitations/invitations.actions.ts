import { z } from "zod";
import { holds, memberOf } from "../../../../core/access/access.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { live } from "../../../../core/contract/live.ts";
import { actorOf, asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Instant, paging, TextId } from "../../../../core/records/entity.ts";
import { MOST_GATHERED } from "../../../../core/records/keeping/personal-data.ts";
import { conflict, invalid, notFound, unprocessable } from "../../../../core/problem.ts";
import { holderOf } from "../../../identity/identity/client.ts";
import { acceptInvitation, Acceptance, admit, closed } from "./acceptance.ts";
import { tellApplicants } from "./join-requests.actions.ts";
import { refuseElsewhere } from "../compartments/compartments.actions.ts";
import {
  defaultExpiry,
  expiryFault,
  hashOfCode,
  Invitation,
  InvitationApproved,
  InvitationChanged,
  invitationBody,
  InvitationIssued,
  InvitationView,
  InvitationWithdrawn,
  NewInvitationView,
  pendingAt,
  InvitationStatus,
  invitationStatus,
  invitationView,
} from "./invitations.ts";
import { Code, newCode } from "../../../../core/access/invite-code.ts";
import { Did, Member, refuseAbove, Role } from "../members/members.ts";
import { ownRole } from "../members/roster.ts";
import { setOf } from "../sets/sets.actions.ts";
import { ProblemSet } from "../sets/sets.ts";

const MESH = asSystem("problem-sets");
const MANAGE = "members:manage";
const GONE = {
  409:
    "The invitation is withdrawn, used up or expired (`INVITATION_WITHDRAWN`, `INVITATION_EXHAUSTED`, " +
    "`INVITATION_EXPIRED`), you joined by it before (`INVITATION_ALREADY_USED`), or the set is archived.",
};

const Lookup = z
  .object({
    status: InvitationStatus,
    name: z.string().optional().describe("Name of the problem set."),
    role: Role.optional(),
    training: z.boolean().optional(),
    approval: z.boolean().optional(),
    expiresAt: Instant.optional(),
  })
  .meta({ id: "InvitationLookup" });
const MyInvitation = z
  .object({
    id: TextId,
    name: z.string().describe("Name of the problem set."),
    role: Role,
    training: z.boolean(),
    approval: z.boolean(),
    expiresAt: Instant,
    createdAt: Instant,
  })
  .meta({ id: "MyInvitation" });

/** How people come into a problem set: by a code, or by an invitation addressed to their DID. */
export const invitationActions = {
  "invitations.lookUp": endpoint({
    rest: "GET /invite/code/:code",
    summary: "Look up an invitation by its code",
    permit: "public",
    path: { code: Code.describe("The code given in the invitation.") },
    returns: data(Lookup),
    description: "Only what an invitee needs; for an invitation that is no longer valid, only its status.",
    async handler(ctx) {
      const invitation = await byCode(this, ctx.params.code);
      const status = invitationStatus(invitation, iso(this.world.clock.now()));
      const set = await setOf(this, invitation.problemSetId);
      if (set.status === "archived") return { status: "archived" as const };
      const { role, approval, expiresAt } = invitation;
      return status === "open"
        ? { status, name: set.name, training: set.training, role, approval, expiresAt }
        : { status };
    },
  }),

  "invitations.acceptByCode": endpoint({
    rest: "POST /invite/accept-by-code",
    summary: "Accept an invitation with its code",
    permit: "signed-in",
    body: { code: Code },
    returns: data(Acceptance),
    errors: { ...GONE, 404: "There is no such code." },
    description: "Accepting twice is harmless, and a member who accepts keeps their role; neither counts as a use.",
    example: { code: "q3Jm0cQ5T2Wv1yZ8b4nKx7sLdRg" },
    async handler(ctx) {
      return acceptInvitation(this, ctx, await byCode(this, ctx.params.code));
    },
  }),

  "invitations.accept": endpoint({
    rest: "POST /invite/accept",
    summary: "Accept an invitation addressed to you",
    permit: "signed-in",
    body: { inviteId: TextId },
    returns: data(Acceptance),
    errors: { ...GONE, 404: "There is no such invitation for you." },
    example: { inviteId: "01890a5d-ac96-774b-bcce-b302099a8057" },
    async handler(ctx) {
      const { inviteId } = ctx.params;
      const invitation = await this.store(Invitation).one(MESH, { _id: inviteId, userId: actorOf(ctx) });
      if (!invitation) throw notFound(Invitation.title, inviteId);
      return acceptInvitation(this, ctx, invitation);
    },
  }),

  "invitations.listMine": endpoint({
    rest: "GET /me/invites",
    summary: "List the open invitations addressed to you",
    permit: "signed-in",
    beyond: true,
    query: paging,
    returns: list(MyInvitation),
    async handler(ctx) {
      const now = iso(this.world.clock.now());
      const { data: rows, meta } = await this.store(Invitation).page(MESH, ctx.params, {
        userId: actorOf(ctx),
        withdrawn: false,
        left: { $gt: 0 },
        expiresAt: { $gt: now },
      });
      const sets = new Map(
        (
          await this.store(ProblemSet).many(
            MESH,
            rows.map((row) => row.problemSetId),
          )
        ).map((set) => [set.id, set]),
      );
      return {
        data: rows.flatMap((row) => {
          const set = sets.get(row.problemSetId);
          return set ? [{ ...row, name: set.name, training: set.training }] : [];
        }),
        meta,
      };
    },
  }),

  "invitations.issue": endpoint({
    rest: "POST /:id/invite",
    summary: "Invite a person into a problem set",
    permit: "signed-in",
    within: { set: "id", may: "members:invite" },
    path: { id: TextId },
    body: invitationBody,
    returns: data(NewInvitationView),
    status: 201,
    description:
      "The role may not be above your own. The code is returned only here; it is stored as a hash. If " +
      "the inviter may not manage members, or no longer may when the invitation is accepted, it waits " +
      "for approval.",
    errors: {
      409: "They are a member already, or the set is archived.",
      422: "Nobody here holds that DID (`UNKNOWN_DID`).",
    },
    example: { role: "analyst", uses: 3 },
    async handler(ctx) {
      const { id: problemSetId, role, did, uses, expiresAt, approval } = ctx.params;
      const now = this.world.clock.now();
      refuseAbove(ownRole(ctx, problemSetId), undefined, role);
      const expiry = expiresAt ? Date.parse(expiresAt) : defaultExpiry(now);
      const fault = expiryFault(expiry, now);
      if (fault) throw invalid([{ path: "expiresAt", message: fault }]);
      if (did && uses > 1) throw invalid([{ path: "uses", message: "An invitation for one person has one use." }]);
      const userId = did && (await addressee(this, problemSetId, did));
      const code = did ? null : newCode();
      const kept = {
        problemSetId,
        role,
        uses,
        left: uses,
        expiresAt: iso(expiry),
        approval: approval || !maySign(ctx.meta.actor?.memberships?.[problemSetId]?.permits),
        ...(did && { did, userId }),
        ...(code && { codeHash: hashOfCode(code) }),
      };
      const made = await this.store(Invitation).create(ctx, kept, {
        facts: ({ id }) => [InvitationIssued.fact(id, { problemSetId, role, by: actorOf(ctx), ...(did && { did }) })],
      });
      // A run that died before it answered is repeated with a new code, which replaces the stored one.
      const issued =
        code && made.codeHash !== kept.codeHash
          ? await this.store(Invitation).revise(ctx, made, { codeHash: kept.codeHash })
          : made;
      await tellInvitee(this, issued);
      return { ...invitationView(issued, iso(now)), code };
    },
  }),

  "invitations.list": endpoint({
    rest: "GET /:id/invites",
    summary: "List the invitations that are still open",
    permit: "signed-in",
    within: { set: "id", may: "members:invite" },
    path: { id: TextId },
    query: paging,
    returns: list(InvitationView),
    description: "Invitations that can still be accepted, and those with people who wait for approval.",
    async handler(ctx) {
      const { id: problemSetId, ...window } = ctx.params;
      const now = iso(this.world.clock.now());
      const { data: rows, meta } = await this.store(Invitation).page(ctx, window, { problemSetId, ...pendingAt(now) });
      return { data: rows.map((row) => invitationView(row, now)), meta };
    },
  }),

  "invitations.approve": endpoint({
    rest: "POST /:id/invites/:inviteId/approve",
    summary: "Approve an invitation, or a person who waits for approval",
    permit: "signed-in",
    on: Invitation,
    by: "inviteId",
    within: { set: "problemSetId", may: MANAGE },
    path: { id: TextId },
    body: {
      did: Did.optional().describe(
        "Admits only this person; without it the invitation itself is approved: everyone waiting joins, " +
          "and whoever accepts later joins immediately.",
      ),
    },
    returns: data(InvitationView),
    description: "The role may not be above your own. Approving twice is harmless.",
    errors: {
      409: "It is withdrawn, or is used up or expired with nobody waiting, or the set is archived.",
    },
    example: {},
    async handler(ctx, invitation) {
      const { id, did } = ctx.params;
      refuseElsewhere(id, invitation, Invitation.title);
      refuseAbove(ownRole(ctx, id), undefined, invitation.role);
      const standing = invitationStatus(invitation, iso(this.world.clock.now()));
      // Nobody waits and nobody can accept any more: there is nothing to approve.
      const isOver = standing !== "open" && !invitation.waiting.length && !invitation.approvedBy && !did;
      if (standing === "withdrawn" || isOver) throw closed(standing as Exclude<typeof standing, "open">);
      const invitations = this.store(Invitation);
      if (!did && !invitation.approvedBy)
        await invitations.revise(
          ctx,
          invitation,
          { approvedBy: actorOf(ctx) },
          { facts: [InvitationApproved.fact(invitation.id, { problemSetId: id, by: actorOf(ctx) })] },
        );
      // Read after the approval is stored: whoever accepts from now on joins at once.
      const approved = await invitations.get(ctx, invitation.id);
      const chosen = did ? approved.waiting.filter((one) => one.did === did) : approved.waiting;
      if (did && !chosen.length && !(await this.store(Member).one(ctx, { problemSetId: id, did })))
        throw notFound("applicant", did);
      for (const { userId } of chosen) await admit(this, ctx, approved, userId);
      return invitationView(await invitations.get(ctx, invitation.id), iso(this.world.clock.now()));
    },
  }),

  "invitations.withdraw": endpoint({
    rest: "DELETE /:id/invites/:inviteId",
    summary: "Withdraw an invitation",
    permit: "signed-in",
    on: Invitation,
    by: "inviteId",
    within: { set: "problemSetId", may: "members:invite" },
    path: { id: TextId },
    returns: data(InvitationView),
    description:
      "Your own; others' with `members:manage`. People who wait for its approval do not join. " +
      "Withdrawing twice is harmless.",
    async handler(ctx, invitation) {
      refuseElsewhere(ctx.params.id, invitation, Invitation.title);
      if (invitation.createdBy !== actorOf(ctx)) memberOf(ctx.meta.actor, invitation.problemSetId, MANAGE);
      const now = iso(this.world.clock.now());
      if (invitation.withdrawn) return invitationView(invitation, now);
      const facts = [
        InvitationWithdrawn.fact(invitation.id, { problemSetId: invitation.problemSetId, by: actorOf(ctx) }),
      ];
      const withdrawn = await this.store(Invitation).revise(
        ctx,
        invitation,
        { withdrawn: true, waiting: [] },
        { facts },
      );
      await tellInvitee(this, withdrawn);
      await tellApplicants(this, invitation);
      return invitationView(withdrawn, now);
    },
  }),
};

/**
 * The invitations addressed to somebody, who can export them though no member yet; without what the issuer's set knows
 * of others.
 */
export async function gatherInvitations(
  this: Host,
  userId: string,
): Promise<{ id: string; problemSetId: string; role: string; expiresAt: string; createdAt: string }[]> {
  const invitations = await this.store(Invitation).find(
    MESH,
    { userId },
    { sort: ["-createdAt"], limit: MOST_GATHERED },
  );
  return invitations.map(({ id, problemSetId, role, expiresAt, createdAt }) => ({
    id,
    problemSetId,
    role,
    expiresAt,
    createdAt,
  }));
}
export const eraseInvitations = async function (this: Host, userId: string): Promise<void> {
  await this.store(Invitation).removeAll(MESH, { userId });
};

/** Tells whoever an invitation is addressed to of it, on their open sockets; they see no more than in their list. */
async function tellInvitee(host: Host, { id, problemSetId, userId, role, withdrawn }: Invitation): Promise<void> {
  if (userId === undefined) return;
  const { name } = await setOf(host, problemSetId);
  const status = withdrawn ? ("withdrawn" as const) : ("open" as const);
  await live(host, { event: InvitationChanged, to: { userId }, data: { id, status, name, role } });
}

const maySign = (permits: readonly string[] | undefined): boolean => permits !== undefined && holds(permits, MANAGE);

async function byCode(host: Host, code: string): Promise<Invitation> {
  const invitation = await host.store(Invitation).one(MESH, { codeHash: hashOfCode(code) });
  if (!invitation) throw notFound(Invitation.title, "with this code");
  return invitation;
}

/** The account behind a DID that is to be invited. */
async function addressee(host: Host, problemSetId: string, did: string): Promise<string> {
  const userId = await holderOf(host, did);
  if (!userId)
    throw unprocessable("UNKNOWN_DID", "Nobody here holds this DID.", [
      { path: "did", message: "Nobody here holds this DID." },
    ]);
  if (await host.store(Member).one(MESH, { problemSetId, userId }))
    throw conflict("They are a member of this problem set already.");
  return userId;
}
