import { z } from "zod";
import { data, list } from "../../../../core/contract/answer.ts";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { refuseUnless } from "../../../../core/records/keeping/lifecycle.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { ask, served } from "../members/accounts.ts";
import { cast, notInElectorate, Vote, voteId, VoteView, votingClosed, type Casting } from "./ballots.ts";
import { Choice, refuseUnlessFits } from "./choices.ts";
import { advance, watchQuorum } from "../proposals/proposal-clock.ts";
import { about, memberOfDao, MESH, nowOf, ofDao } from "../context.ts";
import { VoteCast } from "../events.ts";
import { Proposal } from "../proposals/proposals.ts";
import { Signed, signedBy, TypedData, voteTypedData } from "./typed-data.ts";

const path = { daoId: TextId };
const votes = {
  permit: "signed-in",
  on: Proposal,
  by: "proposalId",
  within: { set: "problemSetId", may: "dao:vote" },
  path,
} as const;

export const voteActions = {
  "votes.list": endpoint({
    rest: "GET /:daoId/proposals/:proposalId/votes",
    summary: "List the votes on a proposal",
    permit: "signed-in",
    on: Proposal,
    by: "proposalId",
    within: { set: "problemSetId", may: "dao:read" },
    path,
    query: { voter: z.string().optional(), sort: z.enum(["castAt", "-castAt"]).default("castAt"), ...paging },
    returns: list(VoteView),
    handler(ctx, item) {
      const { id: proposalId, problemSetId } = ofDao(item, ctx.params.daoId);
      const { voter, daoId: _daoId, ...window } = ctx.params;
      return this.store(Vote).page(ctx, window, {
        problemSetId,
        proposalId,
        castAt: { $exists: true },
        ...(voter && { voter }),
      });
    },
  }),

  "votes.cast": endpoint({
    rest: "POST /:daoId/proposals/:proposalId/vote",
    summary: "Vote on a proposal, or change your vote",
    ...votes,
    returns: data(VoteView),
    body: {
      choice: Choice,
      reason: z.string().max(2_000).optional(),
      signature: Signed.optional().describe(
        "Over the typed data that `POST …/vote/typed-data` returns for this choice, by your voting address.",
      ),
    },
    description:
      "One vote per voter. If the DAO allows changing votes, the last one before the close counts, and " +
      "earlier ones are kept in its history. Voting power is that of the snapshot.",
    errors: {
      403: "You had no power at the snapshot.",
      409: "Voting is not open, is over (`VOTING_CLOSED`), or the vote may not be changed (`ALREADY_VOTED`).",
      422: "The signature is missing or is not yours.",
    },
    example: { choice: "for" },
    async handler(ctx, item) {
      const { choice, reason, signature } = ctx.params;
      const proposal = await openOne(this, ofDao(item, ctx.params.daoId));
      refuseUnlessFits(proposal.kind, proposal.options.length, choice);
      const slot = await slotOf(this, ctx, proposal);
      const vote = await put(
        this,
        ctx,
        proposal,
        { choice, reason, signed: await signedVote(this, proposal, slot, choice, signature) },
        slot,
      );
      await watchQuorum(this, proposal);
      return vote;
    },
  }),

  "votes.getTypedData": endpoint({
    rest: "POST /:daoId/proposals/:proposalId/vote/typed-data",
    summary: "Get the EIP-712 typed data to sign for a vote",
    ...votes,
    beyond: true,
    reads: true,
    body: { choice: Choice },
    returns: data(TypedData),
    description:
      "The nonce is the number of your votes on this proposal, so that a signature is valid for one " +
      "vote. Nothing is stored.",
    example: { choice: "for" },
    async handler(ctx, item) {
      const proposal = await openOne(this, ofDao(item, ctx.params.daoId));
      refuseUnlessFits(proposal.kind, proposal.options.length, ctx.params.choice);
      return voteTypedData(await slotOf(this, ctx, proposal), proposal.kind, ctx.params.choice);
    },
  }),
};

/** The proposal, brought up to now; throws 409 unless it is being voted on. */
async function openOne(host: Host, item: Proposal): Promise<Proposal> {
  const proposal = await advance(host, item);
  if (proposal.closedAt) throw votingClosed(proposal.deadline);
  refuseUnless(["active"], proposal.status, "vote");
  return proposal;
}

async function slotOf(host: Host, ctx: Ctx<unknown>, { id }: Proposal): Promise<Vote> {
  const slot = await host.store(Vote).one(MESH, { _id: voteId(id, actorOf(ctx)) });
  if (!slot) throw notInElectorate();
  return slot;
}

async function signedVote(host: Host, proposal: Proposal, slot: Vote, choice: Choice, signature: string | undefined) {
  if (!signature) {
    if (proposal.rules.signatures === "required")
      throw unprocessable("SIGNATURE_REQUIRED", "signature: votes in this DAO are signed.");
    return undefined;
  }
  const addresses = await addressesOf(host, proposal.daoId, slot.voter);
  if (!addresses.length)
    throw unprocessable("NO_VOTING_ADDRESS", "signature: you have no voting address in this DAO; register one first.");
  return signedBy(addresses, voteTypedData(slot, proposal.kind, choice), signature);
}

/** What a voter may sign with: the address they proved to the DAO, and that of the account bound to them. */
async function addressesOf(host: Host, daoId: string, userId: string): Promise<string[]> {
  const [member, account] = await Promise.all([
    memberOfDao(host, daoId, userId),
    served(host, "accounts.of") ? ask<{ address: string } | null>(host, "accounts.of", { userId }) : null,
  ]);
  return [member?.address, account?.address].filter((address) => address !== undefined);
}

/**
 * Writes the vote where it may still be written. A signature is over one nonce: where the voter voted meanwhile, it is
 * void.
 */
function put(host: Host, ctx: Ctx<unknown>, proposal: Proposal, casting: Casting, seen: Vote): Promise<Vote> {
  const { id, changes: nonce } = seen;
  const decide = (slot: Vote): Record<string, unknown> => {
    if (casting.signed && slot.changes !== nonce)
      throw unprocessable("SIGNATURE_INVALID", "signature: you voted meanwhile; sign anew.");
    const now = nowOf(host);
    if (now >= proposal.deadline) throw votingClosed(proposal.deadline);
    return cast(slot, casting, proposal.rules, proposal.deadline, now);
  };
  const facts = ({ voter, changes }: Vote) => [
    VoteCast.fact(proposal.id, { ...about(proposal, voter), changed: changes > 1 }),
  ];
  return host.store(Vote).change(ctx, id, decide, { facts, seen });
}
