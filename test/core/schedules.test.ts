import type { Service } from "moleculer";
import { openDocuments } from "../../adapters/documents/index.ts";
import { heedingHolds } from "../../core/work/hold.ts";
import type { Documents } from "../../core/records/documents.ts";
import { Leases, type Schedule } from "../../core/work/schedule.ts";
import { runSchedules, type Running } from "../../mixins/schedules.ts";
import { eventually, TestClock } from "../mesh.ts";

// Nodes of a mesh on one store, which share a schedule. Time goes by as the test moves it; each node looks every few
// milliseconds.

const HOUR_MS = 3_600_000;
/** A dead node's work is another's within a minute. */
const MINUTE_MS = 60_000;
const LOOK_MS = 5;

let documents: Documents;
let clock: TestClock;
let ran: string[];
let running: Running[];
let ends: (() => void)[];
beforeEach(() => {
  documents = heedingHolds(openDocuments({ dataDir: ":memory:" }));
  clock = new TestClock();
  [ran, running, ends] = [[], [], []];
});
afterEach(async () => {
  for (const end of ends) end();
  await Promise.all(running.map((one) => one.stop()));
  await documents.close();
});

/** A node of that name, which runs the schedule; one that `hangs` never comes to the end of a run. */
function node(name: string, { hangs = false, ...schedule }: Partial<Schedule> & { hangs?: boolean } = {}): Running {
  const host = { name: "drill" } as unknown as Service;
  const outages = {
    failed: (who: string, error: Error) => void ran.push(`${who}: ${error.message}`),
    worked: () => {},
  };
  const run = async (): Promise<void> => {
    ran.push(name);
    if (hangs)
      await new Promise<void>((resolve) => {
        ends.push(resolve);
      });
  };
  const one = runSchedules(
    host,
    { sweep: { everyMs: HOUR_MS, firstMs: 0, run, ...schedule } },
    { leases: new Leases(documents, clock, name), outages, lookMs: LOOK_MS },
  );
  running.push(one);
  return one;
}
const runs = (count: number) =>
  eventually(
    () => ran.length,
    (length) => length >= count,
    5_000,
  );
/** Every node has looked several times. */
const looked = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 20 * LOOK_MS);
  });

it("what is done once an hour is done once an hour, however many nodes look", async () => {
  for (const name of ["a", "b", "c"]) node(name);
  await runs(1);
  for (let hour = 1; hour <= 5; hour++) {
    await looked();
    clock.advance(HOUR_MS - MINUTE_MS);
    await looked();
    expect(ran).toHaveLength(hour);
    clock.advance(MINUTE_MS);
    await runs(hour + 1);
  }
  await looked();
  expect(ran).toHaveLength(6);
});

it("a node that dies in the middle of it is followed within a minute, and changes nothing when it comes back", async () => {
  node("dies", { hangs: true });
  await runs(1);
  node("heir");
  await looked();
  expect(ran).toEqual(["dies"]);
  clock.advance(MINUTE_MS);
  await runs(2);
  expect(ran).toEqual(["dies", "heir"]);
  await looked();
  const leases = await documents.collection("leases");
  const before = await leases.findById("drill.sweep");
  expect(before).toMatchObject({ holder: null, fence: 2 });
  ends.pop()!();
  await looked();
  expect(await leases.findById("drill.sweep")).toEqual(before);
});

it("a node that goes between two runs takes nothing along: the next is on time", async () => {
  const goes = node("goes");
  await runs(1);
  await goes.stop();
  node("heir");
  clock.advance(HOUR_MS - MINUTE_MS);
  await looked();
  expect(ran).toEqual(["goes"]);
  clock.advance(MINUTE_MS);
  await runs(2);
  expect(ran).toEqual(["goes", "heir"]);
});

it("a mesh that is started anew does at once what came due meanwhile, and waits for what did not", async () => {
  const early = node("early");
  await runs(1);
  await early.stop();
  const again = node("again", { firstMs: 0 });
  await looked();
  expect(ran).toEqual(["early"]);
  await again.stop();
  clock.advance(2 * HOUR_MS);
  node("late", { firstMs: HOUR_MS });
  await runs(2);
  expect(ran).toEqual(["early", "late"]);
});

it("an interval that became shorter counts from now, and a clock that was set back holds nothing up for longer than the interval", async () => {
  let everyMs = 24 * HOUR_MS;
  node("a", { everyMs: () => everyMs });
  await runs(1);
  await looked();
  everyMs = HOUR_MS;
  await looked();
  clock.advance(HOUR_MS);
  await runs(2);
  await looked();
  clock.advance(-365 * 24 * HOUR_MS);
  await looked();
  expect(ran).toHaveLength(2);
  clock.advance(HOUR_MS);
  await runs(3);
});

it("a run that fails is told of, and is due again an interval later", async () => {
  node("a", {
    async run() {
      ran.push("tries");
      throw new Error("No luck.");
    },
  });
  await runs(2);
  await looked();
  expect(ran).toEqual(["tries", "Schedule drill.sweep: No luck."]);
  clock.advance(HOUR_MS);
  await runs(4);
});

it("what is done each second stays with its holder, and is another's within a minute of its death", async () => {
  node("dies", { everyMs: 2, hangs: true });
  await runs(1);
  node("heir", { everyMs: 2 });
  await looked();
  expect(ran).toEqual(["dies"]);
  clock.advance(MINUTE_MS);
  await runs(2);
  expect(ran[1]).toBe("heir");
});
