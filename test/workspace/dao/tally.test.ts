import fc from "fast-check";
import { ballotsOf, cast, type Vote } from "../../../services/workspace/dao/votes/ballots.ts";
import {
  canonicalChoice,
  fits,
  VOTE_KINDS,
  type Choice,
  type VoteKind,
} from "../../../services/workspace/dao/votes/choices.ts";
import {
  delegateChain,
  delegated,
  delegatesOf,
  type Delegation,
} from "../../../services/workspace/dao/delegations/delegations.ts";
import { isqrt, shareUp } from "../../../services/workspace/dao/votes/integers.ts";
import { carry, electorate, type Electorate } from "../../../services/workspace/dao/votes/power.ts";
import { extended, quorumReachedAt, type TimedBallot } from "../../../services/workspace/dao/votes/quorum.ts";
import { runoff } from "../../../services/workspace/dao/votes/runoff.ts";
import { tally, type Ballot, type Bar } from "../../../services/workspace/dao/votes/tally.ts";
import { tries } from "../../tries.ts";

const BAR: Bar = { quorumBps: 0, quorumCounts: "participation", majorityBps: 5_000, pluralityBps: 0 };
const of = (powers: Record<string, number>, delegations: Record<string, string> = {}, depth = 3): Electorate => ({
  electors: Object.entries(powers).map(([id, power]) => ({ id, power: String(power) })),
  depth,
  delegations: Object.entries(delegations).map(([from, to]) => ({ from, to })),
});
const votes = (choices: Record<string, Choice>): Ballot[] =>
  Object.entries(choices).map(([voter, choice]) => ({ voter, choice }));
const count = (
  kind: VoteKind,
  options: number,
  who: Electorate,
  choices: Record<string, Choice>,
  bar: Partial<Bar> = {},
) => tally({ kind, options, electorate: who, bar: { ...BAR, ...bar }, ballots: votes(choices) });

describe("whole numbers", () => {
  it("takes the floor of any root", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), (n) => {
        const root = isqrt(n);
        expect(root * root <= n && (root + 1n) * (root + 1n) > n).toBe(true);
      }),
      { numRuns: tries(500) },
    );
    // Squares and their neighbours, where doubles round to the wrong side, and beyond what a double holds.
    for (const root of [1n, 2n, 3n, 67_108_863n, 67_108_864n, 94_906_265n, 10n ** 20n, 2n ** 200n + 1n, 10n ** 160n])
      expect([isqrt(root ** 2n), isqrt(root ** 2n - 1n), isqrt(root ** 2n + 1n)]).toEqual([root, root - 1n, root]);
    expect(() => isqrt(-1n)).toThrow(RangeError);
  });

  it("rounds a quorum up", () =>
    expect([shareUp(11n, 1_000), shareUp(10n, 1_000), shareUp(0n, 1_000), shareUp(1n, 1)]).toEqual([2n, 1n, 0n, 1n]));
});

describe("counting", () => {
  it("passes on more for than against, abstentions aside, and only with the quorum", () => {
    const five = of({ a: 1, b: 1, c: 1, d: 1, e: 1 });
    expect(count("basic", 3, five, { a: "for", b: "for", c: "against", d: "abstain" })).toMatchObject({
      scores: ["2", "1", "1"],
      outcome: "succeeded",
      winner: 0,
      power: { total: "5", cast: "4", uncast: "1" },
    });
    expect(count("basic", 3, five, { a: "for", b: "against" })).toMatchObject({ outcome: "defeated" });
    expect(count("basic", 3, five, { a: "for", b: "abstain" }, { quorumBps: 5_000 })).toMatchObject({
      outcome: "defeated",
      winner: null,
      quorum: { required: "3", counted: "2", reached: false },
    });
    expect(
      count("basic", 3, five, { a: "for", b: "for", c: "against" }, { quorumBps: 6_000, quorumCounts: "support" }),
    ).toMatchObject({ outcome: "defeated", quorum: { counted: "2", reached: false } });
    expect(count("basic", 3, five, { a: "for", b: "for", c: "against" }, { majorityBps: 6_667 })).toMatchObject({
      outcome: "defeated",
    });
    expect(count("basic", 3, five, { a: "for", b: "for", c: "against" }, { majorityBps: 6_666 })).toMatchObject({
      outcome: "succeeded",
    });
    expect(count("basic", 3, five, {})).toMatchObject({ outcome: "defeated", winner: null });
  });

  it("elects by plurality and by approval, and a tie for the lead is defeated", () => {
    const weights = of({ a: 5, b: 3, c: 3 });
    expect(count("single", 3, weights, { a: 0, b: 1, c: 1 })).toMatchObject({
      scores: ["5", "6", "0"],
      winner: 1,
      outcome: "succeeded",
    });
    expect(count("single", 3, of({ a: 1, b: 1 }), { a: 0, b: 2 })).toMatchObject({ winner: null, outcome: "defeated" });
    expect(count("single", 3, weights, { a: 0, b: 1, c: 1 }, { pluralityBps: 6_000 })).toMatchObject({
      winner: null,
      outcome: "defeated",
    });
    expect(count("approval", 3, weights, { a: [0, 2], b: [1, 2], c: [1] })).toMatchObject({
      scores: ["5", "6", "8"],
      winner: 2,
    });
  });

  it("takes the root of credits, each member's own, in millionths rounded down", () => {
    expect(count("quadratic", 2, of({ a: 9 }), { a: [{ option: 0, credits: 1 }] }).scores).toEqual(["3000000", "0"]);
    expect(
      count("quadratic", 2, of({ a: 2 }), {
        a: [
          { option: 0, credits: 1 },
          { option: 1, credits: 1 },
        ],
      }).scores,
    ).toEqual(["1000000", "1000000"]);
    expect(count("quadratic", 2, of({ a: 2 }), { a: [{ option: 1, credits: 7 }] }).scores).toEqual(["0", "1414213"]);
    // Four members of power 1 outweigh one of power 9, and go on doing so through a delegate.
    const crowd = of({ a: 9, b: 1, c: 1, d: 1, e: 1 }, { c: "b", d: "b", e: "b" });
    expect(
      count("quadratic", 2, crowd, { a: [{ option: 0, credits: 1 }], b: [{ option: 1, credits: 1 }] }),
    ).toMatchObject({ scores: ["3000000", "4000000"], winner: 1 });
  });

  it("runs off the example of Burlington's form: the leader of the first round loses", () => {
    // 8 + 5 + 4 votes; the third's go to the second.
    const rankings = [
      { order: [0, 2, 1], power: 8n },
      { order: [1, 2, 0], power: 5n },
      { order: [2, 1, 0], power: 4n },
    ];
    expect(runoff(3, rankings)).toMatchObject({
      winner: 1,
      rounds: [
        { scores: [8n, 5n, 4n], eliminated: 2 },
        { scores: [8n, 9n, 0n], eliminated: null },
      ],
    });
  });

  it("breaks ties for the weakest by the latest earlier round in which they differed, then against the one listed last", () => {
    // Options 1 and 2 tie in the second round with 4 each; 2 had fewer in the first.
    const rankings = [
      { order: [0], power: 7n },
      { order: [1], power: 4n },
      { order: [2], power: 3n },
      { order: [3, 2], power: 1n },
    ];
    expect(runoff(4, rankings)).toMatchObject({
      winner: 0,
      rounds: [
        { eliminated: 3 },
        { scores: [7n, 4n, 4n, 0n], eliminated: 2 },
        { scores: [7n, 4n, 0n, 0n], exhausted: 4n, eliminated: null },
      ],
    });
    expect(
      runoff(3, [
        { order: [0], power: 2n },
        { order: [1, 0], power: 1n },
        { order: [2, 0], power: 1n },
        { order: [1, 2], power: 1n },
        { order: [2, 1], power: 1n },
      ]).rounds[0]!.eliminated,
    ).toBe(2);
  });

  it("leaves the last two tied where they never differed, and an empty vote without a winner", () => {
    expect(
      runoff(2, [
        { order: [0], power: 3n },
        { order: [1], power: 3n },
      ]),
    ).toMatchObject({ winner: null });
    expect(runoff(2, [])).toMatchObject({ winner: null });
    expect(count("ranked", 2, of({ a: 1, b: 1 }), { a: [0], b: [1, 0] })).toMatchObject({
      winner: null,
      outcome: "defeated",
    });
    expect(count("ranked", 3, of({ a: 3, b: 2, c: 2 }), { a: [0], b: [1, 2], c: [2, 1] })).toMatchObject({
      winner: 1,
      outcome: "succeeded",
    });
  });

  it("counts a stored vote that does not fit for nothing, and says how many there are", () => {
    expect(count("single", 2, of({ a: 1, b: 1 }), { a: 0, b: 7 })).toMatchObject({
      invalid: 1,
      voters: 1,
      power: { cast: "1" },
      winner: 0,
    });
  });

  it("gives equal choices one form to sign", () => {
    expect(canonicalChoice("approval", [2, 0])).toBe("[0,2]");
    expect(canonicalChoice("ranked", [2, 0])).toBe("[2,0]");
    expect(
      canonicalChoice("quadratic", [
        { option: 1, credits: 3 },
        { option: 0, credits: 1 },
      ]),
    ).toBe("[[0,1],[1,3]]");
    expect(canonicalChoice("basic", "for")).toBe('"for"');
  });
});

describe("delegation", () => {
  const made = (from: string, to: string): Delegation => ({ from, to, since: "2026-01-01T00:00:00.000Z" });
  const NOW = "2026-06-01T00:00:00.000Z";

  it("goes on from delegate to delegate, as deep as the DAO lets it, to the first who votes", () => {
    const line = { a: "b", b: "c", c: "d" };
    const powers = { a: 1, b: 1, c: 1, d: 1 };
    expect(count("basic", 3, of(powers, line, 3), { d: "for" }).scores).toEqual(["4", "0", "0"]);
    expect(count("basic", 3, of(powers, line, 1), { d: "for" }).scores).toEqual(["2", "0", "0"]);
    expect(count("basic", 3, of(powers, line, 3), { d: "for", b: "against" }).scores).toEqual(["2", "2", "0"]);
    expect(count("basic", 3, of(powers, line, 3), { d: "for", a: "against" })).toMatchObject({
      scores: ["3", "1", "0"],
      represented: 4,
      voters: 2,
    });
    expect(count("basic", 3, of({ a: 5, b: 0 }, { a: "b" }), { b: "for" }).scores).toEqual(["5", "0", "0"]);
  });

  it("refuses circles and oneself; a later delegation replaces, an ended one no longer stands in the way", () => {
    const chain = [made("a", "b"), made("b", "c")];
    expect(() => delegated(chain, made("c", "a"), NOW)).toThrow(expect.objectContaining({ type: "DELEGATION_CYCLE" }));
    expect(() => delegated(chain, made("a", "a"), NOW)).toThrow(expect.objectContaining({ type: "SELF_DELEGATION" }));
    expect(delegated(chain, made("a", "c"), NOW).map(({ from, to }) => from + to)).toEqual(["bc", "ac"]);
    expect(delegated([{ ...made("a", "b"), expiresAt: "2026-05-01T00:00:00.000Z" }], made("b", "a"), NOW)).toHaveLength(
      1,
    );
  });

  it("never closes a circle, whatever is asked for in whatever order", () => {
    const person = fc.integer({ min: 0, max: 7 }).map(String);
    fc.assert(
      fc.property(fc.array(fc.tuple(person, person), { maxLength: 40 }), (asked) => {
        let held: Delegation[] = [];
        for (const [from, to] of asked) {
          try {
            held = delegated(held, made(from, to), NOW);
          } catch {
            /* refused */
          }
        }
        const delegates = delegatesOf(held, NOW);
        for (const start of delegates.keys()) {
          let at: string | undefined = start;
          for (let hops = 0; at !== undefined; hops++, at = delegates.get(at)) expect(hops).toBeLessThan(9);
        }
        expect(new Set(held.map(({ from }) => from)).size).toBe(held.length);
      }),
      { numRuns: tries(1_000) },
    );
  });

  it("forms an electorate of those who belong to it: others' powers and delegations stay out", () => {
    const holdings = new Map([
      ["a", { roles: ["r", "s"], tokens: "70" }],
      ["z", { roles: ["r"], tokens: "9" }],
    ]);
    const weights = new Map([
      ["r", 3n],
      ["s", 4n],
    ]);
    const delegates = new Map([
      ["a", "b"],
      ["b", "z"],
    ]);
    expect(electorate("role", ["b", "a"], holdings, weights, delegates, 2)).toEqual({
      electors: [
        { id: "a", power: "7" },
        { id: "b", power: "0" },
      ],
      delegations: [{ from: "a", to: "b" }],
      depth: 2,
      total: "7",
    });
    expect(electorate("token", ["a", "b"], holdings, weights, delegates, 0)).toMatchObject({
      total: "70",
      delegations: [],
    });
    expect(electorate("member", ["a", "b", "a"], holdings, weights, delegates, 1).total).toBe("2");
  });
});

// Claim 5: ten thousand seeded worlds of electors, trust and votes.
const PEOPLE = Array.from({ length: 9 }, (_, n) => `p${n}`);
const OPTIONS = 4;
const choiceOf: Record<VoteKind, fc.Arbitrary<Choice>> = {
  basic: fc.constantFrom("for", "against", "abstain"),
  single: fc.nat(OPTIONS - 1),
  approval: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
  ranked: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
  quadratic: fc
    .shuffledSubarray([0, 1, 2, 3], { minLength: 1 })
    .chain((picked) =>
      fc
        .tuple(...picked.map(() => fc.integer({ min: 1, max: 100 })))
        .map((credits) => picked.map((option, n) => ({ option, credits: credits[n]! }))),
    ),
};
const world = fc.constantFrom(...VOTE_KINDS).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    powers: fc.array(fc.bigInt({ min: 0n, max: 10n ** 20n }), { minLength: PEOPLE.length, maxLength: PEOPLE.length }),
    trust: fc.array(fc.tuple(fc.constantFrom(...PEOPLE), fc.constantFrom(...PEOPLE)), { maxLength: 14 }),
    depth: fc.nat(5),
    bar: fc.record({
      quorumBps: fc.nat(10_000),
      quorumCounts: fc.constantFrom("participation" as const, "support" as const),
      majorityBps: fc.nat(9_999),
      pluralityBps: fc.nat(10_000),
    }),
    casts: fc.array(fc.record({ voter: fc.constantFrom(...PEOPLE), choice: choiceOf[kind] }), { maxLength: 16 }),
    seed: fc.nat(1_000),
  }),
);

it("counts the same in any order, conserves power, counts itself anew to the same, and takes a changed vote as if it had been so from the start", () => {
  fc.assert(
    fc.property(world, ({ kind, powers, trust, depth, bar, casts, seed }) => {
      let held: Delegation[] = [];
      const at = "2026-01-01T00:00:00.000Z";
      for (const [from, to] of trust) {
        try {
          held = delegated(held, { from, to, since: at }, at);
        } catch {
          /* refused */
        }
      }
      const who: Electorate = {
        electors: PEOPLE.map((id, n) => ({ id, power: String(powers[n]) })),
        delegations: held.map(({ from, to }) => ({ from, to })),
        depth,
      };
      const last = new Map(casts.map(({ voter, choice }) => [voter, choice]));
      const ballots = [...last].map(([voter, choice]) => ({ voter, choice }));
      const asked = { kind, options: kind === "basic" ? 3 : OPTIONS, electorate: who, bar };
      const counted = tally({ ...asked, ballots });

      const shuffled = ballots
        .map((ballot, n) => [((n + 1) * (seed + 1)) % 17, ballot] as const)
        .sort(([a], [b]) => a - b)
        .map(([, ballot]) => ballot);
      expect(
        tally({
          ...asked,
          ballots: shuffled,
          electorate: { ...who, electors: [...who.electors].reverse(), delegations: [...who.delegations].reverse() },
        }),
      ).toEqual(counted);
      // Cast and changed one after the other, as records.
      const slots = new Map(PEOPLE.map((voter) => [voter, { voter, changes: 0, history: [] } as unknown as Vote]));
      for (const { voter, choice } of casts)
        slots.set(voter, {
          ...slots.get(voter)!,
          ...cast(slots.get(voter)!, { choice }, { changeable: true }, at, at),
        } as Vote);
      expect(tally({ ...asked, ballots: ballotsOf([...slots.values()]) })).toEqual(counted);
      expect(tally(JSON.parse(JSON.stringify({ ...asked, ballots })))).toEqual(counted);

      const total = powers.reduce((a, b) => a + b, 0n);
      const { carried, cast: used, uncast } = carry(who, new Set(last.keys()));
      expect(used + uncast).toBe(total);
      expect([...carried.values()].reduce((a, load) => a + load.total, 0n)).toBe(used);
      expect(BigInt(counted.power.total)).toBe(total);
      if (kind === "basic" || kind === "single")
        expect(counted.scores.reduce((a, score) => a + BigInt(score), 0n)).toBe(used);
      if (kind === "ranked")
        for (const round of counted.rounds!)
          expect(round.scores.reduce((a, score) => a + BigInt(score), BigInt(round.exhausted))).toBe(used);
      for (const [voter, choice] of last) expect(carried.has(voter) && fits(kind, asked.options, choice)).toBe(true);
      expect(counted.invalid).toBe(0);
    }),
    { numRuns: tries(1_000) },
  );
}, 120_000);

describe("a quorum reached late", () => {
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const ballot = (voter: string, minute: number, choice: Choice = "for", first = minute): TimedBallot => ({
    voter,
    choice,
    firstCastAt: at(first),
    castAt: at(minute),
  });
  const asked = (who: Electorate, ballots: TimedBallot[], bar: Partial<Bar> = {}) =>
    quorumReachedAt({ kind: "basic", options: 3, electorate: who, bar: { ...BAR, quorumBps: 5_000, ...bar }, ballots });

  it("is told by the vote that reached it, delegated power included", () => {
    const four = of({ a: 1, b: 1, c: 1, d: 1 });
    expect(asked(four, [ballot("a", 1)])).toBeNull();
    expect(asked(four, [ballot("b", 7), ballot("a", 1)])).toBe(at(7));
    expect(asked(of({ a: 1, b: 1, c: 1, d: 1 }, { b: "a" }), [ballot("a", 1)])).toBe(at(1));
    expect(asked(four, [ballot("a", 1), ballot("b", 9, "for", 2)])).toBe(at(2));
    expect(
      asked(four, [ballot("a", 1), ballot("b", 2, "against"), ballot("c", 8, "abstain")], { quorumCounts: "support" }),
    ).toBe(at(8));
  });

  it("moves the end to leave the time promised, and never nearer", () => {
    expect(extended(at(60), at(55), 10 * 60_000)).toBe(at(65));
    expect(extended(at(60), at(10), 10 * 60_000)).toBe(at(60));
  });

  it("is found as a count after every vote would find it", () => {
    fc.assert(
      fc.property(
        fc.record({
          powers: fc.array(fc.nat(9), { minLength: 6, maxLength: 6 }),
          trust: fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 8 }),
          depth: fc.nat(4),
          quorumBps: fc.nat(10_000),
          counts: fc.constantFrom("participation" as const, "support" as const),
          casts: fc.uniqueArray(
            fc.record({
              voter: fc.nat(5),
              choice: fc.constantFrom("for" as const, "against" as const, "abstain" as const),
            }),
            { selector: ({ voter }) => voter },
          ),
        }),
        ({ powers, trust, depth, quorumBps, counts, casts }) => {
          let held: Delegation[] = [];
          for (const [from, to] of trust) {
            try {
              held = delegated(held, { from: `p${from}`, to: `p${to}`, since: at(0) }, at(0));
            } catch {
              /* refused */
            }
          }
          const who: Electorate = {
            electors: powers.map((power, n) => ({ id: `p${n}`, power: String(power) })),
            delegations: held.map(({ from, to }) => ({ from, to })),
            depth,
          };
          const ballots = casts.map(({ voter, choice }, n) => ballot(`p${voter}`, n, choice));
          const bar = { ...BAR, quorumBps, quorumCounts: counts };
          const first = ballots.findIndex(
            (_, n) =>
              tally({ kind: "basic", options: 3, electorate: who, bar, ballots: ballots.slice(0, n + 1) }).quorum
                .reached,
          );
          expect(quorumReachedAt({ kind: "basic", options: 3, electorate: who, bar, ballots })).toBe(
            first < 0 ? null : at(first),
          );
        },
      ),
      { numRuns: tries(1_000) },
    );
  });
});

it("follows a chain no longer than asked, and ends a circle that should not be there", () => {
  const round = new Map([
    ["a", "b"],
    ["b", "c"],
    ["c", "a"],
  ]);
  expect(delegateChain("a", round)).toEqual(["a", "b", "c"]);
  expect(delegateChain("a", round, 1)).toEqual(["a", "b"]);
  expect(delegateChain("a", round, 0)).toEqual(["a"]);
});
