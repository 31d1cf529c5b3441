import { randomBytes } from "node:crypto";
import type { BrokerOptions } from "moleculer";
import type { OutboxMail } from "../adapters/mail.ts";
import { AREAS, readEnv } from "../config/env.ts";
import type { Clock } from "../core/clock.ts";
import type { MeshService } from "../core/contract/endpoint.ts";
import { commonsOf } from "../mixins/domain.mixin.ts";
import { startMesh, type Mesh } from "../mesh/mesh.ts";
import { allServices } from "../services/index.ts";
import { startProcesses } from "./processes.ts";

export type Settings = Record<string, string>;
export interface Traits {
  clock: Clock & { advance(milliseconds: number): void; readonly stands?: boolean; readonly leapt?: number };
  extra: MeshService[];
  options: BrokerOptions;
  quiet: boolean;
}

/** Whether services run in other processes than the test's. */
export const isApart =
  process.env["APART"] === "processes" && Boolean(process.env["TRANSPORTER"] && process.env["MONGO_URL"]);

/** The nodes of one mesh. */
export interface Fleet {
  /** Those in this process; the first knows the gateway's address. */
  nodes: readonly Mesh[];
  /** Letters that any node has sent, newest first. */
  letters(): readonly OutboxMail[];
  /** Resolves when the nodes in other processes know these services. */
  know(services: readonly string[]): Promise<unknown>;
  /** All nodes look for work now. */
  poke(): void;
  /** Resolves when every node's clock has been moved as the test's was. */
  inStep(): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * One node on embedded stores; on the three servers a node for each area: of this process, or (`APART=processes`) in
 * processes of their own.
 */
export async function startFleet(settings: Settings, traits: Traits): Promise<Fleet> {
  const env = readEnv(settings);
  const areas = env.SERVICES ?? AREAS;
  if (!env.TRANSPORTER || !env.MONGO_URL) return fleetOf([await startMesh(env, traits)]);
  return isApart ? startProcesses(settings, areas, traits) : fleetOf(await startAreas(settings, areas, traits));
}

const fleetOf = (nodes: readonly Mesh[]): Fleet => ({
  nodes,
  letters: () =>
    nodes.flatMap(({ world: { mail } }) => mail.outbox()).sort((one, other) => other.at.localeCompare(one.at)),
  poke: () => {
    for (const { broker } of nodes) commonsOf(broker).jobs.poke();
  },
  know: () => Promise.resolve(),
  inStep: () => Promise.resolve(),
  stop: () => stopNodes(nodes),
});

/** Those of these areas that have services, the gateway first, as an operator would stop them. */
export async function inhabited(areas: readonly string[]): Promise<string[]> {
  const found = new Set((await allServices()).map(({ area }) => area as string));
  return areas
    .filter((area) => found.has(area))
    .sort((one, other) => Number(other === "gateway") - Number(one === "gateway"));
}

/**
 * A broker for each area, each with clients, stores and caches of its own: whatever one area asks of another goes over
 * the wire.
 */
async function startAreas(settings: Settings, areas: readonly string[], traits: Traits): Promise<Mesh[]> {
  const name = settings["NODE_ID"] ?? randomBytes(4).toString("hex");
  const onTheWire = Object.fromEntries(
    Object.entries(traits.options).filter(([name]) => name !== "transporter" && name !== "nodeID"),
  );
  const started = await Promise.allSettled(
    (await inhabited(areas)).map((area) =>
      startMesh(readEnv({ ...settings, SERVICES: area, NODE_ID: `${name}-${area}` }), {
        ...traits,
        options: onTheWire,
      }),
    ),
  );
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
  broker.waitForServices(
    nodes.flatMap((node) => node.broker.services.map(({ name }) => name)).filter((name) => !name.startsWith("$")),
    30_000,
    20,
  );

async function stopNodes([gateway, ...areas]: readonly Mesh[]): Promise<void> {
  await gateway?.stop();
  await Promise.all(areas.map((node) => node.stop()));
}
