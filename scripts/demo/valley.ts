import type { Client } from "./client.ts";

/**
 * The picture of the tour's workspace: a valley in which the river rises. What is drawn was reviewed by the other one,
 * as nobody publishes their own; two reports of one convoy cannot both be right.
 */
export async function drawValley(commander: Client, deputy: Client, problemSetId: string): Promise<void> {
  const place = { problemSetId };
  await equip(commander, place);
  const layers = [
    { name: "Forecast and routes", type: "control-measures", kind: "drawn", spec: drawn(...forecast()) },
    { name: "Reports by radio", type: "events", kind: "drawn", spec: drawn(convoy([17.2, 49.7])) },
    { name: "Boats, buses, pumps", type: "resources", kind: "live", spec: { source: "resources" } },
    { name: "Watched ground", type: "coverage", kind: "live", spec: { source: "coverage" } },
  ];
  for (const layer of layers) {
    const { id, version } = await commander.done("POST", "/api/cop/layers", { ...place, ...layer });
    const move = `/api/cop/layers/${id}/transition`;
    await commander.done("POST", move, { to: "review" });
    await deputy.done("POST", move, { to: "published", version });
    await commander.done("POST", move, { to: "cop" });
  }
  await commander.done("POST", "/api/cop/agents/polling/start", place);
  await commander.until(`/api/cop/conflicts?problemSetId=${problemSetId}`, ({ data }) => data.length > 0);
}

type Position = [longitude: number, latitude: number];
const at = ([longitude, latitude]: Position) => ({ longitude, latitude });
const drawn = (...features: object[]) => ({ type: "FeatureCollection", features });
const feature = (type: string, coordinates: unknown, properties: object) => ({
  type: "Feature",
  geometry: { type, coordinates },
  properties,
});
const area = (name: string, ...corners: Position[]) => feature("Polygon", [[...corners, corners[0]]], { name });
const point = (name: string, position: Position) => feature("Point", position, { name });

/** Where the convoy is told to be now: what has one mark is one thing. */
const convoy = (position: Position) =>
  feature("Point", position, {
    ...{ name: "Convoy 2", uid: "convoy-2", symbol: "10031000161211000000" },
    at: new Date().toISOString(),
  });

const forecast = () => [
  area(
    "Under water at 6.2 m",
    [17.05, 49.735],
    [17.12, 49.7],
    [17.19, 49.66],
    [17.25, 49.605],
    [17.275, 49.61],
    [17.225, 49.67],
    [17.15, 49.715],
    [17.08, 49.75],
  ),
  area("Zone A", [17.17, 49.64], [17.29, 49.64], [17.29, 49.69], [17.17, 49.69]),
  feature(
    "LineString",
    [
      [17.24, 49.665],
      [17.27, 49.7],
      [17.299, 49.73],
    ],
    { name: "Evacuation route north, road 444" },
  ),
  point("Assembly point, school at Dolany", [17.262, 49.664]),
  point("Shelter at Sternberk", [17.299, 49.73]),
  convoy([17.25, 49.6]),
];

/** What is there to act with and to see by, and six hours of a gauge that rises beyond its mark. */
async function equip(commander: Client, place: { problemSetId: string }): Promise<void> {
  const resource = async (name: string, kind: string, position: Position, more: object = {}): Promise<string> =>
    (await commander.done("POST", "/api/resources", { ...place, name, kind, location: at(position), ...more })).id;
  await resource("Boat 4", "vessel", [17.2, 49.668]);
  await resource("Bus 12", "vehicle", [17.265, 49.69]);
  await resource("Pump 3", "equipment", [17.235, 49.63]);
  const gauge = await resource("Gauge at Dolany", "equipment", [17.218, 49.672], {
    series: [{ key: "level", unit: "m", minimum: 0, maximum: 10 }],
    thresholds: [{ id: "road-444", key: "level", when: "above", raise: 5.6, severity: "critical" }],
  });
  const now = Date.now();
  const readings = Array.from({ length: 37 }, (_, n) => ({
    resourceId: gauge,
    key: "level",
    at: new Date(now - (36 - n) * 10 * 60_000).toISOString(),
    value: Math.round((4.31 + n * 0.04) * 100) / 100,
  }));
  await commander.done("POST", "/api/resources/telemetry", readings);
  await commander.until(`/api/resources/${gauge}/alarms`, ({ data }) => data.length > 0);
  await commander.done("POST", "/api/sensors", {
    ...{ ...place, name: "Camera on the dike", kind: "camera", heartbeatSeconds: 86_400, location: at([17.23, 49.66]) },
    coverage: { shape: "radius", range: 3_000 },
  });
}
