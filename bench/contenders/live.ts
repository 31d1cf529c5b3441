import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { ServiceBroker } from "moleculer";
import { Server } from "socket.io";
import { z } from "zod";
import { LIVE_SENT, live, liveType } from "../../core/contract/live.ts";
import { Live } from "../../services/gateway/live/live.ts";

/** One server that tells all its sockets of something, `n` times, by one of three ways. */
const { WebSocketServer } = createRequire(import.meta.url)("ws");
const server = createServer((_req, res) => res.writeHead(404).end());
const Item = liveType("bench.item", {
  domain: "tests",
  summary: "Something of the bench",
  payload: z.object({ text: z.string() }),
});
const text = "x".repeat(200);
const envelope = { id: "0199-bench", time: new Date().toISOString(), problemSetId: "s1", data: { text } };

const ways: Record<string, () => Promise<() => unknown>> = {
  /** Encoded once a message, as a careful author writes it. */
  async ws() {
    const sockets = new WebSocketServer({ server, path: "/live", perMessageDeflate: false });
    return () => {
      const encoded = JSON.stringify(["bench.item", envelope]);
      for (const client of sockets.clients) client.send(encoded);
    };
  },
  async "socket.io"() {
    const io = new Server(server, { serveClient: false, perMessageDeflate: false });
    io.of("/live").on("connection", (socket) => void socket.join("s1"));
    return () => io.of("/live").to("s1").emit("bench.item", envelope);
  },
  /** The whole way: from the service over the broker to rooms of two different sets of compartments. */
  async signalmesh() {
    let count = 0;
    const held = () => (++count % 2 ? ["a"] : ["a", "b"]);
    const end = new Live({
      server,
      logger: console,
      fromHere: () => true,
      isRefused: () => false,
      topics: new Set(),
      identify: async () => ({
        userId: `u${count}`,
        roles: ["analyst"],
        via: "jwt",
        permits: [],
        memberships: { s1: { role: "analyst", permits: ["*:read"], compartments: held() } },
      }),
    });
    const broker = new ServiceBroker({ logger: false });
    broker.createService({
      name: "end",
      events: {
        [LIVE_SENT]: {
          context: true,
          handler(ctx: any) {
            end.deliver(ctx.params);
          },
        },
      },
    } as never);
    await broker.start();
    return () => live({ broker }, { event: Item, to: { problemSetId: "s1", compartments: ["a"] }, data: { text } });
  },
};

const tell = await ways[process.argv[2]!]!();
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
process.on("message", async (message: unknown) => {
  if (message === "cpu") return void process.send!({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
  if (message === "end") process.exit(0);
  const { send } = message as { send: number };
  for (let n = 0; n < send; n++) {
    await tell();
    await new Promise((resolve) => setImmediate(resolve));
  }
});
