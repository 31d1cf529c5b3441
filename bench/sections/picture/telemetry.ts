import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocuments } from "../../../adapters/documents/index.ts";
import { openReadings } from "../../../adapters/readings/index.ts";
import type { Area } from "../../../core/geo/area-field.ts";
import { destination } from "../../../core/geo/earth.ts";
import type { SeriesPoint } from "../../../core/records/reading/readings.ts";
import { atOnce } from "../../../core/work/turns.ts";
import { coveredBy, type Covering } from "../../../services/picture/sensors/coverage.ts";
import { Flood, text } from "../../../test/faults/load/flood.ts";
import { signIn, startNode } from "../../../test/process.ts";
import { cpuOf, many, median, round } from "../../measure.ts";

const ROUNDS = many(7);
const SECONDS = many(2);
const IN_FLIGHT = 32;
const SERIES = 50;
const T0 = 1.75e15;

/** CPU microseconds a point of work that stores `points` points at each call. */
async function cost(points: number, calls: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < calls; n += IN_FLIGHT)
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, calls - n) }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (points * calls);
}

/** The store alone: a table of readings, beside the same as documents, in turns. */
async function stores(folder: string): Promise<string[]> {
  const documents = openDocuments({ dataDir: folder });
  const readings = openReadings(documents);
  const records = await documents.collection("bench", { indexes: [{ fields: ["series", "at"], unique: true }] });
  let at = T0;
  const points = (count: number): SeriesPoint[] =>
    Array.from({ length: count }, () => ({
      resource: `resource-${at % SERIES}`,
      key: "temperature",
      at: at++,
      value: 20 + (at % 7),
    })).sort((one, other) => (one.resource < other.resource ? -1 : 1));
  const asRecords = (count: number) =>
    records.insertMany(
      points(count).map((point) => ({ _id: `${point.resource} ${point.at}`, series: point.resource, ...point })),
    );
  const kinds: [name: string, points: number, calls: number, work: () => Promise<unknown>][] = [
    ["a table, hundreds", 100, 640, () => readings.put(points(100))],
    ["a table, single", 1, 3_200, () => readings.put(points(1))],
    ["documents, hundreds", 100, 96, () => asRecords(100)],
    ["documents, single", 1, 1_600, () => asRecords(1)],
  ];
  const costs = new Map(kinds.map(([name]) => [name, [] as number[]]));
  for (let n = 0; n <= ROUNDS; n++)
    for (const [name, size, calls, work] of kinds) {
      const one = await cost(size, calls, work);
      if (n) costs.get(name)!.push(one);
    }
  await documents.close();
  return [...costs].map(([name, all]) => {
    const us = median(all);
    return `| store: ${name} | ${round(us)} | ${Math.round(1e6 / us).toLocaleString("en")} |`;
  });
}

/** The whole way: through the gateway of a node of its own, durable when it is answered. */
async function node(folder: string): Promise<string[]> {
  const process = await startNode({ DATA_DIR: folder, LOG_LEVEL: "fatal" });
  const flood = new Flood();
  try {
    const token = await signIn(process.url);
    const made = async (path: string, body: object): Promise<{ id: string }> => {
      const answer = await fetch(process.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as { data: { id: string } }).data;
    };
    const { id: problemSetId } = await made("/api/problem-sets", { name: "Bench" });
    const { id } = await made("/api/resources", { name: "Bench", problemSetId });
    let next = Date.now() - 80 * 86_400_000;
    /** As many as a round may take, none of which was sent before. */
    const batches = (size: number) =>
      Array.from({ length: size > 1 ? 4_000 : 10_000 }, () =>
        text("POST", "/api/resources/telemetry", token, {
          resourceId: id,
          series: { t: Array.from({ length: size }, (_none, n) => [next++, n]) },
        }),
      );
    const kinds: [name: string, points: number][] = [
      ["hundreds", 100],
      ["single", 1],
    ];
    const rows: string[] = [];
    for (const [name, points] of kinds) {
      const costs: number[] = [];
      for (let n = 0; n <= ROUNDS; n++) {
        const requests = batches(points);
        const before = cpuOf(process);
        const { good, afterwards, refused, failed } = await flood.run(process.url, {
          requests,
          seconds: SECONDS,
          connections: 16,
        });
        if (refused || Object.keys(failed).length) throw new Error(`${name}: ${refused} ${JSON.stringify(failed)}`);
        if (n) costs.push((cpuOf(process) - before) / ((good + afterwards) * points));
      }
      const us = median(costs);
      rows.push(`| through the gateway: ${name} | ${round(us)} | ${Math.round(1e6 / us).toLocaleString("en")} |`);
    }
    return rows;
  } finally {
    flood.end();
    await process.stop();
  }
}

/** A mission of a degree, and sensors of each shape that overlap in it. */
export function scene(count: number): { sensors: Covering[]; area: Area } {
  const area: Area = {
    type: "Polygon",
    coordinates: [
      [
        [10, 50],
        [11, 50],
        [11, 51],
        [10, 51],
        [10, 50],
      ],
    ],
  };
  const sensors = Array.from({ length: count }, (_, n): Covering => {
    const [longitude, latitude] = destination([10.5, 50.5], n * 137.5, 4_000 * Math.sqrt(n * 5));
    return {
      id: `s${n}`,
      location: { longitude: longitude!, latitude: latitude! },
      coverage:
        n % 2
          ? { shape: "radius", range: 9_000 + (n % 5) * 1_000 }
          : { shape: "sector", azimuth: (n * 50) % 360, width: 60 + (n % 7) * 30, range: 20_000, minRange: 500 },
    };
  });
  return { sensors, area };
}

function coverage(): string[] {
  return [25, 100].map((count) => {
    const { sensors, area } = scene(count);
    const costs = Array.from({ length: ROUNDS * 3 + 2 }, () => {
      const before = process.cpuUsage();
      atOnce(coveredBy(sensors, area));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    }).slice(2);
    return `| ${count} sensors | ${round(median(costs))} |`;
  });
}

const RADIANS = Math.PI / 180;
const [EQUATOR, E2] = [6_378_137, 0.00669437999014];

/** The area of a geodesic disc on the ellipsoid, by its curvature (Bertrand, Diquet, Puiseux), in square metres. */
function discArea(latitude: number, radius: number): number {
  const w = 1 - E2 * Math.sin(latitude * RADIANS) ** 2;
  const curvature = w ** 2 / (EQUATOR ** 2 * (1 - E2));
  return Math.PI * radius ** 2 * (1 - (curvature * radius ** 2) / 12);
}

/** The area between two parallels, for so many degrees of longitude, on the ellipsoid, in square metres. */
function zoneArea(south: number, north: number, degrees: number): number {
  const e = Math.sqrt(E2);
  const q = (latitude: number): number => {
    const sin = Math.sin(latitude * RADIANS);
    return (1 - E2) * (sin / (1 - E2 * sin * sin) + Math.atanh(e * sin) / e);
  };
  return (EQUATOR ** 2 / 2) * degrees * RADIANS * (q(north) - q(south));
}

/** How far percentages are from the truth, in points: nine discs that do not touch, in 40 missions between 60° S and N. */
function accuracy(): number {
  let worst = 0;
  for (let n = 0; n < 40; n++) {
    const [west, south] = [-180 + ((n * 47.3) % 359), -60 + ((n * 17.9) % 119)];
    const ring = [
      [west, south],
      [west + 1, south],
      [west + 1, south + 1],
      [west, south + 1],
      [west, south],
    ];
    const sensors = Array.from({ length: 9 }, (_, at): Covering => {
      const location = { longitude: west + 1 / 6 + (at % 3) / 3, latitude: south + 1 / 6 + Math.floor(at / 3) / 3 };
      return { id: `s${at}`, location, coverage: { shape: "radius", range: 3_000 + ((n * 7 + at) % 10) * 600 } };
    });
    const truth = sensors.reduce(
      (sum, { location, coverage: one }) => sum + discArea(location!.latitude, one.shape === "radius" ? one.range : 0),
      0,
    );
    const { percent } = atOnce(coveredBy(sensors, { type: "Polygon", coordinates: [ring as [number, number][]] }));
    worst = Math.max(worst, Math.abs(percent! - (truth / zoneArea(south, south + 1, 1)) * 100));
  }
  return worst;
}

/** Readings from the request to the commit, and what sensors cover. */
export async function telemetry(): Promise<string> {
  const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), "signalmesh-bench-"))));
  try {
    const rows = [...(await stores(folders[0]!)), ...(await node(folders[1]!))];
    return [
      "## Readings and coverage",
      "",
      `CPU microseconds a reading, durable when it is answered; median of ${ROUNDS} rounds in turns, ${IN_FLIGHT} batches in flight.`,
      "",
      "| What | µs a reading | a second and core |",
      "|---|---|---|",
      ...rows,
      "",
      "Union, gaps and overlap of sensors (circles, sectors) within a mission of one square degree:",
      "",
      "| What | CPU, ms |",
      "|---|---|",
      ...coverage(),
      "",
      `Of 40 missions with nine discs that do not touch, the percentage is at most ${accuracy().toFixed(5)} points from what the ellipsoid's formulas say; the aims are 0.01 points, and 20 ms for 25 sensors.`,
      "",
    ].join("\n");
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

if (import.meta.main) {
  console.log(await telemetry());
  process.exit(0);
}
