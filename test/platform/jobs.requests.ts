import type { Rows } from "../requests.ts";

export const requests: Rows["requests"] = {};

export const notRepeated: Rows["notRepeated"] = {
  "POST /api/jobs/:id/cancel": "needs a job that is still running; its story is told in test/platform",
  "POST /api/jobs/:id/retry": "needs a job that failed; its story is told in test/platform/jobs",
};
