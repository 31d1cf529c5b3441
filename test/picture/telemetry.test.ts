import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { atOnce } from "../../core/work/turns.ts";
import { downsampled, lttb, stretchesOf, summaries } from "../../services/picture/resources/telemetry/downsample.ts";
import { silence, step, type Course, type AlarmTurn } from "../../services/picture/resources/telemetry/thresholds.ts";
import { isoOf, momentOf, pointsOf } from "../../services/picture/resources/telemetry/points.ts";
import { connect, type Client } from "../gateway/live-setup.ts";
import { eventually, itInside, type TestWorld } from "../mesh.ts";
import { as, type Person } from "../workspace/people.ts";
import { staffedWorld } from "./staffed-set.ts";

let at: TestWorld;
let ann: Person, bob: Person, cleo: Person, eve: Person;
let set: string, red: string;
beforeAll(async () => {
  ({ at, ann, bob, cleo, eve, set, red } = await staffedWorld());
}, 120_000);
afterAll(() => at.stop());

const add = async (fields: object = {}): Promise<string> => {
  const reply = await as(at, bob)("POST", "/api/resources", { problemSetId: set, name: "Pump", ...fields });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.id;
};
const send = (body: unknown, who = bob) => as(at, who)("POST", "/api/resources/telemetry", body);
const listen = ({ token }: Person): Promise<Client> => connect(at.url, { auth: { token } });
const now = () => new Date(at.clock.now() - 60_000).toISOString();
const stored = (id: string, key: string) =>
  at.mesh.world.readings.range(id, key, { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1_000 });
const codes = (reply: { body: any }) => reply.body.data.failed.map(({ index, code }: any) => [index, code]);

describe("a resource whose readings say where it is", () => {
  const shown = async (id: string) => (await as(at, bob)("GET", `/api/resources/${id}`)).body.data;
  const position = (id: string, moment: number, latitude: number, longitude: number, more: object = {}) => ({
    resourceId: id,
    series: Object.fromEntries(
      Object.entries({ latitude, longitude, ...more }).map(([key, value]) => [key, [[moment, value]]]),
    ),
  });

  it("is there, by the moment of the reading: what comes late moves nothing back, a later word of a person stays", async () => {
    const id = await add({ location: { latitude: 1, longitude: 1 } });
    const start = at.clock.now();
    at.clock.advance(60_000);
    await send(position(id, start + 30_000, 52, 13, { altitude: 40, accuracy: 5 }));
    const placed = { latitude: 52, longitude: 13, altitude: 40, accuracy: 5 };
    const { locatedAt } = await eventually(
      () => shown(id),
      ({ location }) => location.latitude === 52,
    );
    expect(locatedAt).toBe(new Date(start + 30_000).toISOString());
    expect((await shown(id)).location).toEqual(placed);
    const found = await as(at, bob)("GET", `/api/resources?problemSetId=${set}&near=13,52,100`);
    expect(found.body.data.map((one: any) => one.id)).toContain(id);

    // A mark that comes after them shows that these moved nothing: late, of two moments, and nowhere on earth.
    await send(position(id, start + 20_000, 53, 13));
    await send({ resourceId: id, series: { latitude: [[start + 31_000, 54]], longitude: [[start + 33_000, 14]] } });
    const other = await add();
    expect((await send(position(other, start + 1_000, 95, 13))).body.data.failed).toEqual([
      { index: 0, code: "OUT_OF_RANGE", message: "Its series takes numbers from -90 to 90." },
    ]);
    const scaled = await send(position(other, start + 1_100, -171_000_000, 1_795_000_000));
    expect(scaled.body.data).toMatchObject({ accepted: 0, failed: [{ index: 0 }, { index: 1 }] });
    const mark = await add();
    await send(position(mark, start + 1_000, 3, 4));
    await eventually(
      () => shown(mark),
      ({ location }) => location?.latitude === 3,
    );
    expect((await shown(id)).location).toEqual(placed);
    expect((await shown(other)).location).toBeUndefined();

    // A device that stamps each coordinate by itself: both of one fix, and not one of this and one of the next.
    const one = (key: string, moment: number, value: number) =>
      send([{ resourceId: id, key, at: stamp(moment), value }]);
    const stamp = (moment: number): string => new Date(start + moment).toISOString();
    await one("latitude", 34_000, 56);
    await one("longitude", 34_300, 16);
    await eventually(
      () => shown(id),
      ({ location }) => location.latitude === 56 && location.longitude === 16,
    );
    expect((await shown(id)).locatedAt).toBe(stamp(34_300));
    await one("latitude", 35_000, 57);
    await send(position(mark, start + 35_000, 3.5, 4));
    await eventually(
      () => shown(mark),
      ({ location }) => location?.latitude === 3.5,
    );
    expect((await shown(id)).location).toEqual({ latitude: 56, longitude: 16 });

    await as(at, bob)("PATCH", `/api/resources/${id}`, { location: { latitude: 7, longitude: 7 } });
    await send(position(id, start + 40_000, 55, 15));
    await send(position(mark, start + 40_000, 4, 4));
    await eventually(
      () => shown(mark),
      ({ location }) => location.latitude === 4,
    );
    expect((await shown(id)).location).toEqual({ latitude: 7, longitude: 7 });
  });

  it("is not written for each of its readings, and ends where the last of them was taken", async () => {
    const id = await add();
    const start = at.clock.now() - 300_000;
    const { rev } = await shown(id);
    for (let n = 0; n < 60; n++) await send(position(id, start + n * 1_000, 50 + n / 1_000, 10));
    const after = await eventually(
      () => shown(id),
      ({ location }) => location?.latitude === 50.059,
    );
    expect(after.rev).toBe(rev);
  });

  it("is edited from what a person saw, however far it has moved since, and stays where it is by then", async () => {
    const id = await add();
    const start = at.clock.now() - 300_000;
    await send(position(id, start, 40, 10));
    await eventually(
      () => shown(id),
      ({ location }) => location !== undefined,
    );
    const seen = await as(at, bob)("GET", `/api/resources/${id}`);
    const etag = seen.headers.get("etag")!;
    for (let n = 1; n <= 100; n++) await send(position(id, start + n * 1_000, 40 + n / 1_000, 10));
    await eventually(
      () => shown(id),
      ({ location }) => location.latitude === 40.1,
    );
    // What moved is no answer of before: its tag is another, and names the same revision.
    const known = await as(at, bob)("GET", `/api/resources/${id}`, undefined, { "if-none-match": etag });
    expect(known.status).toBe(200);
    const edited = await as(at, bob)("PATCH", `/api/resources/${id}`, { name: "Pump 2" }, { "if-match": etag });
    expect([edited.status, edited.body.data.location]).toEqual([200, { latitude: 40.1, longitude: 10 }]);
    const near = await as(at, bob)("GET", `/api/resources?problemSetId=${set}&near=10,40.1,100`);
    expect(near.body.data.map((one: any) => one.name)).toEqual(["Pump 2"]);
    const again = await as(at, bob)("PATCH", `/api/resources/${id}`, { name: "Pump 3" }, { "if-match": etag });
    expect(again.status).toBe(412);
  });

  it("is brought there though the node died that took its readings in", async () => {
    const id = await add();
    const moment = (at.clock.now() - 60_000) * 1_000;
    await at.mesh.world.readings.put([
      { resource: id, key: "latitude", at: moment, value: 61 },
      { resource: id, key: "longitude", at: moment, value: 10 },
    ]);
    const { location } = await eventually(
      () => shown(id),
      (one) => one.location !== undefined,
    );
    expect(location).toEqual({ latitude: 61, longitude: 10 });
  });
});

describe("readings", () => {
  it("come one by one, in lists, by series, a line each, compressed, and as SenML, and are there when answered", async () => {
    const id = await add();
    const T = Date.parse(now());
    const reading = (n: number) => ({ resourceId: id, key: "flow", at: new Date(T + n).toISOString(), value: n });
    const sent = async (raw: string | Buffer, type: string, headers = {}) =>
      (await at.http("POST", "/api/resources/telemetry", { as: bob.token, raw: raw as string, type, headers })).body
        .data.accepted;
    expect((await send(reading(0))).body.data).toEqual({ accepted: 1, replaced: 0, duplicates: 0, failed: [] });
    expect((await send([reading(1), reading(2)])).body.data.accepted).toBe(2);
    expect(
      (
        await send({
          resourceId: id,
          series: {
            flow: [
              [T + 3, 3],
              [isoOf((T + 4) * 1_000), 4],
            ],
          },
        })
      ).body.data.accepted,
    ).toBe(2);
    expect(
      await sent(`${JSON.stringify(reading(5))}\n\n${JSON.stringify(reading(6))}\r\n`, "application/x-ndjson"),
    ).toBe(2);
    expect(await sent(gzipSync(JSON.stringify(reading(7))), "application/json", { "content-encoding": "gzip" })).toBe(
      1,
    );
    const senml = [
      { bn: `${id}/`, bt: T / 1_000, n: "flow", t: 0.008, v: 8 },
      { n: "on", vb: true },
      { n: "state", vs: "ok", t: 1 },
    ];
    expect(await sent(JSON.stringify(senml), "application/senml+json")).toBe(3);
    expect(await stored(id, "flow")).toEqual(Array.from({ length: 9 }, (_, n) => ({ at: (T + n) * 1_000, value: n })));
    expect((await stored(id, "on"))[0]!.value).toBe(true);
    const bytes = await send([
      { bn: `${id}/` },
      { n: "flow", v: 9, t: -50 },
      { n: "photo", vd: "aGk" },
      { n: "sum", s: 4 },
    ]);
    expect([bytes.body.data.accepted, codes(bytes)]).toEqual([
      1,
      [
        [1, "BAD_VALUE"],
        [2, "BAD_VALUE"],
      ],
    ]);
    expect((await send([{ n: `${id}/flow`, v: 1, scale_: 10 }])).status).toBe(400);
    expect((await send([{ bn: `${id}/` }])).body.error.message).toBe("The body has no reading.");
    const broken = { as: bob.token, raw: "{}\n{", type: "application/x-ndjson" };
    expect((await at.http("POST", "/api/resources/telemetry", broken)).body.error.message).toContain("Line 2");
  });

  it("are known by moment to the microsecond: twice the same is a duplicate, another value replaces", async () => {
    const id = await add();
    const moment = `${now().slice(0, -1)}456Z`;
    const one = { resourceId: id, key: "t", at: moment, value: 1 };
    expect(
      (await send([one, one, { ...one, at: moment.replace("456Z", "457Z") }, { ...one, value: 2 }])).body.data,
    ).toEqual({
      accepted: 3,
      replaced: 1,
      duplicates: 1,
      failed: [],
    });
    expect((await stored(id, "t")).map(({ value }) => value)).toEqual([2, 1]);
  });

  it("are refused one by one, by what is wrong with each, and the good ones stay", async () => {
    const id = await add({
      series: [
        { key: "t", unit: "Cel", minimum: -50, maximum: 60 },
        { key: "on", type: "boolean" },
      ],
    });
    const hidden = await add({ compartments: [red] });
    const of = (fields: object) => ({ resourceId: id, key: "t", at: now(), value: 1, ...fields });
    const reply = await send([
      of({}),
      of({ resourceId: "none" }),
      of({ key: "no key" }),
      of({ at: "yesterday" }),
      of({ at: new Date(at.clock.now() + 600_000).toISOString() }),
      of({ at: "2001-01-01T00:00:00Z" }),
      of({ value: 61 }),
      of({ value: "warm" }),
      of({ key: "on", value: 1 }),
      of({ key: "free", value: "x".repeat(201) }),
      of({ key: "free", value: null }),
      of({ resourceId: 7 }),
      of({ resourceId: hidden }),
    ]);
    expect([reply.status, reply.body.data.accepted]).toEqual([201, 2]);
    expect(codes(reply)).toEqual([
      [1, "NOT_FOUND"],
      [2, "BAD_KEY"],
      [3, "BAD_TIME"],
      [4, "AHEAD"],
      [5, "TOO_OLD"],
      [6, "OUT_OF_RANGE"],
      [7, "WRONG_TYPE"],
      [8, "WRONG_TYPE"],
      [9, "BAD_VALUE"],
      [10, "BAD_VALUE"],
      [11, "NOT_FOUND"],
    ]);
    const words = new Map(reply.body.data.failed.map(({ index, message }: any) => [index, message]));
    expect(words.get(3)).toMatch(/ISO 8601/);
    expect(words.get(5)).toMatch(/90 days/);
    expect(words.get(6)).toBe("Its series takes numbers from -50 to 60 Cel.");
    expect(words.get(7)).toBe("Its series takes numbers.");
    expect([1, 11].map((at) => words.get(at))).toEqual(Array(2).fill("There is no such resource that you see."));
    expect(codes(await send(of({ resourceId: hidden }), ann))).toEqual(
      codes(await send(of({ resourceId: "none" }), ann)),
    );
    expect(codes(await send(of({}), eve))).toEqual([[0, "NOT_FOUND"]]);
    expect(codes(await send(of({}), cleo))).toEqual([[0, "FORBIDDEN"]]);
    for (const empty of [[], {}, { resourceId: id, series: {} }, "x", [1], { resourceId: id, series: { t: [[1]] } }])
      expect((await send(empty)).status).toBe(400);
    expect((await send({ readings: [of({})] })).body.error.message).toMatch(
      /^Reading 0 has the field readings, which none has; one is \{resourceId, key, at, value\}/,
    );
    expect((await send([of({}), { key: "t", value: 1 }])).body.error.details).toMatchObject([{ path: "1.resourceId" }]);
    expect((await send(Array.from({ length: 10_001 }, () => of({})))).status).toBe(413);
  });

  itInside(
    "are refused whole while too many wait, with the moment to come back, and none of them is taken",
    async () => {
      const id = await add();
      const { readings } = at.mesh.world;
      const put = readings.put.bind(readings);
      let release = (): void => {};
      const gate = new Promise<void>((resolve) => (release = resolve));
      readings.put = async (points) => gate.then(() => put(points));
      const T = at.clock.now() - 3_600_000;
      const batch = (from: number) => ({
        resourceId: id,
        series: { n: Array.from({ length: 100 }, (_, n) => [T + from + n, n]) },
      });
      try {
        const { intake } = at.service("resources");
        intake.most.points = 2_000;
        const waiting = Array.from({ length: 20 }, (_, n) => send(batch(n * 10_000)));
        await eventually(
          () => intake.waiting,
          (count) => count === 2_000,
        );
        const refused = await send(batch(900_000));
        expect([refused.status, refused.body.error.code, Number(refused.headers.get("retry-after"))]).toEqual([
          503,
          "OVERLOADED",
          1,
        ]);
        release();
        expect((await Promise.all(waiting)).map(({ body }) => body.data.accepted)).toEqual(waiting.map(() => 100));
        expect(intake.waiting).toBe(0);
        expect(
          await readings.range(id, "n", { from: (T + 900_000) * 1_000, to: Number.MAX_SAFE_INTEGER, limit: 1 }),
        ).toEqual([]);
      } finally {
        release();
        readings.put = put;
        at.service("resources").intake.most.points = 200_000;
      }
    },
  );

  it("are told to those who see the resource, the last of each series, and go with it", async () => {
    const open = await add();
    const hidden = await add({ compartments: [red] });
    const [mine, theirs] = await Promise.all([listen(bob), listen(cleo)]);
    for (const client of [mine, theirs]) await client.subscribe({ problemSetId: set });
    // What came before is told now and then, and may be heard of here.
    const seen = (client: Client): string[] =>
      client
        .of("telemetry.update")
        .flatMap(({ data }) => data.readings)
        .filter(({ resourceId }: any) => [open, hidden].includes(resourceId))
        .map(({ resourceId, value }: any) => `${resourceId} ${value}`);
    await send(
      Array.from({ length: 100 }, (_, n) => ({
        resourceId: n % 2 ? open : hidden,
        key: "k",
        at: at.clock.now() - 1_000 + n,
        value: n,
      })),
    );
    await eventually(
      () => seen(mine),
      (all) => all.includes(`${open} 99`) && all.includes(`${hidden} 98`),
    );
    expect(seen(theirs)).toEqual([`${open} 99`]);
    for (const client of [mine, theirs]) client.socket.close();
    expect((await as(at, bob)("DELETE", `/api/resources/${open}`)).status).toBe(204);
    await eventually(
      () => stored(open, "k"),
      (left) => left.length === 0,
    );
    expect(codes(await send({ resourceId: open, key: "k", value: 1 }))).toEqual([[0, "NOT_FOUND"]]);
  });
});

describe("reading them back", () => {
  it("goes by series, cursor, few points with gaps kept, and intervals, for those who see the resource", async () => {
    const id = await add();
    const T = Math.floor((at.clock.now() - 1_800_000) / 60_000) * 60_000;
    const pairs = Array.from({ length: 600 }, (_, n) => [T + n * 1_000 + (n >= 300 ? 300_000 : 0), n % 60]);
    await send({ resourceId: id, series: { flow: pairs, state: [[T, "on"]] } });
    const get = async (who: Person, tail: string) => as(at, who)("GET", `/api/resources/${id}${tail}`);
    expect((await get(cleo, "/telemetry")).body.data).toEqual([
      { key: "flow", at: isoOf(pairs.at(-1)![0]! * 1_000), value: 59 },
      { key: "state", at: isoOf(T * 1_000), value: "on" },
    ]);
    const first = (await get(cleo, "/telemetry/flow?limit=2")).body;
    const second = (await get(cleo, `/telemetry/flow?limit=2&cursor=${first.meta.next}`)).body;
    expect([...first.data, ...second.data].map(({ value }: any) => value)).toEqual([59, 58, 57, 56]);
    const span = `from=${new Date(T).toISOString()}&to=${new Date(T + 1_000_000).toISOString()}`;
    const { count, segments } = (await get(cleo, `/telemetry/flow/points?points=100&${span}`)).body.data;
    expect([count, segments.map((one: any[]) => one.length)]).toEqual([600, [50, 50]]);
    expect(segments[1][0].at).toBe(isoOf(pairs[300]![0]! * 1_000));
    const sums = (await get(cleo, `/telemetry/flow/aggregates?intervalSeconds=60&${span}`)).body.data;
    expect(sums).toHaveLength(10);
    expect(sums[0]).toEqual({ from: isoOf(T * 1_000), count: 60, avg: 29.5, min: 0, max: 59, sum: 1_770, last: 59 });
    expect((await get(cleo, `/telemetry/flow/aggregates?intervalSeconds=1&from=2026-01-01T00:00:00Z`)).status).toBe(
      400,
    );
    expect((await get(eve, "/telemetry")).status).toBe(404);
  });

  it("draws few points that are of the readings, first and last among them, and sums up as a sum does", () => {
    const readings = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: -100, max: 100 })), {
        minLength: 1,
        maxLength: 200,
      })
      .map((steps) => {
        let moment = 0;
        return steps.map(([by, value]) => ({ at: (moment += by), value }));
      });
    fc.assert(
      fc.property(
        readings,
        fc.integer({ min: 3, max: 50 }),
        fc.integer({ min: 1, max: 100 }),
        (all, count, interval) => {
          const line = atOnce(lttb(all, count));
          expect(line).toHaveLength(Math.min(all.length, count));
          expect([line[0], line.at(-1)]).toEqual([all[0], all.at(-1)]);
          expect(line.every((one) => all.includes(one))).toBe(true);
          expect(stretchesOf(all, 5).flat()).toEqual(all);
          const drawn = atOnce(downsampled(all, count, 5));
          expect(drawn.flat().length).toBeLessThanOrEqual(count);
          expect(drawn.length).toBe(Math.min(stretchesOf(all, 5).length, Math.floor(count / 2)));
          expect([drawn[0]![0], drawn.at(-1)!.at(-1)]).toEqual([all[0], all.at(-1)]);
          const sums = summaries(all, interval, false);
          expect(sums.reduce((sum, one) => sum + one.sum, 0)).toBe(all.reduce((sum, one) => sum + one.value, 0));
          for (const { avg, min, max } of [...sums, ...summaries(all, interval, true)])
            expect(avg >= min - 1e-9 && avg <= max + 1e-9).toBe(true);
        },
      ),
    );
  });
});

describe("thresholds", () => {
  const hot = {
    id: "hot",
    key: "t",
    when: "above",
    raise: 90,
    clear: 80,
    forSeconds: 10,
    noDataForSeconds: 30,
    severity: "critical",
  };
  const alarms = async (id: string) =>
    (await at.mesh.world.documents.collection("resources_alarms")).find({
      query: { resourceId: id },
      sort: ["raisedAt"],
    });

  it("raise alarms that one person acknowledges, once, for all to see", async () => {
    const id = await add({ thresholds: [{ id: "hot", key: "t", when: "above", raise: 90 }] });
    const other = await add();
    await send({ resourceId: id, key: "t", value: 95 });
    const [alarm] = (await as(at, bob)("GET", `/api/resources/${id}/alarms`)).body.data;
    expect(alarm.acknowledgedAt).toBeUndefined();
    const acknowledge = (who: Person, of = id) =>
      as(at, who)("POST", `/api/resources/${of}/alarms/${alarm.id}/acknowledge`, { note: "On our way." });
    const seen = { acknowledgedBy: bob.userId, acknowledgedNote: "On our way." };
    expect([(await acknowledge(cleo)).status, (await acknowledge(bob, other)).status]).toEqual([403, 404]);
    expect((await acknowledge(bob)).body.data).toMatchObject(seen);
    const again = await acknowledge(bob);
    expect([again.status, again.body.error.details]).toEqual([
      409,
      { acknowledgedBy: bob.userId, acknowledgedAt: expect.any(String), acknowledgedNote: "On our way." },
    ]);
    await eventually(
      async () => (await as(at, bob)("GET", `/api/problem-sets/${set}/activity?kind=threshold.acknowledged`)).body.data,
      (told: any[]) => told.length === 1 && told[0].by === bob.userId,
    );
    // It is no end of the alarm, which its readings bring; who saw it stays on record.
    at.clock.advance(1_000);
    await send({ resourceId: id, key: "t", value: 50 });
    const [over] = (await as(at, cleo)("GET", `/api/resources/${id}/alarms`)).body.data;
    expect(over).toMatchObject({ ...seen, clearedAt: expect.any(String) });
  });

  it("are listed over all resources of a set while they are open, to those who see the resource", async () => {
    const thresholds = [{ id: "high", key: "level", when: "above", raise: 5, severity: "critical" }];
    const series = [{ key: "level", unit: "m" }];
    const [open, hidden] = [
      await add({ name: "Gauge at Dolany", thresholds, series }),
      await add({ name: "Hidden gauge", thresholds, compartments: [red] }),
    ];
    for (const id of [open, hidden]) await send({ resourceId: id, key: "level", value: 6 });
    const listed = async (who: Person, query = "") =>
      (await as(at, who)("GET", `/api/resources/alarms?problemSetId=${set}&limit=100${query}`)).body.data as any[];
    const ids = async (who: Person, query?: string) => (await listed(who, query)).map(({ resourceId }) => resourceId);
    expect((await listed(bob)).find(({ resourceId }) => resourceId === open)).toMatchObject({
      ...{ resource: "Gauge at Dolany", state: "open", severity: "critical", value: 6, unit: "m" },
    });
    expect(await ids(bob)).toEqual(expect.arrayContaining([open, hidden]));
    expect(await ids(cleo)).toContain(open);
    expect(await ids(cleo)).not.toContain(hidden);
    expect(await ids(bob, "&severity=info")).not.toContain(open);
    at.clock.advance(1_000);
    await send({ resourceId: open, key: "level", value: 4 });
    expect(await ids(bob)).not.toContain(open);
    expect(await ids(bob, "&state=cleared")).toContain(open);
  });

  it("raise once for what holds so long in event time, late readings never, and clear on the other side", async () => {
    const id = await add({ thresholds: [hot], series: [{ key: "t", unit: "°C" }] });
    // A little ahead: what lies behind could be raised for its silence by whoever looks meanwhile.
    const T = at.clock.now() + 120_000;
    const take = (...pairs: [number, number][]) =>
      send({ resourceId: id, series: { t: pairs.map(([s, v]) => [T + s * 1_000, v]) } });
    await take([0, 95], [5, 96]);
    expect(await alarms(id)).toEqual([]);
    await take([12, 97]);
    await take([12, 97], [3, 99]);
    expect(await alarms(id)).toMatchObject([
      { why: "value", severity: "critical", raisedAt: isoOf(T * 1_000), value: 97 },
    ]);
    await take([14, 85]);
    expect((await alarms(id))[0]!["clearedAt"]).toBeUndefined();
    await take([16, 80]);
    expect((await alarms(id))[0]!["clearedAt"]).toBe(isoOf((T + 16_000) * 1_000));
    await take([20, 95], [60, 95], [65, 95]);
    expect(await alarms(id)).toHaveLength(1);
    const activity = `/api/problem-sets/${set}/activity?kind=threshold.raised`;
    await eventually(
      async () => (await as(at, bob)("GET", activity)).body.data.map(({ summary }: any) => summary),
      (all: string[]) => all.some((one) => /^t of ".*" is beyond its bound: 97 °C \(critical\)\.$/.test(one)),
    );
    const wrong = await as(at, bob)("PATCH", `/api/resources/${id}`, { thresholds: [{ ...hot, clear: 95 }] });
    expect(wrong.body.error.details[0].path).toBe("thresholds.0.clear");
  });

  it("of readings that come late are told as what was, with when that was", async () => {
    const id = await add({ name: "Tern", thresholds: [{ id: "low", key: "fuel", when: "below", raise: 20 }] });
    const start = Math.floor(at.clock.now() / 86_400_000 - 1) * 86_400_000 + 6 * 3_600_000;
    await send({
      resourceId: id,
      series: {
        fuel: [
          [start, 19],
          [start + 3_600_000, 60],
        ],
      },
    });
    const day = new Date(start).toISOString().slice(0, 10);
    await eventually(
      async () => (await as(at, bob)("GET", `/api/problem-sets/${set}/activity?limit=100`)).text,
      (text) =>
        text.includes(`fuel of \\"Tern\\" was beyond its bound at ${day} 06:00 UTC: 19 (warning).`) &&
        text.includes(`fuel of \\"Tern\\" was within its bound again at ${day} 07:00 UTC.`),
    );
  });

  it("are held against the newest reading as it was put right: raised, ended, and open again", async () => {
    const id = await add({ thresholds: [{ id: "high", key: "stage", when: "above", raise: 270, clear: 260 }] });
    const moment = now();
    const say = (value: number, taken = moment) => send({ resourceId: id, key: "stage", at: taken, value });
    const told = async () => (await alarms(id)).map(({ state, value }) => [state, value]);
    await say(131);
    expect(await told()).toEqual([]);
    await say(312);
    expect(await told()).toEqual([["open", 312]]);
    await say(321);
    expect(await told()).toEqual([["open", 321]]);
    // By 265 it would not have ended; nor would it have been raised.
    await say(265);
    expect(await told()).toEqual([["cleared", 321]]);
    await say(290);
    expect(await told()).toEqual([["open", 290]]);
    at.clock.advance(1_000);
    const later = now();
    await say(13, later);
    expect(await told()).toEqual([["cleared", 290]]);
    await say(300, later);
    expect(await told()).toEqual([["open", 290]]);
    const kept = (await alarms(id))[0]!;
    expect(kept["clearedAt"]).toBeUndefined();
    await say(310, moment);
    expect(await told()).toEqual([["open", 290]]);
  });

  it("are held against what was read last when they are set", async () => {
    const id = await add();
    const have = (raise: number) =>
      as(at, bob)("PATCH", `/api/resources/${id}`, {
        thresholds: [{ id: "high", key: "stage", when: "above", raise }],
      });
    const states = async () => (await alarms(id)).map(({ state }) => state);
    await send({ resourceId: id, key: "stage", at: now(), value: 240 });
    for (const [raise, state] of [
      [200, "open"],
      [260, "cleared"],
      [210, "open"],
    ] as const) {
      await have(raise);
      await eventually(states, (all) => all.length === 1 && all[0] === state);
    }
  });

  itInside("are raised by silence, by the node that looks, and cleared by the next reading", async () => {
    const id = await add({ thresholds: [{ id: "quiet", key: "t", noDataForSeconds: 30, severity: "warning" }] });
    const { intake } = at.service("resources");
    await send({ resourceId: id, key: "t", value: 1 });
    await intake.lookForSilence();
    expect(await alarms(id)).toEqual([]);
    at.clock.advance(31_000);
    await Promise.all([intake.lookForSilence(), intake.lookForSilence()]);
    expect(await alarms(id)).toMatchObject([{ why: "silence" }]);
    await send({ resourceId: id, key: "t", value: 2 });
    expect((await alarms(id))[0]!["clearedAt"]).toBeDefined();
    await eventually(
      async () => (await as(at, cleo)("GET", `/api/problem-sets/${set}/activity?limit=100`)).text,
      (text) => text.includes("sends no t any more"),
    );
  });

  itInside("are raised by the silence of a series that never came, counted from when that was asked for", async () => {
    const id = await add({ thresholds: [{ id: "quiet", key: "t", noDataForSeconds: 30 }] });
    const { intake } = at.service("resources");
    const standings = await at.mesh.world.documents.collection("resources_standings");
    await eventually(
      () => standings.find({ query: { resourceId: id } }),
      (all) => all.length === 1,
    );
    await intake.lookForSilence();
    expect(await alarms(id)).toEqual([]);
    at.clock.advance(31_000);
    await intake.lookForSilence();
    expect(await alarms(id)).toMatchObject([{ why: "silence", key: "t" }]);
    await send({ resourceId: id, key: "t", value: 2 });
    expect((await alarms(id))[0]!["clearedAt"]).toBeDefined();
  });

  itInside(
    "are seen to as they were set last: silence asked for later is told, what nobody asks for ends",
    async () => {
      const { intake } = at.service("resources");
      const outside = await add({
        problemSetId: undefined,
        thresholds: [{ id: "quiet", key: "t", noDataForSeconds: 30 }],
      });
      const id = await add({ thresholds: [{ id: "hot", key: "t", when: "above", raise: 90 }] });
      const have = (thresholds: object[]) => as(at, bob)("PATCH", `/api/resources/${id}`, { thresholds });
      const due = async (of: string) =>
        (await at.mesh.world.documents.collection("resources_standings")).find({
          query: { resourceId: of, dueAt: { $exists: true } },
        });
      await send({ resourceId: id, key: "t", value: 95 });
      await have([{ id: "hot", key: "t", when: "above", raise: 90, noDataForSeconds: 30 }]);
      for (const one of [id, outside])
        await eventually(
          () => due(one),
          (all) => all.length === 1,
        );
      at.clock.advance(31_000);
      await intake.lookForSilence();
      expect(await alarms(outside)).toMatchObject([{ why: "silence" }]);
      const open = async (of: string) => (await alarms(of)).filter(({ clearedAt }) => clearedAt === undefined);
      expect(await open(id)).toMatchObject([{ why: "silence" }]);
      await have([{ id: "hot", key: "t", when: "above", raise: 90 }]);
      await eventually(
        () => open(id),
        (all) => all.length === 0,
      );
      await eventually(
        () => due(id),
        (all) => all.length === 0,
      );
      await send({ resourceId: id, key: "t", value: 96 });
      expect(await open(id)).toMatchObject([{ why: "value" }]);
      await have([{ id: "hot", key: "pressure", when: "above", raise: 90 }]);
      await eventually(
        () => open(id),
        (all) => all.length === 0,
      );
      // Of another series nothing is late that lies before the readings of the first.
      const earlier = new Date(at.clock.now() - 60_000).toISOString();
      await eventually(
        async () => {
          await send({ resourceId: id, key: "pressure", at: earlier, value: 99 });
          return open(id);
        },
        ([one]) => one?.["key"] === "pressure",
      );
      await have([]);
      await eventually(
        () => open(id),
        (all) => all.length === 0,
      );
      await eventually(
        async () => (await as(at, cleo)("GET", `/api/problem-sets/${set}/activity?limit=100`)).text,
        (text) => text.includes('The alarm on t of \\"Pump\\" was taken away.'),
      );
    },
  );

  it("are on series that the resource has, where it says which: on another nothing would ever be raised", async () => {
    const fields = { problemSetId: set, name: "Gauge", series: [{ key: "level" }, { key: "state", type: "text" }] };
    const above = (key: string) => [{ id: "third", key, when: "above", raise: 400 }];
    const make = (thresholds: object[]) => as(at, bob)("POST", "/api/resources", { ...fields, thresholds });
    expect((await make(above("levl"))).body.error.details).toEqual([
      { path: "thresholds.0.key", message: "It has no series levl, only level, state: declare it too." },
    ]);
    expect((await make(above("state"))).body.error.details).toEqual([
      { path: "thresholds.0.raise", message: "The series state has no numbers: no reading of it is beyond anything." },
    ]);
    const { id } = (await make(above("level"))).body.data;
    const change = (body: object) => as(at, bob)("PATCH", `/api/resources/${id}`, body);
    expect((await change({ series: [{ key: "state", type: "text" }] })).status).toBe(400);
    expect((await change({ name: "Gauge of Dolany" })).status).toBe(200);
  });

  it("come to the same whatever readings come late or twice, and however they are cut into batches", () => {
    const reading = fc.record({
      at: fc.integer({ min: 0, max: 200 }).map((s) => s * 1_000_000),
      value: fc.integer({ min: 70, max: 100 }),
    });
    const fold = (readings: readonly { at: number; value: number }[]) => {
      let course: Course = {};
      const turns: AlarmTurn[] = [];
      for (const one of readings) {
        const moved = step(hot as never, course, one);
        course = moved.course;
        turns.push(...moved.turns);
      }
      return { course, turns };
    };
    const each = fc.uniqueArray(reading, { maxLength: 60, selector: ({ at }) => at });
    fc.assert(
      fc.property(each, fc.array(reading, { maxLength: 10 }), (readings, late) => {
        const sorted = readings.toSorted((a, b) => a.at - b.at);
        const { course, turns } = fold(sorted);
        const behind = late.filter(({ at }) => course.lastAt !== undefined && at < course.lastAt);
        expect(fold([...sorted, ...sorted, ...behind])).toEqual({ course, turns });
        turns.forEach((turn, n) => expect(turn.turn).toBe(n % 2 ? "cleared" : "raised"));
        const still = silence(hot as never, course, (course.lastAt ?? 0) + 31_000_000);
        expect(still.turns.filter(({ turn }) => turn === "raised")).toHaveLength(course.lastAt === undefined ? 0 : 1);
        expect(silence(hot as never, still.course, 1e15).turns).toEqual([]);
      }),
    );
    // However often the newest was put right, it stands as if it had been right at once; what is open is open.
    fc.assert(
      fc.property(each, fc.array(reading, { minLength: 1, maxLength: 5 }), (readings, said) => {
        const sorted = readings.toSorted((a, b) => a.at - b.at);
        const [newest, ...before] = sorted.reverse();
        if (!newest) return;
        before.reverse();
        const right = said.map(({ value }) => ({ at: newest.at, value }));
        const { course, turns } = fold([...before, newest, ...right]);
        expect(course).toEqual(fold([...before, right.at(-1)!]).course);
        const open = new Set<number>();
        for (const { turn, at } of turns) open[turn === "raised" ? "add" : "delete"](at);
        expect([...open]).toEqual(course.raised ? [course.raised.at] : []);
      }),
    );
  });

  it("moments are read to the microsecond and written as they were", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e15 }), (us) => {
        expect(momentOf(isoOf(us))).toBe(us);
      }),
    );
    expect(momentOf("2026-01-01T00:00:00+02:00")).toBe(Date.parse("2025-12-31T22:00:00Z") * 1_000);
    expect([momentOf("2026-01-01"), momentOf(null), momentOf({}), momentOf("2026-13-01T00:00:00Z")]).toEqual([
      NaN,
      NaN,
      NaN,
      NaN,
    ]);
    expect(pointsOf([{ bn: "r:", n: "k", v: 1, t: -5 }], 10_000)).toEqual([
      { resourceId: "r", key: "k", at: 5e6, value: 1, unit: undefined },
    ]);
  });
});
