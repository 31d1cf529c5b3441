import { z } from "zod";
import { holds, memberOf, type Actor } from "../../../core/access/access.ts";
import { data, list, nothing } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { Instant, paging, TextId } from "../../../core/records/entity.ts";
import { derivedId, sha256 } from "../../../core/ids.ts";
import { conflict, invalid, notFound, Problem, unprocessable } from "../../../core/problem.ts";
import { holderOf, primaryDid } from "../../identity/identity/client.ts";
import { Code, newCode } from "../../../core/access/invite-code.ts";
import { Mission, missionPlace } from "./missions.ts";
import { MissionInvited, MissionJoined, MissionLeft } from "./events.ts";
import { inviting, reading } from "./permits.ts";
import { Invite, obstacle, Participant } from "./participants.ts";

const DAY_MS = 86_400_000;

const participantId = (mission: Mission, userId: string): string =>
  derivedId(`participant of ${mission.id}: ${userId}`);

/** What every event of a mission tells. */
export const told = (mission: Mission, ctx: Ctx<unknown>) => ({
  id: mission.id,
  problemSetId: mission.problemSetId,
  compartments: mission.compartments,
  name: mission.name,
  by: ctx.meta.actor!.userId,
});

/** Somebody takes part once, however often they are taken in. */
export async function join(
  host: Host,
  ctx: Ctx<unknown>,
  mission: Mission,
  part: Participant["part"],
  did: string,
): Promise<Participant> {
  const { userId } = ctx.meta.actor!;
  const given = {
    id: participantId(mission, userId),
    ...missionPlace(mission),
    userId,
    did,
    part,
    joinedAt: iso(host.world.clock.now()),
  };
  // Whoever opens a mission is told of by its opening.
  const facts = part === "lead" ? [] : [MissionJoined.fact(mission.id, { ...told(mission, ctx), did, part })];
  return (await host.store(Participant).createOnce(ctx, given, { facts })).record;
}

function sameMission(record: { id: string; missionId: string }, mission: Mission, title: string): void {
  if (record.missionId !== mission.id) throw notFound(title, record.id);
}

const invites = (actor: Actor, { problemSetId }: Mission): boolean =>
  actor.omniscient === true || holds(actor.memberships?.[problemSetId]?.permits ?? [], inviting.may);

/** A mission's records lie in its problem set: with both named, one index finds them. */
const ofMission = ({ id, problemSetId }: Mission) => ({ problemSetId, missionId: id });

/** The DID by which an invited person accepts. Throws 422 for somebody who cannot see the mission. */
async function inviteeOf(host: Host, { problemSetId, compartments }: Mission, did: string): Promise<string> {
  const [userId, readers] = await Promise.all([
    holderOf(host, did),
    host.ask<{ userId: string }[]>("problem-sets.readersOf", { problemSetId, compartments }),
  ]);
  if (userId !== undefined && readers.some((reader) => reader.userId === userId)) return primaryDid(host, userId);
  const message = compartments.length
    ? "No active member who is read into the mission's compartments has this DID."
    : "No active member of the problem set has this DID.";
  throw unprocessable("INVITEE_CANNOT_SEE", "Whom you invite could not see the mission: nobody was invited.", [
    { path: "did", message },
  ]);
}

export const participantActions = {
  "participants.list": endpoint({
    rest: "GET /:id/participants",
    summary: "List who takes part in a mission",
    permit: "signed-in",
    within: reading,
    on: Mission,
    query: Participant.query,
    returns: list(Participant.view),
    handler(ctx, mission) {
      return this.store(Participant).page(ctx, ctx.params, ofMission(mission));
    },
  }),

  "participants.dismiss": endpoint({
    rest: "DELETE /:id/participants/:participantId",
    summary: "Remove a participant from a mission, or leave it",
    permit: "signed-in",
    within: reading,
    on: Mission,
    path: { participantId: TextId },
    returns: nothing(),
    status: 204,
    async handler(ctx, mission) {
      const participant = await this.store(Participant).get(ctx, ctx.params.participantId);
      sameMission(participant, mission, Participant.title);
      const leaves = participant.userId === ctx.meta.actor!.userId;
      memberOf(ctx.meta.actor, mission.problemSetId, leaves ? "missions:read" : "missions:edit", { writes: true });
      // Done before the removal, so that a repetition after a kill does it again.
      await this.store(Invite).collection.updateMany(
        { missionId: mission.id, acceptedBy: participant.userId },
        { $addToSet: { left: participant.userId }, $inc: { rev: 1 } },
      );
      const { did, part } = participant;
      await this.store(Participant).remove(ctx, participant, {
        facts: [MissionLeft.fact(mission.id, { ...told(mission, ctx), did, part })],
      });
      return null;
    },
  }),

  "invites.create": endpoint({
    rest: "POST /:id/invites",
    summary: "Invite members of the problem set to a mission",
    permit: "signed-in",
    within: inviting,
    on: Mission,
    description:
      "The code is returned only here. Only members of the problem set who are read into the mission's " +
      "compartments can accept.",
    body: {
      part: Invite.create.part,
      did: Invite.create.did,
      expiresAt: Instant.optional(),
      mostUses: Invite.create.mostUses,
    },
    returns: data(Invite.view.extend({ code: z.string() }).meta({ id: "MissionInviteWithCode" })),
    status: 201,
    errors: { 422: "Whoever has this `did` cannot see the mission (`INVITEE_CANNOT_SEE`)." },
    example: { part: "planner" },
    async handler(ctx, mission) {
      if (mission.status === "archived" || mission.status === "completed")
        throw conflict(`Nobody joins a mission that is ${mission.status}.`);
      const now = this.world.clock.now();
      const expiresAt =
        ctx.params.expiresAt ?? iso(now + this.world.configurations.workflow.missionInviteDays * DAY_MS);
      if (expiresAt <= iso(now)) throw invalid([{ path: "expiresAt", message: "An invite expires in the future." }]);
      const code = newCode();
      const codeHash = sha256(code);
      const { part } = ctx.params;
      const did = ctx.params.did && (await inviteeOf(this, mission, ctx.params.did));
      const made = await this.store(Invite).create(
        ctx,
        {
          ...ctx.params,
          ...missionPlace(mission),
          ...(did && { did }),
          expiresAt,
          used: 0,
          acceptedBy: [],
          left: [],
          revoked: false,
          codeHash,
        },
        { facts: did === undefined ? [] : [MissionInvited.fact(mission.id, { ...told(mission, ctx), did, part })] },
      );
      // A run that died before it answered is repeated with a new code, which replaces the stored one.
      const invite = made.codeHash === codeHash ? made : await this.store(Invite).revise(ctx, made, { codeHash });
      return { ...invite, code };
    },
  }),

  "invites.list": endpoint({
    rest: "GET /:id/invites",
    summary: "List a mission's invites: all, to those who invite, or else those that name you",
    permit: "signed-in",
    within: reading,
    on: Mission,
    query: { ...paging },
    returns: list(Invite.view),
    async handler(ctx, mission) {
      const actor = ctx.meta.actor!;
      const own = invites(actor, mission) ? {} : { did: await primaryDid(this, actor.userId) };
      return this.store(Invite).page(ctx, ctx.params, { ...ofMission(mission), ...own });
    },
  }),

  "invites.revoke": endpoint({
    rest: "DELETE /:id/invites/:inviteId",
    summary: "Withdraw an invite",
    permit: "signed-in",
    within: inviting,
    on: Mission,
    path: { inviteId: TextId },
    returns: nothing(),
    status: 204,
    async handler(ctx, mission) {
      const invite = await this.store(Invite).get(ctx, ctx.params.inviteId);
      sameMission(invite, mission, Invite.title);
      if (!invite.revoked) await this.store(Invite).revise(ctx, invite, { revoked: true });
      return null;
    },
  }),

  "invites.accept": endpoint({
    rest: "POST /accept-invite",
    summary: "Join a mission with an invite's code, or with its id if it names you",
    permit: "signed-in",
    body: { code: Code.optional(), inviteId: TextId.optional() },
    returns: data(Participant.view),
    example: { code: "the code of the invite" },
    description:
      "Accepting twice is harmless. If it cannot be accepted, the answer says why: withdrawn, expired, " +
      "used up, or meant for somebody else.",
    errors: {
      404: "No invite that you could see has this code or id.",
      409: "The invite cannot be accepted; the message says why.",
    },
    async handler(ctx) {
      const { code, inviteId } = ctx.params;
      const { userId } = ctx.meta.actor!;
      if ((code === undefined) === (inviteId === undefined))
        throw invalid([{ path: "code", message: "Send the code or the inviteId, one of them." }]);
      const did = await primaryDid(this, ctx.meta.actor!.userId);
      const invite = await this.store(Invite).one(ctx, code ? { codeHash: sha256(code) } : { _id: inviteId!, did });
      const missing = code ? "No invite with this code." : "No invite with this id names you; others need their code.";
      if (!invite) throw new Problem(404, "NOT_FOUND", missing);
      const mission = await this.store(Mission).get(ctx, invite.missionId);
      memberOf(ctx.meta.actor, mission.problemSetId, reading.may, { writes: true });
      const before = await this.store(Participant).one(ctx, { _id: participantId(mission, userId) });
      if (before) return before;
      if (mission.status === "archived" || mission.status === "completed")
        throw conflict(`Nobody joins a mission that is ${mission.status}.`);
      // Counted before joining, once for each person: a node that dies between the two leaves a use that its person
      // can still take.
      await this.store(Invite).amend(ctx, invite.id, (now) => {
        if (now.left.includes(userId)) throw conflict("You took part by this invite before; ask for a new invite.");
        if (now.acceptedBy.includes(userId)) return null;
        const why = obstacle(now, did, iso(this.world.clock.now()));
        if (why) throw conflict(why);
        return { used: now.used + 1, acceptedBy: [...now.acceptedBy, userId] };
      });
      return join(this, ctx, mission, invite.part, did);
    },
  }),
};
