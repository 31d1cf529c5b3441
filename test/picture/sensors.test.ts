import fc from "fast-check";
import { atOnce } from "../../core/work/turns.ts";
import { coveredBy, type Covering } from "../../services/picture/sensors/coverage.ts";
import { connect } from "../gateway/live-setup.ts";
import { eventually, type TestWorld } from "../mesh.ts";
import { as, type Person } from "../workspace/people.ts";
import { staffedWorld } from "./staffed-set.ts";

let at: TestWorld;
let bob: Person, cleo: Person, eve: Person;
let set: string, red: string;
beforeAll(async () => {
  ({ at, bob, cleo, eve, set, red } = await staffedWorld());
}, 120_000);
afterAll(() => at.stop());

const call = (who: Person, method: string, tail: string, body?: object) =>
  as(at, who)(method, `/api/sensors${tail}`, body);
async function enrol(fields: object = {}): Promise<any> {
  const { status, body, text } = await call(bob, "POST", "", { problemSetId: set, name: "Mast", ...fields });
  if (status !== 201) throw new Error(text);
  return body.data;
}
const square = (west: number, south: number, side: number) => ({
  type: "Polygon" as const,
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ] as [number, number][],
  ],
});

describe("a sensor", () => {
  it("moves with the resource that carries it, whether somebody says where that is or its readings do", async () => {
    const made = async (fields: object): Promise<string> => {
      const reply = await as(at, bob)("POST", "/api/resources", { problemSetId: set, name: "Patrol boat", ...fields });
      return reply.body.data.id;
    };
    const boat = await made({ location: { latitude: 50, longitude: 10 } });
    const { id, location } = await enrol({
      name: "Radar of the boat",
      resourceId: boat,
      coverage: { shape: "radius", range: 1_000 },
    });
    expect(location).toEqual({ latitude: 50, longitude: 10 });
    const where = async (): Promise<any> => (await call(cleo, "GET", `/${id}`)).body.data;
    const isAt = (latitude: number) => eventually(where, (one) => one.location.latitude === latitude);
    at.clock.advance(10_000);
    await as(at, bob)("PATCH", `/api/resources/${boat}`, { location: { latitude: 51, longitude: 10 } });
    await isAt(51);
    at.clock.advance(10_000);
    const moment = at.clock.now();
    const series = { latitude: [[moment, 52]], longitude: [[moment, 10]] };
    await as(at, bob)("POST", "/api/resources/telemetry", { resourceId: boat, series });
    await isAt(52);
    const { rev } = await where();
    expect(rev).toBe(1);
    expect((await call(cleo, "GET", `/${id}/track`)).body.data.map((one: any) => one.location.latitude)).toEqual([
      52, 51, 50,
    ]);
    // Its own word of a later moment stays; on another boat it is where that is.
    at.clock.advance(10_000);
    await call(bob, "PATCH", `/${id}/location`, { latitude: 53, longitude: 10 });
    const other = await made({ location: { latitude: 40, longitude: 10 } });
    at.clock.advance(10_000);
    await call(bob, "PATCH", `/${id}/location`, { latitude: 54, longitude: 10 });
    expect((await call(bob, "PATCH", `/${id}`, { resourceId: other })).body.data.location.latitude).toBe(40);
  });

  it("is told of to those who look on when it is enrolled, changed and removed", async () => {
    const watch = await connect(at.url, { auth: { token: cleo.token } });
    await watch.subscribe({ problemSetId: set });
    const { id } = await enrol({ name: "Gauge of Dolany" });
    const hidden = await enrol({ name: "Hidden gauge", compartments: [red] });
    const told = (of: string) => watch.of("sensor.changed").filter(({ data }) => data.sensorId === of).length;
    const isTold = (times: number) =>
      eventually(
        () => Promise.resolve(told(id)),
        (count) => count === times,
      );
    await isTold(1);
    await call(bob, "PATCH", `/${id}`, { description: "It drifts: read the staff." });
    await isTold(2);
    await call(bob, "DELETE", `/${id}`);
    await isTold(3);
    expect(told(hidden.id)).toBe(0);
  });

  it("falls silent after three heartbeats that did not come, is told of once, and is back by any report", async () => {
    const watch = await connect(at.url, { auth: { token: cleo.token } });
    await watch.subscribe({ problemSetId: set });
    const { id } = await enrol({ name: "Quiet one", heartbeatSeconds: 10 });
    at.clock.advance(29_000);
    expect((await call(cleo, "GET", `/${id}`)).body.data.status).toBe("active");
    at.clock.advance(2_000);
    expect((await call(cleo, "GET", `/${id}`)).body.data.status).toBe("silent");
    const told = () =>
      watch
        .of("sensor.changed")
        .filter(({ data }) => data.sensorId === id)
        .map(({ data }) => data.status);
    await eventually(told, (all) => all.join() === "active,silent");
    expect(
      (await call(cleo, "GET", `?problemSetId=${set}&status=silent`)).body.data.map((one: any) => one.id),
    ).toContain(id);
    expect((await call(bob, "PATCH", `/${id}/status`, {})).body.data.status).toBe("active");
    await eventually(told, (all) => all.join() === "active,silent,active");
    expect((await call(bob, "PATCH", `/${id}/status`, { status: "off" })).body.data.status).toBe("off");
    at.clock.advance(60_000);
    expect((await call(cleo, "GET", `/${id}`)).body.data.status).toBe("off");
    expect((await call(bob, "PATCH", `/${id}/status`, { status: "silent" })).status).toBe(400);
    // At another pace it is silent at once, or not any more: in lists as well.
    const slow = await enrol({ name: "Slow one", heartbeatSeconds: 600 });
    const listed = async (status: string) =>
      (await call(cleo, "GET", `?problemSetId=${set}&status=${status}&limit=100`)).body.data.map((one: any) => one.id);
    at.clock.advance(60_000);
    expect((await call(bob, "PATCH", `/${slow.id}`, { heartbeatSeconds: 10 })).body.data.status).toBe("silent");
    expect(await listed("silent")).toContain(slow.id);
    expect((await call(bob, "PATCH", `/${slow.id}`, { heartbeatSeconds: 600 })).body.data.status).toBe("active");
    expect(await listed("active")).toContain(slow.id);
    expect((await call(cleo, "PATCH", `/${id}/status`, {})).status).toBe(403);
    expect((await call(eve, "PATCH", `/${id}/status`, {})).status).toBe(404);
    const when = (seconds: number) => new Date(at.clock.now() + seconds * 1_000).toISOString();
    await call(bob, "PATCH", `/${id}/status`, { status: "degraded", at: when(0) });
    // What a radio without a line sends afterwards was so before.
    const late = await call(bob, "PATCH", `/${id}/status`, { status: "active", at: when(-60) });
    expect(late.body.data.status).toBe("degraded");
    expect((await call(bob, "PATCH", `/${id}/status`, { status: "active" })).body.data.status).toBe("active");
    watch.socket.close();
    const { body } = await as(at, cleo)("GET", `/api/problem-sets/${set}/activity?limit=100`);
    const words = JSON.stringify(body.data);
    expect(words).toContain('The sensor \\"Quiet one\\" is silent.');
  });

  it("leaves a track, to which a place of before goes alone, and is found by where it is", async () => {
    const { id } = await enrol({ location: { latitude: 10, longitude: 20 } });
    const when = (seconds: number) => new Date(at.clock.now() + seconds * 1_000).toISOString();
    const move = (latitude: number, moment?: string) =>
      call(bob, "PATCH", `/${id}/location`, { latitude, longitude: 20, ...(moment && { at: moment }) });
    at.clock.advance(100_000);
    expect((await move(11, when(-1))).body.data.location.latitude).toBe(11);
    expect((await move(12, when(-60))).body.data.location.latitude).toBe(11);
    expect((await move(12, when(900))).body.error.details[0].path).toBe("at");
    expect((await move(91)).body.error.details[0].path).toBe("latitude");
    const { data, meta } = (await call(cleo, "GET", `/${id}/track?limit=2`)).body;
    expect(data.map(({ location }: any) => location.latitude)).toEqual([11, 12]);
    const rest = (await call(cleo, "GET", `/${id}/track?limit=2&cursor=${encodeURIComponent(meta.next)}`)).body;
    expect(rest.data.map(({ location }: any) => location.latitude)).toEqual([10]);
    at.clock.advance(1_000);
    await call(bob, "PATCH", `/${id}`, { location: { latitude: 13, longitude: 20 } });
    const edited = (await call(cleo, "GET", `/${id}/track?limit=1`)).body.data;
    expect(edited[0].location.latitude).toBe(13);
    await move(11);
    expect(
      (await call(cleo, "GET", `?problemSetId=${set}&near=20,11,1000`)).body.data.map((one: any) => one.id),
    ).toEqual([id]);
  });

  it("keeps its resource from being removed, until it goes itself", async () => {
    const resource = (await as(at, bob)("POST", "/api/resources", { problemSetId: set, name: "Mast truck" })).body.data;
    const { id } = await enrol({ name: "Radar", resourceId: resource.id });
    expect((await call(bob, "PATCH", `/${id}`, { name: "Roof radar" })).status).toBe(200);
    const refused = await as(at, bob)("DELETE", `/api/resources/${resource.id}`);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { details: { usedBy: [{ type: "sensor", id, name: "Roof radar" }] } } },
    });
    expect((await call(bob, "POST", "", { problemSetId: set, name: "x", resourceId: "none" })).body.error.code).toBe(
      "OTHER_PLACE",
    );
    expect((await call(bob, "DELETE", `/${id}`)).status).toBe(204);
    expect((await as(at, bob)("DELETE", `/api/resources/${resource.id}`)).status).toBe(204);
  });
});

describe("coverage of a mission", () => {
  const mission = async (area?: object): Promise<string> =>
    (await as(at, bob)("POST", "/api/missions", { problemSetId: set, name: "Watch", ...(area && { area }) })).body.data
      .id;
  const coverage = async (who: Person, id: string): Promise<any> =>
    (await call(who, "GET", `/coverage/${id}`)).body.data;

  it("is the union of what active sensors that one sees cover, with gaps and overlap, and a hole where one falls silent", async () => {
    const id = await mission(square(30, 10, 1));
    const half = (west: number) => ({
      shape: "polygon",
      area: {
        type: "Polygon",
        coordinates: [
          [
            [west, 10],
            [west + 0.5, 10],
            [west + 0.5, 11],
            [west, 11],
            [west, 10],
          ],
        ],
      },
    });
    const left = await enrol({ name: "left", coverage: half(30), heartbeatSeconds: 600 });
    await enrol({ name: "right", coverage: half(30.25), heartbeatSeconds: 60_000 });
    await enrol({ name: "secret", coverage: half(30.5), heartbeatSeconds: 60_000, compartments: [red] });
    await enrol({ name: "nowhere", coverage: { shape: "radius", range: 500 }, heartbeatSeconds: 60_000 });
    const seen = await coverage(cleo, id);
    // What was worked out is told with six decimals.
    const { union: _union, gaps: _gaps, overlap: _overlap, ...figures } = seen;
    expect(JSON.stringify(figures)).not.toMatch(/\d\.\d{7}/);
    expect(seen.percent).toBeCloseTo(75, 1);
    expect(seen.overlapKm2 / seen.areaKm2).toBeCloseTo(0.25, 3);
    expect(seen.gapsKm2 + seen.coveredKm2).toBeCloseTo(seen.areaKm2, 3);
    expect(seen.sensors.map(({ name }: any) => name).sort()).toEqual(["left", "right"]);
    expect(seen.leftOut.map(({ reason }: any) => reason)).toContain("no-location");
    expect((await coverage(bob, id)).percent).toBeCloseTo(100, 1);
    at.clock.advance(1_801_000);
    const hole = await coverage(cleo, id);
    expect([Math.round(hole.percent), hole.gaps.coordinates.length]).toEqual([50, 2]);
    expect(hole.leftOut).toContainEqual({ id: left.id, name: left.name, reason: "silent" });
    const staleAt = new Date(at.clock.now() + 60_000).toISOString();
    const filed = await call(bob, "POST", `/${left.id}/coverage`, {
      coverage: { shape: "polygon", area: square(30, 10, 1) },
      staleAt,
    });
    expect(filed.status).toBe(201);
    const measured = await coverage(cleo, id);
    expect([Math.round(measured.percent), measured.gapsKm2]).toEqual([100, 0]);
    expect(measured.sensors).toContainEqual(expect.objectContaining({ name: "left", source: "measured" }));
    at.clock.advance(61_000);
    expect((await coverage(cleo, id)).sensors).toContainEqual(
      expect.objectContaining({ name: "left", source: "planned" }),
    );
    expect((await call(eve, "GET", `/coverage/${id}`)).status).toBe(404);
    expect(await coverage(cleo, await mission())).toMatchObject({ areaKm2: null, percent: null, gaps: null });
  });

  it("refuses areas that there cannot be, with a path", async () => {
    const bow = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ],
    };
    const open = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
        ],
      ],
    };
    const refused = async (path: string, body: object) => {
      const { status, body: answer } = await as(at, bob)("POST", path, { problemSetId: set, name: "x", ...body });
      return [status, answer.error.details[0].path.split(/[.[]/)[0]];
    };
    expect(await refused("/api/missions", { area: bow })).toEqual([422, "area"]);
    expect(await refused("/api/missions", { area: open })).toEqual([400, "area"]);
    expect(await refused("/api/sensors", { coverage: { shape: "polygon", area: bow } })).toEqual([422, "coverage"]);
    expect(
      await refused("/api/sensors", { coverage: { shape: "sector", azimuth: 0, width: 9, range: 5, minRange: 5 } }),
    ).toEqual([400, "coverage"]);
  });

  it("of circles and sectors is what geometry says, over the 180th meridian and over north too", () => {
    const km2 = (coverage: object, latitude: number, longitude: number): number =>
      atOnce(coveredBy([{ id: "one", coverage, location: { latitude, longitude } } as Covering])).coveredKm2;
    fc.assert(
      fc.property(
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: 500, max: 50_000, noNaN: true }),
        fc.integer({ min: 1, max: 359 }),
        fc.integer({ min: 0, max: 359 }),
        (latitude, longitude, range, width, azimuth) => {
          const disc = (Math.PI * range ** 2) / 1e6;
          expect(km2({ shape: "radius", range }, latitude, longitude) / disc).toBeCloseTo(1, 3);
          const wedge = km2({ shape: "sector", azimuth, width, range, minRange: range / 2 }, latitude, longitude);
          const expected = disc * 0.75 * (width / 360);
          // What is left of corners on a grid of decimetres, along its edges.
          const grid = (0.0001 * 3 * range) / 1_000;
          expect(Math.abs(wedge - expected)).toBeLessThan(0.005 * expected + grid);
        },
      ),
      { numRuns: 60 },
    );
  });
});
