import fc from "fast-check";
import {
  BOUNTY_MOVES,
  BOUNTY_STATUSES,
  judgeSubmission,
  payeeOf,
  refuseUnlessRefundable,
  submit,
  type Bounty,
  type BountyStatus,
} from "../../../services/news/escrow/bounties/bounties.ts";
import { death, next, question, refused, type WalletView } from "../../../services/news/escrow/payouts/payout-steps.ts";
import { PAYOUT_STATES, POLICY, type Payout, type PayoutState } from "../../../services/news/escrow/payouts/payouts.ts";
import { bountyAfter, subscriptionAfter } from "../../../services/news/escrow/payouts/projections.ts";
import { can, make, MONEY_STAGES } from "../../../services/news/escrow/money-stages.ts";
import {
  aMonthLater,
  isDue,
  move,
  nextPeriod,
  SUBSCRIPTION_MOVES,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from "../../../services/news/escrow/subscriptions/subscriptions.ts";

const NOW = Date.parse("2026-03-01T00:00:00.000Z");
const iso = (ms: number) => new Date(ms).toISOString();
const stamps = { rev: 1, createdAt: iso(NOW), updatedAt: iso(NOW) };
const verdict = (traits: object) => ({
  accepted: true,
  by: "creator",
  basis: "creator" as const,
  at: iso(NOW),
  ...traits,
});
const submission = { by: "source", payee: "zs1", evidence: "e", at: iso(NOW) };
const bounty = (traits: Partial<Bounty> = {}): Bounty => ({
  id: "b",
  title: "t",
  description: "",
  amount: "5",
  refundAddress: "r",
  stage: "funded",
  status: "open",
  round: 0,
  createdBy: "creator",
  ...stamps,
  ...traits,
});

describe("the life of a bounty", () => {
  const moves = Object.keys(BOUNTY_MOVES) as (keyof typeof BOUNTY_MOVES)[];

  it("is a table whose every row leads somewhere from somewhere", () => {
    for (const name of moves) {
      const row = BOUNTY_MOVES[name];
      expect(row.stages.length).toBeGreaterThan(0);
      for (const stage of row.stages) expect(MONEY_STAGES).toContain(stage);
    }
  });

  it("makes exactly the moves of the table, and names what is possible where it refuses", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MONEY_STAGES),
        fc.option(fc.constantFrom(...BOUNTY_STATUSES), { nil: undefined }),
        fc.constantFrom(...moves),
        (stage, status, name) => {
          const attempt = () =>
            make<BountyStatus, typeof name>(BOUNTY_MOVES, name, { stage, ...(status && { status }) });
          if (can<BountyStatus, typeof name>(BOUNTY_MOVES, name, { stage, ...(status && { status }) }))
            expect(MONEY_STAGES).toContain(attempt().stage);
          else expect(attempt).toThrow(expect.objectContaining({ type: "INVALID_TRANSITION", code: 409 }));
        },
      ),
    );
  });

  it("ends when it is closed: no move leads out", () => {
    for (const name of moves)
      for (const status of BOUNTY_STATUSES)
        expect(can<BountyStatus, typeof name>(BOUNTY_MOVES, name, { stage: "closed", status })).toBe(false);
  });

  it("is answered only when open, or after a payout that failed", () => {
    expect(submit(bounty(), submission)).toMatchObject({ status: "submitted", submission, verdict: null });
    expect(submit(bounty({ status: "failed" }), submission).status).toBe("submitted");
    expect(() => submit(bounty({ status: "submitted" }), submission)).toThrow(/submitted/);
    expect(() => submit(bounty({ stage: "shielding", status: undefined }), submission)).toThrow(/shielding/);
  });

  it("is judged by its creator or by the crowd, never by who answered", () => {
    const answered = bounty({ status: "submitted", submission });
    expect(judgeSubmission(answered, verdict({}))).toMatchObject({ status: "submitted", verdict: { accepted: true } });
    expect(judgeSubmission(answered, verdict({ by: "jury", basis: "crowd" })).verdict.by).toBe("jury");
    expect(() => judgeSubmission(answered, verdict({ by: "stranger" }))).toThrow(/creator/);
    expect(() => judgeSubmission(answered, verdict({ by: "source", basis: "crowd" }))).toThrow(/own submission/);
    expect(() => judgeSubmission({ ...answered, verdict: verdict({}) }, verdict({ accepted: false }))).toThrow(
      /accepted/,
    );
    expect(() => judgeSubmission(bounty(), verdict({}))).toThrow(/open/);
  });

  it("is released only when accepted, refunded only when nothing stands in the way", () => {
    const answered = bounty({ status: "submitted", submission });
    expect(() => payeeOf(answered)).toThrow(expect.objectContaining({ type: "NOT_ACCEPTED", code: 422 }));
    expect(() => payeeOf({ ...answered, verdict: verdict({ accepted: false }) })).toThrow(/not accepted/);
    expect(payeeOf({ ...answered, verdict: verdict({}) })).toBe("zs1");
    expect(() => payeeOf(bounty())).toThrow(/open/);
    expect(() => refuseUnlessRefundable(answered)).toThrow(expect.objectContaining({ type: "PENDING_REVIEW" }));
    expect(() => refuseUnlessRefundable({ ...answered, verdict: verdict({}) })).toThrow(
      expect.objectContaining({ type: "ALREADY_ACCEPTED" }),
    );
    expect(() => refuseUnlessRefundable({ ...answered, verdict: verdict({ accepted: false }) })).not.toThrow();
    expect(() => refuseUnlessRefundable(bounty())).not.toThrow();
    expect(() => refuseUnlessRefundable(bounty({ stage: "created", status: undefined }))).toThrow(/created/);
  });
});

const subscription = (traits: Partial<Subscription> = {}): Subscription => ({
  id: "s",
  payee: "p",
  amount: "5",
  refundAddress: "r",
  stage: "funded",
  status: "active",
  period: 1,
  cancelAtEnd: false,
  round: 0,
  createdBy: "reader",
  ...stamps,
  ...traits,
});

describe("the life of a subscription", () => {
  it.each([
    ["2026-01-15T10:00:00.000Z", 15, "2026-02-15T10:00:00.000Z"],
    ["2026-01-31T10:00:00.000Z", 31, "2026-02-28T10:00:00.000Z"],
    ["2026-02-28T10:00:00.000Z", 31, "2026-03-31T10:00:00.000Z"],
    ["2028-01-30T00:00:00.000Z", 30, "2028-02-29T00:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", 31, "2027-01-31T23:59:59.999Z"],
  ])("counts calendar months: %s, begun on day %i, ends %s", (from, day, to) => {
    expect(aMonthLater(from, day)).toBe(to);
  });

  it("has periods without gaps that never drift from the day it began", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2024-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
        (start) => {
          let period = nextPeriod({}, start.toISOString());
          for (let month = 0; month < 30; month++) {
            const following = nextPeriod(period, iso(NOW));
            expect(following.from).toBe(period.to);
            expect(following.anchorDay).toBe(start.getUTCDate());
            const day = new Date(following.to).getUTCDate();
            expect(
              day === following.anchorDay || new Date(Date.parse(following.to) + 86_400_000).getUTCDate() === 1,
            ).toBe(true);
            period = following;
          }
        },
      ),
    );
  });

  it("falls due when its period has ended, and only while it is active", () => {
    const to = iso(NOW);
    expect(isDue(subscription({ to }), iso(NOW))).toBe(true);
    expect(isDue(subscription({ to }), iso(NOW - 1))).toBe(false);
    expect(isDue(subscription({ to, status: "due" }), iso(NOW))).toBe(false);
    expect(isDue(subscription({ to, stage: "release_requested" }), iso(NOW))).toBe(false);
  });

  it("makes the moves of its table", () => {
    expect(move("fallDue", subscription())).toEqual({ stage: "release_requested", status: "due" });
    expect(move("drop", subscription({ stage: "created", status: undefined }))).toEqual({
      stage: "closed",
      status: "cancelled",
    });
    expect(() => move("drop", subscription())).toThrow(/funded/);
    expect(() => move("cancel", subscription({ stage: "closed", status: "cancelled" }))).toThrow(/closed/);
    const names = Object.keys(SUBSCRIPTION_MOVES) as (keyof typeof SUBSCRIPTION_MOVES)[];
    for (const status of SUBSCRIPTION_STATUSES)
      for (const name of names) expect(() => move(name, { stage: "closed", status })).toThrow(/from closed/);
  });
});

const payout = (state: PayoutState, traits: Partial<Payout> = {}): Payout => ({
  id: "p",
  kind: "release",
  subject: "bounty:b",
  inFlight: "bounty:b",
  round: 0,
  to: "zs1",
  amount: "5",
  state,
  attempts: 1,
  resends: 0,
  refusals: 0,
  checks: 0,
  nextAt: iso(NOW),
  createdBy: "admin",
  ...stamps,
  ...(state !== "release_requested" && { sendBy: iso(NOW - 3_600_000) }),
  ...traits,
});
const absent = (height: number, traits: Partial<Extract<WalletView, { seen: "absent" }>> = {}): WalletView => ({
  seen: "absent",
  height,
  ...traits,
});
const transaction = (traits: Partial<Extract<WalletView, { seen: "transaction" }>> = {}): WalletView => ({
  seen: "transaction",
  txid: "t",
  confirmations: 0,
  expired: false,
  right: true,
  height: 500,
  arrived: "5",
  fee: "1",
  ...traits,
});
const step = (of: Payout, look: WalletView, now = NOW) => next(of, look, now, POLICY);

describe("the next step of a payout", () => {
  it("asks the wallet only what the step depends on", () => {
    expect(PAYOUT_STATES.map((state) => question(payout(state)))).toEqual([
      "nothing",
      "outcome",
      "outcome",
      "outcome",
      "nothing",
      "nothing",
      "nothing",
      "nothing",
    ]);
    expect(question(payout("submitted", { txid: "t" }))).toBe("depth");
    expect(question(payout("mined", { txid: "t" }))).toBe("depth");
  });

  it("sends an intent, books what is deep enough, and lets the rest be", () => {
    expect(step(payout("release_requested"), { seen: "nothing", fault: "" }).act).toBe("send");
    expect(step(payout("confirmed"), { seen: "nothing", fault: "" }).act).toBe("book");
    for (const state of ["closed", "failed", "manual_review"] as const)
      expect(step(payout(state), { seen: "nothing", fault: "" }).act).toBe("rest");
  });

  it("adopts an operation that is found after a lost answer", () => {
    expect(step(payout("sending"), { seen: "operation", opid: "opid-1" }).change).toMatchObject({
      state: "submitted",
      opid: "opid-1",
    });
    expect(step(payout("sending"), { seen: "operation", opid: "opid-1", txid: "t" }).change).toMatchObject({
      state: "submitted",
      txid: "t",
    });
    expect(step(payout("sending"), transaction()).change).toMatchObject({ state: "submitted", txid: "t" });
  });

  it("waits for all three before it sends again: the window, the queue, the expiry", () => {
    const fresh = payout("sending", { sendBy: iso(NOW) });
    expect(step(fresh, absent(500)).change.absentAt).toBeUndefined();
    const settled = NOW + POLICY.settleMs;
    expect(step(fresh, absent(500), settled).change).toMatchObject({ absentAt: 500 });
    const noticed = { ...fresh, absentAt: 500 };
    expect(step(noticed, absent(500 + POLICY.expiryBlocks - 1), settled).change.state).toBeUndefined();
    expect(step(noticed, absent(500 + POLICY.expiryBlocks), settled - 1).change.state).toBeUndefined();
    expect(step(noticed, absent(500 + POLICY.expiryBlocks), settled).change).toMatchObject({
      state: "release_requested",
      resends: 1,
      opid: null,
      sendBy: null,
      absentAt: null,
    });
  });

  it("sends again at once only after a refusal", () => {
    const poor = step(
      payout("submitted", { opid: "o" }),
      absent(500, { failure: "Insufficient funds", refused: true }),
    );
    expect(poor.change).toMatchObject({ state: "release_requested", refusals: 1, reason: "Insufficient funds" });
    expect(
      step(payout("submitted", { opid: "o" }), absent(500, { failure: "CommitTransaction failed" })).change.state,
    ).toBeUndefined();
    expect(refused(payout("sending"), "no such address", false, NOW, POLICY).change).toMatchObject({
      state: "manual_review",
    });
    expect(refused(payout("sending", { refusals: POLICY.maxRefusals }), "busy", true, NOW, POLICY).change.state).toBe(
      "manual_review",
    );
    expect(refused(payout("sending", { kind: "shield" }), "change", false, NOW, POLICY).change.state).toBe("failed");
  });

  it("asks a person when it cannot be decided", () => {
    expect(step(payout("sending", { checks: POLICY.maxChecks }), { seen: "nothing", fault: "down" }).change.state).toBe(
      "manual_review",
    );
    expect(step(payout("sending", { checks: POLICY.maxChecks }), absent(1)).change.state).toBe("manual_review");
    expect(step(payout("sending", { checks: POLICY.maxChecks }), transaction()).change.state).toBe("submitted");
    expect(step(payout("sending", { absentAt: 1, resends: POLICY.maxResends }), absent(900)).change.state).toBe(
      "manual_review",
    );
    expect(step(payout("sending"), transaction({ right: false })).change).toMatchObject({
      state: "manual_review",
      txid: "t",
    });
    expect(step(payout("submitted", { txid: "t" }), transaction({ right: false })).change.state).toBe("manual_review");
  });

  it("follows a transaction into the chain, and out of it again", () => {
    const known = payout("submitted", { txid: "t" });
    expect(step(known, transaction({ confirmations: 1 })).change).toMatchObject({ state: "mined", confirmations: 1 });
    expect(step(known, transaction({ confirmations: POLICY.confirmations })).change).toMatchObject({
      state: "confirmed",
      fee: "1",
      amount: "5",
    });
    expect(step(payout("mined", { txid: "t" }), transaction({ confirmations: -1 })).change).toMatchObject({
      state: "submitted",
    });
    expect(step(payout("mined", { txid: "t" }), { seen: "nothing", fault: "down" }).change.state).toBeUndefined();
  });

  it("gives an expired transaction up only when no reorganisation can bring it back", () => {
    const known = payout("submitted", { txid: "t" });
    expect(step(known, transaction({ expired: true, height: 600 })).change).toMatchObject({ expiredAt: 600 });
    const noticed = { ...known, expiredAt: 600 };
    expect(
      step(noticed, transaction({ expired: true, height: 600 + POLICY.reorgBlocks - 1 })).change.state,
    ).toBeUndefined();
    expect(step(noticed, transaction({ expired: true, height: 600 + POLICY.reorgBlocks })).change).toMatchObject({
      state: "release_requested",
      abandoned: ["t"],
      txid: null,
    });
    expect(step(noticed, transaction({ confirmations: 1 })).change).toMatchObject({ state: "mined", expiredAt: null });
  });

  it("gives a forgotten transaction up only when it must have expired", () => {
    const known = payout("mined", { txid: "t" });
    expect(step(known, absent(600)).change).toMatchObject({ state: "submitted", absentAt: 600 });
    const noticed = { ...known, absentAt: 600 };
    expect(step(noticed, absent(600 + POLICY.expiryBlocks - 1)).change.state).toBe("submitted");
    expect(step(noticed, absent(600 + POLICY.expiryBlocks)).change).toMatchObject({
      state: "release_requested",
      abandoned: ["t"],
    });
    expect(step(noticed, transaction({ confirmations: 2 })).change).toMatchObject({ state: "mined", absentAt: null });
  });

  it("is given up by a person only when it is dead", () => {
    const stuck = payout("manual_review", { absentAt: 600 });
    const blocks = POLICY.expiryBlocks;
    expect(death(stuck, absent(600 + blocks), NOW, POLICY)).toEqual({ dead: true });
    expect(death(stuck, absent(599 + blocks), NOW, POLICY)).toEqual({
      dead: false,
      fromBlock: 600 + blocks,
      change: { absentAt: 600 },
    });
    expect(death(payout("manual_review"), absent(900), NOW, POLICY)).toMatchObject({
      dead: false,
      change: { absentAt: 900 },
    });
    expect(death(payout("manual_review", { sendBy: undefined }), absent(1), NOW, POLICY)).toEqual({ dead: true });
    expect(death(stuck, transaction(), NOW, POLICY)).toBeNull();
    expect(death(stuck, { seen: "operation", opid: "o" }, NOW, POLICY)).toBeNull();
    const expired = transaction({ expired: true, height: 700 });
    expect(death(stuck, expired, NOW, POLICY)).toEqual({
      dead: false,
      fromBlock: 700 + POLICY.reorgBlocks,
      change: { expiredAt: 700 },
    });
    expect(death({ ...stuck, expiredAt: 700 - POLICY.reorgBlocks }, expired, NOW, POLICY)).toEqual({ dead: true });
  });

  it("never sends again on any look that leaves a doubt, whatever is stored", () => {
    const looks: fc.Arbitrary<WalletView> = fc.oneof(
      fc.constant<WalletView>({ seen: "nothing", fault: "x" }),
      fc.record({ seen: fc.constant("operation" as const), opid: fc.constant("o") }),
      fc
        .record({
          confirmations: fc.integer({ min: -1, max: 9 }),
          right: fc.boolean(),
          height: fc.integer({ min: 0, max: 999 }),
        })
        .map((traits) => transaction(traits)),
      fc.integer({ min: 0, max: 599 + POLICY.expiryBlocks }).map((height) => absent(height)),
    );
    const stored = fc.record({
      checks: fc.nat(99),
      resends: fc.nat(5),
      absentAt: fc.constantFrom(undefined, 600, 700),
      txid: fc.constantFrom(undefined, "t"),
    });
    fc.assert(
      fc.property(
        fc.constantFrom("sending" as const, "submitted" as const, "mined" as const),
        stored,
        looks,
        (state, traits, look) => {
          const { act, change } = step(payout(state, traits), look);
          expect(act).not.toBe("send");
          expect(change.state).not.toBe("release_requested");
        },
      ),
    );
  });

  it("looks again ever more seldom, and never not at all", () => {
    let looked = payout("sending", { sendBy: iso(NOW + 1e12) });
    let last = 0;
    for (let checks = 0; checks < 30; checks++) {
      const { change } = step(looked, { seen: "nothing", fault: "down" });
      const wait = Date.parse(change.nextAt!) - NOW;
      expect(wait).toBeGreaterThanOrEqual(last);
      expect(wait).toBeLessThanOrEqual(POLICY.longestDelayMs);
      last = wait;
      looked = { ...looked, checks: change.checks! };
    }
    expect(last).toBe(POLICY.longestDelayMs);
  });
});

describe("what a payout makes of its subject", () => {
  const told = (state: PayoutState, traits: Partial<Payout> = {}) =>
    bountyAfter(bounty({ status: "submitted" }), payout(state, traits), iso(NOW));

  it("follows it stage by stage to the end", () => {
    expect(told("release_requested")).toMatchObject({ stage: "release_requested", payoutId: "p" });
    expect(told("sending")).toMatchObject({ stage: "release_requested" });
    expect(told("mined", { kind: "refund" })).toMatchObject({ stage: "refunding" });
    expect(told("manual_review")).toMatchObject({ stage: "manual_review" });
    expect(told("closed")).toMatchObject({ stage: "closed", status: "paid", endedAt: iso(NOW) });
    expect(told("closed", { kind: "refund" })).toMatchObject({ status: "refunded" });
    expect(told("failed")).toMatchObject({ stage: "funded", status: "failed", round: 1, payoutId: null });
  });

  it("changes nothing when it is repeated, late, or of another round", () => {
    expect(bountyAfter(bounty({ stage: "mined", payoutId: "p" }), payout("mined"), iso(NOW))).toBeNull();
    expect(bountyAfter(bounty({ stage: "closed", status: "paid" }), payout("mined"), iso(NOW))).toBeNull();
    expect(bountyAfter(bounty({ round: 1 }), payout("closed"), iso(NOW))).toBeNull();
    expect(subscriptionAfter(subscription({ round: 1 }), payout("closed"), iso(NOW), iso(NOW))).toBeNull();
  });

  it("renews a subscription, or ends it where that was asked for", () => {
    const due = subscription({ stage: "confirmed", status: "due", depositId: "d" });
    const renewed = {
      stage: "created",
      status: "renewed",
      period: 2,
      round: 1,
      depositId: null,
      lapsesAt: iso(NOW + 1),
    };
    expect(subscriptionAfter(due, payout("closed"), iso(NOW), iso(NOW + 1))).toMatchObject(renewed);
    expect(subscriptionAfter({ ...due, cancelAtEnd: true }, payout("closed"), iso(NOW), "")).toMatchObject({
      stage: "closed",
      status: "cancelled",
    });
    expect(subscriptionAfter(due, payout("closed", { kind: "refund" }), iso(NOW), "")).toMatchObject({
      stage: "closed",
      status: "cancelled",
    });
    expect(subscriptionAfter(due, payout("failed"), iso(NOW), "")).toMatchObject({
      stage: "funded",
      status: "due",
      round: 1,
    });
  });
});
