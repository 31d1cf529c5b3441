import { tally } from "../../../services/workspace/dao/votes/tally.ts";
import { quorumReachedAt } from "../../../services/workspace/dao/votes/quorum.ts";
import { VOTE_KINDS, type Choice, type VoteKind } from "../../../services/workspace/dao/votes/choices.ts";
import { many, median, round } from "../../measure.ts";

const MEMBERS = 1_500;
const VOTERS = 1_000;
const OPTIONS = 8;
const ROUNDS = many(31, 3);

/** Deterministic draws (Park and Miller's minimal standard generator). */
function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/**
 * 1,500 members with powers of up to eighteen digits, of whom 1,000 vote; the other 500 delegate, in chains of up to
 * five.
 */
function scene(kind: VoteKind) {
  const draw = draws(7);
  const electors = Array.from({ length: MEMBERS }, (_, n) => ({
    id: `member-${n}`,
    power: `${1 + draw(999_999_999)}${String(draw(1_000_000_000)).padStart(9, "0")}`,
  }));
  const delegations = Array.from({ length: MEMBERS - VOTERS }, (_, n) => ({
    from: `member-${VOTERS + n}`,
    to: n % 5 === 0 ? `member-${draw(VOTERS)}` : `member-${VOTERS + n - 1}`,
  }));
  const some = (): number[] =>
    Array.from({ length: OPTIONS }, (_, option) => [draw(1_000), option] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, 1 + draw(OPTIONS))
      .map(([, option]) => option);
  const choices: Record<VoteKind, () => Choice> = {
    basic: () => (["for", "against", "abstain"] as const)[draw(3)]!,
    single: () => draw(OPTIONS),
    approval: some,
    ranked: some,
    quadratic: () => some().map((option) => ({ option, credits: 1 + draw(100) })),
  };
  const ballots = Array.from({ length: VOTERS }, (_, n) => ({
    voter: `member-${n}`,
    choice: choices[kind](),
    firstCastAt: new Date(1.7e12 + n).toISOString(),
    castAt: new Date(1.7e12 + n).toISOString(),
  }));
  const bar = { quorumBps: 9_000, quorumCounts: "participation", majorityBps: 5_000, pluralityBps: 0 } as const;
  return {
    kind,
    options: kind === "basic" ? 3 : OPTIONS,
    electorate: { electors, delegations, depth: 5 },
    bar,
    ballots,
  };
}

/** The first count of a process, and the median of those after it, in milliseconds. */
function timed(count: () => unknown): [string, string] {
  const figures = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    count();
    return performance.now() - began;
  });
  return [`${round(figures[0]!, 2)}`, `${round(median(figures.slice(1)), 2)}`];
}

/** Time to count 1,000 votes with delegations, for each kind of vote, and to find when the quorum was reached. */
export async function dao(): Promise<string> {
  const rows = VOTE_KINDS.map((kind) => {
    const given = scene(kind);
    const [first, warm] = timed(() => tally(given));
    return `| ${kind} | ${first} | ${warm} |`;
  });
  const basic = scene("basic");
  const [first, warm] = timed(() => quorumReachedAt(basic));
  return [
    "## Tally of a DAO's vote",
    "",
    `Milliseconds to count ${VOTERS.toLocaleString("en")} votes of ${MEMBERS.toLocaleString("en")} members, ${MEMBERS - VOTERS} of whom delegate in chains of up to five, powers of eighteen digits, ${OPTIONS} options; median of ${ROUNDS - 1}.`,
    "",
    "| Kind | first | median |",
    "|---|---|---|",
    ...rows,
    `| (when the quorum was reached) | ${first} | ${warm} |`,
    "",
  ].join("\n");
}

if (import.meta.main) {
  console.log(await dao());
  process.exit(0);
}
