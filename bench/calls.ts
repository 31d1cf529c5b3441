import { ServiceBroker } from "moleculer";
import { z } from "zod";
import { readEnv } from "../config/env.ts";
import { brokerOptions } from "../config/broker.ts";
import { data } from "../core/answer.ts";
import { endpoint, type MeshService } from "../core/endpoint.ts";
import { domain } from "../mixins/domain.mixin.ts";
import { startMesh } from "../scripts/mesh.ts";
import { interleaved, median, round } from "./measure.ts";

const CALLS = 50_000;
const Row = z.object({ id: z.int(), name: z.string() });
const ping: MeshService = {
  name: "bench", settings: { rest: "/bench" }, mixins: [domain({})],
  actions: { ping: endpoint({ summary: "Answer at once", permit: "signed-in", body: { id: z.int() }, returns: data(Row), handler: (ctx) => ({ id: ctx.params.id, name: "pong" }) }) },
};
const actor = { userId: "bench", roles: ["reader"], via: "jwt", permits: ["*:read"] } as const;

/** CPU of one action call in the process: bare, with the broker set up as in production, and through a whole contract. */
export async function calls(): Promise<string> {
  const env = readEnv({ PORT: "0", DATA_DIR: ":memory:", ADMIN_EMAIL: "bench@example.org", ADMIN_PASSWORD: "correct horse battery staple 42", RATE_LIMIT_TIER: "development" });
  const schema = { name: "plain", actions: { ping: (ctx: { params: { id: number } }) => ({ id: ctx.params.id, name: "pong" }) } };
  const bare = new ServiceBroker({ logger: false, internalServices: false, internalMiddlewares: false });
  const set = new ServiceBroker({ ...brokerOptions(env), logger: false, skipProcessEventRegistration: true });
  const stock = new ServiceBroker({ ...brokerOptions(env), logger: false, skipProcessEventRegistration: true, metrics: true, tracing: true });
  for (const broker of [bare, set, stock]) { broker.createService(schema as never); await broker.start(); }
  const mesh = await startMesh(env, { extra: [ping], quiet: true });
  const kinds: [string, () => Promise<unknown>][] = [
    ["bare broker", () => bare.call("plain.ping", { id: 7 })],
    ["breaker, bulkhead, timeout", () => set.call("plain.ping", { id: 7 })],
    ["the whole contract: permit, input, answer", () => mesh.broker.call("bench.ping", { id: 7 }, { meta: { actor } })],
    ["stock metrics and tracing, for comparison", () => stock.call("plain.ping", { id: 7 })],
  ];
  const figures = await interleaved(kinds, 7, async ([, call]) => {
    const before = process.cpuUsage();
    for (let n = 0; n < CALLS; n++) await call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / CALLS;
  });
  for (const broker of [bare, set, stock]) await broker.stop();
  await mesh.stop();
  const rows = kinds.map((kind) => `| ${kind[0]} | ${round(median(figures.get(kind)!), 2)} |`);
  return ["## Action call in the process", "", `CPU microseconds a call, median of 7 interleaved rounds of ${CALLS.toLocaleString("en")} calls.`, "", "| Broker | µs |", "|---|---|", ...rows, ""].join("\n");
}

if (import.meta.main) { console.log(await calls()); process.exit(0); }
