import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { svgOf } from "./map.ts";
import { bold, columns, dim, green, red, say, step, table, yellow } from "./terminal.ts";
import { invite, openThrowaway, type Person } from "./throwaway.ts";

/**
 * `npm run demo -- picture [file]`: three operators watch one map of a flooded valley; every step through the gateway.
 * The map as it is at the end goes to the file.
 */
const MINUTE_MS = 60_000;
const { clock, person, end } = await openThrowaway();
const iso = (ahead = 0): string => new Date(clock.now() + ahead).toISOString();
const passes = (ms: number, words: string): void => {
  clock.ahead += ms;
  say(dim(`(the demo's clock jumps ${words})`));
};

const HRADEK = { latitude: 48.8, longitude: 17.0 };
const north = (km: number, east: number) => ({
  latitude: HRADEK.latitude + km / 111.2,
  longitude: HRADEK.longitude + east / (111.2 * Math.cos((HRADEK.latitude * Math.PI) / 180)),
});
const position = (km: number, east: number): [number, number] => {
  const { latitude, longitude } = north(km, east);
  return [longitude, latitude];
};
const box = (km: number, east: number, height: number, width: number) => ({
  type: "Polygon" as const,
  coordinates: [
    [
      position(km, east),
      position(km, east + width),
      position(km + height, east + width),
      position(km + height, east),
      position(km, east),
    ],
  ],
});
const drawn = (...features: object[]) => ({
  type: "FeatureCollection",
  features: features.map((feature) => ({ type: "Feature", ...feature })),
});

try {
  step("1  Three people, and what they have");
  const [ilona, petr, jana] = [await person("Ilona"), await person("Petr"), await person("Jana")];
  const set = (await ilona.http.done("POST", "/api/problem-sets", { name: "Flood at Hradek" })).id as string;
  await invite(ilona, set, [
    [petr, "planner"],
    [jana, "planner"],
  ]);
  say(`${bold("Ilona")} commands; ${bold("Petr")} and ${bold("Jana")} keep the map.`);
  const resource = async (name: string, kind: string, [km, east]: [number, number]): Promise<string> =>
    (
      await petr.http.done("POST", "/api/resources", {
        ...{ problemSetId: set, name, kind, location: north(km, east) },
        series: [{ key: "fuel", unit: "%", minimum: 0, maximum: 100 }],
        thresholds: [{ id: "refuel", key: "fuel", when: "below", raise: 20, severity: "critical" }],
      })
    ).id;
  const boat = await resource("Boat 1", "vessel", [0.5, -2]);
  await resource("Truck 7", "vehicle", [-1, 1]);
  await resource("Pump 3", "equipment", [2, 2]);
  const company = await petr.http.done("POST", "/api/command/units", {
    ...{ problemSetId: set, name: "Water rescue company", kind: "rescue", location: north(-2, -3) },
  });
  await petr.http.done("PATCH", `/api/resources/${boat}`, { tracksUnitId: company.id });
  const layerIds: Record<string, string> = {};
  /** Takes a layer to the COP: who wrote it does not publish it, and the commander puts it up. */
  const putUp = async (id: string, version: number, reviewer: Person): Promise<void> => {
    const move = `/api/cop/layers/${id}/transition`;
    await reviewer.http.done("POST", move, { to: "published", version });
    await ilona.http.done("POST", move, { to: "cop" });
  };
  const newLayer = async (who: Person, name: string, type: string, more: object): Promise<any> => {
    const layer = await who.http.done("POST", "/api/cop/layers", { problemSetId: set, name, type, ...more });
    layerIds[name] = layer.id;
    return layer;
  };
  for (const source of ["units", "resources", "coverage"]) {
    const { id, version } = await newLayer(petr, source, source, { kind: "live", spec: { source } });
    await petr.http.done("POST", `/api/cop/layers/${id}/transition`, { to: "review" });
    await putUp(id, version, jana);
  }
  await jana.http.done("POST", "/api/cop/agents/polling/start", { problemSetId: set });
  const layerOf = (name: string): string => `/api/cop/layers/${layerIds[name]}`;
  const shown = async (who: Person, name: string, fits: (features: any[]) => boolean): Promise<any[]> =>
    (await who.http.until(layerOf(name), ({ data }) => fits(data.featureCollection.features))).data.featureCollection
      .features;
  const equipment = await shown(ilona, "resources", (features) => features.length === 3);
  await shown(ilona, "units", (features) => features.length === 1);
  say(
    `Petr registers ${equipment
      .map(({ properties }) => properties.name)
      .sort()
      .join(
        ", ",
      )} and the ${company.name}, and adds live layers that follow them. Jana reviews the layers, Ilona puts them on the COP, the common operational picture.`,
  );

  step("2  What moves, moves for all");
  const calm = iso();
  clock.ahead += 10 * MINUTE_MS;
  const tell = (fuel: number) => ({ resourceId: boat, key: "fuel", at: iso(-1_000), value: fuel });
  await petr.http.done("POST", "/api/resources/telemetry", [{ ...tell(64), at: iso(-5 * MINUTE_MS) }, tell(17)]);
  const { data: alarms } = await jana.http.until(`/api/resources/${boat}/alarms`, ({ data }) => data.length > 0);
  say(
    "Boat 1 sends telemetry: fuel 64 %, then 17 %. Below 20 % its threshold raises an alarm: " +
      `${red(`${alarms[0].severity}, fuel ${alarms[0].value} %`)}.`,
  );
  const taken = iso();
  const fix = Object.entries(north(1.5, 0.5)).map(([key, value]) => ({ resourceId: boat, key, at: taken, value }));
  await petr.http.done("POST", "/api/resources/telemetry", fix);
  const isAt = (name: string, longitude: number) => (features: any[]) =>
    features.some(
      ({ properties, geometry }) => properties.name === name && Math.abs(geometry.coordinates[0] - longitude) < 1e-9,
    );
  await Promise.all([
    shown(ilona, "resources", isAt("Boat 1", north(1.5, 0.5).longitude)),
    shown(jana, "units", isAt(company.name, north(1.5, 0.5).longitude)),
  ]);
  say(
    "Its readings say where it is, and where the company is that it leads; " +
      `${green("the map of all three shows both there")}, without a new review.`,
  );

  step("3  A drawing, from draft to the COP");
  const zone = { geometry: box(-1, -4, 5, 7), properties: { name: "Zone A", exclusive: true } };
  const convoy = (km: number, east: number, identity: number) => ({
    id: "convoy",
    geometry: { type: "Point", coordinates: position(km, east) },
    properties: { name: "Convoy 12", uid: "convoy-12", at: iso(), symbol: `100${identity}1000161211000000` },
  });
  const sketch = await newLayer(petr, "Petr's sketch", "control-measures", { spec: drawn(zone) });
  const move = `${layerOf("Petr's sketch")}/transition`;
  await petr.http.done("POST", move, { to: "review" });
  say(
    "Petr draws Zone A, and would publish it himself: " +
      `${red(await petr.http.refused(403, "POST", move, { to: "published", version: sketch.version }))}`,
  );
  const remark = await jana.http.done("POST", `${layerOf("Petr's sketch")}/feedback`, {
    text: "Where is Convoy 12?",
    blocking: true,
  });
  say(
    `Jana remarks ${yellow(`“${remark.text}”`)}, and that stops it: ` +
      `${red(await jana.http.refused(409, "POST", move, { to: "published", version: 1 }))}`,
  );
  const { rev } = await petr.http.done("GET", layerOf("Petr's sketch"));
  const better = await petr.http.done("PUT", `${layerOf("Petr's sketch")}/spec`, drawn(zone, convoy(0, 1, 3)), {
    "if-match": `"r${rev}"`,
  });
  await jana.http.done("POST", `${layerOf("Petr's sketch")}/feedback/${remark.id}/resolve`, {});
  await putUp(sketch.id, better.version, jana);
  say(`He adds the convoy; ${green(`version ${better.version} is published by Jana and put on the COP by Ilona.`)}`);

  step("4  Two reports that cannot both be right");
  const report = await newLayer(jana, "Report by radio", "events", { spec: drawn(convoy(3, 4, 3)) });
  await jana.http.done("POST", `${layerOf("Report by radio")}/transition`, { to: "review" });
  await putUp(report.id, report.version, petr);
  const conflicts = `/api/cop/conflicts?problemSetId=${set}`;
  const [conflict] = (await ilona.http.until(conflicts, ({ data }) => data.length > 0)).data;
  const { metres, allowed, seconds } = conflict.evidence;
  say(`By radio Jana hears of the convoy elsewhere. The map says so: ${yellow(conflict.summary)}`);
  say(
    `Why that is a conflict (${conflict.severity}): the reports lie ${Math.round(seconds)} s and ${metres} ` +
      `m apart, and in that time it gets ${allowed} m at most, the accuracy of both reports included.`,
  );
  await ilona.http.done("POST", `${layerOf("Report by radio")}/recall`, { reason: "It was another convoy." });
  await ilona.http.until(conflicts, ({ data }) => data.length === 0);
  say(`Ilona recalls the report; ${green("the conflict clears by itself.")}`);

  step("5  What is watched, and what no longer is");
  const mission = await petr.http.done("POST", "/api/missions", {
    ...{ problemSetId: set, name: "Watch Zone A", area: zone.geometry },
  });
  const sensor = (name: string, heartbeatSeconds: number, [km, east]: [number, number]): Promise<any> =>
    petr.http.done("POST", "/api/sensors", {
      ...{ problemSetId: set, name, kind: "camera", heartbeatSeconds, location: north(km, east) },
      coverage: { shape: "radius", range: 3_000 },
    });
  const mast = await sensor("Mast at the mill", 60, [1.5, -2]);
  await sensor("Camera on the dike", 86_400, [1.5, 1.5]);
  const coverage = () => ilona.http.done("GET", `/api/sensors/coverage/${mission.id}`);
  const whole = await coverage();
  await shown(ilona, "coverage", (features) => features.length === 2);
  const moment = iso();
  passes(4 * MINUTE_MS, "four minutes");
  const hole = await coverage();
  const silent = hole.leftOut.find(({ id }: any) => id === mast.id);
  await shown(ilona, "coverage", (features) => features.length === 1);
  say(`The mast reports every minute, and three reports did not come: it is ${red(silent.reason)}.\n`);
  const row = (name: string, { percent, coveredKm2, gapsKm2, gaps }: any): string[] => [
    name,
    `${percent.toFixed(1)} %`,
    `${coveredKm2.toFixed(1)} km²`,
    `${gapsKm2.toFixed(1)} km² in ${gaps.coordinates.length} ${gaps.coordinates.length === 1 ? "piece" : "pieces"}`,
  ];
  table(["Zone A", "covered", "", "hole"], [row("both report", whole), row("the mast is silent", hole)]);
  const [outline] = hole.gaps.coordinates[0];
  const corner = ([lon, lat]: number[]): string => `${lat!.toFixed(4)} N ${lon!.toFixed(4)} E`;
  say(
    `\nThe hole is a polygon of ${outline.length} positions; by way of ${outline
      .filter((_: unknown, at: number) => at % 9 === 0)
      .slice(0, 3)
      .map(corner)
      .join(", ")} …`,
  );

  step("6  The picture as it was");
  const pictureAt = async (who: Person, at: string): Promise<string[]> => {
    const query = new URLSearchParams({ problemSetId: set, at });
    const { layers } = await who.http.done("GET", `/api/cop/picture?${query}`);
    return layers.map(({ name, featureCollection }: any) => `${name} ${featureCollection.features.length}`);
  };
  table(
    ["", "layers, and how much each shows"],
    [
      ["before anything moved", (await pictureAt(jana, calm)).join(" · ")],
      ["before the mast fell silent", (await pictureAt(jana, moment)).join(" · ")],
      ["now", (await pictureAt(jana, iso())).join(" · ")],
    ],
  );

  step("7  The map, to take along");
  const colours = { coverage: "#2e7d32", "Petr's sketch": "#6a1b9a", resources: "#ef6c00", units: "#1565c0" };
  const layers = [];
  for (const [title, colour] of Object.entries(colours)) {
    const { body } = await ilona.http.ask("GET", `${layerOf(title)}/geojson`);
    layers.push({ title, colour, features: body.features });
  }
  const uncovered = { geometry: hole.gaps, properties: null };
  const file = process.argv[3] ?? join(await mkdtemp(join(tmpdir(), "signalmesh-picture-")), "picture.svg");
  await writeFile(file, svgOf([{ title: "not covered", colour: "#c62828", features: [uncovered] }, ...layers]));
  say(
    `Made of the GeoJSON exports of ${layers.length} layers and of the hole; open it in a browser:\n    ${bold(file)}`,
  );

  step("That was all of it over HTTP, on this machine alone");
  columns([
    ["npm start", "the platform"],
    ["/api/docs", "every endpoint"],
    ["npm run demo -- strategy", "a plan on its way to planning"],
  ]);
} finally {
  await end();
}
