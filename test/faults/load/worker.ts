import { ServiceBroker } from "moleculer";
import { lineOf } from "../../../adapters/transporter/index.ts";
import { brokerOptions } from "../../../config/broker.ts";
import { processEnv } from "../../../config/env.ts";
import { guarded } from "../../../mesh/guards/guards.ts";

// A node of a mesh as a process of its own: computes for as long as it is asked to, waits for as long as it is asked
// to. The milliseconds of its own slowness are its argument.

const slowness = Number(process.argv[2] ?? 0);
function work(milliseconds: number): void {
  const { user, system } = process.cpuUsage();
  for (;;) {
    const used = process.cpuUsage();
    if (used.user + used.system - user - system >= milliseconds * 1_000) return;
  }
}
const env = processEnv();
const broker = new ServiceBroker(guarded({ ...brokerOptions(env), ...lineOf(env).options, logger: false }));
let asked = 0;
broker.createService({
  name: "share",
  actions: {
    work: (ctx: { params: { ms: number } }) => {
      asked++;
      work(ctx.params.ms + slowness);
      return "done";
    },
    wait: async (ctx: { params: { ms: number } }) => {
      asked++;
      await new Promise((resolve) => {
        setTimeout(resolve, ctx.params.ms + slowness);
      });
      return "done";
    },
    other: () => "unharmed",
    asked: () => asked,
  },
} as never);
await broker.start();
await broker.registry.discoverer.sendLocalNodeInfo();
process.send!("ready");
