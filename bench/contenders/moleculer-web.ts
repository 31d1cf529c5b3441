import { ServiceBroker, type ServiceSchema } from "moleculer";
import ApiGateway from "moleculer-web";
import { record, reportTo, routes } from "./routes.ts";

const broker = new ServiceBroker({ logger: false });
for (const { noun } of routes)
  broker.createService({
    name: noun,
    settings: { rest: `/${noun}` },
    actions: {
      list: { rest: "GET /", handler: () => ({ data: [] }) },
      get: {
        rest: "GET /:id",
        params: { id: { type: "number", convert: true, positive: true } },
        handler: (ctx) => record((ctx.params as { id: number }).id),
      },
      stats: { rest: "GET /:id/stats", handler: () => ({ data: {} }) },
    },
  });
const api = broker.createService({
  name: "api",
  mixins: [ApiGateway as unknown as ServiceSchema],
  settings: {
    port: 0,
    ip: "127.0.0.1",
    logRequest: null,
    logResponse: null,
    logRequestParams: null,
    routes: [{ path: "/api", autoAliases: true, mappingPolicy: "restrict", bodyParsers: false, logging: false }],
  },
});
await broker.start();
for (const route of (api as any).routes) (api as any).regenerateAutoAliases(route);
reportTo(process, (api as any).server.address().port);
