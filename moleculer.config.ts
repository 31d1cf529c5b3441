import type { BrokerOptions, ServiceBroker } from "moleculer";
import { serveHealth } from "./mesh/health-port.ts";
import { prepareNode, type NodeParts } from "./mesh/mesh.ts";
import { serveOperators } from "./mesh/operator-socket.ts";
import { openOperatorTerminal } from "./scripts/repl/operator-terminal.ts";
import { sayWhyNot, settingsHere } from "./scripts/refusal.ts";
import { sayWhereThingsAre } from "./scripts/where-things-are.ts";

/**
 * For Moleculer's own runner, as `npm start` for everybody else: `moleculer-runner -c moleculer.config.ts
 * 'services/**\/*.service.ts'`. The runner makes the broker and its services; what a node needs besides is hung into
 * its life here.
 */
export default async function configuration(): Promise<BrokerOptions> {
  const node = await prepareNode(settingsHere()).catch(sayWhyNot);
  return {
    ...node.options,
    middlewares: [lineOfOurOwn(node), ...node.options.middlewares!, lifeOf(node)] as BrokerOptions["middlewares"],
  };
}

/**
 * The runner puts the variable TRANSPORTER in the place of our transporter, and Moleculer makes its own of it;
 * middlewares come before that.
 */
const lineOfOurOwn =
  ({ options: { transporter } }: NodeParts) =>
  (broker: ServiceBroker) => {
    broker.options.transporter = transporter;
    return { name: "Line of our own" };
  };

/** What `npm start` does before a broker starts, after it has, and in the place of its stop. */
const lifeOf = (node: NodeParts) => ({
  name: "Life of a node",
  created(broker: ServiceBroker) {
    const open = broker.repl.bind(broker);
    broker.repl = () => openOperatorTerminal(broker, { open });
  },
  starting: (broker: ServiceBroker) => node.beforeStart(broker).catch(sayWhyNot),
  async started(broker: ServiceBroker) {
    const stopBroker = broker.stop.bind(broker);
    const mesh = await node.afterStart(broker, stopBroker).catch(sayWhyNot);
    const endHealth = mesh.url ? undefined : await serveHealth(mesh);
    const endOperators = await serveOperators(mesh);
    let stopped: Promise<void> | undefined;
    // Signals, the REPL and the runner all stop a broker by this, some of them twice.
    broker.stop = () => {
      endOperators();
      return (stopped ??= mesh.stop().then(() => endHealth?.()));
    };
    await sayWhereThingsAre(mesh);
  },
});
