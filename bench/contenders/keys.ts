import { z } from "zod";
import { readEnv } from "../../config/env.ts";
import { data } from "../../core/contract/answer.ts";
import { endpoint, type MeshService } from "../../core/contract/endpoint.ts";
import { NumberId } from "../../core/records/entity.ts";
import { domain } from "../../mixins/domain.mixin.ts";
import { startMesh } from "../../mesh/mesh.ts";
import { record, reportTo } from "./routes.ts";

/**
 * `limited`: keys are counted against their limit; `free`: they are not. Keys of several people, since each has a
 * hundred requests a minute.
 */
const tier = process.argv[2] === "limited" ? "default" : "development";
const PEOPLE = 30,
  KEYS = 20;
const Row = z.object({
  id: NumberId,
  name: z.string(),
  url: z.string(),
  domain: z.string(),
  active: z.boolean(),
  articleCount: z.int(),
});
const service = (permit: "public" | "articles:read", name: string): MeshService => ({
  name,
  settings: { rest: `/${name}` },
  mixins: [domain({})],
  actions: {
    get: endpoint({
      rest: "GET /:id",
      summary: "Read one",
      permit,
      path: { id: NumberId },
      returns: data(Row),
      handler: (ctx) => record(ctx.params.id).data,
    }),
  },
});
const password = "correct horse battery staple 42";
const mesh = await startMesh(
  readEnv({
    PORT: "0",
    DATA_DIR: ":memory:",
    ADMIN_EMAIL: "bench@example.org",
    ADMIN_PASSWORD: password,
    LOG_LEVEL: "error",
    RATE_LIMIT_TIER: tier,
    OVERLOAD_DELAY_MS: "0",
  }),
  { extra: [service("public", "open"), service("articles:read", "kept")], quiet: true },
);
const post = async (path: string, body: object, token?: string) =>
  (
    (await (
      await fetch(mesh.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
    ).json()) as { data: any }
  ).data;
const { token } = await post("/api/auth/login", { email: "bench@example.org", password });
const keys: string[] = [];
for (let n = 0; n < PEOPLE; n++) {
  await post("/api/auth/users", { email: `bench${n}@example.org`, password }, token);
  const person = (await post("/api/auth/login", { email: `bench${n}@example.org`, password })).token;
  for (let key = 0; key < KEYS; key++) keys.push((await post("/api/keys", { name: `k${key}` }, person)).key);
}
process.send!({ token: keys.join(" ") });
reportTo(process, Number(new URL(mesh.url!).port));
