import { Subject } from "rxjs";
import { openDocuments } from "../../adapters/documents/index.ts";
import type { Documents } from "../../core/records/documents.ts";
import { beyondHolds, heedingHolds, Hold, LeaseLost } from "../../core/work/hold.ts";
import type { Job, JobRun } from "../../core/work/job.ts";
import { Jobs } from "../../core/work/jobs.ts";
import { overloaded } from "../../core/problem.ts";
import { Leases } from "../../core/work/schedule.ts";
import { eventually, TestClock } from "../mesh.ts";

// What a holder may do that was cut off, or asleep, for longer than its lease: nothing in its name.

let documents: Documents;
let clock: TestClock;
beforeEach(() => {
  documents = heedingHolds(openDocuments({ dataDir: ":memory:" }));
  clock = new TestClock();
});
afterEach(() => documents.close());

const TERM_MS = 120;
const notes = () => documents.collection("notes");

describe("work under a lease", () => {
  it("writes as long as the store says that the lease is its own, however late it asks", async () => {
    let asked = 0;
    const hold = new Hold("drill", TERM_MS, async () => {
      asked++;
      return true;
    });
    await hold.run(async () => {
      const before = asked;
      const end = performance.now() + 2 * TERM_MS;
      while (performance.now() < end); // asleep: no timer runs
      await (await notes()).insert({ _id: 1 });
      expect(asked).toBeGreaterThan(before);
    });
    expect(await (await notes()).count()).toBe(1);
  });

  it("writes nothing once it is another's, and nothing while nobody can say whose it is", async () => {
    const collection = await notes();
    const writes = [
      () => collection.insert({ _id: "late" }),
      () => collection.updateMany({}, { $set: { a: 1 } }),
      () => collection.claim({ _id: "x" }, { $set: { a: 1 } }, { upsert: true }),
      () => collection.bulk([{ insert: { _id: "late" } }]),
      () => collection.removeMany({}),
    ];
    await collection.insert({ _id: "x", a: 0 });
    for (const answer of [() => Promise.resolve(false), () => Promise.reject(overloaded("The store is away."))]) {
      const hold = new Hold("drill", 0, answer);
      await hold.run(async () => {
        for (const write of writes) await expect(write()).rejects.toThrow(LeaseLost);
      });
    }
    expect(await collection.find()).toEqual([{ _id: "x", a: 0 }]);
  });

  it("is told of the loss, and what works for all goes on", async () => {
    const hold = new Hold("drill", 0, () => Promise.resolve(false));
    await hold.run(async () => {
      await hold.renew();
      expect(hold.signal.reason).toBeInstanceOf(LeaseLost);
      await beyondHolds(async () => (await notes()).insert({ _id: "shared" }));
    });
    await (await notes()).insert({ _id: "afterwards" });
    expect(await (await notes()).count()).toBe(2);
  });

  it("that was told to end, but holds the lease, still writes down where it stopped", async () => {
    const hold = new Hold("drill", 60_000, () => Promise.resolve(true));
    await hold.run(async () => {
      hold.stop(new Error("the node is stopping"));
      await (await notes()).insert({ _id: "where it stopped" });
    });
    expect(await (await notes()).count()).toBe(1);
  });
});

it("of a lease that lapsed, was another's and lapsed again, the first holder's number is outdated", async () => {
  const [one, two] = ["one", "two"].map((holder) => new Leases(documents, clock, holder)) as [Leases, Leases];
  const collection = await notes();
  await one.under("drill", TERM_MS, async (hold) => {
    clock.advance(TERM_MS + 1);
    await two.under("drill", TERM_MS, async () => {
      await collection.insert({ _id: "second" });
    });
    clock.advance(TERM_MS + 1);
    await eventually(() => hold.signal.aborted, Boolean);
    await expect(collection.insert({ _id: "first" })).rejects.toThrow(LeaseLost);
  });
  expect((await collection.find()).map(({ _id }) => _id)).toEqual(["second"]);
});

describe("a job", () => {
  const node = (name: string): Jobs => new Jobs(documents, clock, name, new Subject<Job>());
  const WEEK_MS = 7 * 86_400_000;

  it("whose holder comes back late is the next one's: neither progress nor result of the first is taken", async () => {
    const [one, two] = [node("one"), node("two")];
    const comesBack = Promise.withResolvers<void>();
    const failure = Promise.withResolvers<Error>();
    one.work(
      "drill",
      {
        async run({ progress }: JobRun) {
          await comesBack.promise;
          await progress("late", 9, 9).catch((error: Error) => failure.resolve(error));
          return { by: "one" };
        },
      },
      {},
    );
    two.work(
      "drill",
      {
        run: async ({ progress }: JobRun) => {
          await progress("done", 1, 1);
          return { by: "two" };
        },
      },
      {},
    );
    const { id } = await one.add("drill", {}, { by: "ann" });
    await eventually(
      () => one.get(id),
      (job) => job?.status === "running",
    );
    clock.advance(WEEK_MS);
    two.poke();
    await eventually(
      () => two.get(id),
      (job) => job?.status === "completed",
    );
    comesBack.resolve();
    expect(await failure.promise).toBeInstanceOf(LeaseLost);
    await one.stop();
    expect(await two.get(id)).toMatchObject({
      status: "completed",
      fence: 2,
      stage: "done",
      done: 1,
      result: { by: "two" },
    });
  });

  it("that ends late without a word of progress changes nothing either, though it goes by the same name", async () => {
    const [old, again] = [node("one"), node("one")];
    const comesBack = Promise.withResolvers<void>();
    old.work(
      "drill",
      {
        run: async () => {
          await comesBack.promise;
          throw new Error("too late");
        },
        attempts: 1,
      },
      {},
    );
    again.work("drill", { run: async () => "again" }, {});
    const { id } = await old.add("drill", {}, { by: "ann" });
    await eventually(
      () => old.get(id),
      (job) => job?.status === "running",
    );
    clock.advance(WEEK_MS);
    again.poke();
    await eventually(
      () => again.get(id),
      (job) => job?.status === "completed",
    );
    comesBack.resolve();
    await old.stop();
    expect(await again.get(id)).toMatchObject({ status: "completed", result: "again", fence: 2 });
    expect((await again.get(id))!.error).toBeUndefined();
  });

  it("does not use up its attempts while something that it needs is away", async () => {
    const jobs = node("one");
    let runs = 0;
    jobs.work(
      "drill",
      {
        attempts: 2,
        async run() {
          if (++runs <= 4) throw overloaded("Search is away.");
          return runs;
        },
      },
      {},
    );
    const { id } = await jobs.add("drill", {}, { by: "ann" });
    const looking = setInterval(() => {
      clock.advance(5_000);
      jobs.poke();
    }, 20);
    const ended = await eventually(
      () => jobs.get(id),
      (job) => job?.status === "completed" || job?.status === "failed",
    );
    clearInterval(looking);
    expect(ended).toMatchObject({ status: "completed", result: 5, attempts: 1, waits: 4 });
    await jobs.stop();
  });

  it("keeps its progress over a short absence of the store", async () => {
    const jobs = node("one");
    const collection = await documents.collection("jobs");
    jobs.work(
      "drill",
      {
        async run({ progress }: JobRun) {
          const { updateMany } = collection;
          let refusals = 0;
          collection.updateMany = (...given) =>
            ++refusals < 3 ? Promise.reject(overloaded("The store is away.")) : updateMany.call(collection, ...given);
          await progress("half", 1, 2, { half: true });
          collection.updateMany = updateMany;
          return refusals;
        },
      },
      {},
    );
    const { id } = await jobs.add("drill", {}, { by: "ann" });
    expect(
      await eventually(
        () => jobs.get(id),
        (job) => job?.status === "completed",
      ),
    ).toMatchObject({ result: 3, attempts: 1, state: { half: true } });
    await jobs.stop();
  });
});
