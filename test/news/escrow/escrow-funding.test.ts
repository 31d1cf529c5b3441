import { bench, carry, fund, MINUTE, openBounty, type Bench } from "./escrow-setup.ts";

let on: Bench;
let payee: string;
beforeEach(async () => {
  on = await bench();
  payee = on.payee();
});
afterEach(() => on.close());

describe("deposits", () => {
  it("are known by their exact amount, each bounty its own", async () => {
    const [one, two] = await Promise.all(
      ["first", "second"].map((title) =>
        on.escrow.bounties.create({ title, amount: "7000000", refundAddress: payee }, "creator"),
      ),
    );
    expect(one!.due).not.toBe(two!.due);
    await fund(on, two!.due!);
    expect(await on.escrow.bounties.get(one!.id)).toMatchObject({ stage: "created" });
    expect(await on.escrow.bounties.get(two!.id)).toMatchObject({ status: "open" });
  });

  it("paid twice fund once; the second waits for a person", async () => {
    const { id, due } = await on.escrow.bounties.create(
      { title: "t", amount: "7000000", refundAddress: payee },
      "creator",
    );
    on.node.deposit(due!);
    await fund(on, due!);
    const deposits = await (await on.documents.collection("escrow_deposits")).find({});
    expect(deposits.filter(({ subject }) => subject === `bounty:${id}`)).toHaveLength(1);
    expect(deposits).toHaveLength(2);
  });

  it("of another amount are attributed by a person, before or after they are shielded", async () => {
    const { id } = await on.escrow.bounties.create({ title: "t", amount: "7000000", refundAddress: payee }, "creator");
    await fund(on, "9000000");
    const [deposit] = await (await on.documents.collection("escrow_deposits")).find({});
    await expect(on.escrow.attribute("nope:0", `bounty:${id}`, "op", "why")).rejects.toMatchObject({ code: 404 });
    await expect(on.escrow.attribute(String(deposit!._id), "bounty:nope", "op", "why")).rejects.toMatchObject({
      code: 404,
    });
    expect(await on.escrow.attribute(String(deposit!._id), `bounty:${id}`, "op", "by mail")).toMatchObject({
      subject: `bounty:${id}`,
      attributedBy: "op",
    });
    expect(await on.escrow.bounties.get(id)).toMatchObject({ stage: "funded", status: "open" });
    await expect(on.escrow.attribute(String(deposit!._id), `bounty:${id}`, "op", "why")).rejects.toMatchObject({
      code: 409,
    });
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null });
    const dear = await on.escrow.bounties.create({ title: "t", amount: "70000000", refundAddress: payee }, "creator");
    on.node.deposit("70000000");
    on.node.mine(3);
    await on.escrow.collect();
    const short = await (await on.documents.collection("escrow_deposits")).findOne({ amount: "70000000" });
    await expect(on.escrow.attribute(String(short!._id), `bounty:${dear.id}`, "op", "why")).rejects.toMatchObject({
      type: "INSUFFICIENT_DEPOSIT",
    });
  });

  it("are shielded whole and together; one that comes in between waits for the next", async () => {
    const one = await on.escrow.bounties.create({ title: "one", amount: "7000000", refundAddress: payee }, "creator");
    const two = await on.escrow.bounties.create({ title: "two", amount: "1000000", refundAddress: payee }, "creator");
    on.node.deposit(one.due!);
    on.node.mine(2);
    on.node.deposit(two.due!);
    on.node.mine(1);
    expect(await on.escrow.shield("admin")).toMatchObject({ amount: String(BigInt(one.due!) - 15_000n), fee: "15000" });
    await carry(on);
    expect(await on.escrow.bounties.get(one.id)).toMatchObject({ status: "open" });
    expect(await on.escrow.bounties.get(two.id)).toMatchObject({ stage: "funding" });
    await on.escrow.shield("admin");
    await carry(on);
    expect(await on.escrow.bounties.get(two.id)).toMatchObject({ status: "open" });
    expect((await on.wallet.balances()).transparent).toBe("0");
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null });
  });

  it("that are mined coins are shielded by themselves, when mature", async () => {
    on.node.mine(1, { reward: 312_500_000n });
    on.node.mine(50);
    expect(await on.escrow.shield("admin")).toEqual({
      waiting: "0",
      why: expect.stringMatching(/^Nothing lies .*matured/),
    });
    on.node.mine(60);
    expect(await on.escrow.shield("admin")).toMatchObject({ kind: "shield-coinbase", state: "submitted" });
    await carry(on);
    expect(await on.escrow.status()).toMatchObject({
      wallet: { transparent: "0", shielded: "312485000" },
      ledger: { pool: "312485000", fees: "15000" },
      inFlight: 0,
    });
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null });
  });

  it("less than the fee stay where they are", async () => {
    on.node.deposit("14000");
    expect(await on.escrow.shield("admin")).toEqual({ waiting: "14000", why: expect.stringContaining("confirmed") });
    on.node.mine(3);
    expect(await on.escrow.shield("admin")).toEqual({
      waiting: "14000",
      why: "It is not more than the fee of 15000 zatoshi; it stays until more comes.",
    });
    expect(on.node.calls).not.toContain("z_sendmany");
  });
});

describe("reconciliation", () => {
  it("raises an alert when money is there that the ledger does not know, or is gone that it does", async () => {
    await openBounty(on);
    on.node.sendNote("12345", "");
    on.node.mine(1);
    expect(await on.escrow.reconcile()).toMatchObject({
      alert: expect.stringMatching(/\+12345 shielded/),
      drift: { transparent: "0", shielded: "12345" },
    });
    expect(await on.escrow.adjust("gift", "pool", "12345", "operator", "somebody gave")).toBe(true);
    expect(await on.escrow.adjust("gift", "pool", "12345", "operator", "somebody gave")).toBe(false);
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null });
    await on.wallet.send({ kind: "payout", to: payee, amount: "1000", memo: "00" });
    on.node.settle();
    expect(await on.escrow.reconcile()).toMatchObject({ alert: expect.stringMatching(/-16000 shielded/) });
    expect((await on.escrow.status()).reconciliation).toMatchObject({ alert: expect.any(String) });
  });

  it("explains what is under way, known or not", async () => {
    const promised = await on.escrow.bounties.create(
      { title: "t", amount: "50000000", refundAddress: payee },
      "creator",
    );
    on.node.deposit(promised.due!);
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null, drift: { transparent: "0" } });
    on.node.mine(3);
    on.node.fail("z_sendmany", "reset-after");
    await on.escrow.shield("admin");
    on.node.settle();
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null, unresolved: [expect.any(String)] });
    await carry(on);
    await on.escrow.bounties.submit(promised.id, { payee, evidence: "e" }, "source");
    await on.escrow.bounties.accept(promised.id, { basis: "creator" }, "creator");
    await on.escrow.requestRelease(promised.id, "admin");
    on.node.settle();
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null, unresolved: [expect.any(String)] });
    on.clock.advance(MINUTE);
    await on.escrow.advanceAll();
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null, unresolved: [], drift: { shielded: "0" } });
  });
});
