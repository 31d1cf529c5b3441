/** One ranking and the power behind it. */
export interface Ranking {
  order: readonly number[];
  power: bigint;
}
export interface Round {
  scores: bigint[];
  exhausted: bigint;
  eliminated: number | null;
}
export interface Runoff {
  rounds: Round[];
  winner: number | null;
  scores: bigint[];
}

/**
 * Instant-runoff voting: each ballot counts for its best option still in the running; who has more than half of the
 * ballots that count wins, else the weakest option goes and its ballots pass on; a ballot with no option left is
 * exhausted.
 *
 * Ties for the weakest are broken backwards (J. C. O'Neill, "Tie-breaking with the Single Transferable Vote", Voting
 * matters 18, 2004): of the tied, the one weakest in the latest earlier round in which they differ goes. Where they
 * never differed, the one listed last goes; but two that are the last in the running and never differed stay tied, and
 * nobody wins.
 */
export function runoff(options: number, rankings: readonly Ranking[]): Runoff {
  const running = new Set(Array.from({ length: options }, (_, option) => option));
  const rounds: Round[] = [];
  for (;;) {
    const round = count(options, running, rankings);
    rounds.push(round);
    const { scores } = round;
    const counting = scores.reduce((total, score) => total + score, 0n);
    if (counting === 0n) return { rounds, winner: null, scores };
    const leader = [...running].reduce((best, option) => (scores[option]! > scores[best]! ? option : best));
    if (scores[leader]! * 2n > counting) return { rounds, winner: leader, scores };
    const weakest = weakestOf(running, rounds);
    if (weakest.length > 1 && running.size === 2) return { rounds, winner: null, scores };
    round.eliminated = weakest.at(-1)!;
    running.delete(round.eliminated);
  }
}

function count(options: number, running: ReadonlySet<number>, rankings: readonly Ranking[]): Round {
  const scores = Array.from({ length: options }, () => 0n);
  let exhausted = 0n;
  for (const { order, power } of rankings) {
    const best = order.find((option) => running.has(option));
    if (best === undefined) exhausted += power;
    else scores[best]! += power;
  }
  return { scores, exhausted, eliminated: null };
}

/** The weakest now; among equals the weakest in the round before, and so on; in the order of the list. */
function weakestOf(running: ReadonlySet<number>, rounds: readonly Round[]): number[] {
  let tied = [...running].sort((a, b) => a - b);
  for (const { scores } of [...rounds].reverse()) {
    const least = tied.map((option) => scores[option]!).reduce((a, b) => (a < b ? a : b));
    tied = tied.filter((option) => scores[option] === least);
    if (tied.length === 1) break;
  }
  return tied;
}
