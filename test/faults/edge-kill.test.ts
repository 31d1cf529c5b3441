import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { shownOf } from "../../core/sync/merge.ts";
import { Device, uuid } from "../picture/edge-device.ts";
import { askNode, signIn, startNode, type NodeProcess } from "../process.ts";

// Batches of an edge node over kills of the hub in the middle of them: each change is had once, and none is lost that
// was made at the hub meanwhile.

const KILLS = Number(process.env["KILL_CYCLES"] ?? 4);
const BATCH = 24;
let dataDir: string;
let hub: NodeProcess;
let token: string;
let device: Device;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-edge-"));
  hub = await startNode({ DATA_DIR: dataDir });
  token = await signIn(hub.url);
  const at = { http, clock: { now: () => Date.now() } };
  device = await new Device(at as never, { token } as never).enrol();
}, 120_000);
afterAll(async () => {
  await hub?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

async function http(method: string, path: string, { body }: { body?: unknown }): Promise<unknown> {
  const reply = await fetch(hub.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, text, body: text ? JSON.parse(text) : undefined };
}
const ask = async (method: string, path: string, body?: unknown): Promise<any> =>
  (await askNode(hub, token, method, path, body)).data;

it(`over ${KILLS} kills of the hub nothing that a node sent is lost or had twice`, async () => {
  const set = (await ask("POST", "/problem-sets", { name: "Flood" })).id;
  const fuel = await ask("POST", "/resources/consumables", {
    problemSetId: set,
    name: "Oil",
    unit: "l",
    level: 100_000,
  });
  const truck = await ask("POST", "/resources", { problemSetId: set, name: "Truck" });
  await device.pull();
  let level = 100_000;
  const made: string[] = [];
  let cut = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // At the hub, by another way: it is not followed yet when the hub dies.
    const name = `Truck ${kill}`;
    await ask("PATCH", `/resources/${truck.id}`, { name });
    await ask("PATCH", `/resources/consumables/${fuel.id}/level`, { delta: 1_000 });
    level += 1_000;
    const changes = Array.from({ length: BATCH }, (_, n) => {
      if (n % 4 === 3) {
        made.push(uuid());
        const value = { problemSetId: set, name: `Made ${kill} ${n}` };
        return { entity: "resource", id: made.at(-1)!, op: "set" as const, value };
      }
      level -= n + 1;
      return { entity: "consumable", id: fuel.id, op: "delta" as const, field: "level", value: -(n + 1) };
    });
    const body = device.signed(device.numbered(changes));
    const answered = device.send(body).catch(() => null);
    await pause(10 + ((kill * 37) % 150));
    await hub.kill();
    if (!(await answered)) cut += 1;
    hub = await startNode({ DATA_DIR: dataDir });
    for (;;) {
      const reply = await device.send(body);
      if (reply.status === 200) {
        for (const { status } of reply.body.data.answers) expect(["applied", "duplicate"]).toContain(status);
        break;
      }
      expect([reply.status, reply.body.error.code]).toEqual([409, "BUSY"]);
      await pause(500);
    }
    expect((await ask("GET", `/resources/consumables/${fuel.id}`)).level).toBe(level);
    await device.pull();
    expect(shownOf(device.state(truck.id))["name"]).toBe(name);
  }
  expect(cut).toBeGreaterThan(0);
  expect(shownOf(device.state(fuel.id))["level"]).toBe(level);
  for (const id of made) expect((await ask("GET", `/resources/${id}`)).name).toMatch(/^Made/);
  const { meta } = await askNode(hub, token, "GET", `/resources?problemSetId=${set}&limit=1`);
  expect(meta.total).toBe(made.length + 1);
  expect((await ask("GET", `/edge-sync/nodes/${device.id}`)).lastSeq).toBe(device.seq);
}, 600_000);
