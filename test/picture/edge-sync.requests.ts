import { oncePerWorld, stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import { basesOf } from "../../core/sync/merge.ts";
import { Device } from "./edge-device.ts";

const aDevice = () =>
  oncePerWorld(async (at) => {
    const { commander } = await desk(at);
    return new Device(at, commander).enrol({ name: "Row" });
  });
/** Of what a row has one say, nobody knows whether it is sent: it says nothing else. */
const [device, sender] = [aDevice(), aDevice()];

/** A record whose name the hub and a node changed apart: a conflict. Answers its id. */
async function conflicted(at: TestWorld, node: Device, fields: object): Promise<string> {
  const { id } = await made(at, "POST", "/api/resources", fields, node.who);
  await node.pull();
  const bases = basesOf(node.state(id), "description");
  await made(at, "PATCH", `/api/resources/${id}`, { description: "by hub" }, node.who);
  const text = (fields as { description: string }).description;
  await node.push({ entity: "resource", id, op: "set", field: "description", value: `${text} 2`, bases });
  return id;
}

export const requests: Rows["requests"] = {
  "POST /api/edge-sync/nodes": async (at) => {
    const { commander } = await desk(at);
    const node = new Device(at, commander);
    await node.bind();
    return {
      path: "/api/edge-sync/nodes",
      as: commander.token,
      body: { name: "Row", did: node.did },
      effect: stored("edge_sync_nodes"),
    };
  },
  "POST /api/edge-sync/sync": async (at) => {
    const node = await sender(at);
    const { id } = await desk(at);
    const value = { problemSetId: id, name: "Row", unit: "l" };
    const made = crypto.randomUUID();
    return {
      path: "/api/edge-sync/sync",
      as: node.who.token,
      body: node.signed(node.numbered([{ entity: "consumable", id: made, op: "set", value }])),
      effect: stored("resources_consumables"),
    };
  },
  "POST /api/edge-sync/conflicts/:id/resolve": async (at) => {
    const node = await device(at);
    const set = (await desk(at)).id;
    const id = await conflicted(at, node, { problemSetId: set, name: "Row", description: "Row" });
    const { body } = await node.call("GET", `/api/edge-sync/conflicts?problemSetId=${set}&limit=100`);
    const conflict = body.data.find((one: { recordId: string }) => one.recordId === id);
    return {
      path: `/api/edge-sync/conflicts/${conflict.id}/resolve`,
      as: node.who.token,
      body: { field: "description", value: "decided", seen: conflict.seen },
    };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const node = await new Device(at, by).enrol({ name: text, problemSetIds: [problemSetId] });
  const id = await conflicted(at, node, { problemSetId, compartments, name: text, description: text });
  const { body } = await node.call("GET", `/api/edge-sync/conflicts?problemSetId=${problemSetId}&limit=100`);
  const conflict = body.data.find((one: { recordId: string }) => one.recordId === id);
  return { "/api/edge-sync/nodes/:id": node.id, "/api/edge-sync/conflicts/:id": conflict.id };
}
