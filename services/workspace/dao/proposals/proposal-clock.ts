import type { Host } from "../../../../core/contract/endpoint.ts";
import { ballotsOf, Vote } from "../votes/ballots.ts";
import { about, BY, changeProposal, MESH, nowOf } from "../context.ts";
import { ProposalClosed, ProposalExpired, ProposalExtended } from "../events.ts";
import { orderProposal } from "./execution.ts";
import { openVoting } from "./opening.ts";
import { Snapshot } from "../votes/power.ts";
import { close, expire, extend, isResolution, Proposal, queue, stand } from "./proposals.ts";
import { quorumReachedAt, type TimedBallot } from "../votes/quorum.ts";
import { tally, type Count } from "../votes/tally.ts";

const LOOKED_AT = 100;

/**
 * Makes every move that is due by the clock: opens, closes or extends, queues, orders the execution, expires. Whoever
 * comes to a proposal does it, and the mesh's own look at what is due.
 */
export async function advance(host: Host, given: Proposal): Promise<Proposal> {
  for (let proposal = given; ;) {
    const next = await step(host, proposal, nowOf(host));
    if (!next || next.rev === proposal.rev) return next ?? proposal;
    proposal = next;
  }
}

async function step(host: Host, proposal: Proposal, now: string): Promise<Proposal | null> {
  switch (proposal.status) {
    case "pending":
      return now >= proposal.startsAt ? openVoting(host, proposal) : null;
    case "active":
      return now >= proposal.deadline ? endVoting(host, proposal) : null;
    case "succeeded":
      return changeProposal(host, MESH, proposal.id, (at) => (at.status === "succeeded" ? queue(at) : null));
    case "queued":
      return wait(host, proposal, now);
    default:
      return null;
  }
}

async function wait(host: Host, proposal: Proposal, now: string): Promise<Proposal | null> {
  const { running, rules, eta, expiresAt, waitingFor } = proposal;
  // The order may have been lost with its node between the mark and the job.
  if (running) return orderProposal(host, proposal).then(() => null);
  if (isResolution(proposal) && expiresAt !== undefined)
    return changeProposal(host, MESH, proposal.id, (at) => (at.status === "queued" && !at.running ? stand() : null));
  if (expiresAt !== undefined && now >= expiresAt)
    return changeProposal(
      host,
      MESH,
      proposal.id,
      (at) => (at.status === "queued" && !at.running ? expire(at, now) : null),
      (at) => [ProposalExpired.fact(at.id, about(at, BY))],
    );
  if (rules.autoExecute && waitingFor === undefined && now >= eta!)
    return orderProposal(host, proposal, { by: BY, caller: MESH }).catch(() => null);
  return null;
}

const votesOf = (host: Host, proposalId: string): Promise<Vote[]> =>
  host.store(Vote).find(MESH, { proposalId, castAt: { $exists: true } }, { sort: ["castAt"] });

/** Everything that counting the stored votes needs. */
export async function countOf(
  host: Host,
  { id, kind, options, rules }: Proposal,
): Promise<{ count: Count; votes: Vote[]; snapshot: Snapshot }> {
  const [snapshot, votes] = await Promise.all([host.store(Snapshot).get(MESH, id), votesOf(host, id)]);
  return {
    count: {
      kind,
      options: options.length,
      titles: options,
      electorate: snapshot,
      bar: rules,
      ballots: ballotsOf(votes),
    },
    votes,
    snapshot,
  };
}

const reachedAt = (count: Count, votes: readonly Vote[]): string | null =>
  quorumReachedAt({ ...count, ballots: votes as readonly Vote[] as readonly TimedBallot[] });

/**
 * Seals every vote for this close, so that none changes while they are counted. Then a quorum reached late moves the
 * close, which opens the seals, or the tally ends the voting. Two nodes that do it at once come to the same result.
 */
async function endVoting(host: Host, proposal: Proposal): Promise<Proposal> {
  const { id, deadline } = proposal;
  await host
    .store(Vote)
    .collection.updateMany(
      { proposalId: id, sealed: { $ne: deadline } },
      { $set: { sealed: deadline }, $inc: { rev: 1 } },
    );
  const { count, votes } = await countOf(host, proposal);
  const moved = await lengthen(host, proposal, reachedAt(count, votes));
  if (moved.status !== "active" || moved.deadline !== deadline) return moved;
  const counted = tally(count);
  return changeProposal(
    host,
    MESH,
    id,
    (at) => (at.status === "active" && at.deadline === deadline ? close(at, counted, nowOf(host)) : null),
    (at) => [ProposalClosed.fact(at.id, { ...about(at, BY), outcome: counted.outcome, reason: counted.reason })],
  );
}

const lengthen = (host: Host, proposal: Proposal, reached: string | null): Promise<Proposal> =>
  changeProposal(
    host,
    MESH,
    proposal.id,
    (at) => (at.status === "active" && at.deadline === proposal.deadline ? extend(at, reached) : null),
    (at) =>
      at.deadline === proposal.deadline
        ? []
        : [ProposalExtended.fact(at.id, { ...about(at, BY), deadline: at.deadline })],
  );

/** After a vote: a quorum reached near the end is told at once. Looked at only while it could move the close. */
export async function watchQuorum(host: Host, proposal: Proposal): Promise<void> {
  const {
    rules: { lateQuorumSeconds },
    quorumReachedAt: known,
    deadline,
  } = proposal;
  if (
    !lateQuorumSeconds ||
    known !== undefined ||
    host.world.clock.now() < Date.parse(deadline) - lateQuorumSeconds * 1_000
  )
    return;
  const { count, votes } = await countOf(host, proposal);
  await lengthen(host, proposal, reachedAt(count, votes));
}

/** Looks at every proposal that is due by the clock. */
export async function tend(this: Host): Promise<void> {
  const due = await this.store(Proposal).find(
    MESH,
    { dueAt: { $lte: nowOf(this) } },
    { sort: ["dueAt"], limit: LOOKED_AT },
  );
  for (const proposal of due)
    await advance(this, proposal).catch((error: Error) =>
      this.logger.warn(`Proposal ${proposal.id}: ${error.message}`),
    );
}
