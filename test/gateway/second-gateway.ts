import { ServiceBroker, type ServiceSchema } from "moleculer";
import { lineOf } from "../../adapters/transporter/index.ts";
import { brokerOptions } from "../../config/broker.ts";
import { commonsOf, equip } from "../../mixins/domain.mixin.ts";
import { cancelServiceNews } from "../../mesh/private/moleculer.ts";
import gateway from "../../services/gateway/gateway.service.ts";
import { isApart } from "../apart.ts";
import { eventually, type TestWorld } from "../mesh.ts";

/** What a world of one process is to be started with, so that a second gateway can join it. */
export const WITHIN_REACH = { transporter: "Fake", nodeID: "first" } as const;

/**
 * A second gateway of the same mesh, on a node of its own: over the mesh's transporter, or Moleculer's in memory where
 * it has none.
 */
export async function secondGateway(at: TestWorld): Promise<ServiceBroker> {
  const line = at.nodes.length > 1 || isApart ? lineOf(at.env).options : { transporter: WITHIN_REACH.transporter };
  const broker = new ServiceBroker({
    ...brokerOptions(at.env),
    ...line,
    nodeID: "second",
    logger: false,
    skipProcessEventRegistration: true,
    stopped: cancelServiceNews,
  });
  equip(broker, at.mesh.world, commonsOf(at.mesh.broker).services);
  broker.createService(gateway as unknown as ServiceSchema);
  await broker.start();
  const known = at.mesh.broker.registry.getServiceList({ onlyAvailable: true, skipInternal: true } as never) as {
    name: string;
  }[];
  await broker.waitForServices(
    known.map(({ name }) => name),
    30_000,
    20,
  );
  // Moleculer tells the others within a second; until then nothing that is sent from there comes here.
  await broker.registry.discoverer.sendLocalNodeInfo();
  const knownThere = () =>
    at.mesh.broker.registry.getServiceList({ onlyAvailable: true } as never) as { nodeID: string; name: string }[];
  await eventually(knownThere, (list) => list.some(({ nodeID, name }) => nodeID === "second" && name === "gateway"));
  return broker;
}
