import type { ServiceBroker } from "moleculer";

interface Told {
  node: { id: string; services?: readonly { name: string }[] | null };
}

/**
 * Says once of each other node that runs domains which this one runs on its embedded store: that store belongs to one
 * process, so the other keeps what it writes somewhere else. `domains` are those with records.
 */
export function tellOfStoresApart(broker: ServiceBroker, domains: readonly string[]): void {
  const told = new Set<string>();
  const look = ({ node: { id, services } }: Told): void => {
    if (id === broker.nodeID || told.has(id)) return;
    const both = (services ?? []).filter(({ name }) => domains.includes(name) && broker.getLocalService(name));
    if (!both.length) return;
    told.add(id);
    broker.logger.error(
      `Node ${id} runs ${both.length} services that this node runs too, ${both[0]!.name} among them, and keeps its ` +
        "records in another store: what one of them is given, the other does not have. Stop one, or give all nodes one MONGO_URL.",
    );
  };
  for (const event of ["$node.connected", "$node.updated"]) broker.localBus.on(event, look);
}
