import { ServiceBroker } from "moleculer";
import { lineOf } from "../adapters/transporter/index.ts";
import { openWorld } from "../adapters/world.ts";
import { brokerOptions } from "../config/broker.ts";
import type { Env } from "../config/env.ts";
import { equip } from "../mixins/domain.mixin.ts";
import { guarded } from "../mesh/guards/guards.ts";
import { allServices } from "../services/index.ts";
import { openOperatorTerminal } from "./repl/operator-terminal.ts";
import { sayWhyNot, settingsHere } from "./refusal.ts";
import { brokerFor, runningOn } from "./repl/join.ts";
import { brokerOnStore, wantsLook } from "./repl/look.ts";
import { LOOKING } from "./repl/session.ts";

/**
 * `npm run repl`: joins the mesh by TRANSPORTER; without one the platform that runs on DATA_DIR. Where none runs it
 * offers to look at the store.
 */
async function main(env: Env): Promise<void> {
  if (env.TRANSPORTER) return open(await brokerInMesh(env));
  const running = await runningOn(env.DATA_DIR);
  if (running) {
    console.log(`This is node ${running.node}, which runs on ${env.DATA_DIR}.`);
    running.gone(() => {
      console.log("\nThe platform was stopped.");
      process.exit(0);
    });
    return open(brokerFor(env, running));
  }
  if (!(await wantsLook(env, process.argv.slice(2)))) return void (process.exitCode = 1);
  console.log(LOOKING);
  return open(await brokerOnStore(env), { looks: true });
}

async function brokerInMesh(env: Env): Promise<ServiceBroker> {
  const world = await openWorld(env, { guest: true });
  const options = { ...brokerOptions({ ...env, LOG_LEVEL: "warn" }), ...lineOf(env).options };
  const broker = new ServiceBroker(guarded({ ...options, nodeID: `${env.NODE_ID ?? "operator"}-repl-${process.pid}` }));
  const services = await allServices();
  equip(
    broker,
    world,
    services.map(({ service }) => service),
  );
  return broker;
}

async function open(broker: ServiceBroker, { looks = false } = {}): Promise<void> {
  await broker.start();
  openOperatorTerminal(broker, { looks });
}

await main(settingsHere()).catch(sayWhyNot);
