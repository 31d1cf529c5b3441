import { fits, type Choice, type VoteKind } from "./choices.ts";
import { shareUp, sum } from "./integers.ts";
import { chains, type Electorate } from "./power.ts";
import type { Bar } from "./tally.ts";

/** A vote with its times (ISO 8601, UTC): when this voter first voted, and when they last changed it. */
export interface TimedBallot {
  voter: string;
  choice: Choice;
  firstCastAt: string;
  castAt: string;
}
interface Timed {
  kind: VoteKind;
  options: number;
  electorate: Electorate;
  bar: Bar;
  ballots: readonly TimedBallot[];
}

/**
 * When the quorum was first reached, by the votes as they stand; null while it is not. Taking part counts from a
 * voter's first vote, support from the vote that gives it. Each vote draws to it the power of those for whom it is the
 * nearest so far, so the cost is that of all chains together.
 */
export function quorumReachedAt({ kind, options, electorate, bar, ballots }: Timed): string | null {
  const all = chains(electorate);
  const required = shareUp(sum(all.map(({ power }) => power)), bar.quorumBps);
  const supportOnly = bar.quorumCounts === "support" && kind === "basic";
  const time = ({ firstCastAt, castAt }: TimedBallot): string => (supportOnly ? castAt : firstCastAt);
  const backs = ({ choice }: TimedBallot): boolean => !supportOnly || choice !== "against";
  const reach = reachOf(all);
  const nearest = all.map(() => ({ distance: Number.POSITIVE_INFINITY, backing: false }));
  let counted = 0n;
  for (const ballot of ballots
    .filter(({ choice }) => fits(kind, options, choice))
    .sort((a, b) => (time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0))) {
    for (const [elector, distance] of reach.get(ballot.voter) ?? []) {
      const before = nearest[elector]!;
      if (distance >= before.distance) continue;
      const backing = backs(ballot);
      if (backing !== before.backing) counted += backing ? all[elector]!.power : -all[elector]!.power;
      nearest[elector] = { distance, backing };
    }
    if (counted >= required) return time(ballot);
  }
  return null;
}

/** For each who may speak: for whom (by position), and how far down their chain. */
function reachOf(all: readonly { chain: readonly string[] }[]): Map<string, [number, number][]> {
  const reach = new Map<string, [number, number][]>();
  for (const [elector, { chain }] of all.entries())
    for (const [distance, member] of chain.entries()) {
      const held = reach.get(member);
      if (held) held.push([elector, distance]);
      else reach.set(member, [[elector, distance]]);
    }
  return reach;
}

/**
 * The end of a vote, by OpenZeppelin's GovernorPreventLateQuorum: from the moment the quorum is first reached there are
 * so many milliseconds left at least. It never comes nearer.
 */
export function extended(deadline: string, reachedAt: string, extensionMs: number): string {
  const least = new Date(Date.parse(reachedAt) + extensionMs).toISOString();
  return least > deadline ? least : deadline;
}
