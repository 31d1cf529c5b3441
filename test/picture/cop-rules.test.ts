import fc from "fast-check";
import { Subject } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { circle } from "../../core/geo/earth.ts";
import type { Geometry } from "../../core/geo/positions.ts";
import { atOnce } from "../../core/work/turns.ts";
import { PAIRS } from "../../bench/judgement/linkages/pairs.ts";
import { Contradictions, type ComparedFeature } from "../../services/picture/cop/conflicts/conflict-detection.ts";
import { byCompartments, differenceOf } from "../../services/picture/cop/generation/features.ts";
import { ChangedParts, settled } from "../../services/picture/cop/generation/watching.ts";
import { patchBetween, type Operation } from "../../services/picture/cop/layers/patches.ts";
import { LAYER_MOVES, nextStates, LAYER_STATES } from "../../services/picture/cop/layers/layers.ts";
import { shownAt, stalenessOf } from "../../services/picture/cop/layers/staleness.ts";
import { Linking, type Entity, type Linked } from "../../services/picture/cop/linkages/linking.ts";
import { marksIn, marksOf } from "../../services/picture/cop/linkages/marks.ts";
import { Candidates, nameLikeness, proposed } from "../../services/picture/cop/linkages/matching.ts";
import { symbolRefusal } from "../../services/picture/cop/symbols/symbols.ts";
import { symbolTables, type SymbolTables } from "../../services/picture/cop/symbols/tables.ts";

describe("symbol codes", () => {
  let tables: SymbolTables;
  beforeAll(async () => {
    tables = await symbolTables();
  });
  const point: Geometry = { type: "Point", coordinates: [0, 0] };
  const line: Geometry = {
    type: "LineString",
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  };
  const refusal = (code: string, geometry: Geometry | null = point) => symbolRefusal(code, geometry, tables);

  it.each([
    ["a battalion of infantry, 2525D", "10031000161211000000"],
    ["the same of 2525E, thirty digits", "130310001612110000000000000000"],
    ["an unspecified land unit", "10031000000000000000"],
    ["infantry of 2525C", "SFGPUCI----D---"],
  ])("of %s is none to refuse", (_what, code) => {
    expect(refusal(code)).toBeNull();
  });

  it.each([
    ["version", "99031000161211000000", /version 99/],
    ["context", "10731000161211000000", /context 7/],
    ["identity", "10091000161211000000", /identity 9/],
    ["symbol set", "10037700161211000000", /symbol set 77/],
    ["status", "10031090161211000000", /status 9/],
    ["headquarters", "10031009161211000000", /9/],
    ["echelon", "10031000991211000000", /echelon or mobility 99/],
    ["entity of its set", "10031000169999990000", /no entity 999999/],
    ["first modifier", "10031000161211009900", /first modifier 99/],
    ["second modifier", "10031000161211000099", /second modifier 99/],
    ["length", "1003100016121100000", /20 or 30 digits/],
    ["affiliation of letters", "SQGPUCI----D---", /affiliation Q/],
    ["status of letters", "SFGQUCI----D---", /status Q/],
    ["function of letters", "SFGPZZZ----D---", /function/],
  ])("are refused by their %s", (_field, code, message) => {
    expect(refusal(code)).toMatch(message);
  });

  it("of a line stand on no point, and of an area on no line", () => {
    expect(refusal("13032500001105000000", line)).toBeNull();
    expect(refusal("13032500001105000000", point)).toMatch(/symbol of a line/);
    expect(refusal("10032500001201000000", line)).toMatch(/symbol of an area/);
    expect(refusal("GFGPGLP--------", point)).toMatch(/symbol of a line/);
  });
});

describe("the states of a layer", () => {
  it("lead from draft to the COP, and from the COP nowhere by a transition", () => {
    const reached = new Set<string>(["draft"]);
    for (const _step of LAYER_STATES)
      for (const state of [...reached]) nextStates(state as never).forEach((to) => reached.add(to));
    expect([...reached].sort()).toEqual([...LAYER_STATES].sort());
    expect(nextStates("cop")).toEqual([]);
    expect(new Set(LAYER_MOVES.map(({ from, to }) => `${from} ${to}`)).size).toBe(LAYER_MOVES.length);
  });
});

describe("staleness", () => {
  it("only ever goes from fresh over stale to gone", () => {
    const order = ["fresh", "stale", "gone"];
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(1e6), fc.nat(2e6), fc.nat(2e6), (at, lasts, one, other) => {
        const properties = { at: new Date(at).toISOString(), staleAt: new Date(at + 1 + lasts).toISOString() };
        const [earlier, later] = [Math.min(one, other), Math.max(one, other)].map(
          (now) => stalenessOf({ properties }, now)?.state ?? "gone",
        );
        expect(order.indexOf(earlier!)).toBeLessThanOrEqual(order.indexOf(later!));
      }),
    );
    expect(shownAt([{ properties: null }], 0)).toMatchObject({ fresh: 1, stale: 0, gone: 0 });
  });
});

describe("a burst of hints", () => {
  const run = (marbles: string, expected: string): void => {
    const scheduler = new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted));
    scheduler.run(({ hot, expectObservable }) => {
      const now = jest.spyOn(performance, "now").mockImplementation(() => scheduler.now());
      expectObservable(hot(marbles).pipe(settled(250, 1_000))).toBe(expected);
      scheduler.flush();
      now.mockRestore();
    });
  };
  it("is one, once it is quiet for 250 ms", () => {
    run("a 99ms b 800ms -", "100ms 250ms b");
  });
  it("is let through after a second though it goes on", () => {
    run("a 199ms b 199ms c 199ms d 199ms e 199ms f 400ms -", "999ms 1ms f");
  });
  it("ends with its source", () => {
    const hints = new Subject<string>();
    const seen: string[] = [];
    hints.pipe(settled(250, 1_000)).subscribe((one) => seen.push(one));
    hints.next("a");
    hints.complete();
    expect(seen).toEqual(["a"]);
  });
});

describe("the difference of two makings", () => {
  const record = fc.record({
    id: fc.constantFrom<string>("a", "b", "c", "d"),
    hash: fc.constantFrom<string>("1", "2"),
  });
  const some = fc.uniqueArray(record, { selector: ({ id }) => id });
  const full = (one: { id: string; hash: string }) =>
    ({ ...one, featureId: one.id, compartments: one.id < "c" ? [] : ["k"] }) as never;

  it("leads from the one to the other, and tells nobody of what is behind a barrier", () => {
    fc.assert(
      fc.property(some, some, (present, wanted) => {
        const difference = differenceOf(wanted.map(full), present.map(full));
        const { added, updated, removed } = difference;
        const after = new Map(present.map(({ id, hash }) => [id, hash]));
        for (const { id } of removed) after.delete(id);
        for (const { id, hash } of [...added, ...updated]) after.set(id, hash);
        expect([...after].sort()).toEqual(wanted.map(({ id, hash }) => [id, hash]).sort());
        const open = byCompartments(difference).filter(({ compartments }) => compartments.length === 0);
        for (const { added: a, updated: u, removed: r } of open)
          expect([...a, ...u, ...r].every((id) => id < "c")).toBe(true);
      }),
    );
  });
});

describe("contradictions", () => {
  const now = Date.parse("2026-01-01T12:00:00Z");
  let count = 0;
  const shown = (
    geometry: Geometry,
    properties: Record<string, unknown>,
    fields: Partial<ComparedFeature> = {},
  ): ComparedFeature => ({
    id: `f${++count}`,
    layerId: `layer ${count % 7}`,
    featureId: `${count}`,
    compartments: [],
    geometry,
    properties,
    ...fields,
  });
  const at = (lon: number, lat: number): Geometry => ({ type: "Point", coordinates: [lon, lat] });
  const report = (lon: number, minutes: number, more: object = {}) =>
    shown(at(lon, 52), { did: "did:x:1", at: new Date(now - minutes * 60_000).toISOString(), ...more });
  const kinds = (...features: ComparedFeature[]) =>
    atOnce(new Contradictions(features, now).all()).map(({ kind }) => kind);

  it("of place take accuracy, time and speed into account", () => {
    expect(kinds(report(13, 0), report(13.001, 0))).toEqual([]);
    expect(kinds(report(13, 0), report(13.1, 0))).toEqual(["two-places"]);
    expect(kinds(report(13, 0), report(13.1, 10))).toEqual([]);
    expect(kinds(report(13, 0, { ce: 5_000 }), report(13.1, 0, { ce: 5_000 }))).toEqual([]);
    const aircraft = { symbol: "10030100001100000000" };
    expect(kinds(report(13, 0, aircraft), report(13.5, 1, aircraft))).toEqual([]);
    expect(kinds(report(13, 0), report(13.5, 1))).toEqual(["two-places"]);
  });

  it("are none within one layer, nor of what is gone; but what is stale is said", () => {
    const [one, other] = [report(13, 0), report(14, 0)];
    expect(kinds(one, { ...other, layerId: one.layerId })).toEqual([]);
    const gone = { staleAt: new Date(now - 3_600_000).toISOString() };
    expect(kinds(one, report(14, 120, gone))).toEqual([]);
    expect(kinds(report(13, 10, { did: "did:x:7", staleAt: new Date(now - 60_000).toISOString() }))).toEqual([
      "stale-on-cop",
    ]);
  });

  it("of values, identities and missions name both", () => {
    const ends = { from: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" };
    const later = { from: "2026-01-02T00:00:00Z" };
    expect(kinds(report(13, 0, { status: "ready" }), report(13, 0, { status: "lost" }))).toEqual(["two-values"]);
    expect(kinds(report(13, 0, { missionId: "m1", ...ends }), report(13, 0, { missionId: "m2" }))).toEqual([
      "two-missions",
    ]);
    expect(kinds(report(13, 0, { missionId: "m1", ...ends }), report(13, 0, { missionId: "m2", ...later }))).toEqual(
      [],
    );
  });

  const place = fc.tuple(
    fc.double({ min: 13, max: 13.2, noNaN: true }),
    fc.double({ min: 52, max: 52.2, noNaN: true }),
  );
  const range = fc
    .tuple(place, fc.integer({ min: 300, max: 6_000 }), fc.constantFrom<string[]>([], ["k1"], ["k2"]))
    .map(([centre, metres, compartments]) =>
      shown({ type: "Polygon", coordinates: [circle(centre, metres, 12)] }, { exclusive: true }, { compartments }),
    );
  it("of areas are the same in any order, lie in the union of both, and are found by one change alone", () => {
    fc.assert(
      fc.property(fc.array(range, { minLength: 2, maxLength: 8 }), (ranges) => {
        const finder = new Contradictions(ranges, now);
        const all = atOnce(finder.all());
        const ids = (findings: readonly { id: string }[]) => findings.map(({ id }) => id).sort();
        expect(ids(atOnce(new Contradictions(ranges.toReversed(), now).all()))).toEqual(ids(all));
        for (const { features, compartments } of all) {
          const both = ranges.filter(({ featureId }) => features.some((one) => one.featureId === featureId));
          expect(compartments).toEqual([...new Set(both.flatMap((one) => one.compartments))].sort());
        }
        const [one] = ranges;
        expect(ids(finder.of(one!))).toEqual(
          ids(all.filter(({ features }) => features.some((f) => f.featureId === one!.featureId))),
        );
      }),
      { numRuns: 40 },
    );
  });

  /** What is found change by change, as those who settle it would have it. */
  const settling = () => {
    const open = new Set<string>();
    return {
      open,
      take({ findings, concerned }: { findings: readonly { id: string }[]; concerned: ReadonlySet<string> }): void {
        for (const id of concerned) open.delete(id);
        for (const { id } of findings) open.add(id);
      },
    };
  };

  it("followed change by change are those of the whole, whatever comes, moves, goes stale and goes", () => {
    const area = range.map(({ geometry, properties }) => ({ geometry: geometry as Geometry, properties }));
    const point = fc
      .tuple(place, fc.constantFrom("did:x:1", "did:x:2"), fc.integer({ min: -9, max: 9 }), fc.boolean())
      .map(([position, did, minutes, keep]) => ({
        geometry: { type: "Point", coordinates: position } as Geometry,
        properties: { did, keep, staleAt: new Date(now + minutes * 60_000).toISOString() },
      }));
    const change = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.option(fc.oneof(area, point)), fc.nat(4));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.array(change, { maxLength: 12 }), (before, after) => {
        const there = new Map<string, ComparedFeature>();
        const made = ([id, what]: (typeof before)[number]): [string, ComparedFeature | null] => {
          const one = what && shown(what.geometry, what.properties, { id: `f${id}`, layerId: `l${id % 3}` });
          if (one) there.set(one.id, { ...one, featureId: one.id });
          else there.delete(`f${id}`);
          return [`f${id}`, there.get(`f${id}`) ?? null];
        };
        for (const one of before) made(one);
        const finder = new Contradictions([...there.values()], now);
        const found = settling();
        found.take({ findings: atOnce(finder.all()), concerned: new Set() });
        let then = now;
        for (const one of after) {
          then += one[2] * 60_000;
          found.take(finder.change(new Map([made(one)]), then));
        }
        const whole = atOnce(new Contradictions([...there.values()], then).all());
        expect([...found.open].sort()).toEqual(whole.map(({ id }) => id).sort());
      }),
      { numRuns: 150 },
    );
  });
});

describe("what of layers is to be made anew", () => {
  it("is added up until it is taken, and of very much all of it", () => {
    const parts = new ChangedParts();
    parts.add("a", ["unit:1"]);
    parts.add("a", ["unit:1", "unit:2"]);
    expect(parts.take("a")).toEqual(new Set(["unit:1", "unit:2"]));
    expect(parts.take("a")).toBeUndefined();
    parts.add("a", undefined);
    parts.add("a", ["unit:1"]);
    expect(parts.take("a")).toBeUndefined();
    parts.add(
      "a",
      Array.from({ length: 1_001 }, (_none, at) => `unit:${at}`),
    );
    expect(parts.take("a")).toBeUndefined();
  });
});

describe("linkages", () => {
  it("followed change by change are those of the whole, whichever side changes", () => {
    const name = fc.option(fc.constantFrom("3rd Bridge Company", "3 Bridge Coy", "Convoy 7", "Convoy 8", "Mast"));
    const lon = fc.integer({ min: 0, max: 3 }).map((step) => 13 + step / 1_000);
    const change = fc.tuple(fc.constantFrom("feature", "record"), fc.integer({ min: 0, max: 4 }), name, lon);
    type Change = [string, number, string | null, number];
    fc.assert(
      fc.property(fc.array(change, { maxLength: 10 }), fc.array(change, { maxLength: 10 }), (before, after) => {
        const features = new Map<string, Linked>();
        const records = new Map<string, Entity>();
        const geometry = (east: number) => ({ type: "Point", coordinates: [east, 52] });
        const make = ([side, at, called, east]: Change): void => {
          if (side === "feature" && called)
            features.set(`f${at}`, {
              ...{ id: `f${at}`, problemSetId: "p", compartments: [], layerId: "l", featureId: `${at}` },
              geometry: geometry(east),
              properties: { name: called },
            });
          else if (side === "feature") features.delete(`f${at}`);
          else if (called)
            records.set(`r${at}`, {
              ...{ id: `r${at}`, rev: 1, updatedAt: "", compartments: [], name: called, type: "unit" },
              geometry: geometry(east),
            });
          else records.delete(`r${at}`);
        };
        for (const one of before) make(one);
        const linking = new Linking([...features.values()], [...records.values()]);
        const open = new Set(atOnce(linking.all()).map(({ id }) => id));
        for (const one of after) {
          make(one);
          const [side, at] = one;
          const id = `${side[0]}${at}`;
          const { findings, concerned } = linking.change(
            new Map(side === "feature" ? [[id, features.get(id) ?? null]] : []),
            new Map(side === "record" ? [[id, records.get(id) ?? null]] : []),
          );
          for (const gone of concerned) open.delete(gone);
          for (const { id: found } of findings) open.add(found);
        }
        const whole = atOnce(new Linking([...features.values()], [...records.values()]).all());
        expect([...open].sort()).toEqual(whole.map(({ id }) => id).sort());
      }),
      { numRuns: 150 },
    );
  });
  it("of the labelled pairs are proposed where they are the same", () => {
    const judged = PAIRS.map(({ same, feature, record }) => ({ same, said: proposed(feature, record) !== null }));
    const right = judged.filter(({ same, said }) => same && said).length;
    const precision = right / judged.filter(({ said }) => said).length;
    const recall = right / judged.filter(({ same }) => same).length;
    expect({ precision: precision >= 0.9, recall: recall >= 0.9 }).toEqual({ precision: true, recall: true });
  });
  it("are found by a plate or serial number, however it is written, and by no other number", () => {
    expect(marksIn(["Tatra HZS, SPZ 3h2-1177", "RZ 1AB 2345", "VIN TMB-12345", "boat CZ 77 412 A"])).toEqual(
      expect.arrayContaining(["3H21177", "1AB2345", "77412A"]),
    );
    expect(marksOf(["3H2 1177", undefined, "7"])).toEqual(["3H21177"]);
    expect(marksIn(["Evacuation of 2026, house 1177, route 35 km 12", "12:30", "2-7 IN"])).not.toContain("3H21177");
    expect(marksOf(["2026", "12", "Truck", "1177"])).toEqual([]);
    const truck = { name: "Tanker of Kostelec", kind: "vehicle", type: "resource", marks: ["3H2 1177"] };
    const record = { id: "r", rev: 1, updatedAt: "", compartments: [], geometry: {}, ...truck } as Entity;
    const drawn = (properties: object): Linked => ({
      ...{ id: "f", problemSetId: "p", compartments: [], layerId: "l", featureId: "1" },
      geometry: { type: "Point", coordinates: [16.2, 50.1] },
      properties: properties as Linked["properties"],
    });
    const found = (properties: object) => atOnce(new Linking([drawn(properties)], [record]).all());
    expect(found({ name: "tatra u mostu", plate: "3h2 1177" })).toMatchObject([
      { entityName: "Tanker of Kostelec", parts: expect.arrayContaining([expect.objectContaining({ part: "mark" })]) },
    ]);
    expect(found({ name: "Tatra 3H2-1177" })).toHaveLength(1);
    expect(found({ name: "Tatra 3H2-1178" })).toEqual([]);
  });
  it("of the same are found by what both begin with, among many", () => {
    const records = PAIRS.map(({ record }, at) => ({ id: `r${at}`, ...record }));
    const candidates = new Candidates<(typeof records)[number]>((record) => record);
    for (const record of records) candidates.put(record);
    for (const [at, { same, feature }] of PAIRS.entries())
      if (same) expect(candidates.of(feature)).toContain(records[at]);
  });
  it("are symmetric in names, and other numbers are other names", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(nameLikeness(one, other)).toBeCloseTo(nameLikeness(other, one), 9);
      }),
    );
    expect(nameLikeness("3rd Bridge Company", "4th Bridge Company")).toBeLessThan(0.5);
  });
});

describe("a patch between two specs", () => {
  const stepsOf = (path: string): string[] =>
    path
      .slice(1)
      .split("/")
      .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  function applied(spec: any, patch: readonly Operation[]): unknown {
    const doc = structuredClone(spec);
    const at = (path: string): [holder: any, name: string] => {
      const steps = stepsOf(path);
      return [steps.slice(0, -1).reduce((holder, name) => holder[name], doc), steps.at(-1)!];
    };
    const take = (path: string): unknown => {
      const [holder, name] = at(path);
      if (Array.isArray(holder)) return holder.splice(Number(name), 1)[0];
      const value = holder[name];
      delete holder[name];
      return value;
    };
    const put = (path: string, value: unknown, isNew: boolean): void => {
      const [holder, name] = at(path);
      if (Array.isArray(holder) && isNew) holder.splice(Number(name), 0, value);
      else holder[name] = value;
    };
    for (const one of patch)
      if (one.op === "remove") take(one.path);
      else if (one.op === "move") put(one.path, take(one.from), true);
      else put(one.path, structuredClone(one.value), one.op === "add");
    return doc;
  }
  const feature = fc.record({
    type: fc.constant("Feature"),
    id: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    geometry: fc.option(fc.record({ type: fc.constant("Point"), coordinates: fc.tuple(fc.nat(9), fc.nat(9)) })),
    properties: fc.dictionary(fc.constantFrom("name", "a/b", "c~d"), fc.oneof(fc.nat(3), fc.record({ x: fc.nat(2) }))),
  });
  const spec = fc.record({
    type: fc.constant("FeatureCollection"),
    features: fc.uniqueArray(feature, { selector: ({ id }) => id }),
  });

  it("makes the one into the other, wherever its features lie, and is empty between two that are the same", () => {
    fc.assert(
      fc.property(spec, spec, (before, after) => {
        expect(applied(before, atOnce(patchBetween(before, after)))).toEqual(after);
        expect(atOnce(patchBetween(after, after))).toEqual([]);
      }),
    );
    const [units, sensors] = [
      { source: "units", filter: {}, style: {} },
      { source: "sensors", filter: { kind: "radar" } },
    ];
    expect(applied(units, atOnce(patchBetween(units, sensors)))).toEqual(sensors);
  });
});
