import { eventually, TestClock, world, type TestWorld } from "../mesh.ts";
import { desk, made } from "../workspace/desk.ts";

/** What fits its schema to the letter, and leads beyond it as soon as something is made of it. */
const EARLIEST = "0000-01-01T00:00:00+23:59";
const LATEST = "9999-12-31T23:59:59-23:59";
/** What no `String` makes a text of. */
const NO_TEXT = { toString: 1, valueOf: 1 };

let at: TestWorld, problemSetId: string, token: string, deputy: string;
const clock = new TestClock();
beforeAll(async () => {
  at = await world({}, { clock });
  const place = await desk(at);
  [problemSetId, token, deputy] = [place.id, place.commander.token, place.deputy.token];
});
afterAll(() => at.stop());

const ask = (method: string, path: string, body?: unknown, as = token) => at.http(method, path, { as, body });

describe("what is made of values at their bounds", () => {
  it("is a moment of the years with four digits, wherever an offset leads", async () => {
    const key = await made(at, "POST", "/api/keys", { name: "Long", expiresAt: LATEST });
    expect(key.expiresAt).toBe("9999-12-31T23:59:59.999Z");
    const sensor = await made(at, "POST", "/api/sensors", { problemSetId, name: "Mast" });
    const path = `/api/sensors/${sensor.id}`;
    const measured = { coverage: { shape: "radius", range: 900 }, at: EARLIEST, staleAt: LATEST };
    expect((await ask("POST", `${path}/coverage`, measured)).status).toBe(201);
    expect((await ask("PATCH", `${path}/location`, { latitude: 90, longitude: -180, at: EARLIEST })).status).toBe(200);
    expect((await ask("PATCH", `${path}/status`, { status: "degraded", at: EARLIEST })).status).toBe(200);
    expect((await ask("GET", `${path}/track`)).body.data[0].at).toBe("0000-01-01T00:00:00.000Z");
    const report = { type: "a-f-G", location: { latitude: -90, longitude: 180 } };
    const events = [
      { ...report, uid: "early", time: EARLIEST, stale: "2036-01-01T00:00:00Z" },
      { ...report, uid: "late", time: "2026-01-01T00:00:00Z", start: EARLIEST, stale: LATEST },
    ];
    const taken = await ask("POST", `/api/cop/reports?problemSetId=${problemSetId}`, { events });
    expect(taken.body.data).toMatchObject({ taken: 2, failed: [] });
    const before = `/api/cop/picture?problemSetId=${problemSetId}&at=${encodeURIComponent(EARLIEST)}`;
    expect((await ask("GET", before)).body.data).toMatchObject({ at: "0000-01-01T00:00:00.000Z", layers: [] });
  });

  it("is no more of a consumable than there can be, and no time that is none", async () => {
    const path = "/api/resources/consumables";
    const { id } = await made(at, "POST", path, { problemSetId, name: "Diesel", unit: "l", level: 1e15 });
    const over = await ask("PATCH", `${path}/${id}/level`, { delta: 1e15 });
    expect([over.status, over.body.error.code, over.body.error.details[0].path]).toEqual([
      422,
      "ABOVE_CAPACITY",
      "delta",
    ]);
    const trace = await made(at, "POST", path, { problemSetId, name: "Trace", unit: "g", level: 1e-300 });
    clock.advance(2 * 3_600_000);
    await ask("PATCH", `${path}/${trace.id}/level`, { level: 5e-301 });
    const filled = await ask("PATCH", `${path}/${trace.id}/level`, { level: 1e15 });
    expect([filled.status, filled.body.data.daysLeft]).toEqual([200, null]);
  });

  it("is a sum of readings that is a number: larger ones are refused", async () => {
    const { id: resourceId } = await made(at, "POST", "/api/resources", { problemSetId, name: "Truck" });
    const from = clock.now() - 60_000;
    const values = [1e300, 1e300, -1e300, 1.7e308, -1.7e308];
    const readings = values.map((value, nth) => ({ resourceId, key: "t", at: from + 9_000 * nth, value }));
    const taken = (await ask("POST", "/api/resources/telemetry", readings)).body.data;
    expect(taken.failed.map(({ index, code }: any) => [index, code])).toEqual([
      [3, "BAD_VALUE"],
      [4, "BAD_VALUE"],
    ]);
    for (const weighted of [false, true]) {
      const path = `/api/resources/${resourceId}/telemetry/t/aggregates?intervalSeconds=31536000&weighted=${weighted}`;
      expect((await ask("GET", path)).body.data).toMatchObject([{ count: 3, sum: 1e300 }]);
    }
  });

  it("is a picture of features whose properties are anything", async () => {
    const shown = async (name: string, lon: number, properties: object) => {
      const feature = { type: "Feature", id: name, geometry: { type: "Point", coordinates: [lon, 90] }, properties };
      const spec = { type: "FeatureCollection", features: [feature] };
      const { id } = await made(at, "POST", "/api/cop/layers", { problemSetId, name, type: "custom", spec });
      for (const [to, by] of [["review"], ["published", deputy], ["cop"]])
        expect((await ask("POST", `/api/cop/layers/${id}/transition`, { to, version: 1 }, by)).status).toBe(200);
      return id;
    };
    const one = await shown("one", 180, { uid: "x", name: NO_TEXT, status: NO_TEXT, staleAt: LATEST, ce: 1e308 });
    await shown("two", -180, { uid: "x", status: { toString: null }, at: EARLIEST, ce: 1e308 });
    for (const form of ["cot", "kml", "geojson"])
      expect([form, (await ask("GET", `/api/cop/layers/${one}/${form}`)).status]).toEqual([form, 200]);
    await ask("POST", "/api/cop/agents/trigger", { problemSetId });
    const { body } = await eventually(
      () => ask("GET", `/api/cop/conflicts?problemSetId=${problemSetId}`),
      (reply) => reply.body.data.length > 0,
    );
    expect(body.data).toMatchObject([{ kind: "two-values", evidence: { values: expect.arrayContaining([NO_TEXT]) } }]);
  });
});
