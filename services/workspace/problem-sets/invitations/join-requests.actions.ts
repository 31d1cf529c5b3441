import type { z } from "zod";
import { actorOf, asSystem, type Caller } from "../../../../core/access/caller.ts";
import { list } from "../../../../core/contract/answer.ts";
import { live } from "../../../../core/contract/live.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { paging } from "../../../../core/records/entity.ts";
import { MOST_GATHERED, type Holding } from "../../../../core/records/keeping/personal-data.ts";
import { Member } from "../members/members.ts";
import { onBehalfOf, ProblemSet } from "../sets/sets.ts";
import { Invitation, InvitationChanged } from "./invitations.ts";
import { JoinRequest, MyJoinRequest, requestStatus } from "./join-requests.ts";

const MESH = asSystem("problem-sets");

export const joinRequestActions = {
  "joinRequests.listMine": endpoint({
    rest: "GET /me/join-requests",
    summary: "List what became of your requests to join problem sets",
    permit: "signed-in",
    beyond: true,
    query: paging,
    returns: list(MyJoinRequest),
    description: "You asked by accepting an invitation that waits for an approval.",
    async handler(ctx) {
      const userId = actorOf(ctx);
      const { data, meta } = await this.store(JoinRequest).page(MESH, ctx.params, { userId });
      return { data: await withStatus(this, userId, data), meta };
    },
  }),
};

/** Notes that the caller asks, once an invitation; answers whether it was not noted before. */
export async function noteRequest(
  host: Host,
  caller: Caller,
  { id: invitationId, problemSetId, role }: Invitation,
  { name, training }: ProblemSet,
): Promise<boolean> {
  const asked = { problemSetId, invitationId, userId: actorOf(caller), name, role, training };
  const { made } = await host
    .store(JoinRequest)
    .createOnce(onBehalfOf(caller), asked, { by: ["invitationId", "userId"] });
  return made;
}

/** Of what was noted and then refused, nothing stays. */
export const forgetRequest = (host: Host, userId: string, invitationId: string): Promise<unknown> =>
  host.store(JoinRequest).removeAll(MESH, { invitationId, userId });

/** Tells those who waited by an invitation for all, on their open sockets, that it was withdrawn. */
export async function tellApplicants(host: Host, { id, userId: addressee, waiting }: Invitation): Promise<void> {
  if (addressee !== undefined || !waiting.length) return;
  const requests = await host
    .store(JoinRequest)
    .find(MESH, { invitationId: id, userId: { $in: waiting.map(({ userId }) => userId) } });
  for (const { userId, name, role } of requests)
    await live(host, { event: InvitationChanged, to: { userId }, data: { id, status: "withdrawn", name, role } });
}

async function withStatus(
  host: Host,
  userId: string,
  requests: readonly JoinRequest[],
): Promise<z.input<typeof MyJoinRequest>[]> {
  const ids = [...new Set(requests.map(({ problemSetId }) => problemSetId))];
  const [invitations, members, sets] = await Promise.all([
    host.store(Invitation).many(
      MESH,
      requests.map(({ invitationId }) => invitationId),
    ),
    ids.length
      ? host.store(Member).find(MESH, { userId, problemSetId: { $in: ids } }, { fields: ["problemSetId"] })
      : [],
    host.store(ProblemSet).many(MESH, ids),
  ]);
  const invitationOf = new Map(invitations.map((one) => [one.id, one]));
  const isArchived = new Set(sets.filter(({ status }) => status === "archived").map(({ id }) => id));
  const isMemberOf = new Set(members.map(({ problemSetId }) => problemSetId));
  return requests.map(({ id, name, role, training, createdAt, invitationId, problemSetId }) => {
    const status = requestStatus(userId, {
      invitation: invitationOf.get(invitationId),
      isMember: isMemberOf.has(problemSetId),
      isArchived: isArchived.has(problemSetId),
    });
    return { id, problemSetId, name, role, training, status, askedAt: createdAt };
  });
}

async function gatherRequests(this: Host, userId: string): Promise<readonly unknown[]> {
  const asked = await this.store(JoinRequest).find(MESH, { userId }, { sort: ["-createdAt"], limit: MOST_GATHERED });
  return withStatus(this, userId, asked);
}

/** Nobody can be let in who is nobody any longer: they do not go on waiting either. */
async function eraseRequests(this: Host, userId: string): Promise<void> {
  for (const { invitationId } of await this.store(JoinRequest).find(MESH, { userId }, { fields: ["invitationId"] }))
    await this.store(Invitation).collection.updateMany(
      { _id: invitationId, "waiting.userId": userId },
      { $pull: { waiting: { userId } }, $inc: { rev: 1 } },
    );
  await this.store(JoinRequest).removeAll(MESH, { userId });
}

export const heldRequests: Holding = {
  what: "Requests to join problem sets",
  gather: gatherRequests,
  erase: eraseRequests,
};
