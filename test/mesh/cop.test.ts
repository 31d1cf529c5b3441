import { connect, type Client } from "../gateway/live-setup.ts";
import { eventually } from "../mesh.ts";
import { itOnStage, Nodes, startStage, type MeshNode, type Stage } from "../nodes.ts";

// Two whole nodes, of which one watches the picture; whoever looks on is told by the other.

const AREAS = "gateway,identity,workspace,platform,picture";
const UNITS = Number(process.env["UNITS"] ?? 100);
/** Changes a second. */
const PACE = 50;

let stage: Stage | undefined;
let nodes: Nodes;
let watcher: MeshNode;
let other: MeshNode;
let client: Client;
let problemSetId: string;
let layerId: string;
const units: string[] = [];

/** Asks the node that does not watch, and demands that it goes well. */
async function sure(method: string, path: string, body?: object): Promise<any> {
  const reply = await nodes.http(method, `/api${path}`, { at: other, ...(body && { body }) });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}
const move = (id: string, longitude: number): Promise<unknown> =>
  sure("PATCH", `/command/units/${id}`, { location: { latitude: 50, longitude } });
const shown = async (): Promise<Map<string, number>> =>
  new Map(
    (await sure("GET", `/cop/layers/${layerId}`)).featureCollection.features.map(({ properties, geometry }: any) => [
      properties.entityId,
      geometry.coordinates[0],
    ]),
  );

beforeAll(async () => {
  stage = await startStage();
  nodes = new Nodes(stage);
  // The first one holds the lease of the watch by the time the second is there.
  watcher = await nodes.start(AREAS, { NODE_ID: "gateway-one" });
  await nodes.knows(["/api/problem-sets/me"], watcher);
  other = await nodes.start(AREAS, { NODE_ID: "gateway-two" });
  await nodes.knows(["/api/problem-sets/me", "/api/cop/status"], other);
  client = await connect(other.url, { auth: { token: await nodes.token() } });
  problemSetId = (await sure("POST", "/problem-sets", { name: "Watched" })).id;
  await eventually(
    () => client.subscribe({ problemSetId }),
    ({ ok }) => ok,
  );
  for (let at = 0; at < UNITS; at++) {
    const place = { problemSetId, name: `Unit ${at}`, location: { latitude: 50, longitude: 10 } };
    units.push((await sure("POST", "/command/units", place)).id);
  }
  const layer = { problemSetId, name: "Units", type: "units", kind: "live", spec: { source: "units" } };
  layerId = (await sure("POST", "/cop/layers", layer)).id;
  await sure("POST", `/cop/layers/${layerId}/transition`, { to: "review" });
  await sure("POST", "/cop/agents/polling/start", { problemSetId });
  await eventually(shown, (all) => all.size === UNITS, 60_000);
}, 180_000);
afterAll(async () => {
  client?.socket.close();
  await nodes?.stop();
  await stage?.redis.stop();
}, 60_000);

itOnStage(
  `every change of ${UNITS} units, ${PACE} a second, is told once it is made`,
  async () => {
    const changed = new Map<string, number>();
    const waits = new Map<string, number>();
    client.socket.on("cop.layer.changed", ({ data: { updated } }: { data: { updated: string[] } }) => {
      for (const id of updated.map((one) => one.slice("unit:".length)))
        if (changed.has(id) && !waits.has(id)) waits.set(id, performance.now() - changed.get(id)!);
    });
    const moving: Promise<unknown>[] = [];
    for (const [at, id] of units.entries()) {
      moving.push(move(id, 11 + at / 1_000).then(() => changed.set(id, performance.now())));
      await new Promise((resolve) => setTimeout(resolve, 1_000 / PACE));
    }
    await Promise.all(moving);
    await eventually(
      () => waits.size,
      (count) => count === UNITS,
      60_000,
    );
    const sorted = [...waits.values()].sort((one, other) => one - other);
    const share = (of: number): number => Math.round(sorted[Math.floor(of * (sorted.length - 1))]!);
    console.info(
      `${UNITS} changes: told after ${share(0.5)} ms at the median, ${share(0.95)} of 95 in 100, ${share(1)} at most`,
    );
    const places = await shown();
    for (const [at, id] of units.entries()) expect(places.get(id)).toBe(11 + at / 1_000);
  },
  120_000,
);

itOnStage(
  "a change while the node that watches is killed is told by the other one, and none is missed",
  async () => {
    const told = new Set<string>();
    client.socket.on("cop.layer.changed", ({ data: { updated } }: { data: { updated: string[] } }) => {
      for (const id of updated) told.add(id.slice("unit:".length));
    });
    const [before, during, after] = [units.slice(0, 20), units.slice(20, 40), units.slice(40, 60)];
    await Promise.all(before.map((id) => move(id, 12)));
    const killed = watcher.kill();
    told.clear();
    await Promise.all(during.map((id) => move(id, 12)));
    await killed;
    const began = performance.now();
    await Promise.all(after.map((id) => move(id, 12)));
    const moved = [...before, ...during, ...after];
    await eventually(shown, (places) => moved.every((id) => places.get(id) === 12), 60_000);
    console.info(`the picture was right ${Math.round(performance.now() - began)} ms after the kill`);
    await eventually(
      () => [...during, ...after].filter((id) => !told.has(id)),
      (missed) => missed.length === 0,
      10_000,
    );
  },
  120_000,
);
