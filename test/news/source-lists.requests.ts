import { total, type TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";

let counter = 0;
const list = async (at: TestWorld): Promise<number> =>
  (await at.http("POST", "/api/sources/lists", { body: { name: `List ${++counter}`, sourceIds: [] } })).body.data.id;

export const requests: Rows["requests"] = {
  "POST /api/sources/lists": async () => ({
    path: "/api/sources/lists",
    body: { name: `Once ${++counter}`, sourceIds: [] },
    effect: total("/api/sources/lists"),
  }),
  "POST /api/sources/lists/:id/activate": async (at) => ({ path: `/api/sources/lists/${await list(at)}/activate` }),
};
