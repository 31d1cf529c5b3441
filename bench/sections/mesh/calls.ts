import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ServiceBroker, type BrokerOptions } from "moleculer";
import { z } from "zod";
import { Tracing } from "../../../adapters/tracing.ts";
import { readEnv } from "../../../config/env.ts";
import { brokerOptions } from "../../../config/broker.ts";
import { data } from "../../../core/contract/answer.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { guarded } from "../../../mesh/guards/guards.ts";
import { CallMeter } from "../../../mesh/metrics.middleware.ts";
import { startMesh } from "../../../mesh/mesh.ts";
import { interleaved, many, median, round } from "../../measure.ts";

const CALLS = many(30_000, 300);
const ROUNDS = many(7);
const Row = z.object({ id: z.int(), name: z.string() });
const ping: MeshService = {
  name: "bench",
  settings: { rest: "/bench" },
  mixins: [domain({})],
  actions: {
    ping: endpoint({
      summary: "Answer at once",
      permit: "signed-in",
      body: { id: z.int() },
      returns: data(Row),
      handler: (ctx) => ({ id: ctx.params.id, name: "pong" }),
    }),
  },
};
const actor = { userId: "bench", roles: ["reader"], via: "jwt", permits: ["*:read"] } as const;

const plain = {
  name: "plain",
  actions: { ping: (ctx: { params: { id: number } }) => ({ id: ctx.params.id, name: "pong" }) },
};
type Middleware = NonNullable<BrokerOptions["middlewares"]>[number];

/** A broker with one service, set up so; `outer` goes around everything, as in production. */
async function started(options: BrokerOptions, outer: readonly unknown[] = []): Promise<ServiceBroker> {
  const broker = new ServiceBroker({ ...options, logger: false, skipProcessEventRegistration: true });
  for (const one of outer) broker.middlewares.add(one as never);
  broker.createService(plain as never);
  await broker.start();
  return broker;
}

/**
 * CPU of one action call in the process: bare, with each part of the production set-up alone, with all of it, and
 * through a whole contract.
 */
export async function calls(): Promise<string> {
  const env = readEnv({
    PORT: "0",
    DATA_DIR: ":memory:",
    ADMIN_EMAIL: "bench@example.org",
    ADMIN_PASSWORD: "correct horse battery staple 42",
    RATE_LIMIT_TIER: "development",
  });
  const receiver = createServer((req, res) => {
    req.resume();
    res.writeHead(200).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  const tracer = (ratio: number) =>
    new Tracing({
      endpoint: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      serviceName: "bench",
      version: "0",
      nodeId: "bench",
      ratio,
    });
  const production = brokerOptions(env);
  const { circuitBreaker, bulkhead, requestTimeout } = production;
  const meters = [new CallMeter(), new CallMeter(), new CallMeter()];
  const [seldom, tenth, all] = [tracer(0), tracer(0.1), tracer(0.1)];
  const inner = (meter: CallMeter): BrokerOptions => ({ middlewares: [meter.inner as unknown as Middleware] });
  const brokers: [string, ServiceBroker][] = [
    ["bare broker", await started({ internalServices: false, internalMiddlewares: false })],
    ["Moleculer's own set-up, nothing more", await started({})],
    ["circuit breaker alone", await started({ circuitBreaker })],
    ["bulkhead alone", await started({ bulkhead })],
    ["time-out alone", await started({ requestTimeout })],
    ["metrics alone", await started(inner(meters[0]!), [meters[0]!.outer])],
    ["tracing alone, no request chosen", await started({}, [seldom.middleware])],
    ["tracing alone, one request in ten", await started({}, [tenth.middleware])],
    ["Moleculer's breaker, bulkhead, time-out", await started(production)],
    ["ours: one guard for the three", await started(guarded(production))],
    [
      "the same with metrics and tracing of one in ten",
      await started(guarded({ ...production, ...inner(meters[1]!) }), [all.middleware, meters[1]!.outer]),
    ],
    ["stock metrics and tracing, for comparison", await started({ ...production, metrics: true, tracing: true })],
  ];
  const mesh = await startMesh(env, { extra: [ping], quiet: true });
  const kinds: [string, () => Promise<unknown>][] = brokers.map(([name, broker]) => [
    name,
    () => broker.call("plain.ping", { id: 7 }),
  ]);
  kinds.push([
    "the whole contract: permit, input, answer",
    () => mesh.broker.call("bench.ping", { id: 7 }, { meta: { actor } }),
  ]);
  const figures = await interleaved(kinds, ROUNDS, async ([, call]) => {
    const before = process.cpuUsage();
    for (let n = 0; n < CALLS; n++) await call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / CALLS;
  });
  for (const [, broker] of brokers) await broker.stop();
  await mesh.stop();
  for (const one of [seldom, tenth, all]) await one.stop();
  receiver.close();
  receiver.closeAllConnections();
  const base = figures.get(kinds[1]!)!;
  const rows = kinds.map(
    (kind) =>
      `| ${kind[0]} | ${round(median(figures.get(kind)!), 2)} | ${round(median(figures.get(kind)!.map((figure, at) => figure - base[at]!)), 2)} |`,
  );
  return [
    "## Action call in the process",
    "",
    `CPU microseconds a call, median of ${ROUNDS} interleaved rounds of ${CALLS.toLocaleString("en")} calls; the difference is each round's own to Moleculer's set-up with nothing more.`,
    "",
    "| Broker | µs | difference |",
    "|---|---|---|",
    ...rows,
    "",
    "The aim is 4 for breaker, bulkhead, metrics and tracing together.",
    "",
  ].join("\n");
}

if (import.meta.main) {
  console.log(await calls());
  process.exit(0);
}
