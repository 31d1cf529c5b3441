import { stored, type TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";

const briefing = async (at: TestWorld): Promise<number> => {
  const { id } = (await at.http("POST", "/api/briefings/generate", { body: {} })).body.data;
  for (let tries = 0; tries < 400; tries++) {
    if ((await at.http("GET", `/api/briefings/${id}`)).body.data.status !== "generating") return id;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("the briefing is not ready");
};

export const requests: Rows["requests"] = {
  "POST /api/briefings/generate": async () => ({
    path: "/api/briefings/generate",
    body: {},
    effect: stored("briefings"),
  }),
  "POST /api/briefings/:id/deliver": async (at) => ({
    path: `/api/briefings/${await briefing(at)}/deliver`,
    body: { channels: ["email:reader@example.org"] },
  }),
};
