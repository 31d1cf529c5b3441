import fc from "fast-check";
import { openReadings } from "../../adapters/readings/index.ts";
import { BucketReadings } from "../../adapters/readings/buckets.ts";
import type { SeriesValue, SeriesPoint, Readings } from "../../core/records/reading/readings.ts";
import { engines } from "./documents/engines.ts";

/** The port's behaviour on both stores: the table of the embedded documents, and buckets over every engine. */
const stores = engines().flatMap((engine) => [
  ...(engine.name.startsWith("embedded") ? [[`a table, ${engine.name}`, engine, openReadings] as const] : []),
  [`buckets, ${engine.name}`, engine, (documents: any) => new BucketReadings(documents)] as const,
]);
const HOUR = 3_600_000_000;
const T0 = 487_000 * HOUR;
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10_000 };

describe.each(stores)("readings in %s", (_name, engine, open) => {
  const documents = engine.open();
  const readings: Readings = open(documents);
  afterAll(async () => {
    await documents.close();
    await engine.clean();
  });
  let serial = 0;
  const series = (): { resource: string; key: string } => ({ resource: `r${++serial}`, key: "temp.core" });
  const of = (one: { resource: string; key: string }, ...given: [number, SeriesValue][]): SeriesPoint[] =>
    given.map(([at, value]) => ({ ...one, at: T0 + at, value }));

  it("keeps numbers, switches and texts as they are, in the order in which they were taken", async () => {
    const one = series();
    const given: [number, SeriesValue][] = [
      [5, 1],
      [1, true],
      [3, "warm"],
      [2, false],
      [4, -1.5e-9],
      [HOUR + 1, 7],
    ];
    expect(await readings.put(of(one, ...given))).toEqual({ added: 6, duplicates: 0, replaced: 0 });
    const sorted = given.map(([at, value]) => ({ at: T0 + at, value })).sort((a, b) => a.at - b.at);
    expect(await readings.range(one.resource, one.key, ALL)).toEqual(sorted);
    expect(await readings.range(one.resource, one.key, { ...ALL, falling: true, limit: 2 })).toEqual(
      sorted.toReversed().slice(0, 2),
    );
    expect(await readings.range(one.resource, one.key, { from: T0 + 2, to: T0 + 5, limit: 9 })).toEqual(
      sorted.slice(1, 4),
    );
    expect(await readings.range(one.resource, "other", ALL)).toEqual([]);
  });

  it("knows what comes twice, replaces what comes with another value, and moves the latest forward only", async () => {
    const one = series();
    await readings.put(of(one, [10, 1], [20, 2]));
    expect(await readings.put(of(one, [10, 1], [20, 3], [15, 9], [15, 9], [15, 8]))).toEqual({
      added: 1,
      duplicates: 2,
      replaced: 2,
    });
    expect(await readings.latest(one.resource)).toEqual([{ key: one.key, at: T0 + 20, value: 3 }]);
    const next = { resource: `${one.resource} and more`, key: one.key };
    await readings.put([...of(next, [7, 1]), ...of({ ...next, key: "other" }, [9, 1])]);
    const latestOf = (after: string, limit: number) => readings.latestOf(one.key, { after, limit });
    expect(await latestOf(one.resource, 1)).toEqual([{ resource: next.resource, at: T0 + 7 }]);
    expect(await latestOf("", 1_000)).toContainEqual({ resource: one.resource, at: T0 + 20 });
    expect(await latestOf(next.resource, 1_000)).not.toContainEqual(expect.objectContaining(next));
    expect((await readings.range(one.resource, one.key, ALL)).map(({ value }) => value)).toEqual([1, 8, 3]);
  });

  it("counts alike in large batches, whichever of them were there, and whatever comes twice in one", async () => {
    const one = series();
    const many = (from: number, to: number, value: (at: number) => number): [number, number][] =>
      Array.from({ length: to - from }, (_none, n) => [from + n, value(from + n)]);
    expect(await readings.put(of(one, ...many(0, 100, (at) => at)))).toEqual({
      added: 100,
      duplicates: 0,
      replaced: 0,
    });
    const mixed = many(50, 150, (at) => (at % 2 ? at : -at));
    expect(await readings.put(of(one, ...mixed, [149, 7], [149, 7]))).toEqual({
      added: 50,
      duplicates: 26,
      replaced: 26,
    });
    const found = await readings.range(one.resource, one.key, ALL);
    expect(found.map(({ at, value }) => [at - T0, value])).toEqual([
      ...many(0, 50, (at) => at),
      ...mixed.slice(0, -1),
      [149, 7],
    ]);
  });

  it("removes a resource's readings, or those before a moment, and no others", async () => {
    const [one, other] = [series(), series()];
    await readings.put([...of(one, [1, 1], [3 * HOUR, 2]), ...of(other, [1, 1], [3 * HOUR, 2])]);
    await readings.remove(one.resource);
    expect([await readings.latest(one.resource), await readings.range(one.resource, one.key, ALL)]).toEqual([[], []]);
    await readings.removeBefore(T0 + 2 * HOUR);
    expect((await readings.range(other.resource, other.key, ALL)).map(({ value }) => value)).toEqual([2]);
    await readings.put(of(one, [1, 5]));
    expect((await readings.range(one.resource, one.key, ALL)).map(({ value }) => value)).toEqual([5]);
  });

  it("holds what a map of moments would, whatever is put at once and in whatever order", async () => {
    const batch = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 6 }).map((n) => (n % 2) * HOUR + n),
        fc.integer({ min: 0, max: 2 }),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { maxLength: 4 }), async (batches) => {
        const one = series();
        const model = new Map<number, SeriesValue>();
        for (const given of batches) {
          const fresh = new Set(given.flatMap(([at]) => (model.has(at) ? [] : [at]))).size;
          const put = await readings.put(of(one, ...given));
          expect([put.added, put.added + put.duplicates + put.replaced]).toEqual([fresh, given.length]);
          for (const [at, value] of given) model.set(at, value);
        }
        const wanted = [...model].map(([at, value]) => ({ at: T0 + at, value })).sort((a, b) => a.at - b.at);
        expect(await readings.range(one.resource, one.key, ALL)).toEqual(wanted);
        expect(await readings.latest(one.resource)).toEqual(wanted.length ? [{ key: one.key, ...wanted.at(-1) }] : []);
      }),
      { numRuns: 25 },
    );
  });
});
