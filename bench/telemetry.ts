import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocuments } from "../adapters/documents/index.ts";
import { openReadings } from "../adapters/readings/index.ts";
import type { Area } from "../core/geo/area-field.ts";
import { destination } from "../core/geo/earth.ts";
import type { Point } from "../core/records/readings.ts";
import { atOnce } from "../core/work/turns.ts";
import { coveredBy, type Covering } from "../services/picture/sensors/coverage.ts";
import { Flood, text } from "../test/faults/load/flood.ts";
import { signIn, startNode } from "../test/process.ts";
import { cpuOf, many, median, round } from "./measure.ts";

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
  const points = (count: number): Point[] =>
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
    const now = Date.now() - 3_600_000;
    const batches = (size: number) =>
      Array.from({ length: 64 }, (_, batch) =>
        text("POST", "/api/resources/telemetry", token, {
          resourceId: id,
          series: { t: Array.from({ length: size }, (_none, n) => [now + batch * size + n, n]) },
        }),
      );
    const kinds: [name: string, points: number, requests: string[]][] = [
      ["hundreds", 100, batches(100)],
      ["single", 1, batches(1)],
    ];
    const rows: string[] = [];
    for (const [name, points, requests] of kinds) {
      const costs: number[] = [];
      for (let n = 0; n <= ROUNDS; n++) {
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
    ].join("\n");
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

if (import.meta.main) {
  console.log(await telemetry());
  process.exit(0);
}
