import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createConnection, createServer as createTcpServer, type AddressInfo } from "node:net";
import { ServiceBroker, Transporters, type Context } from "moleculer";
import ApiGateway from "moleculer-web";
import DbService from "moleculer-db";
import { Server, type Socket } from "socket.io";
import { io } from "socket.io-client";
import { connectionOf } from "../../mesh/private/engine-io.ts";
import {
  callAgain,
  callSettings,
  endpointOf,
  protocolVersion,
  startClockOf,
  stockEventMiddleware,
} from "../../mesh/private/moleculer.ts";

// What other packages have and do not promise (ADR 39): which versions it was read in, and whether it still has the
// form we rely on.

/** Package → the version whose source was read, and what to read again in another. */
const READ: Readonly<Record<string, [version: string, lookAgain: string]>> = {
  moleculer: [
    "0.15.2",
    "mesh/private/moleculer.ts against src/{service-broker,transit,context,registry/registry,registry/discoverers/base}.js and src/middlewares/{bulkhead,circuit-breaker,error-handler,timeout}.js; " +
      "adapters/transporter/redis.ts against src/transporters/{base,redis}.js; moleculer.config.ts against src/runner.js (loadConfigFile, overwriteFromEnv)",
  ],
  "moleculer-db": [
    "0.9.0",
    "mesh/extra-services.ts against src/index.js (metadata.$package, created) and adapters/documents/moleculer-db.ts against src/memory-adapter.js",
  ],
  "moleculer-repl": [
    "0.8.0",
    "scripts/repl/operator-terminal.ts against src/index.js (replOptions, the server's completer)",
  ],
  "moleculer-web": [
    "0.11.0",
    "services/gateway/gateway.service.ts against src/index.js (createServer, httpHandler, addRoute and regenerateAllAutoAliases in created)",
  ],
  "socket.io": [
    "4.8.4",
    "mesh/private/engine-io.ts and services/gateway/live/frames.ts against dist/client.js (conn) and the protocol's revision",
  ],
  "engine.io": [
    "6.6.11",
    "mesh/private/engine-io.ts against build/socket.js (writeBuffer, upgrading, readyState) and build/transports/websocket.js (_sender, sendFrame)",
  ],
  ws: [
    "8.21.3",
    "mesh/private/engine-io.ts against lib/{websocket,sender}.js (_socket, _sender.sendFrame, bufferedAmount)",
  ],
  node: ["24.21.0", "mesh/private/net.ts against lib/net.js (_handle.bytesWritten, writeQueueSize)"],
};

const installed = (name: string): string =>
  (JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string }).version;

it.each(Object.entries(READ))(
  "private parts of %s were read in the version that is installed",
  (name, [version, lookAgain]) => {
    const found = installed(name);
    if (found !== version)
      throw new Error(
        `${name} is ${found} now; its private parts were read in ${version}. Look again at ${lookAgain}. Then set the version here.`,
      );
  },
);

describe("moleculer has", () => {
  const seen: { ctx: Context; localName: string }[] = [];
  let broker: ServiceBroker;
  beforeAll(async () => {
    const look = {
      name: "look",
      localAction: (next: (ctx: Context) => Promise<unknown>) => (ctx: Context) => {
        seen.push({ ctx, localName: endpointOf(ctx).name });
        return next(ctx);
      },
    };
    broker = new ServiceBroker({
      logger: false,
      nodeID: "here",
      transporter: "Fake",
      skipProcessEventRegistration: true,
      middlewares: [look],
    } as never);
    broker.createService({ name: "tide", actions: { turn: () => "turned" } });
    await broker.start();
  });
  afterAll(() => broker.stop());

  it("a transit layer that knows what was not answered, forgets it, pings and logs", () => {
    expect(broker.transit).toMatchObject({
      pendingRequests: expect.any(Map),
      removePendingRequest: expect.any(Function),
      sendPing: expect.any(Function),
      logger: { error: expect.any(Function), warn: expect.any(Function), info: expect.any(Function) },
    });
  });

  it("a registry whose list of what is served here can be emptied before the stop", () => {
    const registry = broker.registry as unknown as {
      localNodeInfoInvalidated: unknown;
      regenerateLocalRawInfo(counts: boolean, isStopping: boolean): { services: unknown[] };
      discoverer: object;
    };
    expect(registry).toHaveProperty("localNodeInfoInvalidated");
    expect(registry.regenerateLocalRawInfo(false, true).services).toEqual([]);
    expect(registry.discoverer).toMatchObject({
      opts: { heartbeatTimeout: expect.any(Number) },
      checkRemoteNodes: expect.any(Function),
      sendLocalNodeInfo: expect.any(Function),
    });
  });

  it("settings of calls with its defaults, an error handler, news that can be called off, a serializer and a protocol", () => {
    const numbers = (...names: string[]): object => Object.fromEntries(names.map((name) => [name, expect.any(Number)]));
    expect(callSettings(broker)).toMatchObject({
      bulkhead: { enabled: expect.any(Boolean), ...numbers("concurrency", "maxQueueSize") },
      circuitBreaker: {
        enabled: expect.any(Boolean),
        check: expect.any(Function),
        ...numbers("threshold", "windowTime", "minRequestCount", "halfOpenTime"),
      },
    });
    expect(broker).toMatchObject({
      errorHandler: expect.any(Function),
      started: true,
      serializer: { serialize: expect.any(Function) },
    });
    expect((broker as unknown as { localServiceChanged: object }).localServiceChanged).toHaveProperty(
      "cancel",
      expect.any(Function),
    );
    expect(protocolVersion(broker)).toBe("5");
  });

  it.each(["Bulkhead", "ErrorHandler"] as const)("a middleware %s with a part for events", (name) => {
    expect(stockEventMiddleware(name, broker)).toEqual(expect.any(Function));
  });

  it("contexts with the time of their start and the registry's entry, and makes a call again in its own", async () => {
    await broker.call("tide.turn");
    const { ctx, localName } = seen.at(-1)!;
    expect(localName).toBe("here:tide.turn");
    expect(endpointOf(ctx)).toMatchObject({
      id: "here",
      state: true,
      action: { name: "tide.turn", service: { fullName: "tide" } },
    });
    expect(ctx).toHaveProperty("startHrTime");
    startClockOf(ctx);
    expect((ctx as unknown as { startHrTime: unknown }).startHrTime).toEqual([expect.any(Number), expect.any(Number)]);
    await callAgain(ctx, "tide.turn");
    expect(seen.at(-1)!.ctx).toBe(ctx);
  });

  it.each(["init", "onConnected", "prepublish", "publish", "receive", "getTopicName", "serialize"])(
    "a base of transporters with %s",
    (name) => {
      expect((Transporters.Base.prototype as unknown as Record<string, unknown>)[name]).toEqual(expect.any(Function));
    },
  );
});

it("moleculer-db says in its mixin whose it is, and has no adapter of its own", () => {
  expect(DbService).toMatchObject({ metadata: { $package: { name: "moleculer-db" } }, adapter: null });
});

it("moleculer-web has the methods that the gateway puts its own in place of", () => {
  expect(ApiGateway).toMatchObject({
    methods: { createServer: expect.any(Function), httpHandler: expect.any(Function), addRoute: expect.any(Function) },
    actions: { listAliases: expect.anything(), addRoute: expect.anything(), removeRoute: expect.anything() },
  });
});

it("engine.io and ws have what frames made beforehand go out by", async () => {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const server = new Server(http, { transports: ["websocket"] });
  const client = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ["websocket"] });
  try {
    const socket = await new Promise<Socket>((resolve) => {
      server.on("connection", resolve);
    });
    expect(socket.conn).toMatchObject({
      readyState: "open",
      upgrading: false,
      writeBuffer: expect.any(Array),
      close: expect.any(Function),
      write: expect.any(Function),
    });
    const { transport } = socket.conn as unknown as {
      transport: { name: string; writable: boolean; socket: { _sender: { sendFrame: unknown } } };
    };
    expect(transport).toMatchObject({
      name: "websocket",
      writable: expect.any(Boolean),
      socket: { bufferedAmount: expect.any(Number), terminate: expect.any(Function) },
    });
    expect(transport.socket._sender.sendFrame).toEqual(expect.any(Function));
    expect(connectionOf(socket)).toMatchObject({ remoteAddress: "127.0.0.1" });
  } finally {
    client.disconnect();
    await server.close();
  }
});

it("Node's sockets count what the kernel took", async () => {
  const server = createTcpServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = createConnection((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  expect((socket as unknown as { _handle: object })._handle).toMatchObject({
    bytesWritten: expect.any(Number),
    writeQueueSize: expect.any(Number),
  });
  socket.destroy();
  server.close();
});
