import { setPermitsOf, type SetRole } from "../../config/set-roles.ts";
import type { Actor } from "../../core/access/access.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { LIVE_SENT, type LiveMessage } from "../../core/contract/live.ts";
import type { Ring } from "../../core/geo/positions.ts";
import { make } from "../../services/picture/cop/generation/making.ts";
import { readEvents } from "../../services/picture/cop/reports/cot.ts";
import { identity } from "../knowledge/graph/stix.ts";
import { actor, eventually as asked, world, type TestWorld } from "../mesh.ts";
import { as, openSet, persons } from "../workspace/people.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

/** Until what happens in the background is as it is expected. */
const eventually = async (expectation: () => Promise<void>): Promise<void> => {
  await asked(
    () =>
      expectation().then(
        () => null,
        (error: Error) => error.message,
      ),
    (failure) => failure === null,
  );
};

const member = (userId: string, role: SetRole, compartments: string[] = [], sets: string[] = ["alpha"]): Actor =>
  actor("reader", {
    userId,
    memberships: Object.fromEntries(sets.map((set) => [set, { role, permits: setPermitsOf(role), compartments }])),
  });
const ben = member("ben", "planner"),
  pia = member("pia", "planner"),
  cleo = member("cleo", "deputy"),
  ann = member("ann", "commander", ["c1"]),
  olga = member("olga", "observer");

const point = (lon: number, lat: number, properties: object = {}, id?: string) => ({
  type: "Feature",
  ...(id && { id }),
  geometry: { type: "Point", coordinates: [lon, lat] },
  properties,
});
const area = (west: number, south: number, side: number, properties: object = {}, id?: string) => {
  const ring: Ring = [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ];
  return { type: "Feature", ...(id && { id }), geometry: { type: "Polygon", coordinates: [ring] }, properties };
};
const collection = (...features: object[]) => ({ type: "FeatureCollection", features });

const add = (fields: object = {}, who = ben): Promise<any> =>
  at.call("cop.layers.create", { problemSetId: "alpha", name: "Own positions", type: "units", ...fields }, who);
const move = (id: string, to: string, who: Actor, more: object = {}): Promise<any> =>
  at.call("cop.layers.move", { id, to, ...more }, who);
const matched = (id: string, body: object, who: Actor, ifMatch: string): Promise<any> =>
  at.mesh.broker.call("cop.layers.setSpec", { id, body }, { meta: { actor: who, ifMatch } });
const draw = async (id: string, spec: object, who = ben): Promise<any> => {
  const { rev } = await at.call("cop.layers.get", { id }, who);
  return matched(id, spec, who, `"r${rev}"`);
};
/** A layer that is on the COP. */
async function onCop(fields: object): Promise<any> {
  const { id, version } = await add(fields);
  await move(id, "review", ben);
  await move(id, "published", pia, { version });
  return move(id, "cop", cleo);
}
const made = (problemSetId = "alpha", who = ben): Promise<void> =>
  at.call("cop.agents.trigger", { problemSetId }, who).then(({ jobId }) =>
    eventually(async () => {
      const job = await at.call("jobs.get", { id: jobId }, actor("system_admin"));
      expect(job.status).toBe("completed");
    }),
  );

describe("a layer", () => {
  it("goes from draft to the COP by review, and is recalled with a reason", async () => {
    const { id } = await add();
    await expect(move(id, "review", ben)).rejects.toMatchObject({ code: 409 });
    const { version } = await draw(id, collection(point(13.4, 52.5)));
    expect(version).toBe(1);
    await expect(move(id, "cop", cleo)).rejects.toMatchObject({ code: 409, type: "INVALID_TRANSITION" });
    await move(id, "review", ben);
    await expect(move(id, "review", ben)).rejects.toMatchObject({ code: 409 });
    await expect(move(id, "published", pia)).rejects.toMatchObject({ code: 400 });
    await expect(move(id, "published", ben, { version })).rejects.toMatchObject({ code: 403 });
    await expect(move(id, "published", olga, { version })).rejects.toMatchObject({ code: 403 });
    await draw(id, collection(point(13.4, 52.6)), pia);
    await expect(move(id, "published", ben, { version: 1 })).rejects.toMatchObject({ code: 409 });
    await move(id, "published", ben, { version: 2 });
    await expect(draw(id, collection(), pia)).rejects.toMatchObject({
      code: 409,
      message: expect.stringMatching(/draft and review/),
    });
    await expect(move(id, "cop", ben)).rejects.toMatchObject({ code: 403 });
    await move(id, "cop", cleo);
    await expect(move(id, "review", cleo)).rejects.toMatchObject({
      code: 409,
      type: "INVALID_TRANSITION",
      message: expect.stringMatching(/recall/),
    });
    await expect(at.call("cop.layers.recall", { id }, cleo)).rejects.toMatchObject({ code: 400 });
    const recalled = await at.call("cop.layers.recall", { id, reason: "Wrong bridge." }, cleo);
    expect(recalled).toMatchObject({ state: "review" });
    expect(recalled.moves.at(-1)).toMatchObject({ from: "cop", by: "cleo", reason: "Wrong bridge." });
    await expect(at.call("cop.layers.recall", { id, reason: "Again." }, cleo)).rejects.toMatchObject({ code: 409 });
  });

  it("that is live is made from review on, and says so; what is wrong with its spec is named from the body", async () => {
    const { id } = await add({ kind: "live" });
    const shown = (): Promise<any> => at.call("cop.layers.get", { id }, ben);
    expect((await shown()).missing).toMatch(/no spec yet/);
    await draw(id, { source: "resources" });
    expect((await shown()).missing).toMatch(/this is a draft/);
    await move(id, "review", ben);
    expect((await shown()).missing).toBeUndefined();
    const refused = (fields: object, details: object[]) =>
      expect(add(fields)).rejects.toMatchObject({ data: { details } });
    await refused({ kind: "live", spec: { source: "pumps" } }, [{ path: "spec.source" }]);
    await refused({ spec: collection({ ...point(1, 2), type: "Thing" }) }, [{ path: "spec.features[0].type" }]);
    await refused({ kind: "live", spec: { source: "units", filter: { capability: "x" } } }, [
      { path: "spec.filter.capability", message: expect.stringContaining("there are `kind`, `status`, `name`") },
    ]);
  });

  it("that is drawn is told anew with each version, watched or not, to those read into it", async () => {
    const told: LiveMessage[] = [];
    at.mesh.broker.createService({
      name: "drawing-listener",
      events: {
        [LIVE_SENT]: {
          context: true,
          handler({ params }: { params: LiveMessage }) {
            if (params.event === "cop.layer.changed") told.push(params);
          },
        },
      },
    } as never);
    const { id } = await add(
      { compartments: ["c1"], spec: collection(point(1, 2, {}, "a"), point(1, 3, {}, "b")) },
      ann,
    );
    const of = () => told.filter(({ envelope }) => (envelope.data as { layerId: string }).layerId === id);
    await draw(id, collection(point(1, 2, {}, "a"), point(2, 3, {}, "b"), point(4, 4, {}, "c")), ann);
    await draw(id, collection(point(1, 2, {}, "a")), ann);
    await eventually(async () =>
      expect(of().map(({ envelope }) => envelope.data)).toEqual([
        { layerId: id, version: 1, added: ["a", "b"], updated: [], removed: [], more: false },
        { layerId: id, version: 2, added: ["c"], updated: ["b"], removed: [], more: false },
        { layerId: id, version: 3, added: [], updated: [], removed: ["b", "c"], more: false },
      ]),
    );
    expect(new Set(of().map(({ to }) => JSON.stringify(to)))).toEqual(
      new Set([JSON.stringify({ problemSetId: "alpha", compartments: ["c1"] })]),
    );
    await at.mesh.broker.destroyService("drawing-listener");
  });

  it("is not published over blocking feedback, and goes back to draft only with a word on why", async () => {
    const { id } = await add({ spec: collection(point(1, 2)) });
    await move(id, "review", ben);
    await expect(move(id, "draft", pia)).rejects.toMatchObject({ code: 409 });
    const about = (featureId: string) => at.call("cop.remarks.give", { id, text: "Where?", featureId }, pia);
    await expect(about("bridge")).rejects.toMatchObject({ code: 400, data: { details: [{ path: "featureId" }] } });
    expect((await about("feature-1")).featureId).toBe("feature-1");
    const { id: feedbackId } = await at.call("cop.remarks.give", { id, text: "Which bridge?", blocking: true }, pia);
    await expect(move(id, "published", pia, { version: 1 })).rejects.toMatchObject({
      code: 409,
      message: expect.stringMatching(/Blocking/),
    });
    await move(id, "draft", pia);
    await move(id, "review", ben);
    await at.call("cop.remarks.resolve", { id, feedbackId }, pia);
    await expect(move(id, "published", pia, { version: 1 })).resolves.toMatchObject({ state: "published" });
  });

  it("keeps every version whole; the same spec again makes none", async () => {
    const { id } = await add({ spec: collection(point(1, 2, {}, "a")) });
    expect(await draw(id, { features: [point(1, 2, {}, "a")], type: "FeatureCollection" })).toMatchObject({
      version: 1,
    });
    expect(await draw(id, collection(point(1, 3, {}, "a")))).toMatchObject({ version: 2 });
    expect(await draw(id, collection(point(1, 2, {}, "a")))).toMatchObject({ version: 3 });
    const { data } = await at.call("cop.versions.list", { id }, olga);
    expect(data.map(({ version }: any) => version)).toEqual([3, 2, 1]);
    expect(data[0].hash).toBe(data[2].hash);
    const first = await at.call("cop.versions.getSpec", { id, version: 2 }, olga);
    expect(first.features[0].geometry.coordinates).toEqual([1, 3]);
    await expect(at.call("cop.versions.get", { id, version: 4 }, olga)).rejects.toMatchObject({ code: 404 });
    await expect(at.call("cop.layers.setSpec", { id, body: collection() }, ben)).rejects.toMatchObject({ code: 428 });
    await expect(matched(id, collection(), ben, '"r1"')).rejects.toMatchObject({ code: 412 });
  });

  it("tells what changed between versions, and is again what it was, as a new version", async () => {
    const [depot, bridge] = [point(13, 52, { name: "Depot" }, "depot"), point(14, 52, { name: "Bridge" }, "bridge")];
    const { id } = await add({ spec: collection(depot, bridge) });
    await draw(
      id,
      collection(bridge, { ...depot, properties: { name: "Depot", status: "burnt" } }, point(15, 52, {}, "ford")),
    );
    const diff = async (query: object = {}) =>
      (await at.call("cop.differences.get", { id, version: 1, ...query }, olga)).patch;
    expect(await diff()).toEqual([
      { op: "move", from: "/features/1", path: "/features/0" },
      { op: "add", path: "/features/1/properties/status", value: "burnt" },
      { op: "add", path: "/features/2", value: point(15, 52, {}, "ford") },
    ]);
    expect(await diff({ to: 1 })).toEqual([]);
    await expect(diff({ to: 9 })).rejects.toMatchObject({ code: 404 });
    const restored = await at.call("cop.versions.restore", { id, version: 1 }, ben);
    expect(restored).toMatchObject({ version: 3, features: 2 });
    expect(await diff()).toEqual([]);
    expect((await at.call("cop.versions.restore", { id, version: 1 }, ben)).version).toBe(3);
    await move(id, "review", ben);
    await move(id, "published", pia, { version: 3 });
    await expect(at.call("cop.versions.restore", { id, version: 2 }, ben)).rejects.toMatchObject({ code: 409 });
  });

  it("refuses by path what is no geometry, and no symbol", async () => {
    const spec = (feature: object) => add({ spec: collection(point(0, 0), feature) });
    await expect(spec(point(0, 91))).rejects.toMatchObject({
      code: 400,
      data: { details: [{ path: "spec.features[1].geometry.coordinates" }] },
    });
    const bow = { type: "Polygon", coordinates: [[[0, 0], [4, 4], [4, 0], [1, 5], [0, 0]]] }; // prettier-ignore
    await expect(spec({ type: "Feature", properties: null, geometry: bow })).rejects.toMatchObject({
      code: 422,
      type: "INVALID_GEOMETRY",
    });
    await expect(spec(point(0, 0, { symbol: "10031000161211009999" }))).rejects.toMatchObject({
      code: 422,
      type: "INVALID_SYMBOL",
      data: { details: [{ path: "spec.features[1].properties.symbol" }] },
    });
    await expect(spec(point(0, 0, { symbol: "10031000161211000000" }))).resolves.toMatchObject({ version: 1 });
    const { warnings } = await add({
      spec: collection({
        type: "Feature",
        properties: {},
        geometry: { type: "Polygon", coordinates: [[[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]]] }, // prettier-ignore
      }),
    });
    expect(warnings[0].message).toMatch(/anticlockwise/);
    const never = { at: "2026-07-01T12:00:00+02:00", staleAt: "2026-07-01T10:00:00Z" };
    expect((await add({ spec: collection(point(1, 1, never)) })).warnings).toEqual([
      { path: "features[0].properties.staleAt", message: expect.stringMatching(/never shown/) },
    ]);
  });

  it("shows how fresh its features are when it is read", async () => {
    const now = at.clock.now();
    const when = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
    const { id } = await add({
      spec: collection(
        point(1, 1, { at: when(-10), staleAt: when(5) }, "fresh"),
        point(1, 1, { at: when(-10), staleAt: when(-1) }, "stale"),
        point(1, 1, { at: when(-10), staleAt: when(-6) }, "gone"),
        point(1, 1, { at: when(-10), staleAt: when(-6), keep: true }, "kept"),
        point(1, 1, { at: when(-10), staleAt: when(-11) }, "dropped"),
      ),
    });
    const { counts, featureCollection } = await at.call("cop.layers.get", { id }, olga);
    expect(counts).toEqual({ fresh: 1, stale: 2, gone: 2 });
    expect(featureCollection.features.map((one: any) => [one.id, one.staleness.state])).toEqual([
      ["fresh", "fresh"],
      ["stale", "stale"],
      ["kept", "stale"],
    ]);
    const near = await at.call("cop.layers.get", { id, near: "5,5,1000" }, olga);
    expect(near.featureCollection.features).toEqual([]);
    const named = await at.call("cop.layers.get", { id, features: ["kept", "gone", "elsewhere"] }, olga);
    expect(named.featureCollection.features.map((one: any) => one.id)).toEqual(["kept"]);
    expect(named.counts).toEqual({ fresh: 0, stale: 1, gone: 1 });
  });
});

describe("a layer that is sent back as it was read", () => {
  it("is the same version, and has nothing in it of what was worked out for its reader", async () => {
    const { id, version } = await add({ spec: collection(point(1, 2, { name: "Buoy" }, "buoy")) });
    const read = await at.call("cop.layers.get", { id }, ben);
    expect(read.featureCollection.features[0].staleness).toEqual({ state: "fresh" });
    expect((await draw(id, read.featureCollection)).version).toBe(version);
    read.featureCollection.features[0].properties.name = "Buoy 1";
    await draw(id, read.featureCollection);
    expect((await at.call("cop.differences.get", { id, version }, ben)).patch).toEqual([
      { op: "replace", path: "/features/0/properties/name", value: "Buoy 1" },
    ]);
  });
});

describe("a layer on its way out", () => {
  it("is GeoJSON, KML and Cursor on Target, of what is not gone, and whatever its names hold", async () => {
    const name = 'A & B <"x">';
    const gone = { at: "2020-01-01T00:00:00Z", staleAt: "2020-01-02T00:00:00Z" };
    const { id } = await add({
      spec: collection(
        point(13.4, 52.5, { name, symbol: "SFGPUCI----D---", ce: 12 }, "one"),
        area(1, 2, 1, { name: "Area" }, "two"),
        point(0, 0, gone, "gone"),
      ),
    });
    const out = (form: string): Promise<any> => at.call(`cop.layers.export${form}`, { id }, olga);
    expect((await out("GeoJson")).features.map((one: any) => one.id)).toEqual(["one", "two"]);
    const kml = await out("Kml");
    expect(kml).toContain("<name>A &amp; B &lt;&quot;x&quot;&gt;</name>");
    expect(kml).toContain("<Point><coordinates>13.4,52.5</coordinates></Point>");
    expect(kml).toContain("<outerBoundaryIs><LinearRing><coordinates>1,2 2,2");
    const cot = await out("Cot");
    expect(cot).toContain('type="a-f-G-U-C-I"');
    expect(cot).toContain('<point lat="52.5" lon="13.4" hae="9999999" ce="12" le="9999999"/>');
    expect(cot).toContain('callsign="A &amp; B &lt;&quot;x&quot;&gt;"');
    expect(cot.match(/<event /g)).toHaveLength(2);
  });

  it("is where it lies as Cursor on Target too, over 180°, and does not come out stale that holds", async () => {
    const slick = [
      [179, -17],
      [-179.5, -17],
      [-179.5, -16],
      [179, -16],
      [179, -17],
    ];
    const boom = {
      type: "LineString",
      coordinates: [
        [179.5, -18],
        [-179, -17],
      ],
    };
    const seen = new Date(at.clock.now() - 3_600_000).toISOString();
    const { id } = await add({
      spec: collection(
        { type: "Feature", id: "slick", geometry: { type: "Polygon", coordinates: [slick] }, properties: {} },
        { type: "Feature", id: "boom", geometry: boom, properties: {} },
        area(-1, 2, 2, {}, "home"),
        point(13.4, 52.5, { at: seen }, "seen"),
      ),
    });
    const cot: string = await at.call("cop.layers.exportCot", { id }, olga);
    const read = readEvents(cot).events as { uid: string; stale: string; location: object }[];
    expect(read.map(({ uid, location }) => [uid.split(".")[1], location])).toEqual([
      ["slick", { latitude: -16.5, longitude: 179.75 }],
      ["boom", { latitude: -17.5, longitude: -179.75 }],
      ["home", { latitude: 3, longitude: 0 }],
      ["seen", { latitude: 52.5, longitude: 13.4 }],
    ]);
    for (const { stale } of read) expect(Date.parse(stale)).toBeGreaterThan(at.clock.now());
  });
});

describe("a live layer", () => {
  it("follows its source on the COP without a new review, each feature behind its source's barrier", async () => {
    const unit = (name: string, longitude: number, fields: object = {}): Promise<any> =>
      at.call(
        "command.units.create",
        { problemSetId: "alpha", name, location: { latitude: 52, longitude }, ...fields },
        ann,
      );
    const open = await unit("2-7 IN", 13);
    await unit("Hidden", 14, { compartments: ["c1"] });
    const { id, version } = await onCop({ kind: "live", spec: { source: "units" } });
    await made();
    const names = async (who: Actor): Promise<string[]> =>
      (await at.call("cop.layers.get", { id }, who)).featureCollection.features
        .map(({ properties }: any) => properties.name)
        .sort();
    expect(await names(olga)).toEqual(["2-7 IN"]);
    expect(await names(ann)).toEqual(["2-7 IN", "Hidden"]);
    const { featureCollection: all } = await at.call("cop.layers.get", { id }, ann);
    const ids = all.features.map((one: any) => one.id);
    const ofAll = await at.call("cop.layers.get", { id, features: ids }, olga);
    expect(ofAll.featureCollection.features.map((one: any) => one.properties.name)).toEqual(["2-7 IN"]);
    expect(ofAll.counts).toMatchObject({ fresh: 1 });
    const activity = async (who: Actor) =>
      (await at.call("cop.agents.getActivity", { problemSetId: "alpha" }, who)).data.filter(
        ({ layerId }: any) => layerId === id,
      );
    expect(await activity(olga)).toMatchObject([{ added: 1 }]);
    expect(await activity(ann)).toHaveLength(2);

    at.clock.advance(10);
    const before = new Date(at.clock.now()).toISOString();
    at.clock.advance(10);
    await at.call("cop.agents.start", { problemSetId: "alpha" }, ben);
    const again = await at.call("cop.agents.start", { problemSetId: "alpha" }, pia);
    expect(again).toMatchObject({ on: true, by: "ben" });
    await at.call("command.units.update", { id: open.id, location: { latitude: 52, longitude: 15 } }, ann);
    await eventually(async () => {
      const { featureCollection, version: now } = await at.call("cop.layers.get", { id }, olga);
      expect(featureCollection.features[0].geometry.coordinates).toEqual([15, 52]);
      expect(now).toBe(version);
    });
    const places = async (moment?: string) => {
      const query = { problemSetId: "alpha", ...(moment && { at: moment }) };
      const { layers } = await at.call("cop.pictures.get", query, olga);
      return layers
        .find((layer: any) => layer.id === id)
        ?.featureCollection.features.map(({ geometry }: any) => geometry.coordinates);
    };
    expect(await places()).toEqual([[15, 52]]);
    expect(await places(before)).toEqual([[13, 52]]);
    expect(await places(new Date(at.clock.now() - 3_600_000).toISOString())).toBeUndefined();
    await expect(places(new Date(at.clock.now() + 3_600_000).toISOString())).rejects.toMatchObject({ code: 400 });
    await at.call("cop.agents.stop", { problemSetId: "alpha" }, ben);
    expect((await at.call("cop.getStatus", {}, olga)).watches).toMatchObject([{ on: false, by: "ben" }]);
  });

  it("shows resources, sensors and what active sensors cover, those with a place alone", async () => {
    const inAlpha = { problemSetId: "alpha" };
    const location = { latitude: 10, longitude: 179.99, accuracy: 20 };
    await at.call("resources.create", { ...inAlpha, name: "Truck 7", kind: "vehicle", location }, ann);
    await at.call("resources.create", { ...inAlpha, name: "Stored away" }, ann);
    await at.call("resources.create", { ...inAlpha, name: "Unseen", location, compartments: ["c1"] }, ann);
    const coverage = { shape: "radius", range: 10_000 };
    const mast = await at.call("sensors.create", { ...inAlpha, name: "Mast", kind: "radar", location, coverage }, ann);
    await at.call("sensors.create", { ...inAlpha, name: "Unseen", location, coverage, compartments: ["c1"] }, ann);
    const layers = new Map<string, string>();
    const area = {
      type: "Polygon",
      coordinates: [
        [
          [1, 1],
          [2, 1],
          [2, 2],
          [1, 1],
        ],
      ],
    };
    await at.call("missions.create", { ...inAlpha, name: "Watch", area }, ann);
    await at.call("missions.create", { ...inAlpha, name: "Nowhere" }, ann);
    await at.call("missions.create", { ...inAlpha, name: "Unseen", area, compartments: ["c1"] }, ann);
    for (const source of ["resources", "sensors", "coverage", "missions"])
      layers.set(source, (await onCop({ name: source, kind: "live", spec: { source } })).id);
    await made();
    const shown = async (source: string, who: Actor): Promise<any[]> => {
      const layer = await at.call("cop.layers.get", { id: layers.get(source)! }, who);
      expect(layer.missing).toBeUndefined();
      return layer.featureCollection.features;
    };
    expect(await shown("resources", olga)).toMatchObject([
      {
        geometry: { type: "Point", coordinates: [179.99, 10] },
        properties: { name: "Truck 7", kind: "vehicle", status: "ready", ce: 20, entityType: "resource" },
      },
    ]);
    expect(await shown("sensors", olga)).toMatchObject([{ properties: { name: "Mast", status: "active" } }]);
    const [ground, ...others] = await shown("coverage", olga);
    expect(others).toEqual([]);
    // It lies over 180°: a part on either side.
    expect(ground).toMatchObject({
      geometry: { type: "MultiPolygon" },
      properties: { entityId: mast.id, basis: "planned" },
    });
    // A sensor and the ground that it covers do not contradict each other.
    const { data: contradictions } = await at.call("cop.conflicts.list", { problemSetId: "alpha" }, ann);
    expect(contradictions.filter(({ summary }: { summary: string }) => summary.includes("Mast"))).toEqual([]);
    expect(ground.geometry.coordinates).toHaveLength(2);
    expect(await shown("missions", olga)).toMatchObject([
      { geometry: { type: "Polygon" }, properties: { name: "Watch", entityType: "mission" } },
    ]);
    for (const source of layers.keys()) expect(await shown(source, ann)).toHaveLength(2);

    await at.call("sensors.setStatus", { id: mast.id, status: "off" }, ann);
    await made();
    expect(await shown("coverage", olga)).toEqual([]);
    expect(await shown("sensors", olga)).toMatchObject([{ properties: { status: "off" } }]);
  });

  it("that lies in a compartment is not counted by the work that makes the picture, nor has it a line in its log", async () => {
    const lines = async (): Promise<object[]> => {
      const { jobId } = await at.call(
        "cop.agents.trigger",
        { problemSetId: "kappa" },
        member("cleo", "deputy", [], ["kappa"]),
      );
      const jobs = await at.mesh.world.documents.collection("jobs");
      await eventually(async () => expect(await jobs.findById(jobId)).toMatchObject({ status: "completed" }));
      const { log } = (await jobs.findById(jobId))!;
      return log.map(({ at: _at, seq: _seq, ...line }: any) => line);
    };
    const who = member("ben", "planner", ["k1"], ["kappa"]);
    for (const compartments of [[], ["k1"], ["k1"]]) {
      const { id } = await add({ problemSetId: "kappa", compartments, spec: collection(point(13, 52)) }, who);
      await move(id, "review", who);
    }
    expect(await lines()).toEqual([
      { status: "running", stage: "layers", done: 0, total: 1 },
      { status: "running", stage: "comparing", done: 1, total: 1 },
      { status: "completed", stage: "comparing", done: 1, total: 1 },
    ]);
  });

  it("is made once by two who make it at the same time, and by none of them in vain", async () => {
    const who = member("ben", "planner", [], ["twice"]);
    await at.call(
      "resources.create",
      { problemSetId: "twice", name: "T", location: { latitude: 1, longitude: 2 } },
      who,
    );
    const { id } = await add({ problemSetId: "twice", kind: "live", spec: { source: "resources" } }, who);
    await move(id, "review", who);
    const host = at.mesh.broker.getLocalService("cop") as unknown as Host;
    await Promise.all([make(host, id, "watch"), make(host, id, "hand")]);
    expect((await at.call("cop.layers.get", { id }, who)).featureCollection.features).toHaveLength(1);
  });
});

describe("a watched picture", () => {
  it("moves by telemetry, each resource behind its barrier, and compares what moved with what it may contradict", async () => {
    const inDelta = (userId: string, role: SetRole, compartments: string[] = []) =>
      member(userId, role, compartments, ["delta"]);
    const [writer, reviewer] = [inDelta("ben", "planner"), inDelta("pia", "planner")];
    const [chief, watcher] = [inDelta("cleo", "commander", ["d1"]), inDelta("olga", "observer")];
    const resource = async (name: string, compartments: string[] = []): Promise<string> =>
      (
        await at.call(
          "resources.create",
          { problemSetId: "delta", compartments, name, location: { latitude: 50, longitude: 10 } },
          chief,
        )
      ).id;
    const truck = await resource("Truck 7");
    const hidden = await resource("Drone 1", ["d1"]);
    const layer = async (name: string, fields: object): Promise<string> => {
      const { id, version } = await add({ problemSetId: "delta", name, ...fields }, writer);
      await move(id, "review", writer);
      await move(id, "published", reviewer, { version });
      await move(id, "cop", chief);
      return id;
    };
    const live = await layer("Resources", { kind: "live", type: "resources", spec: { source: "resources" } });
    const range = { exclusive: true, name: "Range" };
    await layer("Ranges", { spec: collection(area(13, 52, 0.1, range)) });
    const moving = await layer("Corridors", { spec: collection(area(14, 52, 0.1, range)) });
    const watched = async () => (await at.call("cop.pictures.get", { problemSetId: "delta" }, watcher)).watched;
    expect((await at.call("cop.layers.get", { id: live }, watcher)).watched).toBe(false);
    expect(await watched()).toBe(false);
    await at.call("cop.agents.start", { problemSetId: "delta" }, writer);
    expect(await watched()).toBe(true);
    const places = async (who: Actor): Promise<Record<string, number[]>> =>
      Object.fromEntries(
        (await at.call("cop.layers.get", { id: live }, who)).featureCollection.features.map(
          ({ properties, geometry }: any) => [properties.name, geometry.coordinates],
        ),
      );
    await eventually(async () => expect(Object.keys(await places(chief)).sort()).toEqual(["Drone 1", "Truck 7"]));
    const said = async (who: Actor) =>
      (await at.call("cop.agents.getActivity", { problemSetId: "delta" }, who)).data.filter(
        ({ updated }: any) => updated > 0,
      ).length;
    const send = (resourceId: string, longitude: number) => {
      const moment = at.clock.now();
      const series = { latitude: [[moment, 51]], longitude: [[moment, longitude]] };
      return at.call("resources.readings.take", { body: { resourceId, series } }, chief);
    };
    at.clock.advance(10);
    await send(hidden, 11);
    await eventually(async () => expect((await places(chief))["Drone 1"]).toEqual([11, 51]));
    expect([await places(watcher), await said(watcher)]).toEqual([{ "Truck 7": [10, 50] }, 0]);
    await send(truck, 12);
    await eventually(async () => expect(await places(watcher)).toEqual({ "Truck 7": [12, 51] }));

    const open = async (): Promise<string[]> =>
      (await at.call("cop.conflicts.list", { problemSetId: "delta" }, watcher)).data.map(({ kind }: any) => kind);
    expect(await open()).toEqual([]);
    await at.call("cop.layers.recall", { id: moving, reason: "It moves." }, chief);
    const { version } = await draw(moving, collection(area(13.05, 52.05, 0.1, range)), writer);
    await move(moving, "published", reviewer, { version });
    await move(moving, "cop", chief);
    await eventually(async () => expect(await open()).toEqual(["areas-overlap"]));
    await at.call("cop.layers.recall", { id: moving, reason: "It is over." }, chief);
    await eventually(async () => expect(await open()).toEqual([]));
    await at.call("resources.remove", { id: truck }, chief);
    await eventually(async () => expect(await places(watcher)).toEqual({}));
    await at.call("cop.agents.stop", { problemSetId: "delta" }, writer);
  });
});

describe("a unit that a resource tracks", () => {
  const inEcho = (userId: string, role: SetRole, compartments: string[] = []) =>
    member(userId, role, compartments, ["echo"]);
  const [chief, planner, deputy, watcher] = [
    inEcho("cleo", "commander", ["e1"]),
    inEcho("ben", "planner"),
    inEcho("dana", "deputy"),
    inEcho("olga", "observer"),
  ];
  const location = { latitude: 50, longitude: 10 };
  const unit = async (name: string, compartments: string[] = []): Promise<any> =>
    at.call("command.units.create", { problemSetId: "echo", compartments, name, location }, chief);
  const shown = (id: string): Promise<any> => at.call("command.units.get", { id }, chief);
  const add = (fields: object, who = planner): Promise<any> =>
    at.call("resources.create", { problemSetId: "echo", name: "Tracker", ...fields }, who);
  const send = (resourceId: string, moment: number, longitude: number) => {
    const series = { latitude: [[moment, 51]], longitude: [[moment, longitude]] };
    return at.call("resources.readings.take", { body: { resourceId, series } }, planner);
  };

  it("moves on the picture by its readings, and by no late ones; edits of it go through, and a later word stays", async () => {
    const { id, rev } = await unit("2-7 IN");
    const { id: layerId, version } = await addLayer({ kind: "live", spec: { source: "units" } });
    await move(layerId, "review", planner);
    await move(layerId, "published", deputy, { version });
    await move(layerId, "cop", chief);
    await at.call("cop.agents.start", { problemSetId: "echo" }, planner);
    const places = async (): Promise<number[][]> =>
      (await at.call("cop.layers.get", { id: layerId }, watcher)).featureCollection.features.map(
        ({ geometry }: any) => geometry.coordinates,
      );
    await eventually(async () => expect(await places()).toEqual([[10, 50]]));

    const tracker = await add({ location: { latitude: 50, longitude: 11 }, tracksUnitId: id });
    await eventually(async () => expect(await places()).toEqual([[11, 50]]));
    at.clock.advance(60_000);
    await send(tracker.id, at.clock.now() - 10_000, 12);
    await eventually(async () => expect(await places()).toEqual([[12, 51]]));
    expect(await shown(id)).toMatchObject({ rev, location: { latitude: 51, longitude: 12 } });
    const edit = { id, name: "2-7 Infantry" };
    await at.mesh.broker.call("command.units.update", edit, { meta: { actor: planner, ifMatch: `"r${rev}"` } });
    expect(await shown(id)).toMatchObject({ name: "2-7 Infantry", location: { longitude: 12 } });

    await at.call("command.units.update", { id, location: { latitude: 50, longitude: 14 } }, planner);
    await send(tracker.id, at.clock.now() - 5_000, 13);
    const resource = () => at.call("resources.get", { id: tracker.id }, planner);
    await eventually(async () => expect((await resource()).location.longitude).toBe(13));
    expect((await shown(id)).location.longitude).toBe(14);
    await at.call("cop.agents.stop", { problemSetId: "echo" }, planner);

    await at.call("command.units.remove", { id }, planner);
    await eventually(async () => expect((await resource()).tracksUnitId).toBeUndefined());
  });

  it("is one that whoever sees the resource sees, of a person who may say where units are, and no other's", async () => {
    const [open, closed] = [await unit("3-7 IN"), await unit("Hidden", ["e1"])];
    const code = (call: Promise<unknown>): Promise<number> =>
      call.then(
        () => 200,
        (error: { code: number }) => error.code,
      );
    expect(await code(add({ tracksUnitId: closed.id }))).toBe(400);
    expect(await code(add({ tracksUnitId: closed.id }, chief))).toBe(400);
    expect(await code(add({ tracksUnitId: open.id, compartments: ["e1"] }, chief))).toBe(400);
    const permits = setPermitsOf("planner").filter((permit) => permit !== "command:edit");
    const noPlanner = actor("reader", {
      userId: "ben",
      memberships: { echo: { role: "planner", permits, compartments: [] } },
    });
    expect(await code(add({ tracksUnitId: open.id }, noPlanner))).toBe(403);
    const { id } = await add({ tracksUnitId: open.id });
    expect(await code(add({ tracksUnitId: open.id }))).toBe(409);
    expect(await code(at.call("resources.update", { id, tracksUnitId: null }, planner))).toBe(200);
    await add({ tracksUnitId: open.id });
  });

  const addLayer = (fields: object): Promise<any> =>
    at.call("cop.layers.create", { problemSetId: "echo", name: "Units", type: "units", ...fields }, planner);
});

describe("a picture for everybody of a mode", () => {
  const [ada, max, rita] = [
    actor("analyst", { userId: "ada" }),
    actor("admin", { userId: "max" }),
    actor("reader", { userId: "rita" }),
  ];
  const inTraining = (who: Actor): Actor => ({ ...who, userId: `${who.userId} in training`, mode: "training" });
  const nobody: Actor = { ...rita, userId: "nobody", roles: [], permits: [] };
  const code = (call: Promise<unknown>): Promise<number> =>
    call.then(
      () => 200,
      (error: { code: number }) => error.code,
    );
  const add = (fields: object, who = ada): Promise<any> =>
    at.call("cop.layers.create", { name: "For all", type: "custom", ...fields }, who);
  const onCop = async (fields: object, [writer, chief] = [ada, max]): Promise<string> => {
    const { id, version } = await add(fields, writer);
    await move(id, "review", writer!);
    await move(id, "published", chief!, { version });
    await move(id, "cop", chief!);
    return id;
  };
  const ids = async (action: string, who: Actor, query: object = {}): Promise<string[]> =>
    (await at.call(action, { limit: 100, ...query }, who)).data.map(({ id }: any) => id);

  it("is drawn, reviewed and seen in that mode, by those whose roles let them, and not in the other", async () => {
    const spec = collection(point(13, 52, { name: "Depot" }));
    expect(await code(add({ spec }, rita))).toBe(403);
    expect(await code(add({ spec, compartments: ["c1"] }))).toBe(400);
    expect(await code(add({ kind: "live", spec: { source: "units" } }))).toBe(400);
    const { id, version, rev } = await add({ spec });
    await move(id, "review", ada);
    expect(await code(move(id, "published", ada, { version }))).toBe(403);
    expect(await code(at.call("cop.remarks.give", { id, text: "Where is it?" }, ada))).toBe(403);
    await at.call("cop.remarks.give", { id, text: "Where is it?" }, max);
    expect(await code(matched(id, spec, rita, `"r${rev + 1}"`))).toBe(403);
    await move(id, "published", max, { version });
    await move(id, "cop", max);
    expect(await code(at.call("cop.layers.recall", { id, reason: "It is gone." }, ada))).toBe(403);

    expect((await at.call("cop.layers.get", { id }, rita)).featureCollection.features).toHaveLength(1);
    expect((await at.call("cop.layers.get", { id }, rita)).audience).toBeUndefined();
    expect((await at.call("cop.pictures.get", {}, rita)).layers.map((one: any) => one.id)).toContain(id);
    expect(await ids("cop.layers.list", rita)).toContain(id);
    const alone = await at.call("cop.layers.list", { outside: true, limit: 100 }, { ...rita, ...ann });
    expect(alone.data.map((one: any) => one.id)).toContain(id);
    expect(alone.data.every(({ problemSetId }: any) => problemSetId === undefined)).toBe(true);
    await expect(at.call("cop.layers.list", { outside: true, problemSetId: "alpha" }, ann)).rejects.toMatchObject({
      data: { details: [{ path: "outside" }] },
    });
    expect((await at.call("cop.getStatus", {}, rita)).layers.cop).toBeGreaterThan(0);
    const told = (who: Actor): Promise<any> => at.call("cop.getStatus", { outside: true }, who);
    expect((await told({ ...rita, ...ann })).layers).toEqual((await told(rita)).layers);
    expect(await code(at.call("cop.layers.get", { id }, nobody))).toBe(403);
    for (const other of [inTraining(rita), inTraining(max)]) {
      expect(await code(at.call("cop.layers.get", { id }, other))).toBe(404);
      expect(await code(at.call("cop.versions.getSpec", { id, version }, other))).toBe(404);
      expect(await code(at.call("cop.layers.recall", { id, reason: "It is gone." }, other))).toBe(404);
      expect(await ids("cop.layers.list", other)).toEqual([]);
      expect((await at.call("cop.pictures.get", {}, other)).layers).toEqual([]);
      expect((await at.call("cop.getStatus", {}, other)).layers).toEqual({ draft: 0, review: 0, published: 0, cop: 0 });
    }
  });

  it("is watched for each mode by itself: resources move by telemetry, contradictions show, nothing crosses over", async () => {
    const told: { to: unknown; data: { layerId: string } }[] = [];
    const contradicted: { to: unknown; data: { opened: string[]; ended: string[] } }[] = [];
    at.mesh.broker.createService({
      name: "picture-listener",
      events: {
        [LIVE_SENT]: {
          context: true,
          handler({ params: { event, to, envelope } }: { params: LiveMessage }) {
            if (event === "cop.layer.changed") told.push({ to, data: envelope.data as { layerId: string } });
            if (event === "cop.conflict.changed") contradicted.push({ to, data: envelope.data as never });
          },
        },
      },
    } as never);
    const both = [
      [ada, max, rita],
      [inTraining(ada), inTraining(max), inTraining(rita)],
    ] as const;
    expect(await code(at.call("cop.agents.start", {}, ada))).toBe(403);
    const layers: string[] = [];
    const trucks: string[] = [];
    for (const [writer, chief] of both) {
      const layer = { kind: "live", type: "resources", spec: { source: "resources" } };
      layers.push(await onCop(layer, [writer, chief]));
      const resource = { name: `Truck of ${writer.userId}`, location: { latitude: 50, longitude: 10 } };
      trucks.push((await at.call("resources.create", resource, writer)).id);
      await at.call("cop.agents.start", {}, chief);
    }
    // Asked for alone, they are those of one's mode, whatever lies in one's problem sets.
    const inSets = (who: Actor): Actor => ({ ...who, memberships: ann.memberships! });
    for (const [n, [writer]] of both.entries())
      for (const query of [{}, { kind: "equipment" as const, sort: "name" }]) {
        const alone = await at.call("resources.list", { outside: true, limit: 100, ...query }, inSets(writer));
        expect(alone.data.every(({ problemSetId }: any) => problemSetId === undefined)).toBe(true);
        const found = alone.data.map(({ id }: any) => id);
        expect(trucks.map((id) => found.includes(id))).toEqual([n === 0, n === 1]);
      }
    const places = async (n: number): Promise<Record<string, number[]>> =>
      Object.fromEntries(
        (await at.call("cop.layers.get", { id: layers[n]! }, both[n]![2])).featureCollection.features.map(
          ({ properties, geometry }: any) => [properties.entityId, geometry.coordinates],
        ),
      );
    for (const n of [0, 1]) await eventually(async () => expect(await places(n)).toEqual({ [trucks[n]!]: [10, 50] }));
    at.clock.advance(1_000);
    const moment = at.clock.now();
    const series = { latitude: [[moment, 51]], longitude: [[moment, 11]] };
    await at.call("resources.readings.take", { body: { resourceId: trucks[1], series } }, both[1][0]);
    await eventually(async () => expect(await places(1)).toEqual({ [trucks[1]!]: [11, 51] }));
    expect(await places(0)).toEqual({ [trucks[0]!]: [10, 50] });
    await eventually(async () => {
      const to = (n: number) => told.filter(({ data }) => data.layerId === layers[n]).map((one) => one.to);
      expect(to(1).length).toBeGreaterThan(1);
      for (const n of [0, 1])
        expect(new Set(to(n).map((one) => JSON.stringify(one)))).toEqual(
          new Set([JSON.stringify({ topic: "cop", training: n === 1 })]),
        );
    });

    const range = { exclusive: true, name: "Range" };
    for (const west of [13, 13.05])
      await onCop({ spec: collection(area(west, 52, 0.1, range)) }, [both[1][0], both[1][1]]);
    await eventually(async () => expect(await ids("cop.conflicts.list", both[1][2])).toHaveLength(1));
    // Asked for alone, whatever there is in one's problem sets.
    const alone = await at.call("cop.conflicts.list", { outside: true }, inSets(both[1][2]));
    expect(alone.data.map(({ problemSetId }: any) => problemSetId)).toEqual([undefined]);
    expect(await ids("cop.conflicts.list", rita)).toEqual([]);
    const [conflict] = await ids("cop.conflicts.list", both[1][2]);
    expect(await code(at.call("cop.conflicts.waive", { id: conflict!, reason: "Agreed." }, max))).toBe(404);
    expect(await code(at.call("cop.conflicts.waive", { id: conflict!, reason: "Agreed." }, both[1][0]))).toBe(403);
    expect(await code(at.call("cop.conflicts.waive", { id: conflict!, reason: "Agreed." }, both[1][1]))).toBe(200);
    // Both its beginning and its end are told, to those of its mode.
    await eventually(async () => {
      const of = contradicted.filter(({ data }) => [...data.opened, ...data.ended].includes(conflict!));
      expect(of.map(({ data }) => [data.opened.length, data.ended.length])).toEqual([
        [1, 0],
        [0, 1],
      ]);
      for (const { to } of of) expect(to).toEqual({ topic: "cop", training: true });
    });
    const done = async (who: Actor) =>
      new Set((await at.call("cop.agents.getActivity", {}, who)).data.map((one: any) => one.layerId));
    expect((await done(rita)).has(layers[0])).toBe(true);
    expect((await done(rita)).has(layers[1])).toBe(false);
    const outside = (await at.call("cop.agents.getActivity", { outside: true }, { ...rita, ...ann })).data;
    expect(outside.map((one: any) => one.layerId)).toContain(layers[0]);
    expect(outside.every(({ problemSetId }: any) => problemSetId === undefined)).toBe(true);

    await at.call("resources.remove", { id: trucks[1]! }, both[1][0]);
    await eventually(async () => expect(await places(1)).toEqual({}));
    for (const [, chief] of both) await at.call("cop.agents.stop", {}, chief);
  });
});

describe("conflicts", () => {
  const conflicts = async (who: Actor, query: object = {}): Promise<any[]> =>
    (await at.call("cop.conflicts.list", { problemSetId: "beta", limit: 100, ...query }, who)).data;
  const inBeta = (userId: string, role: SetRole, compartments: string[] = []) =>
    member(userId, role, compartments, ["alpha", "beta"]);

  it("show with their evidence, stay one when found again, and clear by themselves", async () => {
    const [writer, reviewer, chief] = [
      inBeta("ben", "planner"),
      inBeta("pia", "planner"),
      inBeta("cleo", "commander", ["c2"]),
    ];
    const symbol = (identity: number) => `100${identity}1000161211000000`;
    const layer = async (spec: object, compartments: string[] = []) => {
      const { id } = await add({ problemSetId: "beta", compartments, spec }, compartments.length ? chief : writer);
      const who = compartments.length ? inBeta("dan", "commander", ["c2"]) : reviewer;
      await move(id, "review", compartments.length ? chief : writer);
      await move(id, "published", who, { version: 1 });
      await move(id, "cop", compartments.length ? chief : chief);
      return id;
    };
    const when = new Date(at.clock.now()).toISOString();
    const first = await layer(
      collection(point(13, 52, { did: "did:x:1", name: "Convoy", at: when, symbol: symbol(3) })),
    );
    const second = await layer(
      collection(point(13.5, 52, { did: "did:x:1", name: "Convoy", at: when, symbol: symbol(6) })),
    );
    await layer(collection(area(13, 52, 0.1, { exclusive: true, name: "Range" })));
    await layer(collection(area(13.05, 52.05, 0.1, { exclusive: true, name: "Corridor" })), ["c2"]);
    await at.call("cop.agents.trigger", { problemSetId: "beta" }, chief);
    const seen = inBeta("olga", "observer");
    await eventually(async () => {
      expect((await conflicts(chief)).map(({ kind }) => kind).sort()).toEqual([
        "areas-overlap",
        "two-identities",
        "two-places",
      ]);
    });
    expect((await conflicts(seen)).map(({ kind }) => kind).sort()).toEqual(["two-identities", "two-places"]);
    expect((await at.call("cop.getStatus", { problemSetId: "beta" }, seen)).conflicts).toEqual({ open: 2 });
    const [places] = await conflicts(seen, { kind: "two-places" });
    expect(places).toMatchObject({ severity: "high", evidence: { metres: expect.any(Number), allowed: 100 } });
    const names = await Promise.all(
      [first, second].map(async (id) => (await at.call("cop.layers.get", { id }, seen)).name),
    );
    expect(places.features.map(({ layer: name }: any) => name).sort()).toEqual(names.sort());
    const [identities] = await conflicts(seen, { kind: "two-identities" });
    await at.call("cop.conflicts.waive", { id: identities.id, reason: "Known double." }, reviewer);
    // Who decided takes along what they wrote of it.
    const held = await at.call("cop.personal:gather", { userId: reviewer.userId }, reviewer);
    expect(held["Contradictions that you waived"]).toMatchObject([{ id: identities.id, reason: "Known double." }]);

    await at.call("cop.layers.recall", { id: second, reason: "Wrong report." }, chief);
    await at.call("cop.agents.trigger", { problemSetId: "beta" }, chief);
    await eventually(async () => {
      expect(await conflicts(seen)).toEqual([]);
      expect((await conflicts(seen, { state: "cleared" })).map(({ id }) => id)).toEqual([places.id]);
      expect((await conflicts(seen, { state: "waived" })).map(({ id }) => id)).toEqual([identities.id]);
    });
  });

  it("that a person resolved stay so while their evidence is the same, and are open again when it differs", async () => {
    const [writer, chief] = [inBeta("ben", "planner"), inBeta("cleo", "commander")];
    const publish = async (fields: object) => {
      const { id, version } = await add({ problemSetId: "beta", ...fields }, writer);
      await move(id, "review", writer);
      await move(id, "published", inBeta("pia", "planner"), { version });
      await move(id, "cop", chief);
    };
    const now = at.clock.now();
    const iso = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
    await publish({ spec: collection(point(13, 10, { uid: "R-1", name: "Ferry", at: iso(0) })) });
    await publish({ kind: "live", spec: { source: "reports" } });
    let seconds = 0;
    const reported = async (longitude: number): Promise<any> => {
      const when = { time: iso(++seconds), stale: iso(3_600) };
      const event = { uid: "R-1", type: "a-f-G", location: { latitude: 10, longitude }, ...when };
      expect(await at.call("cop.reports.take", { problemSetId: "beta", events: [event] }, writer)).toMatchObject({
        taken: 1,
      });
      await made("beta", writer);
      return (await at.call("cop.conflicts.list", { problemSetId: "beta", kind: "two-places", limit: 100 }, chief))
        .data;
    };
    const [first] = await reported(13.5);
    const { metres } = first.evidence;
    const decide = (how: string, who: Actor, reason = "The harbour master is right.") =>
      at.call(`cop.conflicts.${how}`, { id: first.id, reason }, who);
    await expect(decide("resolve", inBeta("olga", "observer"))).rejects.toMatchObject({ code: 403 });
    const settled = await decide("resolve", writer);
    expect(settled).toMatchObject({ state: "resolved", resolvedBy: "ben", reason: "The harbour master is right." });
    await expect(decide("resolve", writer)).rejects.toMatchObject({ code: 409 });

    expect(await reported(13.6)).toEqual([]);
    const [again] = await reported(14.5);
    const { state, reason, resolvedBy, evidence } = again;
    expect([again.id, state, reason, resolvedBy]).toEqual([first.id, "open", settled.reason, "ben"]);
    expect(evidence.metres).toBeGreaterThan(2 * metres);

    await decide("resolve", writer, "It was moved by lorry.");
    expect(await reported(13)).toEqual([]);
    await expect(decide("resolve", writer)).rejects.toMatchObject({ type: "INVALID_TRANSITION" });
    expect(await reported(14.5)).toMatchObject([{ id: first.id, state: "open", reason: "It was moved by lorry." }]);
    await decide("waive", writer);
    expect(await reported(16)).toEqual([]);
  });

  it("are of a resource that is in two missions at once, and of none that follow one another or are over", async () => {
    const who = (userId: string, role: SetRole) => member(userId, role, [], ["epsilon"]);
    const [writer, chief] = [who("ben", "planner"), who("cleo", "commander")];
    const mission = async (name: string, startsAt: string, endsAt: string): Promise<string> =>
      (await at.call("missions.create", { problemSetId: "epsilon", name, startsAt, endsAt }, chief)).id;
    const [first, second, later] = [
      await mission("Ferry", "2096-01-01T00:00:00.000Z", "2096-01-03T00:00:00.000Z"),
      await mission("Dike", "2096-01-02T00:00:00.000Z", "2096-01-04T00:00:00.000Z"),
      await mission("Mill", "2096-01-04T00:00:00.000Z", "2096-01-05T00:00:00.000Z"),
    ];
    const boat = { problemSetId: "epsilon", name: "Boat 1", location: { latitude: 1, longitude: 2 } };
    await at.call("resources.create", { ...boat, missionIds: [first, second, later] }, writer);
    await at.call("resources.create", { ...boat, name: "Boat 2", missionIds: [first, later] }, writer);
    const { id } = await add({ problemSetId: "epsilon", kind: "live", spec: { source: "resources" } }, writer);
    await move(id, "review", writer);
    await move(id, "published", chief, { version: 1 });
    await move(id, "cop", chief);
    const said = async () => {
      await made("epsilon", writer);
      return (await at.call("cop.conflicts.list", { problemSetId: "epsilon" }, writer)).data;
    };
    expect(await said()).toMatchObject([
      {
        ...{ kind: "two-missions", severity: "high" },
        summary: "Boat 1 is committed to 2 missions at once: Dike, Ferry.",
        evidence: { missions: [first, second].sort() },
      },
    ]);
    await at.call("missions.archive", { id: second }, chief);
    expect(await said()).toEqual([]);
  });
});

describe("the watch over a picture", () => {
  it("ends with the archiving of its problem set, where nobody could stop it any more", async () => {
    const [ann] = await persons(at, "ann");
    const problemSetId = await openSet(at, ann);
    expect((await as(at, ann)("POST", "/api/cop/agents/polling/start", { problemSetId })).body.data.on).toBe(true);
    expect((await as(at, ann)("DELETE", `/api/problem-sets/${problemSetId}`)).status).toBe(200);
    await asked(
      async () => (await as(at, ann)("GET", `/api/cop/status?problemSetId=${problemSetId}`)).body.data.watches[0],
      ({ on, by, reason }) => !on && by === ann.userId && reason === "The problem set was archived.",
    );
  });
});

describe("linkages", () => {
  it("are proposed by the plate that another organisation read, though it calls the truck otherwise", async () => {
    const who = member("ben", "planner", [], ["plates"]);
    const truck = { problemSetId: "plates", name: "Tanker of Kostelec", kind: "vehicle", serial: "3H2 1177" };
    const { id: entityId } = await at.call(
      "resources.create",
      { ...truck, location: { latitude: 50.12, longitude: 16.21 } },
      who,
    );
    const police = point(16.3, 50.2, { name: "fire engine at the bridge", plate: "3h2-1177" });
    const { id } = await add({ problemSetId: "plates", spec: collection(police) }, who);
    await move(id, "review", who);
    await at.call("cop.agents.trigger", { problemSetId: "plates" }, who);
    await eventually(async () => {
      const { data } = await at.call("cop.linkages.listPending", { problemSetId: "plates" }, who);
      expect(data).toMatchObject([{ entityId, entityType: "resource" }]);
      expect(data[0].parts).toContainEqual({ part: "mark", logOdds: 9.5, why: "Both say 3H21177." });
    });
  });

  it("are proposed by evidence, decided once, and asked again only by other evidence", async () => {
    const who = member("ben", "planner", [], ["gamma"]);
    const unit = await at.call(
      "command.units.create",
      { problemSetId: "gamma", name: "3rd Bridge Company", location: { latitude: 52, longitude: 13 } },
      who,
    );
    const { id } = await add(
      {
        problemSetId: "gamma",
        spec: collection(point(13.0001, 52, { name: "3 Br Coy" }), point(13, 52, { name: "4th Bridge Company" })),
      },
      who,
    );
    await move(id, "review", who);
    const pending = async (): Promise<any[]> =>
      (await at.call("cop.linkages.listPending", { problemSetId: "gamma" }, who)).data;
    await at.call("cop.agents.trigger", { problemSetId: "gamma" }, who);
    await eventually(async () => {
      expect(await pending()).toMatchObject([{ entityId: unit.id, entityType: "unit", featureId: "feature-1" }]);
    });
    const [linkage] = await pending();
    expect(linkage.layer).toBe((await at.call("cop.layers.get", { id }, who)).name);
    expect(linkage.parts.map(({ part }: any) => part)).toEqual(expect.arrayContaining(["name", "distance"]));
    await at.call("cop.linkages.review", { id: linkage.id, decision: "reject" }, who);
    await expect(at.call("cop.linkages.review", { id: linkage.id, decision: "approve" }, who)).rejects.toMatchObject({
      code: 409,
    });
    await draw(id, collection(point(13.0002, 52, { name: "3 Br Coy" })), who);
    const trigger = async () => {
      const { jobId } = await at.call("cop.agents.trigger", { problemSetId: "gamma" }, who);
      await eventually(async () =>
        expect((await at.call("jobs.get", { id: jobId }, actor("system_admin"))).status).toBe("completed"),
      );
    };
    await trigger();
    expect(await pending()).toEqual([]);
    await draw(id, collection(point(13.02, 52, { name: "3 Br Coy", did: "did:x:9" })), who);
    await trigger();
    const { data } = await at.call("cop.linkages.listOfEntity", { entityId: unit.id }, who);
    expect(data).toHaveLength(1);
  });

  it("come and go with a resource that moves by its readings, though no layer shows it", async () => {
    const who = member("ben", "planner", [], ["omega"]);
    const boat = { problemSetId: "omega", name: "Ferry Morava", location: { latitude: 50, longitude: 10 } };
    const { id: resourceId } = await at.call("resources.create", boat, who);
    const spec = collection(point(13, 52, { name: "Ferry Morava 2", ce: 50 }), point(13, 52, { name: "Ferry Morava" }));
    const { id } = await add({ problemSetId: "omega", spec }, who);
    await move(id, "review", who);
    await at.call("cop.agents.start", { problemSetId: "omega" }, who);
    const parts = async (): Promise<string[]> =>
      (await at.call("cop.linkages.listPending", { problemSetId: "omega" }, who)).data.flatMap(({ parts }: any) =>
        parts.filter(({ part }: any) => part === "distance").map(({ why }: any) => why),
      );
    const send = (latitude: number, longitude: number) => {
      at.clock.advance(2_000);
      const moment = at.clock.now();
      const series = { latitude: [[moment, latitude]], longitude: [[moment, longitude]] };
      return at.call("resources.readings.take", { body: { resourceId, series } }, who);
    };
    await send(52, 13);
    await eventually(async () => expect(await parts()).toEqual([expect.stringMatching(/^0 m apart/)]));
    await send(50, 10);
    await eventually(async () => expect(await parts()).toEqual([]));
    await at.call("cop.agents.stop", { problemSetId: "omega" }, who);
  });

  it("make one of a feature and its record: from approval on, both contradict each other", async () => {
    const [who, other, deputy] = (["ben planner", "pia planner", "cleo deputy"] as const).map((one) => {
      const [userId, role] = one.split(" ") as [string, SetRole];
      return member(userId, role, [], ["theta"]);
    });
    const problemSetId = "theta";
    const boat = { problemSetId, name: "Ferry Morava", kind: "vessel", location: { latitude: 52, longitude: 13 } };
    const { id: resourceId } = await at.call("resources.create", boat, who);
    const seen = point(13.0001, 52, { name: "Ferry Morava", kind: "ship", ce: 50 });
    for (const fields of [{ spec: collection(seen) }, { kind: "live", spec: { source: "resources" } }]) {
      const { id, version } = await add({ problemSetId, ...fields }, who);
      await move(id, "review", who!);
      await move(id, "published", other!, { version });
      await move(id, "cop", deputy!);
    }
    await at.call("cop.agents.start", { problemSetId }, who);
    const found = async (): Promise<any[]> => (await at.call("cop.conflicts.list", { problemSetId }, who)).data;
    const send = async (latitude: number): Promise<void> => {
      at.clock.advance(2_000);
      const moment = at.clock.now();
      const series = { latitude: [[moment, latitude]], longitude: [[moment, 13]] };
      await at.call("resources.readings.take", { body: { resourceId, series } }, who);
    };
    const pending = (): Promise<any> => at.call("cop.linkages.listPending", { problemSetId }, who);
    await eventually(async () => expect((await pending()).data).toHaveLength(1));
    const [{ id }] = (await pending()).data;
    await at.call("cop.linkages.review", { id, decision: "approve" }, who);
    await send(52.5);
    const summary = "Ferry Morava is reported at two places 55.6 km apart.";
    await eventually(async () => expect(await found()).toMatchObject([{ kind: "two-places", summary }]));
    // Approved by mistake: taken back, the feature is no report of the record, and may be judged anew.
    const reviewed = (decision: string): Promise<any> => at.call("cop.linkages.review", { id, decision }, who);
    await expect(reviewed("reject")).rejects.toMatchObject({ code: 409 });
    const approved = await at.call("cop.linkages.listPending", { problemSetId, status: "approved" }, who);
    expect(approved.data).toMatchObject([{ id, status: "approved" }]);
    expect(await reviewed("reopen")).toMatchObject({ status: "pending" });
    await expect(reviewed("reopen")).rejects.toMatchObject({ code: 409 });
    await eventually(async () => expect(await found()).toEqual([]));
    await send(52);
    await eventually(async () => expect((await pending()).data).toHaveLength(1));
    await reviewed("approve");
    await send(52.5);
    await eventually(async () => expect(await found()).toMatchObject([{ kind: "two-places", summary }]));
    await send(52);
    await eventually(async () => expect(await found()).toEqual([]));
    await at.call("cop.agents.stop", { problemSetId }, who);
  });

  it("are with actors of the graph too, by any of their names, each behind what names it", async () => {
    const who = member("ben", "planner", [], ["sigma"]);
    const chief = member("cleo", "commander", ["s1"], ["sigma"]);
    const tell = (objects: object[], compartments: string[] = []) =>
      at.call(
        "graph.bundles.import",
        { problemSetId: "sigma", compartments, bundle: { type: "bundle", objects } },
        chief,
      );
    await tell([identity("organization", "Harbour Authority of Calder"), identity("individual", "Ilse Varga")]);
    await tell([identity("organization", "Night Ferry Line")], ["s1"]);
    const drawn = collection(
      ...["Harbour Authority of Calder", "Night Ferry Line", "Nobody at all"].map((name, n) =>
        point(13 + n, 52, { name }),
      ),
    );
    const { id } = await add({ problemSetId: "sigma", spec: drawn }, who);
    await move(id, "review", who);
    const pending = async (reader: Actor): Promise<any[]> =>
      (await at.call("cop.linkages.listPending", { problemSetId: "sigma", limit: 100 }, reader)).data;
    await made("sigma", who);
    expect(await pending(who)).toMatchObject([
      { entityType: "actor", entityName: "Harbour Authority of Calder", featureId: "feature-1" },
    ]);
    expect((await pending(chief)).map(({ entityName }) => entityName).sort()).toEqual([
      "Harbour Authority of Calder",
      "Night Ferry Line",
    ]);
    const [{ id: linkage, entityId }] = await pending(who);
    expect(await at.call("graph.actors.get", { id: entityId }, who)).toMatchObject({ type: "organisation" });
    await at.call("cop.linkages.review", { id: linkage, decision: "approve" }, who);
    const linked = await at.call("cop.linkages.listOfEntity", { entityId }, who);
    expect(linked.data).toMatchObject([{ id: linkage, status: "approved", layerId: id }]);

    // A word behind the barrier tells nothing before it; one that comes while the picture is watched is heard.
    await tell([identity("organization", "Harbour Authority of Calder", { contact_information: "x" })], ["s1"]);
    await at.call("cop.agents.start", { problemSetId: "sigma" }, chief);
    await tell([identity("individual", "Nobody at all")]);
    await eventually(async () => {
      expect((await pending(who)).map(({ entityName }) => entityName)).toEqual(["Nobody at all"]);
    });
    await at.call("cop.agents.stop", { problemSetId: "sigma" }, chief);
  });
});

describe("a live layer whose source runs nowhere in the mesh", () => {
  it("says so", async () => {
    at.mesh.broker.registry.actions.actions.delete("missions.placed");
    const { id } = await onCop({ kind: "live", spec: { source: "missions" } });
    await made();
    expect((await at.call("cop.layers.get", { id }, olga)).missing).toMatch(/missions/);
  });
});
