import { z } from "zod";
import { readEnv } from "../../config/env.ts";
import { data } from "../../core/contract/answer.ts";
import { endpoint, type MeshService } from "../../core/contract/endpoint.ts";
import { NumberId } from "../../core/records/entity.ts";
import { domain } from "../../mixins/domain.mixin.ts";
import { startMesh } from "../../mesh/mesh.ts";
import { record, reportTo, routes } from "./routes.ts";

/** `public`: no credential asked for; `jwt`: one is, and checked. The whole production stack either way. */
const permit = process.argv[2] === "jwt" ? "signed-in" : "public";
const Row = z.object({
  id: NumberId,
  name: z.string(),
  url: z.string(),
  domain: z.string(),
  active: z.boolean(),
  articleCount: z.int(),
});
const services = routes.map(({ noun }): MeshService => ({
  name: noun,
  settings: { rest: `/${noun}` },
  mixins: [domain({})],
  actions: {
    list: endpoint({ rest: "GET /", summary: "List them", permit, returns: data(z.array(Row)), handler: () => [] }),
    get: endpoint({
      rest: "GET /:id",
      summary: "Read one of them",
      permit,
      path: { id: NumberId },
      returns: data(Row),
      handler: (ctx) => record(ctx.params.id).data,
    }),
    stats: endpoint({
      rest: "GET /:id/stats",
      summary: "Read its figures",
      permit,
      path: { id: NumberId },
      returns: data(Row),
      handler: (ctx) => record(ctx.params.id).data,
    }),
  },
}));
const mesh = await startMesh(
  readEnv({
    PORT: "0",
    DATA_DIR: ":memory:",
    ADMIN_EMAIL: "bench@example.org",
    ADMIN_PASSWORD: "correct horse battery staple 42",
    LOG_LEVEL: "error",
    RATE_LIMIT_TIER: "development",
    OVERLOAD_DELAY_MS: "0",
  }),
  { extra: services, quiet: true },
);
const login = await fetch(`${mesh.url}/api/auth/login`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ email: "bench@example.org", password: "correct horse battery staple 42" }),
});
const {
  data: { token },
} = (await login.json()) as { data: { token: string } };
process.send!({ token });
reportTo(process, Number(new URL(mesh.url!).port));
