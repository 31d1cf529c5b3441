import fc from "fast-check";
import { MemoryLimiter } from "../../adapters/rate-limit/memory.ts";
import { RedisLimiter } from "../../adapters/rate-limit/redis.ts";
import { eventually, TestClock, world, type Reply } from "../mesh.ts";
import { itWithRedis, startRedis, type TestRedis } from "../redis.ts";

it("in no window are there more than the limit, and no request is refused while there is room", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 120 }),
      async (limit, gaps) => {
        let now = 1e12;
        const limiter = new MemoryLimiter({ now: () => now });
        const allowed: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const recent = allowed.filter((time) => time > now - 1_000).length;
          const { allowed: passes, remaining, resetAt } = await limiter.take("k", limit, 1_000);
          expect(passes).toBe(recent < limit);
          expect(remaining).toBe(limit - recent - (passes ? 1 : 0));
          expect(resetAt).toBeGreaterThan(now);
          if (passes) allowed.push(now);
        }
      },
    ),
  );
});

it("counts keys apart and forgets idle ones", async () => {
  let now = 1e12;
  const limiter = new MemoryLimiter({ now: () => now });
  for (let n = 0; n < 10_005; n++) await limiter.take(`k${n}`, 1, 1_000);
  expect((await limiter.take("k0", 1, 1_000)).allowed).toBe(false);
  now += 2_000;
  expect((await limiter.take("k0", 1, 1_000)).allowed).toBe(true);
});

it("while Redis is away, each node counts by itself, and no request waits for it in vain", async () => {
  const clock = { now: () => 1e12 };
  const limiter = new RedisLimiter("redis://127.0.0.1:1", { clock });
  const answers: boolean[] = [];
  for (let n = 0; n < 8; n++) answers.push((await limiter.take("k", 5, 1_000)).allowed);
  expect(answers).toEqual([true, true, true, true, true, false, false, false]);
  await limiter.close();
});

describe("on Redis", () => {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  const withRedis = (name: string, story: (at: TestRedis) => Promise<void>): void =>
    itWithRedis(name, () => story(redis!), 60_000);

  withRedis("is exact over several nodes at once, keys and installations apart", async ({ url }) => {
    const nodes = Array.from({ length: 4 }, () => new RedisLimiter(url));
    const other = new RedisLimiter(url, { namespace: "another" });
    const [one, two] = await Promise.all(
      ["one", "two"].map((key) =>
        Promise.all(Array.from({ length: 200 }, (_, n) => nodes[n % 4]!.take(key, 60, 60_000))),
      ),
    );
    for (const answers of [one!, two!]) {
      const through = answers.filter(({ allowed }) => allowed);
      expect(through.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 60 }, (_, n) => n),
      );
    }
    expect((await other.take("one", 60, 60_000)).remaining).toBe(59);
    await Promise.all([...nodes, other].map((node) => node.close()));
  });

  withRedis("in no window of its own clock lets two nodes together pass more than the limit", async ({ url }) => {
    const LIMIT = 25,
      WINDOW_MS = 200;
    const nodes = [new RedisLimiter(url), new RedisLimiter(url)];
    const passed: { sent: number; answered: number }[] = [];
    let refused = 0;
    for (let round = 0; round < 30; round++) {
      const take = async (n: number): Promise<void> => {
        const sent = performance.now();
        const { allowed } = await nodes[n % 2]!.take("window", LIMIT, WINDOW_MS);
        if (allowed) passed.push({ sent, answered: performance.now() });
        else refused += 1;
      };
      await Promise.all(Array.from({ length: 20 }, (_, n) => take(n)));
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    // Between sending and answer Redis counted it, by its own clock in whole milliseconds.
    for (const { sent: from } of passed) {
      const within = passed.filter(({ sent, answered }) => sent >= from && answered < from + WINDOW_MS - 1);
      expect(within.length).toBeLessThanOrEqual(LIMIT);
    }
    expect(passed.length).toBeGreaterThan(LIMIT);
    expect(refused).toBeGreaterThan(0);
    await Promise.all(nodes.map((node) => node.close()));
  });

  withRedis("comes back to counting together after an outage", async (at) => {
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    const nodes = [new RedisLimiter(at.url, { clock }), new RedisLimiter(at.url, { clock })];
    const take = async (times: number, key = "outage") =>
      (await Promise.all(Array.from({ length: times }, (_, n) => nodes[n % 2]!.take(key, 10, 60_000)))).filter(
        ({ allowed }) => allowed,
      ).length;
    expect(await take(4)).toBe(4);
    await at.pause();
    expect(await take(40)).toBe(16); // ten on each, of which two were had before
    await at.resume();
    ahead += 2_000;
    // Questions that got no answer in time may still have been counted: never too few, at the worst too many.
    expect(await take(40)).toBeLessThanOrEqual(6);
    expect(await take(40, "afterwards")).toBe(10);
    await Promise.all(nodes.map((node) => node.close()));
  });

  withRedis("lets nobody have the limit twice where it answers now and then too late", async (at) => {
    let ahead = 0;
    const node = new RedisLimiter(at.url, { clock: { now: () => Date.now() + ahead } });
    const take = async (times: number) =>
      (await Promise.all(Array.from({ length: times }, () => node.take("late", 20, 600_000)))).filter(
        ({ allowed }) => allowed,
      ).length;
    expect(await take(8)).toBe(8);
    await at.pause();
    expect(await take(20)).toBe(12);
    await at.resume();
    ahead += 2_000;
    expect(await take(20)).toBe(0);
    await node.close();
  });

  withRedis("goes with a clock that is moved by hand, as the one in memory does", async ({ url }) => {
    let ahead = 0;
    const node = new RedisLimiter(url, { clock: { now: () => Date.now() + ahead } });
    const take = async () => {
      const { allowed, resetAt } = await node.take("moved", 1, 60_000);
      return [allowed, Math.round((resetAt - Date.now()) / 10_000)];
    };
    expect([await take(), await take()]).toEqual([
      [true, 6],
      [false, 6],
    ]);
    ahead = 3_600_000;
    expect([await take(), await take()]).toEqual([
      [true, 366],
      [false, 366],
    ]);
    await node.close();
  });

  withRedis("makes nobody wait for longer than the window after the servers' clock was set back", async ({ url }) => {
    const clock = new TestClock(),
      ahead = new RedisLimiter(url, { clock, namespace: "set-back" });
    clock.leap(3 * 3_600_000);
    expect((await ahead.take("who", 1, 60_000)).allowed).toBe(true);
    clock.leap(-3 * 3_600_000);
    // Another node: this one's own count goes on anyway.
    const node = new RedisLimiter(url, { clock, namespace: "set-back" });
    const refused = await node.take("who", 1, 60_000);
    expect(refused.allowed).toBe(false);
    expect(refused.resetAt - clock.now()).toBeLessThanOrEqual(61_000);
    clock.advance(61_000);
    expect((await node.take("who", 1, 60_000)).allowed).toBe(true);
    await Promise.all([ahead, node].map((one) => one.close()));
  });

  withRedis("does not take its own standstill for Redis being away", async ({ url }) => {
    const nodes = [new RedisLimiter(url), new RedisLimiter(url)];
    expect((await nodes[0]!.take("still", 10, 60_000)).remaining).toBe(9);
    const asked = nodes[0]!.take("still", 10, 60_000);
    await new Promise((resolve) => setImmediate(resolve));
    for (const until = performance.now() + 700; performance.now() < until;);
    expect((await asked).remaining).toBe(8);
    expect((await nodes[0]!.take("still", 10, 60_000)).remaining).toBe(7);
    expect((await nodes[1]!.take("still", 10, 60_000)).remaining).toBe(6);
    await Promise.all(nodes.map((node) => node.close()));
  });

  withRedis("two nodes let an address through once in all", async ({ url }) => {
    const nodes = await Promise.all(
      ["one", "two"].map((name) =>
        world({ TRANSPORTER: url, NAMESPACE: "limits", NODE_ID: name, RATE_LIMIT_TIER: "production" }),
      ),
    );
    try {
      // Connected, and few at once: on a busy machine a stall of both nodes must not look like a Redis that is away.
      for (const { mesh } of nodes)
        await eventually(
          () => mesh.world.limiter.take(`warm ${Math.random()}`, 1, 60_000),
          ({ remaining }) => remaining === 0,
        );
      const replies: Reply[] = [];
      while (replies.length < 100)
        replies.push(
          ...(await Promise.all(
            Array.from({ length: 10 }, (_, n) => nodes[n % 2]!.http("GET", "/api/v1/manifest", { as: null })),
          )),
        );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(40);
      expect(
        nodes
          .map((_, at) => replies.filter(({ status }, n) => n % 2 === at && status === 200).length)
          .every((through) => through > 0),
      ).toBe(true);
    } finally {
      await Promise.all(nodes.map((node) => node.stop()));
    }
  });
});
