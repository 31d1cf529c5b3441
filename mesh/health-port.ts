import { once } from "node:events";
import { createServer } from "node:http";
import { NodeHealth } from "../services/gateway/pages/health.ts";
import type { Mesh } from "./mesh.ts";

/**
 * Serves /health/live and /health/ready, and nothing else, on HOST:PORT for a node that runs no gateway, so that an
 * orchestrator can ask it. Where the port is taken (several processes on one machine) it says so and goes without.
 * Returns what ends it.
 */
export async function serveHealth({ broker, world }: Mesh): Promise<() => void> {
  const health = new NodeHealth(world, broker);
  health.start();
  const server = createServer({ requestTimeout: 5_000 }, async (req, res) => {
    const answer =
      req.url === "/health/live"
        ? { status: "live" }
        : req.url === "/health/ready"
          ? await health.readiness()
          : undefined;
    const status = answer === undefined ? 404 : ["live", "ready"].includes(answer.status) ? 200 : 503;
    res
      .writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" })
      .end(JSON.stringify(answer ?? { status: "unknown" }));
  });
  try {
    await once(server.listen(world.env.PORT, world.env.HOST), "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    broker.logger.warn(`Port ${world.env.PORT} is taken: this node answers no questions about its health.`);
  }
  return () => {
    health.draining = true;
    server.close();
    server.closeIdleConnections();
  };
}
