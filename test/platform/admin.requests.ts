import { stored } from "../mesh.ts";
import type { Rows } from "../requests.ts";

export const requests: Rows["requests"] = {
  "POST /api/admin/osint-sources": async () => ({
    path: "/api/admin/osint-sources",
    body: {
      name: "Port notices",
      kind: "feed",
      address: "http://127.0.0.1:9/notices.xml",
      schedule: { cron: "0 6 * * *" },
      active: false,
    },
    effect: stored("osint_sources"),
  }),
  "POST /api/admin/cache/invalidate": async () => ({ path: "/api/admin/cache/invalidate", body: { scope: "names" } }),
};

export const notRepeated: Rows["notRepeated"] = {
  "POST /api/admin/config/:name/rollback":
    "it names the version that it replaces by If-Match, which another has after it; told in test/platform/admin",
};

export const plant: Rows["plant"] = async () => ({
  "/api/admin/funding/check/:accountId": "0x52908400098527886E0F7030069857D2E4169EE7",
});
