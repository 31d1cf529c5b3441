import { ServiceBroker, type ServiceSchema } from "moleculer";
import { lineOf } from "../adapters/transporter/index.ts";
import { openWorld } from "../adapters/world.ts";
import { brokerOptions } from "../config/broker.ts";
import { processEnv } from "../config/env.ts";
import { equip } from "../mixins/domain.mixin.ts";
import { guarded } from "../mesh/guards/guards.ts";
import { allServices } from "../services/index.ts";
import { openOperatorTerminal } from "./operator-terminal.ts";
import { sayWhyNot } from "./refusal.ts";

/**
 * `npm run repl`: joins the mesh by TRANSPORTER; without one it runs every area but the gateway itself, on the embedded
 * stores.
 */
const env = processEnv();
const services = await allServices();
const world = await openWorld(env, { guest: true }).catch(sayWhyNot);

const broker = new ServiceBroker(
  guarded({
    ...brokerOptions({ ...env, LOG_LEVEL: "warn" }),
    ...lineOf(env).options,
    nodeID: `${env.NODE_ID ?? "operator"}-repl-${process.pid}`,
  }),
);
equip(
  broker,
  world,
  services.map(({ service }) => service),
);
if (!env.TRANSPORTER)
  for (const { area, service } of services)
    if (area !== "gateway") broker.createService(service as unknown as ServiceSchema);
await broker.start();
openOperatorTerminal(broker);
