import { eventually } from "../../mesh.ts";
import { address, at, DAY, fund, login, node, onOneNode, paidTo, PAUSE, post, source } from "./escrow-story.ts";

onOneNode();

describe("a subscription", () => {
  const draft = () => ({ payee: address(), amount: "11000000", refundAddress: address() });

  it("is the subscriber's alone, and names what it cannot take", async () => {
    const made = await post("/subscriptions", "analyst", draft());
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect((await at.http("GET", `/api/escrow/subscriptions/${id}`, { as: source })).status).toBe(404);
    expect((await post(`/subscriptions/${id}/cancel`, source)).status).toBe(404);
    expect((await at.http("GET", "/api/escrow/subscriptions", { as: source })).body.meta.total).toBe(0);
    expect((await post("/subscriptions", "analyst", { ...draft(), sourceId: 424_242 })).body.error).toMatchObject({
      code: "UNKNOWN_SOURCE",
      details: [{ path: "sourceId" }],
    });
    expect(
      (await post("/subscriptions", "analyst", { ...draft(), payee: node.chain.dice.transparentAddress() })).body.error
        .details,
    ).toMatchObject([{ path: "payee" }]);
    expect((await post(`/subscriptions/${id}/cancel`, "analyst")).body.data).toMatchObject({
      status: "cancelled",
      stage: "closed",
    });
    expect((await post(`/subscriptions/${id}/cancel`, "analyst")).status).toBe(409);
  });

  it("pays the source when its month is over, waits for the next deposit, and ends when it is cancelled", async () => {
    const { id, due, payee } = (await post("/subscriptions", "analyst", draft())).body.data;
    const active = await fund(`/subscriptions/${id}`, due);
    expect(active).toMatchObject({ status: "active", period: 1 });
    expect(paidTo(payee)).toEqual([]);
    const later = await overTheMonth(active.to);
    const seen = async () => (await at.http("GET", `/api/escrow/subscriptions/${id}`, { as: later })).body.data;
    const renewed = await eventually(
      () => {
        node.settle();
        node.mine(1);
        at.clock.advance(PAUSE);
        return seen();
      },
      ({ status, due: next }) => status === "renewed" && next !== undefined,
      40_000,
    );
    expect(renewed).toMatchObject({
      period: 2,
      stage: "created",
      due: expect.any(String),
      lapsesAt: expect.any(String),
    });
    expect(paidTo(payee)).toEqual(["11000000"]);
    expect((await post(`/subscriptions/${id}/cancel`, later)).body.data).toMatchObject({
      status: "cancelled",
      stage: "closed",
    });
  }, 180_000);

  /** Moves the clock past the end; tokens are over by then, so somebody signs in anew. */
  async function overTheMonth(to: string): Promise<string> {
    at.clock.advance(Math.max(0, Date.parse(to) - at.clock.now()) + 1);
    expect(Date.parse(to) - at.clock.now()).toBeLessThan(DAY);
    return login("chief@example.org");
  }
});
