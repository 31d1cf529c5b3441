import { z } from "zod";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { derivedId } from "../../../../core/ids.ts";
import { forbidden, Problem, unprocessable } from "../../../../core/problem.ts";
import { barrier } from "../../../../core/access/place.ts";
import { Choice } from "./choices.ts";
import type { Rules } from "../daos.ts";
import { Total } from "./integers.ts";
import type { Ballot } from "./tally.ts";

/** How often a vote may be changed: its history is kept whole. */
export const MOST_CHANGES = 100;

export const Signature = z
  .object({ signature: z.string(), signer: z.string(), digest: z.string().describe("EIP-712 hash that was signed.") })
  .meta({ id: "DaoVoteSignature" });

/**
 * The one vote of one elector on one proposal. It is laid out empty when the voting opens, so that casting is always a
 * change by compare-and-set of a record that is there, and sealing all of them closes the vote with nobody between.
 */
export const Vote = entity("dao.votes", {
  title: "vote",
  fields: {
    proposalId: TextId,
    daoId: TextId,
    problemSetId: TextId,
    compartments: z.array(TextId).default([]),
    voter: PersonId,
    power: Total.describe("Own power at the snapshot, without delegated power."),
    choice: Choice.optional(),
    reason: z.string().max(2_000).optional(),
    firstCastAt: Instant.optional(),
    castAt: Instant.optional(),
    changes: z.int().default(0).describe("How often it was cast; the nonce of the next signature."),
    signed: Signature.optional(),
    history: z
      .array(z.object({ choice: Choice, castAt: Instant, signed: Signature.optional() }))
      .default([])
      .describe("What was voted before."),
    /** The close it was sealed for; a later close (a late quorum) opens it again. */
    sealed: Instant.optional(),
  },
  readonly: [
    "proposalId",
    "daoId",
    "problemSetId",
    "compartments",
    "voter",
    "power",
    "firstCastAt",
    "castAt",
    "changes",
    "signed",
    "history",
    "sealed",
  ],
  immutable: ["problemSetId", "compartments"],
  hidden: ["sealed"],
  sort: ["castAt"],
  barrier,
  lists: [
    { by: ["problemSetId", "proposalId"], having: "castAt", sort: ["castAt"] },
    { by: ["problemSetId", "proposalId", "voter"], having: "castAt", sort: ["castAt"] },
  ],
  // One for each voter by its id alone, which follows from both: each index is written with every vote.
  indexes: [{ fields: ["proposalId", "castAt"] }],
});
export type Vote = Item<typeof Vote>;
export const VoteView = Vote.view.meta({ id: "DaoVote" });

export const voteId = (proposalId: string, voter: string): string => derivedId(`dao/${proposalId}/vote/${voter}`);

export interface Casting {
  choice: Choice;
  reason?: string | undefined;
  signed?: z.output<typeof Signature> | undefined;
}

/**
 * The change that casting makes to a vote. Throws 409 where it was cast and may not be changed, or is sealed for this
 * close.
 */
export function cast(
  vote: Vote,
  casting: Casting,
  { changeable }: Pick<Rules, "changeable">,
  deadline: string,
  now: string,
): Record<string, unknown> {
  if (vote.sealed === deadline) throw votingClosed(deadline);
  if (vote.changes > 0 && !changeable)
    throw new Problem(409, "ALREADY_VOTED", "You have voted, and in this proposal a vote is not changed.");
  if (vote.changes > MOST_CHANGES)
    throw unprocessable("TOO_MANY_VOTE_CHANGES", `A vote is changed at most ${MOST_CHANGES} times.`);
  const before =
    vote.choice === undefined
      ? []
      : [{ choice: vote.choice, castAt: vote.castAt!, ...(vote.signed && { signed: vote.signed }) }];
  return {
    choice: casting.choice,
    reason: casting.reason ?? null,
    signed: casting.signed ?? null,
    firstCastAt: vote.firstCastAt ?? now,
    castAt: now,
    changes: vote.changes + 1,
    history: [...vote.history, ...before],
  };
}

export const votingClosed = (deadline: string) =>
  new Problem(409, "VOTING_CLOSED", `The voting ended at ${deadline}.`, { details: { deadline } });

export const notInElectorate = () => forbidden("You did not belong to the electorate when the voting opened.");

/** The votes that were cast, as a count takes them. */
export const ballotsOf = (votes: readonly Vote[]): Ballot[] =>
  votes.flatMap(({ voter, choice }) => (choice === undefined ? [] : [{ voter, choice }]));
