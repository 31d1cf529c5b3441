import type { Rows } from "../requests.ts";
import { desk } from "../workspace/desk.ts";

const asking =
  (tool: string, first: object): Rows["requests"][string] =>
  async (at) => {
    const { commander, id } = await desk(at);
    return { path: `/api/strategic-tools/${tool}`, as: commander.token, body: { ...first, problemSetId: id } };
  };

export const requests: Rows["requests"] = {
  "POST /api/strategic-tools/categorize-midlife": asking("categorize-midlife", { framework: "midlife" }),
  "POST /api/strategic-tools/prioritize-domain": asking("prioritize-domain", { windowDays: 7 }),
};
