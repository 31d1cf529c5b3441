import { Subject } from "rxjs";
import { MemoryLimiter } from "../../adapters/rate-limit/memory.ts";
import { openDocuments } from "../../adapters/documents/index.ts";
import type { Documents } from "../../core/records/documents.ts";
import { entity, Instant } from "../../core/records/entity.ts";
import type { Job } from "../../core/work/job.ts";
import { Jobs } from "../../core/work/jobs.ts";
import { Leases } from "../../core/work/schedule.ts";
import { bringBack } from "../../core/work/waits.ts";
import { ActorCache } from "../../services/gateway/authentication.ts";
import { actor, eventually, TestClock } from "../mesh.ts";

// The system's clock was three hours ahead and is set back, or leaps ahead: nothing waits for longer than its own rule
// says, and what is counted inside a process goes on as time does.

const AHEAD_MS = 3 * 3_600_000;
const MINUTE_MS = 60_000;
const TERM_MS = 20_000;

let documents: Documents;
let clock: TestClock;
beforeEach(() => {
  [documents, clock] = [openDocuments({ dataDir: ":memory:" }), new TestClock()];
});
afterEach(() => documents.close());

it.each([AHEAD_MS, -AHEAD_MS])("a limit counts the time that goes by, wherever the clock is set (%d)", (leap) => {
  const limiter = new MemoryLimiter(clock);
  const take = () => limiter.take("who", 1, MINUTE_MS);
  expect(take().allowed).toBe(true);
  clock.leap(leap);
  const refused = take();
  expect(refused.allowed).toBe(false);
  expect(refused.resetAt - clock.now()).toBeLessThanOrEqual(MINUTE_MS);
  expect(refused.resetAt - clock.now()).toBeGreaterThan(MINUTE_MS / 2);
  clock.advance(MINUTE_MS);
  expect(take().allowed).toBe(true);
});

it("access is remembered for ten seconds, and no longer because the clock was set back", () => {
  const cache = new ActorCache(clock);
  cache.set("bearer", "token", actor("reader"), cache.stamp);
  clock.leap(-AHEAD_MS);
  expect(cache.get("bearer", "token")).toBeDefined();
  clock.advance(10_000);
  expect(cache.get("bearer", "token")).toBeUndefined();
});

it("a dead holder's lease ends a term after the clock was set back, and a living one's goes on", async () => {
  const [dead, living, next] = ["dead", "living", "next"].map((name) => new Leases(documents, clock, name)) as [
    Leases,
    Leases,
    Leases,
  ];
  clock.leap(AHEAD_MS);
  await dead.take("left", TERM_MS);
  await living.take("held", TERM_MS);
  clock.leap(-AHEAD_MS);
  expect(await next.take("left", TERM_MS)).toBeNull();
  expect(await next.take("held", TERM_MS)).toBeNull();
  clock.advance(TERM_MS / 2);
  await living.take("held", TERM_MS);
  clock.advance(TERM_MS / 2 + 1);
  expect(await next.take("left", TERM_MS)).toBe(2);
  expect(await next.take("held", TERM_MS)).toBeNull();
});

it("a job that was put off, and one whose worker died, are begun within the minute", async () => {
  const jobs = (node: string): Jobs => new Jobs(documents, clock, node, new Subject<Job>());
  clock.leap(AHEAD_MS);
  const first = jobs("first"),
    ran: string[] = [];
  const never = new Promise<void>(() => {});
  first.work(
    "drill",
    {
      run: async () => {
        ran.push("first");
        await never;
      },
    },
    undefined,
  );
  await first.add("drill", { n: 1 }, { by: "test" });
  await eventually(
    () => ran.length,
    (count) => count === 1,
  );
  await first.add("drill", { n: 2 }, { by: "test", runAt: clock.now() + 1_000 });
  clock.leap(-AHEAD_MS);
  const second = jobs("second");
  second.work(
    "drill",
    {
      concurrency: 2,
      run: async () => {
        ran.push("second");
      },
    },
    undefined,
  );
  await second.look();
  clock.advance(MINUTE_MS);
  await second.look();
  await eventually(
    () => ran.length,
    (count) => count === 3,
  );
  expect(ran).toEqual(["first", "second", "second"]);
});

it("what was due by a rule is due at once, and what is due by a rule from now on stays", async () => {
  const Parcel = entity("parcels", { title: "parcel", fields: { dueAt: Instant.optional() } });
  const collection = await documents.collection("parcels", { indexes: [{ fields: ["dueAt"], sparse: true }] });
  const at = (milliseconds: number): string => new Date(clock.now() + milliseconds).toISOString();
  const parcel = (_id: string, waitMs: number) => collection.insert({ _id, dueAt: at(waitMs), updatedAt: at(0) });
  const host = { world: { clock, documents } as never, store: () => ({ collection }) };
  const waits = async (rule: object): Promise<string[]> => {
    await bringBack(host, [{ of: Parcel, field: "dueAt", ...rule }]);
    return (await collection.find({ query: { dueAt: { $gt: at(0) } }, sort: ["_id"] })).map(({ _id }) => String(_id));
  };
  clock.leap(AHEAD_MS);
  await parcel("before", MINUTE_MS);
  clock.leap(-AHEAD_MS);
  await parcel("in a day", 24 * 3_600_000);
  expect(await waits({ mostMs: 24 * 3_600_000 })).toEqual(["before", "in a day"]);
  expect(await waits({ since: "updatedAt" })).toEqual(["in a day"]);
  expect(await waits({ mostMs: MINUTE_MS })).toEqual([]);
});

it("a moment is kept in UTC, in which a year has four digits", () => {
  expect(Instant.parse("0000-01-01T00:00:00Z")).toBe("0000-01-01T00:00:00.000Z");
  expect(Instant.parse("9999-12-31T23:59:59+14:00")).toBe("9999-12-31T09:59:59.000Z");
  expect(Instant.parse("9999-12-31T23:59:59-14:00")).toBe("9999-12-31T23:59:59.999Z");
  expect(Instant.parse("0000-01-01T00:00:00+14:00")).toBe("0000-01-01T00:00:00.000Z");
});
