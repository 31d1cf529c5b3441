import fc from "fast-check";
import { MemoryLimiter } from "../../adapters/rate-limit/memory.ts";
import { RedisLimiter } from "../../adapters/rate-limit/redis.ts";

it("in no window are there more than the limit, and no request is refused while there is room", async () => {
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 120 }), async (limit, gaps) => {
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
  }));
});

it("counts keys apart and forgets idle ones", async () => {
  let now = 1e12;
  const limiter = new MemoryLimiter({ now: () => now });
  for (let n = 0; n < 10_005; n++) await limiter.take(`k${n}`, 1, 1_000);
  expect((await limiter.take("k0", 1, 1_000)).allowed).toBe(false);
  now += 2_000;
  expect((await limiter.take("k0", 1, 1_000)).allowed).toBe(true);
});

const redis = process.env["REDIS_URL"];
(redis ? it : it.skip)("on Redis, is exact over several nodes at once", async () => {
  const nodes = Array.from({ length: 4 }, () => new RedisLimiter(redis!));
  const key = `test-${Math.random()}`;
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => nodes[n % 4]!.take(key, 60, 60_000)));
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(60);
  expect(answers.filter(({ allowed }) => allowed).map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
  await Promise.all(nodes.map((node) => node.close()));
});

it("lets requests pass when Redis is away, rather than be the outage itself", async () => {
  const limiter = new RedisLimiter("redis://127.0.0.1:1");
  expect((await limiter.take("k", 5, 1_000)).allowed).toBe(true);
  await limiter.close();
});
