import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { ServiceBroker, type Middleware, type ServiceSchema } from "moleculer";
import { openWorld } from "../../adapters/world.ts";
import { brokerOptions } from "../../config/broker.ts";
import type { Env } from "../../config/env.ts";
import { conflict } from "../../core/problem.ts";
import { withoutWrites } from "../../core/work/hold.ts";
import { guarded } from "../../mesh/guards/guards.ts";
import { equip } from "../../mixins/domain.mixin.ts";
import { allServices } from "../../services/index.ts";
import { LOOKING } from "./session.ts";

/** Whether there is a store to look at, and somebody says yes to it: at the terminal, or beforehand by `--look`. */
export async function wantsLook({ DATA_DIR, MONGO_URL }: Env, args: readonly string[]): Promise<boolean> {
  const where = MONGO_URL ? "MONGO_URL" : DATA_DIR;
  console.log(`No platform runs here on ${where}: \`npm start\` starts one, and TRANSPORTER names a mesh to join.`);
  if (!MONGO_URL && !existsSync(join(DATA_DIR, "signalmesh.db"))) return false;
  if (args.includes("--look")) return true;
  if (!process.stdin.isTTY) {
    console.log("`npm run repl -- --look` shows what is stored, and changes nothing.");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Look at what is stored, without changing anything? Type yes to go on: ");
  terminal.close();
  return answer.trim() === "yes";
}

/** The services on the store, without a gateway: none does anything by itself, and no store takes a write. */
export async function brokerOnStore(env: Env): Promise<ServiceBroker> {
  const services = await allServices();
  const world = await openWorld(env, { guest: true });
  withoutWrites(world.documents, () => conflict(LOOKING));
  const options = guarded({
    ...brokerOptions(env),
    // What gives back its leases when it stops is refused that, too.
    logger: false,
    nodeID: `${env.NODE_ID ?? "look"}-${process.pid}`,
  });
  const broker = new ServiceBroker({ ...options, middlewares: [...(options.middlewares ?? []), readsOnly] });
  equip(
    broker,
    world,
    services.map(({ service }) => service),
    { isIdle: true },
  );
  for (const { area, service } of services)
    if (area !== "gateway") broker.createService(service as unknown as ServiceSchema);
  return broker;
}

/** What an endpoint changes outside the store is refused too. */
const readsOnly: Middleware = {
  name: "Reads only",
  localAction(next, action) {
    const { rest } = action as { rest?: unknown };
    if (typeof rest !== "string" || rest.startsWith("GET ")) return next;
    return () => Promise.reject(conflict(LOOKING));
  },
};
