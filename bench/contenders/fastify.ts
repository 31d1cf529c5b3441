import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { record, reportTo, routes } from "./routes.ts";

const app = fastify();
for (const { list, one, stats } of routes) {
  app.get(list, () => ({ data: [] }));
  app.get(
    one,
    { schema: { params: { type: "object", properties: { id: { type: "integer", minimum: 1 } }, required: ["id"] } } },
    (req) => record((req.params as { id: number }).id),
  );
  app.get(stats, () => ({ data: {} }));
}
await app.listen({ port: 0, host: "127.0.0.1" });
reportTo(process, (app.server.address() as AddressInfo).port);
