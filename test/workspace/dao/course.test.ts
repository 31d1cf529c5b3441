import fc from "fast-check";
import { DEFAULT_CONFIG, rulesFor, type Rules } from "../../../services/workspace/dao/daos.ts";
import {
  begin,
  cancel,
  close,
  COURSE,
  expire,
  extend,
  finish,
  halt,
  open,
  queue,
  timetable,
  type Proposal,
} from "../../../services/workspace/dao/proposals/proposals.ts";
import type { Tally } from "../../../services/workspace/dao/votes/tally.ts";
import { tries } from "../../tries.ts";

// The life cycle under every interleaving: several workers read, decide and compare-and-set, while the clock runs.

const START = Date.UTC(2026, 0, 1);
const iso = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();
const PASSED = { outcome: "succeeded", winner: 0 } as Tally;
const FAILED = { outcome: "defeated", winner: null } as Tally;

const submitted = (rules: Partial<Rules>, now = iso(0)): Proposal => {
  const all = { ...rulesFor(DEFAULT_CONFIG, undefined), ...rules };
  return {
    id: "p",
    rev: 1,
    createdAt: now,
    updatedAt: now,
    createdBy: "ann",
    daoId: "d",
    problemSetId: "s",
    compartments: [],
    title: "t",
    description: "",
    kind: "basic",
    options: ["for", "against", "abstain"],
    measures: [{ do: "change-config", config: { quorumBps: 1 } }],
    rules: all,
    status: "pending",
    ...timetable(all, now),
  };
};
const RULES = { delaySeconds: 10, periodSeconds: 100, timelockSeconds: 50, graceSeconds: 200, lateQuorumSeconds: 30 };

it("goes its way on time, and refuses in words what is too early", () => {
  let proposal = submitted(RULES);
  const take = (change: object | null): void => {
    proposal = { ...proposal, ...change, rev: proposal.rev + 1 };
  };
  const refused = (move: () => unknown, type: string): void =>
    expect(move).toThrow(expect.objectContaining({ code: 409, type }));
  refused(() => open(proposal, "3", iso(9)), "NOT_OPEN");
  refused(() => close(proposal, PASSED, iso(500)), "INVALID_TRANSITION");
  take(open(proposal, "3", iso(10)));
  refused(() => close(proposal, PASSED, iso(109)), "VOTING_OPEN");
  refused(() => begin(proposal, "ann", iso(500)), "INVALID_TRANSITION");
  take(extend(proposal, iso(100)));
  expect(proposal).toMatchObject({ deadline: iso(130), extendedFrom: iso(110), quorumReachedAt: iso(100) });
  expect(extend(proposal, iso(129))).toBeNull();
  refused(() => close(proposal, PASSED, iso(129)), "VOTING_OPEN");
  take(close(proposal, PASSED, iso(131)));
  take(queue(proposal));
  // The timelock counts from the close, not from whoever finalised late.
  expect(proposal).toMatchObject({ eta: iso(180), expiresAt: iso(380), steps: [{ status: "pending" }] });
  refused(() => begin(proposal, "ann", iso(179)), "TIMELOCKED");
  refused(() => finish(proposal, iso(200)), "NOT_EXECUTING");
  take(begin(proposal, "ann", iso(180)));
  refused(() => begin(proposal, "ben", iso(180)), "EXECUTING");
  refused(() => cancel(proposal, "ann", undefined, iso(180)), "EXECUTING");
  refused(() => expire(proposal, iso(400)), "NOT_EXPIRED");
  take(halt(proposal, "No gate here."));
  expect(proposal).toMatchObject({ status: "queued", waitingFor: "No gate here." });
  refused(() => begin(proposal, "ann", iso(380)), "EXPIRED");
  take(begin(proposal, "ann", iso(379)));
  take(finish(proposal, iso(390)));
  for (const move of [
    () => begin(proposal, "ann", iso(200)),
    () => expire(proposal, iso(500)),
    () => cancel(proposal, "ann", undefined, iso(200)),
    () => finish(proposal, iso(400)),
  ])
    refused(move, "INVALID_TRANSITION");
});

/** A record with compare-and-set, and what was done to the world. */
class Shelf {
  proposal: Proposal;
  now = 0;
  executions: number[] = [];
  trail: string[] = [];
  constructor(proposal: Proposal) {
    this.proposal = proposal;
  }
  set(read: Proposal, change: object | null): boolean {
    if (!change || read.rev !== this.proposal.rev) return false;
    const next = { ...this.proposal, ...change, rev: read.rev + 1 };
    if (next.status !== this.proposal.status) this.trail.push(next.status);
    this.proposal = next;
    return true;
  }
}

const MOVES = {
  open: (p: Proposal, now: string) => open(p, "3", now),
  pass: (p: Proposal, now: string) => close(p, PASSED, now),
  fail: (p: Proposal, now: string) => close(p, FAILED, now),
  extend: (p: Proposal, now: string) => extend(p, now < p.deadline ? now : null),
  queue: (p: Proposal) => queue(p),
  begin: (p: Proposal, now: string) => begin(p, "ann", now),
  finish: (p: Proposal, now: string) => finish(p, now),
  halt: (p: Proposal) => halt(p, "lacking"),
  expire: (p: Proposal, now: string) => expire(p, now),
  cancel: (p: Proposal, now: string) => cancel(p, "ann", undefined, now),
} satisfies Record<string, (p: Proposal, now: string) => object | null>;
type Move = keyof typeof MOVES;

/**
 * What a schedule is made of: time goes by, or a worker moves. A worker who is not fresh writes by what it read at its
 * turn before, so that others came between.
 */
type Step = { seconds: number } | { worker: number; move: Move; fresh: boolean };

function take(step: Step, shelf: Shelf, reads: Map<number, Proposal>): void {
  if ("seconds" in step) {
    shelf.now += step.seconds;
    return;
  }
  const { worker, move, fresh } = step;
  const before = shelf.proposal;
  const read = (!fresh && reads.get(worker)) || before;
  reads.set(worker, before);
  const now = iso(shelf.now);
  let change: object | null;
  try {
    change = MOVES[move](read, now);
  } catch (error) {
    if ((error as { code?: number }).code === 409) return;
    throw error;
  }
  if (!shelf.set(read, change)) return;
  const after = shelf.proposal;
  if (
    after.status !== before.status &&
    !Object.values(COURSE.moves).some(
      ({ from, to }) => (from as readonly string[]).includes(before.status) && to === after.status,
    )
  )
    throw new Error(`${before.status} → ${after.status}`);
  if (after.deadline < before.deadline) throw new Error("the close came nearer");
  if (move === "open" && now < before.startsAt) throw new Error("opened early");
  if ((move === "pass" || move === "fail") && now < before.deadline) throw new Error("closed early");
  if (move === "begin" && (now < before.eta! || now >= before.expiresAt! || before.running))
    throw new Error("begun outside of its time, or twice");
  if (move === "expire" && (now < before.expiresAt! || before.running)) throw new Error("expired early, or under way");
  if (move === "cancel" && before.running) throw new Error("cancelled under way");
  if (after.status === "executed") shelf.executions.push(shelf.now);
}

const step = (move: Move): Step => ({ worker: 0, move, fresh: true });
/** The straight way; between its steps anything happens. */
const SCRIPT: Step[] = [
  { seconds: 10 },
  step("open"),
  { seconds: 100 },
  step("pass"),
  step("queue"),
  { seconds: 50 },
  step("begin"),
  step("finish"),
  step("finish"),
];

it("executes never before the timelock nor after the expiry, once at most, and leaves no end again, in any schedule", () => {
  const worked = fc.record({
    worker: fc.nat(2),
    move: fc.constantFrom(...(Object.keys(MOVES) as Move[])),
    fresh: fc.boolean(),
  });
  const between = fc.array(
    fc.oneof(
      { arbitrary: worked, weight: 3 },
      { arbitrary: fc.constantFrom(1, 10, 49, 50, 100, 199, 200).map((seconds) => ({ seconds })), weight: 1 },
    ),
    { maxLength: 4, size: "max" },
  );
  const reached = new Map<string, number>();
  fc.assert(
    fc.property(fc.tuple(...SCRIPT.map(() => between)), (gaps) => {
      const shelf = new Shelf(submitted(RULES));
      const reads = new Map<number, Proposal>();
      for (const [at, gap] of gaps.entries()) for (const one of [...gap, SCRIPT[at]!]) take(one, shelf, reads);
      expect(shelf.executions.length).toBeLessThanOrEqual(1);
      const ends = ["defeated", "executed", "expired", "cancelled"];
      expect(shelf.trail.slice(0, -1).filter((status) => ends.includes(status))).toEqual([]);
      for (const status of shelf.trail) reached.set(status, (reached.get(status) ?? 0) + 1);
    }),
    { numRuns: tries(1_000) },
  );
  // The schedules did reach every state: a model that goes nowhere proves nothing.
  for (const status of COURSE.states.filter((state) => state !== "pending"))
    expect([status, (reached.get(status) ?? 0) > 10]).toEqual([status, true]);
}, 120_000);
