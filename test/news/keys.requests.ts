import type { Rows } from "../requests.ts";

export const requests: Rows["requests"] = {
  "POST /api/keys": async () => ({
    path: "/api/keys",
    body: { name: "once" },
    effect: async (at) => (await at.http("GET", "/api/keys")).body.data.length,
  }),
  "POST /api/keys/:id/reroll": async (at) => ({
    path: `/api/keys/${(await at.http("POST", "/api/keys", { body: { name: "old" } })).body.data.id}/reroll`,
    body: { graceMinutes: 5 },
  }),
};
