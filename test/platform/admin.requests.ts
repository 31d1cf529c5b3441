import type { Rows } from "../requests.ts";

export const requests: Rows["requests"] = {
  "POST /api/admin/cache/invalidate": async () => ({ path: "/api/admin/cache/invalidate", body: { scope: "names" } }),
};

export const notRepeated: Rows["notRepeated"] = {
  "POST /api/admin/config/:name/rollback":
    "it names the version that it replaces by If-Match, which another has after it; told in test/platform/admin",
};
