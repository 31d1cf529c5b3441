import { z } from "zod";
import { fits, VOTE_KINDS, STANCES, type Choice, type Credit, type VoteKind } from "./choices.ts";
import { BASIS_POINTS, isqrt, shareUp, sum, Total } from "./integers.ts";
import { carry, type Carried, type Electorate } from "./power.ts";
import { runoff, type Runoff } from "./runoff.ts";

export const VOTE_OUTCOMES = ["succeeded", "defeated"] as const;

/** What a count found. All amounts are power, but for the scores of a quadratic vote: millionths of a vote. */
export const Tally = z
  .object({
    kind: z.enum(VOTE_KINDS),
    scores: z
      .array(Total)
      .describe("By option; in a `basic` vote: for, against, abstain; in a `ranked` one, of the last round."),
    rounds: z
      .array(z.object({ scores: z.array(Total), exhausted: Total, eliminated: z.int().nullable() }))
      .optional()
      .describe("Of a `ranked` vote."),
    power: z.object({
      total: Total,
      cast: Total.describe("Power that voted, including delegated power."),
      uncast: Total,
    }),
    voters: z.int().describe("Valid votes."),
    represented: z.int().describe("Members whose power counts: those who voted, and those whose delegate did."),
    invalid: z.int().describe("Stored votes that do not fit the proposal; they count for nothing."),
    quorum: z.object({ required: Total, counted: Total, reached: z.boolean() }),
    winner: z.int().nullable().describe("The winning option; null without one."),
    outcome: z.enum(VOTE_OUTCOMES),
    reason: z.string(),
  })
  .meta({ id: "DaoTally" });
export type Tally = z.output<typeof Tally>;

export interface Ballot {
  voter: string;
  choice: Choice;
}
/** What decides whether a count is enough; see `Rules`. */
export interface Bar {
  quorumBps: number;
  quorumCounts: "participation" | "support";
  majorityBps: number;
  pluralityBps: number;
}
export interface Count {
  kind: VoteKind;
  options: number;
  /** The options' words, for the reason; their numbers without. */
  titles?: readonly string[];
  electorate: Electorate;
  bar: Bar;
  ballots: readonly Ballot[];
}

/** One quadratic vote is a million of these, so that a root is rounded down at the sixth digit. */
const ROOT_SCALE = 1_000_000n;

/** The choice of each voter whose vote is one. */
export const validOf = (
  { kind, options }: Pick<Count, "kind" | "options">,
  ballots: readonly Ballot[],
): Map<string, Choice> =>
  new Map(ballots.filter(({ choice }) => fits(kind, options, choice)).map(({ voter, choice }) => [voter, choice]));

/**
 * Counts a vote from nothing but what is stored: who had which power, who trusted whom, and what each voted. The order
 * of the ballots does not matter.
 */
export function tally({ kind, options, titles, electorate, bar, ballots }: Count): Tally {
  const valid = validOf({ kind, options }, ballots);
  const { carried, cast, uncast, represented } = carry(electorate, new Set(valid.keys()));
  const votes = [...carried].map(([voter, load]) => ({ choice: valid.get(voter)!, load }));
  const counted = COUNTERS[kind](options, votes);
  const total = cast + uncast;
  const support = kind === "basic" ? counted.scores[0]! + counted.scores[2]! : cast;
  const backing = bar.quorumCounts === "support" ? support : cast;
  const required = shareUp(total, bar.quorumBps);
  const reached = backing >= required;
  const verdict = reached
    ? judge(kind, counted, cast, { ...bar, titles })
    : { winner: null, reason: `The quorum was not reached: ${backing} of ${required}.` };
  return {
    kind,
    scores: counted.scores.map(String),
    ...(counted.rounds && {
      rounds: counted.rounds.map(({ scores, exhausted, eliminated }) => ({
        scores: scores.map(String),
        exhausted: String(exhausted),
        eliminated,
      })),
    }),
    power: { total: String(total), cast: String(cast), uncast: String(uncast) },
    voters: valid.size,
    represented,
    invalid: ballots.length - valid.size,
    quorum: { required: String(required), counted: String(backing), reached },
    winner: verdict.winner,
    outcome: verdict.winner === null || (kind === "basic" && verdict.winner !== 0) ? "defeated" : "succeeded",
    reason: verdict.reason,
  };
}

interface Vote {
  choice: Choice;
  load: Carried;
}
type Counted = { scores: bigint[] } & Partial<Pick<Runoff, "rounds" | "winner">>;

const add = (options: number, votes: readonly Vote[], each: (vote: Vote, scores: bigint[]) => void): Counted => {
  const scores = Array.from({ length: options }, () => 0n);
  for (const vote of votes) each(vote, scores);
  return { scores };
};

const COUNTERS: Record<VoteKind, (options: number, votes: readonly Vote[]) => Counted> = {
  basic: (_options, votes) =>
    add(STANCES.length, votes, ({ choice, load }, scores) => {
      scores[STANCES.indexOf(choice as (typeof STANCES)[number])]! += load.total;
    }),
  single: (options, votes) =>
    add(options, votes, ({ choice, load }, scores) => {
      scores[choice as number]! += load.total;
    }),
  approval: (options, votes) =>
    add(options, votes, ({ choice, load }, scores) => {
      for (const option of choice as number[]) scores[option]! += load.total;
    }),
  quadratic: (options, votes) =>
    add(options, votes, ({ choice, load }, scores) => spend(choice as z.output<typeof Credit>[], load, scores)),
  ranked: (options, votes) =>
    runoff(
      options,
      votes.map(({ choice, load }) => ({ order: choice as number[], power: load.total })),
    ),
};

/**
 * Quadratic voting (Lalley and Weyl, AEA Papers and Proceedings 108, 2018): c credits buy the root of c votes. A
 * member's power is their credits, spent in the shares of whoever speaks for them; the root is taken of each member's
 * own, so that delegating makes a voice neither louder nor softer. Rounded down to a millionth.
 */
function spend(shares: readonly z.output<typeof Credit>[], { parts }: Carried, scores: bigint[]): void {
  const whole = BigInt(shares.reduce((total, { credits }) => total + credits, 0));
  for (const { option, credits } of shares)
    for (const [power, members] of parts) {
      scores[option]! += isqrt((power * BigInt(credits) * ROOT_SCALE * ROOT_SCALE) / whole) * BigInt(members);
    }
}

interface Verdict {
  winner: number | null;
  reason: string;
}

function judge(
  kind: VoteKind,
  counted: Counted,
  cast: bigint,
  { majorityBps, pluralityBps, titles }: Bar & Pick<Count, "titles">,
): Verdict {
  const titled = (option: number): string => (titles ? `“${titles[option]}”` : `Option ${option}`);
  if (kind === "basic") return majority(counted.scores, majorityBps);
  const { scores } = counted;
  const best = scores.reduce((a, b) => (a > b ? a : b), 0n);
  const leaders = scores.flatMap((score, option) => (score === best ? [option] : []));
  if (best === 0n) return { winner: null, reason: "No option got a vote." };
  const winner = kind === "ranked" ? counted.winner! : leaders.length === 1 ? leaders[0]! : null;
  if (winner === null) return { winner, reason: `Tied: ${leaders.map(titled).join(", ")}.` };
  // In an approval vote each option is measured against all power cast; credits and rankings against what counted for
  // any option.
  const whole = kind === "single" || kind === "approval" ? cast : sum(scores);
  if (scores[winner]! * BASIS_POINTS < whole * BigInt(pluralityBps))
    return {
      winner: null,
      reason: `${titled(winner)} leads with ${scores[winner]} of ${whole}, less than the share asked for.`,
    };
  return { winner, reason: `${titled(winner)} won with ${scores[winner]} of ${whole}.` };
}

function majority([inFavour = 0n, against = 0n]: readonly bigint[], majorityBps: number): Verdict {
  const passed = inFavour * BASIS_POINTS > (inFavour + against) * BigInt(majorityBps);
  if (passed) return { winner: 0, reason: `${inFavour} for, ${against} against.` };
  return {
    winner: against > 0n || inFavour > 0n ? 1 : null,
    reason:
      inFavour + against === 0n
        ? "Nobody voted for or against."
        : `${inFavour} for, ${against} against: not more than the share asked for.`,
  };
}
