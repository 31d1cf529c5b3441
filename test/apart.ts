import { randomBytes } from "node:crypto";
import type { BrokerOptions } from "moleculer";
import { AREAS, readEnv } from "../config/env.ts";
import type { Clock } from "../core/clock.ts";
import type { MeshService } from "../core/endpoint.ts";
import { startMesh, type Mesh } from "../scripts/mesh.ts";

export type Settings = Record<string, string>;
export interface Traits { clock: Clock; extra: MeshService[]; options: BrokerOptions; quiet: boolean }

/** Nodes that form one mesh, in this process; the one with the gateway first. */
export async function startNodes(settings: Settings, traits: Traits): Promise<Mesh[]> {
  const env = readEnv(settings);
  return env.TRANSPORTER && env.MONGO_URL ? startAreas(settings, env.SERVICES ?? AREAS, traits) : [await startMesh(env, traits)];
}

/** A broker for each area, each with clients, stores and caches of its own: whatever one area asks of another goes over the wire. */
async function startAreas(settings: Settings, areas: readonly string[], traits: Traits): Promise<Mesh[]> {
  const name = settings["NODE_ID"] ?? randomBytes(4).toString("hex");
  const onTheWire = Object.fromEntries(Object.entries(traits.options).filter(([name]) => name !== "transporter" && name !== "nodeID"));
  const asked = [...areas].sort((one, other) => Number(other === "gateway") - Number(one === "gateway"));
  const started = await Promise.allSettled(asked.map((area) => startMesh(readEnv({ ...settings, SERVICES: area, NODE_ID: `${name}-${area}` }), { ...traits, options: onTheWire })));
  const nodes = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = started.find((one) => one.status === "rejected");
  if (failed) {
    await stopNodes(nodes);
    throw failed.reason;
  }
  await Promise.all(nodes.map((node) => knowsAll(node, nodes)));
  return nodes;
}

/** As a load balancer does it: asked are only those who know all others. */
const knowsAll = ({ broker }: Mesh, nodes: readonly Mesh[]): Promise<unknown> =>
  broker.waitForServices(nodes.flatMap((node) => node.broker.services.map(({ name }) => name)).filter((name) => !name.startsWith("$")), 30_000, 20);

/** The gateway first, as an operator would. */
export async function stopNodes([gateway, ...areas]: readonly Mesh[]): Promise<void> {
  await gateway?.stop();
  await Promise.all(areas.map((node) => node.stop()));
}
