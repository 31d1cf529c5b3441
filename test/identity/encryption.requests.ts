import type { TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { made as post } from "../workspace/desk.ts";

let made = 0;

export const requests: Rows["requests"] = {
  "POST /api/encryption/encrypt": async () => ({
    path: "/api/encryption/encrypt",
    body: { plaintext: "Convoy leaves at 05:40.", aad: "order 17" },
  }),
  "POST /api/encryption/decrypt": async (at) => ({
    path: "/api/encryption/decrypt",
    body: { jwe: (await at.http("POST", "/api/encryption/encrypt", { body: { plaintext: "Convoy" } })).body.data.jwe },
  }),
  "POST /api/encryption/keys": async () => ({
    path: "/api/encryption/keys",
    body: { name: `key-${++made}` },
    effect: async (at) => (await at.http("GET", "/api/encryption/keys")).body.meta.total,
  }),
  "POST /api/encryption/keys/:id/rotate": async (at) => ({
    path: `/api/encryption/keys/${(await at.http("POST", "/api/encryption/keys", { body: { name: `key-${++made}` } })).body.data.id}/rotate`,
  }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by }: Place): Promise<Planted> {
  const { id } = await post(
    at,
    "POST",
    "/api/encryption/keys",
    { name: `planted-${++made}`, problemSetId, compartments },
    by,
  );
  return { "/api/encryption/keys/:id": id };
}
