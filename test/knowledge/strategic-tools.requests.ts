import type { Rows } from "../requests.ts";
import { desk } from "../workspace/desk.ts";

const asking =
  (tool: string): Rows["requests"][string] =>
  async (at) => {
    const { commander, id } = await desk(at);
    return { path: `/api/strategic-tools/${tool}`, as: commander.token, body: { problemSetId: id } };
  };

export const requests: Rows["requests"] = {
  "POST /api/strategic-tools/categorize-midlife": asking("categorize-midlife"),
  "POST /api/strategic-tools/prioritize-domain": asking("prioritize-domain"),
};
