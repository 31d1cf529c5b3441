import { Errors, ServiceBroker, type Context } from "moleculer";
import { isUpstreamAway } from "../../config/broker.ts";
import { storeAway } from "../../core/problem.ts";
import { guarded } from "../../mesh/guards/guards.ts";
import { eventually } from "../mesh.ts";

// What stands around every call: its time, its room, its circuit. Nodes over Redis are in balancing.test.ts.

interface Settings {
  requestTimeout?: number;
  concurrency?: number;
  maxQueueSize?: number;
  minRequestCount?: number;
  halfOpenTime?: number;
  namespace?: string;
}

let broker: ServiceBroker;
/** Those of `work.long` that are under way, oldest first. */
let open: { end: (value?: unknown) => void; fail: (error: Error) => void }[] = [];
let heard: string[] = [];

async function start({
  requestTimeout = 60_000,
  concurrency = 2,
  maxQueueSize = 2,
  minRequestCount = 4,
  halfOpenTime = 40,
  namespace,
}: Settings = {}): Promise<void> {
  await broker?.stop();
  open = [];
  heard = [];
  broker = new ServiceBroker(
    guarded({
      logger: false,
      requestTimeout,
      ...(namespace && { namespace, nodeID: "worker", transporter: "Fake" }),
      bulkhead: { enabled: true, concurrency, maxQueueSize },
      circuitBreaker: {
        enabled: true,
        threshold: 0.5,
        minRequestCount,
        windowTime: 60,
        halfOpenTime,
        check: isUpstreamAway,
      },
      skipProcessEventRegistration: true,
    }),
  );
  broker.createService({
    name: "work",
    actions: {
      quick: (ctx: Context<{ value: string }>) => ctx.params.value,
      wrong: () => Promise.reject(new RangeError("out of bounds")),
      away: () => Promise.reject(storeAway(new Error("ECONNREFUSED"))),
      /** What somebody threw that is no error. */
      odd: () => Promise.reject("only a text"), // eslint-disable-line prefer-promise-reject-errors
      refused: () => {
        throw new Errors.MoleculerClientError("not so", 422, "NOT_SO");
      },
      long: () =>
        new Promise((resolve, reject) => {
          open.push({ end: resolve, fail: reject });
        }),
      roomy: {
        bulkhead: { enabled: false },
        handler: () =>
          new Promise((resolve) => {
            open.push({ end: resolve, fail: () => {} });
          }),
      },
      patient: { timeout: 0, handler: (ctx: Context) => ctx.options.timeout },
      deeper: (ctx: Context) => ctx.call("work.left"),
      left: (ctx: Context) => ctx.options.timeout,
    },
  } as never);
  for (const what of ["opened", "half-opened", "closed"])
    broker.localBus.on(`$circuit-breaker.${what}`, ({ action }: { action: string }) => heard.push(`${what} ${action}`));
  await broker.start();
}
beforeEach(() => start());
afterEach(() => broker.stop());

const nameOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (error: Error) => error.name,
  );
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("the time of a call", () => {
  it("lets answers and errors through, and leaves no timer behind", async () => {
    const before = timers();
    for (let n = 0; n < 5; n++) expect(await broker.call("work.quick", { value: `answer ${n}` })).toBe(`answer ${n}`);
    await expect(broker.call("work.wrong")).rejects.toThrow("out of bounds");
    await expect(broker.call("work.odd")).rejects.toMatchObject({
      name: "MoleculerError",
      message: "only a text",
      code: 500,
    });
    expect(timers()).toBe(before);
  });

  it.each([20, 1_000])(
    "ends a call that takes longer than %i ms, not sooner, and does not mind what it answers then",
    async (timeout) => {
      const began = performance.now();
      const late = broker.call("work.long", {}, { timeout });
      const quick = Array.from({ length: 4 }, (_, n) => broker.call("work.quick", { value: n }, { timeout }));
      expect(await Promise.all(quick)).toEqual([0, 1, 2, 3]);
      await expect(late).rejects.toMatchObject({ name: "RequestTimeoutError", code: 504 });
      expect(performance.now() - began).toBeGreaterThanOrEqual(timeout - 1);
      open[0]!.end();
      expect(await broker.call("work.quick", { value: "still there" })).toBe("still there");
    },
  );

  it("gives the calls within a call what is left of its time, and an action without a bound none", async () => {
    const left = await broker.call<number, object>("work.deeper", {}, { timeout: 5_000 });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(5_000);
    expect(await broker.call("work.patient")).toBe(0);
  });
});

describe("the room of an action", () => {
  it("keeps so many at work, lets so many wait in turn, and refuses the rest at once", async () => {
    const calls = Array.from({ length: 5 }, () => nameOf(broker.call("work.long")));
    expect(open).toHaveLength(2);
    expect(await calls[4]).toBe("QueueIsFullError");
    expect(await broker.call("work.quick", { value: "others are served" })).toBe("others are served");
    open[0]!.end();
    await eventually(
      () => open.length,
      (count) => count === 3,
    );
    open[1]!.fail(new Error("broken"));
    await eventually(
      () => open.length,
      (count) => count === 4,
    );
    for (const one of open) one.end();
    expect(await Promise.all(calls)).toEqual(["answered", "Error", "answered", "answered", "QueueIsFullError"]);
  });

  it("is held by what ran out of time until that has truly ended, and is not given to whom nobody waits for", async () => {
    const stuck = [broker.call("work.long", {}, { timeout: 20 }), broker.call("work.long", {}, { timeout: 20 })].map(
      nameOf,
    );
    const waiting = nameOf(broker.call("work.long", {}, { timeout: 20 }));
    expect(await Promise.all([...stuck, waiting])).toEqual(Array.from({ length: 3 }, () => "RequestTimeoutError"));
    const next = nameOf(broker.call("work.long"));
    expect(open).toHaveLength(2);
    open[0]!.end();
    await eventually(
      () => open.length,
      (count) => count === 3,
    );
    open[2]!.end();
    expect(await next).toBe("answered");
  });

  it("has no bound where the action says so", async () => {
    const calls = Array.from({ length: 20 }, () => broker.call("work.roomy"));
    expect(open).toHaveLength(20);
    for (const one of open) one.end("done");
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["done"]));
  });
});

describe("the circuit of an action", () => {
  it("opens when an upstream failed half of the calls, lets one through after a while, and closes when that one is answered", async () => {
    for (let n = 0; n < 2; n++) await broker.call("work.quick", { value: 0 });
    for (let n = 0; n < 4; n++) expect(await nameOf(broker.call("work.away"))).toBe("Problem");
    expect(await nameOf(broker.call("work.away"))).toBe("ServiceNotAvailableError");
    expect(heard).toEqual(["opened work.away"]);
    expect(await broker.call("work.quick", { value: "others are served" })).toBe("others are served");
    await eventually(
      () => heard.length,
      (count) => count === 2,
    );
    expect(await nameOf(broker.call("work.away"))).toBe("Problem");
    expect(heard.slice(0, 2)).toEqual(["opened work.away", "half-opened work.away"]);
  });

  /** Opens that of `work.long` and waits until it lets one through. */
  async function halfOpened(): Promise<void> {
    await start({ concurrency: 20 });
    const failing = Array.from({ length: 4 }, () => nameOf(broker.call("work.long")));
    for (const one of open) one.fail(storeAway(new Error("ECONNREFUSED")));
    expect(new Set(await Promise.all(failing))).toEqual(new Set(["Problem"]));
    await eventually(
      () => heard.length,
      (count) => count === 2,
    );
  }

  it("closes again", async () => {
    await halfOpened();
    const trying = nameOf(broker.call("work.long"));
    expect(await nameOf(broker.call("work.long"))).toBe("ServiceNotAvailableError"); // one at a time
    open.at(-1)!.end();
    expect(await trying).toBe("answered");
    expect(heard).toEqual(["opened work.long", "half-opened work.long", "closed work.long"]);
    const after = [nameOf(broker.call("work.long")), nameOf(broker.call("work.long"))];
    for (const one of open) one.end();
    expect(await Promise.all(after)).toEqual(["answered", "answered"]);
  });

  it("closes for an answer that is a refusal, too: whoever is refused does not keep it from the others", async () => {
    await halfOpened();
    const trying = nameOf(broker.call("work.long"));
    open.at(-1)!.fail(new Errors.MoleculerClientError("not so", 422, "NOT_SO"));
    expect(await trying).toBe("MoleculerClientError");
    expect(heard.at(-1)).toBe("closed work.long");
  });

  it("stays closed for what one caller can bring about: refusals, a defect of ours, what stalls here", async () => {
    await start({ concurrency: 40 });
    for (let n = 0; n < 10; n++) expect(await nameOf(broker.call("work.refused"))).toBe("MoleculerClientError");
    for (let n = 0; n < 10; n++) expect(await nameOf(broker.call("work.wrong"))).toBe("RangeError");
    const stalled = Array.from({ length: 10 }, () => nameOf(broker.call("work.long", {}, { timeout: 20 })));
    expect(new Set(await Promise.all(stalled))).toEqual(new Set(["RequestTimeoutError"]));
    const honest = nameOf(broker.call("work.long"));
    open.at(-1)!.end();
    expect(await honest).toBe("answered");
    expect(heard).toEqual([]);
  });
});

describe("the circuit of another node's action", () => {
  let other: ServiceBroker;
  afterEach(() => other.stop());

  /** The caller's node, and another one that runs `work` and that it knows of. */
  async function apart(): Promise<void> {
    const namespace = `guards${Math.random()}`;
    await start({ concurrency: 100, namespace });
    other = broker;
    const settings = {
      requestTimeout: 60_000,
      circuitBreaker: {
        enabled: true,
        threshold: 0.5,
        minRequestCount: 4,
        windowTime: 60,
        halfOpenTime: 60_000,
        check: isUpstreamAway,
      },
    };
    broker = new ServiceBroker(
      guarded({
        namespace,
        nodeID: "caller",
        transporter: "Fake",
        logger: false,
        skipProcessEventRegistration: true,
        ...settings,
      }),
    );
    for (const what of ["opened", "half-opened", "closed"])
      broker.localBus.on(`$circuit-breaker.${what}`, ({ action }: { action: string }) =>
        heard.push(`${what} ${action}`),
      );
    await broker.start();
    await broker.waitForServices("work");
  }

  it("opens for a node that stalls", async () => {
    await apart();
    const stalled = Array.from({ length: 4 }, () => nameOf(broker.call("work.long", {}, { timeout: 50 })));
    expect(new Set(await Promise.all(stalled))).toEqual(new Set(["RequestTimeoutError"]));
    expect(await nameOf(broker.call("work.long"))).toBe("ServiceNotAvailableError");
    expect(heard).toEqual(["opened work.long"]);
  });

  it("stays closed where it answered others in that time, and where a defect of ours answers", async () => {
    await apart();
    const stalled = Array.from({ length: 8 }, () => nameOf(broker.call("work.long", {}, { timeout: 1_000 })));
    const honest = nameOf(broker.call("work.long"));
    await eventually(
      () => open.length,
      (count) => count === 9,
    );
    open.at(-1)!.end();
    expect(await honest).toBe("answered");
    for (let n = 0; n < 10; n++) expect(await nameOf(broker.call("work.wrong"))).toBe("RangeError");
    expect(new Set(await Promise.all(stalled))).toEqual(new Set(["RequestTimeoutError"]));
    expect(heard).toEqual([]);
  });
});
