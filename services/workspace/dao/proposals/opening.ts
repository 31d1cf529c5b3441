import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { isDuplicate } from "../../../../core/records/documents.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Vote, voteId } from "../votes/ballots.ts";
import { Dao } from "../daos.ts";
import { about, BY, changeProposal, electorateNow, MESH, nowOf } from "../context.ts";
import { ProposalOpened } from "../events.ts";
import { Snapshot } from "../votes/power.ts";
import { open, Proposal } from "./proposals.ts";

const AT_ONCE = 500;

/** Takes the snapshot, lays out a vote for each elector, and begins. Any of it may have been done before a kill. */
export async function openVoting(host: Host, proposal: Proposal): Promise<Proposal> {
  const snapshot = await takeSnapshot(host, proposal);
  await layOut(host, proposal, snapshot);
  return changeProposal(
    host,
    MESH,
    proposal.id,
    (at) => (at.status === "pending" ? open(at, snapshot.total, nowOf(host)) : null),
    (at) => [ProposalOpened.fact(at.id, { ...about(at, BY), deadline: at.deadline })],
  );
}

export const snapshotOf = (host: Host, proposalId: string): Promise<Snapshot | null> =>
  host.store(Snapshot).one(MESH, { _id: proposalId });

/** Two nodes may take it at once: the snapshot that is stored first is the one that counts. */
async function takeSnapshot(host: Host, { id, daoId, problemSetId, compartments, rules }: Proposal): Promise<Snapshot> {
  const there = await snapshotOf(host, id);
  if (there) return there;
  const dao = await host.store(Dao).get(MESH, daoId);
  const takenAt = nowOf(host);
  const taken = await electorateNow(host, dao, rules);
  return (await host.store(Snapshot).createOnce(MESH, { id, daoId, problemSetId, compartments, ...taken, takenAt }))
    .record;
}

function layOut(host: Host, proposal: Proposal, { electors }: Snapshot): Promise<void> {
  const { id: proposalId, daoId, problemSetId, compartments } = proposal;
  const place = { daoId, problemSetId, compartments };
  const votes = host.store(Vote);
  // Another node may be creating them too: after a conflict, those that exist are looked up again.
  return retryOnConflict(
    async () => {
      const laid = new Set((await votes.find(MESH, { proposalId }, { fields: ["voter"] })).map(({ voter }) => voter));
      const missing = electors.filter(({ id }) => !laid.has(id));
      for (let at = 0; at < missing.length; at += AT_ONCE) {
        const some = missing.slice(at, at + AT_ONCE);
        await votes.createMany(
          MESH,
          some.map(({ id: voter, power }) => ({ id: voteId(proposalId, voter), proposalId, ...place, voter, power })),
        );
      }
    },
    { when: isDuplicate },
  );
}

/**
 * Opens the DAO's votes that are due. Called before any change of what voting power rests on: a snapshot shows the
 * moment at which the voting was to begin, not that at which the scheduler came.
 */
export async function openDue(host: Host, daoId: string): Promise<void> {
  const due = await host.store(Proposal).find(MESH, { daoId, status: "pending", startsAt: { $lte: nowOf(host) } });
  for (const proposal of due) await openVoting(host, proposal);
}
