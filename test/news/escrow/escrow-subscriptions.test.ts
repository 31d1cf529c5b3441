import type { Subscription } from "../../../services/news/escrow/subscriptions/subscriptions.ts";
import { bench, carry, fund, START, type Bench } from "./escrow-setup.ts";

const DAY = 86_400_000;
let on: Bench;
let payee: string;
let refundAddress: string;
beforeEach(async () => {
  on = await bench();
  payee = on.payee();
  refundAddress = on.payee();
});
afterEach(() => on.close());

const begin = async (): Promise<Subscription> => {
  const { id, due } = await on.escrow.subscriptions.create(
    { payee, amount: "11000000", refundAddress, sourceId: 7 },
    "reader",
  );
  await fund(on, due!);
  return on.escrow.subscriptions.get(id);
};
/** Lets the running period end, and what follows happen. */
const pass = async (id: string) => {
  const { to } = await on.escrow.subscriptions.get(id);
  on.clock.advance(Date.parse(to!) - on.clock.now());
  await on.escrow.tick();
  await carry(on);
  return on.escrow.subscriptions.get(id);
};
const paidTo = (address: string) =>
  on.node
    .payments()
    .filter((payment) => payment.address === address)
    .map(({ amount }) => amount);

describe("a subscription", () => {
  it("begins when its money is in the pool, for a calendar month", async () => {
    const promised = await on.escrow.subscriptions.create({ payee, amount: "11000000", refundAddress }, "reader");
    expect(promised).toMatchObject({ stage: "created", period: 1, cancelAtEnd: false });
    expect(promised.status).toBeUndefined();
    await fund(on, promised.due!);
    const active = await on.escrow.subscriptions.get(promised.id);
    expect(active).toMatchObject({ status: "active", stage: "funded", anchorDay: 15 });
    expect(new Date(active.to!).getUTCMonth()).toBe(1);
    expect(active.due).toBeUndefined();
    expect(await on.escrow.books.balance(`subscription:${promised.id}`)).toBe("11000000");
  });

  it("pays the source at the end of the month, not before, then renews and waits for the next deposit", async () => {
    const { id, to } = await begin();
    on.clock.advance(Date.parse(to!) - on.clock.now() - 1);
    await on.escrow.tick();
    expect(await on.escrow.subscriptions.get(id)).toMatchObject({ status: "active" });
    on.clock.advance(1);
    await on.escrow.tick();
    expect(await on.escrow.subscriptions.get(id)).toMatchObject({ status: "due", stage: "submitted" });
    await carry(on);
    const renewed = await on.escrow.subscriptions.get(id);
    expect(renewed).toMatchObject({
      status: "renewed",
      stage: "created",
      period: 2,
      due: expect.any(String),
      lapsesAt: expect.any(String),
    });
    expect(paidTo(payee)).toEqual(["11000000"]);
  });

  it("goes on for months without a gap, each paid once", async () => {
    const { id } = await begin();
    let before = await on.escrow.subscriptions.get(id);
    for (let month = 2; month <= 4; month++) {
      const renewed = await pass(id);
      expect(renewed).toMatchObject({ status: "renewed", period: month });
      await fund(on, renewed.due!);
      const active = await on.escrow.subscriptions.get(id);
      expect(active).toMatchObject({ status: "active", from: before.to });
      before = active;
    }
    expect(paidTo(payee)).toEqual(["11000000", "11000000", "11000000"]);
    expect(await on.escrow.reconcile()).toMatchObject({ alert: null });
    expect(await on.escrow.books.verify()).toBeNull();
  });

  it("that is cancelled serves and pays its month, and does not renew", async () => {
    const { id } = await begin();
    expect(await on.escrow.subscriptions.cancel(id)).toMatchObject({ status: "active", cancelAtEnd: true });
    expect(await pass(id)).toMatchObject({ status: "cancelled", stage: "closed" });
    expect(paidTo(payee)).toEqual(["11000000"]);
    await expect(on.escrow.subscriptions.cancel(id)).rejects.toMatchObject({ type: "INVALID_TRANSITION" });
  });

  it("is cancelled at once while nothing is paid in", async () => {
    const { id } = await on.escrow.subscriptions.create({ payee, amount: "5", refundAddress }, "reader");
    expect(await on.escrow.subscriptions.cancel(id)).toMatchObject({ status: "cancelled", stage: "closed" });
    const renewed = await begin();
    await pass(renewed.id);
    expect(await on.escrow.subscriptions.cancel(renewed.id)).toMatchObject({ status: "cancelled", stage: "closed" });
    expect(await (await on.documents.collection("escrow_dues")).count()).toBe(0);
  });

  it("lapses when it is not paid again", async () => {
    const { id } = await begin();
    const { lapsesAt } = await pass(id);
    on.clock.advance(Date.parse(lapsesAt!) - on.clock.now() - 1);
    await on.escrow.tick();
    expect(await on.escrow.subscriptions.get(id)).toMatchObject({ status: "renewed" });
    on.clock.advance(1);
    await on.escrow.tick();
    expect(await on.escrow.subscriptions.get(id)).toMatchObject({ status: "cancelled", stage: "closed" });
  });

  it("whose payout failed for good is not tried again by the calendar: a person releases it, or gives the month back", async () => {
    const { id, to } = await begin();
    on.clock.advance(Date.parse(to!) - on.clock.now());
    on.node.fail("z_sendmany", { code: -8, message: "no" });
    await on.escrow.tick();
    const [payout] = await (
      await on.documents.collection("escrow_payouts")
    ).find({ query: { state: "manual_review" } });
    await on.escrow.resolve(String(payout!._id), { notSent: true }, "operator", "refused");
    expect(await on.escrow.subscriptions.get(id)).toMatchObject({ status: "due", stage: "funded", round: 1 });
    on.clock.advance(40 * DAY);
    await carry(on);
    expect(paidTo(payee)).toEqual([]);
    const order = await on.escrow.subscriptions.refund(id, "admin");
    expect((await on.escrow.subscriptions.refund(id, "admin")).id).toBe(order.id);
    await expect(on.escrow.subscriptions.release(id, "admin")).rejects.toMatchObject({ code: 409 });
    await carry(on);
    expect(await on.escrow.subscriptions.get(id)).toMatchObject({ status: "cancelled", stage: "closed" });
    expect(paidTo(refundAddress)).toEqual(["11000000"]);
  });

  it("is made once under one id, and refuses addresses that cannot be paid", async () => {
    const draft = { payee, amount: "5", refundAddress };
    const one = await on.escrow.subscriptions.create(draft, "reader", "fixed");
    expect(await on.escrow.subscriptions.create(draft, "reader", "fixed")).toEqual(one);
    const t = on.node.chain.dice.transparentAddress();
    await expect(on.escrow.subscriptions.create({ ...draft, payee: t }, "reader")).rejects.toMatchObject({
      type: "INVALID_PAYEE",
      message: expect.stringMatching(/^payee/),
    });
    await expect(on.escrow.subscriptions.create({ ...draft, refundAddress: t }, "reader")).rejects.toMatchObject({
      message: expect.stringMatching(/^refundAddress/),
    });
    expect(on.clock.now()).toBe(START);
  });
});
