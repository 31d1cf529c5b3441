import { ServiceBroker, type ServiceSchema } from "moleculer";
import { openWorld } from "../adapters/world.ts";
import { brokerOptions } from "../config/broker.ts";
import { processEnv } from "../config/env.ts";
import { systemActor } from "../core/access.ts";
import { equip } from "../mixins/domain.mixin.ts";
import { allServices } from "../services/index.ts";

/** `npm run repl`: joins the mesh by TRANSPORTER; without one it runs every area but the gateway itself, on the embedded stores. */
const env = processEnv();
const services = await allServices();
const world = openWorld(env);
const asOperator = { meta: { actor: systemActor("operator") } };

const command = (name: string, description: string, action: (broker: ServiceBroker) => Promise<unknown>) => ({
  command: name, description,
  async action(broker: ServiceBroker) { console.log(await action(broker)); },
});

/** Page by page, one source after the other; answers how each went. */
async function refreshAll(b: ServiceBroker): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (let page = 1; ; page++) {
    const { data } = await b.call<{ data: { id: number; name: string; active: boolean }[] }, object>("sources.list", { page, limit: 100 }, asOperator);
    for (const { id, name, active } of data) if (active) outcomes[`${id} ${name}`] = (await b.call<{ message: string }, object>("sources.refresh", { id }, asOperator)).message;
    if (data.length < 100) return outcomes;
  }
}

const broker = new ServiceBroker({
  ...brokerOptions({ ...env, LOG_LEVEL: "warn" }),
  nodeID: `${env.NODE_ID ?? "operator"}-repl-${process.pid}`,
  replOptions: {
    delimiter: "signalmesh $ ",
    customCommands: [
      command("sources", "The sources and their health", async (b) => (await b.call<{ data: object[] }, object>("sources.list", { limit: 100 }, asOperator)).data),
      command("ingest", "Fetch every active source now", refreshAll),
      command("reindex", "Build the search index anew", (b) => b.call("search.reindex", {}, asOperator)),
      command("work", "Background work, newest first", async (b) => (await b.call<{ data: object[] }, object>("jobs.list", {}, asOperator)).data),
      command("audit", "Recompute the audit log", (b) => b.call("audit.verify", {}, asOperator)),
    ],
  },
} as never);
equip(broker, world, services.map(({ service }) => service));
if (!env.TRANSPORTER) for (const { area, service } of services) if (area !== "gateway") broker.createService(service as unknown as ServiceSchema);
await broker.start();
broker.repl();
