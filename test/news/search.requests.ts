import type { Rows } from "../requests.ts";

export const requests: Rows["requests"] = {
  "POST /api/search/reindex": async () => ({ path: "/api/search/reindex" }),
};
