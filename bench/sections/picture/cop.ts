import { setTimeout as pause } from "node:timers/promises";
import { setPermitsOf } from "../../../config/set-roles.ts";
import type { Actor } from "../../../core/access/access.ts";
import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { LIVE_SENT, type LiveMessage } from "../../../core/contract/live.ts";
import { cellOf } from "../../../core/geo/cells.ts";
import { circle } from "../../../core/geo/earth.ts";
import { readGeoJson } from "../../../core/geo/geojson.ts";
import { inStretches, placeAsked } from "../../../core/geo/place-query.ts";
import type { Position } from "../../../core/geo/positions.ts";
import { newId } from "../../../core/ids.ts";
import { atOnce } from "../../../core/work/turns.ts";
import { startMesh } from "../../../mesh/mesh.ts";
import { Contradictions, type ComparedFeature } from "../../../services/picture/cop/conflicts/conflict-detection.ts";
import { LayerFeature } from "../../../services/picture/cop/generation/features.ts";
import { PAIRS } from "../../judgement/linkages/pairs.ts";
import { proposed } from "../../../services/picture/cop/linkages/matching.ts";
import { isQuick, many, median, round } from "../../measure.ts";
import { onNode } from "../../node.ts";

const ROUNDS = many(9);
const POLYGONS = many(1_000, 50);
const AREAS = many(10_000, 200);
const PLACES = many(50_000, 500);
const CHANGES = many(60, 3);
/** A change is compared once it has been quiet for a second. */
const COMPARED_AFTER_MS = many(2_200, 10);

/** The same places in every run. */
function places(seed: number): () => Position {
  let state = seed;
  const next = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  return () => [5 + 10 * next(), 47 + 7 * next()];
}

/** CPU milliseconds of this process. */
function spent(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function validator(): string {
  const place = places(1);
  const corners = [5, 21, 21, 21];
  const features = Array.from({ length: POLYGONS }, (_none, at) => ({
    type: "Feature",
    properties: { name: `Area ${at}` },
    geometry: { type: "Polygon", coordinates: [circle(place(), 500, corners[at % 4]! - 1)] },
  }));
  const text = JSON.stringify({ type: "FeatureCollection", features });
  const [parsing, reading]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3 * ROUNDS; round++) {
    let parsed: unknown;
    parsing.push(spent(() => (parsed = JSON.parse(text))));
    reading.push(spent(() => atOnce(readGeoJson("features", parsed))));
  }
  const ring = circle([10, 50], 5_000, many(20_000, 100)).map(([lon, lat], at): Position => [
    lon + (at % 2 ? 1e-5 : 0),
    lat,
  ]);
  ring[ring.length - 1] = ring[0]!;
  const long = Array.from({ length: ROUNDS }, () =>
    spent(() => atOnce(readGeoJson("geometry", { type: "Polygon", coordinates: [ring] }))),
  );
  return `| ${POLYGONS} polygons of ${round(text.length / 1_024, 0)} KiB: JSON.parse | ${round(median(parsing))} |
| the same read, checked and mended by \`core/geo\` | ${round(median(reading))} |
| a ring of ${ring.length - 1} corners that is not convex: no crossing | ${round(median(long))} |`;
}

function conflicts(): string {
  const place = places(2);
  const areas: ComparedFeature[] = Array.from({ length: AREAS }, (_none, at) => ({
    id: `f${at}`,
    layerId: `layer ${at % 20}`,
    featureId: String(at),
    compartments: [],
    geometry: { type: "Polygon", coordinates: [circle(place(), 2_000, 24)] },
    properties: { exclusive: true, name: `Range ${at}` },
  }));
  const now = Date.now();
  let found = 0;
  let longest = 0;
  const all = Array.from({ length: ROUNDS }, () =>
    spent(() => {
      let work!: ReturnType<Contradictions["all"]>;
      longest = Math.max(
        longest,
        spent(() => (work = new Contradictions(areas, now).all())),
      );
      const step = (): boolean => {
        const { done, value } = work.next();
        if (done) found = value.length;
        return done === true;
      };
      for (;;) {
        let isOver = false;
        const cost = spent(() => (isOver = step()));
        longest = Math.max(longest, cost);
        if (isOver) break;
      }
    }),
  );
  const finder = new Contradictions(areas, now);
  const one = Array.from({ length: many(200) }, (_none, at) =>
    spent(() =>
      finder.of({
        ...areas[(at * 37) % AREAS]!,
        geometry: { type: "Polygon", coordinates: [circle(place(), 2_000, 24)] },
      }),
    ),
  );
  return `| ${AREAS} exclusive areas compared: ${found} conflicts | ${round(median(all))} |
| the longest step of that | ${round(longest)} |
| one changed area against them all | ${round(median(one), 2)} |`;
}

function linkages(): string {
  const judged = PAIRS.map(({ same, feature, record }) => ({ same, said: proposed(feature, record) !== null }));
  const right = judged.filter(({ same, said }) => same && said).length;
  const precision = right / judged.filter(({ said }) => said).length;
  const recall = right / judged.filter(({ same }) => same).length;
  return `Linkages, ${PAIRS.length} labelled pairs (${PAIRS.filter(({ trap }) => trap).length} traps): precision ${round(precision, 3)}, recall ${round(recall, 3)}. The set is small and its weights were chosen with it in sight: it shows what a change does, and forecasts nothing.`;
}

const actor = (userId: string, problemSetId: string): Actor => ({
  userId,
  roles: ["analyst"],
  via: "jwt",
  permits: ["*:read"],
  memberships: { [problemSetId]: { role: "commander", permits: setPermitsOf("commander"), compartments: [] } },
});

/** Both want a store: places asked for by index, and a change on its way to those who look on. */
async function node(): Promise<string> {
  return onNode("workspace,identity,platform,picture", async (mesh) => {
    const rows = [await placeQueries(mesh), await changes(mesh)];
    for (const [layers, units] of [
      [10, 100],
      [400, 100],
      [1, many(2_000, 10)],
    ] as const)
      rows.push(await watched(mesh, isQuick ? 2 : layers, units));
    return rows.join("\n");
  });
}
type Mesh = Awaited<ReturnType<typeof startMesh>>;

async function placeQueries({ world }: Mesh): Promise<string> {
  const points = await world.documents.collection("bench_places", {
    indexes: [{ fields: ["problemSetId", "cell"] }],
  });
  const place = places(3);
  const docs = Array.from({ length: PLACES }, (_none, at) => {
    const position = place();
    return { _id: `p${at}`, problemSetId: "p", position, cell: cellOf(position) };
  });
  await points.insertMany(docs);
  const timed = async (work: (near: Position) => Promise<number>): Promise<{ ms: number; found: number }> => {
    const where = places(4);
    const all: number[] = [];
    let found = 0;
    for (let asked = 0; asked < many(60); asked++) {
      const before = process.cpuUsage();
      found += await work(where());
      const { user, system } = process.cpuUsage(before);
      all.push((user + system) / 1_000);
    }
    return { ms: median(all), found };
  };
  const near = (position: Position) => placeAsked({ near: [position[0]!, position[1]!, 10_000] })!;
  const indexed = await timed(async (position) => {
    const asked = near(position);
    const rows = await points.find({ query: inStretches(asked, { problemSetId: "p" }) });
    return rows.filter((row) => asked.holds(row["position"])).length;
  });
  const scanned = await timed(async (position) => {
    const asked = near(position);
    const [lon, lat] = position;
    const rows = await points.find({
      query: {
        problemSetId: "p",
        "position.0": { $gt: lon - 0.2, $lt: lon + 0.2 },
        "position.1": { $gt: lat - 0.1, $lt: lat + 0.1 },
      },
    });
    return rows.filter((row) => asked.holds(row["position"])).length;
  });
  return `| places within 10 km among ${PLACES}, by quadkey (${indexed.found} found) | ${round(indexed.ms, 2)} |
| the same by a scan (${scanned.found} found) | ${round(scanned.ms, 2)} |`;
}

/** A problem set with a planner and a commander in it, who bring layers onto the COP. */
function desk({ broker }: Mesh) {
  const problemSetId = newId();
  const [ann, ben] = [actor("ann", problemSetId), actor("ben", problemSetId)];
  const call = <T = { id: string; version: number }>(action: string, params: object, who = ann): Promise<T> =>
    broker.call<T, object>(action, params, { meta: { actor: who } });
  const unit = (name: string) =>
    call("command.units.create", { problemSetId, name, location: { latitude: 50, longitude: 10 } });
  async function onCop(fields: object): Promise<void> {
    const layer = await call("cop.layers.create", { problemSetId, type: "units", ...fields });
    await call("cop.layers.move", { id: layer.id, to: "review" });
    await call("cop.layers.move", { id: layer.id, to: "published", version: 1 }, ben);
    await call("cop.layers.move", { id: layer.id, to: "cop" });
  }
  const move = (id: string, longitude: number) =>
    call("command.units.update", { id, location: { latitude: 50, longitude } });
  return { problemSetId, call, unit, onCop, move };
}

/** Answers what waits for the next live event of a layer. */
function listener({ broker }: Mesh): () => Promise<void> {
  let told = (): void => {};
  broker.createService({
    name: `bench-listener-${newId()}`,
    events: {
      [LIVE_SENT]: {
        context: true,
        handler: ({ params }: { params: LiveMessage }) => {
          if (params.event === "cop.layer.changed") told();
        },
      },
    },
  } as never);
  return () => new Promise<void>((resolve) => (told = resolve));
}

async function changes(mesh: Mesh): Promise<string> {
  const { problemSetId, call, unit, onCop, move } = desk(mesh);
  const { id } = await unit("2-7 IN");
  await onCop({ name: "Units", kind: "live", spec: { source: "units" } });
  const next = listener(mesh);
  const first = next();
  await call("cop.agents.start", { problemSetId });
  await first;
  const waits: number[] = [];
  for (let at = 0; at < CHANGES; at++) {
    const told = next();
    const began = performance.now();
    await move(id, 10 + at / 1_000 + 0.001);
    await told;
    waits.push(performance.now() - began);
  }
  await call("cop.agents.stop", { problemSetId });
  const sorted = waits.sort((one, other) => one - other);
  const p95 = sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))]!;
  return `| from a unit's move to \`cop.layer.changed\`, one node, ${CHANGES} moves one after the other: median, by the clock | ${round(median(waits), 0)} |
| the same, 95 of 100 | ${round(p95, 0)} |`;
}

/** What one move of a unit costs a watched picture: made anew, told, and compared with all that it shows. */
async function watched(mesh: Mesh, layers: number, units: number): Promise<string> {
  const { problemSetId, call, unit, onCop, move } = desk(mesh);
  const place = places(5);
  const each = Math.floor(many(10_000, 100) / layers);
  for (let layer = 0; layer < layers; layer++) {
    const features = Array.from({ length: each }, (_none, at) => ({
      type: "Feature",
      properties: { name: `Mark ${layer}-${at}` },
      geometry: { type: "Point", coordinates: place() },
    }));
    await onCop({ name: `Drawn ${layer}`, spec: { type: "FeatureCollection", features } });
  }
  const ids: string[] = [];
  for (let at = 0; at < units; at++) ids.push((await unit(`Unit ${at}`)).id);
  await onCop({ name: "Units", kind: "live", spec: { source: "units" } });
  const next = listener(mesh);
  await call("cop.agents.start", { problemSetId });
  const host = mesh.broker.getLocalService("cop") as unknown as Host;
  const shown = () => host.store(LayerFeature).count(asSystem("bench"), { problemSetId });
  while ((await shown()) < layers * each + units) await pause(500);
  await pause(many(8_000, 10));
  const costs: number[] = [];
  for (let at = 0; at < many(12, 1); at++) {
    const told = next();
    const before = process.cpuUsage();
    await move(ids[at % units]!, 10.5 + at / 1_000);
    await told;
    // Until what changed has been compared.
    await pause(COMPARED_AFTER_MS);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1_000);
  }
  await call("cop.agents.stop", { problemSetId });
  return `| one move of ${units} units, beside ${layers} drawn layers of ${each} features: moved, told and compared | ${round(median(costs))} |`;
}

/** The common picture: reading what is drawn, finding what lies somewhere, contradicts itself, or has changed. */
export async function cop(): Promise<string> {
  const rows = [validator(), conflicts(), await node()].join("\n");
  return `## The common picture

Milliseconds of CPU of this process, medians, unless the clock is named.

| What | ms |
|---|---|
${rows}

${linkages()}

The aims: conflicts of 10,000 areas 500, steps 50, one change 5, 95 of 100 changes told within 1,000.
`;
}
