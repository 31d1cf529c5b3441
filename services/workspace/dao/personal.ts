import type { Caller } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { commonWork, MOST_GATHERED, type Holding } from "../../../core/records/keeping/personal-data.ts";
import { DelegationBook, type Delegation } from "./delegations/delegations.ts";
import { DaoMember } from "./members/members.ts";
import { Proposal } from "./proposals/proposals.ts";
import { Vote, voteId, VoteView } from "./votes/ballots.ts";

const PAGE = 100;
/** Others voted on it, by it, or next to it. */
const kept = async (): Promise<void> => {};

/** The proposals of all DAOs that this person sees: whose they are, no index tells, nor who voted on them. */
async function* proposalsBefore(host: Host, caller: Caller): AsyncGenerator<Proposal[]> {
  let cursor: string | undefined;
  do {
    const { data, meta } = await host.store(Proposal).feed(caller, { cursor, limit: PAGE }, {});
    yield data;
    cursor = meta.next ?? undefined;
  } while (cursor);
}

async function gatherProposals(this: Host, userId: string, caller: Caller): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const proposals of proposalsBefore(this, caller)) {
    const own = proposals.filter(({ createdBy }) => createdBy === userId);
    found.push(...own.map((one) => Proposal.view.parse(one)));
    if (found.length > MOST_GATHERED) break;
  }
  return found;
}

async function gatherVotes(this: Host, userId: string, caller: Caller): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const proposals of proposalsBefore(this, caller)) {
    const laidOut = await this.store(Vote).many(
      caller,
      proposals.map(({ id }) => voteId(id, userId)),
    );
    found.push(...laidOut.filter(({ castAt }) => castAt !== undefined).map((one) => VoteView.parse(one)));
    if (found.length > MOST_GATHERED) break;
  }
  return found;
}

async function gatherDelegations(this: Host, userId: string, caller: Caller): Promise<Delegation[]> {
  const books = await this.store(DelegationBook).find(caller, {});
  return books.flatMap(({ delegations }) => delegations.filter(({ from, to }) => from === userId || to === userId));
}

export const heldInDaos: readonly Holding[] = [
  commonWork("Memberships in DAOs", DaoMember, "userId"),
  { what: "Proposals that you put forward", gather: gatherProposals, erase: kept },
  { what: "Votes that you cast", gather: gatherVotes, erase: kept },
  { what: "Voting power that you delegated, or that was delegated to you", gather: gatherDelegations, erase: kept },
];
