import { setTimeout as pause } from "node:timers/promises";
import { Flow, Pressure } from "../../core/load/pressure.ts";
import { eventually } from "../mesh.ts";

// Fair queues with a bound on delay, in a loop that is really late: only orders and counts are asserted, no times.

function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

/** A pressure in a loop that was late until it was noticed. */
async function strained(delayMs: number): Promise<Pressure> {
  const pressure = new Pressure(delayMs);
  pressure.start();
  for (let turn = 0; !pressure.strained && turn < 100; turn++) {
    work(60);
    await pause(1);
  }
  expect(pressure.strained).toBe(true);
  return pressure;
}

it("a loop that is late once is not strained, one that stays late is, and a free one no longer", async () => {
  const pressure = new Pressure(100);
  pressure.start();
  work(200);
  await pause(1);
  expect(pressure.strained).toBe(false);
  pressure.stop();
  const late = await strained(100);
  for (let n = 0; late.strained && n < 500; n++) await pause(20);
  expect(late.strained).toBe(false);
  late.stop();
});

it("each flow has its turn: one request is not kept by a thousand of another", async () => {
  const pressure = await strained(60_000);
  const [crowded, seldom] = [new Flow(), new Flow()];
  const order: string[] = [];
  for (let n = 0; n < 1_000; n++) expect(pressure.enter(crowded, () => order.push(`crowded ${n}`))).toBe(true);
  expect(pressure.enter(seldom, () => order.push("seldom"))).toBe(true);
  expect(pressure.waiting).toBe(1_001);
  while (pressure.waiting) await pause(1);
  expect(order).toHaveLength(1_001);
  expect(order.indexOf("seldom")).toBe(1);
  expect(order.filter((name) => name !== "seldom")).toEqual(Array.from({ length: 1_000 }, (_, n) => `crowded ${n}`));
  pressure.stop();
});

it("what would wait longer than the bound at the pace of late is refused, in a flow of its own it is taken, and what was taken is done", async () => {
  const pressure = await strained(50);
  const [crowded, seldom] = [new Flow(), new Flow()];
  let begun = 0;
  // 20 ms each: two and a half of them fit the bound, four are taken at least.
  const slow = (): void => {
    work(20);
    begun++;
  };
  for (let n = 0; n < 20; n++) pressure.enter(crowded, slow);
  while (pressure.waiting > 10) await pause(1);
  expect(pressure.enter(crowded, slow)).toBe(false);
  expect(Array.from({ length: 6 }, () => pressure.enter(seldom, slow))).toEqual([true, true, true, true, false, false]);
  expect(pressure.refused).toBe(3);
  while (pressure.waiting) await pause(1);
  expect(begun).toBe(24);
  pressure.stop();
});

it("a single request that is slow lets nobody be refused, of its own flow or another", async () => {
  const pressure = await strained(2_000);
  const [slow, quick] = [new Flow(), new Flow()];
  let begun = 0;
  const brief = (): void => {
    work(1);
    begun++;
  };
  for (let n = 0; n < 20; n++) for (const flow of [slow, quick]) pressure.enter(flow, brief);
  pressure.enter(slow, () => work(2_000));
  for (let n = 0; n < 20; n++) for (const flow of [slow, quick]) pressure.enter(flow, brief);
  while (pressure.waiting > 10) await pause(1);
  for (let n = 0; n < 40; n++) expect([slow, quick].map((flow) => pressure.enter(flow, brief))).toEqual([true, true]);
  while (pressure.waiting) await pause(1);
  expect([begun, pressure.refused]).toEqual([160, 0]);
  pressure.stop();
});

it("of two flows the dearer one has half of the loop, not half of the beginnings", async () => {
  const pressure = await strained(60_000);
  const [dear, cheap] = [new Flow(), new Flow()];
  let [dearly, cheaply] = [0, 0];
  for (let n = 0; n < 200; n++) {
    pressure.enter(dear, () => {
      work(10);
      dearly++;
    });
    pressure.enter(cheap, () => {
      work(1);
      cheaply++;
    });
  }
  await eventually(
    () => cheaply,
    (count) => count === 200,
  );
  expect(dearly).toBeLessThan(100);
  while (pressure.waiting) await pause(1);
  pressure.stop();
});

it("promises run out between two that are begun, so that one is done before the next", async () => {
  const pressure = await strained(60_000);
  const flow = new Flow();
  let underWay = 0,
    most = 0,
    done = 0;
  for (let n = 0; n < 50; n++) {
    pressure.enter(
      flow,
      () =>
        void (async () => {
          most = Math.max(most, ++underWay);
          for (let step = 0; step < 20; step++) await undefined;
          underWay--;
          done++;
        })(),
    );
  }
  await eventually(
    () => done,
    (count) => count === 50,
  );
  expect(most).toBe(1);
  pressure.stop();
});

it("without a bound it notices nothing", async () => {
  const pressure = new Pressure(0);
  pressure.start();
  for (let turn = 0; turn < 8; turn++) {
    work(60);
    await pause(1);
  }
  expect(pressure.strained).toBe(false);
});

it("a process at rest is left to sleep, and looked at again with its next work", async () => {
  const pressure = new Pressure(100);
  pressure.start();
  expect(pressure.isWatching).toBe(true);
  await eventually(
    () => pressure.isWatching,
    (watches) => !watches,
  );
  for (let turn = 0; !pressure.strained && turn < 100; turn++) {
    pressure.stir();
    work(60);
    await pause(1);
  }
  expect([pressure.isWatching, pressure.strained]).toEqual([true, true]);
  pressure.stop();
  pressure.stir();
  expect(pressure.isWatching).toBe(false);
});
