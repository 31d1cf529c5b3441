import { z } from "zod";
import { memberOf } from "../../../../core/access/access.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { actorOf } from "../../../../core/access/caller.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { refuseUnless } from "../../../../core/records/keeping/lifecycle.ts";
import { bookOf, electorateNow, memberOfDao, MESH, nowOf, ofDao } from "../context.ts";
import { Dao, refuseUnlessGoverned, rulesFor } from "../daos.ts";
import { Delegation } from "../delegations/delegations.ts";
import { Address, DaoRoleView } from "../members/members.ts";
import { snapshotOf } from "../proposals/opening.ts";
import { begin, cancel, Proposal } from "../proposals/proposals.ts";
import { cast, notInElectorate, Vote, voteId, VoteView, votingClosed } from "../votes/ballots.ts";
import { Total } from "../votes/integers.ts";
import { standingOf, type Electorate } from "../votes/power.ts";
import { ownRoles, refuseBelowThreshold, refuseUnlessTheirs, Right, rightTo } from "./rights.ts";

const Standing = z.object({
  votes: z.boolean().describe("Whether you belong to the electorate."),
  power: Total.describe("Your own, without delegated power."),
  carried: Total.describe("What your vote counts, with the power of those you speak for."),
  represents: z.array(PersonId).describe("For whom your vote counts besides you."),
  speaker: PersonId.optional().describe("Whose vote counts for you as long as you do not vote yourself."),
  total: Total.describe("All power of the electorate."),
});

const DaoStanding = Standing.omit({ speaker: true })
  .extend({
    roles: z.array(DaoRoleView),
    delegation: Delegation.optional().describe("To whom you have delegated your power."),
    delegators: z.array(Delegation).describe("Who has delegated to you."),
    address: Address.optional().describe("The address you sign votes with, in this DAO."),
    acts: z.object({ propose: Right, govern: Right, vote: Right }),
  })
  .meta({ id: "DaoStanding" });

const ProposalStanding = Standing.extend({
  frozen: z.boolean().describe("Powers are those of the snapshot; before the voting opens, those of now."),
  vote: VoteView.optional().describe("Your vote as it stands."),
  acts: z.object({ vote: Right, cancel: Right, execute: Right }),
}).meta({ id: "DaoProposalStanding" });

const NONE = { power: "0", carried: "0", represents: [], speaker: null };

function placeIn(among: Electorate & { total: string }, voted: ReadonlySet<string>, userId: string) {
  const found = standingOf(among, voted, userId);
  const { speaker, ...rest } = found ?? NONE;
  return { ...rest, ...(speaker && { speaker }), votes: found !== null, total: among.total };
}

export const standingActions = {
  getStanding: endpoint({
    rest: "GET /:daoId/me",
    summary: "Show your power in a DAO, your delegations, and what you may do",
    permit: "signed-in",
    on: Dao,
    by: "daoId",
    within: { set: "problemSetId", may: "dao:read" },
    beyond: true,
    returns: data(DaoStanding),
    description: "Power as a voting that opens now would freeze it.",
    async handler(ctx, dao) {
      const userId = actorOf(ctx);
      const now = nowOf(this);
      const allowed = (permit: string) => () => memberOf(ctx.meta.actor, dao.problemSetId, permit, { writes: true });
      const [among, { delegations }, roles, member] = await Promise.all([
        electorateNow(this, dao, dao.config),
        bookOf(this, dao),
        ownRoles(this, dao.id, userId),
        memberOfDao(this, dao.id, userId),
      ]);
      const alive = delegations.filter(({ expiresAt }) => !expiresAt || expiresAt > now);
      const { speaker: _nobodyVotedYet, ...place } = placeIn(among, new Set(), userId);
      const delegation = alive.find(({ from }) => from === userId);
      return {
        ...place,
        roles,
        ...(delegation && { delegation }),
        delegators: alive.filter(({ to }) => to === userId),
        ...(member?.address && { address: member.address }),
        acts: {
          propose: await rightTo(allowed("dao:propose"), () => refuseUnlessProposes(this, dao, userId)),
          govern: await rightTo(allowed("dao:govern"), () => refuseUnlessGoverned(dao.config)),
          vote: await rightTo(allowed("dao:vote")),
        },
      };
    },
  }),

  "proposals.getStanding": endpoint({
    rest: "GET /:daoId/proposals/:proposalId/me",
    summary: "Show your vote on a proposal, what it counts, and what you may do",
    permit: "signed-in",
    on: Proposal,
    by: "proposalId",
    within: { set: "problemSetId", may: "dao:read" },
    path: { daoId: TextId },
    beyond: true,
    returns: data(ProposalStanding),
    async handler(ctx, item) {
      const proposal = ofDao(item, ctx.params.daoId);
      const userId = actorOf(ctx);
      const now = nowOf(this);
      const allowed = (permit: string) => () =>
        memberOf(ctx.meta.actor, proposal.problemSetId, permit, { writes: true });
      const votes = this.store(Vote);
      const [snapshot, slot, voters] = await Promise.all([
        snapshotOf(this, proposal.id),
        votes.one(MESH, { _id: voteId(proposal.id, userId) }),
        votes.find(MESH, { proposalId: proposal.id, castAt: { $exists: true } }, { fields: ["voter"] }),
      ]);
      const among =
        snapshot ?? (await electorateNow(this, await this.store(Dao).get(MESH, proposal.daoId), proposal.rules));
      return {
        ...placeIn(among, new Set(voters.map(({ voter }) => voter)), userId),
        frozen: snapshot !== null,
        ...(slot?.castAt && { vote: slot }),
        acts: {
          vote: await rightTo(allowed("dao:vote"), () => refuseUnlessVotes(proposal, slot, now)),
          cancel: await rightTo(
            allowed("dao:propose"),
            () => refuseUnlessTheirs(this, proposal, userId),
            () => cancel(proposal, userId, undefined, now),
          ),
          execute: await rightTo(allowed("dao:propose"), () => begin(proposal, userId, now)),
        },
      };
    },
  }),
};

/** Throws 403 where somebody may propose under no rules of the DAO, those of its classes included. */
async function refuseUnlessProposes(host: Host, dao: Dao, userId: string): Promise<void> {
  for (const { name } of dao.config.classes) {
    const rules = rulesFor(dao.config, name);
    if ((await rightTo(() => refuseBelowThreshold(host, dao, userId, rules))).allowed) return;
  }
  await refuseBelowThreshold(host, dao, userId, dao.config);
}

/** Throws what casting a vote now would. */
function refuseUnlessVotes(proposal: Proposal, slot: Vote | null, now: string): void {
  refuseUnless(["active"], proposal.status, "vote");
  if (now >= proposal.deadline) throw votingClosed(proposal.deadline);
  if (!slot) throw notInElectorate();
  cast(slot, { choice: slot.choice ?? 0 }, proposal.rules, proposal.deadline, now);
}
