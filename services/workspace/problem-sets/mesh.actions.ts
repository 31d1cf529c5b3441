import { z } from "zod";
import type { Membership } from "../../../core/access/access.ts";
import { MODES } from "../../../core/access/training-mode.ts";
import type { RollUpdate } from "../../../core/access/memberships/rolls.ts";
import { bare } from "../../../core/contract/answer.ts";
import { actorOf, asSystem } from "../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { conflict, notFound } from "../../../core/problem.ts";
import { holderOf, ownersOf } from "../../identity/identity/client.ts";
import { iso } from "../../../core/clock.ts";
import { Activity } from "./activity/activity.ts";
import { tellMember } from "./activity/notifying.ts";
import { openedBy } from "./compartments/opening.ts";
import { Did, Member, MemberRoleChanged, Role } from "./members/members.ts";
import { alter, join, readAmong } from "./members/roster.ts";
import { setOf, type SetsHost } from "./sets/sets.actions.ts";
import { ProblemSet } from "./sets/sets.ts";

const MESH = asSystem("problem-sets");

const MeshMember = z.object({ userId: z.string(), did: Did, role: Role, compartments: z.array(TextId) });
const Lineage = z.object({
  parentId: TextId.nullable(),
  archived: z.boolean(),
  parentArchived: z.boolean(),
  ancestors: z.array(TextId),
  children: z.array(TextId),
});

/** What other services ask of problem sets. Answers are unfiltered: whoever asks sends nobody what they may not see. */
export const meshActions = {
  membershipsOf: endpoint({
    summary: "Active memberships of an account in sets of one mode; asked whenever a credential is recognised",
    permit: "internal",
    body: { userId: z.string(), training: z.boolean() },
    returns: bare(z.custom<Record<string, Membership>>(() => true)),
    handler(ctx) {
      return (this as unknown as SetsHost).memberships.of(ctx.params.userId, ctx.params.training);
    },
  }),

  membershipsSince: endpoint({
    summary: "The same for whoever holds some already: what changed since, and the hash of all that is",
    permit: "internal",
    body: {
      userId: z.string(),
      training: z.boolean(),
      known: z.object({ n: z.int(), hash: z.string() }).optional(),
    },
    returns: bare(z.custom<RollUpdate>(() => true)),
    handler(ctx) {
      const { userId, training, known } = ctx.params;
      return (this as unknown as SetsHost).memberships.since(userId, training, known);
    },
  }),

  membersOf: endpoint({
    summary: "Active members of a set with their compartments, by user id",
    permit: "internal",
    description:
      "Whoever sends them something filters by what each may see. All of them, or with `limit` a page of " +
      "those after `cursor` (a user id).",
    body: { problemSetId: TextId, cursor: z.string().optional(), limit: z.int().min(1).optional() },
    returns: bare(z.array(MeshMember)),
    async handler(ctx) {
      const { problemSetId, cursor, limit } = ctx.params;
      const members = await this.store(Member).find(
        MESH,
        { problemSetId, status: "active", ...(cursor && { userId: { $gt: cursor } }) },
        { sort: ["userId"], ...(limit && { limit }), fields: ["userId", "did", "role", "compartments"] },
      );
      const open = await openedBy(this, members);
      return members.map((member) => ({ ...member, compartments: open(member.compartments) }));
    },
  }),

  readersOf: endpoint({
    summary:
      "Active members of a set who are read into all of these compartments, through whichever set each belongs to",
    permit: "internal",
    body: { problemSetId: TextId, compartments: z.array(TextId) },
    returns: bare(z.array(MeshMember.omit({ compartments: true }))),
    async handler(ctx) {
      const { problemSetId, compartments } = ctx.params;
      const members = await this.store(Member).find(
        MESH,
        { problemSetId, status: "active" },
        { sort: ["userId"], fields: ["userId", "did", "role"] },
      );
      const read = new Set(
        await readAmong(
          this,
          members.map(({ userId }) => userId),
          compartments,
        ),
      );
      return members.filter(({ userId }) => read.has(userId));
    },
  }),

  tellMember: endpoint({
    summary: "Put a line among a member's notifications, once for its id, where they see what it is about",
    permit: "internal",
    body: {
      id: TextId,
      problemSetId: TextId,
      compartments: z.array(TextId),
      userId: z.string(),
      activityId: TextId,
      kind: z.string(),
      summary: z.string(),
    },
    returns: bare(z.null()),
    async handler(ctx) {
      const { problemSetId, userId, compartments } = ctx.params;
      const member = await this.store(Member).one(MESH, { problemSetId, userId, status: "active" });
      const readers = member ? await readAmong(this, [userId], compartments) : [];
      if (readers.length) await tellMember(this, { ...ctx.params, at: iso(this.world.clock.now()) });
      return null;
    },
  }),

  knownAmong: endpoint({
    summary:
      "Whose these ids and DIDs are, among those who are members of the set named with each, were it, or acted in it",
    permit: "internal",
    body: { asked: z.array(z.object({ problemSetId: TextId, person: z.string() })) },
    returns: bare(z.array(z.string().nullable())),
    async handler(ctx) {
      const { asked } = ctx.params;
      const bySet = Map.groupBy(asked, ({ problemSetId }) => problemSetId);
      const known = new Map(
        await Promise.all(
          [...bySet].map(async ([id, rows]) => {
            const persons = rows.map(({ person }) => person);
            return [id, await knownIn(this, id, persons)] as const;
          }),
        ),
      );
      return asked.map(({ problemSetId, person }) => known.get(problemSetId)!.get(person) ?? null);
    },
  }),

  lineage: endpoint({
    summary: "The sets directly and further above a set, nearest first, and those directly below",
    permit: "internal",
    body: { problemSetId: TextId },
    returns: bare(Lineage),
    async handler(ctx) {
      const sets = this.store(ProblemSet);
      const { id, parentId, status } = await setOf(this, ctx.params.problemSetId);
      const parent = parentId === undefined ? null : await sets.one(MESH, { _id: parentId });
      const ancestors = parentId === undefined ? [] : [parentId];
      for (let at = parent?.parentId; at !== undefined; at = (await sets.one(MESH, { _id: at }))?.parentId)
        ancestors.push(at);
      const children = await sets.find(MESH, { parentId: id }, { fields: ["parentId"] });
      return {
        parentId: parentId ?? null,
        archived: status === "archived",
        parentArchived: parent?.status === "archived",
        ancestors,
        children: children.map((child) => child.id),
      };
    },
  }),

  childrenAfter: endpoint({
    summary: "Sets that have a parent, by id: a page of them after one",
    permit: "internal",
    body: { after: TextId.optional(), limit: z.int().min(1).max(1_000) },
    returns: bare(z.array(z.object({ id: TextId, parentId: TextId }))),
    async handler(ctx) {
      const { after, limit } = ctx.params;
      const children = await this.store(ProblemSet).find(
        MESH,
        { parentId: { $exists: true }, ...(after && { _id: { $gt: after } }) },
        { sort: ["_id"], limit, fields: ["parentId"] },
      );
      return children as { id: string; parentId: string }[];
    },
  }),

  census: endpoint({
    summary: "How many problem sets there are, by state and mode: all that an operator is told of them",
    permit: "internal",
    returns: bare(z.array(z.object({ status: z.enum(["active", "archived"]), mode: z.enum(MODES), sets: z.int() }))),
    async handler() {
      const { collection } = this.store(ProblemSet);
      const counted = MODES.map(async (mode) =>
        (await collection.groups({ by: "status", query: { training: mode === "training" } })).map(({ key, count }) => ({
          status: key as "active",
          mode,
          sets: count,
        })),
      );
      return (await Promise.all(counted)).flat();
    },
  }),

  grant: endpoint({
    summary: "Give a role in a set to the holder of a DID, a member or not",
    permit: "internal",
    description:
      "Given twice it is the same. The last commander stays one (409). For `membersOnly`, what a vote decided, whoever is " +
      "no member, or has left, is not made one (409).",
    body: { problemSetId: TextId, did: Did, role: Role, membersOnly: z.boolean().default(false) },
    returns: bare(MeshMember.pick({ userId: true, did: true, role: true })),
    async handler(ctx) {
      const { problemSetId, did, role, membersOnly } = ctx.params;
      await setOf(this, problemSetId);
      const userId = await holderOf(this, did);
      if (!userId) throw notFound("holder of", did);
      const member = membersOnly
        ? await this.store(Member).one(MESH, { problemSetId, userId })
        : await join(this, ctx, { problemSetId, userId, did, role });
      if (!member)
        throw conflict(
          "They are no member of the problem set, and become one only by an invitation that they accept.",
          {
            reason: "NOT_A_MEMBER",
          },
        );
      const granted = await alter(this, MESH, member, (at) =>
        at.role === role
          ? null
          : {
              change: { role },
              facts: [
                MemberRoleChanged.fact(at.id, {
                  problemSetId,
                  userId,
                  did: at.did,
                  from: at.role,
                  to: role,
                  by: actorOf(ctx),
                }),
              ],
            },
      );
      return granted!;
    },
  }),
};

/** User ids by the id or DID asked for: of members, suspended ones too, and of those of whom its activity tells. */
async function knownIn(
  host: Host,
  problemSetId: string,
  persons: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [dids, userIds] = [persons.filter(isDid), persons.filter((person) => !isDid(person))];
  const members = (query: object): Promise<Member[]> | [] =>
    host.store(Member).find(MESH, { problemSetId, ...query }, { fields: ["userId", "did"] });
  const [byId, byDid] = await Promise.all([
    userIds.length ? members({ userId: { $in: userIds } }) : [],
    dids.length ? members({ did: { $in: dids } }) : [],
  ]);
  const known = new Map([
    ...byId.map(({ userId }) => [userId, userId] as const),
    ...byDid.map(({ did, userId }) => [did, userId] as const),
  ]);
  const gone = persons.filter((person) => !known.has(person));
  const acts = await Promise.all(
    gone.map((person) =>
      host.store(Activity).one(MESH, { problemSetId, ...(isDid(person) ? { "subject.id": person } : { by: person }) }),
    ),
  );
  const told = gone.filter((_, at) => acts[at] !== null);
  const owners = await ownersOf(host, told.filter(isDid));
  for (const person of told) {
    const userId = isDid(person) ? owners.get(person) : person;
    if (userId !== undefined) known.set(person, userId);
  }
  return known;
}

const isDid = (person: string): boolean => person.startsWith("did:");
