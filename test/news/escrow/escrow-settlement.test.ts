import type { Fault } from "../../../adapters/wallet/stand-in.ts";
import type { Collection, Documents } from "../../../core/records/documents.ts";
import { openEscrow } from "../../../services/news/escrow/escrow.ts";
import { readMemo } from "../../../services/news/escrow/zcash/memo.ts";
import type { EscrowWallet } from "../../../services/news/escrow/zcash/wallet-port.ts";
import { acceptedBounty, bench, carry, HandClock, MEMO_KEY, MINUTE, openBounty, type Bench } from "./escrow-setup.ts";

let on: Bench;
let payee: string;
beforeEach(async () => {
  on = await bench();
  payee = on.payee();
});
afterEach(() => on.close());

const release = async (amount?: string) => {
  const bounty = await acceptedBounty(on, payee, amount);
  return { bounty, payout: await on.escrow.requestRelease(bounty.id, "admin") };
};
const settled = async (bountyId: string, status = "paid", rounds?: number) => {
  await carry(on, rounds);
  expect(await on.escrow.bounties.get(bountyId)).toMatchObject({ status, stage: "closed" });
  expect(await on.escrow.reconcile()).toMatchObject({
    alert: null,
    steady: true,
    drift: { transparent: "0", shielded: "0" },
  });
  expect(await on.escrow.books.verify()).toBeNull();
};
const paidTo = (address: string) =>
  on.node
    .payments()
    .filter((payment) => payment.address === address)
    .map(({ amount }) => amount);

describe("a bounty", () => {
  it("is paid, shielded to shielded, and the books agree with the wallet", async () => {
    const { bounty, payout } = await release();
    expect(payout).toMatchObject({ state: "submitted", opid: expect.stringMatching(/^opid-/), attempts: 1 });
    await settled(bounty.id);
    expect(paidTo(payee)).toEqual(["50000000"]);
    expect(readMemo(MEMO_KEY, on.node.payments()[0]!.memo)).toEqual({
      subject: `bounty:${bounty.id}`,
      payoutId: payout.id,
      attempt: 1,
    });
    expect(await on.escrow.books.balance(`bounty:${bounty.id}`)).toBe("0");
    expect(
      on.node.chain
        .all()
        .filter(({ own }) => own)
        .every(({ transparent }) => transparent.length === 0),
    ).toBe(true);
  });

  it("stores what it will do before the wallet hears of it", async () => {
    const { id } = await acceptedBounty(on, payee);
    const payouts = await on.documents.collection("escrow_payouts");
    let stored: unknown;
    const watching: EscrowWallet = {
      ...on.wallet,
      send: async (transfer) => {
        stored = await payouts.findOne({ subject: `bounty:${id}` });
        return on.wallet.send(transfer);
      },
    };
    const escrow = await openEscrow({ documents: on.documents, wallet: watching, clock: on.clock, memoKey: MEMO_KEY });
    await escrow.requestRelease(id, "admin");
    expect(stored).toMatchObject({
      state: "sending",
      inFlight: `bounty:${id}`,
      attempts: 1,
      sendBy: expect.any(String),
    });
  });

  it("is promised first: nothing is open before its exact deposit is in the pool", async () => {
    const promised = await on.escrow.bounties.create(
      { title: "t", amount: "50000000", refundAddress: on.payee() },
      "creator",
    );
    expect(promised).toMatchObject({ stage: "created" });
    expect(promised.status).toBeUndefined();
    on.node.deposit(promised.due!);
    await on.escrow.tick();
    expect(await on.escrow.bounties.get(promised.id)).toMatchObject({ stage: "created" });
    on.node.mine(3);
    await on.escrow.tick();
    expect(await on.escrow.bounties.get(promised.id)).toMatchObject({ stage: "funding" });
    const payout = await on.escrow.shield("admin");
    expect(payout).toMatchObject({ kind: "shield", state: "submitted" });
    expect(await on.escrow.bounties.get(promised.id)).toMatchObject({ stage: "shielding" });
    await carry(on);
    expect(await on.escrow.bounties.get(promised.id)).toMatchObject({ stage: "funded", status: "open" });
  });

  it("goes back to its creator when the answer is rejected", async () => {
    const { id, refundAddress } = await openBounty(on);
    await on.escrow.bounties.submit(id, { payee, evidence: "no" }, "source");
    expect(await on.escrow.bounties.reject(id, { basis: "creator" }, "creator")).toMatchObject({ stage: "refunding" });
    await settled(id, "refunded");
    expect(paidTo(refundAddress)).toEqual(["50000000"]);
    expect(paidTo(payee)).toEqual([]);
  });

  it("is released once, however often it is ordered, and by however many", async () => {
    const { id } = await acceptedBounty(on, payee);
    const second = await openEscrow({ documents: on.documents, wallet: on.wallet, clock: on.clock, memoKey: MEMO_KEY });
    const orders = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((n) => (n % 2 ? second : on.escrow).requestRelease(id, `admin-${n}`)),
    );
    expect(new Set(orders.map((payout) => payout.id)).size).toBe(1);
    await settled(id);
    expect((await on.escrow.requestRelease(id, "late")).state).toBe("closed");
    expect(paidTo(payee)).toEqual(["50000000"]);
    expect(on.node.calls.filter((method) => method === "z_sendmany")).toHaveLength(2);
  });

  it("is not refunded once its release was ordered, nor the other way round", async () => {
    const { bounty } = await release();
    await expect(on.escrow.requestRefund(bounty.id, "admin")).rejects.toMatchObject({ code: 409 });
    await settled(bounty.id);
    const other = await openBounty(on);
    await on.escrow.requestRefund(other.id, "admin");
    await expect(on.escrow.requestRelease(other.id, "admin")).rejects.toMatchObject({ code: 409 });
  });

  it("is withdrawn while nothing was paid in, and then frees its amount", async () => {
    const { id, due } = await on.escrow.bounties.create(
      { title: "t", amount: "5", refundAddress: on.payee() },
      "creator",
    );
    expect(await on.escrow.bounties.cancel(id)).toMatchObject({ stage: "closed", status: "failed" });
    await expect(on.escrow.bounties.cancel(id)).rejects.toMatchObject({ type: "INVALID_TRANSITION" });
    on.node.deposit(due!);
    on.node.mine(3);
    expect(await on.escrow.collect()).toBe(1);
    expect(
      await (await on.documents.collection("escrow_deposits")).count({ query: { subject: { $exists: true } } }),
    ).toBe(0);
  });

  it("refuses addresses that cannot be paid, naming the field, before anything is stored", async () => {
    const t = on.node.chain.dice.transparentAddress();
    const refusal = { code: 422, type: "INVALID_PAYEE" };
    await expect(
      on.escrow.bounties.create({ title: "t", amount: "5", refundAddress: t }, "creator"),
    ).rejects.toMatchObject({ ...refusal, message: expect.stringMatching(/^refundAddress: .*transparent/) });
    const { id } = await openBounty(on);
    await expect(on.escrow.bounties.submit(id, { payee: t, evidence: "" }, "source")).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(/^payee: /),
    });
    await expect(
      on.escrow.bounties.submit(id, { payee: on.node.zAddress, evidence: "" }, "source"),
    ).rejects.toMatchObject(refusal);
    await expect(
      on.escrow.bounties.create({ title: "t", amount: "0.5", refundAddress: payee }, "creator"),
    ).rejects.toThrow(/^amount: /);
    expect(await (await on.documents.collection("escrow_bounties")).count()).toBe(1);
  });
});

describe("a lost answer", () => {
  it.each<Fault>(["reset-after", "silence-after", "garbage-after", "busy-after"])(
    "(%s) is found again among the operations, and nothing is sent twice",
    async (fault) => {
      const { id } = await acceptedBounty(on, payee);
      on.node.fail("z_sendmany", fault);
      expect(await on.escrow.requestRelease(id, "admin")).toMatchObject({ state: "sending" });
      on.clock.advance(MINUTE);
      await on.escrow.advanceAll();
      expect(on.node.calls.filter((method) => method === "z_sendmany")).toHaveLength(2);
      await settled(id);
      expect(paidTo(payee)).toEqual(["50000000"]);
    },
  );

  it("is found by its memo when the wallet was restarted meanwhile", async () => {
    const { id } = await acceptedBounty(on, payee);
    on.node.fail("z_sendmany", "reset-after");
    await on.escrow.requestRelease(id, "admin");
    on.node.settle();
    on.node.restart();
    await settled(id);
    expect(paidTo(payee)).toEqual(["50000000"]);
  });

  it("is found by its memo when the wallet even lost its records and scanned the chain anew", async () => {
    const { id } = await acceptedBounty(on, payee);
    on.node.fail("z_sendmany", "reset-after");
    await on.escrow.requestRelease(id, "admin");
    on.node.settle();
    on.node.restart({ powerLoss: true });
    expect(await on.wallet.transaction(on.node.chain.all().at(-1)!.txid)).toBeNull();
    await settled(id);
    expect(paidTo(payee)).toEqual(["50000000"]);
  });

  it.each<Fault>(["reset-before", "silence-before", "garbage-before", "busy-before"])(
    "(%s) that was never read is sent again only after its time",
    async (fault) => {
      const { id } = await acceptedBounty(on, payee);
      on.node.fail("z_sendmany", fault);
      await on.escrow.requestRelease(id, "admin");
      const sent = () => on.node.calls.filter((method) => method === "z_sendmany").length;
      await carry(on, 40);
      expect(sent()).toBe(2);
      on.node.mine(50);
      await carry(on, 12);
      expect(sent()).toBe(3);
      await settled(id);
      expect(paidTo(payee)).toEqual(["50000000"]);
    },
  );

  it("that is read late is not sent twice", async () => {
    const { id } = await acceptedBounty(on, payee);
    on.node.fail("z_sendmany", "late");
    await on.escrow.requestRelease(id, "admin");
    on.clock.advance(2 * MINUTE);
    await on.escrow.advanceAll();
    on.node.deliver();
    await settled(id);
    expect(paidTo(payee)).toEqual(["50000000"]);
  });

  it("is not mistaken for paid when the payee sends the memo back", async () => {
    const first = await release();
    await settled(first.bounty.id);
    const bounty = await acceptedBounty(on, payee);
    on.node.fail("z_sendmany", "reset-before");
    const payout = await on.escrow.requestRelease(bounty.id, "admin");
    const stolen = on.node.payments()[0]!.memo;
    on.node.sendNote("50000000", stolen);
    await carry(on, 5);
    expect(await on.escrow.payout(payout.id)).toMatchObject({ state: "sending" });
  });
});

describe("a wallet that says no", () => {
  it.each<[string, Fault]>([
    ["warming up", "warming-up"],
    ["unauthorized", "unauthorized"],
    ["busy", { code: -4, message: "The wallet is busy." }],
    ["downloading", { code: -10, message: "Zcash is downloading blocks..." }],
  ])("(%s) is asked again", async (_, fault) => {
    const { id } = await acceptedBounty(on, payee);
    on.node.fail("z_sendmany", fault, fault);
    expect(await on.escrow.requestRelease(id, "admin")).toMatchObject({ state: "release_requested", refusals: 1 });
    await settled(id);
  });

  it("while it is down, the order stays and is carried out when it is back", async () => {
    const { id } = await acceptedBounty(on, payee);
    await on.node.down();
    const payout = await on.escrow.requestRelease(id, "admin");
    expect(payout).toMatchObject({ state: "release_requested", reason: expect.stringMatching(/cannot be reached/) });
    expect((await on.escrow.advanceAll()).failures).toEqual([]);
    await on.node.up();
    await settled(id);
  });

  it("to one question does not hold up the others: a round goes on, and tells at its end", async () => {
    const { payout } = await release();
    on.node.settle();
    on.node.mine(3);
    on.clock.advance(MINUTE);
    on.node.fail("listsinceblock", "reset-before");
    await expect(on.escrow.tick()).rejects.toMatchObject({ name: "WalletError" });
    expect(await on.escrow.payout(payout.id)).toMatchObject({ state: "closed" });
  });

  it("for good is left to a person, who says it was not sent; it can then be answered and released anew", async () => {
    const { id } = await acceptedBounty(on, payee);
    on.node.fail("z_sendmany", { code: -8, message: "Invalid parameter, unknown address format" });
    const payout = await on.escrow.requestRelease(id, "admin");
    expect(payout.state).toBe("manual_review");
    expect(await on.escrow.bounties.get(id)).toMatchObject({ stage: "manual_review" });
    expect((await on.escrow.status()).manualReview).toBe(1);
    expect(
      await on.escrow.resolve(payout.id, { notSent: true }, "operator", "the payee gave a wrong address"),
    ).toMatchObject({ state: "failed", resolution: { by: "operator" } });
    expect(await on.escrow.bounties.get(id)).toMatchObject({ stage: "funded", status: "failed", round: 1 });
    const corrected = on.payee();
    await on.escrow.bounties.submit(id, { payee: corrected, evidence: "again" }, "source");
    await on.escrow.bounties.accept(id, { basis: "crowd" }, "jury");
    const again = await on.escrow.requestRelease(id, "admin");
    expect(again.id).not.toBe(payout.id);
    await settled(id);
    expect(paidTo(corrected)).toEqual(["50000000"]);
    expect(paidTo(payee)).toEqual([]);
  });

  it("for want of funds is asked again when there are some", async () => {
    const { bounty, payout } = await release();
    on.node.failOperation({ at: "building", code: -8, message: "Insufficient funds: have 0.00, need 0.50015" });
    await settled(bounty.id);
    expect(await on.escrow.payout(payout.id)).toMatchObject({ attempts: 2, refusals: 1, resends: 0 });
  });

  it("after it recorded the transaction is not asked again: it expires first", async () => {
    const { bounty, payout } = await release();
    on.node.failOperation({
      at: "committing",
      code: -4,
      message: "SendTransaction: Transaction commit failed:: tx-expiring-soon",
    });
    await carry(on, 30);
    expect(await on.escrow.payout(payout.id)).toMatchObject({ attempts: 1, state: "submitted" });
    on.node.mine(60);
    await settled(bounty.id);
    expect(await on.escrow.payout(payout.id)).toMatchObject({ attempts: 2, resends: 1 });
    expect(paidTo(payee)).toEqual(["50000000"]);
  });
});

describe("the chain", () => {
  it("may undo blocks: a payout is done only deep enough", async () => {
    const { bounty, payout } = await release();
    on.node.settle();
    on.node.mine(1);
    on.clock.advance(MINUTE);
    expect(await on.escrow.advance(payout.id)).toMatchObject({ state: "mined", confirmations: 1 });
    on.node.chain.unmine(1);
    on.clock.advance(MINUTE);
    expect(await on.escrow.advance(payout.id)).toMatchObject({ state: "submitted" });
    expect(await on.escrow.bounties.get(bounty.id)).toMatchObject({ stage: "submitted", status: "submitted" });
    await settled(bounty.id);
  });

  it("may never take a transaction: it is sent again when it has expired for good, and paid once", async () => {
    const { bounty, payout } = await release();
    on.node.chain.stick(on.node.work()?.txid ?? on.node.work()!.txid);
    on.node.mine(45);
    await carry(on, 5);
    expect(await on.escrow.payout(payout.id)).toMatchObject({
      state: "submitted",
      expiredAt: expect.any(Number),
      attempts: 1,
    });
    on.node.mine(100);
    await settled(bounty.id);
    expect(await on.escrow.payout(payout.id)).toMatchObject({ attempts: 2, abandoned: [expect.any(String)] });
    expect(paidTo(payee)).toEqual(["50000000"]);
  });
});

describe("a process that sleeps", () => {
  it("past its window sends nothing when it wakes", async () => {
    const { id } = await acceptedBounty(on, payee);
    const sleepy = new HandClock();
    sleepy.advance(on.clock.now() - sleepy.now());
    const payouts = await on.documents.collection("escrow_payouts");
    // Falls asleep just after its intent is written.
    const claim: typeof payouts.claim = async (...given) => {
      const doc = await payouts.claim(...given);
      if (doc?.["state"] === "sending") sleepy.advance(10 * MINUTE);
      return doc;
    };
    const bound = (of: Collection, key: string | symbol) =>
      (Reflect.get(of, key) as { bind?: (to: object) => unknown } | undefined)?.bind?.(of);
    const drowsy = new Proxy(payouts, { get: (of, key) => (key === "claim" ? claim : bound(of, key)) });
    const documents: Pick<Documents, "collection"> = {
      collection: async (...given) => (given[0] === "escrow_payouts" ? drowsy : on.documents.collection(...given)),
    };
    const escrow = await openEscrow({ documents, wallet: on.wallet, clock: sleepy, memoKey: MEMO_KEY });
    const payout = await escrow.requestRelease(id, "admin");
    expect(on.node.calls.filter((method) => method === "z_sendmany")).toHaveLength(1);
    expect(await payouts.findById(payout.id)).toMatchObject({ state: "release_requested" });
  });
});

describe("a person", () => {
  it("decides only what is in review, by the evidence of the wallet", async () => {
    const { payout, bounty } = await release();
    await expect(on.escrow.resolve(payout.id, { notSent: true }, "operator", "guess")).rejects.toMatchObject({
      type: "INVALID_TRANSITION",
    });
    const payouts = await on.documents.collection("escrow_payouts");
    on.node.settle();
    await payouts.updateById(payout.id, {
      $set: { state: "manual_review" },
      $unset: { opid: 1, nextAt: 1 },
      $inc: { rev: 1 },
    });
    await expect(on.escrow.resolve(payout.id, { notSent: true }, "operator", "guess")).rejects.toMatchObject({
      code: 409,
    });
    await expect(on.escrow.resolve(payout.id, { txid: "0".repeat(64) }, "operator", "guess")).rejects.toMatchObject({
      type: "TRANSACTION_MISMATCH",
    });
    const shielding = on.node.chain.all().find(({ own, txid }) => own && txid !== on.node.payments()[0]!.txid)!;
    await expect(on.escrow.resolve(payout.id, { txid: shielding.txid }, "operator", "guess")).rejects.toMatchObject({
      code: 422,
    });
    await on.node.down();
    await expect(on.escrow.resolve(payout.id, { notSent: true }, "operator", "guess")).rejects.toMatchObject({
      code: 502,
    });
    await on.node.up();
    const { txid } = on.node.payments()[0]!;
    expect(await on.escrow.resolve(payout.id, { txid }, "operator", "saw it")).toMatchObject({
      txid,
      resolution: { why: "saw it" },
    });
    await settled(bounty.id);
  });
});

describe("a person in a hurry", () => {
  it("cannot give up what may still be mined", async () => {
    const { id } = await acceptedBounty(on, payee);
    const hasty = await openEscrow({
      documents: on.documents,
      wallet: on.wallet,
      clock: on.clock,
      memoKey: MEMO_KEY,
      policy: { maxChecks: 0 },
    });
    on.node.fail("z_sendmany", "late");
    const payout = await hasty.requestRelease(id, "admin");
    on.clock.advance(MINUTE);
    expect(await hasty.advance(payout.id)).toMatchObject({ state: "manual_review" });
    const giveUp = () => on.escrow.resolve(payout.id, { notSent: true }, "operator", "nothing there");
    await expect(giveUp()).rejects.toMatchObject({
      code: 422,
      type: "TOO_EARLY",
      message: expect.stringMatching(/from block \d+/),
    });
    on.clock.advance(10 * MINUTE);
    on.node.mine(49);
    await expect(giveUp()).rejects.toMatchObject({ type: "TOO_EARLY" });
    on.node.mine(1);
    expect(await giveUp()).toMatchObject({ state: "failed" });
    expect(await on.escrow.bounties.get(id)).toMatchObject({ stage: "funded", status: "failed" });
  });

  it("is told when it was sent after all", async () => {
    const { id } = await acceptedBounty(on, payee);
    const hasty = await openEscrow({
      documents: on.documents,
      wallet: on.wallet,
      clock: on.clock,
      memoKey: MEMO_KEY,
      policy: { maxChecks: 0 },
    });
    on.node.fail("z_sendmany", "late");
    const payout = await hasty.requestRelease(id, "admin");
    on.clock.advance(MINUTE);
    await hasty.advance(payout.id);
    on.node.deliver();
    await expect(on.escrow.resolve(payout.id, { notSent: true }, "operator", "nothing there")).rejects.toMatchObject({
      code: 409,
    });
    on.node.settle();
    const { txid } = on.node.payments()[0]!;
    await on.escrow.resolve(payout.id, { txid }, "operator", "there it is");
    await settled(id);
    expect(paidTo(payee)).toEqual(["50000000"]);
  });
});
