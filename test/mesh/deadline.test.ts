import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { bringDeadlines } from "../../mixins/deadline.ts";

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("the deadline of a call", () => {
  let broker: ServiceBroker;
  let finish: (() => void) | undefined;

  beforeAll(async () => {
    bringDeadlines();
    broker = new ServiceBroker({ logger: false, requestTimeout: 60_000 });
    broker.createService({
      name: "work",
      actions: {
        quick: (ctx) => ctx.params.value as string,
        wrong: () => Promise.reject(new RangeError("out of bounds")),
        long: () => new Promise<void>((resolve) => { finish = resolve; }),
      },
    });
    await broker.start();
  });
  afterAll(() => broker.stop());

  it("lets answers and errors through, and leaves no timer behind", async () => {
    const before = timers();
    for (let n = 0; n < 5; n++) expect(await broker.call("work.quick", { value: `answer ${n}` })).toBe(`answer ${n}`);
    await expect(broker.call("work.wrong")).rejects.toThrow("out of bounds");
    expect(timers()).toBe(before);
  });

  it("ends a call that takes longer, and does not mind what it answers then", async () => {
    await expect(broker.call("work.long", {}, { timeout: 20 })).rejects.toMatchObject({ name: "RequestTimeoutError", code: 504 });
    finish!();
    expect(await broker.call("work.quick", { value: "still there" })).toBe("still there");
  });
});
