import { join } from "node:path";
import "reflect-metadata";
import {
  credentials,
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServiceClientConstructor,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ClientProxyFactory, MessagePattern, Transport, type RedisOptions } from "@nestjs/microservices";
import { Redis } from "ioredis";
import { ServiceBroker } from "moleculer";
import { lastValueFrom } from "rxjs";
import { lineOf } from "../../adapters/transporter/index.ts";
import { brokerOptions } from "../../config/broker.ts";
import { readEnv } from "../../config/env.ts";
import { guarded } from "../../mesh/guards/guards.ts";

/**
 * One end of a remote call, as a process of its own: `remote.ts KIND ROLE REDIS_URL GRPC_PORT`. A server answers; a
 * client makes the calls that it is told to, so many at a time, and tells how long each took.
 */
const [, , kind, role, redisUrl, grpcPort] = process.argv as [
  string,
  string,
  string,
  "server" | "client",
  string,
  string,
];
type Call = (id: number) => Promise<{ id: number; name: string }>;
const pong = ({ id }: { id: number }) => ({ id, name: "pong" });
const CHANNEL = "bench:ask";

interface Contender {
  serve(): Promise<number | void>;
  connect(): Promise<Call>;
}

const { hostname: host, port } = new URL(redisUrl);
const env = () =>
  readEnv({ TRANSPORTER: redisUrl, NAMESPACE: "bench-remote", DATA_DIR: ":memory:", LOG_LEVEL: "error" });
const broker = (name: string) =>
  new ServiceBroker(guarded({ ...brokerOptions(env()), ...lineOf(env()).options, nodeID: name, logger: false }));

const signalmesh: Contender = {
  async serve() {
    const node = broker("server");
    node.createService({
      name: "echo",
      actions: { ping: (ctx: { params: { id: number } }) => pong(ctx.params) },
    } as never);
    await node.start();
  },
  async connect() {
    const node = broker("client");
    await node.start();
    await node.waitForServices("echo");
    return (id) => node.call("echo.ping", { id });
  },
};

/** Nest's decorators, applied by hand: they are functions, and no build step is there to apply them. */
class EchoController {
  ping(given: { id: number }) {
    return pong(given);
  }
}
const nestOptions: RedisOptions = { transport: Transport.REDIS, options: { host, port: Number(port) } };
const nest: Contender = {
  async serve() {
    const { Controller } = await import("@nestjs/common");
    MessagePattern("ping")(
      EchoController.prototype,
      "ping",
      Object.getOwnPropertyDescriptor(EchoController.prototype, "ping")!,
    );
    Controller()(EchoController);
    class EchoModule {
      readonly holds = EchoController;
    }
    Module({ controllers: [EchoController] })(EchoModule);
    const app = await NestFactory.createMicroservice<RedisOptions>(EchoModule, { ...nestOptions, logger: false });
    await app.listen();
  },
  async connect() {
    const client = ClientProxyFactory.create(nestOptions);
    await client.connect();
    return (id) => lastValueFrom(client.send<{ id: number; name: string }>("ping", { id }));
  },
};

const plain: Contender = {
  async serve() {
    const [hears, says] = [new Redis(redisUrl), new Redis(redisUrl)];
    await hears.subscribe(CHANNEL);
    hears.on("message", (_channel, text) => {
      const { to, n, id } = JSON.parse(text) as { to: string; n: number; id: number };
      void says.publish(to, JSON.stringify({ n, ...pong({ id }) }));
    });
  },
  async connect() {
    const [hears, says] = [new Redis(redisUrl), new Redis(redisUrl)];
    const to = `bench:answer:${process.pid}`;
    const waiting = new Map<number, (answer: { id: number; name: string }) => void>();
    let count = 0;
    await hears.subscribe(to);
    hears.on("message", (_channel, text) => {
      const { n, ...answer } = JSON.parse(text) as { n: number; id: number; name: string };
      waiting.get(n)?.(answer);
      waiting.delete(n);
    });
    return (id) =>
      new Promise((resolve) => {
        waiting.set(++count, resolve);
        void says.publish(CHANNEL, JSON.stringify({ to, n: count, id }));
      });
  },
};

const Echo = () =>
  (
    loadPackageDefinition(loadSync(join(import.meta.dirname, "echo.proto")))["bench"] as unknown as {
      Echo: ServiceClientConstructor;
    }
  ).Echo;
const grpc: Contender = {
  serve() {
    const server = new Server();
    server.addService(Echo().service, {
      Ping: ({ request }: { request: { id: number } }, done: (error: null, answer: object) => void) =>
        done(null, pong(request)),
    });
    return new Promise((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
  },
  async connect() {
    const client = new (Echo())(`127.0.0.1:${grpcPort}`, credentials.createInsecure()) as unknown as {
      Ping(asked: { id: number }, done: (error: Error | null, answer: { id: number; name: string }) => void): void;
    };
    return (id) =>
      new Promise((resolve, reject) => {
        client.Ping({ id }, (error, answer) => (error ? reject(error) : resolve(answer)));
      });
  },
};

const contender = ({ signalmesh, nest, plain, grpc } as Record<string, Contender>)[kind]!;
let call: Call | undefined;
let bound: number | void = undefined;
if (role === "server") bound = await contender.serve();
else call = await contender.connect();

/** So many calls, so many of them under way at a time; how long each took, in microseconds. */
async function measured(calls: number, atOnce: number): Promise<number[]> {
  const took: number[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      for (let n = lane; n < calls; n += atOnce) {
        const began = performance.now();
        const answer = await call!(n);
        took.push((performance.now() - began) * 1_000);
        if (answer.id !== n || answer.name !== "pong")
          throw new Error(`${kind} answered ${JSON.stringify(answer)} to ${n}`);
      }
    }),
  );
  return took;
}

process.on("message", async (said: "cpu" | "end" | { calls: number; atOnce: number }) => {
  if (said === "end") process.exit(0);
  else if (said === "cpu") process.send!({ cpu: process.cpuUsage() });
  else process.send!({ took: await measured(said.calls, said.atOnce) });
});
process.send!({ ready: true, bound });
